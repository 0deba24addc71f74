//! Programs of several texts of LLVM IR: which definition of a name counts.

use brolga_ir::interpret::Interpreter;
use brolga_ir::llvm::{ReadOptions, constructors, read_program};
use brolga_ir::module::Module;
use brolga_ir::text::Code;

fn read(texts: &[&str]) -> Vec<Module> {
    let read = read_program(texts, &ReadOptions::default());
    read.unwrap_or_else(|errors| panic!("{errors:?}"))
}

/// What `@main` of a program gives.
fn run(texts: &[&str]) -> u128 {
    let modules = read(texts);
    let modules: Vec<&Module> = modules.iter().collect();
    let mut interpreter = Interpreter::new(&modules).unwrap_or_else(|error| panic!("{error}"));
    interpreter.call("main", &[]).unwrap_or_else(|error| panic!("{error}"))[0].bits()
}

/// Why a program is none: at link, or which text says first what in which line.
fn refusal(texts: &[&str]) -> String {
    match read_program(texts, &ReadOptions::default()) {
        Ok(modules) => {
            let modules: Vec<&Module> = modules.iter().collect();
            Interpreter::new(&modules).err().map_or_else(String::new, |error| error.to_string())
        }
        Err(errors) => {
            let error = &errors[0].diagnostics[0];
            assert_eq!(error.code, Code::LlvmUnsupported);
            format!("{}:{}: {}", errors[0].text, error.line, error.message)
        }
    }
}

/// Calls `@f`.
const MAIN: &str = "declare i32 @f()\n\
    define i32 @main() {\n  %x = call i32 @f()\n  ret i32 %x\n}\n";

/// Defines `@f`, which gives a number.
fn gives(before: &str, linkage: &str, number: u32, comdat: &str) -> String {
    format!("{before}\ndefine {linkage} i32 @f() {comdat} {{\n  ret i32 {number}\n}}\n")
}

#[test]
fn of_equal_comdats_that_of_the_first_text_counts() {
    let kind = "$f = comdat any";
    for linkage in ["", "weak", "linkonce_odr"] {
        let (one, two) = (gives(kind, "", 1, "comdat"), gives(kind, linkage, 2, "comdat($f)"));
        assert_eq!(run(&[MAIN, &one, &two]), 1);
        assert_eq!(run(&[&two, MAIN, &one]), 2);
    }
}

#[test]
fn what_no_comdat_holds_and_what_none_lets_go_is_defined_once() {
    let (any, none) = ("$f = comdat any", "$f = comdat nodeduplicate");
    let folded = gives(any, "", 1, "comdat");
    for other in [gives("", "", 2, ""), gives(none, "", 2, "comdat")] {
        let same = [MAIN, &other, &other];
        assert_ne!(refusal(&same), "");
        let message = refusal(&[MAIN, &folded, &gives("", "", 2, "")]);
        assert!(message.contains("@f"), "{message}");
    }
    assert_eq!(
        refusal(&[MAIN, &folded, &gives(none, "", 2, "comdat")]),
        "1:2: the comdat `$f` is `any` in one file, `nodeduplicate` in another"
    );
}

#[test]
fn comdats_by_size_are_compared() {
    let text = |kind: &str, count: u32| {
        format!(
            "$v = comdat {kind}\n@v = global [{count} x i32] zeroinitializer, comdat\n\
             define i32 @f() comdat($v) {{\n  ret i32 {count}\n}}\n"
        )
    };
    let largest = [text("largest", 2), text("largest", 4), text("largest", 4)];
    assert_eq!(run(&[MAIN, &largest[0], &largest[1], &largest[2]]), 4);
    assert_eq!(run(&[MAIN, &largest[1], &largest[0]]), 4);
    assert_eq!(run(&[MAIN, &text("samesize", 3), &text("samesize", 3)]), 3);
    assert_eq!(
        refusal(&[MAIN, &text("samesize", 3), &text("samesize", 4)]),
        "1:2: the comdat `$v` is of different sizes in several files"
    );
}

#[test]
fn what_cannot_be_compared_is_an_error() {
    let exact = gives("$f = comdat exactmatch", "", 1, "comdat");
    assert_eq!(run(&[MAIN, &exact]), 1);
    let message = refusal(&[MAIN, &exact, &exact]);
    assert!(message.contains("`$f`") && message.contains("`exactmatch`"), "{message}");
    let largest = gives("$f = comdat largest", "", 1, "comdat");
    let message = refusal(&[MAIN, &largest, &largest]);
    assert!(message.contains("`$f` is chosen by the size of a variable"), "{message}");
}

