//! What waits for the end of a function: literals for the blocks that type
//! them, and uses for definitions that never come.

use super::function::{Argument, FunctionParser};
use crate::entity::EntitySet;
use crate::text::diagnostic::Code;

impl FunctionParser<'_, '_> {
    /// Reads the literals whose types the parameters of later blocks give.
    pub(super) fn resolve_deferred(&mut self) {
        let limit = self.cursor.limit();
        for deferred in std::mem::take(&mut self.deferred) {
            let Some(target) = self.body.targets(deferred.inst).get(deferred.target).copied()
            else {
                continue;
            };
            let mut values = Vec::with_capacity(deferred.arguments.len());
            for (i, argument) in deferred.arguments.iter().enumerate() {
                let value = match *argument {
                    Argument::Value(value) => Ok(value),
                    Argument::Literal(bookmark) => {
                        self.cursor.restore(bookmark, limit);
                        let param = self.body.params(target.block).get(i).copied();
                        let ty = param.map(|param| self.body.value_type(param));
                        self.literal(ty)
                    }
                };
                let Ok(value) = value else { break };
                values.push(value);
            }
            let list = self.body.list(&values);
            if let Some(target) = self.body.targets_mut(deferred.inst).get_mut(deferred.target) {
                target.args = list;
            }
        }
    }

    pub(super) fn refuse_undefined(&mut self) {
        let mut seen = EntitySet::new();
        for (value, token) in std::mem::take(&mut self.early_values) {
            if !self.defined.contains(value) && seen.insert(value) {
                let message = format!("`{}` is defined nowhere", self.cursor.excerpt(token));
                self.cursor.error(Code::UndefinedValue, token, message);
            }
        }
        let mut seen = EntitySet::new();
        for (block, token) in std::mem::take(&mut self.early_blocks) {
            if !self.body.layout.is_placed(block) && seen.insert(block) {
                let message = format!("the block `{}` stands nowhere", self.cursor.excerpt(token));
                self.cursor.error(Code::UndefinedBlock, token, message);
            }
        }
    }
}
