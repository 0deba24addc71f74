//! Compiled units: the one border between compiling code and placing it.
//!
//! The linker in memory and the object writer read the same unit. It holds no
//! absolute address and no entity of a module: names and offsets only.

mod frames;

use std::fmt::{self, Write};

use brolga_ir::datum::Datum;
use brolga_ir::module::Name;
use brolga_ir::trap::TrapCode;
use brolga_ir::types::{Convention, Signature, Type, TypePool};

use crate::runtime::RuntimeEntry;

pub use frames::SourceFrames;

/// Where in the word of [`UnitSymbol::Budget`], whose lower half is the budget, calls are counted.
pub const CALLS_OFFSET: i64 = 4;

/// What a unit refers to.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum UnitSymbol {
    /// The internal entry of a function: always a call, near, of its code or of the way there that
    /// its stub is.
    Call(SymbolName),
    /// The 8-byte slot of a function that calls of it read: where it is entered by then.
    EntrySlot(SymbolName),
    /// The address of a function's stub: what a reference to it holds.
    Stub(SymbolName),
    /// A data object of this module: near.
    Data(Name),
    /// The 8-byte slot that holds the address of a symbol that may be far:
    /// data of another module or of the process, a foreign function, or the
    /// closure behind a function of the host.
    AddressSlot(Name),
    /// The 8-byte slot that holds where in the thread's table of thread-local
    /// data an object has its entry, in bytes.
    ThreadLocalOffset(Name),
    /// The thunk by which compiled code calls a foreign function, by the
    /// function's name and the signature of the call.
    ForeignThunk(Name, SignatureText),
    /// The thunk by which compiled code calls a function of the platform's
    /// convention at the address that [`RecordField::Callee`](crate::runtime::RecordField::Callee)
    /// has, by the signature of the call.
    PointerThunk(SignatureText),
    /// The 8-byte slot that leads the runtime to the engine, on a thread that has
    /// never entered it.
    EngineSlot,
    /// The 8-byte slot of this unit alone of which it counts the lower half down as it runs. The
    /// first tier counts its calls up in the other half.
    Budget,
    /// An entry of the runtime.
    Runtime(RuntimeEntry),
    /// A function of the prelude, linked into every program that needs it.
    Prelude(Name),
}

impl fmt::Display for UnitSymbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UnitSymbol::Call(function) => write!(f, "call @{}", function.name),
            UnitSymbol::EntrySlot(function) => write!(f, "entry slot @{}", function.name),
            UnitSymbol::Stub(function) => write!(f, "stub @{}", function.name),
            UnitSymbol::Data(name) => write!(f, "data @{name}"),
            UnitSymbol::AddressSlot(name) => write!(f, "address slot @{name}"),
            UnitSymbol::ThreadLocalOffset(name) => write!(f, "thread-local offset @{name}"),
            UnitSymbol::ForeignThunk(name, call) => write!(f, "foreign thunk @{name} {call}"),
            UnitSymbol::PointerThunk(call) => write!(f, "pointer thunk {call}"),
            UnitSymbol::EngineSlot => f.write_str("engine slot"),
            UnitSymbol::Budget => f.write_str("budget"),
            UnitSymbol::Runtime(entry) => write!(f, "runtime {entry}"),
            UnitSymbol::Prelude(name) => write!(f, "prelude @{name}"),
        }
    }
}

/// The name of a function together with what its callers believe of it.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct SymbolName {
    /// The name in the module.
    pub name: Name,
    /// The hash of its signature, equal in every process.
    pub signature: SignatureHash,
}

/// A hash of a signature that depends on its text alone. Different signatures
/// can have equal hashes: whoever links must compare the signatures too.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct SignatureHash(pub u64);

impl SignatureHash {
    /// The hash of a signature whose types are of `types`.
    pub fn of(types: &TypePool, signature: &Signature) -> SignatureHash {
        let mut hash = Fnv1a(0xcbf2_9ce4_8422_2325);
        // Writing to a hash does not fail.
        let _ = hash.write_str(match signature.convention {
            Convention::Internal => "fn",
            Convention::Platform => "cfn",
        });
        let _ = types.write_signature(&mut hash, signature);
        SignatureHash(hash.0)
    }
}

/// FNV-1a of 64 bits, over text.
struct Fnv1a(u64);

impl Write for Fnv1a {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for byte in text.bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
        Ok(())
    }
}

