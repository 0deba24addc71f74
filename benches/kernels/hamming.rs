//! Bits that differ between two rows of words: population counts added up.

const WORDS: usize = 1024;

fn distance(a: &[u64; WORDS], b: &[u64; WORDS]) -> i64 {
    a.iter().zip(b).map(|(a, b)| i64::from((a ^ b).count_ones())).sum()
}

#[unsafe(no_mangle)]
pub extern "C" fn kernel(n: i64) -> i64 {
    let (mut a, mut b) = ([0_u64; WORDS], [0_u64; WORDS]);
    for index in 0..WORDS {
        a[index] = (index as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        b[index] = (index as u64).wrapping_mul(0xc2b2_ae3d_27d4_eb4f);
    }
    let mut sum = 0;
    for i in 0..n {
        a[((sum + i) & 1023) as usize] ^= i as u64;
        sum += distance(&a, &b);
    }
    sum
}
