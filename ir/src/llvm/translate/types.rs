//! Types of the text: how their values are carried.

use super::Shared;
use super::layout::{DataLayout, MAX_DEPTH, Rooms, put};
use super::pieces::vector_type;
use super::wide::word_count;
use crate::llvm::syntax::{Module, Offset, TypeData, TypeId};
use crate::text::Parsed;
use crate::types::{MAX_LEAVES, Packing, Scalar, Type, TypePool};

/// How values of a type are carried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Carrier {
    /// Our type.
    pub(super) ty: Type,
    /// The bits of each integer that carry meaning, those above being zero; 0 where
    /// all bits of the carrier do.
    pub(super) bits: u32,
}

/// The bits of the widest integer that is one value; a wider one is an array of words.
const WIDEST: u32 = Scalar::I128.bits();

impl Carrier {
    /// Whether values are arrays of words.
    pub(super) fn is_wide(self) -> bool {
        self.bits > WIDEST
    }

    /// The bits of an integer of the text, or of each lane.
    pub(super) fn width(self) -> u32 {
        match self.bits {
            0 => self.ty.lane().map_or(0, Scalar::bits),
            bits => bits,
        }
    }
}

/// What is known of the types of a text, each found out when it is asked for first.
#[derive(Default)]
pub(super) struct Types {
    pub(super) layout: DataLayout,
    pub(super) rooms: Rooms,
    carriers: Vec<Option<Carrier>>,
}

impl Shared<'_> {
    /// How values of `ty` are carried; an error at `at` if they cannot be.
    pub(super) fn carrier(&mut self, ty: TypeId, at: Offset) -> Parsed<Carrier> {
        if let Some(&Some(carrier)) = self.types.carriers.get(ty.index()) {
            return Ok(carrier);
        }
        let carriers = &mut self.types.carriers;
        find(&self.syntax, &mut self.module.types, carriers, ty, MAX_DEPTH).map_err(|reason| {
            let name = self.show_type(ty);
            self.unsupported(at, format_args!("no value of `{name}` can be carried: {reason}"))
        })
    }
}

fn find(
    module: &Module<'_>,
    pool: &mut TypePool,
    carriers: &mut Vec<Option<Carrier>>,
    ty: TypeId,
    depth: u32,
) -> Result<Carrier, String> {
    if let Some(&Some(carrier)) = carriers.get(ty.index()) {
        return Ok(carrier);
    }
    let depth = depth.checked_sub(1).ok_or("its types nest too deeply, or hold themselves")?;
    let plain = |ty: Type| Ok(Carrier { ty, bits: 0 });
    let carrier = match &module.types[ty.index()] {
        TypeData::Integer(bits) if *bits > WIDEST => {
            let words = pool.array(Type::I64, word_count(*bits) as u64);
            Ok(Carrier { ty: words.map_err(|error| error.to_string())?, bits: *bits })
        }
        TypeData::Integer(bits) => integer(*bits),
        TypeData::Half => plain(Type::F16),
        TypeData::Bfloat => plain(Type::BF16),
        TypeData::Float => plain(Type::F32),
        TypeData::Double => plain(Type::F64),
        TypeData::X86Fp80 => plain(Type::X86_FP80),
        TypeData::Fp128 => plain(Type::F128),
        TypeData::Pointer(space) => plain(address(*space)?),
        TypeData::Vector { lanes, element } => {
            let lane = find(module, pool, carriers, *element, depth)?;
            let scalar = lane.ty.as_scalar().ok_or("such lanes do not exist")?;
            Ok(Carrier { ty: vector_type(pool, scalar, *lanes)?, ..lane })
        }
        TypeData::Array { length, element } => {
            let element = find(module, pool, carriers, *element, depth)?.ty;
            plain(pool.array(element, *length).map_err(|error| error.to_string())?)
        }
        TypeData::Struct { packed, fields } => {
            let part = |&ty| find(module, pool, carriers, ty, depth).map(|part| part.ty);
            let fields = fields.iter().map(part).collect::<Result<Vec<Type>, String>>()?;
            let packing = if *packed { Packing::Packed } else { Packing::Natural };
            plain(pool.structure(&fields, packing).map_err(|error| error.to_string())?)
        }
        TypeData::Named(name) => match module.named[name.index()].1 {
            Some(definition) => find(module, pool, carriers, definition, depth),
            None => Err("it is opaque".to_owned()),
        },
        TypeData::Void
        | TypeData::Label
        | TypeData::Metadata
        | TypeData::Token
        | TypeData::Function { .. } => Err("it is no type of values".to_owned()),
    }?;
    if pool.leaf_count(carrier.ty) > MAX_LEAVES {
        return Err(format!("it consists of more than {MAX_LEAVES} parts"));
    }
    put(carriers, ty, carrier);
    Ok(carrier)
}

fn integer(bits: u32) -> Result<Carrier, String> {
    if bits == 1 {
        return Ok(Carrier { ty: Type::I1, bits: 0 });
    }
    let carriers = [Scalar::I8, Scalar::I16, Scalar::I32, Scalar::I64, Scalar::I128];
    let carrier = carriers.into_iter().find(|scalar| scalar.bits() >= bits);
    let carrier = carrier.ok_or("integers have at most 128 bits")?;
    let bits = if carrier.bits() == bits { 0 } else { bits };
    Ok(Carrier { ty: Type::scalar(carrier), bits })
}

/// The kind of address of an address space: that of the process, and those that Julia
/// gives to what its collector manages.
fn address(space: u32) -> Result<Type, String> {
    match space {
        0 => Ok(Type::PTR),
        10 => Ok(Type::REF),
        11 => Ok(Type::DERIVED),
        12 => Ok(Type::CALLEE),
        13 => Ok(Type::LOADED),
        _ => Err(format!("address space {space} is none of 0 and 10 to 13")),
    }
}
