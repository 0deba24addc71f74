//! What it takes to bring the lanes of two vectors into an order.
//!
//! The back end has one op for all orders of the bytes of two registers, and finds the
//! instruction by the order. The same is found out here, so that passes can choose among
//! orders, and emission knows which ones need no shuffle of any bytes.

use brolga_ir::instruction::ZERO_LANE;
use brolga_ir::types::{Scalar, Type};
use smallvec::SmallVec;

use super::facts::TargetFacts;
use super::{Architecture, Feature, TargetSpec};

/// Bytes of a register.
const BYTES: usize = 16;

/// The bytes of a register, of those of two, counted through both.
pub(crate) type Order = [u8; BYTES];

/// The width of lanes of which an order of bytes is one, and the lanes.
struct Lanes {
    count: u8,
    order: SmallVec<[u8; BYTES]>,
}

impl Lanes {
    /// An order of bytes as one of lanes of so many bytes.
    fn of(order: &Order, bytes: usize) -> Option<Lanes> {
        let lane = |chunk: &[u8]| {
            let is_whole = usize::from(chunk[0]) % bytes == 0
                && chunk.iter().zip(chunk[0]..).all(|(&byte, at)| byte == at);
            is_whole.then(|| chunk[0] / bytes as u8)
        };
        let order = order.chunks(bytes).map(lane).collect::<Option<_>>()?;
        Some(Lanes { count: (BYTES / bytes) as u8, order })
    }

    fn is(&self, lane: impl Fn(u8) -> u8) -> bool {
        self.order.iter().zip(0..).all(|(&it, place)| it == lane(place))
    }

    /// The lower or the upper lanes of both, by turns.
    fn is_zip(&self) -> bool {
        let count = self.count;
        [0, count / 2].into_iter().any(|start| self.is(|at| start + at / 2 + at % 2 * count))
    }

    /// The even or the odd lanes of one behind those of the other.
    fn is_unzip(&self) -> bool {
        [0, 1].into_iter().any(|odd| self.is(|at| 2 * at + odd))
    }

    /// Those by turns.
    fn is_transpose(&self) -> bool {
        let count = self.count;
        [0, 1].into_iter().any(|odd| self.is(|at| at / 2 * 2 + odd + at % 2 * count))
    }

    /// One lane of the first again and again.
    fn is_splat(&self) -> bool {
        self.order[0] < self.count && self.is(|_| self.order[0])
    }

    /// Lanes of the first turned round within as many.
    fn is_reversal(&self, within: u8) -> bool {
        within <= self.count && self.is(|at| at / within * within + (within - 1 - at % within))
    }

    fn all_from(&self, range: std::ops::Range<usize>, first: u8) -> bool {
        self.order[range].iter().all(|lane| (first..first + self.count).contains(lane))
    }

    /// Of four lanes, two of one and two of the other, or all of one.
    fn is_of_halves(&self) -> bool {
        let halves = [[0, self.count], [self.count, 0], [0, 0], [self.count; 2]];
        halves.into_iter().any(|[low, high]| self.all_from(0..2, low) && self.all_from(2..4, high))
    }

    /// Of eight lanes, four that stay where they are and four of the same half in any order.
    fn is_half_in_place(&self) -> bool {
        let stays = |range: std::ops::Range<usize>, first: u8| {
            self.order[range.clone()].iter().zip(range).all(|(&it, at)| it == first + at as u8)
        };
        let turns = |range: std::ops::Range<usize>, first: u8| {
            let half = first + range.start as u8..first + range.end as u8;
            self.order[range].iter().all(|lane| half.contains(lane))
        };
        [0, 8].into_iter().any(|first| {
            stays(0..4, first) && turns(4..8, first) || turns(0..4, first) && stays(4..8, first)
        })
    }
}

/// Whether the order needs no shuffle of any bytes, on all processors of that kind.
pub(crate) fn is_plain(target: &TargetSpec, order: &Order) -> bool {
    // Of lanes as wide as can be: an order of narrower ones would be none of theirs.
    let widths = [8, 4, 2, 1];
    let lanes = widths.into_iter().find_map(|bytes| Some((bytes, Lanes::of(order, bytes)?)));
    let Some((bytes, lanes)) = lanes else { return false };
    match target.architecture() {
        Architecture::X86_64 => {
            lanes.is_zip()
                || bytes == 4 && lanes.is_of_halves()
                || bytes == 2 && lanes.is_half_in_place()
                || bytes == 8 && Lanes::of(order, 4).is_some_and(|lanes| lanes.is_of_halves())
        }
        Architecture::Aarch64 => {
            let reversals = [(1, 2), (1, 4), (1, 8), (2, 2), (2, 4), (4, 2)];
            let is_reversed = |(of, within)| of == bytes && lanes.is_reversal(within);
            lanes.is_zip()
                || lanes.is_unzip()
                || lanes.is_transpose()
                || lanes.is_splat()
                || is_window(order)
                || reversals.into_iter().any(is_reversed)
        }
    }
}

/// Bytes one behind the other.
fn is_window(order: &Order) -> bool {
    order.iter().zip(order[0]..).all(|(&byte, at)| byte == at)
}

