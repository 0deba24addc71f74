//! The picture of a function: where its blocks stand, and how often they run.

use brolga_ir::body::Body;
use brolga_ir::entity::{Block, FuncId};
use brolga_ir::flow::FlowGraph;
use brolga_ir::module::Module;
use brolga_lowering::analysis::{Analyses, Frequencies, Loops};

use super::data::{Flow, FlowEdge, FlowNode};
use crate::cfg::graph::{Graph, Node};
use crate::cfg::layers::Layers;
use crate::cfg::picture::Picture;
use crate::cfg::svg::class;

/// The most characters of the name of a block.
const MOST_NAME: usize = 28;

/// What is known of the blocks of a function.
struct Known<'a> {
    body: &'a Body,
    graph: &'a FlowGraph,
    loops: &'a Loops,
    frequencies: &'a Frequencies,
}

/// The picture of a function; none if it has no body, or one that is too large.
pub(super) fn of(module: &Module, id: FuncId) -> Option<Flow> {
    let body = module.function(id)?.body.as_deref()?;
    let mut analyses = Analyses::default();
    let known = Known {
        body,
        graph: &analyses.flow(body),
        loops: &analyses.loops(body),
        frequencies: &analyses.frequencies(body),
    };
    let mut graph = Graph::of(module, id);
    // What kind an edge is of stands in what it is taken on, before shares stand behind that.
    let kinds: Vec<&'static str> = graph.edges.iter().map(class).collect();
    let names: Vec<String> = graph.nodes.iter().map(|node| name(&node.title)).collect();
    for node in &mut graph.nodes {
        known.describe(node);
    }
    let blocks: Vec<Block> = graph.nodes.iter().map(|node| node.block).collect();
    let mut shares = Vec::new();
    for edge in &mut graph.edges {
        let share = known.share(blocks[edge.from], blocks[edge.to]);
        if !edge.label.is_empty() {
            edge.label = format!("{} {}", edge.label, percent(share));
        }
        shares.push(share);
    }
    let layers = Layers::of(&graph).ok()?;
    let picture = Picture::new(&graph, &layers);
    let nodes = graph.nodes.iter().zip(names).enumerate().map(|(index, (node, name))| {
        let frame = picture.frame(index);
        FlowNode {
            frame: [frame.x, frame.y, frame.width, frame.height].map(tenths),
            name,
            texts: [node.title.clone()].into_iter().chain(node.lines.iter().cloned()).collect(),
            depth: known.loops.depth(node.block),
            kind: known.kind(node.block),
        }
    });
    let nodes = nodes.collect();
    let edges = graph.edges.iter().enumerate().map(|(index, edge)| {
        let ((x, y), label) = (picture.tip(index), picture.label(index));
        FlowEdge {
            ends: [edge.from, edge.to],
            kind: kinds[index],
            path: picture.path(index),
            tip: [tenths(x), tenths(y)],
            label: edge.label.clone(),
            label_at: [tenths(label.0), tenths(label.1)],
            share: (shares[index] * 1000.0).round() / 1000.0,
        }
    });
    let edges = edges.collect();
    let (width, height) = picture.size(0.0);
    Some(Flow { width: width.round(), height: height.round(), nodes, edges })
}

impl Known<'_> {
    /// Leaves of a block its name, how large it is, and how often it runs.
    fn describe(&self, node: &mut Node) {
        let count = self.body.layout.insts(node.block).count();
        node.title = shortened(&name(&node.title));
        let noun = if count == 1 { "op" } else { "ops" };
        let often = match self.graph.is_reachable(node.block) {
            true => times(self.frequencies.of(node.block)),
            false => "never".to_owned(),
        };
        node.lines = vec![format!("{count} {noun} · {often}")];
    }

    /// Of all ways out of one block, the share of those into another.
    fn share(&self, from: Block, to: Block) -> f64 {
        let successors = self.graph.successors(from).iter().enumerate();
        let likelihoods = self.frequencies.likelihoods();
        let into = successors.filter(|&(_, &it)| it == to);
        let sum: u64 = into.map(|(index, _)| likelihoods.of(from, index)).sum();
        sum as f64 / brolga_lowering::analysis::frequencies::Likelihoods::CERTAIN as f64
    }

    fn kind(&self, block: Block) -> Option<&'static str> {
        match () {
            () if !self.graph.is_reachable(block) => Some("unreachable"),
            () if self.loops.is_irreducible(block) => Some("irreducible"),
            () if self.loops.of_header(block).is_some() => Some("head"),
            () => None,
        }
    }
}

