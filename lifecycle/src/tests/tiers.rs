use crate::tiers::{BadLine, Budgets, Tier, Tiering, read_decisions, write_decisions};

#[test]
fn functions_begin_quick_and_go_up_by_what_they_run() {
    let tiering = Tiering::Adaptive(Budgets { quick: 100, warm: 1_000, doublings: 2 });
    assert_eq!(tiering.first("f"), Tier::Quick);
    assert_eq!(tiering.budget(Tier::Quick, 0), Some(100));
    assert_eq!(Tier::Quick.next(), Some(Tier::Warm));
    assert_eq!(tiering.budget(Tier::Warm, 0), Some(1_000));
    assert_eq!(Tier::Warm.next(), Some(Tier::Hot));
    assert_eq!(tiering.budget(Tier::Hot, 0), None);
    assert_eq!(Tier::Hot.next(), None);
}

#[test]
fn what_fails_is_tried_later_and_at_last_no_more() {
    let tiering = Tiering::Adaptive(Budgets { quick: 100, warm: 0, doublings: 2 });
    let budgets: Vec<_> = (0..5).map(|failures| tiering.budget(Tier::Quick, failures)).collect();
    assert_eq!(budgets, [Some(100), Some(200), Some(400), None, None]);
    assert_eq!(tiering.budget(Tier::Warm, 1), Some(2), "no budget is none that asks for ever");
    let endless = Tiering::Adaptive(Budgets { quick: u32::MAX, warm: 1, doublings: u32::MAX });
    assert_eq!(endless.budget(Tier::Quick, u32::MAX), Some(u32::MAX));
}

#[test]
fn a_fixed_tier_is_that_of_every_function_for_good() {
    for tier in Tier::ALL {
        assert_eq!(Tiering::Fixed(tier).first("f"), tier);
        assert!(Tier::ALL.iter().all(|&at| Tiering::Fixed(tier).budget(at, 0).is_none()));
    }
}

#[test]
fn decisions_are_replayed_as_they_were_recorded() {
    let decisions =
        [("g", Tier::Hot), ("f", Tier::Warm), ("a name", Tier::Quick), ("two\nlines", Tier::Hot)];
    let text = write_decisions(decisions);
    assert_eq!(text, "quick a name\nwarm f\nhot g\nhot two\\nlines\n");
    let tiering = Tiering::Replay(read_decisions(&text).unwrap());
    for (name, tier) in decisions {
        assert_eq!(tiering.first(name), tier);
    }
    assert_eq!(tiering.first("new"), Tier::Quick);
    assert_eq!(tiering.budget(Tier::Quick, 0), None);
}

#[test]
fn a_line_that_is_no_decision_is_told() {
    assert_eq!(read_decisions("hot f\n\nlukewarm g\n"), Err(BadLine(3)));
    assert_eq!(read_decisions("hot"), Err(BadLine(1)));
    assert_eq!(
        read_decisions("hot ").unwrap_err().to_string(),
        "line 1: a tier (quick, warm or hot), a space and a function belong there"
    );
}
