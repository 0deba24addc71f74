//! What can be wrong with one instruction.

/// Why an instruction was not emitted.
#[derive(Debug)]
pub(super) enum Fault {
    /// It is not in legal form.
    Illegal(Box<str>),
    /// It cannot be compiled.
    Unsupported(Box<str>),
}

impl Fault {
    pub(super) fn illegal(reason: impl Into<Box<str>>) -> Fault {
        Fault::Illegal(reason.into())
    }

    pub(super) fn unsupported(reason: impl Into<Box<str>>) -> Fault {
        Fault::Unsupported(reason.into())
    }

    /// What is wrong.
    pub(super) fn into_reason(self) -> Box<str> {
        match self {
            Fault::Illegal(reason) | Fault::Unsupported(reason) => reason,
        }
    }
}

/// What emitting gives.
pub(super) type Emitted<T = ()> = Result<T, Fault>;