/// The name of a block, of the line of its head; a name in quotes may hold anything.
fn name(title: &str) -> String {
    let (mut is_quoted, mut is_escaped) = (false, false);
    let ends = |character: char| {
        let ends = !is_quoted && matches!(character, '(' | ':');
        match character {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = is_quoted,
            '"' => is_quoted = !is_quoted,
            _ => {}
        }
        ends
    };
    let end = title.find(ends).unwrap_or(title.len());
    title[..end].to_owned()
}

fn shortened(name: &str) -> String {
    match name.char_indices().nth(MOST_NAME) {
        Some((end, _)) => format!("{}…", &name[..end]),
        None => name.to_owned(),
    }
}

/// How often a block runs each time that its function does.
fn times(frequency: u64) -> String {
    let times = frequency as f64 / Frequencies::ENTRY as f64;
    let digits = if times >= 9.95 || times == 1.0 { 0 } else { 2 };
    match times {
        0.005.. => {
            let number = format!("{times:.digits$}");
            let short = number.trim_end_matches('0').trim_end_matches('.');
            format!("×{}", if digits > 0 { short } else { &number })
        }
        _ => "rare".to_owned(),
    }
}

fn percent(share: f64) -> String {
    match share * 100.0 {
        percent if percent >= 99.5 && share < 1.0 => ">99%".to_owned(),
        percent if percent < 0.5 && share > 0.0 => "<1%".to_owned(),
        percent => format!("{percent:.0}%"),
    }
}

fn tenths(number: f64) -> f64 {
    (number * 10.0).round() / 10.0
}

#[cfg(test)]
mod tests {
    use brolga_ir::text::parse_module;

    use super::*;

    #[test]
    fn a_loop_is_drawn_with_its_depth_its_shares_and_its_way_back() {
        let text = "func @f(i32) -> i32 {\nentry(%n: i32):\n    jump loop(0)\nloop(%i: i32):\n    \
                    %j = add.i32 %i, 1\n    %c = icmp.i32 slt %j, %n\n    branch %c, loop(%j), out \
                    weights(3, 1)\nout:\n    return %j\n}\n";
        let module = parse_module(text).unwrap();
        let id = module.function_named("f").unwrap();
        let flow = of(&module, id).unwrap();
        let nodes: Vec<_> =
            flow.nodes.iter().map(|node| (node.name.as_str(), node.depth, node.kind)).collect();
        assert_eq!(nodes, [("entry", 0, None), ("loop", 1, Some("head")), ("out", 0, None)]);
        assert_eq!(flow.nodes[1].texts, ["loop", "3 ops · ×4"]);
        let edges: Vec<_> =
            flow.edges.iter().map(|edge| (edge.ends, edge.kind, edge.label.as_str())).collect();
        let back = ([1, 1], "back", "true 75%");
        assert_eq!(edges, [([0, 1], "edge", ""), back, ([1, 2], "false", "false 25%")]);
        assert_eq!(of(&module, id).unwrap(), flow);
    }

    #[test]
    fn names_and_numbers_are_short() {
        assert_eq!(name("\"a(\\\":\"(%x: i32):"), "\"a(\\\":\"");
        assert_eq!((name("loop(%x: i32):"), name("out:")), ("loop".to_owned(), "out".to_owned()));
        let shown = [1, 31, 1000, 10].map(|it| times(it * Frequencies::ENTRY / 10));
        assert_eq!(shown, ["×0.1", "×3.1", "×100", "×1"]);
        assert_eq!(
            (times(1), percent(0.999), percent(0.001)),
            ("rare".into(), ">99%".into(), "<1%".into())
        );
    }
}
