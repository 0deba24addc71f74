//! Inline assembly.
