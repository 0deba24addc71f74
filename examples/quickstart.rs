//! Text in, a typed handle out, a call.

use brolga::{Config, Engine};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let engine = Engine::new(Config::default())?;
    engine.load(
        "func @gcd(i64, i64) -> i64 {
        entry(%a: i64, %b: i64):
            jump loop(%a, %b)
        loop(%x: i64, %y: i64):
            %done = icmp.i64 eq %y, 0
            branch %done, out, next
        next:
            %r = srem.i64 %x, %y
            jump loop(%y, %r)
        out:
            return %x
        }",
    )?;
    let gcd = engine.func::<(i64, i64), i64>("gcd")?;
    assert_eq!(gcd.call((1071, 462))?, 21);
    Ok(())
}
