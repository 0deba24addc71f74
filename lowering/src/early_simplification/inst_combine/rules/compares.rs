//! Compares: pure data. Constants stand on the right; conditions on constants are
//! `eq`, `ne` and the strict ones.

use super::super::bound::mask;
use super::super::rule::words::{C, X, Y};
use super::super::rule::{condition_of, gain_of, holds_of, node, op_node, rule, rules};
use brolga_ir::interpret::eval::int::signed;
use brolga_ir::types::Scalar;

rules! {
    (Icmp P X X) => ONES if |b| b.holds_for_equal();
    (Icmp P X X) => 0 if |b| !b.holds_for_equal();
    (Icmp Ult X 0) => 0;
    (Icmp Uge X 0) => ONES;
    (Icmp Ugt X ONES) => 0;
    (Icmp Ule X ONES) => ONES;
    (Icmp Slt X LEAST) => 0;
    (Icmp Sge X LEAST) => ONES;
    (Icmp Sgt X GREATEST) => 0;
    (Icmp Sle X GREATEST) => ONES;

    (Icmp Ne X 0) => X if |b| b.is_root_type(X);
    (Icmp Eq X ONES) => X if |b| b.is_root_type(X);
    (Icmp Eq X 0) => (Not X) if |b| b.is_root_type(X);
    (Icmp Ne X ONES) => (Not X) if |b| b.is_root_type(X);

    (Icmp Sle X C) -> (Icmp Slt X (Add C 1)) if |b| b.each(C, |c| {
        let width = b.width(C);
        c != mask(width) >> 1
    });
    (Icmp Sge X C) -> (Icmp Sgt X (Add C ONES)) if |b| b.each(C, |c| {
        let width = b.width(C);
        c != 1 << (width - 1)
    });
    (Icmp Ule X C) -> (Icmp Ult X (Add C 1)) if |b| b.each(C, |c| c != mask(b.width(C)));
    (Icmp Uge X C) -> (Icmp Ugt X (Add C ONES)) if |b| b.each(C, |c| c != 0);
    (Icmp Ult X 1) -> (Icmp Eq X 0);
    (Icmp Ugt X 0) -> (Icmp Ne X 0);
    (Icmp Ult X ONES) -> (Icmp Ne X ONES);
    (Icmp Ugt X TWOS) -> (Icmp Eq X ONES);
    (Icmp Slt X GREATEST) -> (Icmp Ne X GREATEST);
    (Icmp Sgt X LEAST) -> (Icmp Ne X LEAST);
    (Icmp Ugt X GREATEST) -> (Icmp Slt X 0) if |b| b.suffix().lane().is_some_and(Scalar::is_int);
    (Icmp Ult X LEAST) -> (Icmp Sgt X ONES) if |b| b.suffix().lane().is_some_and(Scalar::is_int);

    (Icmp Eq (Add X Y) Y) => (Icmp Eq X 0);
    (Icmp Ne (Add X Y) Y) => (Icmp Ne X 0);
    (Icmp Eq (Xor X Y) Y) => (Icmp Eq X 0);
    (Icmp Ne (Xor X Y) Y) => (Icmp Ne X 0);
    (Icmp Eq (Sub X Y) X) => (Icmp Eq Y 0);
    (Icmp Ne (Sub X Y) X) => (Icmp Ne Y 0);
    (Icmp P (Add X Y) (Add X Z)) => (Icmp P Y Z) if |b| b.is_equality();
    (Icmp P (Xor X Y) (Xor X Z)) => (Icmp P Y Z) if |b| b.is_equality();
    (Icmp P (Sub X Y) (Sub X Z)) => (Icmp P Y Z) if |b| b.is_equality();
    (Icmp P (Sub X Y) (Sub Z Y)) => (Icmp P X Z) if |b| b.is_equality();
    (Icmp P (Neg X) (Neg Y)) => (Icmp P X Y) if |b| b.is_equality();
    (Icmp P (Not X) (Not Y)) => (Icmp SWAPPED X Y);
    (Icmp P (Not X) C) => (Icmp SWAPPED X (Not C));
    (Icmp P (Bswap X) (Bswap Y)) => (Icmp P X Y) if |b| b.is_equality();
    (Icmp P (Bitreverse X) (Bitreverse Y)) => (Icmp P X Y) if |b| b.is_equality();
    (Icmp P (Add X C) D) -> (Icmp P X (Sub D C)) if |b| b.is_equality();
    (Icmp P (Sub C X) D) -> (Icmp P X (Sub C D)) if |b| b.is_equality();
    (Icmp P (Sub X Y) 0) -> (Icmp P X Y) if |b| b.is_equality();
    (Icmp P (Xor X Y) 0) -> (Icmp P X Y) if |b| b.is_equality();
    (Icmp P (Xor X C) D) -> (Icmp P X (Xor C D)) if |b| b.is_equality();
    (Icmp P (Neg X) C) -> (Icmp P X (Neg C)) if |b| b.is_equality();
    (Icmp P (Abs X) 0) -> (Icmp P X 0) if |b| b.is_equality();
    (Icmp P (Popcount X) 0) -> (Icmp P X 0) if |b| b.is_equality();
    (Icmp P (Bswap X) C) -> (Icmp P X (Bswap C)) if |b| b.is_equality();
    (Icmp P (Bitreverse X) C) -> (Icmp P X (Bitreverse C)) if |b| b.is_equality();
    (Icmp P (Rotl X Y) 0) -> (Icmp P X 0) if |b| b.is_equality();
    (Icmp P (Rotl X Y) ONES) -> (Icmp P X ONES) if |b| b.is_equality();
    (Icmp Eq (And X C) C) -> (Icmp Ne (And X C) 0) if |b| b.is_power_of_two(C);
    (Icmp Ne (And X C) C) -> (Icmp Eq (And X C) 0) if |b| b.is_power_of_two(C);
    (Icmp Ne (And X LEAST) 0) => (Icmp Slt X 0) if |b| b.width(X) > 1;
    (Icmp Eq (And X LEAST) 0) => (Icmp Sgt X ONES) if |b| b.width(X) > 1;
    (Icmp Eq (And X C) LEAST) => (Icmp Slt X (Sub LEAST C)) if |b| b.are_high_bits(C);
    (Icmp Ne (And X C) LEAST) => (Icmp Sgt X (Or (Not C) LEAST)) if |b| b.are_high_bits(C);
    (Icmp Slt (Ashr X C) 0) -> (Icmp Slt X 0);
    (Icmp Slt (Not X) 0) -> (Icmp Sgt X ONES);
    (Icmp Ugt (And X Y) X) => 0;
    (Icmp Ule (And X Y) X) => ONES;
    (Icmp Ult (Or X Y) X) => 0;
    (Icmp Uge (Or X Y) X) => ONES;
    (Icmp Ult (Urem X Y) Y) => 1;
    (Icmp Ugt Y (Urem X Y)) => 1;
    (Icmp Uge (Urem X Y) Y) => 0;
    (Icmp Ule Y (Urem X Y)) => 0;

    (Icmp P (Zext X) (Zext Y)) => (Icmp UNSIGNED X Y) if |b| b.ty(X) == b.ty(Y);
    (Icmp P (Sext X) (Sext Y)) => (Icmp P X Y) if |b| b.ty(X) == b.ty(Y) && b.width(X) > 1;
    (Icmp P (Zext X) C) -> (Icmp UNSIGNED X (Trunc[X] C)) if |b| {
        let all = mask(b.width(X));
        b.each(C, |c| c <= all)
    };
    (Icmp Eq (Zext X) C) => 0 if |b| b.each(C, |c| c > mask(b.width(X)));
    (Icmp Ne (Zext X) C) => ONES if |b| b.each(C, |c| c > mask(b.width(X)));
    (Icmp Ult (Zext X) C) => ONES if |b| b.each(C, |c| c > mask(b.width(X)));
    (Icmp Ugt (Zext X) C) => 0 if |b| b.each(C, |c| c > mask(b.width(X)));
    (Icmp Slt (Zext X) C) => 0 if |b| b.each(C, |c| signed(b.width(C), c) <= 0);
    (Icmp Sgt (Zext X) C) => ONES if |b| b.each(C, |c| signed(b.width(C), c) < 0);
    (Icmp P (Sext X) C) -> (Icmp P X (Trunc[X] C)) if |b| {
        let (narrow, wide) = (b.width(X), b.width(C));
        narrow > 1 && b.each(C, |c| signed(narrow, c & mask(narrow)) == signed(wide, c))
    };
    (Icmp P (Select X C D) E) => (Select X (Icmp P C E) (Icmp P D E));
    (Icmp Eq (Select X C Y) C) => (Or X (Icmp Eq Y C));
    (Icmp Ne (Select X Y C) C) => (And X (Icmp Ne Y C));
    (Icmp Ne (Select (Icmp P X Y) C Z) C) => (And (Icmp INVERTED X Y) (Icmp Ne Z C));
    (Icmp Eq (Select (Icmp P X Y) Z C) C) => (Or (Icmp INVERTED X Y) (Icmp Eq Z C));
    (Icmp P (PtrToInt X) (PtrToInt Y)) => (Icmp UNSIGNED X Y) if |b| b.is_unsigned();
    (Icmp P (PtrToInt X) 0) -> (Icmp P X 0) if |b| b.is_equality();
    (Icmp Eq (PtrAdd X Y) X) -> (Icmp Eq Y 0);
    (Icmp Ne (PtrAdd X Y) X) -> (Icmp Ne Y 0);
    (Icmp P (PtrAdd X Y) (PtrAdd X Z)) => (Icmp P Y Z) if |b| b.is_equality();

    (Fcmp P X X) => ONES if |b| b.holds_for_equal_and_nan() == Some((true, true));
    (Fcmp P X X) => 0 if |b| b.holds_for_equal_and_nan() == Some((false, false));
    (Fcmp Oeq X X) -> (Fcmp Ord X X);
    (Fcmp Ole X X) -> (Fcmp Ord X X);
    (Fcmp Oge X X) -> (Fcmp Ord X X);
    (Fcmp Une X X) -> (Fcmp Uno X X);
    (Fcmp FUlt X X) -> (Fcmp Uno X X);
    (Fcmp FUgt X X) -> (Fcmp Uno X X);
    (Fcmp P (Fneg X) (Fneg Y)) => (Fcmp SWAPPED X Y);
    (Fcmp P (Fneg X) C) -> (Fcmp SWAPPED X (Fneg C));
    (Fcmp P (Fpext X) (Fpext Y)) => (Fcmp P X Y) if |b| b.ty(X) == b.ty(Y);
    // No compare sees the sign of a zero or of a NaN.
    (Fcmp P (Select (Fcmp Q X C) (Fneg X) X) Y) => (Fcmp P (Fabs X) Y) if |b| b.is_below_zero(C);
    (Fcmp P (Select (Fcmp Q X C) X (Fneg X)) Y) => (Fcmp P (Fabs X) Y) if |b| b.is_above_zero(C);
    (Fcmp P Y (Select (Fcmp Q X C) (Fneg X) X)) => (Fcmp P Y (Fabs X)) if |b| b.is_below_zero(C);
    (Fcmp P Y (Select (Fcmp Q X C) X (Fneg X))) => (Fcmp P Y (Fabs X)) if |b| b.is_above_zero(C);
    (Fcmp Olt (Fabs X) C) => 0 if |b| b.each(C, |c| c == 0);
    (Fcmp Oeq (Fabs X) C) -> (Fcmp Oeq X C) if |b| b.each(C, |c| c == 0);
    (Fcmp Une (Fabs X) C) -> (Fcmp Une X C) if |b| b.each(C, |c| c == 0);
    (Fcmp Ord (Fabs X) (Fabs X)) -> (Fcmp Ord X X);
    (Fcmp Uno (Fabs X) (Fabs X)) -> (Fcmp Uno X X);
}
