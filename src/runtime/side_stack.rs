//! The memory of a thread's side stack, which holds the objects of compiled
//! code whose size is known at run time only.

use std::alloc::{self, Layout};
use std::ptr::NonNull;

use brolga_ir::body::MAX_STACK_OBJECT_ALIGN;

use super::record::ThreadRecord;

/// Bytes of a side stack: more than threads have of stack mostly. What is not
/// used takes address space alone.
const SIZE: usize = 64 << 20;

/// The alignment of the end, where the first object ends: what any object can have.
const ALIGN: usize = MAX_STACK_OBJECT_ALIGN as usize;

/// The memory of one thread, made at its first use.
#[derive(Debug, Default)]
pub(crate) struct SideStack {
    memory: Option<NonNull<u8>>,
}

impl SideStack {
    fn layout() -> Option<Layout> {
        Layout::from_size_align(SIZE, ALIGN).ok()
    }

    /// Where the memory begins; nothing if there is none.
    fn start(&mut self) -> Option<NonNull<u8>> {
        if self.memory.is_none() {
            // SAFETY: the layout has bytes.
            self.memory = NonNull::new(unsafe { alloc::alloc(Self::layout()?) });
        }
        self.memory
    }
}

impl Drop for SideStack {
    fn drop(&mut self) {
        if let (Some(memory), Some(layout)) = (self.memory.take(), Self::layout()) {
            // SAFETY: allocated with this layout, freed once; no compiled code
            // of the thread runs any more.
            unsafe { alloc::dealloc(memory.as_ptr(), layout) };
        }
    }
}

/// Gives a thread that has no objects on its side stack an empty one; 0 if there
/// is no memory.
pub(super) unsafe extern "C" fn make_side_stack(record: &mut ThreadRecord) -> u64 {
    let Some(start) = record.objects.start() else { return 0 };
    let start = start.as_ptr().expose_provenance() as u64;
    record.side_stack_limit = start;
    record.side_stack = start + SIZE as u64;
    1
}
