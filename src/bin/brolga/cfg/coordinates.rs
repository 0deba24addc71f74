//! Where the places of each row stand from left to right: as near as can be to
//! what they are linked with, in the order of the row and apart.

use super::layers::{Layers, Place};

/// How often the rows are moved towards their neighbours.
const ROUNDS: usize = 24;

/// Between two nodes.
const NODE_GAP: f64 = 32.0;

/// Between a waypoint and what stands beside it.
const WAYPOINT_GAP: f64 = 10.0;

/// The middle of each place, from 0 on the left; `widths` are those of the
/// nodes, and a waypoint has none.
pub(super) fn place(layers: &Layers, widths: &[f64]) -> Vec<f64> {
    let space = Space { layers, widths };
    let mut x = vec![0.0; layers.row_of.len()];
    for row in &layers.rows {
        for pair in row.windows(2) {
            x[pair[1]] = x[pair[0]] + space.apart(pair[0], pair[1]);
        }
    }
    for round in 0..ROUNDS {
        let down = round % 2 == 0;
        for step in 0..layers.rows.len() {
            let index = if down { step } else { layers.rows.len() - 1 - step };
            space.settle(&layers.rows[index], down, round + 2 >= ROUNDS, &mut x);
        }
    }
    let left = |place: Place| x[place] - space.width(place) / 2.0;
    let least = (0..x.len()).map(left).fold(f64::INFINITY, f64::min);
    x.iter().map(|at| at - least).collect()
}

struct Space<'a> {
    layers: &'a Layers,
    widths: &'a [f64],
}

impl Space<'_> {
    fn width(&self, place: Place) -> f64 {
        self.widths.get(place).copied().unwrap_or(0.0)
    }

    fn is_waypoint(&self, place: Place) -> bool {
        place >= self.widths.len()
    }

    /// The least distance of the middles of two neighbours.
    fn apart(&self, left: Place, right: Place) -> f64 {
        let is_narrow = self.is_waypoint(left) || self.is_waypoint(right);
        let gap = if is_narrow { WAYPOINT_GAP } else { NODE_GAP };
        (self.width(left) + self.width(right)) / 2.0 + gap
    }

    /// How much a link is to be upright: those of long edges the most.
    fn weight(&self, a: Place, b: Place) -> f64 {
        match (self.is_waypoint(a), self.is_waypoint(b)) {
            (true, true) => 8.0,
            (false, false) => 1.0,
            _ => 2.0,
        }
    }

    /// Where a place would like to be, and how much.
    fn wish(&self, place: Place, down: bool, both: bool, x: &[f64]) -> (f64, f64) {
        let none: &[Place] = &[];
        let above = if down || both { &self.layers.above[place] } else { none };
        let below = if !down || both { &self.layers.below[place] } else { none };
        let (mut sum, mut weight) = (0.0, 0.0);
        for &other in above.iter().chain(below) {
            sum += x[other] * self.weight(place, other);
            weight += self.weight(place, other);
        }
        if weight > 0.0 {
            return (sum / weight, weight);
        }
        match self.layers.beside[place] {
            Some(node) if x[place] < x[node] => (x[node] - self.apart(place, node), 0.1),
            Some(node) => (x[node] + self.apart(node, place), 0.1),
            None => (x[place], 0.1),
        }
    }

    /// Moves a row to where the squares of the distances from the wishes are
    /// least. Less the distances that must be, the places must not descend:
    /// pooling adjacent violators gives the best such sequence.
    fn settle(&self, row: &[Place], down: bool, both: bool, x: &mut [f64]) {
        let mut offset = 0.0;
        let mut offsets = Vec::with_capacity(row.len());
        // Each pool: the weighted sum of its wishes, its weight, its size.
        let mut pools: Vec<(f64, f64, usize)> = Vec::new();
        for (index, &place) in row.iter().enumerate() {
            if index > 0 {
                offset += self.apart(row[index - 1], place);
            }
            offsets.push(offset);
            let (wish, weight) = self.wish(place, down, both, x);
            pools.push(((wish - offset) * weight, weight, 1));
            while let [.., before, last] = pools.as_mut_slice() {
                if before.0 / before.1 <= last.0 / last.1 {
                    break;
                }
                *before = (before.0 + last.0, before.1 + last.1, before.2 + last.2);
                pools.pop();
            }
        }
        let bases = pools.iter().flat_map(|pool| std::iter::repeat_n(pool.0 / pool.1, pool.2));
        for ((&place, offset), base) in row.iter().zip(offsets).zip(bases) {
            x[place] = base + offset;
        }
    }
}
