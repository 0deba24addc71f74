//! The interpreter over the memory of the process: it and compiled code work on
//! the same data objects, in turn.
#![cfg(all(target_os = "linux", target_arch = "x86_64"))]

use brolga::{Config, Engine};
use brolga_ir::datum::Datum;
use brolga_ir::interpret::{Host, Interpreter};
use brolga_ir::text::parse_module;
use brolga_ir::trap::TrapCode;

const MODULE: &str = "
data @counter = { i64 100 }
data @table align 16 = { i32 [1, 2, 3, 4, 5, 6, 7, 8] }
func @address_of_counter() -> ptr {
entry:
    %p = data_addr @counter
    return %p
}
func @address_of_table() -> ptr {
entry:
    %p = data_addr @table
    return %p
}
func @add(i64) -> i64 {
entry(%n: i64):
    %old = data_load.i64 @counter, 0
    %new = add.i64 %old, %n
    data_store.i64 %new, @counter, 0
    return %new
}
func @increment(i64) -> i64 {
entry(%n: i64):
    %p = data_addr @counter
    %old = atomic_rmw.i64 add seq_cst %p, %n
    return %old
}
func @turn() {
entry:
    %x = data_load.i32x8 @table, 0
    %y = shuffle.i32x8 %x, %x, [7, 6, 5, 4, 3, 2, 1, 0]
    data_store.i32x8 %y, @table, 0
    return
}
func @fill(ptr, i64) {
entry(%p: ptr, %size: i64):
    mem_fill %p, 7, %size
    return
}";

/// The module in both, the interpreter on the data objects of the engine.
fn with_both(check: impl FnOnce(&Engine, &mut Interpreter<'_>)) {
    let engine = Engine::new(Config::default()).unwrap();
    // SAFETY: it stores only to its own data objects, and to what the tests hand in.
    unsafe { engine.load_unsafe(MODULE) }.unwrap();
    let address = |function: &str| engine.call(function, &[]).unwrap()[0].bits() as u64;
    let module = parse_module(MODULE).unwrap();
    // SAFETY: the data objects live as long as the engine, which outlives the
    // interpreter; one of the two runs at a time, on this thread.
    let memory = unsafe {
        let mut memory = Host::new(1 << 20);
        memory.share("counter", address("address_of_counter"));
        memory.share("table", address("address_of_table"));
        memory
    };
    let setup = Interpreter::setup().module(&module).memory(Box::new(memory));
    check(&engine, &mut setup.build().unwrap());
}

#[test]
fn compiled_code_and_the_interpreter_work_on_the_same_data() {
    with_both(|engine, interpreter| {
        let ten = [Datum::from(10i64)];
        for round in 0..5i64 {
            let start = 100 + 40 * round;
            assert_eq!(engine.call("add", &ten).unwrap(), [(start + 10).into()]);
            assert_eq!(interpreter.call("add", &ten).unwrap(), [(start + 20).into()]);
            assert_eq!(engine.call("increment", &ten).unwrap(), [(start + 20).into()]);
            assert_eq!(interpreter.call("increment", &ten).unwrap(), [(start + 30).into()]);
        }
        let mut counter = [0_i64];
        engine.read_data("counter", 0, &mut counter).unwrap();
        assert_eq!(counter, [300]);
        assert_eq!(interpreter.data("counter").unwrap(), 300i64.to_le_bytes());
    });
}

#[test]
fn vectors_and_bytes_of_the_host_are_shared_too() {
    with_both(|engine, interpreter| {
        interpreter.call("turn", &[]).unwrap();
        let mut table = [0_i32; 8];
        engine.read_data("table", 0, &mut table).unwrap();
        assert_eq!(table, [8, 7, 6, 5, 4, 3, 2, 1]);
        engine.call("turn", &[]).unwrap();
        assert_eq!(interpreter.data("table").unwrap()[..8], [1, 0, 0, 0, 2, 0, 0, 0]);
        let mut own = [0_u8; 9];
        let place = Datum::from(own.as_mut_ptr() as usize as u64);
        interpreter.call("fill", &[place, 8i64.into()]).unwrap();
        assert_eq!(std::hint::black_box(own), [7, 7, 7, 7, 7, 7, 7, 7, 0]);
    });
}

#[test]
fn what_is_near_null_is_a_trap_there_too() {
    with_both(|_, interpreter| {
        let error = interpreter.call("fill", &[0u64.into(), 8i64.into()]).unwrap_err();
        let trap = error.trap().unwrap();
        assert_eq!((trap.code, trap.function()), (TrapCode::InvalidAccess, "fill"));
    });
}
