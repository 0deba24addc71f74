//! What the op table says of an instruction's types, with the module and the
//! body at hand that its relation needs.

use smallvec::{SmallVec, smallvec};

use crate::body::Body;
use crate::entity::SigId;
use crate::instruction::{InstData, Payload};
use crate::module::Module;
use crate::op::{Form, Pattern, Relation};
use crate::types::Type;

/// The signature that a call calls by: that of the function it names, or its suffix.
pub fn call_signature(module: &Module, data: &InstData) -> Option<SigId> {
    match data.op.info().relation {
        Relation::Callee | Relation::TailCallee => match data.function() {
            Some(function) => module.function(function).map(|function| function.sig),
            None => data.ty.signature(),
        },
        _ => None,
    }
}

/// Which operands of a call are its arguments: those behind the function that
/// it calls and before the roots. Of any other op, those behind the ones that
/// the row's patterns describe.
pub fn call_arguments(body: &Body, data: &InstData) -> std::ops::Range<usize> {
    let fixed = data.op.info().operands.len();
    let roots = match data.payload {
        Payload::ForeignCall { roots, .. } => roots as usize,
        _ => 0,
    };
    let count = body.list_values(data.args).len();
    fixed..count.saturating_sub(roots).max(fixed)
}

/// The types of the results that `data` must have; nothing where its suffix,
/// function or indices name no types.
pub fn result_types(module: &Module, body: &Body, data: &InstData) -> Option<SmallVec<[Type; 2]>> {
    let info = data.op.info();
    match (info.relation, info.form) {
        (Relation::Callee, _) => {
            let signature = call_signature(module, data)?;
            Some(module.types.sig(signature).result_types().collect())
        }
        (Relation::ExtractPath, Form::Extract) => {
            let Payload::Immediates(path) = data.payload else { return None };
            Some(smallvec![module.types.field_at(data.ty, body.immediates(path))?])
        }
        _ => info.results.iter().map(|&pattern: &Pattern| pattern.resolve(data.ty)).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::module::Linkage;
    use crate::op::Op;
    use crate::types::Signature;

    #[test]
    fn results_follow_the_suffix_the_signature_or_the_path() {
        let mut module = Module::new("m");
        let mut body = Body::default();
        let signature = Signature::internal(&[], &[Type::I8, Type::F64]);
        let sig = module.types.signature(signature).unwrap();
        let f = module.declare_function("f", sig, Linkage::Import).unwrap();
        let mut types_of = |op, ty, payload| {
            let data = InstData::new(op, ty, body.list(&[]), payload);
            result_types(&module, &body, &data).map(|types| types.to_vec())
        };
        assert_eq!(
            types_of(Op::SaddOverflow, Type::I8, Payload::None),
            Some(vec![Type::I8, Type::I1])
        );
        let call = types_of(Op::Call, Type::NONE, Payload::Function(f));
        assert_eq!(call, Some(vec![Type::I8, Type::F64]));
        let indirect = types_of(Op::CallIndirect, Type::function(sig), Payload::None);
        assert_eq!(indirect, Some(vec![Type::I8, Type::F64]));
        assert_eq!(types_of(Op::ReturnCall, Type::NONE, Payload::Function(f)), Some(vec![]));
    }

    #[test]
    fn the_field_that_a_path_leads_to_is_the_result() {
        let mut module = Module::new("m");
        let pair =
            module.types.structure(&[Type::I8, Type::F32], crate::types::Packing::Natural).unwrap();
        let mut body = Body::default();
        let path = Payload::Immediates(body.immediate_list(&[1]));
        let data = InstData::new(Op::ExtractValue, pair, Default::default(), path);
        assert_eq!(result_types(&module, &body, &data).unwrap().as_slice(), [Type::F32]);
        let path = Payload::Immediates(body.immediate_list(&[2]));
        let data = InstData::new(Op::ExtractValue, pair, Default::default(), path);
        assert_eq!(result_types(&module, &body, &data), None);
    }
}
