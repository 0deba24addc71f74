//! Units of both tiers, of test files of the repository: all have frames, and objects that other
//! readers read to the end. This is what notices when a tier begins functions in a new way.

use std::path::Path;

use brolga_baseline::Baseline;
use brolga_debugging::PlacedUnit;
use brolga_debugging::gdb::image;
use brolga_ir::module::Module;
use brolga_ir::text::parse_module;
use brolga_ir::verify::{Options, verify_module};
use brolga_lowering::emit::Compiler;
use brolga_lowering::level::Level;
use brolga_lowering::options::LowerOptions;
use brolga_lowering::target::{Architecture, Isa, IsaOptions, System, TargetSpec};
use brolga_lowering::unit::CompiledUnit;
use gimli::{BaseAddresses, CieOrFde, DebugFrame, EndianSlice, LittleEndian, UnwindSection};
use object::{Object, ObjectSection};

const ADDRESS: u64 = 0x10_0000;

fn modules() -> impl Iterator<Item = Module> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/filetests");
    let folders = ["calls", "control", "exceptions", "traps"].map(|name| root.join(name));
    let files = folders.into_iter().flat_map(|folder| std::fs::read_dir(folder).unwrap());
    files.filter_map(|entry| {
        let module = parse_module(&std::fs::read_to_string(entry.unwrap().path()).ok()?).ok()?;
        verify_module(&module, &Options::default()).ok().map(|()| module)
    })
}

fn check(unit: &CompiledUnit, tier: &str) {
    let name = &unit.name;
    let image = image(&PlacedUnit::new(unit, ADDRESS, "text.bir")).unwrap();
    let file = object::read::elf::ElfFile64::<object::Endianness>::parse(&*image).unwrap();
    let frames = file.section_by_name(".debug_frame");
    let frames = frames.unwrap_or_else(|| panic!("{tier}: @{name} has no frames"));
    let frames = DebugFrame::new(frames.data().unwrap(), LittleEndian);
    let bases = BaseAddresses::default();
    let mut entries = frames.entries(&bases);
    let mut ends = Vec::new();
    while let Some(entry) = entries.next().unwrap() {
        let CieOrFde::Fde(partial) = entry else { continue };
        let entry = partial.parse(DebugFrame::cie_from_offset).unwrap();
        let mut context = gimli::UnwindContext::new();
        let mut rows = entry.rows(&frames, &bases, &mut context).unwrap();
        while let Some(row) = rows.next_row().unwrap() {
            ends.push(row.end_address());
        }
    }
    assert_eq!(ends.last(), Some(&(ADDRESS + unit.code.len() as u64)), "{tier}: @{name}");
    assert!(ends.is_sorted(), "{tier}: @{name}");
    check_lines(unit, &file, tier);
}

fn check_lines(
    unit: &CompiledUnit,
    file: &object::read::elf::ElfFile64<'_, object::Endianness>,
    tier: &str,
) {
    let section = |id: gimli::SectionId| {
        let section = file.section_by_name(id.name());
        let bytes = section.map_or(&[][..], |section| section.data().unwrap());
        Ok::<_, gimli::Error>(EndianSlice::new(bytes, LittleEndian))
    };
    let dwarf = gimli::Dwarf::load(section).unwrap();
    let found = dwarf.unit(dwarf.units().next().unwrap().unwrap()).unwrap();
    let Some(program) = found.line_program else {
        assert!(unit.lines.iter().all(|line| line.frame.is_none()), "{tier}: @{}", unit.name);
        return;
    };
    let mut rows = program.rows();
    let mut addresses = Vec::new();
    while let Some((_, row)) = rows.next_row().unwrap() {
        addresses.push(row.address());
    }
    assert!(addresses.is_sorted(), "{tier}: @{}", unit.name);
    assert_eq!(addresses.first(), Some(&ADDRESS));
    assert_eq!(addresses.last(), Some(&(ADDRESS + unit.code.len() as u64)));
}

#[test]
fn every_unit_of_the_first_tier_has_frames() {
    let spec = TargetSpec::new(Architecture::X86_64, System::Linux, brolga_baseline::X86_64_CPU);
    let isa = Isa::new(spec.unwrap(), IsaOptions::default()).unwrap();
    let (options, mut count) = (LowerOptions::default(), 0);
    for module in modules() {
        let mut baseline = Baseline::new();
        let mut functions = baseline.begin(&module, &isa, &options).unwrap();
        for (id, _) in module.functions().filter(|(_, function)| function.body.is_some()) {
            let Ok(unit) = functions.lower(id) else { continue };
            check(&unit, "baseline");
            count += 1;
        }
    }
    assert!(count > 50, "only {count} units");
}

#[test]
fn every_unit_of_the_next_tiers_and_every_entry_thunk_has_frames() {
    let spec = TargetSpec::new(Architecture::X86_64, System::Linux, brolga_baseline::X86_64_CPU);
    let isa = Isa::new(spec.unwrap(), IsaOptions::default()).unwrap();
    let (mut compiler, mut count) = (Compiler::new(), 0);
    for module in modules() {
        for level in [Level::O0, Level::O2] {
            let options = LowerOptions { level, ..LowerOptions::default() };
            for (id, function) in module.functions() {
                if let Ok(unit) = compiler.lower_function(&module, id, &isa, &options) {
                    check(&unit, level.name());
                    count += 1;
                }
                let signature = module.types.sig(function.sig);
                if let Ok(unit) = compiler.entry_thunk(&module.types, signature, &isa) {
                    check(&unit, "thunk");
                }
            }
        }
    }
    assert!(count > 200, "only {count} units");
}
