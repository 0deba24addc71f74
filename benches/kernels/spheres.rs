//! Rays against spheres: small structs with operators, all of them by value.

use core::ops::{Add, Mul, Sub};

#[derive(Clone, Copy)]
struct Vector {
    x: f64,
    y: f64,
    z: f64,
}

impl Vector {
    const fn new(x: f64, y: f64, z: f64) -> Vector {
        Vector { x, y, z }
    }

    fn dot(self, other: Vector) -> f64 {
        self.x * other.x + self.y * other.y + self.z * other.z
    }
}

impl Add for Vector {
    type Output = Vector;
    fn add(self, other: Vector) -> Vector {
        Vector::new(self.x + other.x, self.y + other.y, self.z + other.z)
    }
}

impl Sub for Vector {
    type Output = Vector;
    fn sub(self, other: Vector) -> Vector {
        Vector::new(self.x - other.x, self.y - other.y, self.z - other.z)
    }
}

impl Mul<f64> for Vector {
    type Output = Vector;
    fn mul(self, factor: f64) -> Vector {
        Vector::new(self.x * factor, self.y * factor, self.z * factor)
    }
}

struct Ray {
    origin: Vector,
    direction: Vector,
}

struct Sphere {
    centre: Vector,
    square_radius: f64,
}

impl Sphere {
    /// How far along the ray it is hit; the direction is of any length.
    fn hit(&self, ray: &Ray) -> Option<f64> {
        let to = self.centre - ray.origin;
        let along = to.dot(ray.direction);
        let square = ray.direction.dot(ray.direction);
        let inside = along * along - square * (to.dot(to) - self.square_radius);
        (inside > 0.0 && along > 0.0).then(|| (along - inside.sqrt()) / square)
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn kernel(n: i64) -> i64 {
    let sphere = |x, y, z, square_radius| Sphere { centre: Vector::new(x, y, z), square_radius };
    let spheres =
        [sphere(0.0, 0.0, 5.0, 1.0), sphere(1.0, 0.5, 6.0, 2.0), sphere(-1.5, -0.5, 4.0, 0.5)];
    let mut sum = 0.0;
    for i in 0..n {
        let across = (i % 64) as f64 / 32.0 - 1.0;
        let down = (i / 64 % 64) as f64 / 32.0 - 1.0;
        let ray =
            Ray { origin: Vector::new(0.0, 0.0, 0.0), direction: Vector::new(across, down, 1.0) };
        let mut nearest = 100.0;
        for sphere in &spheres {
            if let Some(distance) = sphere.hit(&ray) {
                if distance < nearest {
                    nearest = distance;
                }
            }
        }
        let point = ray.origin + ray.direction * nearest;
        sum += point.dot(Vector::new(0.25, 0.5, 0.125));
    }
    (sum * 1000.0) as i64
}
