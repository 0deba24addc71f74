//! How far down this thread's stack may grow.

use brolga_lowering::runtime::STACK_RESERVE;

/// What a thread is taken to have where the system does not say.
const ASSUMED_STACK: usize = 1 << 20;

/// The most of a thread's stack that compiled code uses: where the system sets
/// no limit, endless recursion would use up the machine's memory.
const MOST_STACK: usize = 1 << 30;

/// The lowest address that a compiled frame of this thread may reach.
pub(crate) fn limit_of_this_thread() -> usize {
    let here = approximate_stack_pointer();
    let lowest = lowest_address().unwrap_or_else(|| here.saturating_sub(ASSUMED_STACK));
    lowest.max(here.saturating_sub(MOST_STACK)).saturating_add(STACK_RESERVE as usize)
}

/// The address of a local of the caller's callee: close to the stack pointer.
#[inline(never)]
fn approximate_stack_pointer() -> usize {
    let local = 0u8;
    std::hint::black_box(std::ptr::from_ref(&local)).addr()
}

/// The end of the stack mapping that this thread may grow into.
#[cfg(target_os = "linux")]
fn lowest_address() -> Option<usize> {
    let mut attributes = std::mem::MaybeUninit::<libc::pthread_attr_t>::uninit();
    let (mut address, mut size) = (std::ptr::null_mut(), 0);
    // SAFETY: the attributes are initialised by `pthread_getattr_np` before
    // they are read, and destroyed once; all pointers are to live locals.
    unsafe {
        if libc::pthread_getattr_np(libc::pthread_self(), attributes.as_mut_ptr()) != 0 {
            return None;
        }
        let found =
            libc::pthread_attr_getstack(attributes.as_ptr(), &raw mut address, &raw mut size);
        libc::pthread_attr_destroy(attributes.as_mut_ptr());
        (found == 0).then_some(address.addr())
    }
}

#[cfg(not(target_os = "linux"))]
fn lowest_address() -> Option<usize> {
    None
}
