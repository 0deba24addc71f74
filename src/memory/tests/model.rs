//! Random allocation and freeing against a naive model.

use proptest::prelude::{Just, ProptestConfig, any, prop, prop_assert_eq, prop_oneof, proptest};
use proptest::strategy::Strategy as _;

use super::*;

#[derive(Clone, Debug)]
enum Step {
    Allocate { area: Area, size: usize, align: usize },
    Batch(Vec<(Area, usize)>),
    Free(prop::sample::Index),
    Trim,
}

fn area() -> impl prop::strategy::Strategy<Value = Area> {
    prop::sample::select(Area::ALL.to_vec())
}

fn size() -> impl prop::strategy::Strategy<Value = usize> {
    prop_oneof![8 => 0..300_usize, 1 => 0..40_000_usize]
}

fn step() -> impl prop::strategy::Strategy<Value = Step> {
    let align = (0..8_u32).prop_map(|log2| 1 << log2);
    prop_oneof![
        4 => (area(), size(), align)
            .prop_map(|(area, size, align)| Step::Allocate { area, size, align }),
        1 => prop::collection::vec((area(), size()), 0..6).prop_map(Step::Batch),
        4 => any::<prop::sample::Index>().prop_map(Step::Free),
        1 => Just(Step::Trim),
    ]
}

/// What the model knows: the blocks, and the byte that each was filled with.
#[derive(Default)]
struct Model {
    blocks: Vec<(Block, u8)>,
    made: u8,
}

impl Model {
    fn run(&mut self, reservation: &Reservation, step: &Step) {
        match step {
            Step::Allocate { area, size, align } => {
                let fill = self.next_fill();
                let request = Request::new(*area, layout(*size, *align));
                let mut draft = reservation.allocate(&request).unwrap();
                let address = draft.write(|bytes, address| {
                    fill_zeroed(bytes, fill);
                    address
                });
                assert_eq!(address.unwrap() % align, 0);
                self.blocks.push((draft.publish().unwrap(), fill));
            }
            Step::Batch(requests) => {
                let requests: Vec<_> = requests
                    .iter()
                    .map(|&(area, size)| Request::new(area, layout(size, 16)))
                    .collect();
                let fill = self.next_fill();
                let count = requests.len();
                let mut batch = reservation.allocate_batch(requests).unwrap();
                for index in 0..count {
                    batch.write(index, |bytes, _| fill_zeroed(bytes, fill)).unwrap();
                }
                let mut blocks = batch.publish().unwrap();
                self.blocks.extend(blocks.take_all().map(|block| (block, fill)));
            }
            Step::Free(index) if !self.blocks.is_empty() => {
                self.blocks.swap_remove(index.index(self.blocks.len()));
            }
            Step::Free(_) => {}
            Step::Trim => reservation.trim().unwrap(),
        }
    }

    fn next_fill(&mut self) -> u8 {
        self.made = self.made % 255 + 1;
        self.made
    }

    fn check(&self, reservation: &Reservation) {
        let mut books = Books::default();
        let mut ranges = Vec::new();
        for (block, _) in &self.blocks {
            let area = reservation.addresses(block.area());
            assert!(area.start <= block.address() && block.addresses().end <= area.end);
            ranges.push(block.address()..block.address() + block.size().max(1));
            match block.area() {
                Area::Text | Area::Stubs => books.live_code += block.size(),
                Area::ReadOnly | Area::Slots | Area::Data => books.live_data += block.size(),
            }
        }
        ranges.sort_unstable_by_key(|range| range.start);
        assert!(ranges.is_sorted_by(|a, b| a.end <= b.start), "{ranges:?}");
        let actual = reservation.books();
        assert_eq!(actual.allocations, self.blocks.len());
        assert_eq!((actual.live_code, actual.live_data), (books.live_code, books.live_data));
        let accounted = actual.live_code + actual.live_data + actual.padding + actual.free;
        assert_eq!(accounted, actual.reserved);
        let used = actual.reserved - actual.free;
        assert!(actual.committed >= used, "{actual:?}");
        if reservation.strategy() != Strategy::Protection {
            let rounded = |block: &Block| match block.area() {
                Area::Stubs => block.size().max(1).next_multiple_of(32),
                Area::Slots => block.size().max(1).next_multiple_of(8),
                _ => block.size().max(1).next_multiple_of(16),
            };
            let expected = self.blocks.iter().map(|(block, _)| rounded(block)).sum::<usize>();
            assert_eq!(used, expected);
        }
    }
}

fn fill_zeroed(bytes: &mut [u8], fill: u8) {
    assert!(bytes.iter().all(|&byte| byte == 0));
    bytes.fill(fill);
}

/// The areas' whole sizes can be had at once: nothing is left in pieces.
fn assert_whole(reservation: &Reservation) {
    let books = reservation.books();
    assert_eq!((books.free, books.padding, books.allocations), (books.reserved, 0, 0));
    for area in Area::ALL {
        let size = reservation.addresses(area).len();
        drop(reservation.allocate(&Request::new(area, layout(size, 1))).unwrap());
    }
    reservation.trim().unwrap();
    assert_eq!(reservation.books().committed, 0);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    #[test]
    fn allocation_agrees_with_a_naive_model(
        steps in prop::collection::vec(step(), 1..120),
        retained in prop::sample::select(vec![0_usize, 1 << 16, 1 << 20]),
    ) {
        for reservation in each_strategy(&MemoryConfig { retained, ..small() }) {
            let mut model = Model::default();
            for step in &steps {
                model.run(&reservation, step);
                model.check(&reservation);
            }
            for (block, fill) in &model.blocks {
                assert!(read(block).iter().all(|byte| byte == fill));
            }
            drop(model);
            assert_whole(&reservation);
        }
    }

    #[test]
    fn the_same_calls_give_the_same_addresses(steps in prop::collection::vec(step(), 1..60)) {
        let offsets = |reservation: &Reservation| {
            let mut model = Model::default();
            let base = reservation.addresses(Area::ALL[0]).start;
            let mut offsets = Vec::new();
            for step in &steps {
                model.run(reservation, step);
                offsets.extend(model.blocks.last().map(|(block, _)| block.address() - base));
            }
            offsets
        };
        let [first, second] = [(); 2].map(|()| Reservation::new(&small()).unwrap());
        prop_assert_eq!(offsets(&first), offsets(&second));
    }
}
