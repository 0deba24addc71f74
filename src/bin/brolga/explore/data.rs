//! What a page shows, as data: the script of the page reads it as JSON.

use serde::Serialize;

/// The number of a line, place or picture in the list of the page that holds each once.
pub(super) type Index = u32;

/// A page.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct Page {
    /// What the file is called.
    pub(super) file: String,
    /// The passes as they were asked for.
    pub(super) list: String,
    /// What code is made for.
    pub(super) target: String,
    /// Why the passes stopped, if they did.
    pub(super) failure: Option<String>,
    /// The lines of the file.
    pub(super) source: Vec<String>,
    /// The passes that were to run, in order.
    pub(super) passes: Vec<PassEntry>,
    pub(super) functions: Vec<FunctionEntry>,
    /// Lines of functions.
    pub(super) lines: Vec<Line>,
    /// Where code was written.
    pub(super) places: Vec<Vec<Frame>>,
    /// Pictures of functions.
    pub(super) flows: Vec<Flow>,
}

/// A pass of the list.
#[derive(Clone, Debug, Serialize)]
pub(super) struct PassEntry {
    /// Its name, with its option.
    pub(super) name: String,
    pub(super) stage: &'static str,
    /// What it is for.
    pub(super) reason: &'static str,
}

/// A function.
#[derive(Clone, Debug, Serialize)]
pub(super) struct FunctionEntry {
    pub(super) name: String,
    /// What it is at first, and behind each pass.
    pub(super) steps: Vec<Step>,
    /// What the back end is given.
    pub(super) clif: Code,
    /// What it makes of it.
    pub(super) assembly: Code,
}

/// A listing.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Code {
    /// Its text.
    Text(String),
    /// Why there is none.
    Missing(String),
}

/// A function behind a pass. What is not said is as it was.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct Step {
    /// How its lines come of those before.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) edits: Vec<Edit>,
    /// Lines, by their number, that say the same and come from another place.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) moved: Vec<(usize, Index)>,
    /// Its picture; none if it is too large to be one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) flow: Option<Index>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) size: Option<Size>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) remarks: Vec<RemarkEntry>,
    /// What the pass counted.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) counts: Vec<(&'static str, u64)>,
    /// How long it took, in microseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) time: Option<f64>,
}

/// A part of a way from one list of lines to another.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(untagged)]
pub(super) enum Edit {
    /// So many lines stay; of a negative number, so many go.
    Run(i64),
    /// These come.
    Insert(Vec<Index>),
}

/// How large a function is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub(super) struct Size {
    pub(super) blocks: usize,
    pub(super) instructions: usize,
}

/// A line of a function: its text and, if known, the place that it comes from.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize)]
pub(super) struct Line(pub(super) String, pub(super) Option<Index>);

/// A function that code was written in, and where.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize)]
pub(super) struct Frame {
    pub(super) function: String,
    /// The file, if it is not the module's own text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) file: Option<String>,
    /// The line; 0 if unknown.
    pub(super) line: u32,
    pub(super) column: u32,
}

/// A remark of a pass.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(super) struct RemarkEntry {
    pub(super) pass: &'static str,
    pub(super) kind: &'static str,
    pub(super) message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) place: Option<Index>,
}

/// The picture of a function.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub(super) struct Flow {
    pub(super) width: f64,
    pub(super) height: f64,
    pub(super) nodes: Vec<FlowNode>,
    pub(super) edges: Vec<FlowEdge>,
}

/// A block in a picture.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub(super) struct FlowNode {
    /// Left, top, width and height.
    pub(super) frame: [f64; 4],
    /// How the line of its head begins.
    pub(super) name: String,
    /// The texts that stand in it.
    pub(super) texts: Vec<String>,
    /// In how many loops it stands.
    pub(super) depth: u32,
    /// What is special about it: `head` of a loop, `irreducible`, `unreachable`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) kind: Option<&'static str>,
}

/// An edge in a picture.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub(super) struct FlowEdge {
    /// The blocks, by their numbers.
    pub(super) ends: [usize; 2],
    /// `edge`, `true`, `false`, `unwind` or `back`.
    pub(super) kind: &'static str,
    /// Its way, as SVG has it.
    pub(super) path: String,
    pub(super) tip: [f64; 2],
    pub(super) label: String,
    pub(super) label_at: [f64; 2],
    /// Of all ways out of its block, the share that is this one.
    pub(super) share: f64,
}
