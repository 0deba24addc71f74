//! A graph as a picture: blocks in rows, edges from above to below, edges back
//! in lanes beside.

use std::fmt::Write;

use super::coordinates;
use super::graph::{Direction, Edge, Graph, Node};
use super::layers::Layers;

const CHARACTER: f64 = 7.23;
const LABEL_CHARACTER: f64 = 6.63;
const LINE: f64 = 16.0;
const PADDING: f64 = 8.0;
/// Between two rows, at least and at most.
const GAP: f64 = 64.0;
const MOST_GAP: f64 = 180.0;
/// How far an edge runs on below its block, beside its label.
const STEM: f64 = 16.0;
/// Around everything.
const MARGIN: f64 = 20.0;

const STYLE: &str = "\
text{font:12px 'DejaVu Sans Mono',Menlo,Consolas,monospace;white-space:pre;fill:#1e293b}\
.title{font-weight:bold}\
.label{font-size:11px;paint-order:stroke;stroke:#fff;stroke-width:3px}\
rect{fill:#f8fafc;stroke:#475569}\
.head{fill:#e2e8f0}\
.loop .head{fill:#fed7aa}\
path{fill:none;stroke:#475569;stroke-width:1.3}\
.true path{stroke:#15803d}.true .label{fill:#15803d}\
.false path{stroke:#b91c1c}.false .label{fill:#b91c1c}\
.unwind path{stroke:#7e22ce;stroke-dasharray:5 3}.unwind .label{fill:#7e22ce}\
.back path{stroke:#ea580c;stroke-width:2.2}.back .label{fill:#c2410c}";

/// The picture of a graph.
///
/// # Errors
/// If it is too large to be one.
pub(super) fn draw(graph: &Graph) -> Result<String, String> {
    let layers = Layers::of(graph).map_err(|places| {
        format!(
            "the picture would have {places} places; `--format dot` gives the graph of any function"
        )
    })?;
    Ok(Picture::new(graph, &layers).text())
}

/// A graph with all places known.
struct Picture<'a> {
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
    fn new(graph: &'a Graph, layers: &'a Layers) -> Picture<'a> {
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

    fn text(&self) -> String {
        let right = |(x, width): (&f64, &f64)| x + width / 2.0;
        let nodes = self.x.iter().zip(&self.widths).map(right);
        let waypoints = self.x.iter().skip(self.widths.len()).copied();
        let name = format!("{} ({} blocks)", self.graph.name, self.graph.nodes.len());
        let named = name.chars().count() as f64 * CHARACTER + MARGIN;
        let width = nodes.chain(waypoints).fold(named, f64::max) + MARGIN;
        let height = self.rows.last().map_or(MARGIN + GAP, |(_, bottom)| bottom + GAP);
        let mut text = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
             viewBox=\"0 0 {width:.0} {height:.0}\">\n<style>{STYLE}</style>\n\
             <rect width=\"100%\" height=\"100%\" style=\"fill:#fff;stroke:none\"/>\n"
        );
        text += &line(MARGIN, MARGIN + 12.0, "title", &name);
        for (index, edge) in self.graph.edges.iter().enumerate() {
            self.draw_edge(&mut text, index, edge);
        }
        for (index, node) in self.graph.nodes.iter().enumerate() {
            self.draw_node(&mut text, index, node);
        }
        // Above the blocks, where one crosses the other.
        for (index, edge) in self.graph.edges.iter().enumerate() {
            self.draw_label(&mut text, index, edge);
        }
        text + "</svg>\n"
    }

    fn draw_node(&self, text: &mut String, index: usize, node: &Node) {
        let (width, height) = (self.widths[index], height(node));
        let (x, y) = (self.x[index] - width / 2.0, self.rows[self.layers.row_of[index]].0);
        let class = if self.is_loop_head[index] { "block loop" } else { "block" };
        // Writing to a string does not fail.
        let _ = writeln!(
            text,
            "<g class=\"{class}\"><rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" \
             height=\"{height:.1}\" rx=\"3\"/><rect class=\"head\" x=\"{x:.1}\" y=\"{y:.1}\" \
             width=\"{width:.1}\" height=\"{:.1}\" rx=\"3\"/>",
            LINE + PADDING
        );
        *text += &line(x + PADDING, y + LINE, "title", &node.title);
        for (number, content) in node.lines.iter().enumerate() {
            let below = y + 1.5 * PADDING + LINE * (number as f64 + 2.0) - 2.0;
            *text += &line(x + PADDING, below, "", content);
        }
        *text += "</g>\n";
    }

    fn draw_edge(&self, text: &mut String, index: usize, edge: &Edge) {
        let path = match edge.direction {
            Direction::Forward => self.path_down(index, edge),
            Direction::Back => self.path_up(index, edge),
        };
        let (class, x) = (class(edge), self.entries[index]);
        let y = self.rows[self.layers.row_of[edge.to]].0;
        let (left, right, above) = (x - 4.0, x + 4.0, y - 8.0);
        let _ = writeln!(
            text,
            "<g class=\"{class}\"><path d=\"{path}\"/>\
             <path d=\"M{left:.1},{above:.1} L{x:.1},{y:.1} L{right:.1},{above:.1}\"/></g>"
        );
    }

    fn draw_label(&self, text: &mut String, index: usize, edge: &Edge) {
        if edge.label.is_empty() {
            return;
        }
        let y = self.rows[self.layers.row_of[edge.from]].0 + height(&self.graph.nodes[edge.from]);
        let label = line(self.exits[index] + 5.0, y + 13.0, "label", &edge.label);
        let _ = writeln!(text, "<g class=\"{}\">{label}</g>", class(edge));
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

fn class(edge: &Edge) -> &'static str {
    match (edge.direction, edge.label.as_str()) {
        (Direction::Back, _) => "back",
        (_, "true") => "true",
        (_, "false") => "false",
        (_, "unwind" | "handler") => "unwind",
        _ => "edge",
    }
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

fn line(x: f64, y: f64, class: &str, text: &str) -> String {
    let text = escaped(text);
    format!("<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\">{text}</text>")
}

/// Text for XML, which has no control characters.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for character in text.chars() {
        match character {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            _ if character.is_control() || matches!(character, '\u{fffe}' | '\u{ffff}') => {
                escaped.push('\u{fffd}');
            }
            _ => escaped.push(character),
        }
    }
    escaped
}
