//! The back end, set up for a target.

use std::fmt;

use cranelift_codegen::isa::{self, CallConv, OwnedTargetIsa, TargetFrontendConfig, TargetIsa};
use cranelift_codegen::settings::{self, Configurable};

use super::{TargetError, TargetSpec};
use crate::level::BackEnd;

/// Whether the back end verifies what it is given, at each of its stages.
/// Costs 14 to 92 % of compile time.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BackEndVerifier {
    /// It trusts us.
    Off,
    /// It looks; an offence is a compile error that names the function.
    On,
}

impl Default for BackEndVerifier {
    /// On in debug builds.
    fn default() -> BackEndVerifier {
        if cfg!(debug_assertions) { BackEndVerifier::On } else { BackEndVerifier::Off }
    }
}

/// Whether tables for system unwinders are made.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum UnwindTables {
    /// No: our own walker needs only frame pointers.
    #[default]
    Omit,
    /// Yes, for debuggers and profilers.
    Emit,
}

/// The settings of an [`Isa`] that are not facts of the target.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct IsaOptions {
    /// Whether it checks its input.
    pub verifier: BackEndVerifier,
    /// Whether system unwinders get tables.
    pub unwind_tables: UnwindTables,
}

/// The back end for one target: immutable, cheap to clone, shared by threads.
#[derive(Clone)]
pub struct Isa {
    spec: TargetSpec,
    options: IsaOptions,
    quick: OwnedTargetIsa,
    plain: OwnedTargetIsa,
    rewriting: OwnedTargetIsa,
}

impl Isa {
    /// Sets the back end up.
    ///
    /// # Errors
    /// [`TargetError::Refused`] if it does not take our settings, which a test
    /// rules out for every row of the CPU table.
    pub fn new(spec: TargetSpec, options: IsaOptions) -> Result<Isa, TargetError> {
        let make = |back_end| {
            build(&spec, options, back_end)
                .map_err(|reason| TargetError::Refused { target: spec.to_string(), reason })
        };
        Ok(Isa {
            spec,
            options,
            quick: make(BackEnd::Quick)?,
            plain: make(BackEnd::Plain)?,
            rewriting: make(BackEnd::Rewriting)?,
        })
    }

    /// The back end for this machine.
    ///
    /// # Errors
    /// [`TargetError::UnsupportedHost`] where no code can be made for it.
    pub fn host(options: IsaOptions) -> Result<Isa, TargetError> {
        Isa::new(TargetSpec::host()?, options)
    }

    /// What it makes code for.
    pub const fn spec(&self) -> &TargetSpec {
        &self.spec
    }

    /// How it was set up.
    pub const fn options(&self) -> IsaOptions {
        self.options
    }

    /// Every setting that the code depends on beside [`LowerOptions`], as `name = value`
    /// lines: equal texts make equal code from equal input.
    ///
    /// [`LowerOptions`]: crate::options::LowerOptions
    pub fn settings(&self) -> String {
        let isa = self.machine(BackEnd::Plain);
        let features: Vec<String> = isa.isa_flags().iter().map(ToString::to_string).collect();
        format!("{}\n{}{}\n", self.spec, isa.flags(), features.join("\n"))
    }

    /// The back end, working that way.
    pub(crate) fn machine(&self, back_end: BackEnd) -> &dyn TargetIsa {
        match back_end {
            BackEnd::Quick => &*self.quick,
            BackEnd::Plain => &*self.plain,
            BackEnd::Rewriting => &*self.rewriting,
        }
    }

    /// The convention of the platform's own functions.
    pub(crate) fn platform_convention(&self) -> CallConv {
        self.plain.default_call_conv()
    }

    /// What the front of the back end asks of a target.
    pub(crate) fn frontend_config(&self) -> TargetFrontendConfig {
        self.plain.frontend_config()
    }
}

impl fmt::Debug for Isa {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Isa").field("spec", &self.spec).field("options", &self.options).finish()
    }
}

/// What every target has in common, as the back end's settings.
const COMMON: &[(&str, &str)] = &[
    // Tail calls need them on x86-64, and so does our walker everywhere.
    ("preserve_frame_pointers", "true"),
    // The thread record.
    ("enable_pinned_reg", "true"),
    // 128-bit integers in signatures of the platform's convention.
    ("enable_llvm_abi_extensions", "true"),
    // More results than registers (6 integers on aarch64) go through memory.
    ("enable_multi_ret_implicit_sret", "true"),
    // Every symbol is near, so text holds no absolute address either way; and
    // `true` would send near data through a global offset table.
    ("is_pic", "false"),
    // The entry guard is ours.
    ("enable_probestack", "false"),
    // Sixteen, so that an entry guard of sixteen bytes keeps constants aligned.
    ("log2_min_function_alignment", "4"),
];

fn build(
    spec: &TargetSpec,
    options: IsaOptions,
    back_end: BackEnd,
) -> Result<OwnedTargetIsa, String> {
    let mut shared = settings::builder();
    let set = |builder: &mut settings::Builder, name: &str, value: &str| {
        builder.set(name, value).map_err(|error| format!("{name} = {value}: {error}"))
    };
    let chosen = option_settings(options).into_iter().chain(way_settings(back_end));
    for (name, value) in COMMON.iter().copied().chain(chosen) {
        set(&mut shared, name, value)?;
    }
    let mut builder = isa::lookup_by_name(spec.triple()).map_err(|error| error.to_string())?;
    for flag in spec.features().iter().filter_map(super::Feature::flag) {
        builder.enable(flag).map_err(|error| format!("{flag}: {error}"))?;
    }
    builder.finish(settings::Flags::new(shared)).map_err(|error| error.to_string())
}

/// The ways of the back end as its settings.
fn way_settings(back_end: BackEnd) -> [(&'static str, &'static str); 3] {
    let (optimisation, allocator, blocks) = match back_end {
        BackEnd::Quick => ("none", "single_pass", "false"),
        BackEnd::Plain => ("none", "backtracking", "true"),
        BackEnd::Rewriting => ("speed", "backtracking", "true"),
    };
    // Where blocks are tells where loops fall.
    let blocks = ("machine_code_cfg_info", blocks);
    [("opt_level", optimisation), ("regalloc_algorithm", allocator), blocks]
}

fn option_settings(options: IsaOptions) -> [(&'static str, &'static str); 2] {
    let verifier = match options.verifier {
        BackEndVerifier::Off => "false",
        BackEndVerifier::On => "true",
    };
    let unwind_info = match options.unwind_tables {
        UnwindTables::Omit => "false",
        UnwindTables::Emit => "true",
    };
    [("enable_verifier", verifier), ("unwind_info", unwind_info)]
}
