//! Addresses: pure data. A constant part of an address goes to the end, where loads
//! and stores take it in.

use super::super::rule::words::Y;
use super::super::rule::{condition_of, gain_of, holds_of, node, op_node, rule, rules};

rules! {
    (PtrAdd X 0) => X;
    (PtrAdd (PtrAdd X C) D) -> (PtrAdd X (Add C D));
    (PtrAdd (PtrAdd X C) Y) -> (PtrAdd (PtrAdd X Y) C) if |b| !b.is_constant(Y);
    (PtrAdd X (Add Y C)) -> (PtrAdd (PtrAdd X Y) C) if |b| !b.is_constant(Y);
    (DerivedAdd X 0) => X;
    (DerivedAdd (DerivedAdd X C) D) -> (DerivedAdd X (Add C D));
    (DerivedAdd (DerivedAdd X C) Y) -> (DerivedAdd (DerivedAdd X Y) C) if |b| !b.is_constant(Y);
    (DerivedAdd X (Add Y C)) -> (DerivedAdd (DerivedAdd X Y) C) if |b| !b.is_constant(Y);
    (Sub (PtrToInt (PtrAdd X Y)) (PtrToInt X)) => Y;
    (Sub (PtrToInt X) (PtrToInt (PtrAdd X Y))) => (Neg Y);
    (Sub (PtrToInt (PtrAdd X Y)) (PtrToInt (PtrAdd X Z))) => (Sub Y Z);
    (PtrToInt (PtrAdd X Y)) -> (Add (PtrToInt X) Y);
}
