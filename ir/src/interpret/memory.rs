//! What the interpreter's addresses lead to.

mod checked;
mod host;
mod region;

use std::fmt;

use crate::body::Initial;
use crate::module::Content;
use crate::trap::TrapCode;
use crate::types::Layout;

pub use checked::Checked;
pub use host::Host;
pub use region::{BASE, REGION_SIZE};

/// What an object in memory is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ObjectKind {
    /// A data object of a module.
    Data,
    /// A function; it has an address and no bytes.
    Function,
    /// A slot of an activation.
    Slot,
    /// What `malloc` gave.
    Heap,
    /// A managed object, its header word included.
    Managed,
}

impl ObjectKind {
    /// Every kind.
    pub const ALL: [ObjectKind; 5] = [
        ObjectKind::Data,
        ObjectKind::Function,
        ObjectKind::Slot,
        ObjectKind::Heap,
        ObjectKind::Managed,
    ];

    const fn describe(self) -> &'static str {
        match self {
            ObjectKind::Data => "data object",
            ObjectKind::Function => "function",
            ObjectKind::Slot => "slot",
            ObjectKind::Heap => "heap object",
            ObjectKind::Managed => "managed object",
        }
    }
}

/// An object to be made.
#[derive(Clone, Copy, Debug)]
pub struct NewObject<'a> {
    /// What it is.
    pub kind: ObjectKind,
    /// The name of the data object or function; empty for others.
    pub name: &'a str,
    /// Its bytes.
    pub layout: Layout,
    /// Whether it may be stored to once it is filled.
    pub content: Content,
    /// What it holds at first.
    pub initial: Initial,
    /// A number of the maker's, by which it knows the object again.
    pub tag: u64,
}

impl NewObject<'_> {
    /// An object without a name, zeroed and mutable.
    pub fn zeroed(kind: ObjectKind, layout: Layout, tag: u64) -> NewObject<'static> {
        let (content, initial) = (Content::Mutable, Initial::Zeroed);
        NewObject { kind, name: "", layout, content, initial, tag }
    }
}

/// An object that exists, or that has existed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ObjectInfo {
    /// What it is.
    pub kind: ObjectKind,
    /// Where it starts.
    pub address: u64,
    /// How many bytes it has.
    pub size: u64,
    /// The number that its maker gave it.
    pub tag: u64,
}

/// What an access wants.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AccessKind {
    /// To read.
    Read,
    /// To write.
    Write,
    /// To end the object's life.
    Free,
}

/// What is wrong with an access.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Fault {
    /// No object is there.
    NoObject,
    /// It is not wholly inside of the object.
    OutOfBounds,
    /// The object's life is over.
    Freed,
    /// The object is constant.
    Constant,
    /// A function has no bytes.
    Code,
    /// A byte was never stored, though the slot promises that.
    Uninitialised,
    /// What is to be freed is not the start of an object that can be.
    NotAllocated,
    /// The memory limit is reached.
    OutOfMemory,
}

/// An access that cannot be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MemoryError {
    /// What is wrong.
    pub fault: Fault,
    /// What it wanted.
    pub access: AccessKind,
    /// At which address.
    pub address: u64,
    /// How many bytes.
    pub size: u64,
    /// The object there, or the nearest one below.
    pub object: Option<ObjectInfo>,
}

impl MemoryError {
    /// The code of the trap that it becomes.
    pub fn code(&self) -> TrapCode {
        match self.fault {
            Fault::OutOfMemory => TrapCode::OutOfMemory,
            Fault::Uninitialised => TrapCode::BrokenPromise,
            _ => TrapCode::InvalidAccess,
        }
    }

    /// The message, with `name` for the name of the object.
    pub fn describe(&self, name: &str) -> String {
        let MemoryError { address, size, .. } = *self;
        let deed = match self.access {
            AccessKind::Read => format!("reading {size} bytes at {address:#x}"),
            AccessKind::Write => format!("writing {size} bytes at {address:#x}"),
            AccessKind::Free => format!("freeing {address:#x}"),
        };
        let object = self.object.map_or(String::new(), |object| {
            let offset = address.wrapping_sub(object.address) as i64;
            let (kind, size) = (object.kind.describe(), object.size);
            let name = if name.is_empty() { String::new() } else { format!(" {name}") };
            format!(": offset {offset} of {kind}{name} of {size} bytes")
        });
        let reason = match self.fault {
            Fault::NoObject => "no live object is there",
            Fault::OutOfBounds => "out of its bounds",
            Fault::Freed => "which was freed",
            Fault::Constant => "which is constant",
            Fault::Code => "which has no bytes",
            Fault::Uninitialised => "where nothing was stored, though the slot is `uninit`",
            Fault::NotAllocated => "which is no start of an allocated object",
            Fault::OutOfMemory => {
                return format!("the memory limit leaves no room for {size} bytes");
            }
        };
        let comma = if object.is_empty() { ": " } else { ", " };
        format!("{deed}{object}{comma}{reason}")
    }
}

impl fmt::Display for MemoryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.describe(""))
    }
}

impl std::error::Error for MemoryError {}

/// The memory of a program: objects at addresses.
///
/// Every method refuses, rather than panics, whatever the address and size.
pub trait Memory: fmt::Debug {
    /// Makes an object and gives its address.
    fn allocate(&mut self, object: &NewObject<'_>) -> Result<u64, MemoryError>;

    /// Ends the life of the object of that kind that starts at `address`.
    fn free(&mut self, address: u64, kind: ObjectKind) -> Result<(), MemoryError>;

    /// Whether an address never means two objects, one after the other.
    fn has_lasting_addresses(&self) -> bool;

    /// The live object at `address`, where the memory knows its objects.
    fn object_at(&self, address: u64) -> Option<ObjectInfo>;

    /// Fills `buffer` with the bytes at `address`.
    fn read(&self, address: u64, buffer: &mut [u8]) -> Result<(), MemoryError>;

    /// Puts bytes at `address`.
    fn write(&mut self, address: u64, bytes: &[u8]) -> Result<(), MemoryError>;

    /// Puts the first bytes of an object there, constant or not; does nothing
    /// to an object that was there before the program.
    fn initialise(&mut self, address: u64, bytes: &[u8]) -> Result<(), MemoryError>;

    /// Gives an object the contents of a new one.
    fn reset(&mut self, address: u64) -> Result<(), MemoryError>;

    /// Whether an access would go well.
    fn check(&self, access: AccessKind, address: u64, size: u64) -> Result<(), MemoryError>;

    /// Copies `size` bytes as if through a buffer.
    fn copy(&mut self, to: u64, from: u64, size: u64) -> Result<(), MemoryError>;

    /// Sets `size` bytes to `byte`.
    fn fill(&mut self, to: u64, byte: u8, size: u64) -> Result<(), MemoryError>;
}
