//! Wide numbers as pairs of words, with carries as results: tuples that never need memory.

#[derive(Clone, Copy)]
struct Wide {
    low: u64,
    high: u64,
}

fn add(a: Wide, b: Wide) -> Wide {
    let (low, carry) = a.low.overflowing_add(b.low);
    Wide { low, high: a.high.wrapping_add(b.high).wrapping_add(u64::from(carry)) }
}

fn multiply_small(a: Wide, factor: u32) -> Wide {
    let factor = u64::from(factor);
    let (bottom, middle) = ((a.low & 0xffff_ffff) * factor, (a.low >> 32) * factor);
    let (low, carry) = bottom.overflowing_add(middle << 32);
    let high =
        a.high.wrapping_mul(factor).wrapping_add(middle >> 32).wrapping_add(u64::from(carry));
    Wide { low, high }
}

fn split(a: Wide) -> (u64, u64) {
    (a.low ^ a.high, a.high.rotate_left(17))
}

#[unsafe(no_mangle)]
pub extern "C" fn kernel(n: i64) -> i64 {
    let mut value = Wide { low: 1, high: 0 };
    let mut sum = 0_u64;
    for i in 0..n {
        value = add(multiply_small(value, 0x0019_660d), Wide { low: 0x3c6e_f35f, high: i as u64 });
        let (first, second) = split(value);
        sum = sum.wrapping_add(first ^ second);
    }
    sum as i64
}
