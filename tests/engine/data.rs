use brolga::DataError;

use super::engine;

const TABLE: &str = "
data @table = { i64 [1, 2, 3, 4] }
data @limits const = { i32 [10, 20] }
data @counter thread_local = { i64 5 }
func @sum() -> i64 {
entry:
    %a = data_load.i64 @table, 0
    %b = data_load.i64 @table, 24
    %s = add.i64 %a, %b
    data_store.i64 %s, @table, 8
    return %s
}
func @count() -> i64 {
entry:
    %a = data_load.i64 @counter, 0
    %b = add.i64 %a, 1
    data_store.i64 %b, @counter, 0
    return %b
}
func @at(i64) -> i64 {
entry(%i: i64):
    %x = data_load.i64 @table, %i
    return %x
}";

#[test]
fn data_goes_in_and_out_by_name() {
    let engine = engine(TABLE);
    engine.write_data("table", 24, &[40i64]).unwrap();
    assert_eq!(engine.func::<(), i64>("sum").unwrap().call(()).unwrap(), 41);
    let mut all = [0i64; 4];
    engine.read_data("table", 0, &mut all).unwrap();
    assert_eq!(all, [1, 41, 3, 40]);
    let mut limit = [0i32];
    engine.read_data("limits", 4, &mut limit).unwrap();
    assert_eq!(limit, [20]);
}

#[test]
fn what_cannot_be_read_or_written_is_an_error() {
    let engine = engine(TABLE);
    let error = engine.write_data("table", 25, &[0i64]).unwrap_err();
    assert_eq!(error.to_string(), "bytes 25..33 are outside of `@table`, which has 32 bytes");
    assert!(engine.write_data("table", u64::MAX, &[0i64]).is_err());
    assert!(matches!(engine.write_data("limits", 0, &[0i32]), Err(DataError::Constant { .. })));
    assert!(matches!(engine.read_data("sum", 0, &mut [0u8]), Err(DataError::Missing { .. })));
}

#[test]
fn checked_accesses_trap_outside() {
    let engine = engine(TABLE);
    let at = engine.func::<(i64,), i64>("at").unwrap();
    assert_eq!(at.call((16,)).unwrap(), 3);
    for outside in [25, 32, -1, i64::MIN, i64::MAX] {
        let error = at.call((outside,)).unwrap_err();
        assert_eq!(error.trap().unwrap().code, brolga::ir::trap::TrapCode::Bounds);
    }
}

#[test]
fn each_thread_has_its_own_copy_of_thread_local_data() {
    let engine = engine(TABLE);
    let count = engine.func::<(), i64>("count").unwrap();
    assert_eq!(count.call(()).unwrap(), 6);
    assert_eq!(count.call(()).unwrap(), 7);
    let (other, far) = (count.clone(), engine.clone());
    let thread = std::thread::spawn(move || {
        let mut first = [0i64];
        far.read_data("counter", 0, &mut first).unwrap();
        far.write_data("counter", 0, &[100i64]).unwrap();
        (first[0], other.call(()).unwrap())
    });
    assert_eq!(thread.join().unwrap(), (5, 101));
    assert_eq!(count.call(()).unwrap(), 8);
}

#[test]
fn what_each_thread_has_is_declared_so() {
    let body = "\nfunc @f() -> i64 {\nentry:\n    %x = data_load.i64 @d, 0\n    return %x\n}\n";
    let own = "the data object `@d` is `thread_local`, and declared as one that all threads share";
    let thread_local = "data @d thread_local = { i64 5 }\n";
    assert_eq!(refused(thread_local, &format!("import data @d size 8 align 8{body}")), own);
    let shared = "the data object `@d` is declared `thread_local`, and all threads share it";
    let declared = format!("import data @d thread_local size 8 align 8{body}");
    assert_eq!(refused("data @d = { i64 5 }\n", &declared), shared);
    assert!(engine(thread_local).load(&declared).is_ok());
}

/// The error of loading that module behind the other one.
fn refused(first: &str, second: &str) -> String {
    let engine = engine(first);
    engine.load(second).unwrap_err().to_string()
}

#[test]
fn what_a_definition_does_not_keep_of_a_declaration_is_an_error() {
    let defined = "data @d align 8 = { zero 16 }\n";
    let body = |what: &str| format!("{what}\nfunc @f() -> i64 {{\nentry:\n    return 1\n}}\n");
    let align =
        "the data object `@d` is declared with `align 64`, which its definition does not keep";
    assert_eq!(refused(defined, &body("import data @d size 16 align 64")), align);
    assert_eq!(refused(defined, &body("weak data @d align 64 = { zero 16 }")), align);
    let content =
        "the data object `@d` is declared with `const`, which its definition does not keep";
    assert_eq!(refused(defined, &body("import data @d const size 16 align 8")), content);
    assert_eq!(refused(defined, &body("weak data @d align 8 const = { zero 16 }")), content);
    let constant = "data @d align 8 const = { zero 16 }\n";
    let storing = "func @f() -> i64 {\nentry:\n    data_store.i64 1, @d, 0\n    return 1\n}\n";
    let stores = "@f stores to `@d`, which is `const` where it is defined";
    for declared in ["import data @d size 16 align 8", "weak data @d align 8 = { zero 16 }"] {
        assert_eq!(refused(constant, &format!("{declared}\n{storing}")), stores);
        assert!(engine(constant).load(&body(declared)).is_ok(), "who reads may");
        let engine = engine(constant);
        engine.define(&format!("{declared}\n{storing}")).unwrap_or_default();
        let stopped = engine.func::<(), i64>("f").map(|f| f.call(()).is_err());
        assert!(stopped.unwrap_or(true), "{declared}: it is stopped before it stores");
    }
    let engine = engine("data @d align 64 const = { zero 16 }\n");
    engine.load(&body("import data @d const size 16 align 8")).unwrap();
}
