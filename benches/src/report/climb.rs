//! How long one takes to a result, by how much there is to do.
//!
//! What compiling and short runs take together is more than the times of each, as neither finds
//! the caches as it left them, so it is measured at amounts from nothing on. Between two of them it
//! is on the straight line.

use std::collections::BTreeMap;

use crate::race::Rung;

/// Amounts of work at which it is measured, in nanoseconds of the yardstick: from nothing on.
pub(super) const LADDER: [f64; 12] = [0.0, 1e4, 3e4, 1e5, 3e5, 1e6, 3e6, 1e7, 3e7, 1e8, 3e8, 1e9];

/// What a kernel's own argument gives it to do.
const OWN: f64 = 1e7;

/// Up to this much work it is measured so many times in a process: longer runs vary less.
pub(super) const SHORT: f64 = 1e7;
const TIMES: usize = 3;

/// Up to which work the time to a result is measured.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Height {
    /// Up to what [`SHORT`] is: behind that, code that stays as it is goes on as its fastest run.
    Short,
    /// To the end: code gets better as it runs, in no proportion to the work.
    Whole,
}

/// The arguments at which a kernel is measured that has `own` by itself. Less than a round of
/// its work cannot be had.
pub(super) fn ladder(own: i64, height: Height) -> Vec<i64> {
    let mut arguments: Vec<i64> = Vec::new();
    for work in LADDER.into_iter().filter(|&work| height == Height::Whole || work <= SHORT) {
        let argument = (own as f64 * work / OWN).round() as i64;
        if arguments.last() != Some(&argument) {
            let times = if work <= SHORT { TIMES } else { 1 };
            arguments.extend(std::iter::repeat_n(argument, times));
        }
    }
    arguments
}

/// Arguments, and the nanoseconds to a result.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Climb(Vec<(f64, f64)>);

impl Climb {
    /// The medians of what was measured; none of less than two arguments.
    pub(super) fn of<'a>(rungs: impl Iterator<Item = &'a Rung>) -> Option<Climb> {
        let mut times: BTreeMap<i64, Vec<u64>> = BTreeMap::new();
        for rung in rungs {
            times.entry(rung.n).or_default().push(rung.took_ns);
        }
        let middle = |mut times: Vec<u64>| {
            times.sort_unstable();
            times[times.len() / 2] as f64
        };
        let points: Vec<(f64, f64)> =
            times.into_iter().map(|(n, times)| (n as f64, middle(times))).collect();
        (points.len() > 1).then_some(Climb(points))
    }

    /// The last argument that was measured, and the nanoseconds at it.
    pub(super) fn last(&self) -> (f64, f64) {
        self.0.last().copied().unwrap_or((f64::NAN, f64::NAN))
    }

    /// The nanoseconds at an argument, which may lie between those that were measured. Behind the
    /// last, time goes on as before it.
    pub(super) fn time(&self, argument: f64) -> f64 {
        let segments = self.0.windows(2);
        let last = segments.len().saturating_sub(1);
        let segment = segments.enumerate().find(|(at, it)| *at == last || argument <= it[1].0);
        let Some((_, &[(from, start), (to, end)])) = segment else { return f64::NAN };
        start + (argument - from) / (to - from) * (end - start)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ladder_begins_with_nothing_and_has_each_argument_once_more_where_runs_are_short() {
        let most = ladder(1_000_000, Height::Whole);
        assert_eq!(most[..6], [0, 0, 0, 1_000, 1_000, 1_000]);
        assert_eq!(
            most[most.len() - 5..],
            [1_000_000, 3_000_000, 10_000_000, 30_000_000, 100_000_000]
        );
        // A round of this one is a millisecond.
        let short = [0, 0, 0, 1, 1, 1, 3, 3, 3, 10, 10, 10];
        assert_eq!(ladder(10, Height::Short), short);
        assert_eq!(ladder(10, Height::Whole), [&short[..], &[30, 100, 300, 1_000]].concat());
    }

    #[test]
    fn times_are_medians_with_straight_lines_between_them_and_behind_them() {
        let rung = |n, took_ns| Rung { n, took_ns, checksum: String::new() };
        let rungs = [(0, 100), (10, 900), (10, 1_100), (10, 5_000), (20, 1_600), (40, 2_400)];
        let climb = Climb::of(rungs.map(|(n, took)| rung(n, took)).iter()).unwrap();
        let times = [0.0, 5.0, 10.0, 15.0, 30.0, 40.0, 100.0].map(|n| climb.time(n));
        assert_eq!(times, [100.0, 600.0, 1_100.0, 1_350.0, 2_000.0, 2_400.0, 4_800.0]);
        assert_eq!(climb.last(), (40.0, 2_400.0));
        assert_eq!(Climb::of([rung(3, 1), rung(3, 2)].iter()), None);
    }
}
