//! A matrix of 512 by 512 turned over its diagonal: one side of memory in large strides.

const SIZE: usize = 512;

static mut FROM: [u32; SIZE * SIZE] = [0; SIZE * SIZE];
static mut TO: [u32; SIZE * SIZE] = [0; SIZE * SIZE];

fn transpose(to: &mut [u32; SIZE * SIZE], from: &[u32; SIZE * SIZE]) {
    for row in 0..SIZE {
        for column in 0..SIZE {
            to[column * SIZE + row] = from[row * SIZE + column];
        }
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn kernel(n: i64) -> i64 {
    // SAFETY: whoever measures calls on one thread at a time, and the arrays
    // are named nowhere else.
    let (from, to) = unsafe { (&mut *(&raw mut FROM), &mut *(&raw mut TO)) };
    for (index, value) in (0..).zip(from.iter_mut()) {
        *value = index;
    }
    let mut sum = 0_i64;
    for i in 0..n {
        transpose(to, from);
        transpose(from, to);
        let at = ((sum + i * 4099) & 0x3_ffff) as usize;
        from[at] ^= i as u32;
        sum = sum.wrapping_mul(5).wrapping_add(i64::from(to[at]));
    }
    sum
}
