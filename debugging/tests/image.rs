//! The object for debuggers, read back by other readers: sections, symbol, lines, calls, frames.

mod units;

use brolga_debugging::PlacedUnit;
use brolga_debugging::gdb::{ImageError, image};
use brolga_lowering::unit::CompiledUnit;
use gimli::{
    AttributeValue, CfaRule, DebugFrame, Dwarf, EndianSlice, LittleEndian, RegisterRule, SectionId,
    UnwindContext, UnwindSection, X86_64,
};
use object::elf::{
    EM_X86_64, ET_REL, FileHeader64, SHF_ALLOC, SHF_EXECINSTR, SHT_NOBITS, STT_FUNC,
};
use object::read::elf::{ElfFile64, FileHeader, SectionHeader, Sym};
use object::{Endianness, Object, ObjectSection};

use units::{ADDRESS, LENGTH, TEXT, unit};

type Slice<'a> = EndianSlice<'a, LittleEndian>;

fn image_of(unit: &CompiledUnit) -> Vec<u8> {
    image(&PlacedUnit::new(unit, ADDRESS, TEXT)).unwrap()
}

/// A section's bytes; none if it is not there.
fn section<'a>(image: &'a [u8], name: &str) -> Slice<'a> {
    let file = ElfFile64::<Endianness>::parse(image).unwrap();
    let section = file.section_by_name(name);
    EndianSlice::new(section.map_or(&[], |section| section.data().unwrap()), LittleEndian)
}

fn dwarf(image: &[u8]) -> Dwarf<Slice<'_>> {
    Dwarf::load(|id: SectionId| Ok::<_, gimli::Error>(section(image, id.name()))).unwrap()
}

#[test]
fn the_object_has_no_code_but_its_address_and_a_symbol() {
    let image = image_of(&unit("f#1 of\0it"));
    let header = FileHeader64::<Endianness>::parse(&*image).unwrap();
    let endian = header.endian().unwrap();
    assert_eq!((header.e_type(endian), header.e_machine(endian)), (ET_REL, EM_X86_64));
    let sections = header.sections(endian, &*image).unwrap();
    let (index, text) = sections.section_by_name(endian, b".text").unwrap();
    assert_eq!(text.sh_type(endian), SHT_NOBITS);
    assert_eq!(text.sh_flags(endian), u64::from(SHF_ALLOC | SHF_EXECINSTR));
    assert_eq!((text.sh_addr(endian), text.sh_size(endian)), (ADDRESS, LENGTH as u64));
    let symbols = sections.symbols(endian, &*image, object::elf::SHT_SYMTAB).unwrap();
    let found: Vec<_> = symbols.iter().filter(|symbol| symbol.st_type() == STT_FUNC).collect();
    let [symbol] = found[..] else { panic!("{} symbols", found.len()) };
    assert_eq!(symbol.name(endian, symbols.strings()).unwrap(), b"f#1 of?it");
    assert_eq!(usize::from(symbol.st_shndx(endian)), index.0);
    assert_eq!((symbol.st_value(endian), symbol.st_size(endian)), (0, LENGTH as u64));
}

#[test]
fn the_same_comes_out_of_the_same() {
    assert_eq!(image_of(&unit("f")), image_of(&unit("f")));
    assert_ne!(image_of(&unit("f")), image_of(&unit("g")));
}

/// Offset, file, line and column of each row, and where the sequence ends.
fn rows(image: &[u8]) -> (Vec<(u64, String, u64, u64)>, u64) {
    let dwarf = dwarf(image);
    let header = dwarf.units().next().unwrap().unwrap();
    let unit = dwarf.unit(header).unwrap();
    let mut program = unit.line_program.clone().unwrap().rows();
    let mut found = Vec::new();
    while let Some((header, row)) = program.next_row().unwrap() {
        let offset = row.address() - ADDRESS;
        if row.end_sequence() {
            return (found, offset);
        }
        let file = row.file(header).unwrap().path_name();
        let file = dwarf.attr_string(&unit, file).unwrap().to_string_lossy().into_owned();
        let column = match row.column() {
            gimli::ColumnType::LeftEdge => 0,
            gimli::ColumnType::Column(column) => column.get(),
        };
        found.push((offset, file, row.line().map_or(0, |line| line.get()), column));
    }
    panic!("the sequence has no end");
}

