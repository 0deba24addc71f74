//! A hash of 8-byte words in the manner of the fast ones: multiply, rotate, fold.

const WORDS: usize = 512;

fn hash(words: &[u64], seed: u64) -> u64 {
    let mut lanes = [seed, seed ^ 0x9e37_79b9_7f4a_7c15, !seed, seed.rotate_left(32)];
    for four in words.chunks_exact(4) {
        for (lane, word) in lanes.iter_mut().zip(four) {
            *lane = (*lane ^ word.wrapping_mul(0xc2b2_ae3d_27d4_eb4f))
                .rotate_left(31)
                .wrapping_mul(0x9e37_79b1_85eb_ca87);
        }
    }
    let mut value = words.len() as u64;
    for lane in lanes {
        value = (value ^ lane).wrapping_mul(0x85eb_ca77_c2b2_ae63);
        value ^= value >> 29;
    }
    value
}

#[unsafe(no_mangle)]
pub extern "C" fn kernel(n: i64) -> i64 {
    let mut words = [0_u64; WORDS];
    for (index, word) in (0_u64..).zip(&mut words) {
        *word = index.wrapping_mul(0x0101_0101_0101_0101);
    }
    let mut value = 1;
    for _ in 0..n {
        value = hash(&words, value);
    }
    value as i64
}
