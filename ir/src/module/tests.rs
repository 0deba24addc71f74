use super::*;
use crate::types::{Scalar, Type};

#[test]
fn functions_and_data_share_one_space_of_names() {
    let mut module = Module::new("m");
    let sig = module.types.signature(Signature::internal(&[Type::I64], &[])).unwrap();
    let f = module.declare_function("f", sig, Linkage::Export).unwrap();
    assert_eq!(module.function_named("f"), Some(f));
    let error = module.declare_data(DataObject::new("f", vec![])).unwrap_err();
    assert_eq!(error, DeclareError::Duplicate { name: "f".into() });
}

#[test]
fn an_image_holds_the_items_and_leaves_addresses_open() {
    let mut module = Module::new("m");
    let items = vec![
        DataItem::Numbers { scalar: Scalar::I16, values: vec![1, 0x0203] },
        DataItem::Zero(4),
        DataItem::Bytes(b"ab".to_vec()),
        DataItem::Zero(6),
    ];
    let first = module.declare_data(DataObject::new("first", items)).unwrap();
    let image = module.data(first).unwrap().image();
    assert_eq!(image.bytes, [1, 0, 3, 2, 0, 0, 0, 0, b'a', b'b']);
    assert_eq!(module.data(first).unwrap().size, 16);
    let address = DataItem::Address { symbol: Symbol::Data(first), addend: -8 };
    let object = DataObject::new("second", vec![DataItem::Zero(8), address]);
    let image = object.image();
    assert_eq!(image.bytes.len(), 16);
    assert_eq!(image.relocations[0].offset, 8);
}

#[test]
fn an_image_ends_before_what_no_object_can_hold() {
    let byte = || DataItem::Bytes(vec![7]);
    for zeros in [u64::MAX, u64::MAX - 1, 1 << 62] {
        let image = DataObject::new("d", vec![byte(), DataItem::Zero(zeros), byte()]).image();
        assert_eq!(image.bytes, [7]);
    }
}

#[test]
fn strings_and_classes_are_interned() {
    let mut module = Module::new("m");
    assert_eq!(module.intern("a.jl"), module.intern("a.jl"));
    let root = module.alias_class("memory", None);
    let float = module.alias_class("float", Some(root));
    assert_eq!(module.alias_class("float", None), float);
    assert_eq!(module.string(99), "");
}

#[test]
fn without_bodies_a_module_declares_the_same() {
    let mut module = Module::new("m");
    let sig = module.types.signature(Signature::internal(&[Type::I64], &[])).unwrap();
    let f = module.declare_function("f", sig, Linkage::Local).unwrap();
    module.function_mut(f).unwrap().body = Some(Box::new(Body::default()));
    let data = module.declare_data(DataObject::new("d", vec![DataItem::Zero(8)])).unwrap();
    let bare = module.without_bodies();
    let function = bare.function(f).unwrap();
    assert!(function.body.is_none());
    assert_eq!((&*function.name, function.sig, function.linkage), ("f", sig, Linkage::Local));
    assert_eq!(bare.data(data), module.data(data));
    assert_eq!(bare.declarations(), module.declarations());
    assert_eq!(bare.function_named("f"), Some(f));
}
