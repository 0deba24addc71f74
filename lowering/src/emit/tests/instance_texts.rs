//! Ops at every type in legal form, as text.

use brolga_ir::attribute::{FloatCond, IntCond};
use brolga_ir::op::{Form, Op, OpInfo, Pattern, Relation, Theme};
use brolga_ir::types::{Scalar, Type};

pub(super) fn types() -> Vec<Type> {
    let scalars = [
        Type::I1,
        Type::I8,
        Type::I16,
        Type::I32,
        Type::I64,
        Type::I128,
        Type::F16,
        Type::BF16,
        Type::F32,
        Type::F64,
        Type::PTR,
        Type::F128,
    ];
    let vectors = [
        (Scalar::I8, 16),
        (Scalar::I16, 8),
        (Scalar::I32, 4),
        (Scalar::I64, 2),
        (Scalar::F32, 4),
        (Scalar::F64, 2),
        (Scalar::I1, 16),
        (Scalar::I1, 8),
        (Scalar::I1, 4),
        (Scalar::I1, 2),
    ];
    let vectors = vectors.into_iter().map(|(lane, lanes)| Type::vector(lane, lanes).unwrap());
    scalars.into_iter().chain(vectors).collect()
}

/// Operand types for an op at a suffix: one list for each that it can have.
fn operand_types(info: &OpInfo, suffix: Type) -> Vec<Vec<Type>> {
    if info.op == Op::MakeVector {
        return vec![vec![suffix.lane_type(); suffix.lanes() as usize]];
    }
    let mut lists = vec![vec![]];
    for pattern in info.operands {
        let choices: Vec<Type> = match pattern {
            Pattern::Any(class) => {
                let fits = |&ty: &Type| class.contains(ty) && info.relation.holds(suffix, ty);
                types().into_iter().filter(fits).collect()
            }
            pattern => pattern.resolve(suffix).into_iter().collect(),
        };
        lists = lists
            .iter()
            .flat_map(|list: &Vec<Type>| {
                choices.iter().map(|&choice| [&list[..], &[choice]].concat())
            })
            .collect();
    }
    lists
}

/// The instances of an op: a function of its operands each.
pub(super) fn instances(op: Op) -> Vec<String> {
    let info = op.info();
    let mut texts = Vec::new();
    let has_suffix = |&ty: &Type| {
        info.suffix.contains(ty)
            && (info.relation != Relation::WholeBytes || info.relation.holds(ty, ty))
    };
    for suffix in types().into_iter().filter(has_suffix) {
        let conditions: Vec<&str> = match info.form {
            Form::IntCompare => IntCond::ALL.iter().map(|cond| cond.name()).collect(),
            Form::FloatCompare => FloatCond::ALL.iter().map(|cond| cond.name()).collect(),
            _ => vec![""],
        };
        for operands in operand_types(info, suffix) {
            for condition in &conditions {
                texts.push(instance(info, suffix, &operands, condition));
            }
        }
    }
    texts
}

fn instance(info: &OpInfo, suffix: Type, operands: &[Type], condition: &str) -> String {
    let comma = |texts: Vec<String>| texts.join(", ");
    let types = comma(operands.iter().map(ToString::to_string).collect());
    let params = operands.iter().enumerate().map(|(i, ty)| format!("%a{i}: {ty}"));
    let args = comma((0..operands.len()).map(|i| format!("%a{i}")).collect());
    let resolve = |pattern: &Pattern| pattern.resolve(suffix).unwrap().to_string();
    let results = comma(info.results.iter().map(resolve).collect());
    let names = comma((0..info.results.len()).map(|i| format!("%r{i}")).collect());
    let mnemonic = info.mnemonic;
    let params = comma(params.collect());
    format!(
        "func @f({types}) -> ({results}) {{\nentry({params}):\n    \
         {names} = {mnemonic}.{suffix} {condition} {args}\n    return {names}\n}}\n"
    )
    .replace("  %a", " %a")
}

pub(super) fn computes(op: Op) -> bool {
    let info = op.info();
    let themes =
        [Theme::Integer, Theme::Bits, Theme::Compare, Theme::Float, Theme::Convert, Theme::Vector];
    let forms = [Form::Values, Form::IntCompare, Form::FloatCompare, Form::Variadic];
    themes.contains(&info.theme)
        && forms.contains(&info.form)
        && info.suffix != brolga_ir::op::TypeClass::None
        && info.suffix != brolga_ir::op::TypeClass::Function
}
