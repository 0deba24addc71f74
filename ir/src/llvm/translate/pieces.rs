//! Vectors of more bits than one value has: arrays of pieces of eight lanes each, the
//! last filled up with lanes that nobody looks at.

use smallvec::SmallVec;

use super::cast::FromTo;
use super::function::Translator;
use super::memory::Place;
use super::types::Carrier;
use crate::entity::Value;
use crate::instruction::{Payload, ZERO_LANE};
use crate::llvm::syntax::{TypeData, TypeId, Typed};
use crate::op::Op;
use crate::text::Parsed;
use crate::types::{Scalar, Type, TypePool};

/// The lanes of a piece: as many as one value has of any kind.
pub(super) const PIECE: u32 = 8;

/// The pieces of a vector.
pub(super) type Pieces = SmallVec<[Value; 8]>;

/// A vector type whose values are pieces.
#[derive(Clone, Copy)]
pub(super) struct Pieced {
    pub(super) lanes: u32,
    /// How a piece is carried.
    pub(super) piece: Carrier,
}

/// A lane of one of several values of one type.
pub(super) type Pick = Option<(usize, u32)>;

/// The type of a vector of that many lanes: pieces if it is too large for one value.
pub(super) fn vector_type(pool: &mut TypePool, lane: Scalar, lanes: u32) -> Result<Type, String> {
    if let Some(vector) = Type::vector(lane, lanes) {
        return Ok(vector);
    }
    let piece = Type::vector(lane, PIECE).ok_or("such lanes do not exist")?;
    pool.array(piece, lanes.div_ceil(PIECE).into()).map_err(|error| error.to_string())
}

impl Translator<'_, '_> {
    /// The pieces that values of `ty` consist of; none if they are one value, or no vectors.
    pub(super) fn pieced(&mut self, ty: TypeId) -> Parsed<Option<Pieced>> {
        let &TypeData::Vector { lanes, .. } = self.shared.type_data(ty) else {
            return Ok(None);
        };
        let carrier = self.shared.carrier(ty, self.at)?;
        if !carrier.ty.is_aggregate() {
            return Ok(None);
        }
        self.shared.charge(2 * u64::from(lanes.div_ceil(PIECE)), self.at)?;
        let piece = self.shared.module.types.field(carrier.ty, 0).unwrap_or(Type::NONE);
        Ok(Some(Pieced { lanes, piece: Carrier { ty: piece, ..carrier } }))
    }

    /// A vector in pieces, whatever it is carried as.
    pub(super) fn split(&mut self, value: Value) -> Pieces {
        let ty = self.body.value_type(value);
        if !ty.is_vector() {
            return self.parts_of(value);
        }
        let piece = ty.lane().and_then(|lane| Type::vector(lane, PIECE)).unwrap_or(ty);
        (0..ty.lanes().div_ceil(PIECE))
            .map(|index| {
                let lane = |lane: u32| {
                    let lane = index * PIECE + lane;
                    (lane < ty.lanes()).then_some((0, lane))
                };
                let picks: Vec<Pick> = (0..PIECE).map(lane).collect();
                self.gathered(piece, &[value], &picks)
            })
            .collect()
    }

    fn parts_of(&mut self, value: Value) -> Pieces {
        let ty = self.body.value_type(value);
        let types = &self.shared.module.types;
        let (count, piece) = (types.field_count(ty), types.field(ty, 0).unwrap_or(Type::NONE));
        (0..count as u32)
            .map(|index| {
                let payload = Payload::Immediates(self.body.immediate_list(&[index]));
                self.emit_one(Op::ExtractValue, ty, &[value], payload, piece)
            })
            .collect()
    }

