//! Runs the code of a trial on this machine.

use std::ptr;

use rustix::mm::{MapFlags, MprotectFlags, ProtFlags, mmap_anonymous, mprotect, munmap};

use super::Trial;
use super::functions::{Outcome, compile, operands, results};
use super::inputs::{Random, lanes, mask, values};
use super::model::model;
use crate::target::{Isa, MachineType};

/// Compares code and model on every combination of edges, or on a sample of
/// them; gives the number of comparisons.
pub(super) fn check(isa: &Isa, trial: &Trial) -> usize {
    let Outcome::Code { bytes, .. } = compile(isa, trial) else {
        panic!("{trial} does not compile")
    };
    let page = Page::new(&bytes);
    let mut cases = 0;
    for arguments in combinations(trial) {
        let Some(expected) = model(trial, &arguments) else { continue };
        let given = page.run(&arguments);
        for ((ty, expected), given) in results(trial).into_iter().zip(&expected).zip(&given) {
            let given = given & mask(ty.bits());
            assert!(
                same(ty, *expected, given),
                "{trial} of {arguments:x?} on {}: {given:x} instead of {expected:x}",
                isa.spec()
            );
        }
        cases += 1;
    }
    cases
}

fn combinations(trial: &Trial) -> Vec<Vec<u128>> {
    const MOST: usize = 400;
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut all: Vec<Vec<u128>> = vec![vec![]];
    for ty in operands(trial) {
        let choices = values(ty, &mut random);
        let extend = |case: &Vec<u128>| {
            let case = case.clone();
            choices.clone().into_iter().map(move |it| [&case[..], &[it]].concat())
        };
        all = all.iter().flat_map(extend).collect();
        // A step that shares no factor with the number of choices, so that all
        // of them stay in the sample.
        let step = (all.len() / MOST).max(1) | 1;
        all = all.into_iter().step_by(step).collect();
    }
    all
}

/// Equal, payloads of NaNs aside.
fn same(ty: MachineType, expected: u128, given: u128) -> bool {
    let is_nan = |bits: u128| match ty.lane() {
        MachineType::F32 => f32::from_bits(bits as u32).is_nan(),
        MachineType::F64 => f64::from_bits(bits as u64).is_nan(),
        _ => false,
    };
    lanes(ty, expected)
        .into_iter()
        .zip(lanes(ty, given))
        .all(|(expected, given)| expected == given || (is_nan(expected) && is_nan(given)))
}

/// A page of memory that holds one function.
struct Page {
    start: *mut std::ffi::c_void,
    size: usize,
}

impl Page {
    fn new(code: &[u8]) -> Page {
        let size = code.len().next_multiple_of(4096);
        let writable = ProtFlags::READ | ProtFlags::WRITE;
        // SAFETY: a fresh mapping that the kernel places overlaps nothing.
        let start = unsafe {
            mmap_anonymous(ptr::null_mut(), size, writable, MapFlags::PRIVATE).expect("a page")
        };
        // SAFETY: the mapping is writable, at least as long as the code, and nobody else's.
        unsafe { ptr::copy_nonoverlapping(code.as_ptr(), start.cast(), code.len()) };
        // SAFETY: the pages are those just mapped.
        unsafe { mprotect(start, size, MprotectFlags::READ | MprotectFlags::EXEC).expect("code") };
        Page { start, size }
    }

    /// Calls the function; gives the first two results with what lies above them.
    fn run(&self, arguments: &[u128]) -> [u128; 2] {
        let mut outputs = [0u128; 8];
        // SAFETY: the page holds a whole function of this signature and convention.
        let function: extern "sysv64" fn(*const u128, *mut u128) =
            unsafe { std::mem::transmute(self.start) };
        function(arguments.as_ptr(), outputs.as_mut_ptr());
        [outputs[0], outputs[1]]
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        // SAFETY: the mapping is ours and no function of it is running.
        unsafe { munmap(self.start, self.size).expect("the page") };
    }
}
