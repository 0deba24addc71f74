//! Objects, read back and linked.

use brolga_ir::module::Module;
use brolga_ir::text::parse_module;
use cranelift_object::object::elf::{FileHeader64, SHN_UNDEF};
use cranelift_object::object::read::elf::{FileHeader, SectionHeader, Sym};
use cranelift_object::object::{self, Endianness, Object, ObjectSection, ObjectSymbol, elf};
use rustc_hash::FxHashMap;

use super::*;
use crate::level::Level;
use crate::runtime::RuntimeEntry;
use crate::target::{IsaOptions, TargetSpec};

const PROGRAM: &str = r#"
data @table const = { i32 [1, 2, 3], zero 4, ptr @twice }
data @state = { i64 [5] }
local data @mine thread_local = { i64 [7] }
import data @theirs size 8
foreign @abs(i32) -> i32
import func @elsewhere(i64) -> i64
func @twice(i64) -> i64 {
block0(%x: i64):
    %y = add.i64 %x, %x
    return %y
}
local func @quiet(i128, i64) -> (i64, i64) {
block0(%w: i128, %x: i64):
    %a = call @twice(%x)
    %b = try_call @elsewhere(%a) normal block1(%b), unwind block1(0)
block1(%r: i64):
    %s = data_load.i64 @state, 0
    %t = data_load.i64 @mine, 0
    %u = data_load.i64 @theirs, 0
    %v = add.i64 %s, %t
    %z = add.i64 %v, %u
    return %r, %z
}
func @main(i64) -> i64 {
block0(%x: i64):
    %q = function_addr.fn(i128, i64) -> (i64, i64) @quiet
    %n = trunc.i32 %x
    %m = call_foreign @abs(%n)
    %f = function_addr.fn(i64) -> i64 @twice
    %l = sext.i64 %m
    %y = call_indirect.fn(i64) -> i64 %f(%l)
    %z = data_load.i32 @table, %y
    return %y
}
"#;

fn module() -> Module {
    parse_module(PROGRAM).unwrap()
}

fn object(target: &str) -> Result<Vec<u8>, ObjectError> {
    object_of(&module(), target)
}

fn object_of(module: &Module, target: &str) -> Result<Vec<u8>, ObjectError> {
    let spec = TargetSpec::parse(target).unwrap();
    let isa = Isa::new(spec, IsaOptions::default()).unwrap();
    // Others take over what is called once.
    let options = LowerOptions { level: Level::O0, ..LowerOptions::default() };
    write_object(&mut Compiler::new(), module, &isa, &options)
}

/// Names of symbols that are global: defined ones and others.
fn symbols(bytes: &[u8]) -> (Vec<String>, Vec<String>) {
    let header = FileHeader64::<Endianness>::parse(bytes).unwrap();
    let endian = header.endian().unwrap();
    let sections = header.sections(endian, bytes).unwrap();
    let table = sections.symbols(endian, bytes, elf::SHT_SYMTAB).unwrap();
    let (mut defined, mut wanted) = (Vec::new(), Vec::new());
    for symbol in table.iter().filter(|symbol| symbol.st_bind() != elf::STB_LOCAL) {
        let name = symbol.name(endian, table.strings()).unwrap();
        let name = String::from_utf8(name.to_vec()).unwrap();
        match symbol.st_shndx(endian) == SHN_UNDEF {
            true => wanted.push(name),
            false => defined.push(name),
        }
    }
    defined.sort();
    wanted.sort();
    (defined, wanted)
}

#[test]
fn an_object_defines_what_the_module_exports_and_wants_what_it_imports() {
    for target in ["x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu"] {
        let bytes = object(target).unwrap();
        let (defined, wanted) = symbols(&bytes);
        assert_eq!(defined, ["main", "state", "table", "twice"]);
        let runtime = [
            "brolga_engine",
            "brolga_enter_callback",
            "brolga_leave_callback",
            "brolga_raise",
            "brolga_stack_overflow",
            "brolga_thread_local",
        ];
        let expected = ["abs"].into_iter().chain(runtime).chain(["elsewhere", "theirs"]);
        assert_eq!(wanted, expected.collect::<Vec<_>>());
        assert_eq!(object(target).unwrap(), bytes, "the same input gives the same bytes");
    }
}

#[test]
fn rows_tell_a_runtime_of_handlers_and_thread_local_data() {
    let bytes = object("x86_64-unknown-linux-gnu").unwrap();
    let header = FileHeader64::<Endianness>::parse(&bytes[..]).unwrap();
    let endian = header.endian().unwrap();
    let sections = header.sections(endian, &bytes[..]).unwrap();
    let size = |name: &[u8]| sections.section_by_name(endian, name).unwrap().1.sh_size(endian);
    // One try_call, and the callback thunks of three functions.
    assert_eq!(size(b"brolga_sites"), 4 * 24);
    assert_eq!(size(b"brolga_locals"), 32);
    assert_eq!(size(b"brolga_stubs"), 2 * 14 + 13);
}

#[test]
fn objects_for_other_systems_are_written_or_refused() {
    assert!(object("aarch64-apple-darwin").unwrap().starts_with(&[0xcf, 0xfa, 0xed, 0xfe]));
    assert!(object("x86_64-apple-darwin").unwrap().starts_with(&[0xcf, 0xfa, 0xed, 0xfe]));
    let error = object("x86_64-pc-windows-msvc").unwrap_err();
    assert_eq!(
        error.to_string(),
        "no objects for x86_64-pc-windows-msvc; write them for Linux or macOS"
    );
}

