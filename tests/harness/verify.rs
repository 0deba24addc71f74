//! `verify`: what the verifier refuses.

use brolga_ir::module::Module;
use brolga_ir::op::Dialect;
use brolga_ir::verify::{Options, Rule, VerifyError, require_safe, verify_module};

use super::diff;
use super::file::TestFile;

/// Verification gives exactly the breaches that the file lists, in any order;
/// those of declarations and heads of blocks, whose place is not kept, are
/// listed with line 0.
pub(crate) fn verify(file: &TestFile) -> Result<(), String> {
    let module = file.module()?;
    let listed: Vec<(u32, &str)> = file.breaches().collect();
    let asks_for = |rules: &[Rule]| {
        listed.iter().any(|(_, code)| rules.iter().any(|rule| rule.code() == *code))
    };
    // A file that shows what a border refuses is verified for that border, and
    // one that shows what safe code cannot load is loaded by safe code.
    let border = if asks_for(&[Rule::Dialect]) { Dialect::Machine } else { Dialect::Front };
    let mut found = breaches(&module, border);
    if asks_for(&[Rule::RawOp, Rule::RawSymbol, Rule::RawPromise]) {
        found.extend(require_safe(&module).err().map_or(Vec::new(), |errors| errors.errors));
    }
    let mut expected: Vec<String> =
        listed.iter().map(|(line, code)| format!("{line} {code}")).collect();
    let mut places: Vec<String> =
        found.iter().map(|error| format!("{} {}", line_of(error), error.rule)).collect();
    expected.sort();
    places.sort();
    if expected == places {
        return Ok(());
    }
    let difference = diff::lines(&expected.join("\n"), &places.join("\n"));
    let messages: String = found.iter().map(|error| format!("{error}\n")).collect();
    Err(format!("{}: other breaches than it lists, {difference}{messages}", file.path))
}

/// What no text can break, because it says nothing of it or reading refuses it.
const BEYOND_TEXT: &[Rule] = &[
    Rule::FunctionBody,
    Rule::Convention,
    Rule::Attribute,
    Rule::DataLayout,
    Rule::AliasClass,
    Rule::Location,
    Rule::UnknownHandle,
    Rule::UndefinedValue,
    Rule::UnplacedBlock,
    Rule::SharedList,
    Rule::Payload,
    Rule::OperandCount,
    Rule::ResultType,
    Rule::Access,
    // Shown with the targets that refuse.
    Rule::Target,
];

/// Every other rule has a file of its name, which lists it.
pub(crate) fn rules_without_file(paths: &[String]) -> Result<(), String> {
    let files: Vec<TestFile> =
        paths.iter().map(|path| TestFile::read(path)).collect::<Result<_, String>>()?;
    let is_shown = |rule: &Rule| {
        let name = format!("verify/{rule}");
        let mut files = files.iter().filter(|file| file.name == name);
        files.any(|file| file.breaches().any(|(_, code)| code == rule.code()))
    };
    let missing: Vec<String> = Rule::ALL
        .iter()
        .filter(|rule| !BEYOND_TEXT.contains(rule) && !is_shown(rule))
        .map(Rule::to_string)
        .collect();
    if missing.is_empty() { Ok(()) } else { Err(format!("no file shows {}", missing.join(", "))) }
}

fn breaches(module: &Module, border: Dialect) -> Vec<VerifyError> {
    let options = Options { border, ..Options::default() };
    verify_module(module, &options).err().map_or(Vec::new(), |errors| errors.errors)
}

fn line_of(error: &VerifyError) -> u32 {
    error.place.as_ref().map_or(0, |place| place.line)
}
