//! Asking for memory before it is read.
//!
//! Code that walks over thousands of functions finds each in memory that it has not seen for a
//! while, and waits for it again and again. What is asked for while the function before is worked
//! on is there by then.

/// Bytes that the processor brings at once.
const LINE: usize = 64;

/// So many lines are asked for at most, so that asking takes no time by the size of what is large:
/// who reads on from there is followed by the processor itself.
const MOST_LINES: usize = 24;

/// Asks for the first of those values, without waiting for them.
#[inline]
pub fn prefetch<T>(values: &[T]) {
    let bytes = size_of_val(values).min(MOST_LINES * LINE);
    let start = values.as_ptr().cast::<i8>();
    for offset in (0..bytes).step_by(LINE) {
        ask_for(start.wrapping_add(offset));
    }
}

#[cfg(all(target_arch = "x86_64", not(miri)))]
#[inline]
fn ask_for(address: *const i8) {
    use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
    // SAFETY: asking reads nothing and cannot fail, whatever stands there; every processor of
    // this kind has the instruction.
    unsafe { _mm_prefetch::<_MM_HINT_T0>(address) }
}

#[cfg(not(all(target_arch = "x86_64", not(miri))))]
#[inline]
fn ask_for(_: *const i8) {}
