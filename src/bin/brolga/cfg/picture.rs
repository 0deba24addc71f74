//! Where everything of a picture stands: blocks in rows, edges from above to below, edges
//! back in lanes beside.

use std::fmt::Write;

use super::coordinates;
use super::graph::{Direction, Edge, Graph, Node};
use super::layers::Layers;

pub(super) const CHARACTER: f64 = 7.23;
const LABEL_CHARACTER: f64 = 6.63;
pub(super) const LINE: f64 = 16.0;
pub(super) const PADDING: f64 = 8.0;
/// Between two rows, at least and at most.
const GAP: f64 = 64.0;
const MOST_GAP: f64 = 180.0;
/// How far an edge runs on below its block, beside its label.
const STEM: f64 = 16.0;
/// Around everything.
pub(super) const MARGIN: f64 = 20.0;

/// A rectangle by its upper left corner and its sizes.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Frame {
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) width: f64,
    pub(crate) height: f64,
}

/// A graph with all places known.
pub(crate) struct Picture<'a> {
    graph: &'a Graph,
    layers: &'a Layers,
    widths: Vec<f64>,
    /// The middles of all places.
    x: Vec<f64>,
    /// Where each row begins and ends.
    rows: Vec<(f64, f64)>,
    /// Where each edge leaves its block.
    exits: Vec<f64>,
    /// Where each edge enters its block.
    entries: Vec<f64>,
    /// Whether an edge leads back to each block.
    is_loop_head: Vec<bool>,
}

impl<'a> Picture<'a> {
    /// The places of a graph, whose blocks stand in those rows.
    pub(crate) fn new(graph: &'a Graph, layers: &'a Layers) -> Picture<'a> {
        let mut widths: Vec<f64> = graph.nodes.iter().map(text_width).collect();
        let mut labels = vec![0.0; widths.len()];
        graph.edges.iter().for_each(|edge| labels[edge.from] += label_width(edge));
        for (width, labels) in widths.iter_mut().zip(labels) {
            *width = width.max(labels + 2.0 * PADDING);
        }
        let x = coordinates::place(layers, &widths);
        let (mut rows, mut top) = (Vec::new(), MARGIN + GAP);
        for row in &layers.rows {
            let nodes = row.iter().filter_map(|&place| graph.nodes.get(place));
            let bottom = top + nodes.map(height).fold(0.0, f64::max);
            rows.push((top, bottom));
            top = bottom + gap(layers, row, &x);
        }
        let x: Vec<f64> = x.into_iter().map(|at| at + MARGIN).collect();
        let none = vec![0.0; graph.edges.len()];
        let (exits, entries) = (none.clone(), none);
        let mut is_loop_head = vec![false; widths.len()];
        for edge in graph.edges.iter().filter(|edge| edge.direction == Direction::Back) {
            is_loop_head[edge.to] = true;
        }
        let mut picture = Picture { graph, layers, widths, x, rows, exits, entries, is_loop_head };
        picture.assign_ports();
        picture
    }

    /// Its width and height, if a text of that width stands above it.
    pub(crate) fn size(&self, least: f64) -> (f64, f64) {
        let right = |(x, width): (&f64, &f64)| x + width / 2.0;
        let nodes = self.x.iter().zip(&self.widths).map(right);
        let waypoints = self.x.iter().skip(self.widths.len()).copied();
        let width = nodes.chain(waypoints).fold(least, f64::max) + MARGIN;
        let height = self.rows.last().map_or(MARGIN + GAP, |(_, bottom)| bottom + GAP);
        (width, height)
    }

    /// Where a block stands.
    pub(crate) fn frame(&self, node: usize) -> Frame {
        let (width, height) = (self.widths[node], height(&self.graph.nodes[node]));
        let y = self.rows[self.layers.row_of[node]].0;
        Frame { x: self.x[node] - width / 2.0, y, width, height }
    }

    /// Whether an edge leads back to a block.
    pub(crate) fn is_loop_head(&self, node: usize) -> bool {
        self.is_loop_head[node]
    }

    /// The way of an edge, as SVG has it.
    pub(crate) fn path(&self, index: usize) -> String {
        let edge = &self.graph.edges[index];
        match edge.direction {
            Direction::Forward => self.path_down(index, edge),
            Direction::Back => self.path_up(index, edge),
        }
    }

    /// Where an edge ends.
    pub(crate) fn tip(&self, index: usize) -> (f64, f64) {
        let edge = &self.graph.edges[index];
        (self.entries[index], self.rows[self.layers.row_of[edge.to]].0)
    }

    /// Where the label of an edge begins, on its base line.
    pub(crate) fn label(&self, index: usize) -> (f64, f64) {
        let frame = self.frame(self.graph.edges[index].from);
        (self.exits[index] + 5.0, frame.y + frame.height + 13.0)
    }

    /// Spreads the ends of edges over the borders of their blocks, in the
    /// order of where they lead.
    fn assign_ports(&mut self) {
        let mut leaving: Vec<Vec<(f64, usize)>> = vec![Vec::new(); self.graph.nodes.len()];
        let mut entering = leaving.clone();
        for (index, edge) in self.graph.edges.iter().enumerate() {
            let waypoints = &self.layers.waypoints[index];
            let (first, last) = (waypoints.first(), waypoints.last());
            let (out, back) = match edge.direction {
                Direction::Forward => (first, last),
                Direction::Back => (last, first),
            };
            let key = |node: usize, place: usize| port_key(self.x[node], self.x[place], edge);
            leaving[edge.from].push((key(edge.from, *out.unwrap_or(&edge.to)), index));
            entering[edge.to].push((key(edge.to, *back.unwrap_or(&edge.from)), index));
        }
        for (node, (mut leaving, mut entering)) in leaving.into_iter().zip(entering).enumerate() {
            leaving.sort_by(|a, b| a.0.total_cmp(&b.0));
            entering.sort_by(|a, b| a.0.total_cmp(&b.0));
            let room = self.widths[node] - 2.0 * PADDING;
            let all: f64 =
                leaving.iter().map(|&(_, edge)| label_width(&self.graph.edges[edge])).sum();
            let mut at = self.x[node] - all / 2.0;
            for &(_, edge) in &leaving {
                let width = label_width(&self.graph.edges[edge]);
                // The label stands to the right of its edge.
                self.exits[edge] = if leaving.len() == 1 { self.x[node] } else { at + PADDING };
                at += width;
            }
            let step = (room / entering.len().max(1) as f64).min(24.0);
            let middle = (entering.len().max(1) - 1) as f64 / 2.0;
            for (number, &(_, edge)) in entering.iter().enumerate() {
                self.entries[edge] = self.x[node] + (number as f64 - middle) * step;
            }
        }
    }

    /// From the lower border of a block to where it may leave its column, and that place.
    fn path_out(&self, index: usize, edge: &Edge) -> (String, (f64, f64)) {
        let (top, bottom) = self.rows[self.layers.row_of[edge.from]];
        let (x, y) = (self.exits[index], top + height(&self.graph.nodes[edge.from]));
        let free = bottom + STEM;
        (format!("M{x:.1},{y:.1} L{x:.1},{free:.1}"), (x, free))
    }

    fn path_down(&self, index: usize, edge: &Edge) -> String {
        let (mut path, mut at) = self.path_out(index, edge);
        for &waypoint in &self.layers.waypoints[index] {
            let (x, (top, bottom)) = (self.x[waypoint], self.rows[self.layers.row_of[waypoint]]);
            path += &swing(at, (x, top));
            let _ = write!(path, " L{x:.1},{bottom:.1}");
            at = (x, bottom);
        }
        path + &swing(at, (self.entries[index], self.rows[self.layers.row_of[edge.to]].0))
    }

    fn path_up(&self, index: usize, edge: &Edge) -> String {
        let (mut path, mut at) = self.path_out(index, edge);
        for (number, &waypoint) in self.layers.waypoints[index].iter().rev().enumerate() {
            let (x, (top, bottom)) = (self.x[waypoint], self.rows[self.layers.row_of[waypoint]]);
            path += &match number {
                0 => turn(at, (x, bottom), bottom + 0.75 * GAP),
                _ => swing(at, (x, bottom)),
            };
            let _ = write!(path, " L{x:.1},{top:.1}");
            at = (x, top);
        }
        let top = self.rows[self.layers.row_of[edge.to]].0;
        path + &turn(at, (self.entries[index], top), top - 0.75 * GAP)
    }
}

