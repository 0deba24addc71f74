//! Placing queens by recursion over bit masks.

fn place(all: u32, columns: u32, left: u32, right: u32) -> i64 {
    if columns == all {
        return 1;
    }
    let mut free = all & !(columns | left | right);
    let mut count = 0;
    while free != 0 {
        let square = free & free.wrapping_neg();
        free ^= square;
        count += place(all, columns | square, (left | square) << 1, (right | square) >> 1);
    }
    count
}

#[unsafe(no_mangle)]
pub extern "C" fn kernel(n: i64) -> i64 {
    let mut sum = 0;
    for i in 0..n {
        let size = 6 + ((sum + i) & 1);
        sum += place((1 << size) - 1, 0, 0, 0);
    }
    sum
}
