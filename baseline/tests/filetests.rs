//! The test files of the repository: what this tier compiles of them gives what the interpreter
//! says, and its units are in order.
#![cfg(all(target_os = "linux", target_arch = "x86_64"))]

mod process;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use brolga_baseline::{Baseline, Unsupported};
use brolga_ir::datum::Datum;
use brolga_ir::interpret::Interpreter;
use brolga_ir::module::Module;
use brolga_ir::text::{DirectiveKind, directives, parse_module};
use brolga_ir::types::{Scalar, Type};
use brolga_ir::verify::{Options, verify_module};
use brolga_lowering::options::{LowerOptions, Polls};
use brolga_lowering::target::{Isa, IsaOptions};

use process::{Outcome, Process};

/// Stack of the thread that runs code.
const STACK: usize = 64 << 20;

fn files() -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/filetests");
    let mut left = vec![root];
    let mut files = Vec::new();
    while let Some(folder) = left.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                left.push(path);
            } else if path.extension().is_some_and(|it| it == "bir") {
                let text = std::fs::read_to_string(&path).unwrap();
                files.push((path, text));
            }
        }
    }
    files.sort();
    files
}

fn modules() -> impl Iterator<Item = (PathBuf, String, Module)> {
    files().into_iter().filter_map(|(path, text)| {
        let module = parse_module(&text).ok()?;
        verify_module(&module, &Options::default()).ok()?;
        Some((path, text, module))
    })
}

fn is_same(ty: Type, expected: &Datum, found: &Datum) -> bool {
    let is_nan = |bits: u128| match ty.lane() {
        Some(Scalar::F32) => f32::from_bits(bits as u32).is_nan(),
        Some(Scalar::F64) => f64::from_bits(bits as u64).is_nan(),
        _ => false,
    };
    let is_same = |(expected, found): (&u128, &u128)| {
        expected == found || is_nan(*expected) && is_nan(*found)
    };
    match (expected, found) {
        (Datum::Scalar(expected), Datum::Scalar(found)) => is_same((expected, found)),
        (Datum::Lanes(expected), Datum::Lanes(found)) => {
            expected.len() == found.len() && expected.iter().zip(found).all(is_same)
        }
        _ => false,
    }
}

/// What is wrong with the calls of a file, and how many there were.
fn differences(
    path: &Path,
    text: &str,
    module: &Module,
    options: &LowerOptions,
) -> (Vec<String>, usize) {
    let (mut wrong, mut calls) = (Vec::new(), 0);
    let Ok(directives) = directives(text) else { return (wrong, 0) };
    let is_skipped = |kind: &DirectiveKind| matches!(kind, DirectiveKind::Skip { engine, .. } if engine == "native");
    if directives.iter().any(|directive| is_skipped(&directive.kind)) {
        return (wrong, 0);
    }
    for directive in &directives {
        let DirectiveKind::Run(run) = &directive.kind else { continue };
        let Ok(arguments) = run.argument_data(module, directive.line) else { continue };
        let Some(id) = module.function_named(&run.function) else { continue };
        let expected = match Interpreter::new(&[module]) {
            Ok(mut interpreter) => interpreter.call(&run.function, &arguments),
            Err(_) => continue,
        };
        // One for each call: what that leaves in data is not what the next one finds.
        let Some(process) = Process::new(module, options) else { return (wrong, 0) };
        let Some(found) = process.call(id, &arguments).filter(|_| process.made > 0) else {
            continue;
        };
        calls += usize::from(process.left.is_empty());
        let results: Vec<Type> = module.signature_of(id).result_types().collect();
        let is_right = match (&expected, &found) {
            (Ok(expected), Outcome::Returned(found)) => results
                .iter()
                .zip(expected.iter().zip(found))
                .all(|(ty, (expected, found))| is_same(*ty, expected, found)),
            (Err(error), Outcome::Stopped(code)) => error.code() == Some(*code),
            _ => false,
        };
        if !is_right {
            let place = format!("{}:{}", path.display(), directive.line);
            wrong.push(format!("{place}: @{}: {expected:?}, not {found:?}", run.function));
        }
    }
    (wrong, calls)
}

fn check(options: &'static LowerOptions) {
    let check = move || {
        let (mut wrong, mut calls) = (Vec::new(), 0);
        for (path, text, module) in modules() {
            let (found, count) = differences(&path, &text, &module, options);
            wrong.extend(found);
            calls += count;
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
        assert!(calls > 1000, "only {calls} calls were compared");
    };
    std::thread::Builder::new().stack_size(STACK).spawn(check).unwrap().join().unwrap();
}

#[test]
fn what_is_compiled_gives_what_the_interpreter_says() {
    static OPTIONS: std::sync::LazyLock<LowerOptions> =
        std::sync::LazyLock::new(LowerOptions::default);
    check(&OPTIONS);
}

#[test]
fn polls_change_no_answer() {
    static OPTIONS: std::sync::LazyLock<LowerOptions> = std::sync::LazyLock::new(|| LowerOptions {
        polls: Polls::LoopsAndEntries,
        ..LowerOptions::default()
    });
    check(&OPTIONS);
}

/// The ops that the tier leaves to the pipeline in some form that the test files have.
const LEFT: &str = "
    address_cast alloc_object array_get array_len array_new array_set ashr atomic_cas
    atomic_load atomic_modify atomic_rmw atomic_store bitcast boxed_call call call_foreign
    call_ptr check cpu_has data_addr data_load data_store derived_add enter fma fptosi_wrap
    fptoui_wrap frem fround fshl fshr have_fma icmp insert_lane load lshr make_vector
    masked_load masked_store pointer_from_ref preserve_begin reduce_add reduce_and reduce_fadd
    reduce_fmul reduce_mul reduce_or reduce_smax reduce_smin reduce_umax reduce_umin reduce_xor
    return_call rotl rotr safepoint shl shuffle smulhi splat stack_alloc store try_call_ptr
    typeof umulhi write_barrier zext
";

/// A stencil that is lost shows here: what has none runs all the same, by the tier above.
#[test]
fn what_is_left_to_the_pipeline_is_known() {
    let (isa, options) = (Isa::host(IsaOptions::default()).unwrap(), LowerOptions::default());
    let (mut made, mut all, mut left) = (0, 0, BTreeSet::new());
    for (_, _, module) in modules() {
        let mut baseline = Baseline::new();
        let mut functions = baseline.begin(&module, &isa, &options).unwrap();
        for (id, _) in module.functions().filter(|(_, function)| function.body.is_some()) {
            all += 1;
            match functions.lower(id) {
                Ok(_) => made += 1,
                Err(Unsupported::Op(op)) => drop(left.insert(op.mnemonic())),
                Err(_) => {}
            }
        }
    }
    assert_eq!(left, LEFT.split_whitespace().collect());
    assert!(made > all / 2, "{made} of {all} functions");
}
