//! Code of thunks, kept for all compilers of the process.
//!
//! Programs call others and are called with the same few signatures, and to compile a thunk takes
//! as long as a small function does. Nothing in its code is of one program but the symbol by which
//! it finds whom it is for.

use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};

use rustc_hash::FxHashMap;

use super::Thunk;
use crate::target::{IsaOptions, TargetSpec};
use crate::unit::{CompiledUnit, UnitSymbol};

/// The most thunks whose code is kept: a program that has more signatures compiles the others.
const MOST_KEPT: usize = 1024;

/// What the code of a thunk depends on: what it does by which signature, and the target.
type Key = (Box<str>, TargetSpec, IsaOptions);

/// A thunk as it was first made, and for whom.
#[derive(Debug)]
struct Kept {
    unit: CompiledUnit,
    callee: Option<UnitSymbol>,
}

type Table = FxHashMap<Key, Arc<Kept>>;

static KEPT: LazyLock<Mutex<Table>> = LazyLock::new(Mutex::default);

fn table() -> MutexGuard<'static, Table> {
    // What panics while it holds the lock has put a whole thunk into the table, or none.
    KEPT.lock().unwrap_or_else(PoisonError::into_inner)
}

fn key(thunk: &Thunk<'_>) -> Key {
    (thunk.code.as_str().into(), *thunk.isa.spec(), thunk.isa.options())
}

/// The unit of a thunk whose code has been made before, be it for another callee.
pub(super) fn find(thunk: &Thunk<'_>) -> Option<CompiledUnit> {
    let known = Arc::clone(table().get(&key(thunk))?);
    Some(unit_for(thunk, &known))
}

/// Keeps the code of a thunk for others like it.
pub(super) fn keep(thunk: &Thunk<'_>, unit: &CompiledUnit) {
    keep_in(&mut table(), thunk, unit);
}

fn unit_for(thunk: &Thunk<'_>, known: &Kept) -> CompiledUnit {
    let mut unit = known.unit.clone();
    unit.name = thunk.name.as_str().into();
    if let (Some(first), Some(callee)) = (&known.callee, &thunk.callee) {
        let of_first = unit.relocations.iter_mut().filter(|it| it.symbol == *first);
        of_first.for_each(|relocation| relocation.symbol = callee.clone());
    }
    unit
}

fn keep_in(table: &mut Table, thunk: &Thunk<'_>, unit: &CompiledUnit) {
    if table.len() < MOST_KEPT {
        let kept = Kept { unit: unit.clone(), callee: thunk.callee.clone() };
        table.insert(key(thunk), Arc::new(kept));
    }
}

#[cfg(test)]
mod tests {
    use brolga_ir::types::{Signature, Type, TypePool};

    use super::*;
    use crate::emit::Compiler;
    use crate::target::Isa;

    fn thunk<'a>(does: &str, name: &str, types: &'a TypePool, isa: &'a Isa) -> Thunk<'a> {
        let callee = Some((name, UnitSymbol::AddressSlot(name.into())));
        Thunk::new(does, callee, types, &Signature::internal(&[], &[]), isa)
    }

    #[test]
    fn a_thunk_that_was_made_for_another_callee_is_as_if_it_were_made_anew() {
        let isa = Isa::host(IsaOptions::default()).unwrap();
        let signature = Signature::internal(&[Type::F32, Type::I64], &[Type::I64]);
        let make = |name: &str| Compiler::new().foreign_thunk(name, &signature, &isa).unwrap();
        let (one, other) = (make("one"), make("other"));
        assert_ne!(one, other);
        let mut table = Table::default();
        let types = TypePool::default();
        let thunk = |name: &str| thunk("foreign", name, &types, &isa);
        keep_in(&mut table, &thunk("one"), &one);
        let known = &table[&key(&thunk("other"))];
        assert_eq!(unit_for(&thunk("other"), known), other);
        assert_eq!(unit_for(&thunk("one"), known), one);
    }

    #[test]
    fn so_many_are_kept_and_no_more() {
        let isa = Isa::host(IsaOptions::default()).unwrap();
        let signature = Signature::internal(&[], &[]);
        let unit = Compiler::new().foreign_thunk("f", &signature, &isa).unwrap();
        let (mut table, types) = (Table::default(), TypePool::default());
        for index in 0..MOST_KEPT + 10 {
            keep_in(&mut table, &thunk(&index.to_string(), "f", &types, &isa), &unit);
        }
        assert_eq!(table.len(), MOST_KEPT);
    }
}
