//! The list that debuggers read, and where they stop to read it.
//!
//! | field of the descriptor | |
//! |---|---|
//! | version | 1 |
//! | action | what was done last: [`REGISTER`] or [`UNREGISTER`] |
//! | relevant | the entry that it was done to |
//! | first | the first entry of the list |
//!
//! The debugger reads while the process stands still in the function that has its breakpoint;
//! the process changes the list under one lock, and is in that function under it, too.

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
pub(super) use linked::{Entry, is_own};
#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
pub(super) use nowhere::{Entry, is_own};

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod linked {
    use std::arch::naked_asm;
    use std::ptr;
    use std::sync::{Mutex, PoisonError};

    use crate::gdb::GdbError;

    /// Actions.
    const NOTHING: u32 = 0;
    const REGISTER: u32 = 1;
    const UNREGISTER: u32 = 2;

    /// What leads to the list, as debuggers know it.
    #[repr(C)]
    struct Descriptor {
        version: u32,
        action: u32,
        relevant: *mut Node,
        first: *mut Node,
    }

    /// An object in the list, as debuggers know it.
    #[repr(C)]
    struct Node {
        next: *mut Node,
        previous: *mut Node,
        image: *const u8,
        size: u64,
    }

    /// Over the descriptor and all nodes.
    static LIST: Mutex<()> = Mutex::new(());

    /// Whether the list that debuggers read is that of this crate. Elsewhere there is none.
    pub(in crate::gdb) fn is_own() -> Result<bool, GdbError> {
        Ok(own_descriptor() == descriptor())
    }

    /// The descriptor of this crate, which stands here: 24 bytes, of version 1 from the start,
    /// since a debugger may look before anything is registered.
    #[unsafe(naked)]
    extern "C" fn own_descriptor() -> *mut Descriptor {
        naked_asm!(
            ".pushsection .data.__jit_debug_descriptor, \"aw\", @progbits",
            ".weak __jit_debug_descriptor",
            ".type __jit_debug_descriptor, @object",
            ".size __jit_debug_descriptor, 24",
            ".p2align 3",
            "__jit_debug_descriptor:",
            "77:",
            ".long 1, 0",
            ".quad 0, 0",
            ".popsection",
            "lea rax, [rip + 77b]",
            "ret",
        )
    }

    /// The descriptor that debuggers read: the linker's choice.
    #[unsafe(naked)]
    extern "C" fn descriptor() -> *mut Descriptor {
        naked_asm!("mov rax, [rip + __jit_debug_descriptor@GOTPCREL]", "ret")
    }

    /// Calls the function that debuggers stop in, of the linker's choice. The one of this crate
    /// stands here, and returns.
    #[unsafe(naked)]
    extern "C" fn notify() {
        naked_asm!(
            "jmp [rip + __jit_debug_register_code@GOTPCREL]",
            ".weak __jit_debug_register_code",
            ".type __jit_debug_register_code, @function",
            "__jit_debug_register_code:",
            "ret",
            ".size __jit_debug_register_code, 1",
        )
    }

    /// An object in the list. Dropping it takes it out.
    #[derive(Debug)]
    pub(in crate::gdb) struct Entry {
        node: *mut Node,
        image: Box<[u8]>,
    }

    // SAFETY: the node is only accessed under the lock, and the image only read.
    unsafe impl Send for Entry {}
    // SAFETY: as above.
    unsafe impl Sync for Entry {}

    impl Entry {
        /// Puts an object in front of the list.
        pub(in crate::gdb) fn new(image: Vec<u8>) -> Entry {
            let image = image.into_boxed_slice();
            let (address, size) = (image.as_ptr(), image.len() as u64);
            let null = ptr::null_mut();
            let node = Box::new(Node { next: null, previous: null, image: address, size });
            let node = Box::into_raw(node);
            let _lock = LIST.lock().unwrap_or_else(PoisonError::into_inner);
            let list = descriptor();
            // SAFETY: under the lock nobody else accesses the list (`Registration::new` and
            // `new_beside` see to it), all of whose nodes live until they are taken out; this
            // one is ours alone so far.
            unsafe {
                (*node).next = (*list).first;
                if let Some(next) = (*list).first.as_mut() {
                    next.previous = node;
                }
                (*list).first = node;
                tell(list, REGISTER, node);
            }
            Entry { node, image }
        }

        pub(in crate::gdb) fn image(&self) -> &[u8] {
            &self.image
        }
    }

    impl Drop for Entry {
        fn drop(&mut self) {
            let _lock = LIST.lock().unwrap_or_else(PoisonError::into_inner);
            let list = descriptor();
            // SAFETY: as in `new`; the node is in the list, and came of a box. The debugger has
            // read what it wants of it when `tell` returns.
            unsafe {
                let (next, previous) = ((*self.node).next, (*self.node).previous);
                match previous.as_mut() {
                    Some(previous) => previous.next = next,
                    None => (*list).first = next,
                }
                if let Some(next) = next.as_mut() {
                    next.previous = previous;
                }
                tell(list, UNREGISTER, self.node);
                drop(Box::from_raw(self.node));
            }
        }
    }

    /// Has the debugger read what was done.
    ///
    /// # Safety
    /// The lock is held, and the node lives.
    unsafe fn tell(list: *mut Descriptor, action: u32, node: *mut Node) {
        // SAFETY: by the caller's promise. The call is one of unknown code: what is written
        // before it is in memory when it is made.
        unsafe {
            (*list).relevant = node;
            (*list).action = action;
            notify();
            (*list).relevant = ptr::null_mut();
            (*list).action = NOTHING;
        }
    }

    /// The addresses of objects, as a debugger finds them, and whether the way back through
    /// the list is that through it.
    #[cfg(test)]
    pub(in crate::gdb) fn listed() -> (Vec<usize>, bool) {
        let _lock = LIST.lock().unwrap_or_else(PoisonError::into_inner);
        let (mut images, mut is_sound) = (Vec::new(), true);
        // SAFETY: under the lock, as above.
        unsafe {
            let list = descriptor();
            assert_eq!((*list).version, 1);
            let (mut previous, mut node) = (ptr::null_mut(), (*list).first);
            while let Some(found) = node.as_ref() {
                is_sound &= found.previous == previous;
                images.push(found.image as usize);
                (previous, node) = (node, found.next);
            }
        }
        (images, is_sound)
    }
}

#[cfg(all(test, target_os = "linux", target_arch = "x86_64"))]
pub(super) use linked::listed;

#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
mod nowhere {
    use crate::gdb::GdbError;

    pub(in crate::gdb) fn is_own() -> Result<bool, GdbError> {
        Err(GdbError::Unsupported)
    }

    /// Nothing is ever in a list.
    #[derive(Debug)]
    pub(in crate::gdb) struct Entry {
        image: Box<[u8]>,
    }

    impl Entry {
        pub(in crate::gdb) fn new(image: Vec<u8>) -> Entry {
            Entry { image: image.into_boxed_slice() }
        }

        pub(in crate::gdb) fn image(&self) -> &[u8] {
            &self.image
        }
    }
}