    /// The vector of `lanes` lanes that pieces are.
    pub(super) fn join(&mut self, pieces: &[Value], lanes: u32) -> Parsed<Value> {
        let piece = pieces.first().map_or(Type::NONE, |&piece| self.body.value_type(piece));
        let Some(lane) = piece.lane() else { return Err(self.unsupported("there are no lanes")) };
        let ty = vector_type(&mut self.shared.module.types, lane, lanes);
        let ty = ty.map_err(|reason| self.unsupported(reason))?;
        if ty.is_aggregate() {
            return Ok(self.op(Op::MakeAggregate, ty, pieces));
        }
        let picks: Vec<Pick> =
            (0..lanes).map(|lane| Some(((lane / PIECE) as usize, lane % PIECE))).collect();
        Ok(self.gathered(ty, pieces, &picks))
    }

    /// The picked lanes of values of one vector type, and zeros where none is picked.
    pub(super) fn gathered(&mut self, ty: Type, sources: &[Value], picks: &[Pick]) -> Value {
        let mut used: Vec<usize> = picks.iter().flatten().map(|&(source, _)| source).collect();
        used.sort_unstable();
        used.dedup();
        let zero = self.number(ty, 0);
        let lanes = ty.lanes();
        let mut all = None;
        for pair in used.chunks(2) {
            let (first, second) = (sources[pair[0]], sources[pair[pair.len() - 1]]);
            let from = self.body.value_type(first).lanes();
            let mask: Vec<u32> = picks
                .iter()
                .map(|&pick| match pick {
                    Some((source, lane)) if source == pair[0] => lane,
                    Some((source, lane)) if pair.contains(&source) => from + lane,
                    _ => ZERO_LANE,
                })
                .collect();
            let part = self.shuffled(ty, first, second, &mask);
            all = Some(match all {
                None => part,
                Some(all) => {
                    let of_part = |&lane: &u32| mask[lane as usize] != ZERO_LANE;
                    let mask: Vec<u32> = (0..lanes)
                        .map(|lane| if of_part(&lane) { lanes + lane } else { lane })
                        .collect();
                    self.shuffled(ty, all, part, &mask)
                }
            });
        }
        all.unwrap_or(zero)
    }

    fn shuffled(&mut self, ty: Type, first: Value, second: Value, mask: &[u32]) -> Value {
        let is_same = mask.iter().enumerate().all(|(index, &lane)| lane == index as u32);
        if is_same && self.body.value_type(first) == ty {
            return first;
        }
        let payload = Payload::Immediates(self.body.immediate_list(mask));
        self.emit_one(Op::Shuffle, ty, &[first, second], payload, ty)
    }

    /// An op on vectors, piece by piece; the result has `lanes` lanes too.
    pub(super) fn piecewise(
        &mut self,
        lanes: u32,
        operands: &[Value],
        mut op: impl FnMut(&mut Self, &[Value]) -> Parsed<Value>,
    ) -> Parsed<Value> {
        let operands: SmallVec<[Pieces; 3]> =
            operands.iter().map(|&operand| self.split(operand)).collect();
        let pieces: Pieces = (0..lanes.div_ceil(PIECE) as usize)
            .map(|index| {
                let args: Pieces = operands.iter().map(|pieces| pieces[index]).collect();
                op(self, &args)
            })
            .collect::<Parsed<_>>()?;
        self.join(&pieces, lanes)
    }

    /// A conversion between vectors of which at least one is in pieces.
    pub(super) fn cast_pieces(
        &mut self,
        (from, to): (TypeId, TypeId),
        value: Value,
        mut cast: impl FnMut(&mut Self, Value, FromTo) -> Parsed<Value>,
    ) -> Parsed<Value> {
        let (source, lanes) = self.piece_carrier(from)?;
        let (target, _) = self.piece_carrier(to)?;
        self.piecewise(lanes, &[value], |this, args| cast(this, args[0], (source, target)))
    }

