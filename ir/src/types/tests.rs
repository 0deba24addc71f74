use super::*;

#[test]
fn a_handle_is_32_bits() {
    assert_eq!(size_of::<Type>(), 4);
}

#[test]
fn scalars_and_vectors_survive_the_encoding() {
    for &scalar in Scalar::ALL {
        assert_eq!(Type::scalar(scalar).kind(), TypeKind::Scalar(scalar));
        assert_eq!(Scalar::from_name(scalar.name()), Some(scalar));
    }
    let vector = Type::vector(Scalar::F32, 16).unwrap();
    assert_eq!(vector.kind(), TypeKind::Vector(Scalar::F32, 16));
    assert_eq!(vector.to_string(), "f32x16");
    assert_eq!(Type::NONE.kind(), TypeKind::None);
}

#[test]
fn vectors_stop_at_512_bits_and_at_lanes_that_are_no_numbers() {
    assert!(Type::vector(Scalar::F64, 8).is_some());
    assert!(Type::vector(Scalar::F64, 9).is_none());
    assert!(Type::vector(Scalar::I1, 64).is_some());
    assert!(Type::vector(Scalar::I1, 65).is_none());
    assert!(Type::vector(Scalar::I8, 0).is_none());
    assert!(Type::vector(Scalar::Derived, 2).is_none());
    assert!(Type::vector(Scalar::X86Fp80, 2).is_none());
}

#[test]
fn aggregates_are_interned_and_print_their_fields() {
    let mut pool = TypePool::default();
    let inner = pool.array(Type::I8, 3).unwrap();
    let a = pool.structure(&[Type::I64, inner], Packing::Natural).unwrap();
    let b = pool.structure(&[Type::I64, inner], Packing::Natural).unwrap();
    let packed = pool.structure(&[Type::I64, inner], Packing::Packed).unwrap();
    assert_eq!(a, b);
    assert_ne!(a, packed);
    assert_eq!(pool.display(a).to_string(), "{i64, [3 x i8]}");
    assert_eq!(pool.display(packed).to_string(), "<{i64, [3 x i8]}>");
}

#[test]
fn layouts_follow_natural_alignment() {
    let mut pool = TypePool::default();
    let tail = pool.structure(&[Type::I64, Type::I8], Packing::Natural).unwrap();
    assert_eq!(pool.layout(tail), Layout { size: 16, align: 8 });
    let packed = pool.structure(&[Type::I64, Type::I8], Packing::Packed).unwrap();
    assert_eq!(pool.layout(packed), Layout { size: 9, align: 1 });
    assert_eq!(pool.field_offset(tail, 1), Some(8));
    let three = Type::vector(Scalar::I32, 3).unwrap();
    assert_eq!(pool.layout(three), Layout { size: 12, align: 16 });
    let mask = Type::vector(Scalar::I1, 9).unwrap();
    assert_eq!(pool.layout(mask), Layout { size: 2, align: 2 });
    assert_eq!(pool.layout(Type::X86_FP80), Layout { size: 10, align: 16 });
}

#[test]
fn a_type_too_large_or_too_deep_is_an_error() {
    let mut pool = TypePool::default();
    assert!(matches!(pool.array(Type::I64, u64::MAX), Err(TypeError::TooLarge { .. })));
    let mut nested = Type::I8;
    let error = (0..10_000).find_map(|_| match pool.array(nested, 1) {
        Ok(next) => {
            nested = next;
            None
        }
        Err(error) => Some(error),
    });
    assert!(matches!(error, Some(TypeError::TooDeep { .. })));
}

#[test]
fn function_types_print_their_signature() {
    let mut pool = TypePool::default();
    let sig = pool.signature(Signature::internal(&[Type::I64, Type::F64], &[Type::PTR])).unwrap();
    assert_eq!(pool.display(Type::function(sig)).to_string(), "fn(i64, f64) -> ptr");
}

#[test]
fn fields_are_placed_one_after_the_other_as_each_alone() {
    let mut pool = TypePool::default();
    let array = pool.array(Type::I16, 3).unwrap();
    let fields = [Type::I8, array, Type::I8, Type::F64];
    for (packing, offsets) in [(Packing::Natural, [0, 2, 8, 16]), (Packing::Packed, [0, 1, 7, 8])] {
        let ty = pool.structure(&fields, packing).unwrap();
        let placed: Vec<_> = pool.placed_fields(ty).collect();
        assert_eq!(placed, fields.into_iter().zip(offsets).collect::<Vec<_>>());
        let alone: Vec<_> = (0..5).map_while(|index| pool.field_offset(ty, index)).collect();
        assert_eq!(alone, offsets);
    }
    let elements: Vec<_> = pool.placed_fields(array).collect();
    assert_eq!(elements, [(Type::I16, 0), (Type::I16, 2), (Type::I16, 4)]);
    assert_eq!(pool.placed_fields(Type::I8).count(), 0);
}

#[test]
fn the_parts_of_a_type_are_counted_to_the_last_field() {
    let mut pool = TypePool::default();
    let pair = pool.structure(&[Type::REF, Type::I8], Packing::Natural).unwrap();
    let many = pool.array(pair, 1000).unwrap();
    let none = pool.array(Type::F64, 0).unwrap();
    assert_eq!(pool.leaf_count(many), 2000);
    assert_eq!(pool.leaf_count(none), 0);
    let vectors = pool.array(Type::vector(Scalar::I8, 4).unwrap(), 3).unwrap();
    let mixed = pool.structure(&[many, none, vectors, Type::PTR], Packing::Natural).unwrap();
    let data = pool.data_count(mixed);
    assert_eq!((data.scalars, data.holders), (2000 + 3 * 4 + 1, 1 + 1000 + 1 + 1 + 3));
    assert_eq!(data.total(10), data.scalars + 10 * data.holders);
    assert_eq!(pool.leaf_count(Type::I32), 1);
    assert!(pool.holds(many, Scalar::Ref) && !pool.holds(many, Scalar::F64));
    assert!(pool.holds(Type::vector(Scalar::Ref, 2).unwrap(), Scalar::Ref));
}
