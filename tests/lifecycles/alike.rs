//! The same changes of the same libraries give the same answers, whether or not bodies are taken
//! over: names mean what they mean to their own modules, wherever these run.

use std::fmt::Write;

use brolga::ir::trap::TrapCode;
use brolga::lowering::level::Level;
use brolga::{Config, Engine, Library, Reach, Tracker, Visibility};
use proptest::prelude::*;

const LIBRARIES: [&str; 3] = ["main", "base", "user"];
const NAMES: [&str; 5] = ["a", "b", "c", "d", "e"];

/// What functions take, and what a call of one passes behind its first number.
const SIGNATURES: [(&str, &str, &str); 2] =
    [("(i64)", "(%x: i64)", ""), ("(i64, i64)", "(%x: i64, %z: i64)", ", 3")];

/// A function by its name and what it takes.
type Named = (usize, usize);

#[derive(Clone, Debug)]
enum Line {
    Add(i64),
    Call(Named),
    /// Calls by the address that a reference has.
    CallAddress(Named),
    Read(usize),
}

impl Line {
    fn called(&self) -> Option<Named> {
        match self {
            Line::Call(named) | Line::CallAddress(named) => Some(*named),
            Line::Add(_) | Line::Read(_) => None,
        }
    }

    fn data(&self) -> Option<usize> {
        match self {
            Line::Read(data) => Some(*data),
            Line::Add(_) | Line::Call(_) | Line::CallAddress(_) => None,
        }
    }
}

fn lines_of(functions: &[Function]) -> impl Iterator<Item = &Line> {
    functions.iter().flat_map(|function| &function.lines)
}

#[derive(Clone, Copy, Debug)]
enum Home {
    Library,
    Hidden,
    Tracker,
}

#[derive(Clone, Debug)]
struct Function {
    name: Named,
    linkage: &'static str,
    lines: Vec<Line>,
}

#[derive(Clone, Debug)]
enum Change {
    Define(usize, Home, Vec<Function>),
    DefineData(usize, usize, u32),
    Alias(usize, usize, (usize, usize)),
    Remove(usize, usize),
    RemoveTracked(usize),
    Clear(usize),
    Link(usize, usize, Reach),
    Unlink(usize, usize),
    DefineHost(Named),
    Collect,
    Call(usize, usize),
}

fn named() -> impl Strategy<Value = Named> {
    (0..NAMES.len(), prop_oneof![4 => Just(0), 1 => Just(1_usize)])
}

fn line() -> impl Strategy<Value = Line> {
    prop_oneof![
        2 => (1..100_i64).prop_map(Line::Add),
        4 => named().prop_map(Line::Call),
        1 => named().prop_map(Line::CallAddress),
        1 => (0..2_usize).prop_map(Line::Read),
    ]
}

fn function() -> impl Strategy<Value = Function> {
    let linkage = prop_oneof![4 => Just("export"), 1 => Just("weak"), 1 => Just("local")];
    let lines = proptest::collection::vec(line(), 1..3);
    (named(), linkage, lines, prop::bool::weighted(0.1)).prop_map(
        |(name, linkage, mut lines, may_recur)| {
            // Most programs are to come to an end.
            let recurs = |line: &Line| line.called().is_some_and(|called| called.0 <= name.0);
            for line in lines.iter_mut().filter(|line| !may_recur && recurs(line)) {
                *line = Line::Add(1);
            }
            Function { name, linkage, lines }
        },
    )
}

