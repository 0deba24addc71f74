use std::ffi::OsString;
use std::sync::{Arc, Mutex};

use brolga::lowering::pipeline::{Inspection, Remarks, Selection};
use brolga::{Config, Engine, Observer, Remark};

const MODULE: &str = "\
func @pick(i1) -> i64 {
entry(%c: i1):
    %e = expect.i1 %c, 1
    branch %e, one, two
one:
    return 1
two:
    return 2
}
";

/// Who keeps what is shown and remarked.
#[derive(Debug, Default)]
struct Listener {
    text: Mutex<String>,
    remarks: Mutex<Vec<Remark>>,
}

impl Observer for Listener {
    fn shown(&self, text: &str) {
        self.text.lock().unwrap().push_str(text);
    }

    fn remarked(&self, remark: &Remark) {
        self.remarks.lock().unwrap().push(remark.clone());
    }
}

/// How a module comes into an engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Coming {
    Loaded,
    Defined,
}

/// What an observer hears when the module is loaded, which does what it says.
fn heard(inspection: Inspection) -> (String, Vec<Remark>) {
    heard_of(MODULE, Coming::Loaded, inspection)
}

/// What an observer hears of a module by the time its engine is gone, which does what it says.
fn heard_of(module: &str, coming: Coming, inspection: Inspection) -> (String, Vec<Remark>) {
    let listener = Arc::new(Listener::default());
    let observer = Some(Arc::clone(&listener) as Arc<dyn Observer>);
    let engine = Engine::new(Config { observer, inspection, ..Config::default() }).unwrap();
    match coming {
        Coming::Loaded => engine.load(module).unwrap(),
        Coming::Defined => engine.define(module).unwrap(),
    }
    assert_eq!(engine.func::<(bool,), i64>("pick").unwrap().call((true,)).unwrap(), 1);
    drop(engine);
    let text = listener.text.lock().unwrap().clone();
    let remarks = listener.remarks.lock().unwrap().clone();
    (text, remarks)
}

#[test]
fn an_observer_is_shown_what_the_configuration_asks_for() {
    assert_eq!(heard(Inspection::default()), (String::new(), Vec::new()));
    let words = ["print-after=lower_expect", "print-only=pick", "time-passes", "stats"];
    let (text, remarks) = heard(Inspection::from_words(words).unwrap());
    assert!(text.starts_with("; behind lower_expect\nfunc @pick(i1) -> i64 {\n"), "{text}");
    assert_eq!(text.matches("; behind ").count(), 2, "each row of the pass: {text}");
    assert!(text.contains("  lower_expect\n") && text.contains(" all\n"), "{text}");
    assert!(text.contains("1  lower_expect: dropped hints\n"), "{text}");
    assert_eq!(remarks, []);
}

#[test]
fn variables_of_an_environment_ask_for_the_same() {
    let variables: [(OsString, OsString); 2] = [
        ("BROLGA_PRINT_AFTER".into(), "lower_expect".into()),
        ("BROLGA_PRINT_ONLY".into(), "pick".into()),
    ];
    let of_variables = heard(Inspection::from_environment(variables).unwrap());
    let print_after = Selection::Passes(vec!["lower_expect".into()]);
    let print_only = vec!["pick".into()];
    assert_eq!(
        of_variables,
        heard(Inspection { print_after, print_only, ..Inspection::default() })
    );
    assert!(!of_variables.0.is_empty());
}

#[test]
fn a_list_of_passes_runs_in_the_place_of_those_of_the_level() {
    let words = ["passes=dce,simplify_cfg", "print-after=all"];
    let listed = Inspection::from_words(words).unwrap();
    let variables: [(OsString, OsString); 2] = [
        ("BROLGA_PASSES".into(), "dce,simplify_cfg".into()),
        ("BROLGA_PRINT_AFTER".into(), "all".into()),
    ];
    assert_eq!(listed, Inspection::from_environment(variables).unwrap());
    for coming in [Coming::Loaded, Coming::Defined] {
        let (text, _) = heard_of(MODULE, coming, listed.clone());
        let ran: Vec<&str> =
            text.lines().filter_map(|line| line.strip_prefix("; behind ")).collect();
        let place = |name| ran.iter().position(|ran| *ran == name).unwrap();
        assert_eq!(place("dce") + 1, place("simplify_cfg"), "{coming:?}: {ran:?}");
        assert!(place("lower_expect") < place("dce"), "{coming:?}: {ran:?}");
        assert!(place("simplify_cfg") < place("legalize"), "{coming:?}: {ran:?}");
        assert!(!ran.contains(&"gvn") && !ran.contains(&"inst_combine"), "{coming:?}: {ran:?}");
    }
}

