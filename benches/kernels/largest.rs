//! The largest of floats and where it stands: a reduction that carries two values.

const SIZE: usize = 2048;

fn largest(values: &[f64]) -> (usize, f64) {
    let mut best = (0, f64::NEG_INFINITY);
    for (index, &value) in values.iter().enumerate() {
        if value > best.1 {
            best = (index, value);
        }
    }
    best
}

#[unsafe(no_mangle)]
pub extern "C" fn kernel(n: i64) -> i64 {
    let mut values = [0.0; SIZE];
    for (index, value) in values.iter_mut().enumerate() {
        *value = (index * index % 1999) as f64;
    }
    let mut sum = 0;
    for i in 0..n {
        let (index, value) = largest(&values);
        values[index] = value * 0.5 - (i & 7) as f64;
        sum += index as i64 + value as i64;
        values[(i & 2047) as usize] += 1000.0;
    }
    sum
}
