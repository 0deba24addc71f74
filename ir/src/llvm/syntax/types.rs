//! Types of a module, each of which it holds once.

use std::fmt;
use std::hash::{Hash, Hasher};

use hashbrown::HashTable;
use rustc_hash::FxHasher;

use super::{Module, Name, NamedId, TypeId};

/// What a type is.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(in crate::llvm) enum TypeData {
    Void,
    Label,
    Metadata,
    Token,
    /// An integer of that many bits.
    Integer(u32),
    Half,
    Bfloat,
    Float,
    Double,
    X86Fp80,
    Fp128,
    /// An address in that address space.
    Pointer(u32),
    Vector {
        lanes: u32,
        element: TypeId,
    },
    Array {
        length: u64,
        element: TypeId,
    },
    Struct {
        packed: bool,
        fields: Box<[TypeId]>,
    },
    /// A named type, whose definition may stand behind its uses.
    Named(NamedId),
    Function {
        result: TypeId,
        params: Box<[TypeId]>,
        variadic: bool,
    },
}

/// The ids of a module's types, by what they are.
#[derive(Clone, Debug, Default)]
pub(in crate::llvm) struct TypeTable {
    table: HashTable<TypeId>,
}

/// What a type is, before there is one.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum View<'a> {
    Plain(&'a TypeData),
    Struct { packed: bool, fields: &'a [TypeId] },
    Function { result: TypeId, params: &'a [TypeId], variadic: bool },
}

impl<'a> View<'a> {
    fn of(data: &'a TypeData) -> View<'a> {
        match data {
            TypeData::Struct { packed, fields } => View::Struct { packed: *packed, fields },
            TypeData::Function { result, params, variadic } => {
                View::Function { result: *result, params, variadic: *variadic }
            }
            _ => View::Plain(data),
        }
    }

    fn hash(self) -> u64 {
        let mut hasher = FxHasher::default();
        Hash::hash(&self, &mut hasher);
        hasher.finish()
    }
}

macro_rules! basic {
    ($($name:ident = $index:literal: $data:expr;)*) => {
        /// Types that every module has.
        impl TypeId {
            $(pub(in crate::llvm) const $name: TypeId = TypeId($index);)*
        }

        const BASIC: &[TypeData] = &[$($data,)*];
    };
}

basic! {
    VOID = 0: TypeData::Void;
    LABEL = 1: TypeData::Label;
    METADATA = 2: TypeData::Metadata;
    TOKEN = 3: TypeData::Token;
    HALF = 4: TypeData::Half;
    BFLOAT = 5: TypeData::Bfloat;
    FLOAT = 6: TypeData::Float;
    DOUBLE = 7: TypeData::Double;
    X86_FP80 = 8: TypeData::X86Fp80;
    FP128 = 9: TypeData::Fp128;
    PTR = 10: TypeData::Pointer(0);
    I1 = 11: TypeData::Integer(1);
    I8 = 12: TypeData::Integer(8);
    I16 = 13: TypeData::Integer(16);
    I32 = 14: TypeData::Integer(32);
    I64 = 15: TypeData::Integer(64);
}

impl<'t> Module<'t> {
    /// A module with nothing but the basic types.
    pub(in crate::llvm) fn new() -> Module<'t> {
        let mut module = Module::default();
        for data in BASIC {
            module.type_id(data.clone());
        }
        module
    }

    /// The id of a type, the same for equal ones.
    pub(in crate::llvm) fn type_id(&mut self, data: TypeData) -> TypeId {
        match self.find_type(View::of(&data)) {
            Ok(id) => id,
            Err(hash) => self.add_type(hash, data),
        }
    }

    /// The id of a struct type.
    pub(in crate::llvm) fn struct_type(&mut self, packed: bool, fields: &[TypeId]) -> TypeId {
        match self.find_type(View::Struct { packed, fields }) {
            Ok(id) => id,
            Err(hash) => self.add_type(hash, TypeData::Struct { packed, fields: fields.into() }),
        }
    }

    /// The id of a function type.
    pub(in crate::llvm) fn function_type(
        &mut self,
        result: TypeId,
        params: &[TypeId],
        variadic: bool,
    ) -> TypeId {
        match self.find_type(View::Function { result, params, variadic }) {
            Ok(id) => id,
            Err(hash) => {
                self.add_type(hash, TypeData::Function { result, params: params.into(), variadic })
            }
        }
    }

    /// The id of a type, or the hash of one that is not there.
    fn find_type(&self, view: View<'_>) -> Result<TypeId, u64> {
        let hash = view.hash();
        let equals = |id: &TypeId| View::of(&self.types[id.index()]) == view;
        self.type_ids.table.find(hash, equals).copied().ok_or(hash)
    }

    fn add_type(&mut self, hash: u64, data: TypeData) -> TypeId {
        let id = TypeId(self.types.len() as u32);
        self.types.push(data);
        let rehash = |id: &TypeId| View::of(&self.types[id.index()]).hash();
        self.type_ids.table.insert_unique(hash, id, rehash);
        id
    }

    /// What a type is, behind its name if it has one; an opaque one is itself.
    pub(in crate::llvm) fn resolved(&self, ty: TypeId) -> TypeId {
        match self.types[ty.index()] {
            TypeData::Named(named) => self.named[named.index()].1.unwrap_or(ty),
            _ => ty,
        }
    }

    /// The type as a text spells it, up to a length that a message may have.
    pub(in crate::llvm) fn show(&self, ty: TypeId) -> TypeText<'_, 't> {
        TypeText { module: self, ty }
    }
}

/// A type, to be displayed.
pub(in crate::llvm) struct TypeText<'m, 't> {
    module: &'m Module<'t>,
    ty: TypeId,
}

impl fmt::Display for TypeText<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const LENGTH: usize = 100;
        let mut text = String::new();
        write_type(&mut text, LENGTH, self.module, self.ty);
        match text.len() <= LENGTH {
            true => f.write_str(&text),
            false => write!(f, "{}…", &text[..text.floor_char_boundary(LENGTH)]),
        }
    }
}

