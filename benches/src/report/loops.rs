//! The page of the loops that have no vectors, and why not.

use std::collections::BTreeSet;
use std::fmt::Write;

use brolga::ir::module::Module;
use brolga::lowering::pipeline::{
    Inspection, Inspector, Level, Remarks, Report, RunOptions, passes_at, run_passes,
};
use brolga::lowering::target::TargetSpec;
use brolga::{Remark, RemarkKind};

use super::format::table_of_texts;
use crate::backend::BackendError;
use crate::kernel::{KERNELS, Kernel};
use crate::source::{Source, Suite};
use crate::toolchain::Toolchain;

/// The pass that is asked.
const PASS: &str = "loop_vectorize";

/// What its reasons begin with.
const REFUSAL: &str = "the loop is not vectorised: ";

/// The reason of each loop that is not innermost, which the page has nothing of.
const OUTER: &str = "another loop stands in it";

/// What became of the innermost loops of a module.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Fates {
    /// The lines of those that have vectors.
    vectors: BTreeSet<u32>,
    /// Those of the others, with the reasons.
    none: BTreeSet<(u32, String)>,
}

/// The page over the kernels with a word in their names, as file name and text. It says
/// nothing of time, and any machine with the compilers will do.
///
/// # Errors
/// If a kernel cannot be compiled.
pub fn loops(filter: &str) -> Result<(&'static str, String), BackendError> {
    let (tools, suite) = (Toolchain::find()?, Suite::of_repository());
    let target = TargetSpec::host()?;
    let mut fates = Vec::new();
    for kernel in KERNELS.iter().filter(|kernel| kernel.name.contains(filter)) {
        let source = Source::open(&suite.located_text(&tools, kernel)?, "kernel")?;
        let file = suite.file(kernel);
        let file = file.file_name().map_or_else(String::new, |name| name.to_string_lossy().into());
        fates.push((kernel, fates_of(source.module()?, &target, &file)?));
    }
    let versions = [&tools.clang.version, &tools.rustc.version].map(String::as_str);
    Ok(("benchmarks-loops.md", page(&fates, &target.to_string(), &versions)))
}

/// Runs the passes of `O2`, and hears what becomes of the loops in a file.
fn fates_of(mut module: Module, target: &TargetSpec, file: &str) -> Result<Fates, BackendError> {
    let inspection = Inspection { remarks: Remarks::Collected, ..Inspection::default() };
    let inspector = Inspector::new(inspection, None);
    let options = RunOptions { inspector: Some(&inspector), ..RunOptions::new(target) };
    let mut report = Report::default();
    run_passes(&mut module, &passes_at(Level::O2), &options, &mut report)?;
    let mut fates = Fates::default();
    for remark in report.remarks.iter().filter(|remark| remark.pass == PASS) {
        let line = line_in(remark, file);
        match remark.kind {
            RemarkKind::Applied => drop(fates.vectors.insert(line)),
            _ => {
                let reason = remark.message.strip_prefix(REFUSAL).unwrap_or(&remark.message);
                if reason != OUTER {
                    fates.none.insert((line, reason.to_owned()));
                }
            }
        }
    }
    Ok(fates)
}

/// The line of a file that a remark is about: that of the innermost code that was written
/// there; 0 if there is none.
fn line_in(remark: &Remark, file: &str) -> u32 {
    let is_there = |of: Option<&str>| of.is_none_or(|of| of.rsplit('/').next() == Some(file));
    let frame = remark.frames.iter().find(|frame| is_there(frame.file.as_deref()));
    frame.map_or(0, |frame| frame.line)
}

fn page(fates: &[(&Kernel, Fates)], target: &str, versions: &[&str]) -> String {
    let [have, have_none] = [
        fates.iter().map(|(_, fates)| fates.vectors.len()).sum::<usize>(),
        fates.iter().map(|(_, fates)| fates.none.len()).sum::<usize>(),
    ];
    let mut text = format!(
        "# Benchmarks, loop by loop\n\nWritten by `cargo xtask bench-report --loops`, and with \
         [the page of all benchmarks](benchmarks.md): the innermost loops of the kernels in \
         [`benches/kernels`](../benches/kernels), handed over as SSA, that have no vectors at `O2`, \
         and the first reason that `{PASS}` has found, for {target}. A loop stands here once for each \
         reason, by the line where it begins, or ends, as its front end has it; 0 if that is none of \
         the file's. It is the same loop wherever inlining has brought it, and one that has vectors \
         in one place may have none in another. Loops that were written out round by round, or \
         became a copy of memory, are none any more.\n\nCompiled by {}.\n\n\
         Of {} lines with innermost loops, {have} have vectors; {have_none} reasons why others have \
         none:\n\n",
        versions.join(", "),
        lines(fates)
    );
    let rows = fates.iter().flat_map(|(kernel, fates)| {
        fates.none.iter().map(|(line, reason)| {
            let name = format!("{} ({})", kernel.name, kernel.class.name());
            (name, vec![line.to_string(), reason.clone()])
        })
    });
    let _ = write!(text, "{}", table_of_texts("kernel", &["line", "reason"], rows));
    text
}

