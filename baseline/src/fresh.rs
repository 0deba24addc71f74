//! Code that has just been made, in memory that the next function is made in.

use brolga_ir::entity::{EntityRef, FuncId, SigId};
use brolga_ir::module::{Function, Name};
use brolga_lowering::unit::{
    CallSite, CodeRelocation, CompiledUnit, RelocationKind, SignatureHash, SourceFrame, SymbolName,
    UnitSymbol,
};

use crate::function::{Buffers, Finished, Surroundings};
use crate::reference::{Reference, Referent};
use crate::take::take;

/// What was made of a function.
#[derive(Debug)]
pub enum Made<'a> {
    /// Its code, to be copied from where it was made.
    Fresh(Fresh<'a>),
    /// The same of a function whose structs and arrays were taken apart first.
    Unit(Box<CompiledUnit>),
}

impl Made<'_> {
    /// A unit in memory of its own.
    pub fn into_unit(self) -> Box<CompiledUnit> {
        match self {
            Made::Fresh(fresh) => fresh.into_unit(),
            Made::Unit(unit) => unit,
        }
    }
}

/// The code of a function. Whoever places it at once needs no unit of it.
#[derive(Debug)]
pub struct Fresh<'a> {
    pub(crate) surroundings: Surroundings<'a>,
    pub(crate) function: &'a Function,
    pub(crate) buffers: &'a mut Buffers,
    pub(crate) finished: Finished,
}

/// The alignment of all code of this tier.
pub const ALIGN: u32 = 16;

impl Fresh<'_> {
    /// The name of the function.
    pub fn name(&self) -> &Name {
        &self.function.name
    }

    /// The code, which is to stand at a multiple of [`ALIGN`].
    pub fn code(&self) -> &[u8] {
        self.buffers.assembler.code()
    }

    /// Its places to be filled in, by ascending offset.
    pub fn references(&self) -> &[Reference] {
        &self.buffers.references
    }

    /// Its return addresses, by ascending offset.
    pub fn call_sites(&self) -> &[CallSite] {
        &self.buffers.call_sites
    }

    /// Source locations that these name.
    pub fn frames(&self) -> &[SourceFrame] {
        self.buffers.sites.frames.all()
    }

    /// A unit in memory of its own.
    pub fn into_unit(self) -> Box<CompiledUnit> {
        let Fresh { surroundings, function, buffers, finished } = self;
        let (frames, lines) = buffers.sites.take(finished.end);
        let mut references = take(&mut buffers.references);
        let relocations = references.drain(..).map(|Reference { offset, referent, addend }| {
            let symbol = symbol_of(referent, surroundings, &mut buffers.hashes);
            CodeRelocation { offset, kind: RelocationKind::X86Relative32, symbol, addend }
        });
        Box::new(CompiledUnit {
            name: function.name.clone(),
            code: buffers.assembler.code().into(),
            align: ALIGN,
            relocations: relocations.collect(),
            call_sites: take(&mut buffers.call_sites),
            frames,
            lines,
            thunks: take(&mut buffers.thunks),
            frame_size: finished.frame_size,
            guard_return: finished.guard_return,
            ..CompiledUnit::default()
        })
    }
}

fn symbol_of(
    referent: Referent,
    surroundings: Surroundings<'_>,
    hashes: &mut Vec<Option<SignatureHash>>,
) -> UnitSymbol {
    let mut name = |id: FuncId| {
        let function = surroundings.module.function(id);
        let signature = function.map(|it| hash(surroundings.declared(it), surroundings, hashes));
        SymbolName {
            name: function.map_or_else(Name::default, |it| it.name.clone()),
            signature: signature.unwrap_or(SignatureHash(0)),
        }
    };
    match referent {
        Referent::Call(id) => UnitSymbol::Call(name(id)),
        Referent::EntrySlot(id) => UnitSymbol::EntrySlot(name(id)),
        Referent::Stub(id) => UnitSymbol::Stub(name(id)),
        Referent::Symbol(symbol) => symbol,
    }
}

/// The hash of a signature.
fn hash(
    sig: SigId,
    surroundings: Surroundings<'_>,
    hashes: &mut Vec<Option<SignatureHash>>,
) -> SignatureHash {
    let index = sig.index();
    if hashes.len() <= index {
        hashes.resize(index + 1, None);
    }
    let types = &surroundings.module.types;
    *hashes[index].get_or_insert_with(|| SignatureHash::of(types, types.sig(sig)))
}
