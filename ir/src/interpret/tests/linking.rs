use super::*;

fn call_linked(texts: &[&str]) -> Result<Vec<Datum>, CallError> {
    let modules: Vec<Module> = texts.iter().map(|text| module(text)).collect();
    let modules: Vec<&Module> = modules.iter().collect();
    Interpreter::new(&modules).unwrap().call("main", &[])
}

fn link_error(texts: &[&str]) -> String {
    let modules: Vec<Module> = texts.iter().map(|text| module(text)).collect();
    let modules: Vec<&Module> = modules.iter().collect();
    Interpreter::new(&modules).unwrap_err().to_string()
}

#[test]
fn modules_call_each_other_in_any_order() {
    let even = "
import func @odd(i64) -> i1
func @even(i64) -> i1 {
entry(%n: i64):
    %zero = icmp.i64 eq %n, 0
    branch %zero, yes, more
yes:
    return 1
more:
    %m = sub.i64 %n, 1
    %r = call @odd(%m)
    return %r
}";
    let odd = "
import func @even(i64) -> i1
func @odd(i64) -> i1 {
entry(%n: i64):
    %zero = icmp.i64 eq %n, 0
    branch %zero, no, more
no:
    return 0
more:
    %m = sub.i64 %n, 1
    return_call @even(%m)
}";
    let main = "
import func @even(i64) -> i1
func @main() -> i1 {
entry:
    %r = call @even(101)
    return %r
}";
    for texts in [[even, odd, main], [main, odd, even], [odd, main, even]] {
        assert_eq!(call_linked(&texts).unwrap(), [Datum::from(false)]);
    }
}

/// A module of that linkage whose function and data give the number.
fn definer(linkage: &str, number: i64, own: &str) -> String {
    format!(
        "{linkage} func @f() -> i64 {{
entry:
    return {number}
}}
{linkage} data @x = {{ i64 {number}, ptr @f }}
func @{own}() -> (i64, i64, i64) {{
entry:
    %a = call @f()
    %b = data_load.i64 @x, 0
    %x = data_addr @x
    %p = load.ptr %x+8
    %c = call_ptr.fn() -> i64 %p()
    return %a, %b, %c
}}"
    )
}

#[test]
fn weak_definitions_give_way_to_others_and_to_the_first_of_them() {
    let [first, second] = [definer("weak", 1, "main"), definer("weak", 2, "other")];
    let strong = definer("export", 3, "strong");
    let three = |number: i64| vec![Datum::from(number); 3];
    assert_eq!(call_linked(&[&first, &second]).unwrap(), three(1));
    assert_eq!(call_linked(&[&second, &first]).unwrap(), three(2));
    assert_eq!(call_linked(&[&first, &strong, &second]).unwrap(), three(3));
    assert_eq!(call_linked(&[&strong, &first]).unwrap(), three(3));
}

#[test]
fn what_need_not_be_there_has_a_null_address() {
    let text = "foreign_weak func @strlen(ptr) -> i64
foreign_weak func @nothing() -> i64
foreign_weak data @no_data size 0
data @list = { ptr @nothing, ptr @no_data }
func @main() -> (i1, i1, i1, i64, i64) {
entry:
    %f = function_addr.cfn(ptr) -> i64 @strlen
    %a = icmp.cfn(ptr) -> i64 eq %f, null
    %g = function_addr.cfn() -> i64 @nothing
    %b = icmp.cfn() -> i64 eq %g, null
    %d = data_addr @no_data
    %c = icmp.ptr eq %d, null
    %l = data_addr @list
    %x = load.i64 %l
    %y = load.i64 %l+8
    return %a, %b, %c, %x, %y
}
func @call() -> i64 {
entry:
    %x = call_foreign @nothing()
    return %x
}";
    let given = call_linked(&[text]).unwrap();
    assert_eq!(given, [false.into(), true.into(), true.into(), 0_i64.into(), 0_i64.into()]);
    let module = module(text);
    let trap = trap_of(Interpreter::new(&[&module]).unwrap().call("call", &[]));
    assert_eq!(trap.code, TrapCode::NullFunction);
}

#[test]
fn classes_of_different_modules_say_nothing_of_each_other() {
    let library = "
class !memory
class !float in !memory
func @store_float(ptr) {
entry(%p: ptr):
    store.i64 5, %p class !float
    return
}";
    // Here the number of the library's class is that of another one, which is
    // no part of `!int`, nor `!int` of it.
    let main = "
import func @store_float(ptr)
class !memory
class !text in !memory
class !int in !memory
func @main() -> i64 {
  ss0 = slot 8
entry:
    %p = slot_addr ss0
    call @store_float(%p)
    %x = load.i64 %p class !int
    return %x
}";
    assert_eq!(call_linked(&[library, main]).unwrap(), ints(&[5]));
    assert_eq!(call_linked(&[main, library]).unwrap(), ints(&[5]));
}

