//! What can go wrong in code memory, as values.

use std::{fmt, io};

use super::Area;

/// Why code memory could not be had or used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub(crate) enum MemoryError {
    /// The platform has no code memory yet.
    #[error(
        "native code cannot be loaded on {os} {architecture}: run the module with the interpreter, or compile it ahead of time for another platform"
    )]
    Unsupported {
        /// The operating system.
        os: &'static str,
        /// The processor architecture.
        architecture: &'static str,
    },
    /// A field of the configuration is out of its bounds.
    #[error("the code memory configuration has {field} = {value}, but it must be {bounds}")]
    Config {
        /// The field's path.
        field: &'static str,
        /// Its value.
        value: usize,
        /// What it may be.
        bounds: &'static str,
    },
    /// The system refused a mapping or a page.
    #[error(
        "the system refused to {action} {bytes} bytes of code memory ({cause}): lower the reservation or raise the process's memory limits, and check that its policy allows executable mappings"
    )]
    #[cfg_attr(not(target_os = "linux"), allow(dead_code, reason = "where nothing is mapped"))]
    Refused {
        /// What was tried, as a verb.
        action: &'static str,
        /// Size in bytes of what was tried.
        bytes: usize,
        /// What the system answered.
        cause: OsError,
    },
    /// An area has no hole that is large enough.
    #[error(
        "the {area} area of the code memory is full: {requested} bytes were asked for, the largest hole has {largest}, {free} of {capacity} bytes are free; free what is not needed, or raise the reservation or the area's share"
    )]
    Full {
        /// The area.
        area: Area,
        /// Bytes asked for.
        requested: usize,
        /// Bytes in the largest hole.
        largest: usize,
        /// Bytes in all holes of the area.
        free: usize,
        /// Bytes of the area.
        capacity: usize,
    },
    /// The budget does not allow another page.
    #[error(
        "the code memory budget of {budget} bytes is spent: {committed} bytes are committed and {requested} more are needed; free what is not needed, or raise the budget"
    )]
    Budget {
        /// Bytes of pages that would have to be committed.
        requested: usize,
        /// Bytes that are committed.
        committed: usize,
        /// Most bytes that may be committed.
        budget: usize,
    },
    /// An alignment larger than a page.
    #[error("code memory can be aligned to {most} bytes at most, {requested} were asked for")]
    Alignment {
        /// Bytes asked for.
        requested: usize,
        /// The most that can be had: the size of a page.
        most: usize,
    },
    /// This process is a forked child that may not use the reservation.
    #[error(
        "the code memory belongs to the parent of this forked process: make an engine in the child, or configure code memory to be safe to fork"
    )]
    Forked,
}

/// An error number of the operating system.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct OsError(pub(super) i32);

impl fmt::Display for OsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        io::Error::from_raw_os_error(self.0).fmt(f)
    }
}

impl fmt::Debug for OsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "OsError({self})")
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use expect_test::expect;

    use super::*;

    #[test]
    fn messages_name_sizes_and_the_way_out() {
        let errors = [
            MemoryError::Unsupported { os: "plan9", architecture: "mips" },
            MemoryError::Config { field: "reservation", value: 5, bounds: "from 1 MiB to 2 GiB" },
            MemoryError::Refused { action: "map", bytes: 4096, cause: OsError(12) },
            MemoryError::Full {
                area: Area::Stubs,
                requested: 32,
                largest: 0,
                free: 0,
                capacity: 64,
            },
            MemoryError::Budget { requested: 16384, committed: 32768, budget: 40000 },
            MemoryError::Alignment { requested: 8192, most: 4096 },
            MemoryError::Forked,
        ];
        // Each C library words the cause in its own way.
        let messages = errors.map(|error| error.to_string()).join("\n");
        let messages = messages.replace(&OsError(12).to_string(), "CAUSE");
        expect![[r#"
            native code cannot be loaded on plan9 mips: run the module with the interpreter, or compile it ahead of time for another platform
            the code memory configuration has reservation = 5, but it must be from 1 MiB to 2 GiB
            the system refused to map 4096 bytes of code memory (CAUSE): lower the reservation or raise the process's memory limits, and check that its policy allows executable mappings
            the stubs area of the code memory is full: 32 bytes were asked for, the largest hole has 0, 0 of 64 bytes are free; free what is not needed, or raise the reservation or the area's share
            the code memory budget of 40000 bytes is spent: 32768 bytes are committed and 16384 more are needed; free what is not needed, or raise the budget
            code memory can be aligned to 4096 bytes at most, 8192 were asked for
            the code memory belongs to the parent of this forked process: make an engine in the child, or configure code memory to be safe to fork"#]].assert_eq(&messages);
    }
}
