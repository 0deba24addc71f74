//! Lists of values in one pool, named by 32 bits each.
//!
//! Unlike those of `cranelift-entity`, a list that is read with another pool
//! than its own gives some list or an empty one, never a panic: bodies are
//! built by embedders, and the verifier must be able to look at anything.

use cranelift_entity::EntityRef;

use super::Value;
use crate::prefetch::prefetch;

/// A list of values, stored in a body's [`ValueListPool`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ValueList {
    /// Where the first value stands; 0 for the empty list. The length stands before it.
    start: u32,
}

/// The storage of a body's value lists.
///
/// Lists fill blocks of a power of two, the length included, of at least four.
#[derive(Clone, Debug, Default)]
pub struct ValueListPool {
    data: Vec<Value>,
    /// The starts of free blocks, by the logarithm of their size.
    free: Vec<Vec<u32>>,
}

const MIN_BLOCK: usize = 4;

/// The size of the block of a list of `len` values.
fn block_size(len: usize) -> usize {
    (len + 1).next_power_of_two().max(MIN_BLOCK)
}

impl ValueList {
    /// The list of those values.
    pub fn from_slice(values: &[Value], pool: &mut ValueListPool) -> ValueList {
        if values.is_empty() {
            return ValueList::default();
        }
        let list = pool.allocate(values.len());
        list.as_mut_slice(pool).copy_from_slice(values);
        list
    }

    /// How many values it holds.
    pub fn len(self, pool: &ValueListPool) -> usize {
        self.as_slice(pool).len()
    }

    /// Whether it holds no value.
    pub fn is_empty(self) -> bool {
        self.start == 0
    }

    /// Its values.
    #[inline]
    pub fn as_slice(self, pool: &ValueListPool) -> &[Value] {
        // Asked of each instruction by whoever reads it. No list begins as far behind the pool as
        // the length of the empty one, which has none, would stand.
        match pool.data.get((self.start as usize).wrapping_sub(1)..) {
            Some([length, values @ ..]) => values.get(..length.index()).unwrap_or(&[]),
            _ => &[],
        }
    }

    /// Its values, to be changed.
    #[inline]
    pub fn as_mut_slice(self, pool: &mut ValueListPool) -> &mut [Value] {
        match pool.range(self) {
            Some(range) => pool.data.get_mut(range).unwrap_or_default(),
            None => &mut [],
        }
    }

    /// The same values in another list.
    pub fn copy(self, pool: &mut ValueListPool) -> ValueList {
        match pool.range(self) {
            Some(range) if !range.is_empty() => {
                let copy = pool.allocate(range.len());
                pool.data.copy_within(range, copy.start as usize);
                copy
            }
            _ => ValueList::default(),
        }
    }

    /// Puts `value` behind the others.
    pub fn push(&mut self, value: Value, pool: &mut ValueListPool) {
        let len = self.len(pool);
        if len == 0 || block_size(len + 1) != block_size(len) {
            let longer = pool.allocate(len + 1);
            if let Some(range) = pool.range(*self) {
                pool.data.copy_within(range, longer.start as usize);
            }
            pool.release(*self, len);
            *self = longer;
        } else {
            pool.data[self.start as usize - 1] = Value::new(len + 1);
        }
        if let Some(last) = self.as_mut_slice(pool).last_mut() {
            *last = value;
        }
    }

    /// Gives its storage back and leaves it empty.
    pub fn clear(&mut self, pool: &mut ValueListPool) {
        let len = self.len(pool);
        pool.release(*self, len);
        *self = ValueList::default();
    }
}

impl ValueListPool {
    /// Asks the processor for it.
    #[inline]
    pub(crate) fn prefetch(&self) {
        prefetch(&self.data);
    }

    /// Gives back memory that it does not need.
    pub(crate) fn shrink_to_fit(&mut self) {
        self.data.shrink_to_fit();
    }

    /// How many smallest blocks of storage there are.
    pub(crate) fn block_count(&self) -> usize {
        self.data.len() / MIN_BLOCK
    }

    /// The smallest blocks of storage that `list` fills; none if it is a list
    /// of another pool.
    pub(crate) fn blocks_of(&self, list: ValueList) -> Option<std::ops::Range<usize>> {
        let start = (list.start as usize).checked_sub(1)?;
        let end = start + block_size(self.range(list)?.len());
        let fits = start % MIN_BLOCK == 0 && end <= self.data.len();
        fits.then_some(start / MIN_BLOCK..end / MIN_BLOCK)
    }

    /// Where the values of `list` stand, if they can be of this pool.
    #[inline]
    fn range(&self, list: ValueList) -> Option<std::ops::Range<usize>> {
        let start = list.start as usize;
        let len = self.data.get(start.checked_sub(1)?)?.index();
        (len <= self.data.len() - start).then(|| start..start + len)
    }

    fn allocate(&mut self, len: usize) -> ValueList {
        let size = block_size(len);
        let class = size.trailing_zeros() as usize;
        let start = match self.free.get_mut(class).and_then(Vec::pop) {
            Some(start) => start as usize,
            None => {
                let start = self.data.len() + 1;
                self.data.resize(start - 1 + size, Value::new(0));
                start
            }
        };
        self.data[start - 1] = Value::new(len);
        ValueList { start: start as u32 }
    }

    fn release(&mut self, list: ValueList, len: usize) {
        let (start, size) = (list.start as usize, block_size(len));
        if len == 0 || start + size - 1 > self.data.len() {
            return;
        }
        let class = size.trailing_zeros() as usize;
        if self.free.len() <= class {
            self.free.resize(class + 1, Vec::new());
        }
        self.free[class].push(list.start);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(range: std::ops::Range<usize>) -> Vec<Value> {
        range.map(Value::new).collect()
    }

    #[test]
    fn lists_keep_their_values_while_others_grow() {
        let mut pool = ValueListPool::default();
        let mut lists = [ValueList::default(); 3];
        for i in 0..100 {
            for (k, list) in lists.iter_mut().enumerate() {
                list.push(Value::new(i + 1000 * k), &mut pool);
            }
        }
        for (k, list) in lists.iter().enumerate() {
            assert_eq!(list.as_slice(&pool), values(1000 * k..1000 * k + 100));
        }
    }

    #[test]
    fn cleared_storage_is_used_again() {
        let mut pool = ValueListPool::default();
        for _ in 0..1000 {
            let mut list = ValueList::from_slice(&values(0..9), &mut pool);
            list.push(Value::new(9), &mut pool);
            assert_eq!(list.as_slice(&pool), values(0..10));
            list.clear(&mut pool);
            assert!(list.is_empty());
        }
        assert!(pool.block_count() <= 8, "{}", pool.block_count());
    }

    #[test]
    fn a_list_of_another_pool_reads_without_a_panic() {
        let mut pool = ValueListPool::default();
        let lists: Vec<_> =
            (1..50).map(|n| ValueList::from_slice(&values(n..3 * n), &mut pool)).collect();
        let mut other = ValueListPool::default();
        ValueList::from_slice(&values(7..30), &mut other);
        for mut list in lists {
            assert!(list.len(&other) <= other.data.len());
            list.push(Value::new(1), &mut other);
            list.clear(&mut other);
        }
        let fresh = ValueList::from_slice(&values(0..20), &mut other);
        assert_eq!(fresh.as_slice(&other), values(0..20));
    }
}
