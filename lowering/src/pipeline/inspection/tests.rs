use super::*;

fn asked(words: &[&str]) -> Result<Inspection, String> {
    Inspection::from_words(words.iter().copied()).map_err(|error| error.to_string())
}

fn of_variables(variables: &[(&str, &str)]) -> Result<Inspection, String> {
    let variables = variables.iter().map(|&(name, value)| (name.into(), value.into()));
    Inspection::from_environment(variables).map_err(|error| error.to_string())
}

/// Everything at once.
const ALL: &[(&str, &str)] = &[
    ("passes", "gvn, inline(always)"),
    ("print-before", "legalize, lower_expect"),
    ("print-after", "changed"),
    ("print-only", "f,@g"),
    ("debug-only", "all"),
    ("time-passes", "on"),
    ("stats", "1"),
    ("remarks", "json"),
    ("bisect-limit", "1_200"),
    ("verify-each", "on"),
];

fn everything() -> Inspection {
    Inspection {
        passes: PassList::parse("gvn,inline(always)").ok(),
        print_before: Selection::Passes(vec!["legalize".into(), "lower_expect".into()]),
        print_after: Selection::Changed,
        print_only: vec!["f".into(), "g".into()],
        debug_only: Selection::All,
        time_passes: Switch::On,
        statistics: Switch::On,
        remarks: Remarks::Json,
        bisect_limit: Some(1200),
        verify_each: Switch::On,
    }
}

#[test]
fn options_and_variables_ask_for_the_same() {
    assert_eq!(ALL.len(), WORDS.len());
    let words: Vec<String> = ALL.iter().map(|(name, value)| format!("--{name}={value}")).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    assert_eq!(asked(&words).unwrap(), everything());
    let variable = |name: &str| format!("BROLGA_{}", name.replace('-', "_").to_uppercase());
    let variables: Vec<(String, &str)> =
        ALL.iter().map(|(name, value)| (variable(name), *value)).collect();
    let variables: Vec<(&str, &str)> =
        variables.iter().map(|(name, value)| (name.as_str(), *value)).collect();
    assert_eq!(of_variables(&variables).unwrap(), everything());
    let names: Vec<String> = WORDS.iter().map(InspectionWord::variable).collect();
    assert!(variables.iter().all(|(name, _)| names.iter().any(|known| known == name)));
}

#[test]
fn a_switch_needs_no_value_and_a_later_word_wins() {
    let inspection = asked(&["stats", "--remarks", "time-passes", "time-passes=off"]).unwrap();
    assert_eq!(inspection.statistics, Switch::On);
    assert_eq!(inspection.remarks, Remarks::Text);
    assert_eq!(inspection.time_passes, Switch::Off);
}

#[test]
fn nothing_that_is_asked_for_is_no_inspection() {
    assert!(asked(&[]).unwrap().is_empty());
    let others = [("PATH", "/bin"), ("BROLGA_LLVM", "/usr"), ("BROLGA_STATS", "")];
    assert!(of_variables(&others).unwrap().is_empty());
    assert!(of_variables(&[("BROLGA_REMARKS", "off"), ("BROLGA_STATS", "0")]).unwrap().is_empty());
    assert!(!everything().is_empty());
}

#[test]
fn an_error_says_what_was_said_what_is_wrong_and_what_there_is() {
    for (word, part) in [
        ("--print-aftr=all", "there is no such wish; there are passes, print-before"),
        ("--passes=gvn,licm3", "column 5: no pass is named `licm3`"),
        ("--passes", "write `passes=PASS,…`"),
        ("--print-after", "write `print-after=PASS,…|all|changed`"),
        ("--print-after=legalize,licm3", "column 10: no pass is named `licm3`; there are expand"),
        ("--print-before=legalize(x)", "column 1: there is no `legalize(x)`"),
        ("--debug-only=changed", "no pass is named `changed`"),
        ("--debug-only=", "there is no word"),
        ("--print-only=,", "name a function"),
        ("--bisect-limit=some", "the limit is a number, such as 12"),
        ("--bisect-limit=-1", "the limit is a number"),
        ("--stats=maybe", "it is `on` or `off`"),
        ("--remarks=xml", "there is `text`, a line for each, and `json`"),
    ] {
        let error = asked(&[word]).unwrap_err();
        assert!(error.starts_with(&format!("`{word}`: ")) && error.contains(part), "{error}");
    }
    let error = of_variables(&[("BROLGA_PRINT_AFTER", "licm3")]).unwrap_err();
    assert!(error.starts_with("`BROLGA_PRINT_AFTER=licm3`: column 1: no pass"), "{error}");
}

#[cfg(unix)]
#[test]
fn a_variable_that_is_no_text_is_an_error() {
    use std::os::unix::ffi::OsStringExt;
    let variables = [("BROLGA_STATS".into(), OsString::from_vec(vec![0xff]))];
    let error = Inspection::from_environment(variables).unwrap_err().to_string();
    assert!(error.ends_with("the value is no text"), "{error}");
}