#[test]
fn local_names_do_not_meet_and_a_function_has_one_address() {
    let library = "
local func @helper() -> i64 {
entry:
    return 1
}
func @shared() -> i64 {
entry:
    %x = call @helper()
    return %x
}
func @address() -> fn() -> i64 {
entry:
    %f = function_addr.fn() -> i64 @shared
    return %f
}";
    let main = "
import func @shared() -> i64
import func @address() -> fn() -> i64
local func @helper() -> i64 {
entry:
    return 2
}
func @main() -> (i64, i1) {
entry:
    %f = call @address()
    %g = function_addr.fn() -> i64 @shared
    %same = icmp.fn() -> i64 eq %f, %g
    %x = call_indirect.fn() -> i64 %f()
    %y = call @helper()
    %z = mul.i64 %y, 10
    %w = add.i64 %x, %z
    return %w, %same
}";
    assert_eq!(call_linked(&[main, library]).unwrap(), [21i64.into(), true.into()]);
}

#[test]
fn data_is_shared_by_name_and_holds_addresses() {
    let library = "
data @numbers align 64 = { i32 [10, 20, 30], zero 4, ptr @numbers+8, ptr @f }
func @f() -> i64 {
entry:
    return 5
}";
    let main = "
import data @numbers size 32 align 8
func @main() -> (i32, i64) {
entry:
    %p = data_addr @numbers
    %q = load.ptr %p+16
    %x = load.i32 %q
    %f = load.ptr %p+24
    %y = call_ptr.fn() -> i64 %f()
    return %x, %y
}";
    assert_eq!(call_linked(&[main, library]).unwrap(), [30i32.into(), 5i64.into()]);
}

#[test]
fn what_does_not_fit_together_is_said() {
    let f = "func @f() {\nentry:\n    return\n}";
    assert_eq!(
        link_error(&[f, f]),
        "`@f` is defined by module 0 and by module 1; make one of them local"
    );
    assert_eq!(
        link_error(&[f, "import func @f(i64)"]),
        "`@f` is imported as `(i64)`, but defined as `()`"
    );
    let data_f = "data @f = { zero 8 }";
    assert!(link_error(&[f, data_f]).starts_with("`@f` is defined by module 0 and by module 1"));
    let d = "data @d = { zero 8 }";
    assert!(link_error(&[d, d]).starts_with("`@d` is defined by module 0 and by module 1"));
    assert_eq!(
        link_error(&[d, "import data @d size 16 align 8"]),
        "`@d` is imported as `16 bytes`, but defined as `8 bytes`"
    );
    let (local, shared) = ("data @t thread_local = { i64 1 }", "data @t = { i64 1 }");
    let copies = link_error(&[local, "import data @t size 8 align 8"]);
    assert!(copies.contains("thread_local") && copies.contains("shared by threads"), "{copies}");
    let copies = link_error(&[shared, "import data @t thread_local size 8 align 8"]);
    assert!(copies.contains("thread_local") && copies.contains("shared by threads"), "{copies}");
    assert!(link_error(&["import data @e size 16 align 8"]).starts_with("nobody defines"));
    let huge = "data @huge = { zero 0x100000000000 }";
    assert!(link_error(&[huge]).starts_with("no room for `@huge`"));
}

#[test]
fn the_embedder_gives_bytes_and_reads_them_back() {
    let module = module(
        "
import data @input size 4 align 4
data @output = { zero 4 }
func @main() {
entry:
    %x = data_load.i32 @input, 0
    %y = mul.i32 %x, 3
    data_store.i32 %y, @output, 0
    return
}",
    );
    let setup = Interpreter::setup().module(&module).data("input", &[14, 0, 0, 0]);
    let mut interpreter = setup.build().unwrap();
    interpreter.call("main", &[]).unwrap();
    assert_eq!(interpreter.data("output").unwrap(), [42, 0, 0, 0]);
    assert_eq!(interpreter.data("missing"), None);
}

#[test]
fn the_layout_of_data_is_known_without_running() {
    let text = "data @a align 256 = { zero 3 }\nlocal data @b const = { i64 1 }\nfunc @main() -> ptr {\nentry:\n    %p = data_addr @b\n    return %p\n}";
    let module = module(text);
    let layout = checked_layout(&[&module], 1 << 20).unwrap();
    assert_eq!(layout.len(), 2);
    assert_eq!(layout[0].address, BASE);
    assert!(layout[1].address > BASE + 3 && layout[1].content == Content::Constant);
    assert_eq!(run(text).unwrap(), [Datum::from(layout[1].address)]);
}
