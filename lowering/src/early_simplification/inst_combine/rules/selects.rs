//! Selects, and the minima, maxima and absolute values that are written as such: pure
//! data.

use super::super::bound::is_address;
use super::super::rule::words::{C, D, X, Y};
use super::super::rule::{condition_of, gain_of, holds_of, node, op_node, rule, rules};
use brolga_ir::types::Type;

rules! {
    (Select 1 X Y) => X;
    (Select 0 X Y) => Y;
    (Select X Y Y) => Y;
    (Select X 1 0) => X if |b| b.binding.root == Type::I1;
    (Select X 0 1) => (Not X) if |b| b.binding.root == Type::I1;
    (Select X X Y) => (Or X Y);
    (Select X Y X) => (And X Y);
    (Select X 1 Y) => (Or X Y) if |b| b.binding.root == Type::I1;
    (Select X Y 0) => (And X Y) if |b| b.binding.root == Type::I1;
    (Select X 1 0) => (Zext[ROOT] X);
    (Select X ONES 0) => (Sext[ROOT] X);
    (Select X (Zext Y) 0) => (Zext[ROOT] (And X Y)) if |b| b.ty(Y) == Type::I1;
    (Select (Not X) Y Z) => (Select X Z Y);
    // Equal addresses are not of one object.
    (Select (Icmp Eq X Y) X Y) => Y if |b| !is_address(b.ty(X));
    (Select (Icmp Eq X Y) Y X) => X if |b| !is_address(b.ty(X));
    (Select (Icmp Ne X Y) X Y) => X if |b| !is_address(b.ty(X));
    (Select (Icmp Ne X Y) Y X) => Y if |b| !is_address(b.ty(X));
    (Select X (Select X Y Z) W) -> (Select X Y W);
    (Select X Y (Select X Z W)) -> (Select X Y W);

    (Select (Icmp Slt X Y) X Y) => (Smin X Y);
    (Select (Icmp Sle X Y) X Y) => (Smin X Y);
    (Select (Icmp Sgt X Y) X Y) => (Smax X Y);
    (Select (Icmp Sge X Y) X Y) => (Smax X Y);
    (Select (Icmp Slt X Y) Y X) => (Smax X Y);
    (Select (Icmp Sle X Y) Y X) => (Smax X Y);
    (Select (Icmp Sgt X Y) Y X) => (Smin X Y);
    (Select (Icmp Sge X Y) Y X) => (Smin X Y);
    (Select (Icmp Ult X Y) X Y) => (Umin X Y);
    (Select (Icmp Ule X Y) X Y) => (Umin X Y);
    (Select (Icmp Ugt X Y) X Y) => (Umax X Y);
    (Select (Icmp Uge X Y) X Y) => (Umax X Y);
    (Select (Icmp Ult X Y) Y X) => (Umax X Y);
    (Select (Icmp Ule X Y) Y X) => (Umax X Y);
    (Select (Icmp Ugt X Y) Y X) => (Umin X Y);
    (Select (Icmp Uge X Y) Y X) => (Umin X Y);
    (Select (Icmp Slt X C) X D) => (Smin X D) if |b| b.is_next(D, C) && !b.is_least(C);
    (Select (Icmp Slt X C) D X) => (Smax X D) if |b| b.is_next(D, C) && !b.is_least(C);
    (Select (Icmp Sgt X C) X D) => (Smax X D) if |b| b.is_next(C, D) && !b.is_least(D);
    (Select (Icmp Sgt X C) D X) => (Smin X D) if |b| b.is_next(C, D) && !b.is_least(D);
    (Select (Icmp Ult X C) X D) => (Umin X D) if |b| b.is_next(D, C) && b.each(C, |c| c != 0);
    (Select (Icmp Ult X C) D X) => (Umax X D) if |b| b.is_next(D, C) && b.each(C, |c| c != 0);
    (Select (Icmp Ugt X C) X D) => (Umax X D) if |b| b.is_next(C, D) && b.each(D, |d| d != 0);
    (Select (Icmp Ugt X C) D X) => (Umin X D) if |b| b.is_next(C, D) && b.each(D, |d| d != 0);
    (Select (Icmp Slt X 0) (Neg X) X) => (Abs X);
    (Select (Icmp Slt X 1) (Neg X) X) => (Abs X);
    (Select (Icmp Sgt X ONES) X (Neg X)) => (Abs X);
    (Select (Icmp Sgt X 0) X (Neg X)) => (Abs X);

    (VecSelect ONES X Y) => X;
    (VecSelect 0 X Y) => Y;
    (VecSelect X Y Y) => Y;
    (VecSelect (Not X) Y Z) => (VecSelect X Z Y);
    (VecSelect X (VecSelect X Y Z) W) -> (VecSelect X Y W);
    (VecSelect X Y (VecSelect X Z W)) -> (VecSelect X Y W);
    (VecSelect (Icmp Slt X Y) X Y) => (Smin X Y);
    (VecSelect (Icmp Sgt X Y) X Y) => (Smax X Y);
    (VecSelect (Icmp Slt X Y) Y X) => (Smax X Y);
    (VecSelect (Icmp Sgt X Y) Y X) => (Smin X Y);
    (VecSelect (Icmp Ult X Y) X Y) => (Umin X Y);
    (VecSelect (Icmp Ugt X Y) X Y) => (Umax X Y);
    (VecSelect (Icmp Ult X Y) Y X) => (Umax X Y);
    (VecSelect (Icmp Ugt X Y) Y X) => (Umin X Y);
}
