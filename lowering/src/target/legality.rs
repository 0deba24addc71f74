//! The legality table: which primitive the back end does at which type on
//! which target, and how the rest is expanded.
//!
//! The rows say neither more nor less than the back end does: a test compiles
//! every row, natively supported ones must compile without a library call, and
//! run right on x86-64, and the others must be refused.

use super::machine_type::TypeSet;
use super::{Architecture, Feature, MachineType, Primitive, TargetSpec};

use MachineType::{F32, F32x4, F64, F64x2, I8, I8x16, I16, I16x8, I32, I32x4, I64, I64x2, I128};
use Primitive as P;

/// How to do what the back end does not.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Expansion {
    /// Lane by lane: extract, do it as a scalar, insert.
    PerLane,
    /// In lanes of twice the width (`swiden_*` or `uwiden_*`), then narrowed.
    WidenLanes,
    /// Into `I32` first, then clamped and reduced.
    ThroughI32,
    /// By compares and selects: `select` of scalars, `bitselect` of vectors.
    CompareSelect,
    /// Clamped to the range of the result first, then narrowed as it is.
    Clamp,
    /// With `band`, `bor`, `bnot` and a constant.
    Bitwise,
    /// Two shifts and a `bor`.
    Shifts,
    /// Of bytes, then summed over neighbours by shifts and adds.
    ByteSums,
    /// A byte shuffle.
    Bytes,
    /// The inverse predicate, then `bnot`.
    InverseCompare,
    /// Two compares joined: `one` is `ord & ne`, `ueq` is `uno | eq`.
    TwoCompares,
    /// A call of a function of the prelude; lane by lane for a vector.
    Prelude,
}

/// What the back end does about a primitive at a type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Support {
    /// One instruction of its language; emit it.
    Native,
    /// Not that; expand it.
    Expand(Expansion),
    /// Not at all: it makes no sense at that type, or only another CPU has it.
    Absent,
}

impl Support {
    /// Whether emission takes the op: what a few instructions of the back end's
    /// do in its place, with nothing that passes could see, it writes itself.
    pub const fn is_emitted(self) -> bool {
        matches!(
            self,
            Support::Native
                | Support::Expand(
                    Expansion::CompareSelect | Expansion::Bitwise | Expansion::ThroughI32
                )
        )
    }
}

/// One architecture's answer in a row.
#[derive(Clone, Copy, Debug)]
struct Cell {
    /// What a CPU must have for the native form; none for "never".
    needs: Option<&'static [Feature]>,
    /// What to do without; none where there is no way.
    otherwise: Option<Expansion>,
}

const NATIVE: Cell = Cell { needs: Some(&[]), otherwise: None };
const NO_WAY: Cell = Cell { needs: None, otherwise: None };

const fn never(expansion: Expansion) -> Cell {
    Cell { needs: None, otherwise: Some(expansion) }
}

const fn only_with(features: &'static [Feature]) -> Cell {
    Cell { needs: Some(features), otherwise: None }
}

const fn with(features: &'static [Feature], otherwise: Expansion) -> Cell {
    Cell { needs: Some(features), otherwise: Some(otherwise) }
}

/// What holds for some primitives at some types.
struct Row {
    primitives: &'static [Primitive],
    /// The operand's types.
    from: TypeSet,
    /// The result's types, for shapes with two; else the operand's type counts.
    to: Option<TypeSet>,
    x86_64: Cell,
    aarch64: Cell,
}

const fn row(primitives: &'static [Primitive], types: TypeSet, x86_64: Cell, aarch64: Cell) -> Row {
    Row { primitives, from: types, to: None, x86_64, aarch64 }
}

const fn conversion(
    primitives: &'static [Primitive],
    from: &[MachineType],
    to: &[MachineType],
    x86_64: Cell,
    aarch64: Cell,
) -> Row {
    let (from, to) = (TypeSet::of(from), Some(TypeSet::of(to)));
    Row { primitives, from, to, x86_64, aarch64 }
}

