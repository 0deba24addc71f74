//! A function as nodes and edges, with the texts that stand at them.

use std::collections::HashMap;

use brolga_ir::datum::Datum;
use brolga_ir::entity::{Block, EntityRef, FuncId, Inst};
use brolga_ir::flow::FlowGraph;
use brolga_ir::instruction::Payload;
use brolga_ir::module::Module;
use brolga_ir::op::Op;
use brolga_ir::text::{BodyPrinter, display_datum};
use brolga_ir::types::Type;

/// The most instructions of a block that are shown.
const MOST_LINES: usize = 24;

/// The most characters of a line that are shown.
const MOST_CHARACTERS: usize = 72;

/// The most characters of what an edge carries.
const MOST_LABEL: usize = 24;

/// Where an edge leads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Direction {
    /// On.
    Forward,
    /// Back to a block that may have led here: a loop.
    Back,
}

/// A block.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Node {
    /// The block.
    pub(crate) block: Block,
    /// Its name and parameters.
    pub(crate) title: String,
    /// Its instructions.
    pub(crate) lines: Vec<String>,
}

/// All ways from one block to another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Edge {
    /// The node that it leaves.
    pub(crate) from: usize,
    /// The node that it enters.
    pub(crate) to: usize,
    /// What it is taken on; empty for jumps.
    pub(crate) label: String,
    /// Where it leads.
    pub(crate) direction: Direction,
}

/// A function. Every forward edge leads from a node to a later one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Graph {
    /// The function's name.
    pub(crate) name: String,
    /// The blocks: the reachable ones in an order in which each stands before
    /// all that it leads to but along back edges, then the others.
    pub(crate) nodes: Vec<Node>,
    /// The edges, by the node that they leave.
    pub(crate) edges: Vec<Edge>,
}

impl Graph {
    /// The graph of a function; without nodes if it has no body.
    pub(crate) fn of(module: &Module, id: FuncId) -> Graph {
        let name = module.function(id).map_or("", |function| &function.name);
        let mut graph = Graph { name: format!("@{name}"), nodes: Vec::new(), edges: Vec::new() };
        let Some(body) = module.function(id).and_then(|function| function.body.as_deref()) else {
            return graph;
        };
        let flow = FlowGraph::new(body);
        let mut order: Vec<Block> = flow.reverse_postorder().collect();
        order.extend(body.layout.blocks().filter(|&block| !flow.is_reachable(block)));
        let mut numbers = vec![None; body.block_count()];
        for (number, block) in order.iter().enumerate() {
            numbers[block.index()] = Some(number);
        }
        let printer = BodyPrinter { module, body, signature: Some(module.signature_of(id)) };
        for (from, &block) in order.iter().enumerate() {
            graph.nodes.push(node(&printer, block));
            let Some(last) = body.layout.last_inst(block) else { continue };
            graph.connect(from, &printer, last, &numbers);
        }
        graph
    }

    /// Adds the edges of a block, those to one block as one.
    fn connect(
        &mut self,
        from: usize,
        printer: &BodyPrinter<'_>,
        last: Inst,
        numbers: &[Option<usize>],
    ) {
        let first = self.edges.len();
        let mut known: HashMap<usize, usize> = HashMap::new();
        for (index, target) in printer.body.targets(last).iter().enumerate() {
            let to = numbers.get(target.block.index()).copied().flatten();
            let Some(to) = to else { continue };
            let label = label(printer, last, index);
            let next = self.edges.len();
            let place = *known.entry(to).or_insert(next);
            match self.edges.get_mut(place) {
                Some(edge) if edge.label.len() > MOST_LABEL => {}
                Some(edge) => edge.label = format!("{}, {label}", edge.label),
                None => {
                    let direction = if to <= from { Direction::Back } else { Direction::Forward };
                    self.edges.push(Edge { from, to, label, direction });
                }
            }
        }
        for edge in &mut self.edges[first..] {
            edge.label = cut(&edge.label, MOST_LABEL);
        }
    }
}

fn node(printer: &BodyPrinter<'_>, block: Block) -> Node {
    let text = printer.block(block);
    let mut lines = text.lines().map(|line| cut(line.trim_start(), MOST_CHARACTERS));
    let title = lines.next().unwrap_or_default();
    let mut shown: Vec<String> = lines.by_ref().take(MOST_LINES).collect();
    match lines.count() {
        0 => {}
        more => shown.push(format!("… {more} more")),
    }
    Node { block, title, lines: shown }
}

/// What the target of that number is taken on.
fn label(printer: &BodyPrinter<'_>, last: Inst, index: usize) -> String {
    let body = printer.body;
    let data = body.inst(last);
    let words = match &data.payload {
        Payload::Branch(_) if data.op == Op::Branch => ["true", "false"],
        Payload::Branch(_) => ["body", "handler"],
        Payload::TryCall { .. } => ["normal", "unwind"],
        Payload::Switch(table) => {
            let case = body.switch(*table).and_then(|switch| switch.cases.get(index));
            let Some(&case) = case else { return "default".to_owned() };
            let ty = body.args(last).first().map_or(Type::NONE, |&value| body.value_type(value));
            return display_datum(&printer.module.types, ty, &Datum::Scalar(case)).to_string();
        }
        _ => [""; 2],
    };
    words.get(index).copied().unwrap_or_default().to_owned()
}

/// The text up to so many characters.
fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
