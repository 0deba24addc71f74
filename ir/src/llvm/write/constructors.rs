//! What LLVM runs before and after the program.

use std::fmt::Write as _;

use hashbrown::HashSet;

use super::name::symbol;
use super::{Shared, WriteError};
use crate::entity::FuncId;
use crate::llvm::startup::{self, CONSTRUCTORS, DESTRUCTORS, LAST, takes_main_params};
use crate::module::Module;

/// The functions that LLVM is told to run, by their priority.
pub(super) struct Lists {
    constructors: Vec<(u32, FuncId)>,
    destructors: Vec<(u32, FuncId)>,
    all: HashSet<FuncId>,
}

impl Lists {
    /// Those of a module.
    ///
    /// # Errors
    /// A function that LLVM cannot run so.
    pub(super) fn new(module: &Module) -> Result<Lists, WriteError> {
        let (constructors, mut destructors) =
            (startup::constructors(module), startup::destructors(module));
        // Of one priority the last is the first to run.
        destructors.reverse();
        for &(priority, id) in constructors.iter().chain(&destructors) {
            check(module, priority, id)?;
        }
        let all = constructors.iter().chain(&destructors).map(|&(_, id)| id).collect();
        Ok(Lists { constructors, destructors, all })
    }

    /// Whether a function is in a list: each file has its own of that name.
    pub(super) fn contains(&self, id: FuncId) -> bool {
        self.all.contains(&id)
    }

    /// Writes the lists.
    pub(super) fn write(&self, text: &mut String, shared: &Shared<'_>) {
        push_list(text, shared, CONSTRUCTORS.variable, &self.constructors);
        push_list(text, shared, DESTRUCTORS.variable, &self.destructors);
    }
}

/// A function is run without results, with what `main` takes or the first of it.
fn check(module: &Module, priority: u32, id: FuncId) -> Result<(), WriteError> {
    let signature = module.signature_of(id);
    match takes_main_params(signature) && signature.results.is_empty() && priority <= LAST {
        true => Ok(()),
        false => {
            let name = module.function(id).map_or("", |function| &function.name);
            Err(WriteError::Constructor { name: name.into() })
        }
    }
}

/// Writes a list, whose functions of one priority LLVM runs in whatever order.
fn push_list(text: &mut String, shared: &Shared<'_>, list: &str, functions: &[(u32, FuncId)]) {
    let mut entries = Vec::new();
    for group in functions.chunk_by(|(one, _), (other, _)| one == other) {
        let name = |id: FuncId| {
            let function = shared.module.function(id);
            symbol(function.map_or("", |function| &function.name))
        };
        let (priority, first) = group[0];
        let entry = match group {
            [_] => name(first),
            _ => push_caller(text, shared, group, &name),
        };
        entries.push(format!("{{ i32, ptr, ptr }} {{ i32 {priority}, ptr {entry}, ptr null }}"));
    }
    if !entries.is_empty() {
        let (count, entries) = (entries.len(), entries.join(", "));
        let _ = writeln!(
            text,
            "\n@{list} = appending global [{count} x {{ i32, ptr, ptr }}] [{entries}]"
        );
    }
}

/// Writes a function that calls those of one priority one after the other, and gives its name.
fn push_caller(
    text: &mut String,
    shared: &Shared<'_>,
    group: &[(u32, FuncId)],
    name: &dyn Fn(FuncId) -> String,
) -> String {
    let module = shared.module;
    let params = |id: FuncId| module.signature_of(id).params.len();
    let args = |count: usize| ["i32 %count", "ptr %words", "ptr %environment"][..count].join(", ");
    let count = group.iter().map(|&(_, id)| params(id)).max().unwrap_or(0);
    let mut own = format!("{}.all", module.function(group[0].1).map_or("", |it| &it.name));
    while module.symbol(&own).is_some() {
        own.push_str(".of");
    }
    let own = symbol(&own);
    let _ = writeln!(text, "\ndefine internal void {own}({}) {{", args(count));
    for &(_, id) in group {
        let _ = writeln!(text, "  call void {}({})", name(id), args(params(id)));
    }
    text.push_str("  ret void\n}\n");
    own
}