#[test]
fn the_line_table_has_the_rows_and_one_where_the_frame_is_made() {
    let (found, end) = rows(&image_of(&unit("f")));
    let row = |offset, file: &str, line| (offset, file.to_owned(), line, line / 10);
    let expected = [
        row(0, TEXT, 10),
        // Behind `push rbp; mov rbp, rsp`.
        row(4, TEXT, 10),
        row(6, "a.jl", 20),
        row(8, "b.jl", 30),
        row(12, "a.jl", 20),
        row(16, TEXT, 11),
        row(20, TEXT, 0),
        row(24, "a.jl", 20),
    ];
    assert_eq!((&*found, end), (&expected[..], LENGTH as u64));
}

#[test]
fn no_row_comes_twice_where_a_line_begins_at_the_frame_or_all_lines_before() {
    let with_lines = |lines: &[u32]| {
        let mut unit = unit("f");
        unit.lines.truncate(lines.len());
        lines.iter().zip(&mut unit.lines).for_each(|(offset, line)| line.offset = *offset);
        rows(&image_of(&unit)).0.iter().map(|row| row.0).collect::<Vec<_>>()
    };
    assert_eq!(with_lines(&[4, 8]), [0, 4, 8]);
    assert_eq!(with_lines(&[1]), [0, 1, 4]);
    let mut plain = unit("f");
    plain.lines.clear();
    let image = image_of(&plain);
    let dwarf = dwarf(&image);
    let unit = dwarf.unit(dwarf.units().next().unwrap().unwrap()).unwrap();
    assert!(unit.line_program.is_none(), "a table of lines without lines");
}

/// The tree of functions and inlined calls as text.
fn tree(image: &[u8]) -> String {
    let dwarf = dwarf(image);
    let unit = dwarf.unit(dwarf.units().next().unwrap().unwrap()).unwrap();
    let mut text = String::new();
    let mut entries = unit.entries();
    while let Some(entry) = entries.next_dfs().unwrap() {
        let name_of = |entry: &gimli::DebuggingInformationEntry<Slice<'_>>| {
            let name = entry.attr_value(gimli::DW_AT_name)?;
            Some(dwarf.attr_string(&unit, name).unwrap().to_string_lossy().into_owned())
        };
        let name = match entry.attr_value(gimli::DW_AT_abstract_origin) {
            Some(AttributeValue::UnitRef(origin)) => name_of(&unit.entry(origin).unwrap()),
            _ => name_of(entry),
        };
        let tag = entry.tag().static_string().unwrap();
        let indent = " ".repeat(entry.depth().unsigned_abs());
        text += &format!("{indent}{} {}", &tag["DW_TAG_".len()..], name.unwrap());
        let mut ranges = dwarf.die_ranges(&unit, entry).unwrap();
        while let Some(range) = ranges.next().unwrap() {
            text += &format!(" {}..{}", range.begin - ADDRESS, range.end - ADDRESS);
        }
        let number = |name| entry.attr_value(name).and_then(|value| value.udata_value());
        if let Some(line) = number(gimli::DW_AT_call_line) {
            let header = unit.line_program.as_ref().unwrap().header();
            let file = match entry.attr_value(gimli::DW_AT_call_file) {
                Some(AttributeValue::FileIndex(file)) => header.file(file).unwrap().path_name(),
                other => panic!("no file, but {other:?}"),
            };
            let file = dwarf.attr_string(&unit, file).unwrap().to_string_lossy().into_owned();
            text += &format!(" at {file}:{line}:{}", number(gimli::DW_AT_call_column).unwrap());
        }
        text.push('\n');
    }
    text
}

