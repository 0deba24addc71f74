//! Numbers that carry their derivative, in Newton's method: a struct in every operation.

use core::ops::{Add, Div, Mul, Sub};

#[derive(Clone, Copy)]
struct Dual {
    value: f64,
    slope: f64,
}

impl Dual {
    fn constant(value: f64) -> Dual {
        Dual { value, slope: 0.0 }
    }
}

impl Add for Dual {
    type Output = Dual;
    fn add(self, other: Dual) -> Dual {
        Dual { value: self.value + other.value, slope: self.slope + other.slope }
    }
}

impl Sub for Dual {
    type Output = Dual;
    fn sub(self, other: Dual) -> Dual {
        Dual { value: self.value - other.value, slope: self.slope - other.slope }
    }
}

impl Mul for Dual {
    type Output = Dual;
    fn mul(self, other: Dual) -> Dual {
        let slope = self.slope * other.value + self.value * other.slope;
        Dual { value: self.value * other.value, slope }
    }
}

impl Div for Dual {
    type Output = Dual;
    fn div(self, other: Dual) -> Dual {
        let value = self.value / other.value;
        Dual { value, slope: (self.slope - value * other.slope) / other.value }
    }
}

fn function(x: Dual, a: f64) -> Dual {
    let one = Dual::constant(1.0);
    x * x * x - Dual::constant(a) / (one + x * x)
}

#[unsafe(no_mangle)]
pub extern "C" fn kernel(n: i64) -> i64 {
    let mut sum = 0.0;
    for i in 0..n {
        let a = 1.0 + (i % 97) as f64;
        let mut x = a;
        for _ in 0..12 {
            let y = function(Dual { value: x, slope: 1.0 }, a);
            x -= y.value / y.slope;
        }
        sum += x;
    }
    (sum * 1e6) as i64
}
