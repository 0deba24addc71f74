use super::*;
use crate::instruction::ZERO_LANE;

fn vector(lane: Scalar, lanes: u32) -> Type {
    Type::vector(lane, lanes).unwrap()
}

fn give(op: Op, ty: Type, from: Type, immediates: &[u32], operands: &[Datum]) -> Datum {
    let operation = Operation { op, ty, operand: from, payload: &Payload::None, immediates };
    let operands: Vec<&Datum> = operands.iter().collect();
    fold(&operation, &operands).unwrap().unwrap().remove(0)
}

fn lanes(lanes: &[u128]) -> Datum {
    Datum::Lanes(lanes.into())
}

#[test]
fn bits_are_laid_end_to_end_whatever_the_lanes() {
    let words = vector(Scalar::I32, 2);
    let long = give(Op::Bitcast, Type::I64, words, &[], &[lanes(&[1, 2])]);
    assert_eq!(long, Datum::Scalar(0x2_0000_0001));
    let back = give(Op::Bitcast, words, Type::I64, &[], &[long]);
    assert_eq!(back, lanes(&[1, 2]));
    let mask = vector(Scalar::I1, 8);
    let bits = give(Op::Bitcast, mask, Type::I8, &[], &[Datum::Scalar(0b1010_0001)]);
    assert_eq!(bits, lanes(&[1, 0, 0, 0, 0, 1, 0, 1]));
    assert_eq!(give(Op::Bitcast, Type::I8, mask, &[], &[bits]), Datum::Scalar(0b1010_0001));
    let wide = vector(Scalar::I128, 4);
    let bytes = vector(Scalar::I8, 64);
    let numbers = lanes(&[1, u128::MAX, 0, 7 << 120]);
    let cut = give(Op::Bitcast, bytes, wide, &[], std::slice::from_ref(&numbers));
    assert_eq!((cut.lanes()[0], cut.lanes()[31], cut.lanes()[63]), (1, 255, 7));
    assert_eq!(give(Op::Bitcast, wide, bytes, &[], &[cut]), numbers);
}

#[test]
fn shuffles_count_through_both_operands() {
    let pair = vector(Scalar::I32, 2);
    let shuffled = give(
        Op::Shuffle,
        vector(Scalar::I32, 5),
        pair,
        &[3, ZERO_LANE, 0, 2, 1],
        &[lanes(&[10, 11]), lanes(&[12, 13])],
    );
    assert_eq!(shuffled, lanes(&[13, 0, 10, 12, 11]));
}

#[test]
fn lanes_beyond_the_last_trap() {
    let pair = vector(Scalar::I32, 2);
    for index in [2, u64::MAX.into()] {
        let operands = [&lanes(&[1, 2]), &Datum::Scalar(index)];
        let extract = Operation {
            op: Op::ExtractLane,
            ty: pair,
            operand: pair,
            payload: &Payload::None,
            immediates: &[],
        };
        assert_eq!(fold(&extract, &operands), Some(Err(TrapCode::Bounds)));
        let insert = Operation { op: Op::InsertLane, ..extract };
        let operands = [operands[0], &Datum::Scalar(9), operands[1]];
        assert_eq!(fold(&insert, &operands), Some(Err(TrapCode::Bounds)));
    }
}

#[test]
fn paths_lead_into_nested_fields() {
    let inner = |a: i32, b: i32| Datum::Fields([a.into(), b.into()].into());
    let whole = Datum::Fields([inner(1, 2), inner(3, 4)].into());
    let ty = Type::NONE;
    let part = give(Op::ExtractValue, ty, ty, &[1, 0], std::slice::from_ref(&whole));
    assert_eq!(part, 3.into());
    let changed = give(Op::InsertValue, ty, ty, &[0, 1], &[whole, 9.into()]);
    assert_eq!(changed, Datum::Fields([inner(1, 9), inner(3, 4)].into()));
}

#[test]
fn float_reductions_go_from_the_first_lane_to_the_last() {
    let ty = vector(Scalar::F64, 3);
    let bits = |value: f64| u128::from(value.to_bits());
    let huge = lanes(&[bits(1e300), bits(1.0), bits(-1e300)]);
    let sum = give(Op::ReduceFadd, Type::F64, Type::F64, &[], &[Datum::from(1.0), huge]);
    assert_eq!(sum, 0.0.into());
    let product = lanes(&[bits(1e300), bits(1e300), bits(0.0)]);
    let product = give(Op::ReduceFmul, Type::F64, Type::F64, &[], &[Datum::from(1.0), product]);
    assert_eq!(product, Datum::Scalar(0x7ff8_0000_0000_0000));
    let smallest = give(Op::ReduceFmin, Type::F64, ty, &[], &[lanes(&[bits(0.0), bits(-0.0)])]);
    assert_eq!(smallest, (-0.0).into());
}

#[test]
fn a_malformed_operation_is_no_panic() {
    for &op in Op::ALL {
        for ty in [Type::NONE, Type::I8, Type::F16, vector(Scalar::I1, 64), vector(Scalar::F64, 8)]
        {
            let operation =
                Operation { op, ty, operand: ty, payload: &Payload::None, immediates: &[9, 9] };
            let odd = lanes(&[u128::MAX; 70]);
            for operands in [&[][..], &[&odd], &[&odd, &Datum::Scalar(1), &odd]] {
                let _ = fold(&operation, operands);
            }
        }
    }
}
