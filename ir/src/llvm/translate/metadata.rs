//! Promises and hints that metadata makes.
