//! Words, names, numbers and marks of a text of LLVM IR.
