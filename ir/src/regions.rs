//! The tree of handler regions: each `enter` is one node, inside of the region
//! that it stands in.
//!
//! Many blocks may leave a deep nesting at once, so going up takes jumps that
//! halve what is left (Myers, "An applicative random-access stack", 1983).

/// A region, or what is outside of all; a number from 0 in the order in which
/// regions were entered.
pub type Region = u32;

/// Outside of all regions.
pub const OUTSIDE: Region = 0;

#[derive(Clone, Copy, Debug)]
struct Node {
    outer: Region,
    /// A region further out.
    jump: Region,
    depth: u32,
}

/// Handler regions, each inside of another or outside of all.
#[derive(Clone, Debug)]
pub struct RegionTree {
    nodes: Vec<Node>,
    work: u64,
}

const ROOT: Node = Node { outer: OUTSIDE, jump: OUTSIDE, depth: 0 };

impl Default for RegionTree {
    fn default() -> RegionTree {
        RegionTree { nodes: vec![ROOT], work: 0 }
    }
}

impl RegionTree {
    /// A region of another tree is outside of all of this one's.
    fn at(&self, region: Region) -> Node {
        self.nodes.get(region as usize).copied().unwrap_or(ROOT)
    }

    /// A new region inside of `outer`.
    pub fn enter(&mut self, outer: Region) -> Region {
        let (up, far) = (self.at(outer), self.at(self.at(outer).jump));
        let even = up.depth - far.depth == far.depth - self.at(far.jump).depth;
        let jump = if even { far.jump } else { outer };
        self.nodes.push(Node { outer, jump, depth: up.depth + 1 });
        self.nodes.len() as Region - 1
    }

    /// How many regions `region` is inside of, itself among them.
    pub fn depth(&self, region: Region) -> u32 {
        self.at(region).depth
    }

    /// Where code is that has left `region` and those around it, `count` in
    /// all: outside if there are no more.
    pub fn leave(&mut self, mut region: Region, count: u32) -> Region {
        let depth = self.depth(region).saturating_sub(count);
        while self.depth(region) > depth {
            let Node { outer, jump, .. } = self.at(region);
            region = if self.depth(jump) >= depth { jump } else { outer };
            self.work += 1;
        }
        region
    }

    /// How many steps leaving has taken.
    pub fn work(&self) -> u64 {
        self.work
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_number_of_regions_is_left_in_few_steps() {
        let mut regions = RegionTree::default();
        let mut path = vec![OUTSIDE];
        for _ in 0..5000 {
            let top = *path.last().unwrap();
            path.push(regions.enter(top));
        }
        for depth in [0, 1, 17, 2500, 4999, 5000] {
            let before = regions.work();
            assert_eq!(regions.leave(path[5000], 5000 - depth), path[depth as usize]);
            assert!(regions.work() - before <= 40, "{}", regions.work() - before);
        }
        assert_eq!(regions.leave(path[3], 4), OUTSIDE);
    }
}