/// How many instructions an order of bytes takes; nothing where lanes are moved one by one.
fn register_cost(target: &TargetSpec, order: &Order) -> Option<u32> {
    if is_plain(target, order) {
        return Some(1);
    }
    if target.architecture() == Architecture::Aarch64 {
        // Two registers next to each other, and one with the order.
        return Some(4);
    }
    if !target.has(Feature::Ssse3) {
        return None;
    }
    let is_of_one = order.iter().all(|&byte| byte < 16) || order.iter().all(|&byte| byte >= 16);
    let is_blend = Lanes::of(order, 2)
        .is_some_and(|lanes| lanes.order.iter().zip(0..).all(|(&lane, at)| lane % 8 == at));
    let picks_any = target.has(Feature::Avx512vbmi) && target.has(Feature::Avx512vl);
    Some(match () {
        () if is_of_one || is_window(order) => 1,
        () if is_blend && target.has(Feature::Sse41) => 1,
        () if picks_any => 2,
        () => 3,
    })
}

/// How many instructions it takes to bring lanes of two vectors into an order.
pub(super) fn cost(target: &TargetSpec, ty: Type, order: &[u32]) -> u32 {
    let bytes = ty.lane().map_or(0, Scalar::bits) as usize / 8;
    if bytes == 0 || bytes > BYTES / 2 {
        return target.shuffle_cost(ty);
    }
    let per_register = BYTES / bytes;
    order.chunks(per_register).map(|lanes| piece_cost(target, ty.lanes(), lanes, bytes)).sum()
}

/// The same of one register of the result.
fn piece_cost(target: &TargetSpec, count: u32, lanes: &[u32], bytes: usize) -> u32 {
    let per_register = (BYTES / bytes) as u32;
    let mut sources: SmallVec<[(u32, u32); 4]> = SmallVec::new();
    let mut order: Order = [0; BYTES];
    let mut is_in_place = true;
    for (at, &lane) in lanes.iter().enumerate() {
        if lane == ZERO_LANE {
            is_in_place = false;
            continue;
        }
        let (operand, within) = (lane / count, lane % count);
        let (source, place) = ((operand, within / per_register), within % per_register);
        let index = sources.iter().position(|&it| it == source).unwrap_or(sources.len());
        if index == sources.len() {
            sources.push(source);
        }
        is_in_place &= place as usize == at;
        for byte in 0..bytes {
            let from = (index * BYTES + place as usize * bytes + byte) as u8;
            order[at * bytes + byte] = from;
        }
    }
    // Lanes behind the last one are made zero.
    let filled = u32::from(lanes.len() < per_register as usize);
    // Without the instructions that take out and put in any lane but words, it takes a few for
    // each, and of bytes it takes others that keep their neighbours.
    let lane_by_lane = per_register * [8, 2, 4, 4][bytes.ilog2() as usize];
    match sources.len() {
        0 => 1,
        1 if is_in_place => 0,
        1 | 2 => register_cost(target, &order).map_or(lane_by_lane, |cost| cost + filled),
        count => {
            let any = if target.architecture() == Architecture::Aarch64 { 4 } else { 3 };
            let each = if target.has(Feature::Ssse3) || any == 4 { any } else { lane_by_lane };
            (count as u32 - 1) * each
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn costs(lane: Scalar, order: &[u32]) -> [u32; 4] {
        let targets = [
            "x86_64-linux/x86-64",
            "x86_64-linux/x86-64-v2",
            "x86_64-linux/znver4",
            "aarch64-linux",
        ];
        let ty = Type::vector(lane, 128 / lane.bits()).unwrap();
        targets.map(|text| cost(&TargetSpec::parse(text).unwrap(), ty, order))
    }

    #[test]
    fn orders_cost_the_instructions_that_the_back_end_finds_for_them() {
        assert_eq!(costs(Scalar::F32, &[0, 4, 1, 5]), [1; 4]);
        assert_eq!(costs(Scalar::F32, &[1, 3, 5, 7]), [1; 4]);
        assert_eq!(costs(Scalar::F32, &[0, 3, 6, 5]), [1, 1, 1, 4]);
        assert_eq!(costs(Scalar::F32, &[0, 4, 2, 6]), [16, 3, 2, 1]);
        assert_eq!(costs(Scalar::F32, &[0, 5, 2, 7]), [16, 1, 1, 4]);
        assert_eq!(costs(Scalar::I16, &[1, 2, 3, 4, 5, 6, 7, 8]), [16, 1, 1, 1]);
        assert_eq!(costs(Scalar::I16, &[0, 2, 4, 6, 8, 10, 12, 14]), [16, 3, 2, 1]);
        assert_eq!(costs(Scalar::F64, &[1, 2]), [1; 4]);
    }

    #[test]
    fn what_is_in_its_place_costs_nothing_and_each_further_register_as_much_again() {
        let facts = TargetSpec::parse("x86_64-linux/x86-64-v3").unwrap();
        let wide = Type::vector(Scalar::F32, 8).unwrap();
        let cost = |order: &[u32]| cost(&facts, wide, order);
        assert_eq!(cost(&[0, 1, 2, 3, 12, 13, 14, 15]), 0);
        assert_eq!(cost(&[0, 8, 1, 9, 2, 10, 3, 11]), 2);
        assert_eq!(cost(&[0, 4, 8, 12]), 9);
        assert_eq!(cost(&[1, 0]), 2);
    }
}
