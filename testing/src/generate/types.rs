//! Types for generated instructions.

use brolga_ir::op::{Relation, TypeClass};
use brolga_ir::types::{Scalar, Type};

use super::Types;
use super::writer::{Sort, Writer};

/// What every machine has registers for; these stand first in the lists below.
const SIMPLE_INTS: usize = 4;
const SIMPLE_FLOATS: usize = 2;

const INTS: &[Scalar] = &[Scalar::I8, Scalar::I16, Scalar::I32, Scalar::I64, Scalar::I128];
const FLOATS: &[Scalar] = &[Scalar::F32, Scalar::F64, Scalar::F16, Scalar::Bf16];
const CARRIED: &[Scalar] = &[Scalar::X86Fp80, Scalar::F128];
const ATOMIC: &[Scalar] =
    &[Scalar::I8, Scalar::I16, Scalar::I32, Scalar::I64, Scalar::F32, Scalar::F64, Scalar::I128];

/// Most vectors have no more lanes: what hardware lacks is expanded lane by
/// lane, and the time to compile it grows with them.
const MANY_LANES: usize = 16;

/// How many draws may miss a relation before the instruction is given up.
const DRAWS: usize = 12;

/// The bits that a vector's lane counts for in the limit of 512.
fn room_of(lane: Scalar) -> usize {
    if lane == Scalar::I1 { 8 } else { lane.bits().max(1) as usize }
}