#[test]
fn a_constructor_goes_with_the_comdat_of_what_it_is_for() {
    let text = "$v = comdat any\n@v = global i32 0, comdat\n\
        @llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] \
        [{ i32, ptr, ptr } { i32 65535, ptr @start, ptr @v }]\n\
        define internal void @start() comdat($v) {\n  ret void\n}\n";
    let counts: Vec<usize> =
        read(&[text, text]).iter().map(|module| constructors(module).len()).collect();
    assert_eq!(counts, [1, 0]);
}

#[test]
fn other_texts_see_aliases_and_one_that_gives_way_is_what_they_define() {
    let alias = |linkage: &str| {
        format!(
            "@f = {linkage} alias i32 (), ptr @own\n\
             define internal i32 @own() {{\n  ret i32 1\n}}\n\
             define i32 @inside() {{\n  %x = call i32 @f()\n  ret i32 %x\n}}\n"
        )
    };
    let strong = gives("", "", 2, "");
    let inside = MAIN.replace("@f", "@inside");
    assert_eq!(run(&[MAIN, &alias("")]), 1);
    assert_eq!(run(&[&alias("weak"), MAIN]), 1);
    assert_eq!(run(&[&alias("weak"), MAIN, &strong]), 2);
    assert_eq!(run(&[&alias("weak"), &inside, &strong]), 2);
    assert!(refusal(&[&alias(""), MAIN, &strong]).contains("@f"));
}

#[test]
fn common_variables_take_as_much_as_the_largest_of_their_name() {
    let main = "@c = external global [4 x i32]\ndefine i32 @main() {\n\
        %p = getelementptr [4 x i32], ptr @c, i64 0, i64 3\n  store i32 9, ptr %p\n\
        %a = ptrtoint ptr @c to i64\n  %low = and i64 %a, 63\n  %bits = trunc i64 %low to i32\n\
        %x = load i32, ptr %p\n  %y = add i32 %x, %bits\n  ret i32 %y\n}\n";
    let small = "@c = common global i32 0, align 4\n";
    let large = "@c = common global [4 x i32] zeroinitializer, align 64\n";
    for texts in [[main, small, large], [main, large, small], [small, main, large]] {
        assert_eq!(run(&texts), 9);
    }
}

#[test]
fn a_common_variable_comes_before_weak_ones_and_behind_others() {
    let main = "@c = external global i32\ndefine i32 @main() {\n\
        %x = load i32, ptr @c\n  ret i32 %x\n}\n";
    let (weak, common) = ("@c = weak global i32 5\n", "@c = common global i32 0\n");
    assert_eq!(run(&[main, weak]), 5);
    assert_eq!(run(&[main, weak, common]), 0);
    assert_eq!(run(&[main, weak, common, "@c = global i32 7\n"]), 7);
}

/// A program whose first text counts from aliases of what the second one defines.
fn of_aliases(second: &str) -> [String; 2] {
    let first = "@table = external global [4 x i32]\n@third = external global i32\n\
        @inner = external global i32\n@sum = external global ptr\n@where = global ptr @inner\n\
        define i32 @main() {\n  %a = load i32, ptr @third\n  %p = load ptr, ptr @where\n\
        %b = load i32, ptr %p\n  store i32 500, ptr @inner\n  %c = load i32, ptr @third\n\
        %q = getelementptr i32, ptr @third, i64 -1\n  %d = load i32, ptr %q\n\
        %e = load i32, ptr @table\n  %s = add i32 %a, %b\n  %t = add i32 %s, %c\n\
        %u = add i32 %t, %d\n  %v = add i32 %u, %e\n  ret i32 %v\n}\n";
    [first.to_owned(), second.to_owned()]
}

#[test]
fn other_texts_see_what_aliases_of_data_stand_for() {
    let texts = of_aliases(
        "@table = global [4 x i32] [i32 1, i32 20, i32 300, i32 4000]\n\
         @third = alias i32, getelementptr ([4 x i32], ptr @table, i64 0, i64 2)\n\
         @inner = alias i32, ptr @third\n@sum = alias ptr, ptr @table\n",
    );
    assert_eq!(run(&[&texts[0], &texts[1]]), 300 + 300 + 500 + 20 + 1);
    assert_eq!(run(&[&texts[1], &texts[0]]), 300 + 300 + 500 + 20 + 1);
}