fn change() -> impl Strategy<Value = Change> {
    let library = || 0..LIBRARIES.len();
    let name = || 0..NAMES.len();
    let home =
        prop_oneof![4 => Just(Home::Library), 1 => Just(Home::Hidden), 1 => Just(Home::Tracker)];
    let reach = prop_oneof![3 => Just(Reach::Exports), 1 => Just(Reach::All)];
    prop_oneof![
        16 => (library(), home, proptest::collection::vec(function(), 1..3))
            .prop_map(|(library, home, all)| Change::Define(library, home, all)),
        3 => (library(), 0..2_usize, 0..3_u32).prop_map(|(l, n, words)| Change::DefineData(l, n, words)),
        1 => (library(), name(), (library(), name())).prop_map(|(l, n, of)| Change::Alias(l, n, of)),
        1 => (library(), name()).prop_map(|(l, n)| Change::Remove(l, n)),
        1 => library().prop_map(Change::RemoveTracked),
        1 => library().prop_map(Change::Clear),
        4 => (library(), library(), reach).prop_map(|(from, to, reach)| Change::Link(from, to, reach)),
        1 => (library(), library()).prop_map(|(from, to)| Change::Unlink(from, to)),
        1 => named().prop_map(Change::DefineHost),
        1 => Just(Change::Collect),
        24 => (library(), name()).prop_map(|(l, n)| Change::Call(l, n)),
    ]
}

/// What each name is declared as in a module, once: as a function of it first.
fn declared(functions: &[Function]) -> Vec<Named> {
    let called = lines_of(functions).filter_map(Line::called);
    let mut all: Vec<Named> = Vec::new();
    for named in functions.iter().map(|function| function.name).chain(called) {
        if all.iter().all(|known| known.0 != named.0) {
            all.push(named);
        }
    }
    all
}

/// The text of a module that declares what its functions name and do not define.
fn module_text(functions: &[Function], inlining: &str) -> String {
    let mut text = String::new();
    let mut read: Vec<usize> = lines_of(functions).filter_map(Line::data).collect();
    read.sort_unstable();
    read.dedup();
    for data in read {
        writeln!(text, "import data @{} size 8", data_name(data)).unwrap();
    }
    let declared = declared(functions);
    for &(name, signature) in &declared {
        match functions.iter().find(|function| function.name.0 == name) {
            Some(function) => write_function(&mut text, function, &declared, inlining),
            None => {
                let (name, (types, ..)) = (NAMES[name], SIGNATURES[signature]);
                writeln!(text, "import func @{name}{types} -> i64").unwrap();
            }
        }
    }
    text
}

fn data_name(data: usize) -> String {
    format!("of_{}", NAMES[data])
}

fn write_function(text: &mut String, function: &Function, declared: &[Named], inlining: &str) {
    let passed = |name: usize| {
        let signature = declared.iter().find(|named| named.0 == name).map_or(0, |named| named.1);
        SIGNATURES[signature]
    };
    let (types, params, _) = SIGNATURES[function.name.1];
    let name = NAMES[function.name.0];
    writeln!(text, "{} func @{name}{types} -> i64{inlining} {{\nb{params}:", function.linkage)
        .unwrap();
    let mut last = "%x".to_owned();
    for (index, line) in function.lines.iter().enumerate() {
        let next = format!("%y{index}");
        match line {
            Line::Add(number) => writeln!(text, "    {next} = add.i64 {last}, {number}"),
            Line::Call((name, _)) => {
                let (.., more) = passed(*name);
                writeln!(text, "    {next} = call @{}({last}{more})", NAMES[*name])
            }
            Line::CallAddress((name, _)) => {
                let (types, _, more) = passed(*name);
                writeln!(
                    text,
                    "    %f{index} = function_addr.fn{types} -> i64 @{}\n    {next} = \
                     call_indirect.fn{types} -> i64 %f{index}({last}{more})",
                    NAMES[*name]
                )
            }
            Line::Read(data) => writeln!(
                text,
                "    %d{index} = data_load.i64 @{}, 0\n    {next} = add.i64 {last}, %d{index}",
                data_name(*data)
            ),
        }
        .unwrap();
        last = next;
    }
    writeln!(text, "    return {last}\n}}").unwrap();
}

/// One engine under the changes.
struct Subject {
    engine: Engine,
    libraries: Vec<Library>,
    trackers: Vec<Tracker>,
    inlining: &'static str,
}

