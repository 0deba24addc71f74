//! What is known of a unit as DWARF: the function, the calls inlined into it, lines and frames.
//!
//! Version 4 of the format, whose addresses are absolute here: nothing is to be relocated.
//! Source: *DWARF Debugging Information Format, Version 4* (2010).

use std::collections::BTreeMap;

use gimli::write::{
    Address, AttributeValue, DwarfUnit, EndianVec, Error, Expression, FileId, LineProgram,
    LineString, Range, RangeList, Sections, UnitEntryId,
};
use gimli::{
    DW_AT_abstract_origin, DW_AT_call_column, DW_AT_call_file, DW_AT_call_line, DW_AT_external,
    DW_AT_frame_base, DW_AT_high_pc, DW_AT_inline, DW_AT_language, DW_AT_low_pc, DW_AT_name,
    DW_AT_producer, DW_AT_ranges, DW_INL_inlined, DW_LANG_C99, DW_TAG_inlined_subroutine,
    DW_TAG_subprogram, Encoding, Format, LineEncoding, LittleEndian, X86_64,
};

use super::frame::{frame_table, prologue};
use super::inlined::{InlinedCall, inlined_calls};
use crate::PlacedUnit;
use crate::lines::{SourceLine, line_rows, source_line};
use crate::names::zero_free;

/// Bytes of sections.
pub(super) type Bytes = EndianVec<LittleEndian>;

const ENCODING: Encoding = Encoding { format: Format::Dwarf32, version: 4, address_size: 8 };

/// The sections that say what is known of a unit of so many bytes.
///
/// # Errors
/// If the format cannot hold it.
pub(super) fn sections(placed: &PlacedUnit<'_>, length: u32) -> Result<Sections<Bytes>, Error> {
    let mut sections = Sections::new(Bytes::new(LittleEndian));
    let mut writer = Writer::new(*placed);
    writer.add_lines(length);
    let function = writer.add_function(length);
    writer.add_inlined_calls(function);
    writer.dwarf.write(&mut sections)?;
    if let Some(table) = frame_table(placed, length, ENCODING) {
        table.write_debug_frame(&mut sections.debug_frame)?;
    }
    Ok(sections)
}

struct Writer<'a> {
    placed: PlacedUnit<'a>,
    dwarf: DwarfUnit,
}

