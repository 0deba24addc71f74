//! Programs that hand out functions are reduced, too.

use brolga_ir::text::print_module;
use brolga_ir::trap::TrapCode;
use brolga_testing::compare::{Answer, reference};
use brolga_testing::generate::{Generated, Managed, Options, Split, generate};
use brolga_testing::reduce::reduce;

/// Whether a comparison that sorts stops a call.
fn stops_sorting(program: &Generated) -> bool {
    let is_stop = |answer: &Answer| matches!(answer, Answer::Trapped { code: TrapCode::User(77 | 78), frames, .. } if frames.len() > 1);
    reference(program).is_ok_and(|(observation, _)| observation.answers.iter().any(is_stop))
}

#[test]
fn a_program_that_c_calls_back_is_reduced_to_the_callback_and_its_caller() {
    let options = Options { managed: Managed::Exclude, ..Options::default() };
    let program = (0..10_000).map(|seed| generate(seed, &options)).find(stops_sorting);
    let program = program.expect("a comparison stops some program");
    let small = reduce(&program, usize::MAX, &mut stops_sorting);
    assert!(stops_sorting(&small));
    assert_eq!(small.split, Split::WHOLE);
    let text = print_module(&small.module);
    assert!(text.lines().count() < 60, "{text}");
}