impl Subject {
    fn new(level: Level, inlining: &'static str) -> Subject {
        let engine = Engine::new(Config { level, ..Config::default() }).unwrap();
        let library =
            |name: &str| engine.library(name).map_or_else(|| engine.add_library(name), Ok);
        let libraries: Vec<Library> = LIBRARIES.iter().map(|name| library(name).unwrap()).collect();
        let trackers = libraries.iter().map(|it| it.add_tracker().unwrap()).collect();
        Subject { engine, libraries, trackers, inlining }
    }

    /// What comes of a change: an answer, or that there was none.
    fn apply(&mut self, change: &Change) -> String {
        let libraries = &self.libraries;
        match change {
            Change::Define(library, home, functions) => {
                let text = module_text(functions, self.inlining);
                let parsed = || brolga::ir::text::parse_module(&text).unwrap();
                told(match home {
                    Home::Library => libraries[*library].define(&text),
                    Home::Hidden => libraries[*library].define_hidden(parsed()),
                    Home::Tracker => self.trackers[*library].define(&text),
                })
            }
            Change::DefineData(library, data, words) => {
                let words = if *words == 0 { "i32 1".to_owned() } else { format!("i64 {words}") };
                let owner = format!("own_{}", data_name(*data));
                told(libraries[*library].define(&format!(
                    "data @{} = {{ {words} }}\nexport func @{owner}() {{\nb:\n    return\n}}",
                    data_name(*data)
                )))
            }
            Change::Alias(library, name, (of, target)) => told(libraries[*library].alias(
                NAMES[*name],
                (&libraries[*of], NAMES[*target]),
                Visibility::Exported,
            )),
            Change::Remove(library, name) => told(libraries[*library].remove(NAMES[*name])),
            Change::RemoveTracked(library) => {
                let fresh = libraries[*library].add_tracker().unwrap();
                let old = std::mem::replace(&mut self.trackers[*library], fresh);
                told(old.remove())
            }
            Change::Clear(library) => told(libraries[*library].clear()),
            Change::Link(from, to, reach) => {
                told(libraries[*from].link_to(&libraries[*to], *reach))
            }
            Change::Unlink(from, to) => told(libraries[*from].unlink(&libraries[*to])),
            Change::DefineHost((name, 0)) => {
                told(self.engine.define_host(NAMES[*name], |x: i64| x ^ 1))
            }
            Change::DefineHost((name, _)) => {
                told(self.engine.define_host(NAMES[*name], |x: i64, y: i64| x ^ y))
            }
            Change::Collect => {
                self.engine.collect();
                String::new()
            }
            Change::Call(library, name) => self.call(*library, NAMES[*name]),
        }
    }

    fn call(&self, library: usize, name: &str) -> String {
        let library = &self.libraries[library];
        let told = |result: Result<i64, brolga::CallError>| match result {
            Ok(number) => number.to_string(),
            Err(error) => match error.trap() {
                Some(trap) => trap.code.to_string(),
                None => format!("{error}"),
            },
        };
        if let Ok(function) = library.func::<(i64,), i64>(name) {
            return told(function.call((1000,)));
        }
        match library.func::<(i64, i64), i64>(name) {
            Ok(function) => told(function.call((1000, 7))),
            Err(error) => format!("{error}"),
        }
    }
}

fn told<T, E: std::fmt::Display>(result: Result<T, E>) -> String {
    result.err().map_or_else(String::new, |error| error.to_string())
}

/// Whether two engines may answer so. What the removal of data stops is code that is compiled
/// behind it, and which that is depends on what has been taken over.
fn is_alike(one: &str, other: &str) -> bool {
    let refused = TrapCode::RefusedFunction.to_string();
    one == other || one == refused || other == refused
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn names_mean_the_same_whether_or_not_bodies_are_taken_over(
        changes in proptest::collection::vec(change(), 1..60)
    ) {
        let mut subjects = [
            Subject::new(Level::O0, ""),
            Subject::new(Level::O2, " inline never"),
            Subject::new(Level::O2, ""),
        ];
        for change in &changes {
            let [plain, apart, taken] = subjects.each_mut().map(|it| it.apply(change));
            for other in [apart, taken] {
                prop_assert!(is_alike(&plain, &other), "{:?}: {} and {}", change, plain, other);
            }
        }
    }
}
