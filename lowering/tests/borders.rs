//! A module can be written down between any two passes, and read again: the passes that are left
//! make the same of it.

use std::collections::HashMap;
use std::path::Path;

use brolga_ir::module::Module;
use brolga_ir::text::{parse_module, print_module};
use brolga_lowering::pipeline::{Level, Pass, Report, RunOptions, passes_at, run_passes};
use brolga_lowering::target::TargetSpec;

const MODULES: &[&str] = &[
    "examples/nbody.bir",
    "tests/filetests/programs/life.bir",
    "tests/filetests/programs/edit-distance.bir",
];

fn module(path: &str) -> Module {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path);
    parse_module(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn behind(mut module: Module, passes: &[&'static Pass], target: &TargetSpec) -> Module {
    let options = RunOptions::new(target);
    run_passes(&mut module, passes, &options, &mut Report::default()).unwrap();
    module
}

fn is_of_name(sign: char) -> bool {
    sign.is_ascii_alphanumeric() || "_.%".contains(sign)
}

/// The lines of a text without source lines, which a text has of its own, and with values and
/// blocks by the order in which they come: reading numbers them anew.
fn plain(text: &str) -> Vec<String> {
    let mut lines = Vec::new();
    let mut names: HashMap<String, usize> = HashMap::new();
    let mut blocks: Vec<&str> = Vec::new();
    for function in text.split("\n}") {
        names.clear();
        let labels = function.lines().filter(|line| line.ends_with(':'));
        blocks.clear();
        blocks.extend(labels.filter_map(|line| line.split(['(', ':']).next()));
        for line in function.lines().filter(|line| !line.starts_with("    loc")) {
            let line = line.split(" !loc").next().unwrap_or(line);
            let mut plain = String::new();
            for piece in line.split_inclusive(|sign| !is_of_name(sign)) {
                let name = piece.trim_end_matches(|sign| !is_of_name(sign));
                if name.starts_with('%') || blocks.contains(&name) {
                    let next = names.len();
                    let number = *names.entry(name.to_owned()).or_insert(next);
                    plain += &format!("#{number}{}", &piece[name.len()..]);
                } else {
                    plain += piece;
                }
            }
            lines.push(plain);
        }
    }
    lines
}

#[test]
fn what_is_written_down_at_a_border_goes_on_as_if_it_had_not_been() {
    let target = TargetSpec::parse("x86_64-linux/x86-64-v3").unwrap();
    for level in [Level::O0, Level::O2] {
        let passes = passes_at(level);
        for name in MODULES {
            let mut at = module(name);
            let whole = plain(&print_module(&behind(at.clone(), &passes, &target)));
            for (place, pass) in passes.iter().enumerate() {
                let read = parse_module(&print_module(&at)).unwrap();
                let rest = plain(&print_module(&behind(read, &passes[place..], &target)));
                let differing = rest.iter().zip(&whole).find(|(found, whole)| found != whole);
                assert_eq!(differing, None, "{name} {level:?}, before {}", pass.spelling());
                assert_eq!(rest.len(), whole.len(), "{name} {level:?}, before {}", pass.spelling());
                at = behind(at, &passes[place..=place], &target);
            }
        }
    }
}
