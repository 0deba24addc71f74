//! Types.

use std::borrow::Cow;

use crate::module::Module;
use crate::types::{
    Aggregate, Arity, Convention, Packing, Param, Passing, Scalar, Signature, Type, TypeKind,
    TypePool,
};

/// The spelling of a scalar type. A `bf16` is the integer of its bits: back ends
/// without registers for it move a `bfloat` by way of a `float`, or not at all.
/// So is an `x86_fp80`, of whose bits LLVM keeps those alone that are numbers.
pub(super) const fn scalar_text(scalar: Scalar) -> &'static str {
    match scalar {
        Scalar::I1 => "i1",
        Scalar::I8 => "i8",
        Scalar::I16 => "i16",
        Scalar::I32 => "i32",
        Scalar::I64 => "i64",
        Scalar::I128 => "i128",
        Scalar::F16 => "half",
        Scalar::Bf16 => "i16",
        Scalar::F32 => "float",
        Scalar::F64 => "double",
        Scalar::X86Fp80 => "i80",
        Scalar::F128 => "fp128",
        Scalar::Ptr => "ptr",
        Scalar::Ref => "ptr addrspace(10)",
        Scalar::Derived => "ptr addrspace(11)",
        Scalar::Callee => "ptr addrspace(12)",
        Scalar::Loaded => "ptr addrspace(13)",
        Scalar::Token => "token",
    }
}

/// The spelling of a scalar type in the name of an intrinsic.
pub(super) const fn scalar_suffix(scalar: Scalar) -> &'static str {
    match scalar {
        Scalar::F16 => "f16",
        Scalar::F32 => "f32",
        Scalar::F64 => "f64",
        Scalar::F128 => "f128",
        Scalar::Ptr => "p0",
        Scalar::Ref => "p10",
        Scalar::Derived => "p11",
        Scalar::Callee => "p12",
        Scalar::Loaded => "p13",
        other => scalar_text(other),
    }
}

/// The integer of as many bits as a scalar.
pub(super) const fn bits_text(scalar: Scalar) -> &'static str {
    match scalar.bits() {
        8 => "i8",
        16 => "i16",
        32 => "i32",
        128 => "i128",
        _ => "i64",
    }
}

/// Writes a type. A reference to a function is its address.
pub(super) fn push_type(text: &mut String, types: &TypePool, ty: Type) {
    match (ty.kind(), types.aggregate(ty)) {
        (_, Some(Aggregate::Array { element, length })) => {
            text.push_str(&format!("[{length} x "));
            push_type(text, types, *element);
            text.push(']');
        }
        (_, Some(Aggregate::Struct { fields, packing })) => {
            let (open, close) = match packing {
                Packing::Natural => ("{", "}"),
                Packing::Packed => ("<{", "}>"),
            };
            text.push_str(open);
            push_list(text, types, fields.iter().copied());
            text.push_str(close);
        }
        (TypeKind::Scalar(scalar), _) => text.push_str(scalar_text(scalar)),
        (TypeKind::Vector(lane, _), _) => {
            text.push_str(&Shape::from_type(ty).of(scalar_text(lane)));
        }
        (TypeKind::Function(_), _) => text.push_str("ptr"),
        (TypeKind::None | TypeKind::Aggregate(_), _) => text.push_str("void"),
    }
}

fn push_list(text: &mut String, types: &TypePool, list: impl Iterator<Item = Type>) {
    for (index, ty) in list.enumerate() {
        text.push_str(if index == 0 { "" } else { ", " });
        push_type(text, types, ty);
    }
}

/// The text of a type.
pub(super) fn type_text(types: &TypePool, ty: Type) -> String {
    let mut text = String::new();
    push_type(&mut text, types, ty);
    text
}

/// The type by which a value is passed. What is the integer of its bits here is
/// passed in the registers of floats; all of 16 bits are passed alike, and a
/// `half` is moved as it is.
pub(super) fn passed_text(types: &TypePool, signature: &Signature, ty: Type) -> String {
    match (signature.convention, ty.lane()) {
        (_, Some(Scalar::Bf16)) => Shape::from_type(ty).of("half"),
        (Convention::Platform, Some(Scalar::X86Fp80)) => "x86_fp80".to_owned(),
        _ => type_text(types, ty),
    }
}

