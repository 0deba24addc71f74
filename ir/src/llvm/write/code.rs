//! Code in the making: lines, temporaries, labels, and what stands aside.

use std::collections::BTreeSet;
use std::fmt::{self, Write as _};

use super::region::Handlers;
use super::types::{self, Shape, scalar_text};
use super::{Shared, constant, name};
use crate::attribute::InstFlags;
use crate::body::Body;
use crate::entity::{Block, EntityRef, FuncId, Inst, Value};
use crate::flow::FlowGraph;
use crate::instruction::InstData;
use crate::module::Symbol;
use crate::types::{Scalar, Signature, Type, TypePool};

/// An edge that leads to a block: its label there, and what it gives.
pub(super) struct Incoming {
    pub(super) label: String,
    pub(super) args: Vec<Value>,
}

/// An operand with its type.
#[derive(Clone)]
pub(super) struct Typed {
    pub(super) ty: String,
    pub(super) text: String,
}

impl Typed {
    pub(super) fn pointer(text: String) -> Typed {
        Typed { ty: "ptr".to_owned(), text }
    }

    pub(super) fn pair(&self) -> (&str, &str) {
        (&self.ty, &self.text)
    }
}

impl fmt::Display for Typed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.ty, self.text)
    }
}

/// A function in the making.
pub(super) struct FunctionWriter<'w, 'm> {
    pub(super) shared: &'w mut Shared<'m>,
    pub(super) body: &'m Body,
    pub(super) signature: &'m Signature,
    /// The text of the blocks.
    pub(super) code: String,
    /// What stands behind them: traps, handlers, edges with blocks of their own.
    pub(super) aside: String,
    /// Where in the text the blocks begin: their parameters are known only at the end.
    pub(super) heads: Vec<(usize, Block)>,
    /// The edges to each block.
    pub(super) incoming: Vec<Vec<Incoming>>,
    /// The block of LLVM's that is being written.
    pub(super) label: String,
    pub(super) regions: Handlers,
    /// Whether a throw is caught.
    pub(super) catches: bool,
    /// The traps that there is a block for.
    pub(super) traps: BTreeSet<u32>,
    /// Bytes that exits need for the values that they take along.
    pub(super) exit_space: u64,
    /// Whether it calls what may return again.
    pub(super) returns_again: bool,
    /// The name of the list of further arguments, in a function that has one.
    pub(super) list: Option<String>,
    /// Types that need a place in memory of their own, one for each `opaque`.
    pub(super) places: Vec<String>,
    temporaries: u32,
    labels: u32,
    /// Where the line of the last temporary begins.
    last: usize,
}

impl<'w, 'm> FunctionWriter<'w, 'm> {
    pub(super) fn new(
        shared: &'w mut Shared<'m>,
        body: &'m Body,
        signature: &'m Signature,
        graph: &FlowGraph,
    ) -> FunctionWriter<'w, 'm> {
        FunctionWriter {
            regions: Handlers::of(body, graph),
            incoming: (0..body.block_count()).map(|_| Vec::new()).collect(),
            shared,
            body,
            signature,
            code: String::new(),
            aside: String::new(),
            heads: Vec::new(),
            label: String::new(),
            catches: false,
            traps: BTreeSet::new(),
            exit_space: 0,
            returns_again: false,
            list: None,
            places: Vec::new(),
            temporaries: 0,
            labels: 0,
            last: 0,
        }
    }

