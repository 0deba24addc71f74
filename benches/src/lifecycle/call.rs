//! Calls by way of a slot, against the same machine code with a direct call.

use std::arch::global_asm;
use std::hint::black_box;
use std::time::Duration;

use brolga::Config;

use super::{Extent, Failure, Row, engine, timed};

const TEXT: &str = "
func @leaf(i64) -> i64 inline never {
b(%x: i64):
    %y = add.i64 %x, 1
    return %y
}
func @loop(i64) -> i64 {
b(%n: i64):
    jump again(0)
again(%i: i64):
    %j = call @leaf(%i)
    %more = icmp.i64 ult %j, %n
    branch %more, again(%j), done
done:
    return %j
}";

// What the engine makes of that text, but for the way of the call.
global_asm!(
    ".p2align 5",
    "brolga_benches_leaf:",
    "push rbp",
    "mov rbp, rsp",
    "lea rax, [rdi + 1]",
    "mov rsp, rbp",
    "pop rbp",
    "ret",
    ".p2align 5",
    ".globl brolga_benches_direct_loop",
    "brolga_benches_direct_loop:",
    "push rbp",
    "mov rbp, rsp",
    "sub rsp, 16",
    "mov [rsp], r12",
    "mov r12, rdi",
    "xor rdi, rdi",
    "2:",
    "call brolga_benches_leaf",
    "mov rdi, r12",
    "cmp rax, rdi",
    "jae 3f",
    "mov r12, rdi",
    "mov rdi, rax",
    "jmp 2b",
    "3:",
    "mov r12, [rsp]",
    "add rsp, 16",
    "mov rsp, rbp",
    "pop rbp",
    "ret",
);

unsafe extern "C" {
    fn brolga_benches_direct_loop(rounds: i64) -> i64;
}

/// How much longer a call takes by way of a slot.
pub(super) fn through_a_slot(extent: Extent) -> Result<Vec<Row>, Failure> {
    let rounds = extent.count(20_000_000) as i64;
    let engine = engine(Config::default())?;
    engine.define(TEXT)?;
    let function = engine.func::<(i64,), i64>("loop")?;
    function.call((1,))?;
    let (mut by_slot, mut direct) = (Duration::MAX, Duration::MAX);
    for _ in 0..15 {
        let (called, took) = timed(|| function.call((black_box(rounds),)));
        called?;
        by_slot = by_slot.min(took);
        // SAFETY: it counts, in registers and on its own part of the stack.
        let (_, took) = timed(|| unsafe { brolga_benches_direct_loop(black_box(rounds)) });
        direct = direct.min(took);
    }
    let nanos = |time: Duration| time.as_secs_f64() * 1e9 / rounds as f64;
    let more = nanos(by_slot) - nanos(direct);
    Ok(vec![Row::at_most("a call by way of a slot, beyond a direct one", more, 0.7, "≤ 0.7 ns")])
}
