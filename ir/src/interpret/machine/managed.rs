//! Managed objects, which are never collected here.

use super::{Flow, Machine, Site, Stop};
use crate::datum::Datum;
use crate::interpret::code::Code;
use crate::interpret::memory::{NewObject, ObjectKind};
use crate::managed::{
    ARRAY_ELEMENTS_OFFSET, ARRAY_KIND_OFFSET, ARRAY_LENGTH_OFFSET, HEADER_OFFSET, OBJECT_ALIGN,
    TAG_ARRAY, TAG_MASK, array_kind, element_stride,
};
use crate::trap::TrapCode;
use crate::types::{Layout, Type};

type Done = Result<Flow, Stop>;

/// `alloc_object`.
pub(in crate::interpret) fn alloc_object<'m>(
    machine: &mut Machine<'m>,
    site: Site<'_, 'm>,
) -> Done {
    let header = machine.bits(site, 0) as u64 & !TAG_MASK;
    let size = u64::try_from(machine.bits(site, 1) as i64).ok();
    let object = machine.allocate_object(header, size)?;
    machine.give(site, object)
}

/// `typeof`.
pub(in crate::interpret) fn type_of<'m>(machine: &mut Machine<'m>, site: Site<'_, 'm>) -> Done {
    let object = machine.object(site)?;
    let header = machine.word(site.code, object, HEADER_OFFSET)?;
    machine.give(site, header & !TAG_MASK)
}

/// `preserve_begin`: a token has no bits.
pub(in crate::interpret) fn preserve_begin<'m>(
    machine: &mut Machine<'m>,
    site: Site<'_, 'm>,
) -> Done {
    machine.give(site, Datum::Scalar(0))
}

/// `boxed_call`: no object is callable without a runtime.
pub(in crate::interpret) fn boxed_call<'m>(machine: &mut Machine<'m>, site: Site<'_, 'm>) -> Done {
    let object = machine.object(site)?;
    let detail = format!("the object at {object:#x} is not callable: there is no runtime");
    Err(Stop::trap(TrapCode::MissingFunction, detail))
}

/// `array_new`.
pub(in crate::interpret) fn array_new<'m>(machine: &mut Machine<'m>, site: Site<'_, 'm>) -> Done {
    let header = machine.bits(site, 0) as u64 & !TAG_MASK | TAG_ARRAY;
    let length = machine.bits(site, 1) as u64;
    let stride = element_stride(site.code.types, site.step.data.ty);
    let size = i64::try_from(length)
        .ok()
        .and_then(|_| length.checked_mul(stride))
        .and_then(|size| size.checked_add(ARRAY_ELEMENTS_OFFSET as u64));
    let array = machine.allocate_object(header, size)?;
    let kind = kind_of(site)?;
    machine.memory.write(at(array, ARRAY_LENGTH_OFFSET), &length.to_le_bytes())?;
    machine.memory.write(at(array, ARRAY_KIND_OFFSET), &kind.to_le_bytes())?;
    machine.give(site, array)
}

/// `array_len`.
pub(in crate::interpret) fn array_len<'m>(machine: &mut Machine<'m>, site: Site<'_, 'm>) -> Done {
    let array = machine.array(site)?;
    let length = machine.word(site.code, array, ARRAY_LENGTH_OFFSET)?;
    machine.give(site, length)
}

/// `array_get`.
pub(in crate::interpret) fn array_get<'m>(machine: &mut Machine<'m>, site: Site<'_, 'm>) -> Done {
    let address = machine.element(site)?;
    let value = machine.read(site.code, site.step.data.ty, address)?;
    machine.give(site, value)
}

/// `array_set`.
pub(in crate::interpret) fn array_set<'m>(machine: &mut Machine<'m>, site: Site<'_, 'm>) -> Done {
    let address = machine.element(site)?;
    let value = machine.operand(site, 2).clone();
    machine.write(site.code, site.step.data.ty, address, &value)?;
    Ok(Flow::Next)
}

fn at(object: u64, offset: i32) -> u64 {
    object.wrapping_add_signed(offset.into())
}

fn kind_of(site: Site<'_, '_>) -> Result<u64, Stop> {
    let kind = array_kind(site.code.types, site.step.data.ty);
    kind.ok_or_else(|| Stop::Broken("the type is no element of an array".into()))
}

impl<'m> Machine<'m> {
    /// A new object of `size` bytes, zeroed, with that header word.
    fn allocate_object(&mut self, header: u64, size: Option<u64>) -> Result<u64, Stop> {
        self.guard_state(self.activations.last(), "makes an object")?;
        // The header stands at the end of one unit of alignment.
        let size = size.and_then(|size| size.checked_add(OBJECT_ALIGN));
        let size = size.ok_or(TrapCode::OutOfMemory)?;
        let layout = Layout { size, align: OBJECT_ALIGN };
        let object = NewObject::zeroed(ObjectKind::Managed, layout, 0);
        let address = self.memory.allocate(&object)? + OBJECT_ALIGN;
        self.memory.write(at(address, HEADER_OFFSET), &header.to_le_bytes())?;
        self.charge_bytes(size)?;
        Ok(address)
    }

    /// The object that the first operand refers to.
    fn object(&self, site: Site<'_, 'm>) -> Result<u64, Stop> {
        match self.bits(site, 0) as u64 {
            0 => Err(TrapCode::NullReference.into()),
            object => Ok(object),
        }
    }

    /// The same, if it is an array.
    fn array(&mut self, site: Site<'_, 'm>) -> Result<u64, Stop> {
        let object = self.object(site)?;
        let is_array = self.word(site.code, object, HEADER_OFFSET)? & TAG_ARRAY != 0;
        if is_array { Ok(object) } else { Err(TrapCode::TypeMismatch.into()) }
    }

    /// The address of the element that the operands name.
    fn element(&mut self, site: Site<'_, 'm>) -> Result<u64, Stop> {
        let array = self.array(site)?;
        if self.word(site.code, array, ARRAY_KIND_OFFSET)? != kind_of(site)? {
            return Err(TrapCode::TypeMismatch.into());
        }
        let index = self.bits(site, 1) as u64;
        if index >= self.word(site.code, array, ARRAY_LENGTH_OFFSET)? {
            return Err(TrapCode::Bounds.into());
        }
        let offset = index.wrapping_mul(element_stride(site.code.types, site.step.data.ty));
        Ok(at(array, ARRAY_ELEMENTS_OFFSET).wrapping_add(offset))
    }

    fn word(&mut self, code: &Code<'m>, object: u64, offset: i32) -> Result<u64, Stop> {
        Ok(self.read(code, Type::I64, at(object, offset))?.bits() as u64)
    }
}
