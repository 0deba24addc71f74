//! The walk over compiled frames, by frame pointers.
//!
//! On every processor that we compile for, the word at the frame pointer is
//! the caller's frame pointer and the word above it the return address into
//! the caller. A walk begins where execution stopped and ends at the
//! innermost thunk by which the host entered: all frames between are ours.

use std::sync::Arc;

use brolga_ir::report::Trap;
use brolga_lowering::unit::Handler;

use super::code_map::{CodeMap, Placed, Role};

/// Where a walk is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cursor {
    /// A return address inside the frame's function.
    pub pc: usize,
    /// The frame's frame pointer.
    pub frame: usize,
}

/// Where to go on after a stop or a throw.
#[derive(Clone, Copy, Debug)]
pub(super) struct Landing {
    /// The code.
    pub pc: usize,
    /// The stack pointer there.
    pub stack: usize,
    /// The frame pointer there.
    pub frame: usize,
    /// Whether it is the host's entry.
    pub kind: LandingKind,
}

/// What a walk was looking for, and found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LandingKind {
    /// A handler of the program.
    Handler,
    /// The innermost thunk by which the host entered.
    Entry,
}

impl Cursor {
    /// The frame that called this one.
    ///
    /// # Safety
    /// The cursor is at a live frame of compiled code of this thread.
    unsafe fn caller(self) -> Cursor {
        let words = self.frame as *const usize;
        // SAFETY: by the caller's promise the frame pointer leads to the saved
        // frame pointer and the return address above it.
        unsafe { Cursor { frame: words.read(), pc: words.add(1).read() } }
    }

    /// Where the side stack was at the entry of this frame, if the frame keeps
    /// that. A function whose guard has stopped it has no frame yet.
    ///
    /// # Safety
    /// The cursor is at a live frame of the unit.
    pub(super) unsafe fn side_mark(self, placed: &Placed) -> Option<u64> {
        let below = placed.facts.side_mark(placed.offset_of(self.pc)?)? as usize;
        // SAFETY: by the caller's promise, and the unit stores it at its entry
        // before anything that can stop it.
        Some(unsafe { ((self.frame - below) as *const u64).read() })
    }

    fn landing(self, placed: &Placed, handler: Handler, kind: LandingKind) -> Landing {
        Landing {
            pc: placed.address() + handler.offset as usize,
            stack: self.frame - handler.frame_offset as usize,
            frame: self.frame,
            kind,
        }
    }
}

/// Walks from `start` to the first landing that `wanted` accepts, and hands
/// each function's frame on the way to `visit`. The host's entry is always
/// accepted. `None` if the frames do not lead there: a broken stack.
///
/// # Safety
/// `start` is at a live frame of compiled code of this thread.
pub(super) unsafe fn walk(
    code: &CodeMap,
    start: Cursor,
    wanted: LandingKind,
    mut visit: impl FnMut(&Arc<Placed>, Cursor),
) -> Option<Landing> {
    let mut cursor = start;
    loop {
        let placed: Arc<Placed> = code.find(cursor.pc)?;
        let offset = placed.offset_of(cursor.pc);
        let handler = offset.and_then(|offset| placed.facts.handler(offset));
        match (placed.role, handler) {
            (Role::Entry, Some(handler)) => {
                return Some(cursor.landing(&placed, handler, LandingKind::Entry));
            }
            (Role::Entry, None) => return None,
            (Role::Function, Some(handler)) if wanted == LandingKind::Handler => {
                return Some(cursor.landing(&placed, handler, LandingKind::Handler));
            }
            (Role::Function, _) => visit(&placed, cursor),
            (Role::Exit, _) => {}
        }
        // SAFETY: every frame above the entry thunk is compiled code's.
        cursor = unsafe { cursor.caller() };
    }
}

/// The functions that called what is at `start`, the innermost first, up to where the host
/// entered and so many at most: each once, and none that waits for what it goes on in.
///
/// # Safety
/// `start` is at a live frame of compiled code of this thread.
pub(super) unsafe fn callers(code: &CodeMap, start: Cursor, most: usize) -> Vec<Arc<Placed>> {
    let (mut callers, mut cursor) = (Vec::<Arc<Placed>>::new(), start);
    for _ in 0..most {
        // SAFETY: every frame above the entry thunk is compiled code's, and that ends this.
        cursor = unsafe { cursor.caller() };
        let Some(placed) = code.find(cursor.pc).filter(|it| it.role != Role::Entry) else { break };
        if !placed.awaits_continuation(cursor.pc)
            && !callers.iter().any(|it| Arc::ptr_eq(it, &placed))
        {
            callers.push(placed);
        }
    }
    callers
}

/// Appends what a function's frame shows: what was inlined there, then itself; nothing, if it
/// waits for what the function goes on in.
pub(super) fn append_frames(trap: &mut Trap, placed: &Placed, pc: usize) {
    if let Some(offset) = placed.offset_of(pc)
        && !placed.facts.awaits_continuation(offset)
    {
        placed.facts.append_frames(trap, offset);
    }
}
