//! Heapsort over checked floats: jumps through an array, comparisons as good as random.

const SIZE: usize = 1500;

fn sift(heap: &mut [f64], mut hole: usize) {
    let value = heap[hole];
    loop {
        let mut child = 2 * hole + 1;
        if child >= heap.len() {
            break;
        }
        if child + 1 < heap.len() && heap[child] < heap[child + 1] {
            child += 1;
        }
        if heap[child] <= value {
            break;
        }
        heap[hole] = heap[child];
        hole = child;
    }
    heap[hole] = value;
}

fn sort(values: &mut [f64]) {
    for start in (0..values.len() / 2).rev() {
        sift(values, start);
    }
    for end in (1..values.len()).rev() {
        values.swap(0, end);
        sift(&mut values[..end], 0);
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn kernel(n: i64) -> i64 {
    let mut values = [0.0; SIZE];
    let (mut state, mut sum) = (7_u32, 0);
    for i in 0..n {
        for value in &mut values {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            *value = f64::from(state >> 8);
        }
        sort(&mut values);
        sum += values[((sum + i) & 1023) as usize] as i64;
    }
    sum
}