/// How many lines have a loop.
fn lines(fates: &[(&Kernel, Fates)]) -> usize {
    let of = |fates: &Fates| {
        let none = fates.none.iter().map(|(line, _)| *line);
        none.chain(fates.vectors.iter().copied()).collect::<BTreeSet<u32>>().len()
    };
    fates.iter().map(|(_, fates)| of(fates)).sum()
}

#[cfg(test)]
mod tests {
    use brolga::ir::text::parse_module;

    use super::*;

    /// A function with a loop over numbers, of which each round hands on `%t`.
    fn looped(name: &str, step: &str) -> String {
        format!(
            "func @{name}(ptr) -> i32 {{
entry(%p: ptr):
    jump loop(0, 0)
loop(%i: i64, %s: i32):
    %o = shl.i64 %i, 2
    %a = ptr_add %p, %o
    %x = load.i32 %a
{step}
    %j = add.i64 %i, 1
    %more = icmp.i64 slt %j, 4096
    branch %more, loop(%j, %t), done
done:
    return %t
}}
"
        )
    }

    /// Of a sum, which has vectors, and a chain, which has none.
    fn fates() -> Fates {
        let chain = "    %m = mul.i32 %s, %x\n    %t = xor.i32 %m, %x";
        let text = looped("sum", "    %t = add.i32 %s, %x") + &looped("chain", chain);
        fates_of(parse_module(&text).unwrap(), &TargetSpec::host().unwrap(), "none.c").unwrap()
    }

    #[test]
    fn loops_without_vectors_are_told_with_line_and_reason() {
        let fates = fates();
        assert_eq!(fates.vectors, BTreeSet::from([11]));
        let reason = "a round needs what the one before it has computed".to_owned();
        assert_eq!(fates.none, BTreeSet::from([(26, reason)]));
    }

    #[test]
    fn outer_loops_are_left_out() {
        let nest = looped("nest", "    %t = add.i32 %s, %x")
            .replace("    jump loop(0, 0)", "    jump outer(0)\nouter(%k: i64):\n    jump loop(0, 0)")
            .replace("done:\n", "next:\n    %l = add.i64 %k, 1\n    %on = icmp.i64 slt %l, 4096\n    branch %on, outer(%l), done\ndone:\n")
            .replace("loop(%j, %t), done", "loop(%j, %t), next");
        let module = parse_module(&nest).unwrap_or_else(|errors| panic!("{errors:?}\n{nest}"));
        let fates = fates_of(module, &TargetSpec::host().unwrap(), "none.c").unwrap();
        assert_eq!((fates.vectors.len(), fates.none), (1, BTreeSet::new()));
    }

    #[test]
    fn the_page_has_a_row_for_each_loop_without_vectors() {
        let text = page(&[(&KERNELS[0], fates())], "a target", &["clang", "rustc"]);
        assert!(
            text.contains("Of 2 lines with innermost loops, 1 have vectors; 1 reasons"),
            "{text}"
        );
        let row = "| fib (call) | 26 | a round needs what the one before it has computed |\n";
        assert!(text.ends_with(row), "{text}");
    }

    /// What becomes of the loops is not known without the compilers of the kernels; whether
    /// there are such loops, is.
    #[test]
    fn the_page_that_is_kept_tells_of_lines_that_kernels_have() {
        let page = include_str!("../../../docs/benchmarks-loops.md");
        let rows = page.lines().filter_map(|line| line.strip_prefix("| ")?.strip_suffix(" |"));
        let (suite, mut count) = (Suite::of_repository(), 0);
        for row in rows.filter(|row| !row.starts_with("kernel |")) {
            let cells: Vec<&str> = row.splitn(3, " | ").collect();
            let named =
                |kernel: &&Kernel| format!("{} ({})", kernel.name, kernel.class.name()) == cells[0];
            let kernel = KERNELS.iter().find(named).unwrap_or_else(|| panic!("no kernel: {row}"));
            let text = std::fs::read_to_string(suite.file(kernel)).unwrap();
            assert!(cells[1].parse::<usize>().unwrap() <= text.lines().count(), "no line: {row}");
            assert_ne!(cells[2], OUTER, "{row}");
            count += 1;
        }
        assert!(count > 20, "{count}");
    }

    #[test]
    fn a_line_is_that_of_the_innermost_code_of_the_file() {
        use brolga::ir::report::{Frame, FrameKind};
        let frame = |file: &str, line| Frame {
            function: "f".into(),
            file: Some(file.into()),
            line,
            column: 1,
            kind: FrameKind::Inlined,
        };
        let frames = vec![frame("core/iter.rs", 9), frame("/a/b.rs", 5), frame("/a/b.rs", 7)];
        let remark = Remark { pass: PASS, kind: RemarkKind::Missed, frames, message: "".into() };
        assert_eq!(line_in(&remark, "b.rs"), 5);
        assert_eq!(line_in(&remark, "c.rs"), 0);
    }
}
