//! The distance of Levenshtein, row by row: dynamic programming with a chain along the row.

const SIZE: usize = 96;

fn distance(a: &[u8], b: &[u8]) -> u32 {
    let mut row = [0_u32; SIZE + 1];
    for (index, cell) in (0..).zip(&mut row) {
        *cell = index;
    }
    for (i, &from) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i as u32 + 1;
        for (j, &to) in b.iter().enumerate() {
            let substituted = diagonal + u32::from(from != to);
            diagonal = row[j + 1];
            row[j + 1] = substituted.min(row[j] + 1).min(row[j + 1] + 1);
        }
    }
    row[b.len()]
}

#[unsafe(no_mangle)]
pub extern "C" fn kernel(n: i64) -> i64 {
    let (mut a, mut b) = ([0_u8; SIZE], [0_u8; SIZE]);
    let mut sum = 0;
    for i in 0..n {
        for k in 0..SIZE {
            a[k] = ((k * k) as i64 + sum) as u8 & 7;
            b[k] = ((k * 5) as i64 + i) as u8 & 7;
        }
        sum += i64::from(distance(&a, &b));
    }
    sum
}