    /// How pieces of a vector type would be carried, and how many lanes it has.
    fn piece_carrier(&mut self, ty: TypeId) -> Parsed<(Carrier, u32)> {
        let (element, lanes) = match *self.shared.type_data(ty) {
            TypeData::Vector { lanes, element } => (element, lanes),
            _ => (ty, 1),
        };
        let lane = self.shared.carrier(element, self.at)?;
        match lane.ty.as_scalar().and_then(|scalar| Type::vector(scalar, PIECE)) {
            Some(piece) => Ok((Carrier { ty: piece, ..lane }, lanes)),
            None => Err(self.unsupported("such lanes do not exist")),
        }
    }
}

/// Lanes by their numbers.
impl Translator<'_, '_> {
    /// The lane of a number below the number of lanes.
    pub(super) fn pieced_lane(&mut self, vector: Value, index: Value) -> Value {
        let pieces = self.split(vector);
        let (place, lane) = self.place_of(index);
        let ty = self.body.value_type(pieces[0]);
        let mut found = None;
        for (number, &piece) in pieces.iter().enumerate() {
            let args = [piece, lane];
            let value = self.emit_one(Op::ExtractLane, ty, &args, Payload::None, ty.lane_type());
            found = Some(match found {
                None => value,
                Some(found) => {
                    let here = self.is_place(place, number);
                    self.op(Op::Select, ty.lane_type(), &[here, value, found])
                }
            });
        }
        found.unwrap_or(vector)
    }

    /// The vector with the lane of a number below the number of lanes replaced.
    pub(super) fn with_pieced_lane(&mut self, vector: Value, value: Value, index: Value) -> Value {
        let whole = self.body.value_type(vector);
        let (place, lane) = self.place_of(index);
        let pieces = self.split(vector);
        let replaced: Pieces = pieces
            .iter()
            .enumerate()
            .map(|(number, &piece)| {
                let ty = self.body.value_type(piece);
                let with = self.op(Op::InsertLane, ty, &[piece, value, lane]);
                let here = self.is_place(place, number);
                self.op(Op::Select, ty, &[here, with, piece])
            })
            .collect();
        self.op(Op::MakeAggregate, whole, &replaced)
    }

    /// The number of the piece of a lane, and its number there.
    fn place_of(&mut self, index: Value) -> (Value, Value) {
        if let Some(index) = self.body.as_scalar_constant(index) {
            let parts = [index / u128::from(PIECE), index % u128::from(PIECE)];
            let [place, lane] = parts.map(|part| self.number(Type::I64, part));
            return (place, lane);
        }
        let shift = self.number(Type::I64, PIECE.trailing_zeros().into());
        let mask = self.number(Type::I64, u128::from(PIECE - 1));
        let place = self.op(Op::Lshr, Type::I64, &[index, shift]);
        (place, self.op(Op::And, Type::I64, &[index, mask]))
    }

    fn is_place(&mut self, place: Value, number: usize) -> Value {
        if let Some(place) = self.body.as_scalar_constant(place) {
            return self.number(Type::I1, (place == number as u128).into());
        }
        let number = self.number(Type::I64, number as u128);
        self.holds(crate::attribute::IntCond::Eq, Type::I64, place, number)
    }

    /// The lanes of two equal vectors that a mask names, each through both.
    pub(super) fn shuffle_pieces(
        &mut self,
        operands: [Value; 2],
        from: u32,
        mask: &[u32],
    ) -> Parsed<Value> {
        let mut sources = self.split(operands[0]);
        let first = sources.len();
        sources.extend(self.split(operands[1]));
        let pick = |&lane: &u32| match lane {
            ZERO_LANE => None,
            lane if lane < from => Some(((lane / PIECE) as usize, lane % PIECE)),
            lane => {
                let lane = lane - from;
                Some((first + (lane / PIECE) as usize, lane % PIECE))
            }
        };
        let picks: Vec<Pick> = mask.iter().map(pick).collect();
        let ty = self.body.value_type(sources[0]);
        let pieces: Pieces = picks
            .chunks(PIECE as usize)
            .map(|picks| {
                let mut picks = picks.to_vec();
                picks.resize(PIECE as usize, None);
                self.gathered(ty, &sources, &picks)
            })
            .collect();
        self.join(&pieces, mask.len() as u32)
    }
}

