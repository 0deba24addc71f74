//! Generated programs run natively as the interpreter runs them: a share of
//! what `cargo xtask soak --what native` runs by the million.

use brolga::Level;
use brolga_testing::compare::{Engine, Native, difference, reference};
use brolga_testing::generate::{Access, Managed, Options, Types, generate};
use brolga_testing::reproducer::reproducer;

const PROGRAMS: u64 = 150;

fn assert_agreement(options: Options) {
    for seed in 0..PROGRAMS {
        let program = generate(seed, &options);
        let (expected, _) = reference(&program).expect("it links");
        let text = || reproducer(&program, &expected);
        let levels = Level::ALL.iter().copied();
        let ways = levels.clone().map(Native::Whole).chain(levels.map(Native::Lazy));
        for mut native in ways.chain([Native::Quick]) {
            let found = match native.observe(&program) {
                Ok(found) => found,
                Err(reason) => panic!("seed {seed}, {native:?}: {reason}\n{}", text()),
            };
            if let Some(found) = difference(&program, &expected, &found) {
                panic!("seed {seed}, {native:?}: {found}\n{}", text());
            }
        }
    }
}

#[test]
fn programs_of_simple_types_agree() {
    let (managed, types) = (Managed::Exclude, Types::Simple);
    assert_agreement(Options { managed, types, ..Options::default() });
}

#[test]
fn programs_that_safe_code_loads_agree() {
    let (managed, access, types) = (Managed::Exclude, Access::Checked, Types::Simple);
    assert_agreement(Options { managed, access, types, ..Options::default() });
}
