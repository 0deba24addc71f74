//! Points that escape: a short chain of float arithmetic, and a branch that ends it.

fn steps(cr: f64, ci: f64) -> i64 {
    let (mut zr, mut zi) = (0.0, 0.0);
    for step in 0..200 {
        let (rr, ii) = (zr * zr, zi * zi);
        if rr + ii > 4.0 {
            return step;
        }
        zi = 2.0 * zr * zi + ci;
        zr = rr - ii + cr;
    }
    200
}

#[unsafe(no_mangle)]
pub extern "C" fn kernel(n: i64) -> i64 {
    let mut sum = 0;
    for point in 0..n {
        let x = (point % 128) as f64 / 48.0 - 2.0;
        let y = (point / 128 % 96) as f64 / 48.0 - 1.0;
        sum += steps(x, y);
    }
    sum
}
