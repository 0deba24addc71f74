//! Words of a text, counted by length and first letter: branches on bytes, bounds checks.

const SIZE: usize = 4096;

fn fill(text: &mut [u8; SIZE]) {
    let mut state = 12345_u32;
    for byte in text {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        *byte = match state >> 28 {
            0 => b' ',
            1 => b'\n',
            2 => b'A' + (state >> 20 & 15) as u8,
            _ => b'a' + (state >> 20 & 15) as u8,
        };
    }
}

fn count(text: &[u8], lengths: &mut [i64; 32], letters: &mut [i64; 26]) -> i64 {
    let (mut words, mut at) = (0, 0);
    while at < text.len() {
        if !text[at].is_ascii_alphabetic() {
            at += 1;
            continue;
        }
        let start = at;
        while at < text.len() && text[at].is_ascii_alphabetic() {
            at += 1;
        }
        words += 1;
        lengths[(at - start).min(31)] += 1;
        letters[(text[start].to_ascii_lowercase() - b'a') as usize] += 1;
    }
    words
}

#[unsafe(no_mangle)]
pub extern "C" fn kernel(n: i64) -> i64 {
    let mut text = [0; SIZE];
    fill(&mut text);
    let (mut lengths, mut letters, mut sum) = ([0; 32], [0; 26], 0);
    for i in 0..n {
        let skipped = ((sum + i) & 127) as usize;
        sum += count(&text[skipped..], &mut lengths, &mut letters);
    }
    for (index, number) in (1..).zip(lengths.iter().chain(&letters)) {
        sum += index * number;
    }
    sum
}
