//! What functions of the host say when they fail.

use std::error::Error;
use std::fmt;
use std::sync::Arc;

/// What a function of the host said when it failed.
#[derive(Clone, Debug)]
pub struct HostError {
    kind: HostErrorKind,
}

#[derive(Clone, Debug)]
enum HostErrorKind {
    Failed(Arc<dyn Error + Send + Sync>),
    Panicked(Arc<str>),
}

impl HostError {
    /// The function returned that error.
    pub fn new(error: impl Into<Box<dyn Error + Send + Sync>>) -> HostError {
        HostError { kind: HostErrorKind::Failed(error.into().into()) }
    }

    pub(crate) fn panicked(message: String) -> HostError {
        HostError { kind: HostErrorKind::Panicked(message.into()) }
    }

    /// What the function panicked with, if it did.
    pub fn panic_message(&self) -> Option<&str> {
        match &self.kind {
            HostErrorKind::Panicked(message) => Some(message),
            HostErrorKind::Failed(_) => None,
        }
    }

    /// The error that the function returned, if it is of that type.
    pub fn downcast_ref<E: Error + 'static>(&self) -> Option<&E> {
        match &self.kind {
            HostErrorKind::Failed(error) => error.downcast_ref(),
            HostErrorKind::Panicked(_) => None,
        }
    }
}

impl fmt::Display for HostError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            HostErrorKind::Failed(error) => error.fmt(f),
            HostErrorKind::Panicked(message) => write!(f, "panicked: {message}"),
        }
    }
}

impl Error for HostError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match &self.kind {
            HostErrorKind::Failed(error) => error.source(),
            HostErrorKind::Panicked(_) => None,
        }
    }
}
