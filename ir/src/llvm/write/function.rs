//! Functions: prototypes, blocks, and where the values of block parameters
//! come from.

use std::fmt::Write as _;

use super::code::FunctionWriter;
use super::rule::write_inst;
use super::types::{passed_text, push_prototype};
use super::{Shared, WriteError, name};
use crate::body::{Body, Initial};
use crate::entity::{Block, EntityRef, FuncId, Value};
use crate::flow::FlowGraph;
use crate::module::{Function, Inlining, Linkage, Module, Returns, Temperature};
use crate::types::Arity;

/// Bytes of the largest `va_list` of a platform.
const LIST_SIZE: u32 = 32;

/// What fills a `va_list`, by the name that every version of LLVM knows.
const START: &str = "llvm.va_start";

/// What keeps LLVM from taking a function for the one of C that has its name: that of
/// C leaves open what some arguments come to, and need not be the one here.
const OPAQUE: &str = " nobuiltin";

/// Writes a declaration or a definition.
pub(super) fn write_function(
    text: &mut String,
    shared: &mut Shared<'_>,
    id: FuncId,
) -> Result<(), WriteError> {
    let module = shared.module;
    let Some(function) = module.function(id) else { return Ok(()) };
    let signature = module.types.sig(function.sig);
    let name = name::symbol(&function.name);
    let Some(body) = &function.body else {
        text.push_str(match function.linkage {
            Linkage::ForeignWeak => "declare extern_weak ",
            _ => "declare ",
        });
        push_prototype(text, module, signature, &name, |_| String::new());
        text.push_str(OPAQUE);
        text.push_str(match function.attributes.returns {
            Returns::Twice => " returns_twice\n",
            _ => "\n",
        });
        return Ok(());
    };
    let graph = FlowGraph::new(body);
    let mut writer = FunctionWriter::new(shared, body, signature, &graph);
    writer.returns_again = returns_again(module, body);
    writer.write_blocks(&function.name, &graph)?;
    let entry = writer.entry_params();
    if signature.arity == Arity::Variadic
        && let Some(list) = entry.last()
    {
        writer.shared.require(START, || format!("declare void @{START}(ptr)\n"));
        writer.list = Some(format!("%v{}", list.index()));
    }
    text.push_str(match function.linkage {
        _ if writer.shared.lists.contains(id) => "\ndefine internal ",
        Linkage::Local => "\ndefine internal ",
        Linkage::Weak => "\ndefine weak ",
        _ => "\ndefine ",
    });
    push_prototype(text, module, signature, &name, |index| {
        entry.get(index).map_or_else(String::new, |&param| writer.param_name(param))
    });
    push_attributes(text, function);
    if writer.catches {
        text.push_str(" personality ptr @__gxx_personality_v0");
    }
    text.push_str(" {\n");
    writer.assemble(text);
    text.push_str("}\n");
    Ok(())
}

fn push_attributes(text: &mut String, function: &Function) {
    text.push_str(OPAQUE);
    text.push_str(match function.attributes.inlining {
        Inlining::Auto => "",
        Inlining::Always => " alwaysinline",
        Inlining::Never => " noinline",
    });
    if function.attributes.temperature == Temperature::Cold {
        text.push_str(" cold");
    }
}

/// Whether a body calls a function that may return again.
fn returns_again(module: &Module, body: &Body) -> bool {
    let insts = body.layout.all_insts();
    let mut callees = insts.filter_map(|inst| module.function(body.inst(inst).function()?));
    callees.any(|callee| callee.attributes.returns == Returns::Twice)
}

/// An instruction that says nothing of what it does with an address: what is there stays in
/// memory, which a second return then finds as it was left.
pub(super) fn hidden(address: &str) -> String {
    format!("call void asm sideeffect \"\", \"r\"(ptr {address})")
}

/// The label of a block.
pub(super) fn label_of(block: Block) -> String {
    format!("b{}", block.index())
}