/// A thunk that code calls, with what is needed to make it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ThunkRequest {
    /// The name by which relocations refer to it: a [`UnitSymbol::ForeignThunk`]
    /// or a [`UnitSymbol::PointerThunk`].
    pub symbol: UnitSymbol,
    /// The signature of the call, of the platform's convention. Its types are
    /// scalars and vectors, so that it belongs to no module; a variadic one
    /// has a parameter for each argument of the call.
    pub signature: Signature,
}

impl ThunkRequest {
    /// A request of what calls the foreign function of that name, by a signature that belongs to
    /// no module.
    pub fn foreign(name: Name, signature: Signature) -> ThunkRequest {
        let symbol = UnitSymbol::ForeignThunk(name, SignatureText::of(&signature));
        ThunkRequest { symbol, signature }
    }

    /// A request of what calls an address, by a signature that belongs to no module.
    pub fn pointer(signature: Signature) -> ThunkRequest {
        let symbol = UnitSymbol::PointerThunk(SignatureText::of(&signature));
        ThunkRequest { symbol, signature }
    }
}

/// The whole text of the signature of a [`ThunkRequest`]. Thunks are shared by whoever calls in
/// the same way, and nobody compares what they call by: a hash could be that of another signature.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct SignatureText(Name);

impl SignatureText {
    fn of(signature: &Signature) -> SignatureText {
        let mut text = String::new();
        // Writing to a string does not fail.
        let _ = TypePool::default().write_signature(&mut text, signature);
        SignatureText(text.into())
    }
}

impl fmt::Display for SignatureText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// How a place in code is filled in. All are relative to the place, so that
/// a unit can stand anywhere within reach of what it refers to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum RelocationKind {
    /// x86-64: 32 bits, target plus addend minus place.
    X86Relative32,
    /// aarch64: 26 bits of `bl` and `b`, in words; reaches 128 MiB.
    Arm64Call26,
    /// aarch64: 21 bits of `adrp`, in pages of 4 KiB; reaches 4 GiB.
    Arm64Page21,
    /// aarch64: the low 12 bits, of `add`.
    Arm64Low12,
}

/// A place in code to be filled in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CodeRelocation {
    /// Where, in bytes from the start of the code.
    pub offset: u32,
    /// How.
    pub kind: RelocationKind,
    /// With what.
    pub symbol: UnitSymbol,
    /// Plus that many bytes.
    pub addend: i64,
}

/// What a return address of the unit says of the frame that will be returned to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CallSite {
    /// The return address, in bytes from the start of the code.
    pub return_offset: u32,
    /// Where to go on when the callee throws.
    pub handler: Option<Handler>,
    /// The source location, by its index in [`CompiledUnit::frames`].
    pub frame: Option<u32>,
    /// Why execution stops here, if the call is one of [`RuntimeEntry::Raise`].
    pub exit: Option<ExitSite>,
    /// What the frame waits for there.
    pub awaited: Awaited,
}

impl CallSite {
    /// Whether the frame there is only passed by.
    pub fn awaits_continuation(&self) -> bool {
        self.awaited == Awaited::Continuation
    }
}

/// What a frame waits for at a call site.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Awaited {
    /// What the function has called: it is shown in call chains.
    Callee,
    /// What the activation goes on in. It stands for the function from then on, as long as it is
    /// there itself: a tail call may have taken its place. The frame is only passed by.
    Continuation,
}

/// A landing place of an exception.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Handler {
    /// Its code, in bytes from the start of the unit.
    pub offset: u32,
    /// The stack pointer there is the frame pointer less this.
    pub frame_offset: u32,
}

/// A place that stops execution.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExitSite {
    /// The trap code.
    pub code: TrapCode,
    /// The number of the side exit, if it is one.
    pub side: Option<u32>,
    /// The values that it takes along, of which the leaves are stored one
    /// behind another at multiples of
    /// [`VALUE_STRIDE`](crate::runtime::VALUE_STRIDE), as their types say.
    pub values: Vec<ValueShape>,
}

/// What a value is made of, without the module that its type is of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ValueShape {
    /// A scalar or a vector; a function reference as a `ptr`.
    Leaf(Type),
    /// An aggregate of those fields.
    Fields(Vec<ValueShape>),
}

impl ValueShape {
    /// The shape of values of `ty`.
    pub fn of(types: &TypePool, ty: Type) -> ValueShape {
        if ty.is_aggregate() {
            let fields = (0..types.field_count(ty)).filter_map(|index| types.field(ty, index));
            return ValueShape::Fields(fields.map(|ty| ValueShape::of(types, ty)).collect());
        }
        ValueShape::Leaf(if ty.signature().is_some() { Type::PTR } else { ty })
    }

