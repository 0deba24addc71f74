use std::thread;
use std::time::{Duration, Instant};

use brolga::ir::trap::TrapCode;
use brolga::lowering::options::{Fuel, Polls};
use brolga::{CallOptions, Config, Engine};

const ENDLESS: &str = "
func @endless() -> i64 {
entry:
    jump loop(0)
loop(%i: i64):
    %j = add.i64 %i, 1
    jump loop(%j)
}";

fn polled(fuel: Fuel) -> Engine {
    let config = Config { polls: Polls::LoopsAndEntries, fuel, ..Config::default() };
    let engine = Engine::new(config).unwrap();
    engine.load(ENDLESS).unwrap();
    engine
}

#[test]
fn a_call_stops_when_its_fuel_is_used_up() {
    let engine = polled(Fuel::Counted);
    let endless = engine.func::<(), i64>("endless").unwrap();
    let options = CallOptions { fuel: Some(1000), ..CallOptions::default() };
    let error = endless.call_with(&options, ()).unwrap_err();
    assert_eq!(error.trap().unwrap().code, TrapCode::OutOfFuel);
}

#[test]
fn a_call_stops_at_its_deadline() {
    let engine = polled(Fuel::Unlimited);
    let endless = engine.func::<(), i64>("endless").unwrap();
    let start = Instant::now();
    let deadline = Some(start + Duration::from_millis(30));
    let options = CallOptions { deadline, ..CallOptions::default() };
    let error = endless.call_with(&options, ()).unwrap_err();
    assert_eq!(error.trap().unwrap().code, TrapCode::DeadlineExceeded);
    assert!(start.elapsed() >= Duration::from_millis(30));
}

#[test]
fn a_call_stops_when_the_engine_is_interrupted() {
    let engine = polled(Fuel::Unlimited);
    let endless = engine.func::<(), i64>("endless").unwrap();
    let running = thread::spawn(move || endless.call(()).unwrap_err());
    while !running.is_finished() {
        engine.interrupt();
        thread::sleep(Duration::from_millis(1));
    }
    let error = running.join().unwrap();
    assert_eq!(error.trap().unwrap().code, TrapCode::Interrupted);
}
