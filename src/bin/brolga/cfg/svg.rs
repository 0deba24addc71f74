//! A graph as a picture of its own, with its style.

use std::fmt::Write;

use super::graph::{Direction, Edge, Graph, Node};
use super::layers::Layers;
use super::picture::{CHARACTER, LINE, MARGIN, PADDING, Picture};

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
    Ok(text(&Picture::new(graph, &layers), graph))
}

fn text(picture: &Picture<'_>, graph: &Graph) -> String {
    let name = format!("{} ({} blocks)", graph.name, graph.nodes.len());
    let named = name.chars().count() as f64 * CHARACTER + MARGIN;
    let (width, height) = picture.size(named);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
         viewBox=\"0 0 {width:.0} {height:.0}\">\n<style>{STYLE}</style>\n\
         <rect width=\"100%\" height=\"100%\" style=\"fill:#fff;stroke:none\"/>\n"
    );
    text += &line((MARGIN, MARGIN + 12.0), "title", &name);
    for (index, edge) in graph.edges.iter().enumerate() {
        draw_edge(&mut text, picture, index, edge);
    }
    for (index, node) in graph.nodes.iter().enumerate() {
        draw_node(&mut text, picture, index, node);
    }
    // Above the blocks, where one crosses the other.
    for (index, edge) in graph.edges.iter().enumerate().filter(|(_, edge)| !edge.label.is_empty()) {
        let label = line(picture.label(index), "label", &edge.label);
        // Writing to a string does not fail.
        let _ = writeln!(text, "<g class=\"{}\">{label}</g>", class(edge));
    }
    text + "</svg>\n"
}

fn draw_node(text: &mut String, picture: &Picture<'_>, index: usize, node: &Node) {
    let frame = picture.frame(index);
    let (x, y, width, height) = (frame.x, frame.y, frame.width, frame.height);
    let class = if picture.is_loop_head(index) { "block loop" } else { "block" };
    let _ = writeln!(
        text,
        "<g class=\"{class}\"><rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" \
         height=\"{height:.1}\" rx=\"3\"/><rect class=\"head\" x=\"{x:.1}\" y=\"{y:.1}\" \
         width=\"{width:.1}\" height=\"{:.1}\" rx=\"3\"/>",
        LINE + PADDING
    );
    *text += &line((x + PADDING, y + LINE), "title", &node.title);
    for (number, content) in node.lines.iter().enumerate() {
        let below = y + 1.5 * PADDING + LINE * (number as f64 + 2.0) - 2.0;
        *text += &line((x + PADDING, below), "", content);
    }
    *text += "</g>\n";
}

fn draw_edge(text: &mut String, picture: &Picture<'_>, index: usize, edge: &Edge) {
    let (path, class, (x, y)) = (picture.path(index), class(edge), picture.tip(index));
    let (left, right, above) = (x - 4.0, x + 4.0, y - 8.0);
    let _ = writeln!(
        text,
        "<g class=\"{class}\"><path d=\"{path}\"/>\
         <path d=\"M{left:.1},{above:.1} L{x:.1},{y:.1} L{right:.1},{above:.1}\"/></g>"
    );
}

/// What kind an edge is of, as a word.
pub(crate) fn class(edge: &Edge) -> &'static str {
    match (edge.direction, edge.label.as_str()) {
        (Direction::Back, _) => "back",
        (_, "true") => "true",
        (_, "false") => "false",
        (_, "unwind" | "handler") => "unwind",
        _ => "edge",
    }
}

fn line((x, y): (f64, f64), class: &str, text: &str) -> String {
    let text = escaped(text);
    format!("<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\">{text}</text>")
}

/// Text for XML, which has no control characters.
pub(crate) fn escaped(text: &str) -> String {
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