/// Memory.
impl Translator<'_, '_> {
    /// The vector at a place whose lanes fill whole bytes.
    pub(super) fn load_pieces(&mut self, pieced: Pieced, place: Place) -> Parsed<Value> {
        let pieces: Pieces = (0..pieced.lanes.div_ceil(PIECE))
            .map(|index| {
                let (ty, start) = part_of(pieced, index);
                let part = self.load_piece(ty, place.behind(start));
                self.filled(pieced, part)
            })
            .collect();
        self.join(&pieces, pieced.lanes)
    }

    /// A whole piece whose first lanes are those of a vector.
    pub(super) fn filled(&mut self, pieced: Pieced, part: Value) -> Value {
        let count = self.body.value_type(part).lanes();
        let picks: Vec<Pick> = (0..PIECE).map(|lane| (lane < count).then_some((0, lane))).collect();
        self.gathered(pieced.piece.ty, &[part], &picks)
    }

    /// The pieces of a vector, the last without the lanes that nobody looks at.
    pub(super) fn trimmed_pieces(&mut self, pieced: Pieced, value: Value) -> Pieces {
        let pieces = self.split(value);
        (0..)
            .zip(pieces)
            .map(|(index, piece)| {
                let (ty, _) = part_of(pieced, index);
                let picks: Vec<Pick> = (0..ty.lanes()).map(|lane| Some((0, lane))).collect();
                self.gathered(ty, &[piece], &picks)
            })
            .collect()
    }

    /// Puts a vector at a place where its lanes fill whole bytes.
    pub(super) fn store_pieces(&mut self, pieced: Pieced, value: Value, place: Place) {
        for (index, part) in (0..).zip(self.trimmed_pieces(pieced, value)) {
            let (ty, start) = part_of(pieced, index);
            self.store_piece(ty, part, place.behind(start));
        }
    }

    /// A vector of lanes given as values.
    pub(super) fn pieces_of_lanes(&mut self, pieced: Pieced, lanes: &[Value]) -> Parsed<Value> {
        let zero = self.number(pieced.piece.ty.lane_type(), 0);
        let pieces: Pieces = lanes
            .chunks(PIECE as usize)
            .map(|lanes| {
                let mut lanes: Pieces = lanes.into();
                lanes.resize(PIECE as usize, zero);
                self.vector_of(pieced.piece.ty, &lanes)
            })
            .collect();
        self.join(&pieces, pieced.lanes)
    }

    /// The lanes of a vector in pieces.
    pub(super) fn lanes_of_pieces(&mut self, pieced: Pieced, value: Value) -> Pieces {
        let pieces = self.split(value);
        (0..pieced.lanes)
            .map(|lane| self.lane(pieces[(lane / PIECE) as usize], lane % PIECE))
            .collect()
    }

    /// The operand of an op that has no meaning for vectors in pieces.
    pub(super) fn refuse_pieces(&mut self, operand: Typed) -> Parsed<()> {
        match self.pieced(operand.ty)? {
            None => Ok(()),
            Some(_) => {
                let name = self.shared.show_type(operand.ty);
                let message = format_args!("a `{name}` is more than this op is read for");
                Err(self.unsupported(message))
            }
        }
    }
}

/// The part of a vector that a piece holds in memory, and where it begins.
fn part_of(pieced: Pieced, index: u32) -> (Type, u64) {
    let lanes = PIECE.min(pieced.lanes - index * PIECE);
    let lane = pieced.piece.ty.lane().unwrap_or(Scalar::I8);
    let ty = Type::vector(lane, lanes).unwrap_or(pieced.piece.ty);
    (ty, u64::from(index * PIECE) * lane.layout().size)
}
