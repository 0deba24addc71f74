//! Integer arithmetic: pure data.

use super::super::rule::words::{C, D, Y};
use super::super::rule::{condition_of, gain_of, holds_of, node, op_node, rule, rules};

rules! {
    (Add X 0) => X;
    (Add X (Neg Y)) => (Sub X Y);
    (Add (Sub X Y) Y) => X;
    (Add X (Not X)) => ONES;
    (Add (Not X) 1) => (Neg X);
    (Add (And X Y) (Or X Y)) => (Add X Y);
    (Add (And X Y) (Xor X Y)) => (Or X Y);
    (Add (Mul X C) X) => (Mul X (Add C 1));
    (Add (Mul X C) (Mul X D)) => (Mul X (Add C D));
    (Add (Shl X C) (Lshr X D)) => (Rotl X C) if |b| {
        let width = u128::from(b.width(C));
        b.each_pair((C, D), |c, d| c < width && d < width && c + d == width)
    };
    (Add (Add X C) D) -> (Add X (Add C D));
    (Add (Mul (Add (Mul X C) D) E) F) -> (Add (Mul X (Mul C E)) (Add (Mul D E) F));
    (Add (Sub C X) D) -> (Sub (Add C D) X);
    (Add (Add X C) Y) -> (Add (Add X Y) C) if |b| !b.is_constant(Y);

    (Sub X 0) => X;
    (Sub X X) => 0;
    (Sub ONES X) => (Not X);
    (Sub 0 X) => (Neg X);
    (Sub X (Neg Y)) => (Add X Y);
    (Sub (Add X Y) Y) => X;
    (Sub X (Add X Y)) => (Neg Y);
    (Sub X (Sub X Y)) => Y;
    (Sub (Sub X Y) X) => (Neg Y);
    (Sub (Or X Y) (And X Y)) => (Xor X Y);
    (Sub (Or X Y) (Xor X Y)) => (And X Y);
    (Sub (Mul X C) X) => (Mul X (Sub C 1));
    (Sub (Mul X C) (Mul X D)) => (Mul X (Sub C D));
    (Sub C (Add X D)) -> (Sub (Sub C D) X);
    (Sub C (Sub D X)) -> (Add X (Sub C D));
    (Sub X C) -> (Add X (Neg C));
    (Sub (Add X C) Y) -> (Add (Sub X Y) C) if |b| !b.is_constant(Y);
    (Sub Y (Add X C)) -> (Add (Sub Y X) (Neg C)) if |b| !b.is_constant(Y);

    (Neg (Neg X)) => X;
    (Neg (Sub X Y)) => (Sub Y X);
    (Neg (Not X)) => (Add X 1);
    (Neg (Mul X C)) => (Mul X (Neg C));
    (Neg (Add X C)) => (Sub (Neg C) X);

    (Mul X 0) => 0;
    (Mul X 1) => X;
    (Mul X ONES) => (Neg X);
    (Mul X C) => (Shl X (Ctz C)) if |b| b.is_power_of_two(C);
    (Mul (Neg X) (Neg Y)) => (Mul X Y);
    (Mul (Neg X) C) => (Mul X (Neg C));
    (Mul (Mul X C) D) -> (Mul X (Mul C D));
    (Mul (Shl X C) D) -> (Mul X (Shl D C));

    (Udiv X 1) => X;
    (Udiv X C) => (Lshr X (Ctz C)) if |b| b.is_power_of_two(C);
    (Urem X 1) => 0;
    (Urem X C) => (And X (Sub C 1)) if |b| b.is_power_of_two(C);
    (Sdiv X 1) => X;
    (Sdiv X C) => (Ashr (Add X (Lshr (Ashr X TOP_BIT) (Sub WIDTH (Ctz C)))) (Ctz C)) if |b| {
        let width = b.width(C);
        b.each(C, |c| c.is_power_of_two() && c > 1 && c >> (width - 1) == 0)
    };
    (Srem X 1) => 0;
    (Srem X ONES) => 0;
    (Srem X C) => (Sub X (And (Add X (Lshr (Ashr X TOP_BIT) (Sub WIDTH (Ctz C)))) (Neg C))) if |b| {
        let width = b.width(C);
        b.each(C, |c| c.is_power_of_two() && c > 1 && c >> (width - 1) == 0)
    };

    (Abs (Abs X)) => (Abs X);
    (Abs (Neg X)) => (Abs X);

    (Smin X X) => X;
    (Smin X LEAST) => LEAST;
    (Smin X GREATEST) => X;
    (Smin (Smax X Y) Y) => Y;
    (Smin (Smin X Y) Y) => (Smin X Y);
    (Smin (Smin X C) D) -> (Smin X (Smin C D));
    (Smax X X) => X;
    (Smax X LEAST) => X;
    (Smax X GREATEST) => GREATEST;
    (Smax (Smin X Y) Y) => Y;
    (Smax (Smax X Y) Y) => (Smax X Y);
    (Smax (Smax X C) D) -> (Smax X (Smax C D));
    (Umin X X) => X;
    (Umin X 0) => 0;
    (Umin X ONES) => X;
    (Umin (Umax X Y) Y) => Y;
    (Umin (Umin X Y) Y) => (Umin X Y);
    (Umin (Umin X C) D) -> (Umin X (Umin C D));
    (Umax X X) => X;
    (Umax X 0) => X;
    (Umax X ONES) => ONES;
    (Umax (Umin X Y) Y) => Y;
    (Umax (Umax X Y) Y) => (Umax X Y);
    (Umax (Umax X C) D) -> (Umax X (Umax C D));

    (SaddSat X 0) => X;
    (SsubSat X 0) => X;
    (SsubSat X X) => 0;
    (UaddSat X 0) => X;
    (UaddSat X ONES) => ONES;
    (UsubSat X 0) => X;
    (UsubSat X X) => 0;
    (UsubSat 0 X) => 0;
    (UsubSat X ONES) => 0;

    (Umulhi X 0) => 0;
    (Umulhi X 1) => 0;
    (Smulhi X 0) => 0;
    (Smulhi X 1) => (Ashr X TOP_BIT);
}
