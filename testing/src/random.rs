//! Random numbers that are the same on every machine: a seed names a program.

/// A sequence of random numbers (Steele, Lea and Flood, "Fast splittable
/// pseudorandom number generators", 2014).
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
}

impl Random {
    /// The sequence of `seed`; neighbouring seeds are strangers.
    pub fn new(seed: u64) -> Random {
        let mut random = Random { state: seed ^ 0x5bf0_3635_d1c2_a94d };
        let _ = random.bits();
        random
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// 128 random bits.
    pub fn wide_bits(&mut self) -> u128 {
        u128::from(self.bits()) << 64 | u128::from(self.bits())
    }

    /// A number below `limit`; 0 for limit 0.
    pub fn below(&mut self, limit: usize) -> usize {
        ((u128::from(self.bits()) * limit as u128) >> 64) as usize
    }

    /// A number of `low..=high`.
    pub fn between(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high.saturating_sub(low) + 1)
    }

    /// True that often of a hundred times.
    pub fn percent(&mut self, chance: usize) -> bool {
        self.below(100) < chance
    }

    /// One of `items`.
    ///
    /// # Panics
    /// If there is none.
    pub fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stay_in_their_range_and_reach_its_ends() {
        let mut random = Random::new(7);
        let drawn: Vec<usize> = (0..1000).map(|_| random.between(3, 6)).collect();
        assert!(drawn.iter().all(|number| (3..=6).contains(number)));
        assert!((3..=6).all(|number| drawn.contains(&number)));
        assert_eq!(random.below(0), 0);
    }

    #[test]
    fn a_seed_names_its_sequence() {
        let (mut a, mut b, mut c) = (Random::new(1), Random::new(1), Random::new(2));
        assert_eq!(a.wide_bits(), b.wide_bits());
        assert_ne!(a.bits(), c.bits());
    }
}
