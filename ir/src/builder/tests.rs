use super::*;
use crate::attribute::{InstFlags, IntCond};
use crate::body::ExitKind;
use crate::entity::FuncId;
use crate::interpret::Interpreter;
use crate::module::Module;
use crate::op::Op;
use crate::trap::TrapCode;
use crate::types::{Scalar, Type};
use crate::verify::Rule;

mod linear;
mod misuse;
mod ops;
mod random;
mod variables;

/// A module with `@f` of those types, as `build` fills it in.
fn built(
    params: &[Type],
    results: &[Type],
    build: impl FnOnce(&mut FunctionBuilder<'_>),
) -> Module {
    let mut module = ModuleBuilder::new("m");
    let f = module.export("f", params, results);
    let mut b = module.define(f);
    build(&mut b);
    b.finish().unwrap_or_else(|errors| panic!("{errors}"));
    module.finish().unwrap_or_else(|errors| panic!("{errors}"))
}

/// The errors of `@f(i64) -> i64`, as `build` fills it in.
fn refused(build: impl FnOnce(&mut FunctionBuilder<'_>)) -> BuildErrors {
    let mut module = ModuleBuilder::new("m");
    let f = module.export("f", &[Type::I64], &[Type::I64]);
    module.import("other", &[Type::I64], &[]);
    let mut b = module.define(f);
    build(&mut b);
    let errors = b.finish().unwrap_err();
    assert!(module.module().function(f).unwrap().body.is_none());
    errors
}
