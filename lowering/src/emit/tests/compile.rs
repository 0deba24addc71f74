//! Every op, compiled for every target.

use brolga_ir::op::{Dialect, Op};
use brolga_ir::text::example_module;

use super::*;
use crate::error::CompileError;
use crate::unit::CompiledUnit;

fn compile_all(text: &str, isa: &Isa) -> Result<Vec<CompiledUnit>, CompileError> {
    let module = module(text);
    let mut compiler = Compiler::new();
    let bodies = module.functions().filter(|(_, function)| function.body.is_some());
    bodies
        .map(|(id, _)| compiler.lower_function(&module, id, isa, &LowerOptions::default()))
        .collect()
}

#[test]
fn every_example_compiles_or_is_refused_by_name() {
    for target in TARGETS {
        let isa = isa(target);
        for &op in Op::ALL {
            match compile_all(&example_module(op), &isa) {
                Ok(units) => assert!(!units.is_empty(), "{op}"),
                Err(CompileError::Unsupported { .. }) => {
                    assert_eq!(op.info().dialect, Dialect::Managed, "{op}");
                }
                Err(CompileError::Illegal { .. } | CompileError::Signature { .. }) => {}
                Err(error) => panic!("{target} {op}: {error}"),
            }
        }
    }
}
