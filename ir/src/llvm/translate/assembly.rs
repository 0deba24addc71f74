//! Inline assembly: an empty template is a barrier that nothing is known to pass.

use super::function::Translator;
use crate::attribute::Order;
use crate::entity::Value;
use crate::instruction::Payload;
use crate::llvm::syntax::{Asm, Call, ConstantData, Operand, TypeId};
use crate::op::Op;
use crate::text::{Code, Parsed};
use crate::types::Type;

/// What a template does, apart from what its constraints say.
#[derive(Clone, Copy)]
enum Template {
    /// Nothing.
    Empty,
    /// Orders all accesses.
    Fence,
}

/// The template, if it is one of those whose meaning is known on every machine of ours.
fn known_template(template: &[u8]) -> Option<Template> {
    let template = std::str::from_utf8(template).ok()?;
    let lines = template.split(['\n', ';']).map(|line| {
        let line = line.split('#').next().unwrap_or_default();
        line.trim()
    });
    let mut all = Template::Empty;
    for line in lines {
        match line {
            // Hints to the processor that the thread waits, and what does nothing.
            "" | "nop" | "pause" | "rep nop" | "rep" => {}
            "mfence" => all = Template::Fence,
            _ => return None,
        }
    }
    Some(all)
}

/// What the constraints of a template say of its operands.
#[derive(Default)]
struct Constraints {
    /// For each result, the argument that stands in the same register.
    results: Vec<Option<usize>>,
    /// How many arguments there are.
    args: usize,
    /// Whether the template may read and write any memory.
    memory: bool,
}

impl Constraints {
    /// Reads constraints: results first, then arguments, then what is overwritten.
    fn parse(text: &str) -> Option<Constraints> {
        let mut all = Constraints::default();
        // Which result each output is; those in memory are arguments.
        let mut outputs = Vec::new();
        for part in text.split(',').filter(|part| !part.is_empty()) {
            match part.as_bytes()[0] {
                b'=' if part.contains('*') => {
                    outputs.push(None);
                    all.args += 1;
                }
                b'=' => {
                    outputs.push(Some(all.results.len()));
                    all.results.push(None);
                }
                b'~' => all.memory |= part == "~{memory}",
                b'!' => return None,
                _ => {
                    if let Ok(tied) = part.parse::<usize>()
                        && let Some(result) = *outputs.get(tied)?
                    {
                        all.results[result] = Some(all.args);
                    }
                    all.args += 1;
                }
            }
        }
        Some(all)
    }
}

impl Translator<'_, '_> {
    /// Translates inline assembly.
    pub(super) fn assembly(&mut self, call: &Call) -> Parsed<Option<Value>> {
        let Operand::Constant(id) = call.callee else { return Ok(None) };
        let ConstantData::Asm(asm) = self.constant_of(id).data.clone() else { return Ok(None) };
        let args = self.call_args(call).iter().map(|&arg| self.value(arg));
        let args: Vec<Value> = args.collect::<Parsed<_>>()?;
        let result = self.call_result(call)?;
        let constraints = std::str::from_utf8(&asm.constraints).ok();
        let constraints = constraints.and_then(Constraints::parse);
        let (Some(template), Some(constraints)) = (known_template(&asm.template), constraints)
        else {
            return Err(self.refuse_assembly(&asm));
        };
        if constraints.args != args.len() {
            return Err(self.invalid("the constraints count other operands than the call has"));
        }
        match template {
            Template::Fence => self.emit_fence(Order::SequentiallyConsistent),
            Template::Empty if constraints.memory && asm.side_effect => {
                self.emit_fence(Order::AcquireRelease);
            }
            Template::Empty => {}
        }
        let opaque: Vec<Value> = args.iter().map(|&arg| self.opaque(arg)).collect();
        match self.shared.is_void(result) {
            true => Ok(None),
            false => self.assembly_result(result, &constraints, &opaque).map(Some),
        }
    }

    fn emit_fence(&mut self, order: Order) {
        self.emit(Op::Fence, Type::NONE, &[], Payload::Order(order), &[]);
    }

    /// The value, of which nothing is known.
    fn opaque(&mut self, value: Value) -> Value {
        let ty = self.body.value_type(value);
        self.op(Op::Opaque, ty, &[value])
    }

    /// What a template gives that does nothing: of each result the argument in the same
    /// register, or nothing in particular.
    fn assembly_result(
        &mut self,
        result: TypeId,
        constraints: &Constraints,
        args: &[Value],
    ) -> Parsed<Value> {
        let carrier = self.ty(result)?;
        let count = constraints.results.len();
        let parts: Vec<Type> = match carrier.is_aggregate() && count != 1 {
            true => {
                let types = &self.shared.module.types;
                (0..types.field_count(carrier)).filter_map(|i| types.field(carrier, i)).collect()
            }
            false => vec![carrier],
        };
        if parts.len() != count {
            return Err(self.invalid("the constraints count other results than the call gives"));
        }
        let mut values = Vec::with_capacity(count);
        for (&part, tied) in parts.iter().zip(&constraints.results) {
            let value = match tied.and_then(|index| args.get(index)) {
                Some(&value) => value,
                None => self.zero_of(part)?,
            };
            if self.body.value_type(value) != part {
                return Err(self.unsupported("a result of assembly is tied to another type"));
            }
            values.push(value);
        }
        match values[..] {
            [value] if !carrier.is_aggregate() || parts[0] == carrier => Ok(value),
            _ => Ok(self.op(Op::MakeAggregate, carrier, &values)),
        }
    }

    fn refuse_assembly(&mut self, asm: &Asm<'_>) -> crate::text::Reported {
        let name = &self.shared.syntax.globals[self.id.index()].name;
        let template = String::from_utf8_lossy(&asm.template);
        let shown: String = template.chars().take(80).collect();
        let message = format!("`@{name}` holds assembly that is not known here: `{shown}`");
        self.shared.report.add(Code::LlvmAssembly, self.at, message)
    }
}
