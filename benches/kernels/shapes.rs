//! Methods of trait objects: calls through virtual tables.

trait Shape {
    fn area(&self, scale: i64) -> i64;
    fn corners(&self) -> i64;
}

struct Square(i64);
struct Rectangle(i64, i64);
struct Triangle(i64, i64);
struct Disc(i64);

impl Shape for Square {
    fn area(&self, scale: i64) -> i64 {
        self.0 * self.0 * scale
    }
    fn corners(&self) -> i64 {
        4
    }
}

impl Shape for Rectangle {
    fn area(&self, scale: i64) -> i64 {
        self.0 * self.1 * scale
    }
    fn corners(&self) -> i64 {
        4
    }
}

impl Shape for Triangle {
    fn area(&self, scale: i64) -> i64 {
        self.0 * self.1 * scale / 2
    }
    fn corners(&self) -> i64 {
        3
    }
}

impl Shape for Disc {
    fn area(&self, scale: i64) -> i64 {
        self.0 * self.0 * scale * 355 / 113
    }
    fn corners(&self) -> i64 {
        0
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn kernel(n: i64) -> i64 {
    let square = Square(n & 15);
    let rectangle = Rectangle(3, n & 31);
    let triangle = Triangle(n & 7, 9);
    let disc = Disc(5);
    let shapes: [&dyn Shape; 8] =
        [&square, &disc, &triangle, &rectangle, &disc, &square, &rectangle, &triangle];
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut sum = 0_i64;
    for _ in 0..n {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let shape = shapes[(state >> 61) as usize];
        sum = sum.wrapping_add(shape.area(sum & 15)) ^ shape.corners();
    }
    sum
}
