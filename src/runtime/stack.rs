//! How far down this thread's stack may grow.

use std::ops::Range;
use std::thread;

use brolga_lowering::runtime::STACK_RESERVE;

use crate::error::SmallStack;

/// What a thread is taken to have where the system does not say.
const ASSUMED_STACK: usize = 1 << 20;

/// The most of a thread's stack that compiled code uses: where the system sets
/// no limit, endless recursion would use up the machine's memory.
const MOST_STACK: usize = 1 << 30;

/// Bytes of stack that compiling takes: more than 256 KiB in a build that is not
/// optimised, less than 96 KiB in others, whatever is compiled.
const COMPILER_STACK: usize = 384 << 10;

/// How a thread is made that does nothing but compile.
pub(crate) fn compiling_thread() -> thread::Builder {
    let builder = thread::Builder::new().name("brolga-compile".to_owned());
    builder.stack_size((1 << 20) + COMPILER_STACK)
}

/// The lowest address that a compiled frame of this thread may reach.
pub(crate) fn limit_of_this_thread() -> usize {
    let here = approximate_stack_pointer();
    let lowest = lowest_of_this_thread().unwrap_or_else(|| here.saturating_sub(ASSUMED_STACK));
    lowest.max(here.saturating_sub(MOST_STACK)).saturating_add(STACK_RESERVE as usize)
}

/// Whether enough of this thread's stack is left to compile on.
///
/// # Errors
/// If there is not.
pub(crate) fn ensure_room_to_compile() -> Result<(), SmallStack> {
    let here = approximate_stack_pointer();
    let room = lowest_of_this_thread().map_or(usize::MAX, |lowest| here.saturating_sub(lowest));
    let needed = COMPILER_STACK;
    if room < needed { Err(SmallStack { room, needed }) } else { Ok(()) }
}

/// Whether this is the thread that the process began with.
#[cfg(target_os = "linux")]
pub(crate) fn is_first_thread() -> bool {
    rustix::thread::gettid() == rustix::process::getpid()
}

/// Whether this is the thread that the process began with: nobody says so.
#[cfg(not(target_os = "linux"))]
pub(crate) fn is_first_thread() -> bool {
    false
}

/// The end of the stack of this thread.
fn lowest_of_this_thread() -> Option<usize> {
    Some(extent_of_this_thread().start).filter(|&lowest| lowest != 0)
}

/// Where the stack of this thread is, which the system is asked for once; nothing, if it does not
/// say.
pub(super) fn extent_of_this_thread() -> Range<usize> {
    thread_local! {
        static EXTENT: Range<usize> = extent().unwrap_or_default();
    }
    EXTENT.try_with(Clone::clone).unwrap_or_default()
}

/// The address of a local of the caller's callee: close to the stack pointer.
#[inline(never)]
pub(super) fn approximate_stack_pointer() -> usize {
    let local = 0u8;
    std::hint::black_box(std::ptr::from_ref(&local)).addr()
}

/// The stack mapping of this thread, as far as that may grow.
#[cfg(target_os = "linux")]
fn extent() -> Option<Range<usize>> {
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
        (found == 0).then(|| address.addr()..address.addr().saturating_add(size))
    }
}

#[cfg(not(target_os = "linux"))]
fn extent() -> Option<Range<usize>> {
    None
}
