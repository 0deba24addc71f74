//! Calling functions of the prelude.

use brolga_ir::entity::{FuncId, Value};
use brolga_ir::instruction::{InstData, Payload};
use brolga_ir::module::Linkage;
use brolga_ir::op::Op;
use brolga_ir::types::Type;

use super::{Editor, PassContext, PassError, PassResult};
use crate::prelude;

impl PassContext<'_> {
    /// The function of the prelude, declared as an import at its first use.
    pub(crate) fn prelude_function(&mut self, name: &str) -> PassResult<FuncId> {
        let missing =
            || PassError::signature(format!("@{name}"), "the prelude has no such function");
        let source = prelude::module().function_named(name).ok_or_else(missing)?;
        if let Some(known) = self.module.function_named(name) {
            let is_it = self.module.signature_of(known) == prelude::module().signature_of(source);
            let another = || PassError::ReservedName { name: name.into() };
            return is_it.then_some(known).ok_or_else(another);
        }
        // Its parameters and results are scalars and vectors, which have the
        // same handle in every module.
        let signature = prelude::module().signature_of(source).clone();
        let sig = self.module.types.signature(signature).map_err(|_| missing())?;
        let made = self.module.declare_function(name, sig, Linkage::Import);
        made.map_err(|_| missing())
    }
}

impl Editor<'_, '_> {
    /// What the prelude does for an op from `from` to `to`.
    pub(crate) fn prelude(
        &mut self,
        op: Op,
        from: Type,
        to: Type,
        args: &[Value],
    ) -> PassResult<Value> {
        Ok(self.prelude_both(op, from, to, args)?.0)
    }

    /// Both results of what the prelude does; the only one twice.
    pub(crate) fn prelude_both(
        &mut self,
        op: Op,
        from: Type,
        to: Type,
        args: &[Value],
    ) -> PassResult<(Value, Value)> {
        let missing = || self.illegal(format!("nothing computes `{op}` at {to} from {from}"));
        let name = prelude::function_for(op, from, to).ok_or_else(missing)?;
        self.call_for_both(name, args)
    }

    fn call_for_both(&mut self, name: &str, args: &[Value]) -> PassResult<(Value, Value)> {
        let function = self.context.prelude_function(name)?;
        let results: Vec<Type> =
            self.context.module.signature_of(function).result_types().collect();
        let args = self.body.list(args);
        let data = InstData::new(Op::Call, Type::NONE, args, Payload::Function(function));
        let call = self.insert(data, &results);
        match *self.body.results(call) {
            [one] => Ok((one, one)),
            [first, second, ..] => Ok((first, second)),
            [] => Err(PassError::signature(format!("@{name}"), "it gives no result")),
        }
    }
}
