//! Interned aggregates and signatures.

use std::fmt;

use hashbrown::HashMap;
use thiserror::Error;

use super::content::Content;
use super::{Layout, MAX_AGGREGATE_SIZE, Type, TypeKind};
use crate::entity::{AggregateId, PrimaryMap, SigId};

/// How deep aggregates may nest, so that no walk over a type can overflow the stack.
pub const MAX_TYPE_DEPTH: u32 = 64;

/// The most fields of a struct, parameters or results of a signature.
const MAX_FIELDS: usize = 4096;

/// The most nodes of a type written out as a tree: shared parts make trees
/// exponentially larger than the pool, and every walk and print pays for them.
const MAX_NODES: u32 = 1 << 16;

/// Whether the fields of a struct are padded to their alignment.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Packing {
    /// Each field at a multiple of its alignment.
    Natural,
    /// Fields follow each other without padding; alignment 1.
    Packed,
}

/// A struct or array type.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Aggregate {
    /// Fields in order.
    Struct {
        /// The types of the fields.
        fields: Box<[Type]>,
        /// Whether they are padded.
        packing: Packing,
    },
    /// `length` elements.
    Array {
        /// The type of each element.
        element: Type,
        /// How many there are.
        length: u64,
    },
}

/// The convention that a signature is called by.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Convention {
    /// Between compiled functions.
    #[default]
    Internal,
    /// The platform's C convention.
    Platform,
}

/// Whether calls may pass more arguments than the signature names.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Arity {
    /// Exactly the parameters.
    #[default]
    Fixed,
    /// The parameters and any number of arguments behind them (platform convention only).
    /// A body finds those through the platform's `va_list`, whose address is the
    /// last parameter of its first block.
    Variadic,
}

/// The logarithm of the largest alignment of what is passed by value, in bytes.
pub const MAX_BY_VALUE_ALIGN_LOG2: u8 = 12;

/// How the platform's convention passes a value. Of a function of the internal
/// convention this says how C code calls it, at its address: compiled code passes
/// it every value as it is. One thing holds for both: what is passed
/// [by value](Passing::ByValue) is the callee's own.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Passing {
    /// As its type says.
    #[default]
    Plain,
    /// Sign-extended to the register by who passes it.
    SignExtended,
    /// Zero-extended to the register by who passes it.
    ZeroExtended,
    /// The address is one of bytes that are passed themselves, as C passes a
    /// large struct: the callee, whoever calls it and however, gets the address
    /// of a copy of its own.
    ByValue {
        /// How many bytes.
        size: u32,
        /// They are aligned to `1 << align_log2` bytes; at most
        /// [`MAX_BY_VALUE_ALIGN_LOG2`].
        align_log2: u8,
    },
    /// The address is one that the callee puts its result at, as C returns a
    /// large struct.
    StructReturn,
    /// The vector holds one of that many bytes, or a piece of one: what a vector
    /// of another size is taken apart into.
    PieceOf(u8),
}

impl fmt::Display for Passing {
    /// The attribute in text; nothing for [`Passing::Plain`].
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Passing::Plain => Ok(()),
            Passing::SignExtended => f.write_str("sext"),
            Passing::ZeroExtended => f.write_str("zext"),
            Passing::ByValue { size, align_log2 } => {
                let align = 1_u64.checked_shl(align_log2.into()).unwrap_or(0);
                write!(f, "byval({size} align {align})")
            }
            Passing::StructReturn => f.write_str("sret"),
            Passing::PieceOf(bytes) => write!(f, "of({bytes})"),
        }
    }
}

/// One parameter or result.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Param {
    /// Its type.
    pub ty: Type,
    /// How the platform convention passes it.
    pub passing: Passing,
}

/// A parameter that is the address of bytes that are passed by value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ByValue {
    /// Which one, from 0.
    pub index: usize,
    /// How many bytes.
    pub size: u32,
    /// What they are aligned to, in bytes.
    pub align: u32,
}

impl From<Type> for Param {
    fn from(ty: Type) -> Self {
        Param { ty, passing: Passing::Plain }
    }
}

/// What a function takes and gives.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Signature {
    /// By which convention.
    pub convention: Convention,
    /// The parameters.
    pub params: Vec<Param>,
    /// The results.
    pub results: Vec<Param>,
    /// Whether more arguments may follow.
    pub arity: Arity,
}

