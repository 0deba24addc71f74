//! Global variables: initialisers as bytes and addresses.

use super::layout::Room;
use super::wide::all_words;
use super::{Resolved, Shared};
use crate::llvm::syntax::{
    Constant, ConstantData, ConstantId, GlobalData, GlobalId, Offset, TypeData, TypeId,
};
use crate::module::{DataItem, Storage, Symbol};
use crate::text::Parsed;

/// The constants of a module, while its globals are given meaning.
pub(super) struct Initialisers<'a, 't> {
    pub(super) shared: &'a mut Shared<'t>,
    pub(super) constants: &'a [Constant<'t>],
    /// The aliases that are being resolved.
    pub(super) pending: Vec<GlobalId>,
}

/// Bytes in the order of their places.
#[derive(Default)]
pub(super) struct Image {
    items: Vec<DataItem>,
    bytes: Vec<u8>,
    /// Zeros behind `bytes`.
    zeros: u64,
}

impl Image {
    /// Fewer zeros than that stand among other bytes.
    const FEW_ZEROS: u64 = 64;

    pub(super) fn put(&mut self, bytes: &[u8]) {
        if self.zeros >= Self::FEW_ZEROS {
            self.flush();
        }
        self.bytes.resize(self.bytes.len() + self.zeros as usize, 0);
        self.zeros = 0;
        self.bytes.extend_from_slice(bytes);
    }

    fn put_zeros(&mut self, count: u64) {
        self.zeros += count;
    }

    fn put_address(&mut self, symbol: Symbol, addend: i64) {
        self.flush();
        self.items.push(DataItem::Address { symbol, addend });
    }

    fn flush(&mut self) {
        if !self.bytes.is_empty() {
            self.items.push(DataItem::Bytes(std::mem::take(&mut self.bytes)));
        }
        if self.zeros != 0 {
            self.items.push(DataItem::Zero(std::mem::take(&mut self.zeros)));
        }
    }
}

