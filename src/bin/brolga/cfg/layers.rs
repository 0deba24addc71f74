//! Which row each block stands in, and in which order: the first half of the
//! layered layout of Sugiyama, Tagawa and Toda.
//!
//! Edges that pass rows get a waypoint in each. A back edge runs upward in a
//! lane of waypoints, from beside its source to beside its target.

use super::graph::{Direction, Graph};

/// The most places of a picture: beyond, nobody could look at it.
const MOST_PLACES: usize = 100_000;

/// How often the rows are sorted by their neighbours, down and up.
const ROUNDS: usize = 12;

/// Where something stands: a block or a waypoint.
pub(crate) type Place = usize;

/// Blocks and waypoints in rows.
#[derive(Debug)]
pub(crate) struct Layers {
    /// The places of each row, from left to right. Those below the number of
    /// nodes are the nodes.
    pub(crate) rows: Vec<Vec<Place>>,
    /// The row of each place.
    pub(crate) row_of: Vec<usize>,
    /// For each edge its waypoints, from the upper to the lower.
    pub(crate) waypoints: Vec<Vec<Place>>,
    /// What each place is linked with in the row above.
    pub(crate) above: Vec<Vec<Place>>,
    /// What each place is linked with in the row below.
    pub(crate) below: Vec<Vec<Place>>,
    /// The node of the same row that the end of a lane belongs to.
    pub(crate) beside: Vec<Option<Place>>,
}

impl Layers {
    /// The rows of a graph.
    ///
    /// # Errors
    /// How many places it takes, if too many.
    pub(crate) fn of(graph: &Graph) -> Result<Layers, usize> {
        let mut row_of: Vec<usize> = vec![0; graph.nodes.len()];
        // Forward edges lead to later nodes, so that each row is final when it is read.
        for edge in graph.edges.iter().filter(|edge| edge.direction == Direction::Forward) {
            row_of[edge.to] = row_of[edge.to].max(row_of[edge.from] + 1);
        }
        let spans = graph.edges.iter().map(|edge| row_of[edge.from].abs_diff(row_of[edge.to]) + 1);
        let places = graph.nodes.len() + spans.sum::<usize>();
        if places > MOST_PLACES {
            return Err(places);
        }
        let count = row_of.len();
        let mut layers = Layers {
            rows: Vec::new(),
            row_of,
            waypoints: Vec::new(),
            above: vec![Vec::new(); count],
            below: vec![Vec::new(); count],
            beside: vec![None; count],
        };
        for edge in &graph.edges {
            let waypoints = match edge.direction {
                Direction::Forward => layers.pass(edge.from, edge.to),
                Direction::Back => layers.lane(edge.to, edge.from),
            };
            layers.waypoints.push(waypoints);
        }
        let last = layers.row_of.iter().max().map_or(0, |row| row + 1);
        layers.rows = vec![Vec::new(); last];
        for (place, &row) in layers.row_of.iter().enumerate() {
            layers.rows[row].push(place);
        }
        layers.sort();
        Ok(layers)
    }

    fn add(&mut self, row: usize, beside: Option<Place>) -> Place {
        self.row_of.push(row);
        self.above.push(Vec::new());
        self.below.push(Vec::new());
        self.beside.push(beside);
        self.row_of.len() - 1
    }

    fn link(&mut self, upper: Place, lower: Place) {
        self.below[upper].push(lower);
        self.above[lower].push(upper);
    }

    /// Waypoints in the rows between two nodes.
    fn pass(&mut self, from: Place, to: Place) -> Vec<Place> {
        let between = self.row_of[from] + 1..self.row_of[to];
        let waypoints: Vec<Place> = between.map(|row| self.add(row, None)).collect();
        let chain: Vec<Place> =
            [from].into_iter().chain(waypoints.iter().copied()).chain([to]).collect();
        chain.windows(2).for_each(|pair| self.link(pair[0], pair[1]));
        waypoints
    }

    /// Waypoints in the rows of two nodes and between.
    fn lane(&mut self, upper: Place, lower: Place) -> Vec<Place> {
        let (first, last) = (self.row_of[upper], self.row_of[lower]);
        let (first, last) = (first.min(last), first.max(last));
        let waypoints: Vec<Place> = (first..=last)
            .map(|row| {
                let end = [(last, lower), (first, upper)].into_iter().find(|(at, _)| *at == row);
                self.add(row, end.map(|(_, node)| node))
            })
            .collect();
        waypoints.windows(2).for_each(|pair| self.link(pair[0], pair[1]));
        waypoints
    }

    /// Sorts the rows so that edges cross less: each place by the mean of its
    /// neighbours in the row before, down and up in turn.
    fn sort(&mut self) {
        let mut position = vec![0.0; self.row_of.len()];
        self.rows.iter().for_each(|row| number(row, &mut position));
        for round in 0..2 * ROUNDS {
            let down = round % 2 == 0;
            for step in 0..self.rows.len() {
                let index = if down { step } else { self.rows.len() - 1 - step };
                let mut row = std::mem::take(&mut self.rows[index]);
                self.sort_row(&mut row, down, &mut position);
                self.rows[index] = row;
            }
        }
    }

    fn sort_row(&self, row: &mut [Place], down: bool, position: &mut [f64]) {
        let links = if down { &self.above } else { &self.below };
        // Keys stand where the positions of this row did, which nobody reads.
        for &place in row.iter().filter(|&&place| !links[place].is_empty()) {
            let sum: f64 = links[place].iter().map(|&other| position[other]).sum();
            position[place] = sum / links[place].len() as f64;
        }
        for &place in row.iter().filter(|&&place| links[place].is_empty()) {
            if let Some(node) = self.beside[place] {
                position[place] = position[node] + 0.5;
            }
        }
        row.sort_by(|&a, &b| position[a].total_cmp(&position[b]));
        number(row, position);
    }
}

fn number(row: &[Place], position: &mut [f64]) {
    for (index, &place) in row.iter().enumerate() {
        position[place] = index as f64;
    }
}