impl Writer<'_> {
    /// A vector of `lane`, of any number of lanes, odd ones too.
    pub(super) fn vector_of(&mut self, lane: Scalar) -> Type {
        let most = Type::MAX_VECTOR_BITS as usize / room_of(lane);
        let most = if self.random().percent(85) { most.min(MANY_LANES) } else { most };
        let lanes = if self.random().percent(60) {
            1 << self.random().between(1, most.ilog2().max(1) as usize)
        } else {
            self.random().between(1, most)
        };
        Type::vector(lane, lanes.min(most) as u32).unwrap_or(Type::scalar(lane))
    }

    fn of_lanes(&mut self, lanes: &[Scalar], vector_chance: usize) -> Type {
        if self.program.types == Types::Simple {
            let count = if lanes[0].is_float() { SIMPLE_FLOATS } else { SIMPLE_INTS };
            let lanes = if lanes == ATOMIC { lanes } else { &lanes[..count.min(lanes.len())] };
            return Type::scalar(self.random().pick(lanes));
        }
        let lane = self.random().pick(lanes);
        if self.random().percent(vector_chance) { self.vector_of(lane) } else { Type::scalar(lane) }
    }

    fn bits(&mut self, vector_chance: usize) -> Type {
        let truth = self.random().percent(15);
        self.of_lanes(if truth { &[Scalar::I1] } else { INTS }, vector_chance)
    }

    /// A number that some op computes with, or a vector of them.
    fn number(&mut self, vector_chance: usize) -> Type {
        match self.random().below(100) {
            0..55 => self.bits(vector_chance),
            55..96 => self.of_lanes(FLOATS, vector_chance),
            _ if self.program.types == Types::Simple => Type::I64,
            _ => Type::scalar(self.random().pick(CARRIED)),
        }
    }

    /// A value that can go anywhere: a number, a vector, sometimes an aggregate.
    pub(super) fn value_type(&mut self) -> Type {
        match self.random().percent(8) {
            true => self.aggregate_type(),
            false => self.number(30),
        }
    }

    /// A number or a vector.
    pub(super) fn number_type(&mut self) -> Type {
        self.number(30)
    }

    pub(super) fn aggregate_type(&mut self) -> Type {
        let index = self.program.random.below(self.program.aggregates.len());
        self.program.aggregates[index]
    }

    fn draw(&mut self, class: TypeClass) -> Type {
        match class {
            TypeClass::Int => self.of_lanes(INTS, 0),
            TypeClass::Bits => self.bits(0),
            TypeClass::IntVector => self.of_lanes(INTS, 35),
            TypeClass::BitsVector | TypeClass::Comparable => self.bits(35),
            TypeClass::Float => self.of_lanes(FLOATS, 0),
            TypeClass::FloatVector => self.of_lanes(FLOATS, 35),
            TypeClass::Atomic => self.of_lanes(ATOMIC, 0),
            TypeClass::Vector => match self.random().percent(55) {
                true => self.bits(100),
                false => self.of_lanes(FLOATS, 100),
            },
            TypeClass::WideInt => self.of_lanes(INTS, 100),
            TypeClass::WideFloat => self.of_lanes(FLOATS, 100),
            TypeClass::WideBits => self.bits(100),
            TypeClass::WideNumber => match self.random().percent(55) {
                true => self.of_lanes(INTS, 100),
                false => self.of_lanes(FLOATS, 100),
            },
            TypeClass::Aggregate => self.aggregate_type(),
            TypeClass::Any => self.value_type(),
            _ => self.number(35),
        }
    }

    /// A type of the class: mostly one that values at hand have, so that they are used.
    pub(super) fn type_in(&mut self, class: TypeClass) -> Type {
        if class == TypeClass::None {
            return Type::NONE;
        }
        for _ in 0..4 {
            if self.random().percent(50) || self.pool.is_empty() {
                break;
            }
            let index = self.program.random.below(self.pool.len());
            let entry = self.pool[index];
            if entry.sort == Sort::Plain && class.contains(entry.ty) {
                return entry.ty;
            }
        }
        loop {
            let ty = self.draw(class);
            if class.contains(ty) {
                return ty;
            }
        }
    }

    /// A type that atomic accesses may have here.
    pub(super) fn atomic_type(&mut self) -> Type {
        match self.type_in(TypeClass::Atomic) {
            Type::I128 if !self.program.has_wide_atomics() => Type::I64,
            ty => ty,
        }
    }

    /// A suffix of the class, and the type of the free operand that the
    /// relation leads to, if the row has one.
    pub(super) fn suffix_and_free(
        &mut self,
        class: TypeClass,
        free: Option<TypeClass>,
        relation: Relation,
    ) -> Option<(Type, Type)> {
        for _ in 0..DRAWS {
            let suffix = self.type_in(class);
            let operand = match free {
                Some(free) => self.related(relation, suffix, free),
                None => Some(Type::NONE),
            };
            if let Some(operand) = operand
                && relation.holds(suffix, if free.is_some() { operand } else { suffix })
            {
                return Some((suffix, operand));
            }
        }
        None
    }

    fn related(&mut self, relation: Relation, suffix: Type, free: TypeClass) -> Option<Type> {
        let drawn = match relation {
            Relation::FromWider | Relation::FromNarrower | Relation::SameLanes => {
                let lane = self.draw(free).lane()?;
                suffix.with_lane(lane)?
            }
            Relation::LaneOf | Relation::ShuffleLanes => self.vector_of(suffix.lane()?),
            Relation::SameBits => self.of_same_bits(suffix)?,
            _ => self.draw(free),
        };
        (free.contains(drawn) && relation.holds(suffix, drawn)).then_some(drawn)
    }

    /// Any type of as many bits. Addresses differ from run to run, so that
    /// their bits are looked at by no cast.
    fn of_same_bits(&mut self, suffix: Type) -> Option<Type> {
        let width = suffix.lane()?.bits() * suffix.lanes();
        let all = Scalar::ALL.iter().copied().filter(|lane| {
            lane.bits() > 0 && !lane.is_address() && width.is_multiple_of(lane.bits())
        });
        let mut types = Vec::new();
        for lane in all {
            let lanes = width / lane.bits();
            types.extend((lanes == 1).then_some(Type::scalar(lane)));
            types.extend(Type::vector(lane, lanes));
        }
        let is_simple = |ty: Type| {
            let known = INTS[..SIMPLE_INTS].iter().chain(&FLOATS[..SIMPLE_FLOATS]);
            ty.as_scalar().is_some_and(|scalar| known.clone().any(|&known| known == scalar))
        };
        let all = self.program.types == Types::All;
        types.retain(|&ty| TypeClass::Bitcast.contains(ty) && (all || is_simple(ty)));
        (!types.is_empty()).then(|| self.random().pick(&types))
    }
}
