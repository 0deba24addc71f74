//! `remark`: what passes tell of a file, and nothing else.

use std::collections::BTreeMap;

use brolga_ir::module::Module;
use brolga_ir::observe::Remark;
use brolga_ir::text::ToldRemark;

use super::diff;
use super::file::TestFile;
use super::passes::{behind_with_remarks, means_the_same};

/// A pass that is asked, and what runs for which target meanwhile.
type Asked<'a> = (&'a str, &'a [String], Option<&'a str>);

/// Of each pass that the file asks, it has all remarks.
pub(crate) fn remarks(file: &TestFile) -> Result<(), String> {
    let module = file.module()?;
    let mut asked: BTreeMap<Asked<'_>, Vec<(u32, String)>> = BTreeMap::new();
    for told in file.remarks() {
        let key = (told.pass.as_str(), told.names.as_slice(), told.target.as_deref());
        asked.entry(key).or_default().push(line_of(told));
    }
    let mut failures = String::new();
    for (asked, expected) in asked {
        if let Err(fault) = agrees(file, &module, asked, expected) {
            let (pass, names, _) = asked;
            let names = names.join(", ");
            failures.push_str(&format!("{}: `{pass}` in `{names}`: {fault}\n", file.path));
        }
    }
    if failures.is_empty() { Ok(()) } else { Err(failures) }
}

fn agrees(
    file: &TestFile,
    module: &Module,
    (pass, names, target): Asked<'_>,
    expected: Vec<(u32, String)>,
) -> Result<(), String> {
    let (made, remarks) = behind_with_remarks(module, names, target)?;
    means_the_same(file, module, made, names)?;
    // A remark has the name of its pass without its option.
    let name = pass.split('(').next().unwrap_or(pass);
    let found = remarks.iter().filter(|remark| remark.pass == name).map(line_told).collect();
    let [expected, found] = [expected, found].map(in_order);
    match expected == found {
        true => Ok(()),
        false => Err(format!("tells something else, {}", diff::lines(&expected, &found))),
    }
}

/// A remark as a directive has it, but for the pass, behind its line.
fn line_of(told: &ToldRemark) -> (u32, String) {
    (told.line, format!("@{} {}: {}", told.function, told.line, told.message))
}

fn line_told(remark: &Remark) -> (u32, String) {
    let (function, line) =
        remark.frames.first().map_or(("", 0), |frame| (&*frame.function, frame.line));
    (line, format!("@{function} {line}: {}", remark.message))
}

/// One behind the other, by their lines in the file.
fn in_order(mut remarks: Vec<(u32, String)>) -> String {
    remarks.sort();
    remarks.into_iter().map(|(_, text)| text + "\n").collect()
}
