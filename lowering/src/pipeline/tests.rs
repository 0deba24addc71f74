use super::*;

#[test]
fn the_table_keeps_its_own_order() {
    let all: Vec<&Pass> = PASSES.iter().collect();
    assert_eq!(ordering_faults(&all), [""; 0]);
    let backwards: Vec<&Pass> = PASSES.iter().rev().collect();
    assert!(!ordering_faults(&backwards).is_empty());
}

#[test]
fn names_are_unique_and_constraints_name_passes() {
    for (index, pass) in PASSES.iter().enumerate() {
        let position = PASSES.iter().position(|other| other.name == pass.name);
        assert_eq!(position, Some(index), "{}", pass.name);
        for before in pass.after {
            assert!(PASSES.iter().any(|other| other.name == *before), "{before}");
        }
        assert!(!pass.reason.is_empty(), "{}", pass.name);
    }
}

#[test]
fn stages_borders_and_forms_only_go_down() {
    for pair in PASSES.windows(2) {
        assert!(pair[0].stage <= pair[1].stage, "{}", pair[1].name);
        assert!(pair[0].border <= pair[1].border, "{}", pair[1].name);
        assert!(pair[0].form <= pair[1].form, "{}", pair[1].name);
    }
}

#[test]
fn a_level_runs_what_the_levels_below_it_run() {
    let names = |level| passes_at(level).iter().map(|pass| pass.name).collect::<Vec<_>>();
    assert!(names(Level::O0).iter().all(|name| names(Level::O3).contains(name)));
    assert_eq!(passes_named(["lower_expect", "licm3"]).err(), Some("licm3"));
    for &level in Level::ALL {
        let of_name = passes_named([level.name()]).unwrap();
        assert_eq!(of_name.iter().map(|pass| pass.name).collect::<Vec<_>>(), names(level));
    }
}
