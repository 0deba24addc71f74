//! A product of vectors in the order of the arrays: Rust never reassociates.

const SIZE: usize = 2048;

fn dot(a: &[f32], b: &[f32]) -> f32 {
    let mut total = 0.0;
    for (a, b) in a.iter().zip(b) {
        total += a * b;
    }
    total
}

#[unsafe(no_mangle)]
pub extern "C" fn kernel(n: i64) -> i64 {
    let (mut a, mut b) = ([0.0_f32; SIZE], [0.0_f32; SIZE]);
    for index in 0..SIZE {
        a[index] = 1.0 / (index + 1) as f32;
        b[index] = (index % 19) as f32 / 7.0;
    }
    let mut sum = 0;
    for i in 0..n {
        a[((sum + i) & 2047) as usize] = (i & 3) as f32;
        sum += dot(&a, &b) as i64;
    }
    sum
}
