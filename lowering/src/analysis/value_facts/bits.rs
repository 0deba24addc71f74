//! Bits of bitwise ops, shifts, rotations, counts and conversions.

use brolga_ir::datum::Datum;
use brolga_ir::instruction::Payload;
use brolga_ir::interpret::eval::{Operation, fold};
use brolga_ir::op::Op;
use brolga_ir::types::Type;

use super::fact::{self, Fact, mask};

pub(super) fn not(a: &Fact) -> Fact {
    let width = a.width();
    let (least, most) = a.unsigned();
    let bits = Fact::any(width).and_bits(a.ones(), a.zeros() & mask(width));
    bits.within_unsigned(!most & mask(width), !least & mask(width)).settled()
}

pub(super) fn and(a: &Fact, b: &Fact) -> Fact {
    let most = a.unsigned().1.min(b.unsigned().1);
    let bits = Fact::any(a.width()).and_bits(a.zeros() | b.zeros(), a.ones() & b.ones());
    bits.within_unsigned(0, most).settled()
}

pub(super) fn or(a: &Fact, b: &Fact) -> Fact {
    let least = a.unsigned().0.max(b.unsigned().0);
    let bits = Fact::any(a.width()).and_bits(a.zeros() & b.zeros(), a.ones() | b.ones());
    bits.within_unsigned(least, u128::MAX).settled()
}

pub(super) fn xor(a: &Fact, b: &Fact) -> Fact {
    let zeros = (a.zeros() & b.zeros()) | (a.ones() & b.ones());
    let ones = (a.zeros() & b.ones()) | (a.ones() & b.zeros());
    Fact::with_bits(a.width(), zeros, ones)
}

/// What is known of `number` behind a shift by `amount`, of fewer bits than there are.
fn shifted_by(op: Op, number: &Fact, amount: u32) -> Fact {
    let width = number.width();
    let (zeros, ones) = (number.zeros(), number.ones());
    let ((ul, um), (sl, sm)) = (number.unsigned(), number.signed());
    match op {
        Op::Shl => {
            let bits = Fact::any(width).and_bits(zeros << amount | mask(amount), ones << amount);
            match um.leading_zeros() + width >= 128 + amount {
                true => bits.within_unsigned(ul << amount, um << amount).settled(),
                false => bits.settled(),
            }
        }
        Op::Lshr => {
            let zeros = zeros >> amount | !(mask(width) >> amount);
            let bits = Fact::any(width).and_bits(zeros, ones >> amount);
            bits.within_unsigned(ul >> amount, um >> amount).settled()
        }
        _ => {
            let extended =
                |bits| (fact::sign_extended(width, bits & mask(width)) >> amount) as u128;
            let bits = Fact::any(width).and_bits(extended(zeros), extended(ones));
            bits.within_signed(sl >> amount, sm >> amount).settled()
        }
    }
}

pub(super) fn shifted(op: Op, number: &Fact, amount: &Fact) -> Fact {
    let width = number.width();
    let clamp = |amount: u128| u32::try_from(amount).unwrap_or(u32::MAX).min(width);
    let (least, most) = (clamp(amount.unsigned().0), clamp(amount.unsigned().1));
    if least == most && least < width {
        return shifted_by(op, number, least);
    }
    let ((ul, um), (sl, sm)) = (number.unsigned(), number.signed());
    let right = |bits: u128, by: u32| bits.checked_shr(by).unwrap_or(0);
    match op {
        Op::Shl => {
            let zeros = (number.trailing_zeros() + least).min(width);
            Fact::with_bits(width, mask(zeros), 0)
        }
        Op::Lshr if most >= width => Fact::unsigned_between(width, 0, right(um, least)),
        Op::Lshr => Fact::unsigned_between(width, right(ul, most), right(um, least)),
        _ => {
            let by = |bound: i128, amount: u32| bound >> amount.min(127);
            let low = if sl < 0 { by(sl, least) } else { by(sl, most) };
            let high = if sm < 0 { by(sm, most) } else { by(sm, least) };
            Fact::signed_between(width, low, high)
        }
    }
}

/// Of an op that only moves bits: those that are known move the same way.
pub(super) fn permuted(op: Op, a: &Fact, amount: Option<u128>) -> Option<Fact> {
    let ty = match a.width() {
        8 => Type::I8,
        16 => Type::I16,
        32 => Type::I32,
        64 => Type::I64,
        128 => Type::I128,
        _ => return None,
    };
    let moved = |bits: u128| {
        let operation = Operation { op, ty, operand: ty, payload: &Payload::None, immediates: &[] };
        let (bits, amount) = (Datum::Scalar(bits & mask(a.width())), amount.map(Datum::Scalar));
        let operands: Vec<&Datum> = std::iter::once(&bits).chain(&amount).collect();
        Some(fold(&operation, &operands)?.ok()?.first()?.bits())
    };
    Some(Fact::with_bits(a.width(), moved(a.zeros())?, moved(a.ones())?))
}

pub(super) fn count(op: Op, a: &Fact) -> Fact {
    let width = a.width();
    let above = 128 - width;
    let (least, most) = match op {
        Op::Popcount => (a.ones().count_ones(), width - (a.zeros() & mask(width)).count_ones()),
        Op::Clz => (a.unsigned().1.leading_zeros() - above, a.unsigned().0.leading_zeros() - above),
        _ => (a.trailing_zeros(), a.ones().trailing_zeros().min(width)),
    };
    Fact::unsigned_between(width, least.into(), most.into())
}

pub(super) fn truncated(width: u32, a: &Fact) -> Fact {
    let mut known = Fact::any(width).and_bits(a.zeros(), a.ones());
    let ((ul, um), (sl, sm)) = (a.unsigned(), a.signed());
    if um <= mask(width) {
        known = known.within_unsigned(ul, um);
    }
    if sl >= Fact::least(width) && sm <= Fact::greatest(width) {
        known = known.within_signed(sl, sm);
    }
    known.settled()
}

pub(super) fn sign_extended(width: u32, a: &Fact) -> Fact {
    let (least, most) = a.signed();
    let extended = |bits: u128| fact::sign_extended(a.width(), bits & mask(a.width())) as u128;
    let bits = Fact::any(width).and_bits(extended(a.zeros()), extended(a.ones()));
    bits.within_signed(least, most).settled()
}