    pub(super) fn types(&self) -> &'m TypePool {
        &self.shared.module.types
    }

    pub(super) fn data(&self, inst: Inst) -> &'m InstData {
        self.body.inst(inst)
    }

    /// An instruction without a result.
    pub(super) fn line(&mut self, text: fmt::Arguments<'_>) {
        // Writing to a string does not fail.
        let _ = writeln!(self.code, "  {text}");
    }

    /// An instruction whose result is a temporary.
    pub(super) fn temporary(&mut self, text: fmt::Arguments<'_>) -> String {
        let name = self.new_name();
        self.last = self.code.len();
        self.define(&name, text);
        name
    }

    /// A name for a temporary.
    pub(super) fn new_name(&mut self) -> String {
        self.temporaries += 1;
        format!("%t{}", self.temporaries)
    }

    pub(super) fn define(&mut self, name: &str, text: fmt::Arguments<'_>) {
        let _ = writeln!(self.code, "  {name} = {text}");
    }

    /// An instruction whose result is the first of `inst`.
    pub(super) fn give(&mut self, inst: Inst, text: fmt::Arguments<'_>) {
        self.give_nth(inst, 0, text);
    }

    pub(super) fn give_nth(&mut self, inst: Inst, index: usize, text: fmt::Arguments<'_>) {
        if let Some(result) = self.body.results(inst).get(index) {
            let _ = writeln!(self.code, "  %v{} = {text}", result.index());
        }
    }

    /// Makes an operand, which nothing else uses from here on, the first result
    /// of `inst`: LLVM has no other name for a value than where it is defined.
    pub(super) fn give_operand(&mut self, inst: Inst, operand: &str) {
        let Some(&result) = self.body.results(inst).first() else { return };
        if self.rename_last(operand, result) {
            return;
        }
        let ty = self.body.value_type(result);
        let text = self.type_text(ty);
        match ty.is_aggregate() {
            true => {
                let both = format!("{text} {operand}, {text} {operand}");
                self.give(inst, format_args!("select i1 true, {both}"));
            }
            false => self.give(inst, format_args!("bitcast {text} {operand} to {text}")),
        }
    }

    /// Gives the result of the last line the name of a value instead of `operand`,
    /// if that is what it defines.
    fn rename_last(&mut self, operand: &str, result: Value) -> bool {
        let line = self.code.get(self.last..).unwrap_or_default();
        let definition = line.strip_prefix("  ").and_then(|line| line.strip_prefix(operand));
        let is_last = line.find('\n').is_some_and(|end| end + 1 == line.len());
        let is_temporary = operand.starts_with("%t");
        let fits = is_temporary && is_last && definition.is_some_and(|it| it.starts_with(" = "));
        if fits {
            let name = self.last + 2;
            self.code.replace_range(name..name + operand.len(), &format!("%v{}", result.index()));
        }
        fits
    }

    /// A value as an operand, without its type.
    pub(super) fn operand(&self, value: Value) -> String {
        match self.body.as_constant(value) {
            Some(constant) => constant::constant_text(constant),
            None => format!("%v{}", value.index()),
        }
    }

    /// The operand of that index.
    pub(super) fn arg(&self, inst: Inst, index: usize) -> String {
        self.body.args(inst).get(index).map_or_else(String::new, |&value| self.operand(value))
    }

    pub(super) fn arg_type(&self, inst: Inst, index: usize) -> Type {
        self.body.args(inst).get(index).map_or(Type::NONE, |&value| self.body.value_type(value))
    }

    /// A value as an operand, with its type.
    pub(super) fn typed(&self, value: Value) -> Typed {
        Typed { ty: self.type_text(self.body.value_type(value)), text: self.operand(value) }
    }

    /// The operand of that index, with its type.
    pub(super) fn typed_arg(&self, inst: Inst, index: usize) -> Typed {
        match self.body.args(inst).get(index) {
            Some(&value) => self.typed(value),
            None => Typed { ty: String::new(), text: String::new() },
        }
    }

    pub(super) fn type_text(&self, ty: Type) -> String {
        types::type_text(self.types(), ty)
    }

    pub(super) fn function_name(&self, id: FuncId) -> String {
        name::symbol(self.shared.module.symbol_name(Symbol::Function(id)))
    }

    /// The permissions of an instruction.
    pub(super) fn permissions(&self, inst: Inst) -> &'static str {
        let flags = self.data(inst).flags;
        let [contract, reassociate] =
            [InstFlags::CONTRACT, InstFlags::REASSOCIATE].map(|flag| flags.contains(flag));
        match (contract, reassociate) {
            (false, false) => "",
            (true, false) => "contract ",
            (false, true) => "reassoc ",
            (true, true) => "reassoc contract ",
        }
    }

    /// A name for a block of LLVM's.
    pub(super) fn new_label(&mut self) -> String {
        self.labels += 1;
        format!("c{}", self.labels)
    }

    /// Begins a block of LLVM's.
    pub(super) fn start(&mut self, label: String) {
        let _ = writeln!(self.code, "{label}:");
        self.label = label;
    }

    /// Writes behind the blocks of the function.
    pub(super) fn write_aside(&mut self, label: String, work: impl FnOnce(&mut Self)) {
        std::mem::swap(&mut self.code, &mut self.aside);
        let before = std::mem::take(&mut self.label);
        self.start(label);
        work(self);
        self.label = before;
        std::mem::swap(&mut self.code, &mut self.aside);
    }

    /// Goes on only if `condition` holds, else leaves by the trap of that number.
    pub(super) fn require(&mut self, condition: &str, number: u32) {
        let (on, out) = (self.new_label(), format!("trap{number}"));
        self.line(format_args!("br i1 {condition}, label %{on}, label %{out}"));
        if self.traps.insert(number) {
            self.write_aside(out, |writer| writer.write_trap(number));
        }
        self.start(on);
    }

    /// Stops execution.
    pub(super) fn write_trap(&mut self, number: u32) {
        self.require_trap();
        self.line(format_args!("call void @brolga.trap(i32 {number})"));
        self.line(format_args!("unreachable"));
    }

    /// A call of one of LLVM's intrinsics that is overloaded on one type, which
    /// all operands and the result have.
    pub(super) fn lanewise(
        &mut self,
        name: &str,
        shape: Shape,
        lane: Scalar,
        operands: &[&str],
    ) -> String {
        self.lanewise_with(name, shape, lane, operands, &[])
    }

    /// The same with further operands of other types.
    pub(super) fn lanewise_with(
        &mut self,
        name: &str,
        shape: Shape,
        lane: Scalar,
        operands: &[&str],
        more: &[(&str, &str)],
    ) -> String {
        let ty = shape.of(scalar_text(lane));
        let name = format!("{name}.{}", shape.suffix(types::scalar_suffix(lane)));
        let operands = operands.iter().map(|&operand| (ty.as_str(), operand));
        let operands: Vec<(&str, &str)> = operands.chain(more.iter().copied()).collect();
        self.intrinsic(&name, &ty, &operands)
    }

    /// A call of a function of LLVM's: its name, what it gives, and its
    /// operands with their types.
    pub(super) fn intrinsic(
        &mut self,
        name: &str,
        result: &str,
        operands: &[(&str, &str)],
    ) -> String {
        self.shared.require(name, || {
            let params: Vec<&str> = operands.iter().map(|(ty, _)| *ty).collect();
            format!("declare {result} @{name}({})\n", params.join(", "))
        });
        let operands: Vec<String> =
            operands.iter().map(|(ty, operand)| format!("{ty} {operand}")).collect();
        format!("call {result} @{name}({})", operands.join(", "))
    }
}