impl Signature {
    /// A signature of the internal convention.
    pub fn internal(params: &[Type], results: &[Type]) -> Signature {
        Self::plain(Convention::Internal, params, results)
    }

    /// A signature of the platform's C convention.
    pub fn platform(params: &[Type], results: &[Type]) -> Signature {
        Self::plain(Convention::Platform, params, results)
    }

    fn plain(convention: Convention, params: &[Type], results: &[Type]) -> Signature {
        let all = |types: &[Type]| types.iter().map(|&ty| ty.into()).collect();
        Signature { convention, params: all(params), results: all(results), arity: Arity::Fixed }
    }

    /// The same without what only the platform's convention asks for: what two
    /// declarations of a function must agree on.
    pub fn with_plain_passing(&self) -> Signature {
        let plain = |params: &[Param]| params.iter().map(|param| param.ty.into()).collect();
        Signature { params: plain(&self.params), results: plain(&self.results), ..*self }
    }

    /// Which parameters are passed by value.
    pub fn by_value(&self) -> Vec<ByValue> {
        let params = self.params.iter().enumerate();
        let passed = params.filter_map(|(index, param)| match param.passing {
            Passing::ByValue { size, align_log2 } => {
                let align = 1 << align_log2.min(MAX_BY_VALUE_ALIGN_LOG2);
                Some(ByValue { index, size, align })
            }
            _ => None,
        });
        passed.collect()
    }

    /// The types of the parameters.
    pub fn param_types(&self) -> impl ExactSizeIterator<Item = Type> + '_ {
        self.params.iter().map(|p| p.ty)
    }

    /// The types of what the body of a function takes: the parameters, and where
    /// more arguments may follow, the address of the platform's `va_list` of those.
    pub fn entry_types(&self) -> impl Iterator<Item = Type> + '_ {
        let list = (self.arity == Arity::Variadic).then_some(Type::PTR);
        self.param_types().chain(list)
    }

    /// The types of the results.
    pub fn result_types(&self) -> impl ExactSizeIterator<Item = Type> + '_ {
        self.results.iter().map(|p| p.ty)
    }
}

/// Why a type could not be made.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum TypeError {
    /// The type has more bytes than an object may have.
    #[error(
        "a type of {size} bytes is larger than the limit of {MAX_AGGREGATE_SIZE}; keep such data behind a pointer"
    )]
    TooLarge {
        /// Its size, saturated.
        size: u64,
    },
    /// Aggregates nest too deeply.
    #[error("aggregates nest {depth} deep, the limit is {MAX_TYPE_DEPTH}")]
    TooDeep {
        /// The depth that was asked for.
        depth: u32,
    },
    /// The type, written out, is too long.
    #[error(
        "the type has {nodes} parts when written out, the limit is {MAX_NODES}; use an array or a pointer"
    )]
    TooLong {
        /// The number of parts, saturated.
        nodes: u32,
    },
    /// Too many fields, parameters or results.
    #[error(
        "{count} fields or parameters, the limit is {MAX_FIELDS}; use an array or pass a pointer"
    )]
    TooMany {
        /// How many were asked for.
        count: usize,
    },
    /// A type that cannot be a field, parameter or result.
    #[error("{0} cannot be part of another type")]
    NotFirstClass(Type),
    /// The pool is full.
    #[error("too many distinct types in one module")]
    Full,
}

/// How large a type is as a tree.
#[derive(Clone, Copy, Debug)]
struct Extent {
    depth: u32,
    nodes: u32,
}

#[derive(Clone, Debug)]
struct AggregateEntry {
    aggregate: Aggregate,
    extent: Extent,
    layout: Layout,
    content: Content,
}

/// The aggregates and signatures of a module, each stored once.
#[derive(Clone, Debug, Default)]
pub struct TypePool {
    aggregates: PrimaryMap<AggregateId, AggregateEntry>,
    signatures: PrimaryMap<SigId, (Signature, Extent)>,
    aggregate_ids: HashMap<Aggregate, AggregateId>,
    signature_ids: HashMap<Signature, SigId>,
}

/// Handles have 30 bits for their index.
const MAX_INTERNED: usize = (1 << 30) - 1;

impl TypePool {
    /// The struct of `fields`.
    pub fn structure(&mut self, fields: &[Type], packing: Packing) -> Result<Type, TypeError> {
        check_count(fields.len())?;
        self.intern(Aggregate::Struct { fields: fields.into(), packing })
    }