impl<'a> Writer<'a> {
    fn new(placed: PlacedUnit<'a>) -> Writer<'a> {
        let mut dwarf = DwarfUnit::new(ENCODING);
        // The folder is a debugger's to find: none is named.
        dwarf.unit.line_program = LineProgram::new(
            ENCODING,
            LineEncoding::default(),
            LineString::String(Vec::new()),
            None,
            LineString::String(zero_free(placed.text).into()),
            None,
        );
        Writer { placed, dwarf }
    }

    fn string(&mut self, text: &str) -> AttributeValue {
        AttributeValue::StringRef(self.dwarf.strings.add(zero_free(text)))
    }

    fn file(&mut self, name: &str) -> FileId {
        let program = &mut self.dwarf.unit.line_program;
        let directory = program.default_directory();
        program.add_file(LineString::String(zero_free(name).into()), directory, None)
    }

    /// The sequence of rows, with a row of its own where the frame is made: there a breakpoint
    /// of the function is, and gdb goes on to the next row if it is within one.
    fn add_lines(&mut self, length: u32) {
        let rows = line_rows(&self.placed);
        if rows.is_empty() {
            return;
        }
        let start = self.placed.address;
        let frame = prologue(&self.placed).map(|prologue| u64::from(prologue.end));
        self.dwarf.unit.line_program.begin_sequence(Some(Address::Constant(start)));
        let mut last: Option<SourceLine<'a>> = None;
        let mut pending = frame;
        for row in rows {
            let offset = row.address.wrapping_sub(start);
            if let Some(frame) = pending.take_if(|frame| *frame <= offset)
                && frame < offset
            {
                self.add_row(frame, last);
            }
            self.add_row(offset, row.line);
            last = row.line;
        }
        if let Some(frame) = pending {
            self.add_row(frame, last);
        }
        self.dwarf.unit.line_program.end_sequence(u64::from(length));
    }

    fn add_row(&mut self, offset: u64, line: Option<SourceLine<'a>>) {
        let file = self.file(line.map_or(self.placed.text, |line| line.file));
        let program = &mut self.dwarf.unit.line_program;
        let row = program.row();
        row.address_offset = offset;
        row.file = file;
        row.line = line.map_or(0, |line| u64::from(line.line));
        row.column = line.map_or(0, |line| u64::from(line.column));
        program.generate_row();
    }

    fn add_function(&mut self, length: u32) -> UnitEntryId {
        let name = self.string(&self.placed.unit.name);
        let text = self.string(self.placed.text);
        let producer = self.string("brolga");
        let mut frame = Expression::new();
        frame.op_reg(X86_64::RBP);
        let unit = &mut self.dwarf.unit;
        let bounds = [
            (DW_AT_low_pc, AttributeValue::Address(Address::Constant(self.placed.address))),
            (DW_AT_high_pc, AttributeValue::Udata(u64::from(length))),
        ];
        let root = unit.get_mut(unit.root());
        root.set(DW_AT_producer, producer);
        // That of a debugger's expressions; of ours it knows none.
        root.set(DW_AT_language, AttributeValue::Language(DW_LANG_C99));
        root.set(DW_AT_name, text);
        bounds.iter().for_each(|(name, value)| root.set(*name, value.clone()));
        let function = unit.add(unit.root(), DW_TAG_subprogram);
        let entry = unit.get_mut(function);
        entry.set(DW_AT_name, name);
        entry.set(DW_AT_external, AttributeValue::Flag(true));
        bounds.into_iter().for_each(|(name, value)| entry.set(name, value));
        entry.set(DW_AT_frame_base, AttributeValue::Exprloc(frame));
        function
    }

    fn add_inlined_calls(&mut self, function: UnitEntryId) {
        let (mut entries, mut origins) = (Vec::new(), BTreeMap::new());
        for call in inlined_calls(&self.placed) {
            let origin = match origins.get(call.function) {
                Some(origin) => *origin,
                None => self.add_origin(call.function),
            };
            origins.insert(call.function, origin);
            // A call's parent stands before it.
            let parent = call.parent.and_then(|index| entries.get(index)).unwrap_or(&function);
            entries.push(self.add_inlined_call(&call, *parent, origin));
        }
    }

    /// The function that was inlined, of which there may be no code of its own.
    fn add_origin(&mut self, function: &str) -> UnitEntryId {
        let name = self.string(function);
        let unit = &mut self.dwarf.unit;
        let origin = unit.add(unit.root(), DW_TAG_subprogram);
        let entry = unit.get_mut(origin);
        entry.set(DW_AT_name, name);
        entry.set(DW_AT_inline, AttributeValue::Inline(DW_INL_inlined));
        origin
    }

    fn add_inlined_call(
        &mut self,
        call: &InlinedCall<'_>,
        parent: UnitEntryId,
        origin: UnitEntryId,
    ) -> UnitEntryId {
        let line = source_line(&self.placed, Some(call.call));
        let file = line.map(|line| self.file(line.file));
        let id = self.dwarf.unit.add(parent, DW_TAG_inlined_subroutine);
        self.set_ranges(id, call);
        let entry = self.dwarf.unit.get_mut(id);
        entry.set(DW_AT_abstract_origin, AttributeValue::UnitRef(origin));
        if let (Some(line), Some(file)) = (line, file) {
            entry.set(DW_AT_call_file, AttributeValue::FileIndex(Some(file)));
            entry.set(DW_AT_call_line, AttributeValue::Udata(line.line.into()));
            entry.set(DW_AT_call_column, AttributeValue::Udata(line.column.into()));
        }
        id
    }

    /// Where the code is: bounds if it is in one piece, else ranges, from the address of the unit.
    fn set_ranges(&mut self, id: UnitEntryId, call: &InlinedCall<'_>) {
        let unit = &mut self.dwarf.unit;
        if let [range] = &*call.ranges {
            let start = self.placed.address.wrapping_add(u64::from(range.start));
            let length = AttributeValue::Udata(u64::from(range.end - range.start));
            let entry = unit.get_mut(id);
            entry.set(DW_AT_low_pc, AttributeValue::Address(Address::Constant(start)));
            entry.set(DW_AT_high_pc, length);
            return;
        }
        let pairs = call.ranges.iter().map(|range| Range::OffsetPair {
            begin: u64::from(range.start),
            end: u64::from(range.end),
        });
        let ranges = unit.ranges.add(RangeList(pairs.collect()));
        unit.get_mut(id).set(DW_AT_ranges, AttributeValue::RangeListRef(ranges));
    }
}
