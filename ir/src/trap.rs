//! Why execution stopped: the codes that interpreter, compiled code and the
//! engine's errors share.

use std::fmt;

macro_rules! trap_codes {
    ($($(#[$doc:meta])* $name:ident = $number:literal, $text:literal, $message:literal;)*) => {
        /// Why execution stopped.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub enum TrapCode {
            $($(#[$doc])* $name,)*
            /// A code of the program's own.
            User(u16),
        }

        impl TrapCode {
            /// Every code but the program's own.
            pub const ALL: &'static [TrapCode] = &[$(TrapCode::$name,)*];

            /// The number by which compiled code names the trap.
            pub const fn number(self) -> u32 {
                match self {
                    $(TrapCode::$name => $number,)*
                    TrapCode::User(code) => 0x1_0000 | code as u32,
                }
            }

            /// The spelling in text; `user` for the program's own codes.
            pub const fn name(self) -> &'static str {
                match self { $(TrapCode::$name => $text,)* TrapCode::User(_) => "user" }
            }

            /// What happened, as a sentence without capital or period.
            pub const fn message(self) -> &'static str {
                match self {
                    $(TrapCode::$name => $message,)*
                    TrapCode::User(_) => "the program trapped with a code of its own",
                }
            }
        }
    };
}

trap_codes! {
    /// An `unreachable` was reached.
    Unreachable = 1, "unreachable", "a place that was declared unreachable was reached";
    /// An integer was divided by zero.
    DivisionByZero = 2, "division_by_zero", "an integer was divided by zero";
    /// A trapping integer op overflowed.
    IntegerOverflow = 3, "integer_overflow", "an integer result does not fit its type";
    /// A trapping conversion was out of range.
    BadConversion = 4, "bad_conversion", "a number cannot be represented in the target type";
    /// A checked access was out of bounds.
    Bounds = 5, "bounds", "an access was out of bounds";
    /// A null reference was used.
    NullReference = 6, "null_reference", "a null reference was used";
    /// A null function reference was called.
    NullFunction = 7, "null_function", "a null function reference was called";
    /// An atomic access was not aligned to its size.
    MisalignedAtomic = 8, "misaligned_atomic", "an atomic access was not aligned to its size";
    /// A managed array was accessed as another kind of element than it has.
    TypeMismatch = 9, "type_mismatch", "an array was accessed as another kind of element";
    /// Calls nested too deeply.
    StackOverflow = 10, "stack_overflow", "calls nest too deeply for the stack";
    /// The call was stopped from outside.
    Interrupted = 11, "interrupted", "the call was interrupted";
    /// The call used up its fuel.
    OutOfFuel = 12, "out_of_fuel", "the call used up its fuel";
    /// The call passed its deadline.
    DeadlineExceeded = 13, "deadline_exceeded", "the call passed its deadline";
    /// No memory was left.
    OutOfMemory = 14, "out_of_memory", "no memory was left";
    /// An exception was thrown and nobody handled it.
    UncaughtException = 15, "uncaught_exception", "an exception was thrown and not handled";
    /// A function without a definition was called.
    MissingFunction = 16, "missing_function", "a function without a definition was called";
    /// A host function failed or panicked.
    HostError = 17, "host_error", "a host function failed";
    /// A side exit was taken.
    SideExit = 18, "side_exit", "a side exit was taken";
    /// A raw access was outside every live object (seen by the interpreter).
    InvalidAccess = 19, "invalid_access", "an access was outside every live object";
    /// A promise did not hold (seen by the interpreter).
    BrokenPromise = 20, "broken_promise", "a promise that the program gave does not hold";
    /// A function was called that cannot be compiled.
    RefusedFunction = 21, "refused_function", "a function was called that cannot be compiled";
}

impl TrapCode {
    /// The code with that number.
    pub fn from_number(number: u32) -> Option<TrapCode> {
        if number >> 16 == 1 {
            return Some(TrapCode::User(number as u16));
        }
        TrapCode::ALL.iter().copied().find(|code| code.number() == number)
    }

    /// The code, other than the program's own, that `name` spells.
    pub fn from_name(name: &str) -> Option<TrapCode> {
        TrapCode::ALL.iter().copied().find(|code| code.name() == name)
    }
}

impl fmt::Display for TrapCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TrapCode::User(code) => write!(f, "user({code})"),
            code => f.write_str(code.name()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_names_lead_back_to_their_code() {
        for &code in TrapCode::ALL {
            assert_eq!(TrapCode::from_number(code.number()), Some(code));
            assert_eq!(TrapCode::from_name(code.name()), Some(code));
        }
        let user = TrapCode::User(513);
        assert_eq!(TrapCode::from_number(user.number()), Some(user));
        assert_eq!(user.to_string(), "user(513)");
        assert_eq!(TrapCode::from_number(0), None);
    }
}
