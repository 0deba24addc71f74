//! A sorted list in a pool of nodes with a free list: an allocator, and links to follow.

const NODES: usize = 256;
const NONE: u32 = u32::MAX;

#[derive(Clone, Copy)]
struct Node {
    value: u32,
    next: u32,
}

struct Pool {
    nodes: [Node; NODES],
    free: u32,
    first: u32,
}

impl Pool {
    fn new() -> Pool {
        let mut nodes = [Node { value: 0, next: NONE }; NODES];
        for (index, node) in (1..NODES as u32).zip(&mut nodes) {
            node.next = index;
        }
        Pool { nodes, free: 0, first: NONE }
    }

    fn insert(&mut self, value: u32) -> bool {
        let taken = self.free;
        let Some(node) = self.nodes.get(taken as usize).copied() else { return false };
        self.free = node.next;
        let (mut before, mut at) = (NONE, self.first);
        while at != NONE && self.nodes[at as usize].value < value {
            (before, at) = (at, self.nodes[at as usize].next);
        }
        self.nodes[taken as usize] = Node { value, next: at };
        match self.nodes.get_mut(before as usize) {
            Some(node) => node.next = taken,
            None => self.first = taken,
        }
        true
    }

    fn remove_first(&mut self) -> u32 {
        let taken = self.first;
        let Some(node) = self.nodes.get_mut(taken as usize) else { return 0 };
        let value = node.value;
        self.first = node.next;
        node.next = self.free;
        self.free = taken;
        value
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn kernel(n: i64) -> i64 {
    let mut pool = Pool::new();
    let (mut state, mut sum) = (17_u32, 0_i64);
    for _ in 0..n {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        if state >> 31 == 0 || !pool.insert(state >> 8) {
            sum = sum.wrapping_mul(3).wrapping_add(i64::from(pool.remove_first()));
        }
    }
    sum
}
