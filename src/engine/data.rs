//! Reading and writing the data objects of an engine.

mod parts;

use std::sync::Arc;

use brolga_ir::module::Content;

use self::parts::Object;
use super::native::Sealed;
use super::shared::{Full, Shared};
use crate::error::DataError;
use crate::link::{DataPlace, DataSymbol};
use crate::runtime::ThreadEntry;

/// A number whose every bit pattern is a value, so that it can be copied from
/// and to memory that compiled code works on.
///
/// # Safety
/// As said.
pub unsafe trait Plain: Sealed + Copy + 'static {}

macro_rules! plain {
    ($($number:ty),*) => {$(
        // SAFETY: every bit pattern is a number.
        unsafe impl Plain for $number {}
    )*};
}

plain!(i8, u8, i16, u16, i32, u32, i64, u64, i128, u128, f32, f64);

pub(super) fn read<T: Plain>(
    shared: &Arc<Shared>,
    name: Full<'_>,
    offset: u64,
    into: &mut [T],
) -> Result<(), DataError> {
    let data = find(shared, name)?;
    let bytes = size_of_val(into);
    let object = locate(shared, &data, offset, bytes)?;
    // SAFETY: whatever bytes there are make numbers.
    let into = unsafe { std::slice::from_raw_parts_mut(into.as_mut_ptr().cast::<u8>(), bytes) };
    // SAFETY: the bytes are inside the object, which the symbol keeps alive.
    // Compiled code that writes them at the same time gives each its old or
    // its new value.
    unsafe { object.read(offset as usize, into) };
    Ok(())
}

pub(super) fn write<T: Plain>(
    shared: &Arc<Shared>,
    name: Full<'_>,
    offset: u64,
    from: &[T],
) -> Result<(), DataError> {
    let data = find(shared, name)?;
    if data.content == Content::Constant {
        return Err(DataError::Constant { name: name.1.into() });
    }
    let bytes = size_of_val(from);
    let object = locate(shared, &data, offset, bytes)?;
    // SAFETY: numbers have no bytes but those of their value.
    let from = unsafe { std::slice::from_raw_parts(from.as_ptr().cast::<u8>(), bytes) };
    // SAFETY: as in `read`; the object is in memory that can be written.
    unsafe { object.write(offset as usize, from) };
    Ok(())
}

fn find(shared: &Shared, (library, name): Full<'_>) -> Result<Arc<DataSymbol>, DataError> {
    let data = shared.symbols().names.data(library, name).map(Arc::clone);
    data.ok_or_else(|| DataError::Missing { name: name.into() })
}

/// Where an object is that has `bytes` bytes from `offset` on.
fn locate(
    shared: &Arc<Shared>,
    data: &DataSymbol,
    offset: u64,
    bytes: usize,
) -> Result<Object, DataError> {
    let end = offset.saturating_add(bytes as u64);
    let name = || Box::<str>::from(&*data.name);
    if end > data.size {
        return Err(DataError::Bounds { name: name(), offset, end, size: data.size });
    }
    let start = match &data.place {
        DataPlace::Shared(block) => block.pointer(),
        DataPlace::ThreadLocal(index) => {
            let entry = ThreadEntry::of(&shared.environment);
            let entry = entry.ok_or_else(|| DataError::NoThread { name: name() })?;
            let copy = entry.local_copy(*index, &shared.environment);
            copy.ok_or_else(|| DataError::OutOfMemory { name: name(), size: data.size })?
        }
    };
    Ok(Object::new(start.as_ptr(), data.size as usize))
}
