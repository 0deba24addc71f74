//! Calls that throw: nothing unwinds to a handler here, so that each is a trap that names
//! its place, as it would end the program where nobody catches.

use crate::llvm::syntax::{Call, Instruction, Operand, Tail};
use crate::llvm::translate::function::Translator;
use crate::text::Parsed;
use crate::trap::TrapCode;

/// The functions by which unwinding begins or goes on, of the platform's unwinder and of
/// C++'s runtime. Those that come back do so to say that nobody catches.
const THROWING: &[&str] = &[
    "_Unwind_ForcedUnwind",
    "_Unwind_RaiseException",
    "_Unwind_Resume",
    "_Unwind_Resume_or_Rethrow",
    "_ZSt17rethrow_exceptionNSt15__exception_ptr13exception_ptrE",
    "__cxa_bad_cast",
    "__cxa_bad_typeid",
    "__cxa_rethrow",
    "__cxa_throw",
    "__cxa_throw_bad_array_new_length",
];

/// Whether a call of what has that name throws, and does nothing else.
pub(super) fn is_throwing(name: &str) -> bool {
    THROWING.binary_search(&name).is_ok() || is_thrower_of_the_library(name)
}

/// GCC's C++ library throws its own exceptions by functions of one kind, such as
/// `std::__throw_length_error(char const*)`.
fn is_thrower_of_the_library(name: &str) -> bool {
    let name = name.strip_prefix("_ZSt").unwrap_or_default();
    name.trim_start_matches(|c: char| c.is_ascii_digit()).starts_with("__throw_")
}

impl Translator<'_, '_> {
    /// Translates a call that throws. What it would throw is not looked at, so that the
    /// process need not have the types of exceptions either.
    pub(super) fn throw(&mut self, inst: &Instruction, call: &Call) -> Parsed<()> {
        self.check_call(call)?;
        for &arg in self.call_args(call) {
            if matches!(arg.value, Operand::Local(_)) {
                self.value(arg)?;
            }
        }
        let code = TrapCode::UncaughtException;
        if call.tail == Tail::Must {
            self.end_by_trap(code);
            return Ok(());
        }
        self.trap(code);
        let result = self.call_result(call)?;
        if !self.shared.is_void(result) {
            let value = self.zero(result)?;
            self.define(inst.result, value);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_are_sorted() {
        assert!(THROWING.is_sorted());
    }

    #[test]
    fn those_of_the_library_are_told_by_their_kind() {
        assert!(is_throwing("_ZSt20__throw_length_errorPKc"));
        assert!(is_throwing("_ZSt24__throw_out_of_range_fmtPKcz"));
        assert!(!is_throwing("_ZSt9terminatev"));
        assert!(!is_throwing("__throw_length_error"));
        assert!(!is_throwing("__cxa_throws"));
    }
}
