//! A thread's copies of thread-local data.

use std::alloc::{self, Layout};
use std::ptr::NonNull;
use std::sync::{Arc, PoisonError, RwLock};

/// The most thread-local objects of one engine: every thread has a table with
/// an entry for each, which compiled code indexes without a test.
pub(crate) const MAX_THREAD_LOCALS: usize = 1024;

/// What a thread's copy of an object holds at first.
#[derive(Debug)]
pub(crate) struct ThreadLocalImage {
    /// Its bytes, addresses filled in; zeros follow up to its size.
    pub bytes: Vec<u8>,
    /// Its size and alignment.
    pub layout: Layout,
}

/// The copies of one thread.
#[derive(Debug)]
pub(crate) struct ThreadLocals {
    table: Box<[u64; MAX_THREAD_LOCALS]>,
    copies: Vec<(NonNull<u8>, Layout)>,
}

impl Default for ThreadLocals {
    fn default() -> ThreadLocals {
        ThreadLocals { table: Box::new([0; MAX_THREAD_LOCALS]), copies: Vec::new() }
    }
}

impl ThreadLocals {
    /// The address of the table, for the thread record.
    pub(crate) fn table_address(&self) -> u64 {
        self.table.as_ptr().addr() as u64
    }

    /// Makes the copy of the object of that index, and enters its address in
    /// the table. `None` if there is no memory for it.
    pub(crate) fn make(
        &mut self,
        index: usize,
        images: &RwLock<Vec<Arc<ThreadLocalImage>>>,
    ) -> Option<NonNull<u8>> {
        let images = images.read().unwrap_or_else(PoisonError::into_inner);
        let image = images.get(index).map(Arc::clone)?;
        drop(images);
        let copy = copy_of(&image)?;
        self.copies.push((copy, image.layout));
        self.table[index] = copy.addr().get() as u64;
        Some(copy)
    }

    /// The copy of an object, if the thread has one.
    pub(crate) fn get(&self, index: usize) -> Option<NonNull<u8>> {
        NonNull::new(std::ptr::with_exposed_provenance_mut(*self.table.get(index)? as usize))
    }
}

impl Drop for ThreadLocals {
    fn drop(&mut self) {
        for (copy, layout) in self.copies.drain(..) {
            // SAFETY: allocated by `copy_of` with this layout, freed once.
            unsafe { alloc::dealloc(copy.as_ptr(), layout) };
        }
    }
}

fn copy_of(image: &ThreadLocalImage) -> Option<NonNull<u8>> {
    // SAFETY: layouts of images have at least one byte.
    let copy = unsafe { alloc::alloc_zeroed(image.layout) };
    let copy = NonNull::new(copy)?;
    let bytes = &image.bytes;
    // SAFETY: the copy has room for the image's bytes and is nobody else's.
    unsafe { copy.copy_from_nonoverlapping(NonNull::from(&bytes[..]).cast(), bytes.len()) };
    copy.as_ptr().expose_provenance();
    Some(copy)
}
