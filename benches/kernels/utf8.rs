//! Text decoded from UTF-8, faults counted: branches on bits of bytes.

const SIZE: usize = 4096;

fn fill(text: &mut [u8; SIZE]) {
    let (mut at, mut state) = (0, 3_u32);
    while at + 4 <= SIZE {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let scalar = match state >> 29 {
            0 => 0x1_0000 + (state >> 8 & 0xffff),
            1 | 2 => 0x800 + (state >> 8 & 0x7fff),
            3 => 0x80 + (state >> 8 & 0x3ff),
            _ => state >> 8 & 0x7f,
        };
        let scalar = char::from_u32(scalar).unwrap_or('?');
        at += scalar.encode_utf8(&mut text[at..]).len();
    }
}

/// The scalar that starts at `at` and its length; none where the bytes are none.
fn decode(text: &[u8], at: usize) -> Option<(u32, usize)> {
    let continued = |index: usize| match text.get(index) {
        Some(&byte) if byte & 0xc0 == 0x80 => Some(u32::from(byte & 0x3f)),
        _ => None,
    };
    let first = u32::from(*text.get(at)?);
    match first {
        0..0x80 => Some((first, 1)),
        0xc2..0xe0 => Some(((first & 0x1f) << 6 | continued(at + 1)?, 2)),
        0xe0..0xf0 => {
            let scalar = (first & 0xf) << 12 | continued(at + 1)? << 6 | continued(at + 2)?;
            (scalar >= 0x800).then_some((scalar, 3))
        }
        0xf0..0xf5 => {
            let high = (first & 7) << 18 | continued(at + 1)? << 12;
            let scalar = high | continued(at + 2)? << 6 | continued(at + 3)?;
            (scalar >= 0x1_0000).then_some((scalar, 4))
        }
        _ => None,
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn kernel(n: i64) -> i64 {
    let mut text = [0; SIZE];
    fill(&mut text);
    let mut sum = 0_i64;
    for i in 0..n {
        let mut at = ((sum + i) & 31) as usize;
        while at < SIZE {
            let (scalar, length) = decode(&text, at).unwrap_or((0xfffd, 1));
            sum += i64::from(scalar);
            at += length;
        }
    }
    sum
}
