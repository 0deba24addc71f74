//! Source locations.

use rustc_hash::FxHashMap;

use super::Shared;
use super::function::Translator;
use crate::body::{LocData, TEXT_FILE};
use crate::entity::Loc;
use crate::llvm::syntax::{Attachment, Instruction, MetadataId, MetadataItem, Node, Offset};
use crate::text::Parsed;

/// The most calls that code is inlined at, one in the other, and the most blocks of a
/// source that stand one in the other.
const MAX_DEPTH: u32 = 64;

/// The places of the module's scopes: of its functions, and of the blocks in them.
#[derive(Default)]
pub(super) struct Scopes(FxHashMap<MetadataId, Option<Place>>);

/// A function of the source: indices of the module's strings.
#[derive(Clone, Copy)]
struct Place {
    file: u32,
    function: u32,
}

/// The locations that a function has used.
pub(super) type Locations = FxHashMap<MetadataId, Option<Loc>>;

/// Columns behind that one are not counted: lines without end would take time without end.
const MAX_COLUMN: usize = 512;

/// Where the lines of the text end, once anybody has asked.
#[derive(Default)]
pub(super) struct Lines {
    ends: Vec<Offset>,
    /// The line that was asked for last: the next one is near.
    last: usize,
}

impl Lines {
    /// The line and the column of a byte, both from 1; a column of 0 is not known.
    fn find(&mut self, text: &str, at: Offset) -> (u32, u32) {
        if self.ends.is_empty() {
            let breaks = text.bytes().zip(0..).filter(|&(byte, _)| byte == b'\n');
            self.ends = breaks.map(|(_, at)| at).chain([Offset::MAX]).collect();
        }
        let start =
            |line: usize| line.checked_sub(1).map_or(0, |last| self.ends[last] as usize + 1);
        let is_line = |line: &usize| start(*line) <= at as usize && at <= self.ends[*line];
        let next = (self.last + 1).min(self.ends.len() - 1);
        self.last = [self.last, next]
            .into_iter()
            .find(is_line)
            .unwrap_or_else(|| self.ends.partition_point(|&end| end < at));
        let start = self.last.checked_sub(1).map_or(0, |last| self.ends[last] as usize + 1);
        let before = text.get(start..at as usize).filter(|before| before.len() < MAX_COLUMN);
        let column = before.map_or(0, |before| 1 + before.chars().count());
        (self.last as u32 + 1, column as u32)
    }
}

impl Translator<'_, '_> {
    /// Gives what is emitted from now on the location of an instruction.
    pub(super) fn enter_location(&mut self, inst: &Instruction) -> Parsed<()> {
        let id = self.attachment(inst, Attachment::Debug);
        self.loc = match (id, self.has_source) {
            (Some(id), _) => self.location(id, MAX_DEPTH).into(),
            (None, true) => None.into(),
            (None, false) => Some(self.text_location(inst.at)).into(),
        };
        Ok(())
    }

    /// The location of an instruction of which nobody says what it was made from.
    fn text_location(&mut self, at: Offset) -> Loc {
        let (line, column) = self.shared.lines.find(self.shared.text, at);
        let (function, inlined_at) = (None, None.into());
        self.body.make_loc(LocData { file: TEXT_FILE, line, column, function, inlined_at })
    }

    fn location(&mut self, id: MetadataId, depth: u32) -> Option<Loc> {
        if let Some(&loc) = self.locations.get(&id) {
            return loc;
        }
        let loc = self.make_location(id, depth);
        self.locations.insert(id, loc);
        loc
    }

    /// A location, behind that of the call that it is inlined at.
    fn make_location(&mut self, id: MetadataId, depth: u32) -> Option<Loc> {
        let depth = depth.checked_sub(1)?;
        let node = self.shared.node(id)?;
        let fields = record(&node, "DILocation")?;
        let number = |name| match field(fields, name) {
            Some(MetadataItem::Number(number)) => u32::try_from(*number).ok(),
            _ => None,
        };
        let line = number("line").filter(|&line| line > 0)?;
        let column = number("column").unwrap_or(0);
        let Some(MetadataItem::Node(scope)) = field(fields, "scope") else { return None };
        let inlined_at = match field(fields, "inlinedAt") {
            Some(MetadataItem::Node(call)) => self.location(*call, depth),
            _ => None,
        };
        let place = self.shared.place(*scope, MAX_DEPTH)?;
        Some(self.body.make_loc(LocData {
            file: place.file,
            line,
            column,
            function: inlined_at.map(|_| place.function),
            inlined_at: inlined_at.into(),
        }))
    }
}

impl Shared<'_> {
    /// The function that a scope is of, or in.
    fn place(&mut self, scope: MetadataId, depth: u32) -> Option<Place> {
        if let Some(&place) = self.scopes.0.get(&scope) {
            return place;
        }
        let place = self.find_place(scope, depth);
        self.scopes.0.insert(scope, place);
        place
    }

    fn find_place(&mut self, scope: MetadataId, depth: u32) -> Option<Place> {
        let depth = depth.checked_sub(1)?;
        let Node::Record { kind, fields, .. } = self.node(scope)? else { return None };
        let file = match field(&fields, "file") {
            Some(MetadataItem::Node(file)) => self.file_name(*file),
            _ => None,
        };
        if kind == "DISubprogram" {
            let name = match field(&fields, "name") {
                Some(MetadataItem::String(name)) => String::from_utf8_lossy(name).into_owned(),
                _ => String::new(),
            };
            return Some(Place { file: file?, function: self.module.intern(&name) });
        }
        let Some(MetadataItem::Node(outer)) = field(&fields, "scope") else { return None };
        let outer = self.place(*outer, depth)?;
        Some(Place { file: file.unwrap_or(outer.file), ..outer })
    }

    fn file_name(&mut self, file: MetadataId) -> Option<u32> {
        let node = self.node(file)?;
        match field(record(&node, "DIFile")?, "filename") {
            Some(MetadataItem::String(name)) => {
                let name = String::from_utf8_lossy(name).into_owned();
                Some(self.module.intern(&name))
            }
            _ => None,
        }
    }
}

/// The fields of a record of that kind.
fn record<'n, 't>(node: &'n Node<'t>, wanted: &str) -> Option<&'n [(&'t str, MetadataItem<'t>)]> {
    match node {
        Node::Record { kind, fields, .. } if *kind == wanted => Some(fields),
        _ => None,
    }
}

fn field<'n, 't>(
    fields: &'n [(&str, MetadataItem<'t>)],
    name: &str,
) -> Option<&'n MetadataItem<'t>> {
    fields.iter().find(|(found, _)| *found == name).map(|(_, item)| item)
}
