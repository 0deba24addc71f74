//! A program that another JIT is linked into: the linker takes the other's symbols, and what we
//! have does not go into the other's list unless that is promised to be safe.
#![cfg(all(target_os = "linux", target_arch = "x86_64"))]

mod units;

use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};

use brolga_debugging::PlacedUnit;
use brolga_debugging::gdb::{GdbError, Registration};

use units::{ADDRESS, TEXT, unit};

/// The other's: version and action, the entry that it is about, the first entry.
#[repr(C)]
struct Descriptor {
    version: AtomicU32,
    action: AtomicU32,
    relevant: AtomicUsize,
    first: AtomicUsize,
}

#[unsafe(no_mangle)]
static __jit_debug_descriptor: Descriptor = Descriptor {
    version: AtomicU32::new(1),
    action: AtomicU32::new(0),
    relevant: AtomicUsize::new(0),
    first: AtomicUsize::new(0),
};

/// What the debugger would have found at each call: the action, and whether it was about the
/// first entry.
static CALLS: [AtomicU32; 2] = [AtomicU32::new(0), AtomicU32::new(0)];
static COUNT: AtomicUsize = AtomicUsize::new(0);

#[unsafe(no_mangle)]
extern "C" fn __jit_debug_register_code() {
    let call = COUNT.fetch_add(1, Ordering::SeqCst);
    assert_ne!(__jit_debug_descriptor.relevant.load(Ordering::SeqCst), 0);
    CALLS[call].store(__jit_debug_descriptor.action.load(Ordering::SeqCst), Ordering::SeqCst);
}

#[test]
fn a_foreign_list_is_left_alone_unless_its_owner_is_at_rest() {
    let unit = unit("f");
    let placed = PlacedUnit::new(&unit, ADDRESS, TEXT);
    assert_eq!(Registration::new(&placed).unwrap_err(), GdbError::ForeignDescriptor);
    assert_eq!(__jit_debug_descriptor.first.load(Ordering::SeqCst), 0);
    // SAFETY: nobody else registers anything in this program.
    let registration = unsafe { Registration::new_beside(&placed) }.unwrap();
    assert_ne!(__jit_debug_descriptor.first.load(Ordering::SeqCst), 0);
    drop(registration);
    assert_eq!(__jit_debug_descriptor.first.load(Ordering::SeqCst), 0);
    let calls = CALLS.each_ref().map(|call| call.load(Ordering::SeqCst));
    assert_eq!((COUNT.load(Ordering::SeqCst), calls), (2, [1, 2]));
}