/// Where on the border of a block at `node` an edge to `place` is, compared
/// with others. Lanes beside the block nest: the nearest has the outermost port.
fn port_key(node: f64, place: f64, edge: &Edge) -> f64 {
    const BEYOND: f64 = 1e9;
    match edge.direction {
        Direction::Forward => place,
        Direction::Back if place < node => -BEYOND - place,
        Direction::Back => BEYOND - place,
    }
}

/// The space below a row: the more, the farther its edges lead aside, so that
/// curves are not too flat to be told apart.
fn gap(layers: &Layers, row: &[usize], x: &[f64]) -> f64 {
    let links =
        row.iter().flat_map(|&place| layers.below[place].iter().map(move |&to| (place, to)));
    let widest = links.map(|(from, to)| (x[from] - x[to]).abs()).fold(0.0, f64::max);
    (widest / 12.0).clamp(GAP, MOST_GAP)
}

/// A curve from one height to another that begins and ends upright.
fn swing(from: (f64, f64), to: (f64, f64)) -> String {
    let middle = (from.1 + to.1) / 2.0;
    format!(" C{:.1},{middle:.1} {:.1},{middle:.1} {:.1},{:.1}", from.0, to.0, to.0, to.1)
}

/// A curve that comes back from the height `over`.
fn turn(from: (f64, f64), to: (f64, f64), over: f64) -> String {
    format!(" C{:.1},{over:.1} {:.1},{over:.1} {:.1},{:.1}", from.0, to.0, to.0, to.1)
}

fn text_width(node: &Node) -> f64 {
    let texts = [&node.title].into_iter().chain(&node.lines);
    let most = texts.map(|text| text.chars().count()).max().unwrap_or(0);
    most as f64 * CHARACTER + 2.0 * PADDING
}

fn height(node: &Node) -> f64 {
    (node.lines.len() + 1) as f64 * LINE + 2.0 * PADDING + 2.0
}

/// The width that an edge wants of the border that it leaves.
fn label_width(edge: &Edge) -> f64 {
    edge.label.chars().count() as f64 * LABEL_CHARACTER + 2.0 * PADDING
}
