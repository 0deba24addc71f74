//! Parameters, terminators and edges of blocks.

use super::Rule;
use super::function::{Checker, counted};
use super::report::At;
use crate::body::ValueDef;
use crate::entity::{Block, Inst};
use crate::instruction::Target;
use crate::types::Type;

impl Checker<'_, '_> {
    pub(super) fn check_block(&mut self, block: Block) {
        self.check_params(block);
        let last = self.body.layout.last_inst(block);
        for inst in self.insts(block) {
            let op = self.body.inst(inst).op;
            if op.is_terminator() && Some(inst) != last {
                let message = format_args!("`{op}` ends the block, but more instructions follow");
                self.fail_flow(Rule::EarlyTerminator, At::Inst(inst), message);
            }
            self.check_inst(inst);
        }
        let ends = last
            .filter(|&inst| self.body.contains_inst(inst))
            .is_some_and(|inst| self.body.inst(inst).op.is_terminator());
        if !ends {
            let message =
                format_args!("the block does not end with a terminator, such as `return`");
            let at = last.map_or(At::Block(block), At::Inst);
            self.fail_flow(Rule::MissingTerminator, at, message);
        }
    }

    fn check_inst(&mut self, inst: Inst) {
        let before = self.report.error_count();
        self.check_shape(inst);
        // Types of operands that are none only repeat what has been said.
        if self.report.error_count() == before {
            self.check_types(inst);
            self.check_edges(inst);
            self.check_border(inst);
        }
    }

    fn check_params(&mut self, block: Block) {
        let body = self.body;
        let params = body.params(block);
        self.report.work += 1 + params.len() as u64;
        self.check_storage(body.params_list(block), At::Block(block));
        for (i, &param) in params.iter().enumerate() {
            let ty = body.value_type(param);
            if body.value_def(param) != ValueDef::Param(block, i as u32) {
                let message = format_args!("parameter {i} is a value that something else defines");
                self.fail_flow(Rule::UndefinedValue, At::Block(block), message);
            } else if !ty.is_some() || ty == Type::TOKEN {
                let name = self.show_value(param);
                let message = format_args!("the parameter {name} cannot have the type `{ty}`");
                self.fail(Rule::ParameterType, At::Block(block), message);
            } else {
                self.check_type(ty, At::Block(block));
            }
        }
        if body.layout.entry() == Some(block) {
            let expected = self.signature.entry_types();
            if !expected.eq(params.iter().map(|&param| body.value_type(param))) {
                let message =
                    format_args!("the parameters of the first block are not those of the function");
                self.fail(Rule::EntryParameters, At::Block(block), message);
            }
        }
    }

    /// The arguments of the edges of `inst` against the parameters that they are for.
    fn check_edges(&mut self, inst: Inst) {
        for target in self.body.targets(inst) {
            self.check_edge(inst, target);
        }
    }

    fn check_edge(&mut self, inst: Inst, target: &Target) {
        let body = self.body;
        let (args, params) = (body.target_args(target), body.params(target.block));
        self.report.work += 1 + args.len() as u64;
        let name = self.show_block(target.block);
        if args.len() != params.len() {
            let message = format_args!(
                "{name} has {}, but the edge has {}",
                counted(params.len(), "parameter"),
                counted(args.len(), "argument")
            );
            return self.fail(Rule::BlockArguments, At::Inst(inst), message);
        }
        for (i, (&arg, &param)) in args.iter().zip(params).enumerate() {
            let (given, expected) = (body.value_type(arg), body.value_type(param));
            if given != expected {
                let (given, expected) = (self.show(given), self.show(expected));
                let message = format_args!(
                    "argument {i} for {name} is `{given}`, the parameter is `{expected}`"
                );
                self.fail(Rule::BlockArguments, At::Inst(inst), message);
            }
        }
    }
}
