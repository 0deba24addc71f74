//! The cache, and the graphs and bodies that every analysis is tried on.

pub(super) mod bodies;
pub(crate) mod graphs;
pub(super) mod runs;

use brolga_ir::entity::Block;

use super::*;
use graphs::body_of;

#[test]
fn an_analysis_is_computed_once_and_again_when_it_was_dropped() {
    let body = body_of(&[vec![1, 2], vec![2], vec![]]);
    let mut analyses = Analyses::default();
    let first = analyses.dominators(&body);
    assert!(Rc::ptr_eq(&first, &analyses.dominators(&body)));
    analyses.keep(Kept::DOMINATORS);
    assert!(Rc::ptr_eq(&first, &analyses.dominators(&body)));
    analyses.keep(Kept::FLOW);
    assert!(!Rc::ptr_eq(&first, &analyses.dominators(&body)));
    let flow = analyses.flow(&body);
    analyses.drop_all();
    assert!(!Rc::ptr_eq(&flow, &analyses.flow(&body)));
}

#[test]
fn what_a_change_made_untrue_is_named() {
    let mut body = body_of(&[vec![1, 2], vec![2], vec![]]);
    let module = Module::default();
    let mut analyses = Analyses::default();
    assert_eq!(analyses.stale(&body, &module), None);
    analyses.dominators(&body);
    assert_eq!(analyses.stale(&body, &module), None);
    body.layout.remove_block(Block::from_u32(1));
    assert_eq!(analyses.stale(&body, &module), Some("flow"));
    analyses.keep(Kept::DOMINATORS);
    assert_eq!(analyses.stale(&body, &module), Some("dominators"));
    analyses.drop_all();
    assert_eq!(analyses.stale(&body, &module), None);
}
