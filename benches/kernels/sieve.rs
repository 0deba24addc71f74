//! The sieve of Eratosthenes over checked bytes.

const SIZE: usize = 1 << 14;

fn primes(limit: usize) -> i64 {
    let mut composite = [0_u8; SIZE];
    let mut count = 0;
    for candidate in 2..limit {
        if composite[candidate] == 0 {
            count += 1;
            let mut multiple = candidate * candidate;
            while multiple < limit {
                composite[multiple] = 1;
                multiple += candidate;
            }
        }
    }
    count
}

#[unsafe(no_mangle)]
pub extern "C" fn kernel(n: i64) -> i64 {
    let mut sum = 0;
    for i in 0..n {
        sum += primes(SIZE - ((sum + i) & 63) as usize);
    }
    sum
}
