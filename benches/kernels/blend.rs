//! Two pictures mixed byte by byte: narrow lanes that widen and narrow again.

const SIZE: usize = 4096;

fn blend(to: &mut [u8; SIZE], from: &[u8; SIZE], weight: u16) {
    for (to, from) in to.iter_mut().zip(from) {
        let mixed = u16::from(*to) * (256 - weight) + u16::from(*from) * weight;
        *to = (mixed >> 8) as u8;
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn kernel(n: i64) -> i64 {
    let (mut to, mut from) = ([0_u8; SIZE], [0_u8; SIZE]);
    for index in 0..SIZE {
        to[index] = (index * 7) as u8;
        from[index] = (index * index >> 4) as u8;
    }
    for i in 0..n {
        blend(&mut to, &from, (i & 127) as u16);
        from[(i & 4095) as usize] ^= i as u8;
    }
    let weighted = (1_i64..).zip(&to).map(|(weight, &byte)| weight * i64::from(byte));
    weighted.sum()
}
