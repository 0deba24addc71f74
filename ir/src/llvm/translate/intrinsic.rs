//! Calls of what LLVM itself defines.
