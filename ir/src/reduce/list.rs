//! The shortest list that still shows what a long one has shown.

/// Takes away from `items` whatever is not needed for `shows` to say yes, many at a time
/// first: of what is left, no single one can go. The whole list is not tried.
pub fn minimal_list<T: Clone>(items: &[T], shows: &mut dyn FnMut(&[T]) -> bool) -> Vec<T> {
    let mut best = items.to_vec();
    let mut step = best.len().div_ceil(2).max(1);
    loop {
        let before = best.len();
        let mut end = best.len();
        while end > 0 {
            let start = end.saturating_sub(step);
            let mut fewer = best.clone();
            fewer.drain(start..end);
            if shows(&fewer) {
                best = fewer;
            }
            end = start.min(best.len());
        }
        match step {
            1 if best.len() == before => return best,
            1 => {}
            _ => step /= 2,
        }
    }
}
