//! Where values of a type stand in memory, as the text's data layout says.

use super::Shared;
use crate::llvm::syntax::{Module, Offset, TypeData, TypeId};
use crate::text::Parsed;

/// What stands for a text that says nothing: what the 64-bit targets have in common.
const USUAL: &str = "e-i64:64-i128:128-f80:128";

/// How deep a walk over a type goes: a name counts beside what it stands for.
pub(super) const MAX_DEPTH: u32 = 2 * crate::llvm::parse::MAX_DEPTH;

/// The most bytes of a type that something of this program can have.
const MAX_SIZE: u64 = 1 << 62;

/// The alignments of a text's data layout, in bytes, by width in bits, ascending.
#[derive(Debug)]
pub(super) struct DataLayout {
    integers: Vec<(u32, u64)>,
    floats: Vec<(u32, u64)>,
    vectors: Vec<(u32, u64)>,
    aggregate: u64,
}

impl Default for DataLayout {
    fn default() -> DataLayout {
        DataLayout {
            integers: vec![(1, 1), (8, 1), (16, 2), (32, 4), (64, 4)],
            floats: vec![(16, 2), (32, 4), (64, 8), (128, 16)],
            vectors: vec![(64, 8), (128, 16)],
            aggregate: 1,
        }
    }
}

impl DataLayout {
    /// Reads a data layout.
    ///
    /// # Errors
    /// What it says that targets of ours are not: big-endian, pointers of other than 64 bits.
    pub(super) fn parse(text: &str) -> Result<DataLayout, String> {
        let mut layout = DataLayout::default();
        let text = if text.is_empty() { USUAL } else { text };
        for part in text.split('-') {
            let mut fields = part.split(':');
            let head = fields.next().unwrap_or_default();
            let Some(kind) = head.chars().next() else { continue };
            let width = head[kind.len_utf8()..].parse().unwrap_or(0);
            let first = fields.next().unwrap_or_default();
            match kind {
                'E' => return Err("the data layout is big-endian".to_owned()),
                'p' if width == 0 && first != "64" => {
                    return Err(format!("the data layout has pointers of {first} bits"));
                }
                'i' | 'f' | 'v' | 'a' => {
                    let bits: u64 = first.parse().unwrap_or(0);
                    layout.set(kind, width, (bits / 8).max(1));
                }
                _ => {}
            }
        }
        Ok(layout)
    }

    fn set(&mut self, kind: char, width: u32, align: u64) {
        // LLVM knows no larger one; and no power of two is an error of its own reader.
        let align = align.next_power_of_two().min(1 << 32);
        let list = match kind {
            'i' => &mut self.integers,
            'f' => &mut self.floats,
            'v' => &mut self.vectors,
            _ => {
                self.aggregate = align;
                return;
            }
        };
        match list.binary_search_by_key(&width, |&(width, _)| width) {
            Ok(index) => list[index].1 = align,
            Err(index) => list.insert(index, (width, align)),
        }
    }

    /// An integer without an entry of its own is aligned as the next wider one that has
    /// one, or else as the widest.
    fn integer(&self, bits: u32) -> u64 {
        let index = self.integers.partition_point(|&(width, _)| width < bits);
        let entry = self.integers.get(index).or_else(|| self.integers.last());
        entry.map_or(1, |&(_, align)| align)
    }

    fn float(&self, bits: u32) -> u64 {
        let own = self.floats.iter().find(|&&(width, _)| width == bits);
        own.map_or(u64::from(bits / 8).next_power_of_two(), |&(_, align)| align)
    }

    fn vector(&self, bits: u64) -> u64 {
        let own = self.vectors.iter().find(|&&(width, _)| u64::from(width) == bits);
        own.map_or_else(|| bits.div_ceil(8).next_power_of_two(), |&(_, align)| align)
    }
}

/// The room that values of a type take in memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Room {
    /// The bits of a value. Lanes of a vector follow each other without padding.
    pub(super) bits: u64,
    /// Bytes, a power of two.
    pub(super) align: u64,
}

impl Room {
    /// The bytes that a load reads and a store writes.
    pub(super) fn size(self) -> u64 {
        self.bits.div_ceil(8)
    }

    /// The bytes from one element of an array to the next.
    pub(super) fn stride(self) -> u64 {
        self.size().next_multiple_of(self.align)
    }
}

/// What has been found out about rooms.
#[derive(Default)]
pub(super) struct Rooms {
    rooms: Vec<Option<Room>>,
    /// The offsets of the fields of each struct.
    offsets: Vec<Option<Box<[u64]>>>,
}

/// Why a type has no room.
enum Homeless {
    Unsized(TypeId),
    TooLarge,
    TooDeep,
}

