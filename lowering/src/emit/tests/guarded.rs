//! What the back end must not do, and what comes of it.

use brolga_ir::op::Dialect;
use cranelift_codegen::ir::{AbiParam, Function, InstBuilder, MemFlagsData, Value, types};
use cranelift_codegen::isa::CallConv;
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};

use super::super::code::Needs;
use super::super::compiler::{Job, Source};
use super::*;
use crate::error::CompileError;
use crate::legal_form::ValueForm;
use crate::options::StackGuard;
use crate::pipeline::{Duty, Level, Pass, Stage};
use crate::unit::CompiledUnit;

/// Compiles a function of two numbers whose only block `fill` fills.
fn compile(
    compiler: &mut Compiler,
    isa: &Isa,
    fill: impl FnOnce(&mut FunctionBuilder<'_>, [Value; 2]),
) -> Result<CompiledUnit, CompileError> {
    let (stack_guard, back_end) = (StackGuard::Omit, crate::level::BackEnd::Plain);
    let job = Job { name: "f", isa, max_instructions: 100, stack_guard, back_end };
    let emit = |into: &mut Function, context: &mut FunctionBuilderContext, _: &mut Needs| {
        into.signature.call_conv = CallConv::Tail;
        into.signature.params = vec![AbiParam::new(types::I64); 2];
        into.signature.returns = vec![AbiParam::new(types::I64)];
        let mut builder = FunctionBuilder::new(into, context);
        let block = builder.create_block();
        builder.append_block_params_for_function_params(block);
        builder.switch_to_block(block);
        let params = builder.block_params(block);
        let params = [params[0], params[1]];
        fill(&mut builder, params);
        builder.seal_all_blocks();
        builder.finalize(isa.frontend_config());
        Ok(())
    };
    compiler.unit(&job, Box::new(emit))
}

fn reason(result: Result<CompiledUnit, CompileError>) -> String {
    match result {
        Err(CompileError::BackEnd { reason, .. } | CompileError::Panicked { reason, .. }) => {
            reason.into()
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_trap_that_could_be_reached_is_refused() {
    for target in TARGETS {
        let (isa, mut compiler) = (isa(target), Compiler::new());
        let access = compile(&mut compiler, &isa, |builder, [x, _]| {
            let value = builder.ins().load(types::I64, MemFlagsData::new(), x, 0);
            builder.ins().return_(&[value]);
        });
        assert!(reason(access).contains("a trap `heap_oob`"));
        let trap = compile(&mut compiler, &isa, |builder, _| {
            builder.ins().trap(unreachable_trap());
        });
        assert!(reason(trap).contains("follows no call"));
        let division = compile(&mut compiler, &isa, |builder, [x, y]| {
            let value = builder.ins().sdiv(x, y);
            builder.ins().return_(&[value]);
        });
        assert_eq!(reason(division), "it left more division traps than divisions");
        compile(&mut compiler, &isa, |builder, [x, y]| {
            let value = builder.ins().iadd(x, y);
            builder.ins().return_(&[value]);
        })
        .unwrap();
    }
}

#[test]
fn a_panic_is_an_error_and_the_compiler_goes_on() {
    let (isa, mut compiler) = (isa(TARGETS[0]), Compiler::new());
    let half_way = compile(&mut compiler, &isa, |builder, [x, y]| {
        builder.ins().iadd(x, y);
        panic!("half way");
    });
    assert_eq!(reason(half_way), "in the back end, half way");
    compile(&mut compiler, &isa, |builder, [x, _]| {
        builder.ins().return_(&[x]);
    })
    .unwrap();
}

static PANICS: Pass = Pass {
    from: Level::O0,
    duty: Duty::Required,
    reason: "a defect of a pass must not become one of the process",
    after: &[],
    border: Dialect::Front,
    form: ValueForm::Declared,
    ..Pass::optional("panics", Stage::Scalars, |_, _| panic!("in the middle"))
};

#[test]
fn a_panic_of_a_pass_names_the_function_and_the_compiler_goes_on() {
    let (isa, mut compiler) = (isa(TARGETS[0]), Compiler::new());
    let module = module("func @f(i64) -> i64 {\nblock0(%x: i64):\n    return %x\n}\n");
    let (id, options) = (module.function_named("f").unwrap(), &LowerOptions::default());
    let source = Source { module: &module, id, isa: &isa, options, passes: &[&PANICS] };
    let error = compiler.lower(&source, None).unwrap_err();
    let reason = "in a pass, in the middle".into();
    assert_eq!(error, CompileError::Panicked { function: "f".into(), reason });
    compiler.lower_function(&module, id, &isa, options).unwrap();
}

#[test]
fn calls_of_the_back_ends_own_helpers_are_refused() {
    let isa = isa(TARGETS[0]);
    let rounding = compile(&mut Compiler::new(), &isa, |builder, [x, _]| {
        let float = builder.ins().bitcast(types::F64, MemFlagsData::new(), x);
        let floor = builder.ins().floor(float);
        let bits = builder.ins().bitcast(types::I64, MemFlagsData::new(), floor);
        builder.ins().return_(&[bits]);
    });
    assert!(reason(rounding).contains("a relocation"));
}
