//! What our writer makes of modules is read by our reader with the same meaning.

use std::collections::BTreeSet;

use brolga_ir::module::Module;
use brolga_ir::op::Op;
use brolga_testing::corpus::{Runs, texts};
use brolga_testing::generate::needs_runtime;
use brolga_testing::llvm::{Agreement, Reset, Written};

/// Ops of handlers: the reader gives an `invoke` no edge to its landing pad.
const CATCHING: &[Op] =
    &[Op::Enter, Op::Leave, Op::TryCall, Op::TryCallIndirect, Op::TryCallPtr, Op::CurrentException];

fn catches(module: &Module) -> bool {
    let bodies = module.functions().filter_map(|(_, function)| function.body.as_deref());
    bodies.flat_map(|body| body.layout.blocks().map(move |block| (body, block))).any(
        |(body, block)| body.layout.insts(block).any(|it| CATCHING.contains(&body.inst(it).op)),
    )
}

#[test]
fn what_is_written_as_llvm_ir_is_read_with_the_same_meaning() {
    let (mut reached, mut failures, mut agreed) = (BTreeSet::new(), Vec::new(), 0);
    for (name, text) in texts() {
        let runs = Runs::of(&name, &text).unwrap_or_else(|reason| panic!("{name}: {reason}"));
        let is_wanted = |runs: &Runs| !runs.calls.is_empty() && !catches(&runs.module);
        let Some(runs) = runs.filter(is_wanted) else { continue };
        let Ok(written) = Written::new(&runs.module, &runs.calls, Reset::EachCall) else {
            continue;
        };
        match written.disagreements_when_read(&runs.expected, Agreement::AnyNan) {
            Ok(found) if found.is_empty() => {
                agreed += runs.calls.len();
                let executed = runs.counts.iter().filter(|(_, count)| *count > 0);
                reached.extend(executed.map(|(op, _)| op.mnemonic()));
            }
            Ok(found) => failures.extend(found.into_iter().map(|it| format!("{name}: {}", it.1))),
            Err(reason) => failures.push(format!("{name}: {reason}")),
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(agreed > 2000, "only {agreed} calls");
    let wanted = Op::ALL.iter().filter(|op| !needs_runtime(**op) && !CATCHING.contains(op));
    let missing: Vec<&str> =
        wanted.map(|op| op.mnemonic()).filter(|name| !reached.contains(name)).collect();
    assert!(missing.is_empty(), "written and read by no text: {missing:?}");
}