impl Shared<'_> {
    /// The room of `ty`; an error at `at` if it has none.
    pub(super) fn room(&mut self, ty: TypeId, at: Offset) -> Parsed<Room> {
        let found = find(&self.syntax, &self.types.layout, &mut self.types.rooms, ty, MAX_DEPTH);
        found.map_err(|homeless| {
            let name = self.show_type(ty);
            match homeless {
                Homeless::Unsized(part) => {
                    let part = self.show_type(part);
                    self.invalid(
                        at,
                        format_args!("`{name}` has no size, because `{part}` has none"),
                    )
                }
                Homeless::TooLarge => {
                    self.unsupported(at, format_args!("`{name}` is larger than any memory"))
                }
                Homeless::TooDeep => self.unsupported(
                    at,
                    format_args!("`{name}` nests more than {MAX_DEPTH} types, or holds itself"),
                ),
            }
        })
    }

    /// The offset in bytes of a field of the struct `ty`, which is no other type; its
    /// room must be known.
    pub(super) fn field_offset(&self, ty: TypeId, index: usize) -> u64 {
        let ty = resolve(&self.syntax, ty).unwrap_or(ty);
        let offsets = self.types.rooms.offsets.get(ty.index()).and_then(Option::as_ref);
        offsets.and_then(|offsets| offsets.get(index).copied()).unwrap_or(0)
    }

    /// The type that a name stands for; the type itself for what is no name.
    pub(super) fn resolved(&self, ty: TypeId) -> TypeId {
        resolve(&self.syntax, ty).unwrap_or(ty)
    }

    /// What `ty` is, behind its name; an opaque type is its name.
    pub(super) fn type_data(&self, ty: TypeId) -> &TypeData {
        &self.syntax.types[self.resolved(ty).index()]
    }
}

/// The type behind names: nothing if it is opaque, or a name of names without end.
pub(super) fn resolve(module: &Module<'_>, ty: TypeId) -> Option<TypeId> {
    let mut ty = ty;
    for _ in 0..MAX_DEPTH {
        match &module.types[ty.index()] {
            TypeData::Named(name) => ty = module.named[name.index()].1?,
            _ => return Some(ty),
        }
    }
    None
}

fn find(
    module: &Module<'_>,
    layout: &DataLayout,
    rooms: &mut Rooms,
    ty: TypeId,
    depth: u32,
) -> Result<Room, Homeless> {
    if let Some(&Some(room)) = rooms.rooms.get(ty.index()) {
        return Ok(room);
    }
    let depth = depth.checked_sub(1).ok_or(Homeless::TooDeep)?;
    let scalar = |bits: u32, align: u64| Ok(Room { bits: bits.into(), align });
    let float = |bits: u32| scalar(bits, layout.float(bits));
    let room = match &module.types[ty.index()] {
        TypeData::Integer(bits) => scalar(*bits, layout.integer(*bits)),
        TypeData::Half | TypeData::Bfloat => float(16),
        TypeData::Float => float(32),
        TypeData::Double => float(64),
        TypeData::X86Fp80 => float(80),
        TypeData::Fp128 => float(128),
        TypeData::Pointer(_) => scalar(64, 8),
        TypeData::Vector { lanes, element } => {
            let bits = find(module, layout, rooms, *element, depth)?.bits;
            let bits = bits.checked_mul((*lanes).into()).filter(|&bits| bits <= MAX_SIZE);
            let bits = bits.ok_or(Homeless::TooLarge)?;
            Ok(Room { bits, align: layout.vector(bits) })
        }
        TypeData::Array { length, element } => {
            let element = find(module, layout, rooms, *element, depth)?;
            let bytes = element.stride().checked_mul(*length).ok_or(Homeless::TooLarge)?;
            of_bytes(bytes, element.align)
        }
        TypeData::Struct { packed, fields } => {
            let (room, offsets) = find_struct(module, layout, rooms, (*packed, fields), depth)?;
            put(&mut rooms.offsets, ty, offsets);
            Ok(room)
        }
        TypeData::Named(name) => match module.named[name.index()].1 {
            Some(definition) => find(module, layout, rooms, definition, depth),
            None => Err(Homeless::Unsized(ty)),
        },
        TypeData::Void
        | TypeData::Label
        | TypeData::Metadata
        | TypeData::Token
        | TypeData::Function { .. } => Err(Homeless::Unsized(ty)),
    }?;
    put(&mut rooms.rooms, ty, room);
    Ok(room)
}

fn find_struct(
    module: &Module<'_>,
    layout: &DataLayout,
    rooms: &mut Rooms,
    (packed, fields): (bool, &[TypeId]),
    depth: u32,
) -> Result<(Room, Box<[u64]>), Homeless> {
    let (mut end, mut align) = (0u64, if packed { 1 } else { layout.aggregate });
    let mut offsets = Vec::with_capacity(fields.len());
    for &field in fields {
        let room = find(module, layout, rooms, field, depth)?;
        if !packed {
            end = end.next_multiple_of(room.align);
            align = align.max(room.align);
        }
        offsets.push(end);
        let behind = end.checked_add(room.stride()).filter(|&end| end <= MAX_SIZE / 8);
        end = behind.ok_or(Homeless::TooLarge)?;
    }
    Ok((of_bytes(end.next_multiple_of(align), align)?, offsets.into()))
}

fn of_bytes(bytes: u64, align: u64) -> Result<Room, Homeless> {
    let bits = bytes.checked_mul(8).filter(|&bits| bits <= MAX_SIZE);
    bits.map(|bits| Room { bits, align }).ok_or(Homeless::TooLarge)
}

/// Puts an entry of a type into a table that grows with the types.
pub(super) fn put<T>(table: &mut Vec<Option<T>>, ty: TypeId, value: T) {
    if table.len() <= ty.index() {
        table.resize_with(ty.index() + 1, || None);
    }
    table[ty.index()] = Some(value);
}
