//! Takeuchi's function: recursion in arguments, four calls a level.

fn tak(x: i32, y: i32, z: i32) -> i32 {
    if y >= x {
        return z;
    }
    tak(tak(x - 1, y, z), tak(y - 1, z, x), tak(z - 1, x, y))
}

#[unsafe(no_mangle)]
pub extern "C" fn kernel(n: i64) -> i64 {
    let mut sum = 0;
    for i in 0..n {
        let shift = ((sum + i) & 1) as i32;
        sum += i64::from(tak(12 + shift, 8, 4));
    }
    sum
}
