//! Data objects and their bytes.

use super::{Linkage, Name, Symbol};
use crate::types::{Layout, MAX_AGGREGATE_SIZE, Scalar};

/// The logarithm of the largest alignment of a data object, in bytes: a page.
pub const MAX_DATA_ALIGN_LOG2: u8 = 12;

/// Whether a data object may change.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Content {
    /// It may be stored to.
    #[default]
    Mutable,
    /// Nothing stores to it; it stands in memory that cannot be written.
    Constant,
}

/// How many copies of a data object there are.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Storage {
    /// One.
    #[default]
    Shared,
    /// One for each thread.
    ThreadLocal,
}

/// A piece of a data object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DataItem {
    /// Numbers of one type, lowest byte first, without padding between.
    Numbers {
        /// Their type: an integer or a float.
        scalar: Scalar,
        /// Their bits.
        values: Vec<u128>,
    },
    /// Bytes.
    Bytes(Vec<u8>),
    /// That many zeros.
    Zero(u64),
    /// The address of a symbol, plus a number of bytes.
    Address {
        /// The symbol.
        symbol: Symbol,
        /// Added to its address.
        addend: i64,
    },
}

impl DataItem {
    /// Its size in bytes.
    pub fn size(&self) -> u64 {
        match self {
            DataItem::Numbers { scalar, values } => scalar.layout().size * values.len() as u64,
            DataItem::Bytes(bytes) => bytes.len() as u64,
            DataItem::Zero(count) => *count,
            DataItem::Address { .. } => 8,
        }
    }
}

/// A data object of a module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DataObject {
    /// Its name, unique in the module together with those of functions.
    pub name: Name,
    /// Who defines it; what is not defined here has no items.
    pub linkage: Linkage,
    /// Whether it may change.
    pub content: Content,
    /// How many copies there are.
    pub storage: Storage,
    /// The address is a multiple of `1 << align_log2` bytes; at most [`MAX_DATA_ALIGN_LOG2`].
    pub align_log2: u8,
    /// Bytes.
    pub size: u64,
    /// What it holds at first; pieces follow each other without padding.
    pub items: Vec<DataItem>,
}

/// An address to be filled in once it is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Relocation {
    /// Where its 8 bytes stand.
    pub offset: u64,
    /// Whose address.
    pub symbol: Symbol,
    /// Added to it.
    pub addend: i64,
}

/// The bytes of a data object, with zeros where addresses will stand.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct DataImage {
    /// The bytes up to the last that is not a plain zero.
    pub bytes: Vec<u8>,
    /// The addresses.
    pub relocations: Vec<Relocation>,
}

impl DataObject {
    /// An object of those pieces, aligned for each of them: 64 bytes for
    /// arrays of 64 bytes and more, so that a vector never splits a line.
    pub fn new(name: &str, items: Vec<DataItem>) -> DataObject {
        let size = items.iter().map(DataItem::size).fold(0, u64::saturating_add);
        DataObject {
            name: name.into(),
            linkage: Linkage::Export,
            content: Content::Mutable,
            storage: Storage::Shared,
            align_log2: Self::default_align_log2(size),
            size,
            items,
        }
    }

    /// The alignment of an object of that many bytes, where nothing is said.
    pub const fn default_align_log2(size: u64) -> u8 {
        if size >= 64 { 6 } else { 4 }
    }

    /// The object without its contents.
    pub fn declaration(&self) -> DataObject {
        DataObject { name: self.name.clone(), items: Vec::new(), ..*self }
    }

    /// Its size and alignment.
    pub fn layout(&self) -> Layout {
        Layout { size: self.size, align: 1 << self.align_log2.min(MAX_DATA_ALIGN_LOG2) }
    }

    /// Its bytes and addresses, up to the first piece that ends behind
    /// [`MAX_AGGREGATE_SIZE`]: no verified object has one, and zeros of any
    /// number cost nothing to write down.
    pub fn image(&self) -> DataImage {
        let mut image = DataImage::default();
        for (offset, item) in self.placed_items() {
            image.append(offset, item);
        }
        image
    }

    /// The addresses of [`DataObject::image`], without its bytes.
    pub fn relocations(&self) -> impl Iterator<Item = Relocation> + '_ {
        self.placed_items().filter_map(|(offset, item)| item.relocation(offset))
    }

    /// The pieces and where they begin.
    fn placed_items(&self) -> impl Iterator<Item = (u64, &DataItem)> {
        let mut end = 0u64;
        self.items.iter().map_while(move |item| {
            let offset = end;
            end = end.saturating_add(item.size());
            (end <= MAX_AGGREGATE_SIZE).then_some((offset, item))
        })
    }
}

impl DataItem {
    fn relocation(&self, offset: u64) -> Option<Relocation> {
        match *self {
            DataItem::Address { symbol, addend } => Some(Relocation { offset, symbol, addend }),
            _ => None,
        }
    }
}

impl DataImage {
    fn append(&mut self, offset: u64, item: &DataItem) {
        if matches!(item, DataItem::Zero(_)) {
            return;
        }
        self.bytes.resize(offset as usize, 0);
        self.relocations.extend(item.relocation(offset));
        match item {
            DataItem::Numbers { scalar, values } => {
                let size = scalar.layout().size as usize;
                for value in values {
                    self.bytes.extend_from_slice(&value.to_le_bytes()[..size]);
                }
            }
            DataItem::Bytes(bytes) => self.bytes.extend_from_slice(bytes),
            DataItem::Address { .. } => self.bytes.extend_from_slice(&[0; 8]),
            DataItem::Zero(_) => {}
        }
    }
}
