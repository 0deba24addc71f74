//! The `va_list` of x86-64 by the System V ABI: where its parts are, in bytes.

/// What it takes.
pub(crate) const SIZE: usize = 24;

/// Where it says how far the saved integer registers have been read, in 32 bits.
pub(crate) const INTEGER_OFFSET: usize = 0;

/// Where it says the same of the saved float registers.
pub(crate) const FLOAT_OFFSET: usize = 4;

/// Where it has the address of the next argument in memory.
pub(crate) const NEXT_IN_MEMORY: usize = 8;

/// Where it has the address of the saved registers.
pub(crate) const SAVED_REGISTERS: usize = 16;

/// From one saved integer register to the next.
pub(crate) const INTEGER_STEP: u32 = 8;

/// From one saved float register to the next.
pub(crate) const FLOAT_STEP: u32 = 16;

/// Where the six saved integer registers end, and the float registers begin.
pub(crate) const INTEGERS_END: u32 = 6 * INTEGER_STEP;

/// Where the eight saved float registers end.
pub(crate) const FLOATS_END: u32 = INTEGERS_END + 8 * FLOAT_STEP;