#[test]
fn data_of_any_size_is_written_or_refused_before_it_fills_memory() {
    let gigabytes = |n: u64| format!("data @d{n} = {{ zero 2147483639, i8 1 }}\n");
    let module = parse_module(&(0..1000).map(gigabytes).collect::<String>()).unwrap();
    let error = object_of(&module, "x86_64-unknown-linux-gnu").unwrap_err();
    assert!(matches!(error, ObjectError::TooLarge { size: 2_147_483_640_000 }), "{error}");

    let declared = parse_module("import data @large size 2147483647").unwrap();
    object_of(&declared, "x86_64-unknown-linux-gnu").unwrap();
}

/// The symbols of an object of that text, by name: whether each is weak, of the whole program,
/// and defined.
fn table(text: &str) -> FxHashMap<String, [bool; 3]> {
    let bytes = object_of(&parse_module(text).unwrap(), "x86_64-linux/x86-64").unwrap();
    let file = object::File::parse(&bytes[..]).unwrap();
    let row = |symbol: object::Symbol<'_, '_>| {
        let is_known = [symbol.is_weak(), symbol.is_global(), symbol.is_definition()];
        (symbol.name().unwrap().to_owned(), is_known)
    };
    file.symbols().map(row).collect()
}

/// What the calls in an object refer to.
fn called(text: &str) -> Vec<String> {
    let bytes = object_of(&parse_module(text).unwrap(), "x86_64-linux/x86-64").unwrap();
    let file = object::File::parse(&bytes[..]).unwrap();
    let code = file.section_by_name(".text").unwrap();
    let target = |(_, relocation): (u64, object::Relocation)| match relocation.target() {
        object::RelocationTarget::Symbol(index) => {
            file.symbol_by_index(index).unwrap().name().unwrap().to_owned()
        }
        other => panic!("{other:?}"),
    };
    code.relocations().map(target).collect()
}

const WEAK: &str = "\
weak func @w() -> i64 inline never {
b:
    return 1
}
func @s() -> i64 inline never {
b:
    return 2
}
func @f() -> i64 {
b:
    %x = call @w()
    %y = call @s()
    %z = add.i64 %x, %y
    return %z
}
";

#[test]
fn a_weak_function_is_called_by_its_name() {
    let called = called(WEAK);
    assert!(
        called.contains(&"w".to_owned()) && !called.contains(&"w.code".to_owned()),
        "{called:?}"
    );
    assert!(called.contains(&"s.code".to_owned()), "{called:?}");
}

#[test]
fn what_nobody_need_define_is_weak_and_thread_local_data_are_seen_as_far_as_they_are() {
    let symbols = table(
        "foreign_weak func @maybe(i64) -> i64\nforeign_weak data @maybed size 0\n\
         local data @own thread_local = { i64 5 }\nweak data @some thread_local = { i64 6 }\n\
         data @all thread_local = { i64 7 }\n\
         func @f() -> i64 {\nb:\n    %p = data_addr @maybed\n    \
         %g = function_addr.cfn(i64) -> i64 @maybe\n    %q = function_to_ptr.cfn(i64) -> i64 %g\n    \
         %x = data_load.i64 @own, 0\n    return %x\n}\n",
    );
    assert_eq!((symbols["maybe"], symbols["maybed"]), ([true, true, false], [true, true, false]));
    assert!(!symbols["own.offset"][1], "no other object has that one");
    assert_eq!(symbols["some.offset"], [true, true, true]);
    assert_eq!(symbols["all.offset"], [false, true, true]);
}

#[test]
fn names_of_what_stands_beside_functions_and_data_are_refused() {
    let f = "func @f() -> i64 {\nb:\n    return 1\n}\n";
    for (other, is_refused) in [
        ("import func @\"f.code\"() -> i64", true),
        ("import data @\"f.address\" size 8", true),
        ("import func @\"f.foreign.0\"() -> i64", true),
        ("import func @\"g.code\"() -> i64", false),
    ] {
        let module = parse_module(&format!("{other}\n{f}")).unwrap();
        match object_of(&module, "x86_64-linux/x86-64") {
            Ok(_) => assert!(!is_refused, "{other}"),
            Err(error) => {
                let text = error.to_string();
                assert!(is_refused && text.contains("is the name of two things"), "{text}");
            }
        }
    }
}

#[test]
fn no_module_defines_or_names_what_the_runtime_has() {
    let entries = RuntimeEntry::ALL.iter().map(|entry| entry.name());
    for name in entries.chain(["brolga_engine", "brolga_budget", "brolga.udiv.i128.code"]) {
        for (kind, text) in [
            ("function", format!("func @\"{name}\"() -> i64 {{\nb:\n    return 1\n}}\n")),
            ("function", format!("import func @\"{name}\"() -> i64\n")),
            ("data object", format!("local data @\"{name}\" = {{ i64 1 }}\n")),
        ] {
            let module = parse_module(&text).unwrap();
            let error = object_of(&module, "x86_64-linux/x86-64").unwrap_err().to_string();
            let said = format!("the {kind} `{name}` has a name of the runtime's own; name it");
            assert!(error.contains(&said), "{error}");
        }
    }
    let module = parse_module("func @brolga_other() -> i64 {\nb:\n    return 1\n}\n").unwrap();
    object_of(&module, "x86_64-linux/x86-64").unwrap();
}
