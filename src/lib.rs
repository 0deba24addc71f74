//! A self-contained JIT compiler library: SSA IR in, native code out.

#[cfg_attr(not(test), expect(dead_code, unused_imports, reason = "nothing places code yet"))]
mod memory;
