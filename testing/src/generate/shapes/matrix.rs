//! Loops over the rows and columns of matrices whose rows are so far apart that the first level of
//! the cache has room for few of a column: what goes down columns is better done another way.

use brolga_ir::entity::{DataId, Value};
use brolga_ir::instruction::{Access, Payload};
use brolga_ir::op::Op;
use brolga_ir::types::Type;

use super::counted::{Mark, Round};
use super::expression::{ELEMENTS, Ingredients};
use crate::generate::writer::Writer;

/// Bytes from one row to the next.
pub(in crate::generate) const PITCH: u64 = 4096;

/// Rows that there are.
pub(in crate::generate) const ROWS: u64 = 24;

/// Numbers of 64 bits that stand at the beginning of each row.
pub(in crate::generate) const COLUMNS: u64 = 26;

/// What such a nest costs at most.
pub(super) const NEST_COST: u64 = 5000;

/// Rounds of the loops at most, the outer one and the inner one, which is not to be written out:
/// a row is left on both sides.
const MOST_ROUNDS: [u64; 2] = [11, 22];

/// Where a round touches the matrix.
#[derive(Clone, Copy)]
struct Place {
    /// The row of the first round, and the column.
    first: [u64; 2],
    /// Which matrix it is.
    matrix: usize,
    /// Whether the outer loop goes down the rows, and the inner one along them.
    is_along: bool,
    /// Whether the rounds of the outer loop all touch the same.
    is_fixed: bool,
}

/// What both loops have.
struct Nest {
    matrices: [Value; 2],
    ty: Type,
    loads: Vec<Place>,
    store: Place,
    known: Ingredients,
}

impl Writer<'_> {
    /// A loop in a loop over two matrices.
    pub(super) fn matrix_loop(&mut self, matrices: [DataId; 2]) {
        let address = |data| self.compute_with(Op::DataAddr, Type::NONE, &[], Payload::Data(data));
        let matrices = matrices.map(address);
        let ty = self.random().pick(ELEMENTS);
        let (outer, inner) = (self.known_count(MOST_ROUNDS[0]), self.known_count(MOST_ROUNDS[1]));
        let known = self.invariants(ty);
        let mut store = self.matrix_place();
        let adds = self.random().percent(40);
        if adds {
            // The same sums in each round of the outer loop.
            store = Place { is_along: true, is_fixed: true, ..store };
        }
        let mut loads = vec![if adds { store } else { self.other_place(store) }];
        if self.random().percent(if adds { 80 } else { 30 }) {
            loads.push(self.other_place(store));
        }
        let nest = Nest { matrices, ty, loads, store, known };
        let mark = if self.random().percent(5) { self.plain_mark() } else { Mark::None };
        self.counted(&outer, mark, &[], |writer, outer| {
            writer.counted(&inner, Mark::None, &[], |writer, inner| {
                writer.matrix_round(&nest, [outer, inner]);
                Vec::new()
            });
            Vec::new()
        });
    }

    fn matrix_place(&mut self) -> Place {
        let column = 1 + self.random().below(3) as u64;
        Place {
            first: [1, column],
            matrix: self.random().below(2),
            is_along: self.random().percent(50),
            is_fixed: self.random().percent(4),
        }
    }

    /// Where something is loaded: elsewhere mostly, or close to what is stored.
    fn other_place(&mut self, store: Place) -> Place {
        let [row, column] = store.first;
        match self.random().below(10) {
            0..2 => store,
            2..4 => {
                let (up, left) = (self.random().below(3) as u64, self.random().below(3) as u64);
                Place { first: [row + up - 1, column + left - 1], ..store }
            }
            4 => self.matrix_place(),
            _ => Place { matrix: 1 - store.matrix, ..self.matrix_place() },
        }
    }

    fn matrix_round(&mut self, nest: &Nest, rounds: [&Round; 2]) {
        let rounds = rounds.map(|round| self.row_index(round));
        let access = Payload::Access(Access::default());
        let mut from = nest.known.clone();
        for &load in &nest.loads {
            let address = self.place_in_matrix(nest, load, rounds);
            let element = self.compute_with(Op::Load, nest.ty, &[address], access);
            from.values.insert(0, element);
        }
        // So much that the loop is not written out.
        for _ in 0..3 {
            let made = self.expression(nest.ty, &from);
            from.values.insert(0, made);
        }
        let made = from.values[0];
        let value = self.steadied(made);
        let address = self.place_in_matrix(nest, nest.store, rounds);
        self.push(Op::Store, nest.ty, &[value, address], access);
    }

    fn place_in_matrix(&mut self, nest: &Nest, place: Place, [outer, inner]: [Value; 2]) -> Value {
        let [first_row, first_column] = place.first;
        let outer = if place.is_fixed { self.index(0) } else { outer };
        let [row, column] = if place.is_along { [outer, inner] } else { [inner, outer] };
        let pitch = self.index(PITCH.trailing_zeros().into());
        let size = self.size_in_bytes(nest.ty);
        let scale = self.index(size);
        let first = self.index(first_row * PITCH + first_column * size);
        let matrix = nest.matrices[place.matrix];
        let row = self.compute(Op::Shl, Type::I64, &[row, pitch]);
        let column = self.compute(Op::Mul, Type::I64, &[column, scale]);
        if self.random().percent(50) {
            let offset = self.compute(Op::Add, Type::I64, &[row, column]);
            let offset = self.compute(Op::Add, Type::I64, &[offset, first]);
            return self.compute(Op::PtrAdd, Type::NONE, &[matrix, offset]);
        }
        let base = self.compute(Op::PtrAdd, Type::NONE, &[matrix, first]);
        let base = self.compute(Op::PtrAdd, Type::NONE, &[base, column]);
        self.compute(Op::PtrAdd, Type::NONE, &[base, row])
    }
}
