//! Shifts and rotations: pure data.

use super::super::bound::mask;
use super::super::rule::words::{C, D};
use super::super::rule::{condition_of, gain_of, holds_of, node, op_node, rule, rules};

rules! {
    (Shl X 0) => X;
    (Shl 0 X) => 0;
    (Shl X C) => 0 if |b| {
        let width = u128::from(b.width(C));
        b.each(C, |c| c >= width)
    };
    (Shl (Shl X C) D) => 0 if |b| {
        let width = u128::from(b.width(C));
        b.is_shift(C) && b.is_shift(D) && b.each_pair((C, D), |c, d| c + d >= width)
    };
    (Shl (Lshr X C) C) => (And X (Shl ONES C)) if |b| b.is_shift(C);
    (Shl (Ashr X C) C) => (And X (Shl ONES C)) if |b| b.is_shift(C);
    (Shl (Shl X C) D) -> (Shl X (Add C D)) if |b| {
        let width = u128::from(b.width(C));
        b.is_shift(C) && b.is_shift(D) && b.each_pair((C, D), |c, d| c + d < width)
    };
    (Shl (Mul X C) D) => (Mul X (Shl C D));
    (Shl (Add X C) D) -> (Add (Shl X D) (Shl C D));

    (Lshr X 0) => X;
    (Lshr 0 X) => 0;
    (Lshr X C) => 0 if |b| {
        let width = u128::from(b.width(C));
        b.each(C, |c| c >= width)
    };
    (Lshr (Lshr X C) D) => 0 if |b| {
        let width = u128::from(b.width(C));
        b.is_shift(C) && b.is_shift(D) && b.each_pair((C, D), |c, d| c + d >= width)
    };
    (Lshr (Shl X C) C) => (And X (Lshr ONES C)) if |b| b.is_shift(C);
    (Lshr (Ashr X C) TOP_BIT) -> (Lshr X TOP_BIT);
    (Lshr (Lshr X C) D) -> (Lshr X (Add C D)) if |b| {
        let width = u128::from(b.width(C));
        b.is_shift(C) && b.is_shift(D) && b.each_pair((C, D), |c, d| c + d < width)
    };

    (Ashr X 0) => X;
    (Ashr 0 X) => 0;
    (Ashr ONES X) => ONES;
    (Ashr X C) -> (Ashr X TOP_BIT) if |b| {
        let width = u128::from(b.width(C));
        b.each(C, |c| c >= width)
    };
    (Ashr (Ashr X C) D) -> (Ashr X (Add C D)) if |b| {
        let width = u128::from(b.width(C));
        b.is_shift(C) && b.is_shift(D) && b.each_pair((C, D), |c, d| c + d < width)
    };
    (Ashr (Ashr X C) D) -> (Ashr X TOP_BIT) if |b| {
        let width = u128::from(b.width(C));
        b.is_shift(C) && b.is_shift(D) && b.each_pair((C, D), |c, d| c + d >= width)
    };
    (Ashr (Lshr X C) D) -> (Lshr (Lshr X C) D) if |b| b.is_shift(C) && b.each(C, |c| c > 0);

    (And (Shl X C) D) => (Shl X C) if |b| {
        let all = mask(b.width(C));
        b.is_shift(C) && b.each_pair((C, D), |c, d| (all << c) & all & !d == 0)
    };
    (And (Shl X C) D) => 0 if |b| {
        let all = mask(b.width(C));
        b.is_shift(C) && b.each_pair((C, D), |c, d| (all << c) & all & d == 0)
    };
    (And (Lshr X C) D) => (Lshr X C) if |b| {
        let all = mask(b.width(C));
        b.is_shift(C) && b.each_pair((C, D), |c, d| (all >> c) & !d == 0)
    };
    (And (Lshr X C) D) => 0 if |b| {
        let all = mask(b.width(C));
        b.is_shift(C) && b.each_pair((C, D), |c, d| (all >> c) & d == 0)
    };
    (And (Ashr X C) D) -> (And (Lshr X C) D) if |b| {
        let all = mask(b.width(C));
        b.is_shift(C) && b.each_pair((C, D), |c, d| !(all >> c) & d == 0)
    };

    (Rotl X 0) => X;
    (Rotl 0 X) => 0;
    (Rotl ONES X) => ONES;
    (Rotl (Rotl X C) D) -> (Rotl X (Add C D)) if |b| b.is_shift(C) && b.is_shift(D);
    (Rotl X C) => X if |b| {
        let width = u128::from(b.width(C));
        b.each(C, |c| c % width == 0)
    };
    (Rotr 0 X) => 0;
    (Rotr ONES X) => ONES;
    (Rotr X C) -> (Rotl X (Sub WIDTH C)) if |b| b.is_shift(C);

    (Fshl X Y C) => X if |b| {
        let width = u128::from(b.width(C));
        b.each(C, |c| c % width == 0)
    };
    (Fshr X Y C) => Y if |b| {
        let width = u128::from(b.width(C));
        b.each(C, |c| c % width == 0)
    };
    (Fshl X X Y) => (Rotl X Y);
    (Fshr X X Y) => (Rotr X Y);
}