#[test]
fn what_is_private_is_seen_where_a_shared_alias_stands_for_it() {
    let texts = of_aliases(
        "@own = internal global [4 x i32] [i32 1, i32 20, i32 300, i32 4000]\n\
         @table = alias [4 x i32], ptr @own\n\
         @third = alias i32, getelementptr ([4 x i32], ptr @own, i64 0, i64 2)\n\
         @inner = alias i32, ptr @third\n@sum = alias ptr, ptr @own\n",
    );
    // What another text calls the same stays its own.
    let other = "@own = internal global i32 9\ndefine ptr @nine() {\n  ret ptr @own\n}\n";
    for texts in [[&*texts[0], &*texts[1], other], [other, &*texts[1], &*texts[0]]] {
        assert_eq!(run(&texts), 300 + 300 + 500 + 20 + 1);
    }
    let names = |modules: &[Module]| -> Vec<String> {
        let objects = modules.iter().flat_map(|module| module.data_objects());
        objects.map(|(_, object)| object.name.to_string()).collect()
    };
    assert!(names(&read(&[&texts[0], &texts[1]])).contains(&"own.shared.1".to_owned()));
    // Of one text nobody knows the aliases.
    assert!(names(&read(&[&texts[1]])).contains(&"own".to_owned()));
}

#[test]
fn aliases_of_data_give_way_as_variables_do() {
    let main = "@v = external global i32\ndefine i32 @main() {\n  %x = load i32, ptr @v\n\
        %y = call i32 @inside()\n  %z = mul i32 %y, 100\n  %r = add i32 %x, %z\n  ret i32 %r\n}\n\
        declare i32 @inside()\n";
    let alias = |linkage: &str, number: u32, inside: &str| {
        format!(
            "@own = private global [2 x i32] [i32 0, i32 {number}]\n\
             @v = {linkage} alias i32, getelementptr (i32, ptr @own, i64 1)\n\
             define i32 @{inside}() {{\n  %x = load i32, ptr @v\n  ret i32 %x\n}}\n"
        )
    };
    let (weak, strong) = (alias("weak", 1, "inside"), alias("", 2, "other"));
    assert_eq!(run(&[main, &weak]), 101);
    assert_eq!(run(&[main, &weak, &strong]), 202);
    assert_eq!(run(&[&strong, main, &weak]), 202);
    assert_eq!(run(&[main, &weak, "@v = global i32 3\n"]), 303);
    let variable = "@v = weak global i32 4\ndefine i32 @inside() {\n  %x = load i32, ptr @v\n\
        ret i32 %x\n}\n";
    assert_eq!(run(&[main, variable, &strong]), 202);
    assert_eq!(run(&[variable, &alias("weak", 5, "other"), main]), 404);
    for texts in [[&*strong, "@v = global i32 3\n"], ["@v = global i32 3\n", &strong]] {
        let message = refusal(&texts);
        assert!(message.starts_with("1:"), "{message}");
        assert!(message.contains("`@v` is defined in another file, too"), "{message}");
    }
}

#[test]
fn aliases_of_functions_of_further_arguments_are_seen() {
    let main = "declare i32 @f(i32, ...)\ndefine i32 @main() {\n\
        %x = call i32 (i32, ...) @f(i32 7, i32 1)\n  ret i32 %x\n}\n";
    let alias = "@f = alias i32 (i32, ...), ptr @own\n\
        define internal i32 @own(i32 %x, ...) {\n  ret i32 %x\n}\n";
    assert_eq!(run(&[main, alias]), 7);
    assert_eq!(run(&[alias, main]), 7);
}

#[test]
fn an_alias_of_a_variable_of_each_thread_is_of_each_thread() {
    let main = "@t = external thread_local global i32\ndefine i32 @main() {\n\
        %p = call ptr @llvm.threadlocal.address.p0(ptr @t)\n  store i32 4, ptr %p\n\
        %x = call i32 @get()\n  ret i32 %x\n}\n\
        declare ptr @llvm.threadlocal.address.p0(ptr)\ndeclare i32 @get()\n";
    let alias = "@own = internal thread_local global i32 3\n\
        @t = thread_local alias i32, ptr @own\n\
        define i32 @get() {\n  %p = call ptr @llvm.threadlocal.address.p0(ptr @own)\n\
        %x = load i32, ptr %p\n  ret i32 %x\n}\n\
        declare ptr @llvm.threadlocal.address.p0(ptr)\n";
    assert_eq!(run(&[main, alias]), 4);
    assert_eq!(run(&[alias, main]), 4);
}
