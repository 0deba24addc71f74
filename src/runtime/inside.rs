//! What a thread is inside of.

use std::ops::Range;

use smallvec::SmallVec;

/// What a thread is inside of, each within the one before. A jump of C code may leave callbacks
/// without their end, but no function of the host, and so no activation that one is in.
#[derive(Debug, Default)]
pub(crate) struct Inside {
    /// Calls by handles.
    activations: u32,
    /// Callbacks by C code, the outermost first: the frame of the thunk of each.
    callbacks: SmallVec<[usize; 8]>,
    /// Uses of what is inside that run nothing.
    stays: u32,
}

/// How many callbacks there were when an activation began.
#[derive(Debug)]
pub(super) struct Around(usize);

impl Inside {
    /// Whether the thread is inside of nothing.
    pub(super) fn is_nothing(&self) -> bool {
        self.stays == 0 && !self.runs_code()
    }

    /// Whether compiled code of the thread is on its stack, and goes on some time.
    pub(super) fn runs_code(&self) -> bool {
        self.activations > 0 || !self.callbacks.is_empty()
    }

    /// Whether all of the thread's frames of compiled code stand on top of its stack, where a
    /// walk comes to them.
    pub(super) fn is_outermost(&self) -> bool {
        self.activations as usize + self.callbacks.len() + self.stays as usize == 1
    }

    /// An activation begins.
    pub(super) fn begin_activation(&mut self) -> Around {
        self.activations += 1;
        Around(self.callbacks.len())
    }

    /// It ends, and with it whatever began in it.
    pub(super) fn end_activation(&mut self, around: &Around) {
        self.activations -= 1;
        self.callbacks.truncate(around.0);
    }

    /// A callback begins, by a thunk with that frame.
    pub(super) fn begin_callback(&mut self, frame: usize) {
        self.callbacks.push(frame);
    }

    /// It ends, and with it whatever began in it.
    pub(super) fn end_callback(&mut self, frame: usize) {
        let place = self.callbacks.iter().rposition(|&other| other == frame);
        debug_assert!(place.is_some(), "a callback that has begun ends");
        self.callbacks.truncate(place.unwrap_or(self.callbacks.len()));
    }

    /// A use begins that runs nothing.
    pub(super) fn begin_stay(&mut self) {
        self.stays += 1;
    }

    /// It ends.
    pub(super) fn end_stay(&mut self) {
        self.stays -= 1;
    }

    /// Whether any callback might have been left.
    pub(super) fn has_callbacks(&self) -> bool {
        !self.callbacks.is_empty()
    }

    /// Forgets callbacks that were left by jumps, as far as that shows: something stands at `here`
    /// where the frame of one was, or further out. How addresses follow each other tells nothing
    /// where one of them is not on the thread's own stack, `own`.
    pub(super) fn forget_left(&mut self, here: usize, own: &Range<usize>) {
        let is_left = |frame: usize| {
            frame == here || (frame < here && own.contains(&frame) && own.contains(&here))
        };
        // What began in one that was left, was left with it.
        let left = self.callbacks.iter().position(|&frame| is_left(frame));
        self.callbacks.truncate(left.unwrap_or(self.callbacks.len()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OWN: Range<usize> = 0x1000..0x2000;

    fn within(frames: &[usize]) -> Inside {
        let mut inside = Inside::default();
        frames.iter().for_each(|&frame| inside.begin_callback(frame));
        inside
    }

    #[test]
    fn what_ends_takes_with_it_what_a_jump_has_left() {
        let mut inside = Inside::default();
        inside.begin_callback(0x1f00);
        let around = inside.begin_activation();
        [0x1e00, 0x1d00].into_iter().for_each(|frame| inside.begin_callback(frame));
        inside.end_activation(&around);
        assert!(inside.is_outermost());
        [0x1e00, 0x1d00].into_iter().for_each(|frame| inside.begin_callback(frame));
        inside.end_callback(0x1f00);
        assert!(inside.is_nothing());
    }

    #[test]
    fn callbacks_below_a_frame_that_is_there_were_left() {
        let mut inside = within(&[0x1f00, 0x1e00, 0x1d00]);
        inside.forget_left(0x1e80, &OWN);
        assert!(inside.is_outermost(), "the outermost is further out");
        inside.forget_left(0x1f00, &OWN);
        assert!(inside.is_nothing(), "another frame has its place");
    }

    #[test]
    fn callbacks_on_another_stack_are_kept_unless_a_frame_has_their_place() {
        let mut inside = within(&[0x500, 0x1e00]);
        inside.forget_left(0x5000, &OWN);
        inside.forget_left(0x1d00, &OWN);
        assert_eq!(inside.callbacks[..], [0x500, 0x1e00]);
        inside.forget_left(0x500, &OWN);
        assert!(inside.is_nothing());
    }

    #[test]
    fn a_stay_is_inside_and_runs_nothing() {
        let mut inside = Inside::default();
        inside.begin_stay();
        assert!(!inside.is_nothing() && !inside.runs_code());
        inside.begin_callback(0x1f00);
        assert!(inside.runs_code() && !inside.is_outermost());
        inside.end_callback(0x1f00);
        inside.end_stay();
        assert!(inside.is_nothing());
    }
}
