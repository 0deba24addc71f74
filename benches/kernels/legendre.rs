//! Legendre polynomials by their recurrence: a chain of multiplications and divisions.

fn legendre(degree: i32, x: f64) -> f64 {
    let (mut before, mut last) = (1.0, x);
    for k in 2..=degree {
        let k = f64::from(k);
        let next = ((2.0 * k - 1.0) * x * last - (k - 1.0) * before) / k;
        (before, last) = (last, next);
    }
    last
}

#[unsafe(no_mangle)]
pub extern "C" fn kernel(n: i64) -> i64 {
    let mut sum = 0.0;
    for i in 0..n {
        let x = (i % 1000) as f64 / 500.0 - 1.0;
        sum += legendre(24, x);
    }
    (sum * 1e6) as i64
}