impl<'a, 't> Initialisers<'a, 't> {
    pub(super) fn new(shared: &'a mut Shared<'t>, constants: &'a [Constant<'t>]) -> Self {
        Initialisers { shared, constants, pending: Vec::new() }
    }

    /// Gives every data object of this module its items.
    pub(super) fn define_data(&mut self) {
        for index in 0..self.shared.syntax.order.len() {
            if self.shared.report.is_full() {
                break;
            }
            // What is wrong with one leaves the others to be looked at.
            let _ = self.define(self.shared.syntax.order[index]);
        }
    }

    fn define(&mut self, id: GlobalId) -> Parsed<()> {
        let global = &self.shared.syntax.globals[id.index()];
        let GlobalData::Variable { ty, initializer: Some(initializer), .. } = global.data else {
            return Ok(());
        };
        let at = global.at;
        let (data, is_relative) = match self.shared.symbols[id.index()] {
            Some(Resolved::Address { symbol: Symbol::Data(data), .. }) => (data, false),
            Some(Resolved::Relative(data)) => (data, true),
            _ => return Ok(()),
        };
        let object = self.shared.module.data(data);
        let here = object.filter(|object| object.linkage.is_defined_here());
        let Some(size) = here.map(|object| object.size) else {
            return Ok(());
        };
        let mut image = Image::default();
        if is_relative {
            self.write_relative(&mut image, id, initializer)?;
        } else {
            // What is `common` may take more than its own type.
            self.write(&mut image, ty, initializer, size)?;
        }
        image.flush();
        let written = image.items.iter().map(DataItem::size).fold(0, u64::saturating_add);
        if written != size {
            return Err(self.shared.invalid(at, "the initialiser is of another type"));
        }
        if let Some(object) = self.shared.module.data_mut(data) {
            object.items = image.items;
        }
        Ok(())
    }

    /// Puts a constant of type `ty` behind what is there, and zeros up to `stride` bytes.
    fn write(&mut self, image: &mut Image, ty: TypeId, id: ConstantId, stride: u64) -> Parsed<()> {
        let constant = &self.constants[id.index()];
        let at = constant.at;
        let room = self.shared.room(ty, at)?;
        let written = match &constant.data {
            ConstantData::Zero | ConstantData::Undef | ConstantData::Poison => 0,
            ConstantData::Bytes(bytes) => {
                image.put(bytes);
                bytes.len() as u64
            }
            ConstantData::Numbers(numbers) => self.write_numbers(image, ty, numbers, at)?,
            ConstantData::Aggregate(parts) => self.write_parts(image, ty, parts, at)?,
            ConstantData::WideInteger(pairs) => {
                self.shared.charge(room.size(), at)?;
                image.put(&wide_bytes(pairs, room));
                room.size()
            }
            ConstantData::Splat(lane) => self.write_splat(image, ty, *lane, at)?,
            _ if room.bits <= 128 => {
                let folded = self.fold(id)?;
                match folded.base {
                    None => image.put(&folded.bits.to_le_bytes()[..room.size() as usize]),
                    Some(_) if room.bits != 64 => {
                        return Err(self.shared.unsupported(at, "an address has 64 bits"));
                    }
                    Some(symbol) => self.write_address(image, symbol, folded.bits, at)?,
                }
                room.size()
            }
            _ => {
                let name = self.shared.show_type(ty);
                let message = format!("`{name}` is initialised by an expression");
                return Err(self.shared.unsupported(at, message));
            }
        };
        match stride.checked_sub(written) {
            Some(rest) => {
                image.put_zeros(rest);
                Ok(())
            }
            None => Err(self.shared.invalid(at, "the constant is of another type")),
        }
    }

    /// Puts an address behind what is there.
    pub(super) fn write_address(
        &mut self,
        image: &mut Image,
        symbol: Symbol,
        addend: u128,
        at: Offset,
    ) -> Parsed<()> {
        self.shared.check_address(symbol, at)?;
        let storage = match symbol {
            Symbol::Data(data) => self.shared.module.data(data).map(|object| object.storage),
            Symbol::Function(_) => None,
        };
        if storage == Some(Storage::ThreadLocal) {
            return Err(self.shared.invalid(at, "a thread-local variable has no constant address"));
        }
        image.put_address(symbol, addend as i64);
        Ok(())
    }

    /// Writes numbers of an array or vector, and gives their bytes.
    fn write_numbers(
        &mut self,
        image: &mut Image,
        ty: TypeId,
        numbers: &[u64],
        at: Offset,
    ) -> Parsed<u64> {
        let (element, is_vector) = self.element(ty, at)?;
        let room = self.shared.room(element, at)?;
        if is_vector && room.bits % 8 != 0 {
            let lanes = numbers.iter().map(|&number| u128::from(number));
            return Ok(write_bits(image, lanes, room.bits as u32));
        }
        let stride = if is_vector { room.size() } else { room.stride() };
        for number in numbers {
            image.put(&u128::from(*number).to_le_bytes()[..room.size().min(16) as usize]);
            image.put_zeros(stride - room.size());
        }
        Ok(stride * numbers.len() as u64)
    }

    /// Writes the parts of an array, vector or struct, and gives their bytes.
    fn write_parts(
        &mut self,
        image: &mut Image,
        ty: TypeId,
        parts: &[ConstantId],
        at: Offset,
    ) -> Parsed<u64> {
        if let TypeData::Struct { fields, .. } = self.shared.type_data(ty) {
            let fields = fields.clone();
            return self.write_fields(image, ty, &fields, parts, at);
        }
        let (element, is_vector) = self.element(ty, at)?;
        let room = self.shared.room(element, at)?;
        if is_vector && room.bits % 8 != 0 {
            let lanes = parts.iter().map(|&part| Ok(self.fold(part)?.bits));
            let lanes = lanes.collect::<Parsed<Vec<u128>>>()?;
            return Ok(write_bits(image, lanes.into_iter(), room.bits as u32));
        }
        let stride = if is_vector { room.size() } else { room.stride() };
        for &part in parts {
            self.write(image, element, part, stride)?;
        }
        Ok(stride * parts.len() as u64)
    }

    fn write_fields(
        &mut self,
        image: &mut Image,
        ty: TypeId,
        fields: &[TypeId],
        parts: &[ConstantId],
        at: Offset,
    ) -> Parsed<u64> {
        if fields.len() != parts.len() {
            return Err(self.shared.invalid(at, "the struct has another number of fields"));
        }
        let end = self.shared.room(ty, at)?.size();
        for (index, (&field, &part)) in fields.iter().zip(parts).enumerate() {
            let start = self.shared.field_offset(ty, index);
            let next = match index + 1 < fields.len() {
                true => self.shared.field_offset(ty, index + 1),
                false => end,
            };
            self.write(image, field, part, next - start)?;
        }
        Ok(end)
    }

    /// Writes the same lane as often as a vector has lanes, and gives the bytes.
    fn write_splat(
        &mut self,
        image: &mut Image,
        ty: TypeId,
        lane: ConstantId,
        at: Offset,
    ) -> Parsed<u64> {
        let &TypeData::Vector { lanes, element } = self.shared.type_data(ty) else {
            return Err(self.shared.invalid(at, "`splat` gives vectors"));
        };
        self.shared.charge(lanes.into(), at)?;
        let room = self.shared.room(element, at)?;
        if room.bits % 8 != 0 {
            let bits = self.fold(lane)?.bits;
            let all = std::iter::repeat_n(bits, lanes as usize);
            return Ok(write_bits(image, all, room.bits as u32));
        }
        for _ in 0..lanes {
            self.write(image, element, lane, room.size())?;
        }
        Ok(room.size() * u64::from(lanes))
    }

    /// The type of the elements of an array or vector, and whether it is a vector.
    fn element(&mut self, ty: TypeId, at: Offset) -> Parsed<(TypeId, bool)> {
        match *self.shared.type_data(ty) {
            TypeData::Array { element, .. } => Ok((element, false)),
            TypeData::Vector { element, .. } => Ok((element, true)),
            _ => Err(self.shared.invalid(at, "the type has no elements")),
        }
    }
}

/// The bytes of an integer of more than 128 bits, with zeros above its bits.
fn wide_bytes(pairs: &[u128], room: Room) -> Vec<u8> {
    let bytes = all_words(pairs).flat_map(u64::to_le_bytes);
    let mut bytes: Vec<u8> = bytes.take(room.size() as usize).collect();
    let above = room.bits % 8;
    if above != 0
        && let Some(last) = bytes.last_mut()
    {
        *last &= (1 << above) - 1;
    }
    bytes
}

/// Writes lanes of no whole number of bytes, each behind the other, the first lowest.
fn write_bits(image: &mut Image, lanes: impl Iterator<Item = u128>, width: u32) -> u64 {
    let mut bytes = Vec::new();
    let (mut byte, mut filled) = (0u8, 0);
    for lane in lanes {
        for bit in 0..width {
            byte |= ((lane.checked_shr(bit).unwrap_or(0) & 1) as u8) << filled;
            filled += 1;
            if filled == 8 {
                bytes.push(std::mem::take(&mut byte));
                filled = 0;
            }
        }
    }
    if filled != 0 {
        bytes.push(byte);
    }
    image.put(&bytes);
    bytes.len() as u64
}
