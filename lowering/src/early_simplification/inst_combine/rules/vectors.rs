//! Vectors: pure data. What asks for the lanes of a shuffle is a procedure.

use super::super::rule::words::C;
use super::super::rule::{condition_of, gain_of, holds_of, node, op_node, rule, rules};

rules! {
    (ExtractLane (Splat X) C) => X if |b| b.is_lane(C);
    (ExtractLane (InsertLane X Y C) C) => Y if |b| b.is_lane(C);
    (InsertLane X (ExtractLane X C) C) => X if |b| b.is_lane(C);
    (InsertLane (InsertLane X Y C) Z C) => (InsertLane X Z C) if |b| b.is_lane(C);
}
