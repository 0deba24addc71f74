//! What the options of the reader of LLVM IR change.

use brolga_ir::body::Initial;
use brolga_ir::datum::Datum;
use brolga_ir::interpret::{CallError, HostFunctions, Interpreter};
use brolga_ir::llvm::{ReadOptions, constructors, destructors, read_module};
use brolga_ir::module::{Linkage, Module};
use brolga_ir::text::Code;
use brolga_ir::types::Type;

const ASSEMBLY: &str = r#"
define i32 @flags(i32 %x) {
  %y = call i32 asm sideeffect "pushfq\0Apopq $0", "=r,r,~{memory}"(i32 %x)
  ret i32 %y
}
define i64 @both(i64 %x, ptr %p) {
  %two = call { i64, i32 } asm "two $0 $1 $2", "=r,=r,=*m,0"(ptr elementtype(i8) %p, i64 %x)
  %a = extractvalue { i64, i32 } %two, 0
  %b = extractvalue { i64, i32 } %two, 1
  %wide = zext i32 %b to i64
  %sum = add i64 %a, %wide
  ret i64 %sum
}
define void @nothing() {
  call void asm sideeffect "nop", ""()
  ret void
}
"#;

fn read(text: &str, options: &ReadOptions) -> Module {
    read_module(text, options).unwrap_or_else(|errors| panic!("{errors:?}"))
}

fn options_for_assembly() -> ReadOptions {
    let functions = [("pushfq\npopq $0", "read_flags"), ("two $0 $1 $2", "two"), ("nop", "idle")];
    let named = |(template, name): (&str, &str)| (template.to_owned(), name.to_owned());
    ReadOptions { assembly: functions.map(named).into(), ..ReadOptions::default() }
}

#[test]
fn templates_go_to_the_functions_of_the_host_that_the_user_names() {
    let module = read(ASSEMBLY, &options_for_assembly());
    let mut host = HostFunctions::new();
    host.define("read_flags", &[Type::I32], &[Type::I32], |_, args| {
        Ok(vec![Datum::from(args[0].bits() as i32 + 1)])
    });
    host.define("two", &[Type::PTR, Type::I64], &[Type::I64, Type::I32], |_, args| {
        Ok(vec![Datum::from(args[1].bits() as i64 * 2), Datum::from(args[0].bits() as i32)])
    });
    host.define("idle", &[], &[], |_, _| Ok(vec![]));
    let mut interpreter = Interpreter::setup().module(&module).host(host).build().unwrap();
    let mut call = |name, args: &[Datum]| interpreter.call(name, args).unwrap();
    assert_eq!(call("flags", &[Datum::from(4i32)])[0].bits(), 5);
    assert_eq!(call("both", &[Datum::from(10i64), Datum::Scalar(7)])[0].bits(), 27);
    assert_eq!(call("nothing", &[]), vec![]);
}

#[test]
fn a_function_of_the_host_stands_for_templates_of_one_type() {
    let mut options = options_for_assembly();
    options.assembly.insert("two $0 $1 $2".to_owned(), "read_flags".to_owned());
    let errors = read_module(ASSEMBLY, &options).unwrap_err();
    assert_eq!((errors.len(), errors[0].line, errors[0].code), (1, 7, Code::LlvmUnsupported));
}

#[test]
fn without_a_name_the_template_is_refused() {
    let errors = read_module(ASSEMBLY, &ReadOptions::default()).unwrap_err();
    assert!(errors.iter().all(|error| error.code == Code::LlvmAssembly));
    assert_eq!(errors.iter().map(|error| error.line).collect::<Vec<u32>>(), [3, 7]);
    assert!(errors[0].to_string().contains("@flags"), "{}", errors[0]);
}

#[test]
fn what_other_modules_define_is_imported() {
    let text = "declare i32 @other(i32)\n@there = external global i32\n\
        define i32 @f() {\n  %x = load i32, ptr @there\n  %y = call i32 @other(i32 %x)\n  ret i32 %y\n}";
    let linkage = |options: &ReadOptions| {
        let module = read(text, options);
        let function = module.function_named("other").and_then(|id| module.function(id));
        let data = module.data_objects().find(|(_, data)| &*data.name == "there");
        (function.unwrap().linkage, data.unwrap().1.linkage)
    };
    assert_eq!(linkage(&ReadOptions::default()), (Linkage::Foreign, Linkage::Foreign));
    let defined = ["other".to_owned(), "there".to_owned()].into();
    let options = ReadOptions { defined, ..ReadOptions::default() };
    assert_eq!(linkage(&options), (Linkage::Import, Linkage::Import));
}

#[test]
fn slots_hold_what_the_options_say() {
    let text = "define i32 @f(i64 %n) {\n  %p = alloca i32\n  %q = alloca i32, i64 %n\n\
        %x = load i32, ptr %p\n  %y = load i32, ptr %q\n  %z = add i32 %x, %y\n  ret i32 %z\n}";
    let call = |slots| {
        let module = read(text, &ReadOptions { slots, ..ReadOptions::default() });
        Interpreter::new(&[&module]).unwrap().call("f", &[Datum::from(5i64)])
    };
    assert_eq!(call(Initial::Zeroed).unwrap()[0].bits(), 0);
    assert!(matches!(call(Initial::Uninit), Err(CallError::Trap(_))));
}

#[test]
fn the_constructors_of_each_text_have_names_of_their_own() {
    let text = "@llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] \
        [{ i32, ptr, ptr } { i32 101, ptr @f, ptr null }]\ndefine internal void @f() {\n  ret void\n}";
    let first = read(text, &ReadOptions::default());
    let second = read(text, &ReadOptions { number: 1, ..ReadOptions::default() });
    let names = |module: &Module| {
        let found = constructors(module);
        let name = |&(priority, id): &(u32, _)| {
            (priority, module.function(id).map(|function| function.name.to_string()))
        };
        found.iter().map(name).collect::<Vec<_>>()
    };
    assert_eq!(names(&first), [(101, Some("__constructors.101".to_owned()))]);
    assert_eq!(names(&second), [(101, Some("__constructors.101.1".to_owned()))]);
    assert_eq!(destructors(&second), []);
}
