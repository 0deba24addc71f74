//! The prelude: functions that legalisation calls for what no target has in
//! one instruction, written in the IR and compiled like a user's.

use std::sync::OnceLock;

use brolga_ir::module::Module;

/// The prelude, parsed at first use.
pub fn module() -> &'static Module {
    static MODULE: OnceLock<Module> = OnceLock::new();
    MODULE.get_or_init(|| Module::new("prelude"))
}
