//! Where values stand in the buffers by which compiled code and its hosts
//! hand them to each other.

use brolga_ir::types::{Type, TypePool};

use crate::runtime::VALUE_STRIDE;

/// Where each of several values stands in a buffer, in its layout in memory:
/// an `i1` as a byte, a mask as bits, an aggregate with its padding.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct BufferLayout {
    /// Where each value starts, in bytes: multiples of [`VALUE_STRIDE`].
    pub offsets: Vec<u32>,
    /// Bytes of the buffer, a multiple of [`VALUE_STRIDE`].
    pub size: u32,
}

impl BufferLayout {
    /// The layout of values of those types; nothing if they take 4 GiB or more.
    pub fn of(types: &TypePool, values: impl IntoIterator<Item = Type>) -> Option<BufferLayout> {
        let mut layout = BufferLayout::default();
        for ty in values {
            layout.offsets.push(layout.size);
            let strides = types.layout(ty).size.div_ceil(VALUE_STRIDE.into()).max(1);
            let bytes = strides.checked_mul(VALUE_STRIDE.into())?;
            layout.size = layout.size.checked_add(u32::try_from(bytes).ok()?)?;
        }
        Some(layout)
    }
}

#[cfg(test)]
mod tests {
    use brolga_ir::types::{Packing, Scalar};

    use super::*;

    #[test]
    fn each_value_starts_at_a_stride_of_its_own() {
        let mut types = TypePool::default();
        let wide = Type::vector(Scalar::I32, 8).unwrap();
        let empty = types.structure(&[], Packing::Natural).unwrap();
        let pair = types.structure(&[Type::I64, Type::I128], Packing::Natural).unwrap();
        let layout = BufferLayout::of(&types, [Type::I1, wide, empty, pair, Type::I8]).unwrap();
        assert_eq!(layout.offsets, [0, 16, 48, 64, 96]);
        assert_eq!(layout.size, 112);
        let huge = types.array(Type::I8, 1 << 31).unwrap();
        assert_eq!(BufferLayout::of(&types, [huge, huge]), None);
    }
}