/// Appends a type to `text`, up to `length` bytes or a little more.
fn write_type(text: &mut String, length: usize, module: &Module<'_>, ty: TypeId) {
    if text.len() > length {
        return;
    }
    match &module.types[ty.index()] {
        TypeData::Void => text.push_str("void"),
        TypeData::Label => text.push_str("label"),
        TypeData::Metadata => text.push_str("metadata"),
        TypeData::Token => text.push_str("token"),
        TypeData::Integer(bits) => text.push_str(&format!("i{bits}")),
        TypeData::Half => text.push_str("half"),
        TypeData::Bfloat => text.push_str("bfloat"),
        TypeData::Float => text.push_str("float"),
        TypeData::Double => text.push_str("double"),
        TypeData::X86Fp80 => text.push_str("x86_fp80"),
        TypeData::Fp128 => text.push_str("fp128"),
        TypeData::Pointer(0) => text.push_str("ptr"),
        TypeData::Pointer(space) => text.push_str(&format!("ptr addrspace({space})")),
        TypeData::Vector { lanes, element } => {
            text.push_str(&format!("<{lanes} x "));
            write_type(text, length, module, *element);
            text.push('>');
        }
        TypeData::Array { length: elements, element } => {
            text.push_str(&format!("[{elements} x "));
            write_type(text, length, module, *element);
            text.push(']');
        }
        TypeData::Struct { packed, fields } => {
            text.push_str(if *packed { "<{ " } else { "{ " });
            write_types(text, length, module, fields, false);
            text.push_str(if *packed { " }>" } else { " }" });
        }
        TypeData::Named(named) => match &module.named[named.index()].0 {
            Name::Text(name) => text.push_str(&format!("%{name}")),
            Name::Number(number) => text.push_str(&format!("%{number}")),
        },
        TypeData::Function { result, params, variadic } => {
            write_type(text, length, module, *result);
            text.push_str(" (");
            write_types(text, length, module, params, *variadic);
            text.push(')');
        }
    }
}

/// Appends types with commas between them.
fn write_types(
    text: &mut String,
    length: usize,
    module: &Module<'_>,
    types: &[TypeId],
    variadic: bool,
) {
    for (index, &ty) in types.iter().enumerate() {
        if text.len() > length {
            return;
        }
        text.push_str(if index == 0 { "" } else { ", " });
        write_type(text, length, module, ty);
    }
    if variadic {
        text.push_str(if types.is_empty() { "..." } else { ", ..." });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_types_have_one_id() {
        let mut module = Module::new();
        assert_eq!(module.type_id(TypeData::Integer(32)), TypeId::I32);
        let fields = [TypeId::I32, TypeId::PTR];
        let first = module.struct_type(false, &fields);
        assert_eq!(
            module.type_id(TypeData::Struct { packed: false, fields: fields.into() }),
            first
        );
        assert_ne!(module.struct_type(true, &fields), first);
        assert_ne!(module.function_type(TypeId::VOID, &fields, false), first);
        assert_eq!(module.types.len(), BASIC.len() + 3);
    }

    #[test]
    fn types_are_shown_as_texts_spell_them_and_not_too_long() {
        let mut module = Module::new();
        let vector = module.type_id(TypeData::Vector { lanes: 4, element: TypeId::FLOAT });
        let packed = module.struct_type(true, &[vector, TypeId::PTR]);
        let function = module.function_type(TypeId::VOID, &[packed], true);
        let shown = module.show(function).to_string();
        assert_eq!(shown, "void (<{ <4 x float>, ptr }>, ...)");
        let mut ty = TypeId::I8;
        for _ in 0..40 {
            ty = module.struct_type(false, &[ty, ty]);
        }
        assert!(module.show(ty).to_string().len() < 110);
    }
}