const WORDS: TypeSet = TypeSet::of(&[I8, I16, I32, I64]);
const WIDE: TypeSet = TypeSet::of(&[I128]);
const INTS: TypeSet = WORDS.and(WIDE);
const FLOATS: TypeSet = TypeSet::of(&[F32, F64]);
const INT_VECTORS: TypeSet = TypeSet::of(&[I8x16, I16x8, I32x4, I64x2]);
const FLOAT_VECTORS: TypeSet = TypeSet::of(&[F32x4, F64x2]);
const ALL: TypeSet = INTS.and(FLOATS).and(INT_VECTORS).and(FLOAT_VECTORS);
const BYTES: TypeSet = TypeSet::of(&[I8x16]);
const NARROW_LANES: TypeSet = TypeSet::of(&[I8x16, I16x8]);
const WIDE_LANES: TypeSet = TypeSet::of(&[I32x4, I64x2]);

static ROWS: &[Row] = &[
    // Integers.
    row(
        &[P::Iadd, P::Isub, P::Ineg, P::Iabs, P::Band, P::Bor, P::Bxor, P::Bnot],
        INTS.and(INT_VECTORS),
        NATIVE,
        NATIVE,
    ),
    row(&[P::Imul], INTS.and(TypeSet::of(&[I16x8, I32x4, I64x2])), NATIVE, NATIVE),
    row(&[P::Imul], BYTES, never(Expansion::WidenLanes), NATIVE),
    row(&[P::Smulhi, P::Umulhi], WORDS, NATIVE, NATIVE),
    row(&[P::Smulhi, P::Umulhi], WIDE, never(Expansion::Prelude), never(Expansion::Prelude)),
    row(
        &[P::Smulhi, P::Umulhi],
        TypeSet::of(&[I8x16, I16x8, I32x4]),
        never(Expansion::WidenLanes),
        never(Expansion::WidenLanes),
    ),
    row(
        &[P::Smulhi, P::Umulhi],
        TypeSet::of(&[I64x2]),
        never(Expansion::PerLane),
        never(Expansion::PerLane),
    ),
    row(&[P::Smin, P::Smax, P::Umin, P::Umax], WORDS.and(INT_VECTORS), NATIVE, NATIVE),
    row(
        &[P::Smin, P::Smax, P::Umin, P::Umax],
        WIDE,
        never(Expansion::CompareSelect),
        never(Expansion::CompareSelect),
    ),
    row(
        &[P::SaddSat, P::SsubSat, P::UaddSat, P::UsubSat, P::AvgRound],
        INTS,
        never(Expansion::CompareSelect),
        never(Expansion::CompareSelect),
    ),
    row(
        &[P::SaddSat, P::SsubSat, P::UaddSat, P::UsubSat, P::AvgRound],
        NARROW_LANES,
        NATIVE,
        NATIVE,
    ),
    row(
        &[P::SaddSat, P::SsubSat, P::UaddSat, P::UsubSat, P::AvgRound],
        WIDE_LANES,
        never(Expansion::CompareSelect),
        NATIVE,
    ),
    row(&[P::Sdiv, P::Udiv, P::Srem, P::Urem], WORDS, NATIVE, NATIVE),
    row(
        &[P::Sdiv, P::Udiv, P::Srem, P::Urem],
        WIDE,
        never(Expansion::Prelude),
        never(Expansion::Prelude),
    ),
    row(
        &[P::Sdiv, P::Udiv, P::Srem, P::Urem],
        INT_VECTORS,
        never(Expansion::PerLane),
        never(Expansion::PerLane),
    ),
    row(
        &[P::SaddOverflow, P::UaddOverflow, P::SsubOverflow, P::UsubOverflow],
        INTS,
        NATIVE,
        NATIVE,
    ),
    row(&[P::SmulOverflow, P::UmulOverflow], WORDS, NATIVE, NATIVE),
    row(
        &[P::SmulOverflow, P::UmulOverflow],
        WIDE,
        never(Expansion::Prelude),
        never(Expansion::Prelude),
    ),
    // Bits.
    row(&[P::Bitselect], INT_VECTORS.and(FLOAT_VECTORS).and(WORDS), NATIVE, NATIVE),
    row(&[P::Bitselect], WIDE.and(FLOATS), NATIVE, never(Expansion::Bitwise)),
    row(&[P::Ishl, P::Ushr, P::Sshr], INTS.and(INT_VECTORS), NATIVE, NATIVE),
    row(&[P::Rotl, P::Rotr], INTS, NATIVE, NATIVE),
    row(&[P::Rotl, P::Rotr], INT_VECTORS, never(Expansion::Shifts), never(Expansion::Shifts)),
    row(&[P::Clz, P::Ctz, P::Bitrev], INTS, NATIVE, NATIVE),
    row(
        &[P::Clz, P::Ctz, P::Bitrev],
        INT_VECTORS,
        never(Expansion::PerLane),
        never(Expansion::PerLane),
    ),
    row(&[P::Popcnt], INTS.and(BYTES), NATIVE, NATIVE),
    row(
        &[P::Popcnt],
        TypeSet::of(&[I16x8, I32x4, I64x2]),
        never(Expansion::ByteSums),
        never(Expansion::ByteSums),
    ),
    row(&[P::Bswap], TypeSet::of(&[I16, I32, I64, I128]), NATIVE, NATIVE),
    row(
        &[P::Bswap],
        TypeSet::of(&[I16x8, I32x4, I64x2]),
        never(Expansion::Bytes),
        never(Expansion::Bytes),
    ),
    // Compares and selects.
    row(&[P::Icmp], INTS.and(INT_VECTORS), NATIVE, NATIVE),
    row(&[P::FcmpOrdered], FLOATS.and(FLOAT_VECTORS), NATIVE, NATIVE),
    row(&[P::FcmpUnordered, P::FcmpEither], FLOATS, NATIVE, NATIVE),
    row(&[P::FcmpUnordered], FLOAT_VECTORS, NATIVE, never(Expansion::InverseCompare)),
    row(
        &[P::FcmpEither],
        FLOAT_VECTORS,
        never(Expansion::TwoCompares),
        never(Expansion::TwoCompares),
    ),
    row(&[P::Select], ALL, NATIVE, NATIVE),
    // Floats.
    row(
        &[P::Fadd, P::Fsub, P::Fmul, P::Fdiv, P::Sqrt, P::Fneg, P::Fabs, P::Fmin, P::Fmax],
        FLOATS.and(FLOAT_VECTORS),
        NATIVE,
        NATIVE,
    ),
    row(&[P::Fcopysign], FLOATS, NATIVE, NATIVE),
    row(&[P::Fcopysign], FLOAT_VECTORS, never(Expansion::Bitwise), NATIVE),
    row(
        &[P::Ceil, P::Floor, P::Trunc, P::Nearest],
        FLOATS.and(FLOAT_VECTORS),
        with(&[Feature::Sse41], Expansion::Prelude),
        NATIVE,
    ),
    row(&[P::Fma], FLOATS.and(FLOAT_VECTORS), with(&[Feature::Fma], Expansion::Prelude), NATIVE),
    // Conversions.
    conversion(&[P::Uextend, P::Sextend], &[I8], &[I16, I32, I64, I128], NATIVE, NATIVE),
    conversion(&[P::Uextend, P::Sextend], &[I16], &[I32, I64, I128], NATIVE, NATIVE),
    conversion(&[P::Uextend, P::Sextend], &[I32], &[I64, I128], NATIVE, NATIVE),
    conversion(&[P::Uextend, P::Sextend], &[I64], &[I128], NATIVE, NATIVE),
    conversion(&[P::Ireduce], &[I16, I32, I64, I128], &[I8], NATIVE, NATIVE),
    conversion(&[P::Ireduce], &[I32, I64, I128], &[I16], NATIVE, NATIVE),
    conversion(&[P::Ireduce], &[I64, I128], &[I32], NATIVE, NATIVE),
    conversion(&[P::Ireduce], &[I128], &[I64], NATIVE, NATIVE),
    conversion(WIDENING, &[I8x16], &[I16x8], NATIVE, NATIVE),
    conversion(WIDENING, &[I16x8], &[I32x4], NATIVE, NATIVE),
    conversion(WIDENING, &[I32x4], &[I64x2], NATIVE, NATIVE),
    conversion(&[P::Snarrow, P::Unarrow], &[I16x8], &[I8x16], NATIVE, NATIVE),
    conversion(&[P::Snarrow, P::Unarrow], &[I32x4], &[I16x8], NATIVE, NATIVE),
    conversion(
        &[P::Snarrow, P::Unarrow, P::Uunarrow],
        &[I64x2],
        &[I32x4],
        never(Expansion::Clamp),
        NATIVE,
    ),
    conversion(&[P::Uunarrow], &[I16x8], &[I8x16], never(Expansion::Clamp), NATIVE),
    conversion(&[P::Uunarrow], &[I32x4], &[I16x8], never(Expansion::Clamp), NATIVE),
    conversion(&[P::Fpromote], &[F32], &[F64], NATIVE, NATIVE),
    conversion(&[P::Fdemote], &[F64], &[F32], NATIVE, NATIVE),
    conversion(&[P::FvpromoteLow], &[F32x4], &[F64x2], NATIVE, NATIVE),
    conversion(&[P::Fvdemote], &[F64x2], &[F32x4], NATIVE, NATIVE),
    conversion(FROM_INT, &[I8, I16, I32, I64], &[F32, F64], NATIVE, NATIVE),
    conversion(
        FROM_INT,
        &[I128],
        &[F32, F64],
        never(Expansion::Prelude),
        never(Expansion::Prelude),
    ),
    conversion(FROM_INT, &[I32x4], &[F32x4], NATIVE, NATIVE),
    conversion(FROM_INT, &[I64x2], &[F64x2], NATIVE, NATIVE),
    conversion(TO_INT, &[F32, F64], &[I8, I16], never(Expansion::ThroughI32), NATIVE),
    conversion(TO_INT, &[F32, F64], &[I32, I64], NATIVE, NATIVE),
    conversion(TO_INT, &[F32, F64], &[I128], never(Expansion::Prelude), never(Expansion::Prelude)),
    conversion(TO_INT, &[F32x4], &[I32x4], NATIVE, NATIVE),
    conversion(TO_INT, &[F64x2], &[I64x2], never(Expansion::PerLane), NATIVE),
    conversion(&[P::Bitcast], &[I32], &[F32], NATIVE, NATIVE),
    conversion(&[P::Bitcast], &[F32], &[I32], NATIVE, NATIVE),
    conversion(&[P::Bitcast], &[I64], &[F64], NATIVE, NATIVE),
    conversion(&[P::Bitcast], &[F64], &[I64], NATIVE, NATIVE),
    conversion(&[P::Bitcast], REGISTERS, REGISTERS, NATIVE, NATIVE),
    conversion(&[P::Iconcat], &[I64], &[I128], NATIVE, NATIVE),
    conversion(&[P::Isplit], &[I128], &[I64], NATIVE, NATIVE),
    // Lanes.
    row(&[P::Splat, P::Extractlane, P::Insertlane], INT_VECTORS.and(FLOAT_VECTORS), NATIVE, NATIVE),
    row(&[P::Shuffle, P::Swizzle], BYTES, with(&[Feature::Ssse3], Expansion::PerLane), NATIVE),
    row(&[P::IaddPairwise], TypeSet::of(&[I8x16, I16x8, I32x4]), NATIVE, NATIVE),
    row(
        &[P::IaddPairwise],
        TypeSet::of(&[I64x2]),
        never(Expansion::Bytes),
        never(Expansion::Bytes),
    ),
    row(&[P::VanyTrue, P::VallTrue, P::VhighBits], INT_VECTORS, NATIVE, NATIVE),
    // Memory.
    row(&[P::Load], ALL, NATIVE, NATIVE),
    row(ATOMIC, WORDS, NATIVE, NATIVE),
    row(ATOMIC, WIDE, only_with(&[Feature::Cx16]), NO_WAY),
];