    /// The array of `length` elements.
    pub fn array(&mut self, element: Type, length: u64) -> Result<Type, TypeError> {
        self.intern(Aggregate::Array { element, length })
    }

    fn intern(&mut self, aggregate: Aggregate) -> Result<Type, TypeError> {
        if let Some(&id) = self.aggregate_ids.get(&aggregate) {
            return Ok(Type::aggregate(id));
        }
        let extent = match &aggregate {
            Aggregate::Struct { fields, .. } => self.extent_over(fields.iter().copied())?,
            Aggregate::Array { element, .. } => self.extent_over([*element])?,
        };
        let layout = self.compute_layout(&aggregate);
        if layout.size > MAX_AGGREGATE_SIZE {
            return Err(TypeError::TooLarge { size: layout.size });
        }
        if self.aggregates.len() >= MAX_INTERNED {
            return Err(TypeError::Full);
        }
        let content = self.compute_content(&aggregate);
        let entry = AggregateEntry { aggregate: aggregate.clone(), extent, layout, content };
        let id = self.aggregates.push(entry);
        self.aggregate_ids.insert(aggregate, id);
        Ok(Type::aggregate(id))
    }

    /// The handle of `signature`.
    pub fn signature(&mut self, signature: Signature) -> Result<SigId, TypeError> {
        if let Some(&id) = self.signature_ids.get(&signature) {
            return Ok(id);
        }
        check_count(signature.params.len())?;
        check_count(signature.results.len())?;
        let extent = self.extent_over(signature.param_types().chain(signature.result_types()))?;
        if self.signatures.len() >= MAX_INTERNED {
            return Err(TypeError::Full);
        }
        let id = self.signatures.push((signature.clone(), extent));
        self.signature_ids.insert(signature, id);
        Ok(id)
    }

    /// The extent of a type made of `parts`.
    fn extent_over(&self, parts: impl IntoIterator<Item = Type>) -> Result<Extent, TypeError> {
        let mut whole = Extent { depth: 1, nodes: 1 };
        for part in parts {
            let inner = match part.kind() {
                TypeKind::None => return Err(TypeError::NotFirstClass(part)),
                TypeKind::Scalar(super::Scalar::Token) => {
                    return Err(TypeError::NotFirstClass(part));
                }
                TypeKind::Aggregate(id) => self.aggregates.get(id).map(|entry| entry.extent),
                TypeKind::Function(sig) => self.signatures.get(sig).map(|(_, extent)| *extent),
                _ => Some(Extent { depth: 0, nodes: 1 }),
            };
            let inner = inner.ok_or(TypeError::NotFirstClass(part))?;
            whole.depth = whole.depth.max(inner.depth + 1);
            whole.nodes = whole.nodes.saturating_add(inner.nodes);
        }
        match whole {
            Extent { depth, .. } if depth > MAX_TYPE_DEPTH => Err(TypeError::TooDeep { depth }),
            Extent { nodes, .. } if nodes > MAX_NODES => Err(TypeError::TooLong { nodes }),
            fits => Ok(fits),
        }
    }

    pub(super) fn aggregate_content(&self, id: AggregateId) -> Option<Content> {
        self.aggregates.get(id).map(|entry| entry.content)
    }

    pub(super) fn aggregate_layout(&self, id: AggregateId) -> Option<Layout> {
        self.aggregates.get(id).map(|entry| entry.layout)
    }

    /// The struct or array `ty`, if it is one of this pool.
    pub fn aggregate(&self, ty: Type) -> Option<&Aggregate> {
        match ty.kind() {
            TypeKind::Aggregate(id) => self.aggregates.get(id).map(|entry| &entry.aggregate),
            _ => None,
        }
    }

    /// The signature `id`; an empty one if it is not of this pool.
    pub fn sig(&self, id: SigId) -> &Signature {
        static EMPTY: Signature = Signature {
            convention: Convention::Internal,
            params: Vec::new(),
            results: Vec::new(),
            arity: Arity::Fixed,
        };
        self.signatures.get(id).map_or(&EMPTY, |(signature, _)| signature)
    }

    /// Whether every handle inside `ty` is of this pool.
    pub fn contains(&self, ty: Type) -> bool {
        match ty.kind() {
            TypeKind::Aggregate(id) => self.aggregates.is_valid(id),
            TypeKind::Function(sig) => self.signatures.is_valid(sig),
            _ => true,
        }
    }

