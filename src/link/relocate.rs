//! Filling in the places of a unit's code.

use brolga_baseline::Reference;
use brolga_lowering::unit::{CodeRelocation, RelocationKind};

/// Why a place could not be filled in: what it refers to is out of reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct OutOfReach;

/// A place in code, and how it is filled in.
#[derive(Clone, Copy, Debug)]
pub(super) struct Gap {
    /// Bytes from the start of the code.
    offset: u32,
    kind: RelocationKind,
    addend: i64,
}

impl From<&CodeRelocation> for Gap {
    fn from(&CodeRelocation { offset, kind, addend, .. }: &CodeRelocation) -> Gap {
        Gap { offset, kind, addend }
    }
}

impl From<&Reference> for Gap {
    fn from(&Reference { offset, addend, .. }: &Reference) -> Gap {
        Gap { offset, kind: RelocationKind::X86Relative32, addend }
    }
}

/// Fills in one place of code that will stand at `base`.
pub(super) fn relocate(
    code: &mut [u8],
    base: usize,
    gap: Gap,
    target: usize,
) -> Result<(), OutOfReach> {
    let offset = gap.offset as usize;
    let place = code.get_mut(offset..offset + 4).ok_or(OutOfReach)?;
    let here = (base + offset) as i64;
    let there = (target as i64).wrapping_add(gap.addend);
    let word = u32::from_le_bytes([place[0], place[1], place[2], place[3]]);
    let word = match gap.kind {
        RelocationKind::X86Relative32 => {
            i32::try_from(there - here).map_err(|_| OutOfReach)?.cast_unsigned()
        }
        RelocationKind::Arm64Call26 => word | field(there - here, 2, 26)?,
        RelocationKind::Arm64Page21 => {
            let pages = field((there >> 12) - (here >> 12), 0, 21)?;
            word | (pages & 3) << 29 | (pages >> 2) << 5
        }
        RelocationKind::Arm64Low12 => word | ((there & 0xfff) as u32) << 10,
    };
    place.copy_from_slice(&word.to_le_bytes());
    Ok(())
}

/// `distance` in units of `1 << scale`, as a signed field of `bits` bits.
fn field(distance: i64, scale: u32, bits: u32) -> Result<u32, OutOfReach> {
    let units = distance >> scale;
    let half = 1i64 << (bits - 1);
    let fits = units << scale == distance && (-half..half).contains(&units);
    fits.then_some((units as u32) & ((1 << bits) - 1)).ok_or(OutOfReach)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(kind: RelocationKind, word: u32, target: usize, addend: i64) -> Option<u32> {
        let mut code = word.to_le_bytes();
        let gap = Gap { offset: 0, kind, addend };
        relocate(&mut code, 0x1_0000_0000, gap, target).ok()?;
        Some(u32::from_le_bytes(code))
    }

    #[test]
    fn distances_are_counted_from_the_place() {
        let kind = RelocationKind::X86Relative32;
        assert_eq!(filled(kind, 0, 0x1_0000_0010, -4), Some(12));
        assert_eq!(filled(kind, 0, 0x0_ffff_fff0, -4), Some((-20i32).cast_unsigned()));
        assert_eq!(filled(kind, 0, 0x3_0000_0000, 0), None);
    }

    #[test]
    fn words_of_aarch64_keep_their_opcode() {
        let call = RelocationKind::Arm64Call26;
        assert_eq!(filled(call, 0x9400_0000, 0x1_0000_0008, 0), Some(0x9400_0002));
        assert_eq!(filled(call, 0x9400_0000, 0x1_1000_0000, 0), None);
        let page = RelocationKind::Arm64Page21;
        assert_eq!(filled(page, 0x9000_0000, 0x1_0000_5123, 0), Some(0xb000_0020));
        let low = RelocationKind::Arm64Low12;
        assert_eq!(filled(low, 0x9100_0000, 0x1_0000_5123, 0), Some(0x9104_8c00));
    }
}
