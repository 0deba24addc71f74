//! Checked arithmetic: pure data. A trap that cannot happen goes, one that may stays.

use super::super::rule::{condition_of, gain_of, holds_of, node, op_node, rule, rules};

rules! {
    (SaddTrap X 0) => X;
    (UaddTrap X 0) => X;
    (SsubTrap X 0) => X;
    (SsubTrap X X) => 0;
    (UsubTrap X 0) => X;
    (UsubTrap X X) => 0;
    (SmulTrap X 0) => 0;
    (SmulTrap X 1) => X;
    (UmulTrap X 0) => 0;
    (UmulTrap X 1) => X;
}
