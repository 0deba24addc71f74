//! Which register allocator a function gets.

use cranelift_codegen::ir::{InstBuilder, types};
use cranelift_frontend::FunctionBuilder;

use super::*;
use crate::target::{IsaOptions, TargetSpec};

/// The allocator for as many blocks, each of which jumps to the next, with
/// as many instructions together.
fn chosen(instructions: usize, blocks: usize) -> Result<BackEnd, CompileError> {
    let spec = TargetSpec::parse("x86_64-unknown-linux-gnu/x86-64").unwrap();
    let isa = Isa::new(spec, IsaOptions::default()).unwrap();
    let (mut context, mut memory) = (Context::new(), FunctionBuilderContext::new());
    let mut builder = FunctionBuilder::new(&mut context.func, &mut memory);
    let chain: Vec<_> = (0..blocks).map(|_| builder.create_block()).collect();
    builder.switch_to_block(chain[0]);
    for _ in 0..instructions - blocks {
        builder.ins().iconst(types::I64, 1);
    }
    for next in &chain[1..] {
        builder.ins().jump(*next, &[]);
        builder.switch_to_block(*next);
    }
    builder.ins().return_(&[]);
    builder.seal_all_blocks();
    builder.finalize(isa.frontend_config());
    assert_eq!(context.func.dfg.num_insts(), instructions);
    assert_eq!(context.func.dfg.num_blocks(), blocks);
    let (max_instructions, stack_guard) = (2 * MAX_BACKTRACKING_INSTRUCTIONS, StackGuard::Omit);
    let back_end = BackEnd::Plain;
    let job = Job { name: "f", isa: &isa, max_instructions, stack_guard, back_end };
    back_end_for(&job, &Needs::default(), &context)
}

#[test]
fn the_register_allocator_is_the_good_one_up_to_a_size_and_the_fast_one_from_there() {
    let (instructions, blocks) = (MAX_BACKTRACKING_INSTRUCTIONS, MAX_BACKTRACKING_BLOCKS);
    assert_eq!(chosen(1, 1), Ok(BackEnd::Plain));
    assert_eq!(chosen(instructions, 1), Ok(BackEnd::Plain));
    assert_eq!(chosen(instructions + 1, 1), Ok(BackEnd::Quick));
    assert_eq!(chosen(blocks, blocks), Ok(BackEnd::Plain));
    assert_eq!(chosen(blocks + 1, blocks + 1), Ok(BackEnd::Quick));
    assert_eq!(chosen(instructions, blocks), Ok(BackEnd::Plain));
}

#[test]
fn what_is_too_large_for_either_allocator_is_an_error_with_the_limit() {
    let limit = 2 * MAX_BACKTRACKING_INSTRUCTIONS;
    assert_eq!(chosen(limit, 1), Ok(BackEnd::Quick));
    let expected = CompileError::TooLarge { function: "f".into(), count: limit + 1, limit };
    assert_eq!(chosen(limit + 1, 1), Err(expected));
}
