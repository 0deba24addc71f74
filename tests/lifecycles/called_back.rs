//! Users' code that calls compiled functions by their addresses while functions are made.

use std::sync::{Arc, Mutex};

use brolga::ir::report::Trap;
use brolga::ir::text::parse_module;
use brolga::ir::trap::TrapCode;
use brolga::{Budgets, Config, Engine, FunctionCompiled, Observer, Tiering};

type Address = extern "C" fn(i64) -> i64;

const DIVIDE: &str = "
import func @keep(ptr)
func @divide(i64) -> i64 {
entry(%n: i64):
    %q = sdiv.i64 100, %n
    return %q
}
func @hand_out() {
entry:
    %f = function_addr.fn(i64) -> i64 @divide
    %p = function_to_ptr.fn(i64) -> i64 %f
    call @keep(%p)
    return
}";

/// Hears of traps that no caller does; divides by zero when a function of that name is compiled.
#[derive(Debug, Default)]
struct Listener {
    unheard: Mutex<Vec<TrapCode>>,
    divides_at: Mutex<Option<(&'static str, Address)>>,
    divided: Mutex<Vec<i64>>,
}

impl Observer for Listener {
    fn unheard(&self, trap: &Trap) {
        self.unheard.lock().unwrap().push(trap.code);
    }

    fn function_compiled(&self, event: &FunctionCompiled<'_>) {
        let divides_at = *self.divides_at.lock().unwrap();
        if let Some((_, divide)) = divides_at.filter(|&(name, _)| name == event.function) {
            self.divided.lock().unwrap().push(divide(0));
        }
    }
}

/// An engine with a function of the host, and the address of one that divides a hundred.
fn dividing(config: Config) -> (Engine, Address, Arc<Listener>) {
    let listener = Arc::new(Listener::default());
    let observer: Arc<dyn Observer> = Arc::clone(&listener) as _;
    let engine = Engine::new(Config { observer: Some(observer), ..config }).unwrap();
    let kept: Arc<Mutex<Option<Address>>> = Arc::default();
    let keeper = Arc::clone(&kept);
    engine
        .define_host("keep", move |address: *const ()| {
            // SAFETY: what the module hands out is the address of such a function.
            let address = unsafe { std::mem::transmute::<*const (), Address>(address) };
            *keeper.lock().unwrap() = Some(address);
        })
        .unwrap();
    engine.define_host("host", |x: i64| x + 1).unwrap();
    // SAFETY: the module hands its address to the function above alone.
    unsafe { engine.load_unsafe(DIVIDE) }.unwrap();
    engine.func::<(), ()>("hand_out").unwrap().call(()).unwrap();
    let divide = kept.lock().unwrap().unwrap();
    (engine, divide, listener)
}

fn same(name: &str) -> String {
    format!("export func @{name}(i64) -> i64 {{\nb(%x: i64):\n    return %x\n}}\n")
}

/// A function that calls another one, and the host behind that.
fn caller(name: &str, of: &str) -> String {
    let host = if of == "host" { "" } else { "import func @host(i64) -> i64\n" };
    format!(
        "import func @{of}(i64) -> i64\n{host}\
         export func @{name}(i64) -> i64 {{\nb(%x: i64):\n    %y = call @{of}(%x)\n    \
         %z = call @host(%y)\n    return %z\n}}\n"
    )
}

/// Makes `@made`, and has a trap meanwhile.
fn add_maker(engine: &Engine, divide: Address, made: &Arc<Mutex<Vec<i64>>>) {
    let made = Arc::clone(made);
    engine.add_generator(&["made"], move |name| {
        made.lock().unwrap().extend([divide(0), divide(5)]);
        Ok(Some(parse_module(&caller(name, "host")).unwrap()))
    });
}

#[test]
fn a_trap_under_a_maker_stops_whoever_called_what_it_makes() {
    let (engine, divide, listener) = dividing(Config::default());
    let made = Arc::default();
    add_maker(&engine, divide, &made);
    engine.define(&caller("f", "made")).unwrap();
    let f = engine.func::<(i64,), i64>("f").unwrap();
    let error = f.call((1,)).unwrap_err();
    let trap = error.trap().unwrap();
    let frames: Vec<_> = trap.frames.iter().map(|frame| &*frame.function).collect();
    assert_eq!((trap.code, frames), (TrapCode::DivisionByZero, vec!["divide", "f"]));
    assert_eq!(*made.lock().unwrap(), [0, 0], "nothing runs before the trap has arrived");
    assert_eq!(f.call((1,)).unwrap(), 4, "it was made nevertheless");
    assert!(listener.unheard.lock().unwrap().is_empty());
}

#[test]
fn a_trap_under_a_maker_whose_function_nobody_has_called_stays_with_nobody() {
    let (engine, divide, listener) = dividing(Config::default());
    let made = Arc::default();
    add_maker(&engine, divide, &made);
    engine.compile("made").unwrap();
    assert!(engine.pending_trap().is_none());
    assert_eq!(*made.lock().unwrap(), [0, 20]);
    assert_eq!(*listener.unheard.lock().unwrap(), [TrapCode::DivisionByZero]);
    engine.define(&caller("f", "made")).unwrap();
    assert_eq!(engine.func::<(i64,), i64>("f").unwrap().call((1,)).unwrap(), 4);
}

#[test]
fn a_trap_under_an_observer_stops_nobody_whose_budget_is_used_up() {
    let tiering = Tiering::Adaptive(Budgets { quick: 10, ..Budgets::default() });
    let (engine, divide, listener) =
        dividing(Config { tiering, background_threads: 0, ..Config::default() });
    engine.define(&same("other")).unwrap();
    engine.define(&caller("f", "other")).unwrap();
    let f = engine.func::<(i64,), i64>("f").unwrap();
    assert_eq!(f.call((1,)).unwrap(), 2);
    *listener.divides_at.lock().unwrap() = Some(("f", divide));
    for x in 0..100 {
        assert_eq!(f.call((x,)).unwrap(), x + 1);
    }
    assert!(engine.pending_trap().is_none());
    let divided = listener.divided.lock().unwrap().len();
    assert!(divided > 0, "it was compiled better");
    assert_eq!(*listener.unheard.lock().unwrap(), vec![TrapCode::DivisionByZero; divided]);
}
