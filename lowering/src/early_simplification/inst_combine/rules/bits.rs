//! Bit patterns: pure data.

use super::super::bound::mask;
use super::super::rule::words::{C, D, E, X, Y};
use super::super::rule::{condition_of, gain_of, holds_of, node, op_node, rule, rules};

rules! {
    (And X X) => X;
    (And X 0) => 0;
    (And X ONES) => X;
    (And X (Not X)) => 0;
    (And X (Or X Y)) => X;
    (And X (And X Y)) => (And X Y);
    (And X (Or (Not X) Y)) => (And X Y);
    (And X (Not (And X Y))) => (And X (Not Y));
    (And (Not X) (Not Y)) => (Not (Or X Y));
    (And (Or X Y) (Not (And X Y))) => (Xor X Y);
    (And (Or X Y) (Or X (Not Y))) => X;
    (And (Or X C) D) => (And X D) if |b| b.each_pair((C, D), |c, d| c & d == 0);
    (And (Or X C) D) => D if |b| b.each_pair((C, D), |c, d| c & d == d);
    (And (Xor X C) D) => (And X D) if |b| b.each_pair((C, D), |c, d| c & d == 0);
    (And (Icmp Sgt X ONES) (Icmp Slt X C)) => (Icmp Ult X C) if |b| {
        let width = b.width(C);
        b.each(C, |c| c >> (width - 1) == 0)
    };
    (And (Icmp Ugt X C) (Icmp Ult X D)) => (Icmp Ult (Add X (Not C)) (Add D (Not C))) if |b| {
        !b.ty(X).is_vector() && b.each_pair((C, D), |c, d| c < d && d - c > 1)
    };
    (And (Icmp Sgt X C) (Icmp Slt X D)) => (Icmp Ult (Add X (Not C)) (Add D (Not C))) if |b| {
        let least = 1_u128 << (b.width(C) - 1);
        !b.ty(X).is_vector() && b.each_pair((C, D), |c, d| (c ^ least).saturating_add(1) < (d ^ least))
    };
    (And (Icmp Eq X 0) (Icmp Eq Y 0)) => (Icmp Eq (Or X Y) 0) if |b| b.ty(X) == b.ty(Y);
    (And (Icmp Slt X 0) (Icmp Slt Y 0)) => (Icmp Slt (And X Y) 0) if |b| b.ty(X) == b.ty(Y);
    (And (And X C) D) -> (And X (And C D));
    (And (And X C) Y) -> (And (And X Y) C) if |b| !b.is_constant(Y);

    (Or X X) => X;
    (Or X 0) => X;
    (Or X ONES) => ONES;
    (Or X (Not X)) => ONES;
    (Or X (And X Y)) => X;
    (Or X (Or X Y)) => (Or X Y);
    (Or X (And (Not X) Y)) => (Or X Y);
    (Or X (Xor X Y)) => (Or X Y);
    (Or (Not X) (Not Y)) => (Not (And X Y));
    (Or (And X Y) (And X (Not Y))) => X;
    (Or (And X Y) (Xor X Y)) => (Or X Y);
    (Or (And X C) (And X D)) => (And X (Or C D));
    (Or (And X C) D) => (Or X D) if |b| {
        let all = mask(b.width(C));
        b.each_pair((C, D), |c, d| c | d == all)
    };
    (Or (And X C) D) => D if |b| b.each_pair((C, D), |c, d| c & !d == 0);
    (Or (Shl X C) (Lshr X D)) => (Rotl X C) if |b| {
        let width = u128::from(b.width(C));
        b.each_pair((C, D), |c, d| c < width && d < width && c + d == width)
    };
    (Or (Icmp Ult X C) (Icmp Ugt X D)) => (Icmp Ugt (Add X (Neg C)) (Sub D C)) if |b| {
        !b.ty(X).is_vector() && b.each_pair((C, D), |c, d| c <= d)
    };
    (Or (Icmp Slt X C) (Icmp Sgt X D)) => (Icmp Ugt (Add X (Neg C)) (Sub D C)) if |b| {
        let least = 1_u128 << (b.width(C) - 1);
        !b.ty(X).is_vector() && b.each_pair((C, D), |c, d| (c ^ least) <= (d ^ least))
    };
    (Or (Icmp Ult (Add X C) E) (Icmp Ult (Add X D) E))
        => (Icmp Ult (Add (And X (Not (Xor (Neg C) (Neg D)))) C) E) if |b| {
            !b.ty(X).is_vector() && b.are_twins(C, D, E)
        };
    (Or (Icmp Ne X 0) (Icmp Ne Y 0)) => (Icmp Ne (Or X Y) 0) if |b| b.ty(X) == b.ty(Y);
    (Or (Icmp Slt X 0) (Icmp Slt Y 0)) => (Icmp Slt (Or X Y) 0) if |b| b.ty(X) == b.ty(Y);
    (Or (Icmp Slt X Y) (Icmp Eq X Y)) => (Icmp Sle X Y);
    (Or (Icmp Sgt X Y) (Icmp Eq X Y)) => (Icmp Sge X Y);
    (Or (Icmp Ult X Y) (Icmp Eq X Y)) => (Icmp Ule X Y);
    (Or (Icmp Ugt X Y) (Icmp Eq X Y)) => (Icmp Uge X Y);
    (Or (Or X C) D) -> (Or X (Or C D));
    (Or (Or X C) Y) -> (Or (Or X Y) C) if |b| !b.is_constant(Y);

    (Xor X X) => 0;
    (Xor X 0) => X;
    (Xor X ONES) => (Not X);
    (Xor X (Not X)) => ONES;
    (Xor (Not X) (Not Y)) => (Xor X Y);
    (Xor (Xor X Y) Y) => X;
    (Xor (Or X Y) (And X Y)) => (Xor X Y);
    (Xor (Or X Y) (Xor X Y)) => (And X Y);
    (Xor (And X Y) (Xor X Y)) => (Or X Y);
    (Xor (And X C) (And X D)) => (And X (Xor C D));
    (Xor (Not X) C) => (Xor X (Not C));
    (Xor (Shl X C) (Lshr X D)) => (Rotl X C) if |b| {
        let width = u128::from(b.width(C));
        b.each_pair((C, D), |c, d| c < width && d < width && c + d == width)
    };
    (Xor (Xor X C) D) -> (Xor X (Xor C D));
    (Xor (Xor X C) Y) -> (Xor (Xor X Y) C) if |b| !b.is_constant(Y);

    (Not (Not X)) => X;
    (Not (Neg X)) => (Add X ONES);
    (Not (Xor X C)) => (Xor X (Not C));
    (Not (Add X C)) => (Sub (Not C) X);
    (Not (And (Not X) Y)) => (Or X (Not Y));
    (Not (Or (Not X) Y)) => (And X (Not Y));
    (Not (Icmp P X Y)) => (Icmp INVERTED X Y);
    (Not (Fcmp P X Y)) => (Fcmp INVERTED X Y);

    (Popcount (Bswap X)) => (Popcount X);
    (Popcount (Bitreverse X)) => (Popcount X);
    (Popcount (Rotl X Y)) => (Popcount X);
    (Popcount (Rotr X Y)) => (Popcount X);
    (Ctz (Neg X)) => (Ctz X);
    (Ctz (Abs X)) => (Ctz X);
    (Ctz (Bitreverse X)) => (Clz X);
    (Clz (Bitreverse X)) => (Ctz X);
    (Bswap (Bswap X)) => X;
    (Bitreverse (Bitreverse X)) => X;
}
