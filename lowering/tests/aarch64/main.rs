//! Compiled code of aarch64 against the interpreter, under an emulator: every
//! run of every test file whose functions compile and need no host.
//!
//! Not among the tests that `cargo test` runs by itself:
//! `cargo test -p brolga-lowering --test aarch64` needs `qemu-aarch64-static`
//! or `qemu-aarch64` (Debian's package `qemu-user-static`), or the path of one
//! in `BROLGA_QEMU`.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command answers on the terminal; only libraries print nothing"
)]

mod assembler;
mod image;
mod runtime;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use brolga_ir::datum::Datum;
use brolga_ir::entity::FuncId;
use brolga_ir::interpret::{CallError, Interpreter};
use brolga_ir::module::{Linkage, Module};
use brolga_ir::op::Op;
use brolga_ir::text::{DirectiveKind, directives, example_module, parse_module};
use brolga_ir::trap::TrapCode;
use brolga_ir::types::Convention;
use brolga_ir::verify::{Options, verify_module};
use brolga_lowering::options::LowerOptions;
use brolga_lowering::target::{Isa, IsaOptions, TargetSpec};
use image::{Call, Image};

fn main() -> ExitCode {
    let Some(emulator) = emulator() else {
        eprintln!("no emulator: install qemu-user-static, or name one in BROLGA_QEMU");
        return ExitCode::FAILURE;
    };
    let spec = TargetSpec::parse("aarch64-unknown-linux-gnu").expect("a target that there is");
    let isa = Isa::new(spec, IsaOptions::default()).expect("a target that there is");
    let mut totals = Totals::default();
    for (name, text) in texts() {
        check_file(&emulator, &isa, &name, &text, &mut totals);
    }
    println!("{} calls agree, {} need what there is not", totals.agreed, totals.left_out);
    for failure in &totals.failures {
        eprintln!("{failure}");
    }
    match totals.failures.is_empty() && totals.agreed > 1000 {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    }
}

#[derive(Default)]
struct Totals {
    agreed: usize,
    left_out: usize,
    failures: Vec<String>,
}

fn emulator() -> Option<PathBuf> {
    if let Some(path) = std::env::var_os("BROLGA_QEMU") {
        return Some(path.into());
    }
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .flat_map(|folder| ["qemu-aarch64-static", "qemu-aarch64"].map(|name| folder.join(name)))
        .find(|file| file.is_file())
}

/// The op table's examples and the test files.
fn texts() -> Vec<(String, String)> {
    let mut texts: Vec<_> =
        Op::ALL.iter().map(|&op| (op.mnemonic().to_owned(), example_module(op))).collect();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/filetests");
    let (mut folders, mut files) = (vec![root], BTreeSet::new());
    while let Some(folder) = folders.pop() {
        let entries = std::fs::read_dir(&folder).expect("the folder of test files");
        for entry in entries {
            let path = entry.expect("an entry of the folder").path();
            match path.is_dir() {
                true => folders.push(path),
                false => drop(files.insert(path)),
            }
        }
    }
    for path in files {
        let text = std::fs::read_to_string(&path).expect("a test file");
        texts.push((path.display().to_string(), text));
    }
    texts
}

fn check_file(emulator: &Path, isa: &Isa, name: &str, text: &str, totals: &mut Totals) {
    let Ok(module) = parse_module(text) else { return };
    let Ok(directives) = directives(text) else { return };
    if text.contains("skip: native") || verify_module(&module, &Options::default()).is_err() {
        return;
    }
    let mut image = Image::new(&module, isa, &LowerOptions::default());
    let (mut calls, mut lines) = (Vec::new(), Vec::new());
    for directive in directives {
        let DirectiveKind::Run(run) = directive.kind else { continue };
        let Some(function) = module.function_named(&run.function) else { continue };
        if needs_more(&module, &image, function) {
            totals.left_out += 1;
            continue;
        }
        let args = run.argument_data(&module, directive.line).expect("arguments that fit");
        calls.push(Call { function, args });
        lines.push(directive.line);
    }
    if calls.is_empty() {
        return;
    }
    let program = image.program(isa, &calls);
    let output = match run_program(emulator, &program) {
        Ok(output) => output,
        Err(error) => return totals.failures.push(format!("{name}: {error}")),
    };
    for (index, (call, line)) in calls.iter().zip(lines).enumerate() {
        match check_call(&module, &image, call, &output, index) {
            Ok(()) => totals.agreed += 1,
            Err(error) => totals.failures.push(format!("{name}:{line}: {error}")),
        }
    }
}

/// Whether a function, or one that it refers to, was refused or is not there.
fn needs_more(module: &Module, image: &Image<'_>, function: FuncId) -> bool {
    let foreign =
        module.functions().any(|(_, it)| matches!(it.linkage, Linkage::Foreign | Linkage::Import));
    let (mut seen, mut left) = (BTreeSet::from([function]), vec![function]);
    while let Some(id) = left.pop() {
        if foreign || image.refused.contains_key(&id) {
            return true;
        }
        let Some(body) = module.function(id).and_then(|it| it.body.as_ref()) else { return true };
        let insts = body.layout.blocks().flat_map(|block| body.layout.insts(block));
        for inst in insts.map(|inst| body.inst(inst)) {
            let called = inst.ty.signature().map(|sig| module.types.sig(sig).convention);
            if called == Some(Convention::Platform) {
                return true;
            }
            left.extend(inst.function().filter(|&callee| seen.insert(callee)));
        }
    }
    false
}

fn run_program(emulator: &Path, program: &[u8]) -> Result<Vec<u8>, String> {
    let path = std::env::temp_dir().join(format!("brolga-aarch64-{}", std::process::id()));
    std::fs::write(&path, program).map_err(|error| error.to_string())?;
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(&path, mode).map_err(|error| error.to_string())?;
    let output = Command::new(emulator).arg(&path).output().map_err(|error| error.to_string());
    std::fs::remove_file(&path).map_err(|error| error.to_string())?;
    let output = output?;
    match output.status.success() {
        true => Ok(output.stdout),
        false => Err(format!("{}: {}", output.status, String::from_utf8_lossy(&output.stderr))),
    }
}

fn check_call(
    module: &Module,
    image: &Image<'_>,
    call: &Call,
    output: &[u8],
    index: usize,
) -> Result<(), String> {
    let name = &module.function(call.function).expect("a function of the module").name;
    let mut interpreter = Interpreter::new(&[module]).map_err(|error| error.to_string())?;
    let expected = interpreter.call(name, &call.args);
    let given = image.given(output, index);
    let code = TrapCode::from_number(given.status as u32);
    match expected {
        Ok(expected) if given.status == 0 => {
            let types = module.signature_of(call.function).result_types();
            for ((ty, expected), &offset) in types.zip(&expected).zip(&given.layout.offsets) {
                let bytes = &given.buffer[offset as usize..];
                let result = Datum::from_bytes(&module.types, ty, bytes);
                if !expected.agrees(&result, &module.types, ty) {
                    return Err(format!("{result:x?} instead of {expected:x?}"));
                }
            }
            Ok(())
        }
        Err(CallError::Trap(trap)) if code == Some(trap.code) => {
            let place = image.place_of(given.exit_pc);
            let same = place == Some((trap.function(), trap.line()));
            // Interpreter and machine run out of stack at different depths.
            match same || trap.code == TrapCode::StackOverflow {
                true => Ok(()),
                false => Err(format!("stopped at {place:?} instead of {trap:?}")),
            }
        }
        expected => Err(format!("status {:x} ({code:?}) instead of {expected:?}", given.status)),
    }
}
