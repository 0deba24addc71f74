use super::*;
use brolga_ir::interpret::{CallError, Interpreter, OpCounts};
use brolga_ir::text::{parse_module, print_module};
use brolga_ir::trap::TrapCode;

#[test]
fn probe() {
    let mut counts = OpCounts::default();
    let mut outcomes = std::collections::BTreeMap::<String, u64>::new();
    let mut executed = Vec::new();
    for seed in 0..2000 {
        let generated = generate(seed, &Options::default());
        let mut interpreter = Interpreter::new(&[&generated.module]).unwrap();
        for call in &generated.calls {
            let result = interpreter.call(&call.function, &call.args);
            let what = match &result {
                Ok(_) => "ok".to_owned(),
                Err(CallError::Trap(trap)) => {
                    if matches!(trap.code, TrapCode::BrokenPromise|TrapCode::InvalidAccess) {
                        println!("seed {seed}: {trap}");
                    }
                    trap.code.to_string()
                }
                Err(other) => format!("{other} {seed}"),
            };
            *outcomes.entry(what).or_default() += 1;
        }
        executed.push(interpreter.counts().iter().map(|(_, n)| n).sum::<u64>());
        counts.merge(interpreter.counts());
    }
    executed.sort();
    println!("median {} min {} max {}", executed[1000], executed[0], executed[1999]);
    println!("{outcomes:#?}");
    for (op, n) in counts.iter() { if n < 200 { println!("{op} {n}"); } }
}
