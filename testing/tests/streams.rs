//! Functions of generated modules that are handed out one by one are what the module gives that
//! has one pass after another run on all of them.

use std::collections::BTreeMap;

use brolga_ir::entity::FuncId;
use brolga_ir::module::{Inlining, Module};
use brolga_ir::text::print_module;
use brolga_lowering::pipeline::{
    Legal, Level, Pass, Prepared, Report, RunOptions, Stream, passes_at,
};
use brolga_lowering::target::TargetSpec;
use brolga_testing::generate::{Managed, Options, generate_many};

fn streamed(
    module: &Module,
    passes: &[&'static Pass],
    options: &RunOptions<'_>,
) -> Option<BTreeMap<FuncId, Legal>> {
    let report = &mut Report::default();
    let mut stream = Stream::new(module, passes)?;
    let mut all = BTreeMap::new();
    loop {
        while stream.upcoming().is_some() {
            stream.advance(options, report).unwrap();
        }
        let Some((id, unfinished)) = stream.take() else { return Some(all) };
        all.insert(id, unfinished.unwrap().finish(options, report).unwrap());
    }
}

/// A second row would have something to do where a function is always to be taken over.
fn leave_inlining_open(module: &mut Module) {
    let ids: Vec<FuncId> = module.functions().map(|(id, _)| id).collect();
    for id in ids {
        if let Some(function) = module.function_mut(id) {
            function.attributes.inlining = Inlining::Auto;
        }
    }
}

/// How many functions of a generated module have been compared.
fn compare(seed: u64, level: Level, target: &TargetSpec) -> usize {
    let options = Options { managed: Managed::Exclude, ..Options::default() };
    let mut module = generate_many(seed, 12, &options).module;
    leave_inlining_open(&mut module);
    let (passes, options) = (passes_at(level), RunOptions::new(target));
    let Some(streamed) = streamed(&module, &passes, &options) else { return 0 };
    let report = &mut Report::default();
    let mut prepared = Prepared::new(module.clone(), &passes, &options, report).unwrap();
    let needed = prepared.needed();
    for (id, function) in module.functions().filter(|(_, function)| function.body.is_some()) {
        let place = format!("seed {seed}, @{}", function.name);
        assert_eq!(streamed.contains_key(&id), needed.contains(id), "{place}");
        let Some(one) = streamed.get(&id) else { continue };
        let whole = prepared.legal(id, &options, report).unwrap();
        assert_eq!(print_module(&one.module), print_module(&whole.module), "{place}");
        assert_eq!(one.inlined, whole.inlined, "{place}");
    }
    streamed.len()
}

#[test]
fn functions_that_are_handed_out_one_by_one_are_what_the_whole_module_gives() {
    let target = TargetSpec::parse("x86_64-unknown-linux-gnu/x86-64-v3").unwrap();
    let levels = [Level::O1, Level::O2, Level::O3];
    let compared = (0..30).map(|seed| compare(seed, levels[seed as usize % 3], &target));
    let count: usize = compared.sum();
    assert!(count > 100, "{count} functions were compared");
}
