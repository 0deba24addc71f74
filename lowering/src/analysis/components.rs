//! The strongly connected components of a graph: nodes that reach each other.
//!
//! Tarjan's algorithm ("Depth-first search and linear graph algorithms", 1972) with a
//! stack of its own, in O(n + m). A component stands behind all those that it leads to.

/// The components of a graph whose nodes are numbers.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Components {
    /// The nodes, those of a component side by side.
    nodes: Vec<u32>,
    /// Where each component begins, and where the last one ends.
    starts: Vec<u32>,
    /// The component of each node.
    of: Vec<u32>,
}

const NONE: u32 = u32::MAX;

/// The state of the walk. A node has a component once all is known that it reaches.
struct Walk {
    found: Components,
    numbers: Vec<u32>,
    /// The least number that is reached from a node through its subtree.
    low: Vec<u32>,
    count: u32,
    /// The nodes that have no component yet, in the order of the walk.
    open: Vec<u32>,
    path: Vec<(u32, usize)>,
}

impl Components {
    /// The components of the nodes below `count`, where `successor` gives the one
    /// behind each that has the index, as long as there are any.
    pub fn new(count: usize, successor: impl Fn(u32, usize) -> Option<u32>) -> Components {
        let mut walk = Walk {
            found: Components { of: vec![NONE; count], starts: vec![0], nodes: Vec::new() },
            numbers: vec![NONE; count],
            low: vec![NONE; count],
            count: 0,
            open: Vec::new(),
            path: Vec::new(),
        };
        for root in 0..count as u32 {
            if walk.numbers[root as usize] == NONE {
                walk.enter(root);
                walk.run(&successor);
            }
        }
        walk.found
    }

    /// All components, each behind those that it leads to.
    pub fn all(&self) -> impl DoubleEndedIterator<Item = &[u32]> + ExactSizeIterator {
        self.starts.windows(2).map(|ends| &self.nodes[ends[0] as usize..ends[1] as usize])
    }

    /// The number of the component of a node, in the order of [`all`](Self::all).
    pub fn component_of(&self, node: u32) -> Option<u32> {
        self.of.get(node as usize).copied()
    }

    /// The nodes of the component of that number.
    pub fn nodes(&self, component: u32) -> &[u32] {
        let at = |index: usize| self.starts.get(index).map(|&start| start as usize);
        let ends = at(component as usize).zip(at(component as usize + 1));
        ends.map_or(&[], |(start, end)| &self.nodes[start..end])
    }
}

impl Walk {
    fn enter(&mut self, node: u32) {
        self.numbers[node as usize] = self.count;
        self.low[node as usize] = self.count;
        self.count += 1;
        self.open.push(node);
        self.path.push((node, 0));
    }

    fn run(&mut self, successor: &impl Fn(u32, usize) -> Option<u32>) {
        while let Some((node, next)) = self.path.last_mut() {
            let (node, index) = (*node, *next);
            *next += 1;
            match successor(node, index) {
                Some(to) if self.numbers[to as usize] == NONE => self.enter(to),
                Some(to) if self.found.of[to as usize] == NONE => {
                    self.lower(node, self.numbers[to as usize]);
                }
                Some(_) => {}
                None => {
                    self.path.pop();
                    self.leave(node);
                }
            }
        }
    }

    fn lower(&mut self, node: u32, number: u32) {
        let low = &mut self.low[node as usize];
        *low = number.min(*low);
    }

    fn leave(&mut self, node: u32) {
        let low = self.low[node as usize];
        if let Some(&(before, _)) = self.path.last() {
            self.lower(before, low);
        }
        if low != self.numbers[node as usize] {
            return;
        }
        let component = self.found.starts.len() as u32 - 1;
        while let Some(member) = self.open.pop() {
            self.found.of[member as usize] = component;
            self.found.nodes.push(member);
            if member == node {
                break;
            }
        }
        self.found.starts.push(self.found.nodes.len() as u32);
    }
}

#[cfg(test)]
mod tests;