    /// Whether `id` is of this pool.
    pub fn contains_sig(&self, id: SigId) -> bool {
        self.signatures.is_valid(id)
    }

    /// All signatures, in the order in which they were first asked for.
    pub fn signatures(&self) -> impl Iterator<Item = (SigId, &Signature)> {
        self.signatures.iter().map(|(id, (signature, _))| (id, signature))
    }

    /// How many fields or elements `ty` has; 0 for what is no aggregate.
    pub fn field_count(&self, ty: Type) -> u64 {
        match self.aggregate(ty) {
            Some(Aggregate::Struct { fields, .. }) => fields.len() as u64,
            Some(Aggregate::Array { length, .. }) => *length,
            None => 0,
        }
    }

    /// The type of field or element `index` of `ty`.
    pub fn field(&self, ty: Type, index: u64) -> Option<Type> {
        match self.aggregate(ty)? {
            Aggregate::Struct { fields, .. } => fields.get(usize::try_from(index).ok()?).copied(),
            Aggregate::Array { element, length } => (index < *length).then_some(*element),
        }
    }

    /// What `path` leads to inside `ty`.
    pub fn field_at(&self, ty: Type, path: &[u32]) -> Option<Type> {
        path.iter().try_fold(ty, |ty, &index| self.field(ty, u64::from(index)))
    }

    /// The text of `ty`.
    pub fn display(&self, ty: Type) -> TypeDisplay<'_> {
        TypeDisplay { pool: self, ty }
    }

    /// Writes the text of a signature, `(i64, f64) -> ptr`.
    pub fn write_signature(&self, f: &mut dyn fmt::Write, signature: &Signature) -> fmt::Result {
        f.write_str("(")?;
        self.write_params(f, &signature.params)?;
        if signature.arity == Arity::Variadic {
            f.write_str(if signature.params.is_empty() { "..." } else { ", ..." })?;
        }
        f.write_str(")")?;
        match signature.results.as_slice() {
            [] => Ok(()),
            [one] => {
                f.write_str(" -> ")?;
                self.write_params(f, std::slice::from_ref(one))
            }
            many => {
                f.write_str(" -> (")?;
                self.write_params(f, many)?;
                f.write_str(")")
            }
        }
    }

    fn write_params(&self, f: &mut dyn fmt::Write, params: &[Param]) -> fmt::Result {
        for (i, param) in params.iter().enumerate() {
            f.write_str(if i == 0 { "" } else { ", " })?;
            match param.ty.as_scalar() {
                Some(scalar) => f.write_str(scalar.name())?,
                None => write!(f, "{}", self.display(param.ty))?,
            }
            if param.passing != Passing::Plain {
                write!(f, " {}", param.passing)?;
            }
        }
        Ok(())
    }
}

fn check_count(count: usize) -> Result<(), TypeError> {
    if count > MAX_FIELDS { Err(TypeError::TooMany { count }) } else { Ok(()) }
}

/// Prints a type with the names of its parts.
#[derive(Clone, Copy, Debug)]
pub struct TypeDisplay<'a> {
    pool: &'a TypePool,
    ty: Type,
}

impl fmt::Display for TypeDisplay<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.pool.contains(self.ty) {
            return write!(f, "{}", self.ty);
        }
        match (self.ty.kind(), self.pool.aggregate(self.ty)) {
            (_, Some(Aggregate::Array { element, length })) => {
                write!(f, "[{length} x {}]", self.pool.display(*element))
            }
            (_, Some(Aggregate::Struct { fields, packing })) => {
                let (open, close) = match packing {
                    Packing::Natural => ("{", "}"),
                    Packing::Packed => ("<{", "}>"),
                };
                f.write_str(open)?;
                for (i, &field) in fields.iter().enumerate() {
                    let comma = if i == 0 { "" } else { ", " };
                    write!(f, "{comma}{}", self.pool.display(field))?;
                }
                f.write_str(close)
            }
            (TypeKind::Function(sig), None) => {
                let signature = self.pool.sig(sig);
                f.write_str(match signature.convention {
                    Convention::Internal => "fn",
                    Convention::Platform => "cfn",
                })?;
                self.pool.write_signature(f, signature)
            }
            _ => write!(f, "{}", self.ty),
        }
    }
}
