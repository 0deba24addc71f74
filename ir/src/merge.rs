//! Removal of block parameters for which all edges give one value, to a
//! fixpoint (Braun et al., "Simple and efficient construction of static single
//! assignment form", 2013).
//!
//! Values known to be equal form classes. A parameter watches its own class
//! and two others among those of its arguments; it is looked at again only
//! when two of these three become one. A class that joins another hands over
//! the shorter of both lists of watchers, and each parameter goes through its
//! arguments once: O(n log n) in all, whatever the graph.

use crate::entity::{EntityRef, Value};

/// A parameter and what the edges to its block give for it.
#[derive(Clone, Debug)]
pub struct Merge {
    /// The parameter.
    pub value: Value,
    /// The arguments; the value itself where an edge adds nothing.
    pub arguments: Vec<Value>,
}

/// Which value each value has become.
#[derive(Clone, Debug)]
pub struct Replacements {
    parents: Vec<u32>,
    representatives: Vec<Value>,
    /// Elementary steps taken, for tests of linearity.
    pub work: u64,
}

impl Replacements {
    fn new(value_count: usize) -> Replacements {
        let parents = (0..value_count as u32).collect();
        let representatives = (0..value_count).map(Value::new).collect();
        Replacements { parents, representatives, work: 0 }
    }

    fn class(&mut self, value: Value) -> usize {
        let mut at = value.index();
        while self.parents[at] as usize != at {
            self.work += 1;
            let up = self.parents[at] as usize;
            self.parents[at] = self.parents[up];
            at = up;
        }
        at
    }

    /// What `value` has become; itself if it is unknown.
    pub fn resolve(&mut self, value: Value) -> Value {
        if value.index() >= self.parents.len() {
            return value;
        }
        let class = self.class(value);
        self.representatives[class]
    }
}

/// What a merge watches.
#[derive(Clone, Debug, Default)]
struct Watch {
    /// Arguments before this one are of the merge's own or a watched class.
    next: usize,
    first: Option<Value>,
    second: Option<Value>,
    /// The classes that have the merge among their watchers.
    listed: [Option<usize>; 3],
}

/// Finds what each value becomes when no merge is left whose arguments, but
/// for itself, are all one value. Values are below `value_count`.
pub fn replace_trivial(merges: &[Merge], value_count: usize) -> Replacements {
    let mut removal = Removal {
        merges,
        replacements: Replacements::new(value_count),
        watches: vec![Watch::default(); merges.len()],
        watchers: vec![Vec::new(); value_count],
        pending: (0..merges.len()).rev().collect(),
    };
    while let Some(index) = removal.pending.pop() {
        removal.examine(index);
    }
    removal.replacements
}

struct Removal<'a> {
    merges: &'a [Merge],
    replacements: Replacements,
    watches: Vec<Watch>,
    /// The merges to look at when the class joins another.
    watchers: Vec<Vec<usize>>,
    pending: Vec<usize>,
}

impl Removal<'_> {
    fn examine(&mut self, index: usize) {
        let merge = &self.merges[index];
        if self.replacements.resolve(merge.value) != merge.value {
            return;
        }
        let own = self.replacements.class(merge.value);
        let mut watch = std::mem::take(&mut self.watches[index]);
        let known = [watch.first.take(), watch.second.take()];
        for value in known.into_iter().flatten() {
            self.notice(&mut watch, own, value);
        }
        while watch.second.is_none()
            && let Some(&value) = merge.arguments.get(watch.next)
        {
            watch.next += 1;
            self.notice(&mut watch, own, value);
        }
        match (watch.first, watch.second) {
            (Some(first), Some(second)) => {
                let others = [first, second].map(|value| self.replacements.class(value));
                let classes = [own, others[0], others[1]];
                for class in classes {
                    if !watch.listed.contains(&Some(class)) {
                        self.watchers[class].push(index);
                    }
                }
                self.watches[index] = Watch { listed: classes.map(Some), ..watch };
            }
            (Some(only), None) => self.join(own, only),
            // All edges come from where no execution does.
            _ => {}
        }
    }

    /// Watches the class of `value` if it is none that is watched already.
    fn notice(&mut self, watch: &mut Watch, own: usize, value: Value) {
        self.replacements.work += 1;
        let class = self.replacements.class(value);
        let first = watch.first.map(|value| self.replacements.class(value));
        if class != own && Some(class) != first {
            let place = if first.is_none() { &mut watch.first } else { &mut watch.second };
            *place = Some(value);
        }
    }

    /// Makes the class `own` of a merge a part of that of `value`.
    fn join(&mut self, own: usize, value: Value) {
        let other = self.replacements.class(value);
        let (few, many) = match self.watchers[own].len() < self.watchers[other].len() {
            true => (own, other),
            false => (other, own),
        };
        let representative = self.replacements.representatives[other];
        self.replacements.parents[few] = many as u32;
        self.replacements.representatives[many] = representative;
        self.pending.append(&mut self.watchers[few]);
    }
}

#[cfg(test)]
mod tests;