#[test]
fn inlined_calls_stand_within_their_callers_with_their_code_and_where_they_were_called() {
    let expected = "\
compile_unit kernel.bir 0..40
 subprogram f 0..40
  inlined_subroutine inner 6..16 24..40 at kernel.bir:10:1
   inlined_subroutine innermost 8..12 at a.jl:20:2
 subprogram inner
 subprogram innermost
";
    assert_eq!(tree(&image_of(&unit("f"))), expected);
}

#[test]
fn frames_are_based_on_the_frame_pointer() {
    let image = image_of(&unit("f"));
    let dwarf = dwarf(&image);
    let unit = dwarf.unit(dwarf.units().next().unwrap().unwrap()).unwrap();
    let mut entries = unit.entries();
    while let Some(entry) = entries.next_dfs().unwrap() {
        if let Some(AttributeValue::Exprloc(base)) = entry.attr_value(gimli::DW_AT_frame_base) {
            let mut operations = base.operations(unit.encoding());
            let register = gimli::Operation::Register { register: X86_64::RBP };
            assert_eq!(operations.next().unwrap(), Some(register));
            assert_eq!(operations.next().unwrap(), None);
            return;
        }
    }
    panic!("no frame base");
}

#[test]
fn one_function_that_is_inlined_twice_is_two_calls_of_one_origin() {
    let mut unit = unit("f");
    unit.frames
        .push(brolga_lowering::unit::SourceFrame { inlined_at: Some(3), ..unit.frames[1].clone() });
    unit.lines[3].frame = Some(4);
    let text = tree(&image_of(&unit));
    assert_eq!(text.matches("inlined_subroutine inner ").count(), 2, "{text}");
    assert!(text.contains("inner 16..20 at kernel.bir:11:1"), "{text}");
    assert_eq!(text.matches("\n subprogram inner\n").count(), 1, "{text}");
}

/// The rule for the frame address and for `rbp` at an offset.
fn frame_at(image: &[u8], offset: u64) -> Option<(gimli::Register, i64, Option<i64>)> {
    let mut frames = DebugFrame::from(section(image, ".debug_frame"));
    frames.set_address_size(8);
    let bases = gimli::BaseAddresses::default();
    let mut context = UnwindContext::new();
    let find = |section: &DebugFrame<_>, bases: &_, offset| section.cie_from_offset(bases, offset);
    let row = frames.unwind_info_for_address(&bases, &mut context, ADDRESS + offset, find).ok()?;
    let saved = match row.register(X86_64::RBP) {
        Some(RegisterRule::Offset(offset)) => Some(offset),
        None | Some(RegisterRule::SameValue) => None,
        other => panic!("{other:?}"),
    };
    assert_eq!(row.register(X86_64::RA), Some(RegisterRule::Offset(-8)));
    // Rather than a wrong value.
    assert_eq!(row.register(X86_64::RBX), Some(RegisterRule::Undefined));
    match row.cfa() {
        CfaRule::RegisterAndOffset { register, offset } => Some((*register, *offset, saved)),
        other => panic!("{other:?}"),
    }
}

const BARE: (gimli::Register, i64, Option<i64>) = (X86_64::RSP, 8, None);
const PUSHED: (gimli::Register, i64, Option<i64>) = (X86_64::RSP, 16, Some(-16));
const FRAMED: (gimli::Register, i64, Option<i64>) = (X86_64::RBP, 16, Some(-16));

#[test]
fn frames_are_known_at_every_instruction() {
    let image = image_of(&unit("f"));
    for (offsets, expected) in
        [(0..1, BARE), (1..4, PUSHED), (4..31, FRAMED), (31..32, BARE), (32..40, FRAMED)]
    {
        for offset in offsets {
            assert_eq!(frame_at(&image, offset), Some(expected), "at {offset}");
        }
    }
    assert_eq!(frame_at(&image, 40), None);
}

