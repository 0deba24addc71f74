//! Taking what has been gathered out of memory that is used again.

/// The elements, in memory of their own that has no room to spare.
pub(crate) fn take<T>(from: &mut Vec<T>) -> Vec<T> {
    let mut taken = Vec::with_capacity(from.len());
    taken.append(from);
    taken
}