const ATOMIC: &[Primitive] = &[P::AtomicLoad, P::AtomicRmw, P::AtomicCas];
const WIDENING: &[Primitive] = &[P::UwidenLow, P::UwidenHigh, P::SwidenLow, P::SwidenHigh];
const FROM_INT: &[Primitive] = &[P::FcvtFromSint, P::FcvtFromUint];
const TO_INT: &[Primitive] = &[P::FcvtToSintSat, P::FcvtToUintSat];
const REGISTERS: &[MachineType] = &[I128, I8x16, I16x8, I32x4, I64x2, F32x4, F64x2];

/// What to do about `primitive` with operands of `from` and results of `to`
/// on `target`. For shapes other than conversions, `to` is `from`.
pub fn support(
    target: &TargetSpec,
    primitive: Primitive,
    from: MachineType,
    to: MachineType,
) -> Support {
    let Some(cell) = cell(target, primitive, from, to) else { return Support::Absent };
    let native = cell.needs.is_some_and(|needs| needs.iter().all(|&it| target.has(it)));
    match cell.otherwise {
        _ if native => Support::Native,
        Some(expansion) => Support::Expand(expansion),
        None => Support::Absent,
    }
}

/// The features that `target` lacks for the native form of `primitive` at `ty`;
/// nothing where no CPU of its architecture has one.
pub fn missing_features(
    target: &TargetSpec,
    primitive: Primitive,
    ty: MachineType,
) -> Option<Vec<Feature>> {
    let needs = cell(target, primitive, ty, ty)?.needs?;
    Some(needs.iter().copied().filter(|&feature| !target.has(feature)).collect())
}

