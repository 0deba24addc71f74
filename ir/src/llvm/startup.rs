//! What runs before and after the program, by the names of its functions.

use crate::entity::FuncId;
use crate::module::Module;
use crate::types::{Arity, Signature, Type};

/// What runs at one end of the program.
pub(in crate::llvm) struct List {
    /// What its functions are called, before their priority.
    pub(in crate::llvm) name: &'static str,
    /// The variable of the text that lists its functions with their priorities.
    pub(in crate::llvm) variable: &'static str,
    /// The sections whose variables are addresses of its functions, and the priority of
    /// those that say none.
    pub(in crate::llvm) sections: &'static [(&'static str, u32)],
}

pub(in crate::llvm) const CONSTRUCTORS: List = List {
    name: "__constructors",
    variable: "llvm.global_ctors",
    sections: &[(".preinit_array", 0), (".init_array", LAST)],
};

pub(in crate::llvm) const DESTRUCTORS: List = List {
    name: "__destructors",
    variable: "llvm.global_dtors",
    sections: &[(".fini_array", LAST)],
};

/// What the system passes to constructors: as many of what `main` takes as they take.
pub(in crate::llvm) const MAIN_PARAMS: [Type; 3] = [Type::I32, Type::PTR, Type::PTR];

/// Whether a function takes the first parameters of `main` and no others, as what is run
/// at an end of the program does.
pub(in crate::llvm) fn takes_main_params(signature: &Signature) -> bool {
    let known = MAIN_PARAMS.iter().copied().take(signature.params.len());
    signature.param_types().eq(known) && signature.arity == Arity::Fixed
}

/// What a text has to be run before `main`, as functions by their priority, which take
/// none of the parameters of `main` or the first few of them: those of all texts of a
/// program are called from the lowest on, of equal ones in the order of the texts. They are
/// the functions that others see and whose names are `__constructors.`, the priority, and
/// whatever behind another point.
pub fn constructors(module: &Module) -> Vec<(u32, FuncId)> {
    functions_of(module, &CONSTRUCTORS)
}

/// What a text has to be run when the program ends, as [`constructors`], from the highest
/// priority down, of equal ones the last first. Their names begin with `__destructors.`.
pub fn destructors(module: &Module) -> Vec<(u32, FuncId)> {
    functions_of(module, &DESTRUCTORS)
}

fn functions_of(module: &Module, list: &List) -> Vec<(u32, FuncId)> {
    let shared = module.functions().filter(|(_, function)| function.linkage.is_shared());
    let found = shared.filter_map(|(id, function)| Some((list.priority_in(&function.name)?, id)));
    let mut found: Vec<(u32, FuncId)> = found.collect();
    found.sort_by_key(|&(priority, _)| priority);
    found
}

/// The priority where nothing is said: behind all that have one. LLVM takes higher ones for
/// this.
pub(in crate::llvm) const LAST: u32 = 65535;

impl List {
    /// The priority that the name of one of its functions says.
    pub(in crate::llvm) fn priority_in(&self, name: &str) -> Option<u32> {
        let number = name.strip_prefix(self.name)?.strip_prefix('.')?;
        number.split('.').next()?.parse().ok()
    }
}
