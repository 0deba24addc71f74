//! Whole numbers scaled and added, slices of checked lengths: 32-bit lanes, wrapping.

const SIZE: usize = 2048;

fn scale_add(to: &mut [i32], from: &[i32], factor: i32) {
    for index in 0..to.len() {
        to[index] = to[index].wrapping_mul(factor).wrapping_add(from[index]);
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn kernel(n: i64) -> i64 {
    let (mut to, mut from) = ([1_i32; SIZE], [0_i32; SIZE]);
    for (index, value) in (0..).zip(&mut from) {
        *value = index * 3 - 1000;
    }
    for i in 0..n {
        scale_add(&mut to, &from, (i as i32 & 6) + 1);
    }
    let weighted = (1_i64..).zip(&to).map(|(weight, &value)| (weight & 15) * i64::from(value));
    weighted.sum()
}
