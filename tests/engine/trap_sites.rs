//! A thousand places that stop, in every way that a program can.

use std::fmt::Write;
use std::thread;

use brolga::ir::trap::TrapCode;
use brolga::{CallError, Config, Engine, Function};

/// What a site does, and the code that it stops with. `%x` is an `i64` 0.
const SITES: &[(&str, TrapCode)] = &[
    ("unreachable", TrapCode::Unreachable),
    ("trap user(77)", TrapCode::User(77)),
    ("trap interrupted", TrapCode::Interrupted),
    ("trap out_of_memory", TrapCode::OutOfMemory),
    ("%q = sdiv.i64 1, %x", TrapCode::DivisionByZero),
    ("%q = udiv.i32 1, 0", TrapCode::DivisionByZero),
    ("%q = srem.i16 1, 0", TrapCode::DivisionByZero),
    ("%q = urem.i8 1, 0", TrapCode::DivisionByZero),
    ("%m = sub.i64 %x, 1\n    %q = sdiv.i64 0x8000000000000000, %m", TrapCode::IntegerOverflow),
    ("%q = sadd_trap.i32 2147483647, 1", TrapCode::IntegerOverflow),
    ("%q = umul_trap.i64 0x8000000000000000, 2", TrapCode::IntegerOverflow),
    ("%q = strunc_trap.i8 i64:1000", TrapCode::BadConversion),
    ("%q = fptosi_trap.i32 f64:nan", TrapCode::BadConversion),
    ("%q = fptoui_trap.i8 f32:256.0", TrapCode::BadConversion),
    ("%q = slot_load.i64 ss0, 1", TrapCode::Bounds),
    ("slot_store.i8 1, ss0, -1", TrapCode::Bounds),
    ("%q = data_load.i32 @table, 13", TrapCode::Bounds),
    ("check 0, exit0", TrapCode::Bounds),
    ("check 0, exit1(%x)", TrapCode::SideExit),
    ("check 0, exit2", TrapCode::NullReference),
    ("call_indirect.fn() null()", TrapCode::NullFunction),
    ("call @nowhere()", TrapCode::MissingFunction),
    ("throw null", TrapCode::UncaughtException),
    ("call @failing(%x)", TrapCode::HostError),
    ("call @panicking(%x)", TrapCode::HostError),
];

const SITE_COUNT: usize = 1000;

/// How deep the calls to a site nest.
fn depth_of(site: usize) -> usize {
    1 + site % 50
}

/// A module whose `@run(site, deep)` calls a site: at once, or through as many
/// calls as it is deep, or through the host.
fn module() -> String {
    let mut text = String::from(
        "data @table const = { i32 [1, 2, 3, 4] }
import @nowhere()
import @failing(i64)
import @panicking(i64)
import @through_host(i64, i64)
",
    );
    for site in 0..SITE_COUNT {
        let (body, _) = SITES[site % SITES.len()];
        let ends = ["unreachable", "trap", "throw"].iter().any(|end| body.starts_with(end));
        let end = if ends { "" } else { "\n    return" };
        // Every third site is written in a function that was inlined here.
        let (locs, loc) = match site % 3 {
            0 => (
                "    loc0 = \"main.jl\":7:1\n    loc1 = \"inner.jl\":9:1 in \"inner\" at loc0\n",
                " !loc1",
            ),
            _ => ("", ""),
        };
        let body = body.replace('\n', &format!("{loc}\n"));
        let _ = write!(
            text,
            "func @site{site}(i64, i64) {{
    ss0 = slot 8
    exit0 = trap bounds
    exit1 = side 3 (i64)
    exit2 = trap null_reference
{locs}entry(%deep: i64, %x: i64):
    %bottom = icmp.i64 sle %deep, 1
    branch %bottom, stop, more
more:
    %d = sub.i64 %deep, 1
    call @site{site}(%d, %x)
    return
stop:
    {body}{loc}{end}
}}
"
        );
    }
    text.push_str("func @run(i64, i64) {\nentry(%site: i64, %deep: i64):\n    switch.i64 %site, [");
    for site in 0..SITE_COUNT {
        let comma = if site == 0 { "" } else { ", " };
        let _ = write!(text, "{comma}{site}: go{site}");
    }
    text.push_str("], none\n");
    for site in 0..SITE_COUNT {
        let _ = write!(text, "go{site}:\n    call @site{site}(%deep, 0)\n    return\n");
    }
    text.push_str("none:\n    return\n}\nfunc @outer(i64, i64) {\nentry(%site: i64, %deep: i64):\n    call @through_host(%site, %deep)\n    return\n}\n");
    text
}

fn engine() -> Engine {
    let engine = Engine::new(Config::default()).unwrap();
    engine
        .define_host("failing", |_: i64| -> Result<(), std::fmt::Error> { Err(std::fmt::Error) })
        .unwrap();
    engine
        .define_host("panicking", |_: i64| -> () { std::panic::resume_unwind(Box::new("quietly")) })
        .unwrap();
    let weak = engine.downgrade();
    engine
        .define_host("through_host", move |site: i64, deep: i64| -> Result<(), CallError> {
            let engine = weak.upgrade().expect("it is calling");
            engine.func::<(i64, i64), ()>("run").expect("it is loaded").call((site, deep))
        })
        .unwrap();
    engine.load(&module()).unwrap();
    engine
}

fn check_direct(run: &Function<(i64, i64), ()>, site: usize) {
    let deep = depth_of(site);
    let error = run.call((site as i64, deep as i64)).unwrap_err();
    let trap = error.trap().unwrap();
    let (_, code) = SITES[site % SITES.len()];
    assert_eq!(trap.code, code, "site {site}");
    let innermost = if site.is_multiple_of(3) { "inner".to_owned() } else { format!("site{site}") };
    assert_eq!(trap.function(), innermost, "site {site}");
    assert_ne!(trap.line(), 0, "site {site}");
    let own = format!("site{site}");
    let frames = trap.frames.iter().filter(|frame| *frame.function == *own).count();
    assert_eq!(frames, deep, "site {site}");
    assert_eq!(&*trap.frames.last().unwrap().function, "run");
}

fn check_through_host(outer: &Function<(i64, i64), ()>, site: usize) {
    let error = outer.call((site as i64, depth_of(site) as i64)).unwrap_err();
    let CallError::Host { trap, error } = error else { panic!("site {site}: {error}") };
    assert_eq!((trap.code, trap.function()), (TrapCode::HostError, "outer"));
    let inner = error.downcast_ref::<CallError>().unwrap().trap().unwrap();
    assert_eq!(inner.code, SITES[site % SITES.len()].1, "site {site}");
}

#[test]
fn a_thousand_sites_leave_the_engine_as_it_was() {
    let engine = engine();
    let run = engine.func::<(i64, i64), ()>("run").unwrap();
    let outer = engine.func::<(i64, i64), ()>("outer").unwrap();
    let before = engine.books();
    thread::scope(|scope| {
        for worker in 0..4 {
            let (run, outer) = (&run, &outer);
            scope.spawn(move || {
                for site in 0..SITE_COUNT {
                    let site = (site + worker * 250) % SITE_COUNT;
                    check_direct(run, site);
                    check_through_host(outer, site);
                    run.call((-1, 0)).unwrap();
                }
            });
        }
    });
    assert_eq!(engine.books(), before);
}