    /// Adds the types of the leaves, in order, to `leaves`.
    pub fn append_leaves(&self, leaves: &mut Vec<Type>) {
        match self {
            ValueShape::Leaf(ty) => leaves.push(*ty),
            ValueShape::Fields(fields) => {
                fields.iter().for_each(|field| field.append_leaves(leaves));
            }
        }
    }

    /// The value whose leaves come next; zero for those that are missing.
    pub fn join(&self, leaves: &mut impl Iterator<Item = Datum>) -> Datum {
        match self {
            ValueShape::Leaf(_) => leaves.next().unwrap_or(Datum::Scalar(0)),
            ValueShape::Fields(fields) => {
                Datum::Fields(fields.iter().map(|field| field.join(leaves)).collect())
            }
        }
    }
}

/// A source location with the call that it was inlined at.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourceFrame {
    /// The function that the code was written in; none for the unit's own.
    pub function: Option<Box<str>>,
    /// The file; none for the text of the module.
    pub file: Option<Box<str>>,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1; 0 if unknown.
    pub column: u32,
    /// The call that it was inlined at, by its index in [`CompiledUnit::frames`].
    pub inlined_at: Option<u32>,
}

/// From this offset on, code belongs to that source location.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LineEntry {
    /// In bytes from the start of the code.
    pub offset: u32,
    /// By its index in [`CompiledUnit::frames`]; none for code without one.
    pub frame: Option<u32>,
}

/// Where a safepoint keeps references.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RootMap {
    /// The return address of the call that is the safepoint.
    pub return_offset: u32,
    /// Where references stand, in bytes above the stack pointer at the call.
    pub slots: Vec<u32>,
}

/// One compiled function or thunk.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CompiledUnit {
    /// The function's name, or that of the thunk.
    pub name: Name,
    /// Code and the constants that it reads, from the entry on.
    pub code: Vec<u8>,
    /// The alignment of the code, a power of two.
    pub align: u32,
    /// Places to be filled in, by ascending offset.
    pub relocations: Vec<CodeRelocation>,
    /// Return addresses, by ascending offset.
    pub call_sites: Vec<CallSite>,
    /// The functions whose code it has taken over, in the order of their module:
    /// when one is defined anew, it is out of date.
    pub inlined: Vec<Name>,
    /// Source locations that `call_sites` and `lines` name.
    pub frames: Vec<SourceFrame>,
    /// Source locations of the code, by ascending offset.
    pub lines: Vec<LineEntry>,
    /// Safepoints, by ascending offset.
    pub root_maps: Vec<RootMap>,
    /// Thunks that the code calls, each once, in the order of first use.
    pub thunks: Vec<ThunkRequest>,
    /// Bytes of stack that a call of it takes, its return address included.
    pub frame_size: u32,
    /// Bytes from the frame pointer down to where the frame keeps what
    /// [`RecordField::SideStack`](crate::runtime::RecordField::SideStack) was at
    /// the entry: whoever leaves the frame puts it back.
    pub side_mark: Option<u32>,
    /// The return address, in bytes from the start of the code, of the call by
    /// which the guard stops: the unit has no frame of its own there.
    pub guard_return: Option<u32>,
}

impl CompiledUnit {
    /// Gives back the memory that it does not need: all units of a module are kept until the
    /// last is made.
    pub(crate) fn shrink_to_fit(&mut self) {
        self.code.shrink_to_fit();
        self.relocations.shrink_to_fit();
        self.call_sites.shrink_to_fit();
        self.frames.shrink_to_fit();
        self.lines.shrink_to_fit();
    }

    /// The call site that returns to `offset`.
    pub fn call_site(&self, offset: u32) -> Option<&CallSite> {
        let index = self.call_sites.binary_search_by_key(&offset, |site| site.return_offset);
        index.ok().map(|index| &self.call_sites[index])
    }

    /// The chain of locations of a frame, innermost first.
    pub fn frame_chain(&self, frame: Option<u32>) -> impl Iterator<Item = &SourceFrame> {
        std::iter::successors(frame, |&index| {
            // An inlined-at leads to an earlier entry: no chain is a cycle.
            self.frames.get(index as usize)?.inlined_at.filter(|&next| next < index)
        })
        .filter_map(|index| self.frames.get(index as usize))
    }

    /// Bytes of metadata that the unit keeps beside its code, for the books.
    pub fn metadata_bytes(&self) -> usize {
        self.call_sites.len() * size_of::<CallSite>()
            + self.frames.len() * size_of::<SourceFrame>()
            + self.lines.len() * size_of::<LineEntry>()
            + self.root_maps.iter().map(|map| 32 + map.slots.len() * 4).sum::<usize>()
    }
}