/// The type of what a function gives: several results are a struct.
pub(super) fn result_text(types: &TypePool, signature: &Signature) -> String {
    match signature.results.as_slice() {
        [] => "void".to_owned(),
        [one] => passed_text(types, signature, one.ty),
        many => {
            let parts = many.iter().map(|param| passed_text(types, signature, param.ty));
            format!("{{ {} }}", parts.collect::<Vec<_>>().join(", "))
        }
    }
}

/// How the platform passes a parameter, with a space behind.
pub(super) fn passing_text(passing: Passing) -> Cow<'static, str> {
    match passing {
        // Of a piece LLVM makes by itself what its type is.
        Passing::Plain | Passing::PieceOf(_) => "".into(),
        Passing::SignExtended => "signext ".into(),
        Passing::ZeroExtended => "zeroext ".into(),
        Passing::ByValue { size, align_log2 } => {
            format!("byval([{size} x i8]) align {} ", 1_u64 << align_log2.min(32)).into()
        }
        // The callee knows how many bytes are there.
        Passing::StructReturn => "sret(i8) ".into(),
    }
}

/// How the result of a function is passed, with a space behind.
pub(super) fn result_passing(signature: &Signature) -> Cow<'static, str> {
    match signature.results.as_slice() {
        [one] => passing_text(one.passing),
        _ => "".into(),
    }
}

/// The type of a function as a call of a variadic one spells it.
pub(super) fn function_text(types: &TypePool, signature: &Signature) -> String {
    let mut text = result_text(types, signature);
    text.push_str(" (");
    let params = signature.param_types().map(|ty| passed_text(types, signature, ty));
    text.push_str(&params.collect::<Vec<_>>().join(", "));
    push_ellipsis(&mut text, signature);
    text.push(')');
    text
}

fn push_ellipsis(text: &mut String, signature: &Signature) {
    if signature.arity == Arity::Variadic {
        text.push_str(if signature.params.is_empty() { "..." } else { ", ..." });
    }
}

/// Writes a function's result, name and parameters, each with the name that
/// `value` gives for it.
pub(super) fn push_prototype(
    text: &mut String,
    module: &Module,
    signature: &Signature,
    name: &str,
    value: impl Fn(usize) -> String,
) {
    text.push_str(&result_passing(signature));
    text.push_str(&result_text(&module.types, signature));
    text.push(' ');
    text.push_str(name);
    text.push('(');
    for (index, &Param { ty, passing }) in signature.params.iter().enumerate() {
        text.push_str(if index == 0 { "" } else { ", " });
        text.push_str(&passed_text(&module.types, signature, ty));
        text.push(' ');
        text.push_str(&passing_text(passing));
        text.push_str(&value(index));
        // Neither attribute nor name.
        if text.ends_with(' ') {
            text.pop();
        }
    }
    push_ellipsis(text, signature);
    text.push(')');
}

/// A scalar or a vector of some lanes: what lane-wise code keeps while the
/// type of the lanes changes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Shape {
    lanes: Option<u16>,
}

impl Shape {
    /// One lane.
    pub(super) const SCALAR: Shape = Shape { lanes: None };

    /// The shape of a type. A vector of one lane is that lane: back ends know
    /// too little of such vectors.
    pub(super) fn from_type(ty: Type) -> Shape {
        match ty.kind() {
            TypeKind::Vector(_, lanes) if lanes > 1 => Shape { lanes: Some(lanes) },
            _ => Shape::SCALAR,
        }
    }

    /// The type of this shape with such lanes.
    pub(super) fn of(self, lane: &str) -> String {
        match self.lanes {
            Some(lanes) => format!("<{lanes} x {lane}>"),
            None => lane.to_owned(),
        }
    }

    /// The constant of this shape whose lanes all are that.
    pub(super) fn splat(self, lane: &str, value: &str) -> String {
        match self.lanes {
            Some(lanes) => {
                let one = format!("{lane} {value}");
                format!("<{}>", vec![one; lanes.into()].join(", "))
            }
            None => value.to_owned(),
        }
    }

    /// The type of this shape with such lanes in the name of an intrinsic.
    pub(super) fn suffix(self, lane: &str) -> String {
        match self.lanes {
            Some(lanes) => format!("v{lanes}{lane}"),
            None => lane.to_owned(),
        }
    }
}
