//! Calls in any order with any handles: never a panic, and what is finished
//! without an error is a module.

use std::cell::Cell;

use proptest::prelude::*;
use proptest::test_runner::TestRunner;

use super::*;
use crate::attribute::{LoopFlags, Order};
use crate::entity::{AliasClass, DataId, EntityRef, Loc, ScopeSet, SigId, SwitchTable};
use crate::instruction::{Access, ImmediateList, Payload, Target};
use crate::module::{DataItem, Linkage};
use crate::text::parse_module;
use crate::types::{Packing, Signature};
use crate::verify::{Options, verify_module};

mod calls;
mod handles;

use calls::Call;
use handles::Handles;

/// A module with two functions to fill in, and what calls can name.
fn declared() -> (ModuleBuilder, [FuncId; 2]) {
    let mut module = ModuleBuilder::new("m");
    let functions =
        ["f", "g"].map(|name| module.export(name, &[Type::I64, Type::REF], &[Type::I64]));
    module.import("h", &[Type::I64], &[Type::I64, Type::I1]);
    module.foreign("c", &[Type::PTR], &[]);
    module.data("d", vec![DataItem::Zero(8)]);
    (module, functions)
}

/// Makes the calls in the function, and returns from where they end.
fn fill(b: &mut FunctionBuilder<'_>, handles: &mut Handles, calls: &[Call]) {
    calls.iter().for_each(|&call| calls::make(b, handles, call));
    if !b.is_terminated() {
        b.return_values(&[b.param(0)]);
    }
}

/// Makes the calls in a function of another module and in a builder that is
/// given up, both with the number of `@f`, then half of them in `@f` and half
/// in `@g`. Later ones have the handles of all before, if they are to mix.
fn build(calls: &[Call], mix: Mix) -> Result<Module, BuildErrors> {
    let mut before = Handles::default();
    let (mut other, [f, _]) = declared();
    let (mut module, functions) = declared();
    if mix == Mix::All {
        for module in [&mut other, &mut module] {
            let mut b = module.define(f);
            let mut handles = Handles::of(&mut b);
            fill(&mut b, &mut handles, calls);
            before.extend(&handles);
        }
    }
    let mut failed = None;
    let (first, second) = calls.split_at(calls.len() / 2);
    for (function, calls) in functions.into_iter().zip([first, second]) {
        let mut b = module.define(function);
        let mut handles = Handles::of(&mut b);
        handles.extend(&before);
        fill(&mut b, &mut handles, calls);
        if mix == Mix::All {
            before = handles;
        }
        failed = failed.or(b.finish().err());
    }
    let finished = module.finish();
    failed.map_or(finished, Err)
}

/// Whether functions see each other's handles: then hardly anything is right.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mix {
    None,
    All,
}

#[test]
fn any_calls_give_a_module_or_errors() {
    for (mix, longest, least) in [(Mix::None, 6, 500), (Mix::None, 40, 1), (Mix::All, 40, 0)] {
        let mut runner = TestRunner::new(ProptestConfig::with_cases(15_000));
        let calls = prop::collection::vec((any::<u8>(), any::<[u8; 4]>()), 0..longest);
        let accepted = Cell::new(0);
        let result = runner.run(&calls, |calls| {
            match build(&calls, mix) {
                Ok(module) => {
                    accepted.set(accepted.get() + 1);
                    prop_assert_eq!(verify_module(&module, &Options::default()), Ok(()));
                    let text = module.to_string();
                    let read = parse_module(&text).map(|module| module.to_string());
                    prop_assert_eq!(read, Ok(text));
                }
                Err(errors) => {
                    prop_assert!(!errors.errors.is_empty());
                    for error in errors.errors {
                        // What is declared is named; all else is shown as well, in its block.
                        let is_shown = error.fault == Fault::Declaration
                            || !error.text.is_empty() && error.text.starts_with(&*error.block);
                        prop_assert!(is_shown && !error.message.is_empty(), "{}", error);
                    }
                }
            }
            Ok(())
        });
        assert_eq!(result, Ok(()));
        assert!(accepted.get() >= least, "{mix:?}: {} of 15,000 are modules", accepted.get());
    }
}

#[test]
fn handles_of_a_builder_given_up_are_errors() {
    let mut module = ModuleBuilder::new("m");
    let f = module.export("f", &[], &[]);
    let mut b = module.define(f);
    let variable = b.declare_variable("v", Type::I64);
    let block = b.create_block("");
    let value = b.append_param(block, Type::I64);
    let (slot, exit) = (b.create_slot(8), b.create_exit(ExitKind::Side(0), &[]));
    drop(b);
    let mut b = module.define(f);
    b.set(variable, value);
    let read = b.get(variable);
    b.jump(block, &[read]);
    b.switch_to(block);
    b.slot_addr(slot);
    let yes = b.iconst(Type::I1, 1);
    b.check(yes, exit, &[]);
    b.return_values(&[]);
    let errors = b.finish().unwrap_err();
    assert!(errors.errors.iter().all(|error| error.fault == Fault::ForeignHandle), "{errors}");
    assert_eq!(errors.errors.len(), 7, "{errors}");
}
