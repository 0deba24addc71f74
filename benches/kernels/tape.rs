//! A machine with a tape and eight orders, as bytes: an interpreter that follows brackets.

/// Doubles a cell by way of its neighbour, over and over.
const PROGRAM: &[u8] = b"+++[>+++++[>++++<-]>[<+>-<++>]<[->+>+<<]>>[-<<+>>]<[-]<<-]";
const TAPE: usize = 256;

fn matching(program: &[u8], mut at: usize, open: u8, close: u8, forward: bool) -> usize {
    let mut depth = 0;
    loop {
        if program[at] == open {
            depth += 1;
        } else if program[at] == close {
            depth -= 1;
            if depth == 0 {
                return at;
            }
        }
        at = if forward { at + 1 } else { at - 1 };
    }
}

fn run(program: &[u8], tape: &mut [u8; TAPE], fuel: u32) -> i64 {
    let (mut at, mut head, mut steps) = (0, 0_usize, 0);
    while at < program.len() && steps < fuel {
        match program[at] {
            b'+' => tape[head] = tape[head].wrapping_add(1),
            b'-' => tape[head] = tape[head].wrapping_sub(1),
            b'>' => head = (head + 1) % TAPE,
            b'<' => head = (head + TAPE - 1) % TAPE,
            b'[' if tape[head] == 0 => at = matching(program, at, b'[', b']', true),
            b']' if tape[head] != 0 => at = matching(program, at, b']', b'[', false),
            _ => {}
        }
        at += 1;
        steps += 1;
    }
    i64::from(steps) + tape.iter().map(|&cell| i64::from(cell)).sum::<i64>()
}

#[unsafe(no_mangle)]
pub extern "C" fn kernel(n: i64) -> i64 {
    let mut sum = 0_i64;
    for i in 0..n {
        let mut tape = [(sum + i) as u8 & 3; TAPE];
        sum += run(PROGRAM, &mut tape, 4000);
    }
    sum
}
