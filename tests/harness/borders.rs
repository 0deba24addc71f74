//! What the passes have made of a file behind each of them, interpreted: no pass mends what one
//! before it has broken.

use brolga_ir::text::print_module;
use brolga_lowering::pipeline::{PASSES, Pass, Report, RunOptions, run_passes};
use brolga_lowering::target::TargetSpec;

use super::file::TestFile;
use super::lowered::LoweredInstance;
use super::run::run_all;

/// The CPU for which most is made into vectors.
const TARGET: &str = "x86_64-linux/x86-64-v3";

/// Behind each pass of the table that changes the module the calls of the file come to what it
/// says.
pub(crate) fn borders(file: &TestFile) -> Result<(), String> {
    let module = file.module()?;
    let target = TargetSpec::parse(TARGET).map_err(|error| error.to_string())?;
    let passes: Vec<&'static Pass> = PASSES.iter().collect();
    let (mut made, mut text) = (module.clone(), print_module(&module));
    for (index, pass) in passes.iter().enumerate() {
        run_passes(&mut made, &[pass], &RunOptions::new(&target), &mut Report::default())
            .map_err(|error| format!("{}: {error}", pass.spelling()))?;
        let behind = print_module(&made);
        if behind == text {
            continue;
        }
        text = behind;
        let mut instance = LoweredInstance::new(&module, made.clone(), &passes[..=index]);
        run_all(file, &module, &mut instance).map_err(|failures| {
            format!("{failures}wrong behind `{}`, pass {}\n", pass.spelling(), index + 1)
        })?;
    }
    Ok(())
}