#[test]
fn times_and_counts_of_what_is_defined_are_shown_when_asked_for_and_at_the_end() {
    let inspection = Inspection::from_words(["time-passes", "stats"]).unwrap();
    let (text, _) = heard_of(MODULE, Coming::Defined, inspection.clone());
    assert!(text.contains("  lower_expect\n") && text.contains(" all\n"), "{text}");
    assert!(text.contains("1  lower_expect: dropped hints\n"), "{text}");
    let listener = Arc::new(Listener::default());
    let observer = Some(Arc::clone(&listener) as Arc<dyn Observer>);
    let engine = Engine::new(Config { observer, inspection, ..Config::default() }).unwrap();
    engine.define(MODULE).unwrap();
    assert_eq!(engine.func::<(bool,), i64>("pick").unwrap().call((false,)).unwrap(), 2);
    assert_eq!(*listener.text.lock().unwrap(), "");
    engine.finish_records().unwrap();
    let once = listener.text.lock().unwrap().clone();
    assert!(once.contains("1  lower_expect: dropped hints\n"), "{once}");
    engine.finish_records().unwrap();
    drop(engine);
    assert_eq!(*listener.text.lock().unwrap(), once, "what was shown is not shown again");
}

const LOCAL: &str = "\
local func @scaled(i64, i64) -> i64 inline never {
entry(%by: i64, %x: i64):
    %r = mul.i64 %x, %by
    return %r
}

func @pick(i1) -> i64 {
entry(%c: i1):
    %x = zext.i64 %c
    %r = call @scaled(7, %x)
    %s = sub.i64 %r, 6
    return %s
}
";

#[test]
fn what_a_local_function_is_called_with_is_known_where_it_is_compiled_alone() {
    for coming in [Coming::Loaded, Coming::Defined] {
        let words = ["print-after=sccp", "print-only=scaled"];
        let (text, _) = heard_of(LOCAL, coming, Inspection::from_words(words).unwrap());
        assert!(text.contains(" = mul.i64 %x, 7"), "{coming:?}: {text}");
    }
}

#[test]
fn passes_are_bisected_and_verified_each_as_the_configuration_says() {
    for coming in [Coming::Loaded, Coming::Defined] {
        let words = ["bisect-limit=3", "verify-each"];
        let (text, _) = heard_of(MODULE, coming, Inspection::from_words(words).unwrap());
        assert!(text.contains("bisect: 3: "), "{coming:?}: {text}");
        let left_out = |line: &&str| line.contains(" does not run on @pick");
        let first = text.lines().find(left_out).unwrap();
        assert!(first.starts_with("bisect: 4: "), "{coming:?}: {first}");
        assert_eq!(text.lines().filter(|line| line.contains(" runs on @pick")).count(), 3);
    }
}

#[test]
fn an_observer_is_told_what_passes_remark_with_its_line() {
    for remarks in [Remarks::Collected, Remarks::Text, Remarks::Json] {
        let (text, told) = heard(Inspection { remarks, ..Inspection::default() });
        let passes: Vec<_> = told.iter().map(|it| (it.pass, it.frames[0].line)).collect();
        assert_eq!(passes, [("lower_expect", 4), ("block_layout", 4)]);
        let shown: String = match remarks {
            Remarks::Text => told.iter().map(|remark| format!("{remark}\n")).collect(),
            Remarks::Json => told.iter().map(|remark| format!("{}\n", remark.to_json())).collect(),
            _ => String::new(),
        };
        assert_eq!(text, shown);
    }
}

#[test]
fn an_engine_survives_an_observer_that_panics_at_what_it_is_shown() {
    #[derive(Debug)]
    struct Panicking;
    impl Observer for Panicking {
        fn shown(&self, _: &str) {
            std::panic::resume_unwind(Box::new("quietly".to_owned()));
        }
    }
    let observer = Some(Arc::new(Panicking) as Arc<dyn Observer>);
    let inspection = Inspection { print_after: Selection::All, ..Inspection::default() };
    let engine = Engine::new(Config { observer, inspection, ..Config::default() }).unwrap();
    let before = engine.books();
    let error = engine.load(MODULE).unwrap_err().to_string();
    assert!(error.contains("quietly"), "{error}");
    assert_eq!(engine.books(), before);
}
