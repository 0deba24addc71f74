//! A graph for Graphviz.

use std::fmt::Write;

use super::graph::{Direction, Graph};

pub(super) fn draw(graph: &Graph) -> String {
    let mut text = format!("digraph {} {{\n", quoted(&graph.name));
    text += "    node [shape=box, fontname=\"monospace\", fontsize=10];\n";
    text += "    edge [fontname=\"monospace\", fontsize=9];\n";
    for (index, node) in graph.nodes.iter().enumerate() {
        let lines = node.lines.iter().map(|line| format!("    {line}"));
        let label: String = [node.title.clone()]
            .into_iter()
            .chain(lines)
            .map(|line| escaped(&line) + "\\l")
            .collect();
        // Writing to a string does not fail.
        let _ = writeln!(text, "    n{index} [label=\"{label}\"];");
    }
    for edge in &graph.edges {
        let style = match edge.direction {
            Direction::Forward => "",
            Direction::Back => ", color=\"#c2410c\", penwidth=1.5",
        };
        let (from, to, label) = (edge.from, edge.to, quoted(&edge.label));
        let _ = writeln!(text, "    n{from} -> n{to} [label={label}{style}];");
    }
    text + "}\n"
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", escaped(text))
}

fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for character in text.chars() {
        match character {
            '"' | '\\' => escaped.extend(['\\', character]),
            _ if character.is_control() => escaped.push('\u{fffd}'),
            _ => escaped.push(character),
        }
    }
    escaped
}
