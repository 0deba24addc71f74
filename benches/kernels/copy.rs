//! Records moved between two buffers of 4 MiB, whole and field by field.

#[derive(Clone, Copy)]
struct Record {
    key: u64,
    payload: [u64; 6],
    sum: u64,
}

const EMPTY: Record = Record { key: 0, payload: [0; 6], sum: 0 };
const RECORDS: usize = 1 << 16;

static mut ONE: [Record; RECORDS] = [EMPTY; RECORDS];
static mut OTHER: [Record; RECORDS] = [EMPTY; RECORDS];

fn pass(to: &mut [Record; RECORDS], from: &[Record; RECORDS]) {
    for (index, (to, from)) in (0_u64..).zip(to.iter_mut().zip(from)) {
        *to = *from;
        to.sum = from.sum.wrapping_add(from.payload[(index % 6) as usize] ^ from.key);
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn kernel(n: i64) -> i64 {
    // SAFETY: whoever measures calls on one thread at a time, and the arrays
    // are named nowhere else.
    let (one, other) = unsafe { (&mut *(&raw mut ONE), &mut *(&raw mut OTHER)) };
    for (index, record) in (0_u64..).zip(one.iter_mut()) {
        *record = Record { key: index, payload: [index * 3; 6], sum: 0 };
    }
    let mut sum = 0_u64;
    for i in 0..n {
        pass(other, one);
        pass(one, other);
        let record = &mut one[(i & 0xffff) as usize];
        record.key = record.key.wrapping_mul(3) ^ sum;
        sum = sum.wrapping_add(record.sum);
    }
    sum as i64
}
