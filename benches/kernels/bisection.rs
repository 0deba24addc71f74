//! Roots of cubics by bisection: float comparisons that decide branches.

fn root(a: f64, b: f64) -> f64 {
    let value = |x: f64| x * x * x + a * x - b;
    let (mut low, mut high) = (0.0, 16.0);
    for _ in 0..40 {
        let middle = (low + high) * 0.5;
        if value(middle) > 0.0 { high = middle } else { low = middle }
    }
    low
}

#[unsafe(no_mangle)]
pub extern "C" fn kernel(n: i64) -> i64 {
    let mut sum = 0.0;
    for i in 0..n {
        sum += root((i % 17) as f64, (i % 1009) as f64);
    }
    (sum * 1e3) as i64
}