fn cell(
    target: &TargetSpec,
    primitive: Primitive,
    from: MachineType,
    to: MachineType,
) -> Option<Cell> {
    let row = ROWS.get(usize::from(INDEX[primitive as usize][from as usize][to as usize]))?;
    Some(match target.architecture() {
        Architecture::X86_64 => row.x86_64,
        Architecture::Aarch64 => row.aarch64,
    })
}

const PRIMITIVES: usize = Primitive::ALL.len();
const TYPES: usize = MachineType::ALL.len();

/// The index of the row that says it, by primitive and both types; of no row where none does.
/// Every instruction is looked up, in the legaliser and in emission.
type Index = [[[u8; TYPES]; TYPES]; PRIMITIVES];

static INDEX: Index = index();

const fn index() -> Index {
    assert!(ROWS.len() < u8::MAX as usize);
    let mut index = [[[u8::MAX; TYPES]; TYPES]; PRIMITIVES];
    let mut number = 0;
    while number < ROWS.len() {
        let row = &ROWS[number];
        let mut at = 0;
        while at < row.primitives.len() {
            enter(&mut index[row.primitives[at] as usize], row, number as u8);
            at += 1;
        }
        number += 1;
    }
    index
}

/// Enters a row for all types that it is of.
const fn enter(index: &mut [[u8; TYPES]; TYPES], row: &Row, number: u8) {
    let mut from = 0;
    while from < TYPES {
        let mut to = 0;
        while to < TYPES {
            let goes = match row.to {
                Some(types) => types.contains(MachineType::ALL[to]),
                None => from == to,
            };
            if goes && row.from.contains(MachineType::ALL[from]) {
                index[from][to] = number;
            }
            to += 1;
        }
        from += 1;
    }
}

#[cfg(test)]
mod tests;