/// A unit of that code, with a call that stops at the end if it has a guard.
fn frames_of(code: &[u8], has_guard: bool) -> Vec<u8> {
    let guard_return = has_guard.then_some(code.len() as u32);
    image_of(&CompiledUnit { code: code.into(), guard_return, align: 16, ..unit("f") })
}

#[test]
fn frames_are_made_behind_guards_and_left_by_each_kind_of_jump() {
    const FRAME: [u8; 4] = [0x55, 0x48, 0x89, 0xe5];
    const CALL: [u8; 5] = [0xe8, 0, 0, 0, 0];
    // cmp rsp, [r15 + 8]; jb; a nop of six bytes up to the alignment
    let mut code = vec![0x49, 0x3b, 0x67, 8, 0x0f, 0x82, 0, 0, 0, 0, 0x66, 0x0f, 0x1f, 0x44, 0, 0];
    code.extend(FRAME);
    code.extend([0xc9, 0xc2, 0x20, 0]); // leave; ret 32
    code.extend([0x48, 0x89, 0xec, 0x5d, 0xe9, 1, 2, 3, 4]); // …; pop rbp; jmp
    code.extend([0xc9, 0x41, 0xff, 0xe3, 0x90]); // leave; jmp r11
    code.extend(CALL);
    let image = frames_of(&code, true);
    let bounds = [
        (0..17, BARE),
        (17..20, PUSHED),
        (20..21, FRAMED),
        (21..24, BARE),
        (24..28, FRAMED),
        (28..33, BARE),
        (33..34, FRAMED),
        (34..37, BARE),
        (37..38, FRAMED),
        (38..43, BARE),
    ];
    for (offsets, expected) in bounds {
        for offset in offsets {
            assert_eq!(frame_at(&image, offset), Some(expected), "at {offset}");
        }
    }
    // lea r11, [rsp - frame]; cmp r11, [r15 + 8]; jb; and no padding
    let mut code = vec![0x4c, 0x8d, 0x9c, 0x24, 0, 0, 0, 0, 0x4d, 0x3b, 0x5f, 8, 0x0f, 0x82];
    code.extend([0; 4]);
    code.extend(FRAME);
    code.push(0x90);
    code.extend(CALL);
    let image = frames_of(&code, true);
    let found: Vec<_> = [0, 18, 19, 22, 23].map(|offset| frame_at(&image, offset).unwrap()).into();
    assert_eq!(found, [BARE, BARE, PUSHED, FRAMED, BARE]);
}

#[test]
fn of_code_that_begins_otherwise_no_frames_are_told() {
    let image = frames_of(&[0x90, 0x55, 0x48, 0x89, 0xe5, 0xc9, 0xc3], false);
    assert_eq!(frame_at(&image, 6), None);
    assert!(section(&image, ".debug_frame").is_empty());
}

#[test]
fn what_cannot_be_told_is_an_error_that_names_the_function() {
    let empty = CompiledUnit { code: Vec::new(), ..unit("void") };
    let error = image(&PlacedUnit::new(&empty, ADDRESS, TEXT)).unwrap_err();
    assert!(matches!(&error, ImageError::Size { name, size: 0 } if &**name == "void"), "{error}");
    let high = unit("high");
    let error = image(&PlacedUnit::new(&high, u64::MAX - 8, TEXT)).unwrap_err();
    assert!(matches!(&error, ImageError::Address { name, .. } if &**name == "high"), "{error}");
    assert!(error.to_string().contains("0xfffffffffffffff7"), "{error}");
    // Names that are no names are told all the same.
    let unit = CompiledUnit { name: "".into(), ..unit("") };
    assert!(image(&PlacedUnit::new(&unit, ADDRESS, "")).is_ok());
}