impl<'m> FunctionWriter<'_, 'm> {
    /// Writes all blocks that execution can come to, handlers included.
    fn write_blocks(&mut self, name: &str, graph: &FlowGraph) -> Result<(), WriteError> {
        for block in self.body.layout.blocks().filter(|&block| graph.is_reachable(block)) {
            self.heads.push((self.code.len(), block));
            self.label = label_of(block);
            self.regions.arrive(block);
            if self.body.layout.entry() == Some(block) {
                self.write_entry();
            }
            for inst in self.body.layout.insts(block) {
                write_inst(self, inst)
                    .map_err(|op| WriteError::Op { op, function: name.into() })?;
            }
        }
        Ok(())
    }

    fn entry_params(&self) -> &'m [Value] {
        let body: &'m Body = self.body;
        body.layout.entry().map_or(&[], |entry| body.params(entry))
    }

    /// The type by which the platform passes a parameter, if that is another one.
    fn other_type(&self, param: Value) -> Option<String> {
        let ty = self.body.value_type(param);
        let passed = passed_text(self.types(), self.signature, ty);
        (passed != self.type_text(ty)).then_some(passed)
    }

    fn param_name(&self, param: Value) -> String {
        let kind = if self.other_type(param).is_some() { 'p' } else { 'v' };
        format!("%{kind}{}", param.index())
    }

    /// What stands before the first instruction.
    fn write_entry(&mut self) {
        for &param in self.entry_params() {
            if let Some(passed) = self.other_type(param) {
                let (ty, index) = (self.type_text(self.body.value_type(param)), param.index());
                self.define(
                    &format!("%v{index}"),
                    format_args!("bitcast {passed} %p{index} to {ty}"),
                );
            }
        }
        self.clear_slots();
    }

    /// Slots are zero before the first store.
    fn clear_slots(&mut self) {
        for (slot, data) in self.body.slots() {
            if data.initial == Initial::Zeroed {
                self.clear_slot(slot);
            }
        }
    }

    /// Puts the function together: heads of blocks before their code, and what
    /// stands aside behind all.
    fn assemble(mut self, text: &mut String) {
        let heads = std::mem::take(&mut self.heads);
        let ends = heads.iter().skip(1).map(|&(at, _)| at).chain([self.code.len()]);
        for (index, (&(start, block), end)) in heads.iter().zip(ends).enumerate() {
            let _ = writeln!(text, "{}:", label_of(block));
            match index {
                0 => self.push_places(text),
                _ => self.push_params(text, block),
            }
            text.push_str(&self.code[start..end]);
        }
        text.push_str(&self.aside);
    }

    /// The memory that an activation has.
    fn push_places(&self, text: &mut String) {
        for (slot, data) in self.body.slots() {
            let align = 1u32 << data.align_log2;
            let _ = writeln!(text, "  %{slot} = alloca [{} x i8], align {align}", data.size);
        }
        if self.returns_again {
            for (slot, _) in self.body.slots() {
                let _ = writeln!(text, "  {}", hidden(&format!("%{slot}")));
            }
        }
        for (index, ty) in self.places.iter().enumerate() {
            let _ = writeln!(text, "  %place{index} = alloca {ty}");
        }
        if let Some(list) = &self.list {
            let _ = writeln!(text, "  {list} = alloca [{LIST_SIZE} x i8], align 16");
            let _ = writeln!(text, "  call void @{START}(ptr {list})");
        }
        if self.exit_space != 0 {
            let _ = writeln!(text, "  %exit = alloca [{} x i8], align 16", self.exit_space);
        }
    }

    /// The parameters of a block: what each edge gives for them.
    fn push_params(&self, text: &mut String, block: Block) {
        for (index, &param) in self.body.params(block).iter().enumerate() {
            let ty = self.type_text(self.body.value_type(param));
            let _ = write!(text, "  %v{} = phi {ty} ", param.index());
            for (number, edge) in self.incoming[block.index()].iter().enumerate() {
                let comma = if number == 0 { "" } else { ", " };
                let value = edge.args.get(index).map(|&arg: &Value| self.operand(arg));
                let _ = write!(text, "{comma}[ {}, %{} ]", value.unwrap_or_default(), edge.label);
            }
            text.push('\n');
        }
    }
}
