//! Which pages of an area are backed, and which of those are in use.

use std::ops::Range;

use smallvec::SmallVec;

use super::area::Growth;

/// Marks a unit that is not committed.
const ABSENT: u32 = u32::MAX;

/// Ranges in the order of addresses; most often there is one or none.
pub(super) type Runs = SmallVec<[Range<u32>; 1]>;

/// The state of an area's pages, in units of one or more pages.
#[derive(Debug)]
pub(super) struct Commitment {
    /// Offsets of the area.
    range: Range<u32>,
    /// Where the units are counted from.
    growth: Growth,
    /// Bytes of a unit.
    unit: u32,
    /// Per unit the bytes in use, or [`ABSENT`]; of those behind none was ever committed. A
    /// reservation is large, and most of it is never touched.
    used: Vec<u32>,
    /// Number of units that are committed and not in use.
    idle: u32,
}

impl Commitment {
    /// An area with no page committed, in units of so many bytes.
    pub(super) fn new(range: Range<u32>, growth: Growth, unit: u32) -> Self {
        Self { range, growth, unit, used: Vec::new(), idle: 0 }
    }

    /// Bytes that are committed and not in use.
    pub(super) fn idle(&self) -> usize {
        self.idle as usize * self.unit as usize
    }

    /// The runs of units touched by `range` that are not committed.
    pub(super) fn absent(&self, range: &Range<u32>) -> Runs {
        self.runs(self.touched(range), |used| used == ABSENT)
    }

    /// The parts of `range` that are committed already, so that they may hold
    /// the bytes of an earlier allocation.
    pub(super) fn stale(&self, range: &Range<u32>) -> Runs {
        let mut runs = self.runs(self.touched(range), |used| used != ABSENT);
        for run in &mut runs {
            *run = run.start.max(range.start)..run.end.min(range.end);
        }
        runs
    }

    /// The runs of idle units.
    pub(super) fn idle_runs(&self) -> Runs {
        if self.idle == 0 {
            return Runs::new();
        }
        self.runs(0..self.used.len(), |used| used == 0)
    }

    /// Notes that a run of [`Commitment::absent`] is backed now.
    pub(super) fn set_committed(&mut self, run: &Range<u32>) {
        self.idle += (run.end - run.start) / self.unit;
        self.set(run, 0);
    }

    /// Notes that a run of [`Commitment::idle_runs`] is not backed any more.
    pub(super) fn set_absent(&mut self, run: &Range<u32>) {
        self.idle -= (run.end - run.start) / self.unit;
        self.set(run, ABSENT);
    }

    /// Notes that `range`, which is committed, is in use.
    pub(super) fn occupy(&mut self, range: &Range<u32>) {
        for index in self.touched(range) {
            let overlap = self.overlap(index, range);
            let used = &mut self.used[index];
            self.idle -= u32::from(*used == 0);
            *used += overlap;
        }
    }

    /// Notes that `range` is not in use any more.
    pub(super) fn vacate(&mut self, range: &Range<u32>) {
        for index in self.touched(range) {
            let overlap = self.overlap(index, range);
            let used = &mut self.used[index];
            *used -= overlap;
            self.idle += u32::from(*used == 0);
        }
    }

    fn touched(&self, range: &Range<u32>) -> Range<usize> {
        let (near, far) = match self.growth {
            Growth::Up => (range.start - self.range.start, range.end - self.range.start),
            Growth::Down => (self.range.end - range.end, self.range.end - range.start),
        };
        (near / self.unit) as usize..far.div_ceil(self.unit) as usize
    }

    fn bytes(&self, units: &Range<usize>) -> Range<u32> {
        let [near, far] = [units.start, units.end].map(|index| index as u32 * self.unit);
        match self.growth {
            Growth::Up => self.range.start + near..self.range.start + far,
            Growth::Down => self.range.end - far..self.range.end - near,
        }
    }

    fn overlap(&self, index: usize, range: &Range<u32>) -> u32 {
        let unit = self.bytes(&(index..index + 1));
        unit.end.min(range.end) - unit.start.max(range.start)
    }

    fn set(&mut self, run: &Range<u32>, state: u32) {
        let units = self.touched(run);
        if self.used.len() < units.end {
            self.used.resize(units.end, ABSENT);
        }
        self.used[units].fill(state);
    }

    /// Maximal runs, as bytes, of the units whose state passes the test.
    fn runs(&self, units: Range<usize>, test: impl Fn(u32) -> bool) -> Runs {
        let mut runs = Runs::new();
        let mut push = |run: Range<u32>| match runs.last_mut() {
            Some(last) if last.end == run.start => last.end = run.end,
            Some(last) if last.start == run.end => last.start = run.start,
            _ => runs.push(run),
        };
        let known = units.start.min(self.used.len())..units.end.min(self.used.len());
        let mut first = known.start;
        for chunk in self.used[known.clone()].chunk_by(|&a, &b| test(a) == test(b)) {
            if test(chunk[0]) {
                push(self.bytes(&(first..first + chunk.len())));
            }
            first += chunk.len();
        }
        let never = units.start.max(known.end)..units.end;
        if !never.is_empty() && test(ABSENT) {
            push(self.bytes(&never));
        }
        if self.growth == Growth::Down {
            runs.reverse();
        }
        runs
    }
}
