//! Takes structs and arrays apart into one value for each of their fields.
//!
//! Before:
//! ```text
//! func @f({i32, f64}) -> {f64, i32} {
//! block0(%0: {i32, f64}):
//!     %1 = extract_value.{i32, f64} %0, 1
//!     %2 = insert_value.{f64, i32} zero, %1, 0
//!     return %2
//! }
//! ```
//! After:
//! ```text
//! func @f(i32, f64) -> (f64, i32) {
//! block0(%4: i32, %5: f64):
//!     return %5, 0
//! }
//! ```
//! An aggregate is the list of its leaves (scalars, vectors and function
//! references) in the order of its fields; building, extracting and inserting
//! only pick from lists and leave no code. In signatures, block parameters,
//! calls, returns and exits a list stands for its aggregate, whatever its
//! length: tail calls and side exits need no memory that would outlive them.
//!
//! Needs: nothing. Keeps: edges between blocks that are reached. Does not try:
//! aggregates in memory, of which loads and stores see leaves only, and what C
//! makes of its structs: in the platform's convention, too, an aggregate is its
//! leaves, each passed by itself, and a front end says by `byval` and `sret` what
//! is not.

use brolga_ir::body::Body;
use brolga_ir::constant::Constant;
use brolga_ir::entity::{Inst, Value};
use brolga_ir::instruction::Payload;
use brolga_ir::op::Op;
use brolga_ir::types::{Aggregate, Type, TypePool};
use smallvec::SmallVec;

use crate::legal_form::{ValueForm, leaf_types};
use crate::pass::{
    Editor, PassContext, PassResult, Pieces, SplitRule, Splits, Splitter, split, split_values,
};

/// Takes structs and arrays apart.
///
/// # Errors
/// A signature of too many leaves.
pub fn flatten_aggregates(body: &mut Body, context: &mut PassContext<'_>) -> PassResult {
    split(Flatten, body, context)
}

/// The same; gives the leaves of the values that were taken apart, if any was.
pub(crate) fn flatten_values(
    body: &mut Body,
    context: &mut PassContext<'_>,
) -> PassResult<Option<Splits>> {
    split_values(Flatten, body, context)
}

struct Flatten;

/// How many leaves `ty` has.
fn leaf_count(types: &TypePool, ty: Type) -> usize {
    match types.aggregate(ty) {
        None => 1,
        Some(Aggregate::Struct { fields, .. }) => {
            fields.iter().map(|&field| leaf_count(types, field)).sum()
        }
        Some(Aggregate::Array { element, length }) => {
            leaf_count(types, *element).saturating_mul(*length as usize)
        }
    }
}

/// The leaves that a path leads to.
fn leaves_at(types: &TypePool, mut ty: Type, path: &[u32]) -> std::ops::Range<usize> {
    let mut start = 0;
    for &index in path {
        start += match types.aggregate(ty) {
            Some(Aggregate::Array { element, .. }) => leaf_count(types, *element) * index as usize,
            Some(Aggregate::Struct { fields, .. }) => {
                let before = fields.iter().take(index as usize);
                before.map(|&field| leaf_count(types, field)).sum()
            }
            None => 0,
        };
        ty = types.field(ty, u64::from(index)).unwrap_or(ty);
    }
    start..start + leaf_count(types, ty)
}

impl SplitRule for Flatten {
    const PASS: &'static str = "flatten_aggregates";
    const FORM: ValueForm = ValueForm::Flattened;

    fn pieces(&self, types: &TypePool, ty: Type) -> Option<SmallVec<[Type; 4]>> {
        ty.is_aggregate().then(|| leaf_types(types, ty).into())
    }

    fn splits(&self, ty: Type) -> bool {
        ty.is_aggregate()
    }

    fn constant(&mut self, editor: &mut Editor<'_, '_>, constant: &Constant) -> Pieces {
        let leaves = leaf_types(&editor.context.module.types, constant.ty());
        leaves.into_iter().map(|leaf| editor.zero(leaf)).collect()
    }

    fn concerns(&self, _: &Body, _: &PassContext<'_>, _: Inst) -> bool {
        false
    }

    fn rewrite(splitter: &mut Splitter<'_, '_, Self>, inst: Inst) -> PassResult<()> {
        let data = *splitter.editor.body.inst(inst);
        let args = splitter.editor.body.args(inst).to_vec();
        let lists: Vec<Pieces> = args.iter().map(|&arg| splitter.pieces(arg)).collect();
        let pieces = match data.op {
            Op::MakeAggregate => lists.into_iter().flatten().collect(),
            Op::ExtractValue => {
                let range = path(splitter, inst);
                lists[0].get(range).unwrap_or_default().into()
            }
            Op::InsertValue => {
                let range = path(splitter, inst);
                let mut whole = lists[0].clone();
                if let Some(part) = whole.get_mut(range).filter(|part| part.len() == lists[1].len())
                {
                    part.copy_from_slice(&lists[1]);
                }
                whole
            }
            // What only takes a leaf out of an aggregate stays what it is, with
            // all its results.
            _ if !data.ty.is_aggregate() => {
                let args: Vec<Value> = lists.into_iter().flatten().collect();
                let made = splitter.editor.insert_like(&data, &args, &[]);
                splitter.editor.body.move_results(inst, made);
                return Ok(());
            }
            // Everything else that takes aggregates does to each leaf what it
            // does to the whole, with the operands that are not split.
            _ => per_leaf(splitter, inst, &lists),
        };
        splitter.define_result(inst, pieces);
        Ok(())
    }
}

fn path(splitter: &Splitter<'_, '_, Flatten>, inst: Inst) -> std::ops::Range<usize> {
    let body = &*splitter.editor.body;
    let data = body.inst(inst);
    let path = match data.payload {
        Payload::Immediates(list) => body.immediates(list),
        _ => &[],
    };
    leaves_at(&splitter.editor.context.module.types, data.ty, path)
}

fn per_leaf(splitter: &mut Splitter<'_, '_, Flatten>, inst: Inst, lists: &[Pieces]) -> Pieces {
    let data = *splitter.editor.body.inst(inst);
    let types = splitter.piece_types(data.ty);
    let leaf = |(index, &ty): (usize, &Type)| -> Value {
        let pick = |list: &Pieces| match list.len() {
            1 => list[0],
            _ => list.get(index).copied().unwrap_or(list[0]),
        };
        let args: SmallVec<[Value; 4]> = lists.iter().map(pick).collect();
        splitter.editor.op_like(&data, ty, &args)
    };
    types.iter().enumerate().map(leaf).collect()
}
