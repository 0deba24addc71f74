//! Inline assembly: a function of the host where the user names one, ops where the
//! template is known. An empty one is a barrier that nothing is known to pass.

mod template;

use super::function::Translator;
use super::types::Carrier;
use crate::attribute::Order;
use crate::entity::Value;
use crate::instruction::Payload;
use crate::llvm::syntax::{Asm, Call, ConstantData, Operand, TypeId};
use crate::module::{Linkage, Symbol};
use crate::op::Op;
use crate::text::{Code, Parsed, Reported};
use crate::types::{Signature, Type};
use template::Template;

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

impl<'t> Translator<'_, 't> {
    /// Translates inline assembly.
    pub(super) fn assembly(&mut self, call: &Call) -> Parsed<Option<Value>> {
        let Operand::Constant(id) = call.callee else { return Ok(None) };
        let ConstantData::Asm(asm) = self.constant_of(id).data.clone() else { return Ok(None) };
        let args = self.call_args(call).iter().map(|&arg| self.value(arg));
        let args: Vec<Value> = args.collect::<Parsed<_>>()?;
        let result = self.call_result(call)?;
        if let Some(name) = self.host_function(&asm) {
            return self.call_host(name, &args, result);
        }
        let constraints = std::str::from_utf8(&asm.constraints).ok();
        let constraints = constraints.and_then(Constraints::parse);
        let (Some(template), Some(constraints)) = (template::known(&asm.template), constraints)
        else {
            return Err(self.refuse_assembly(&asm));
        };
        if constraints.args != args.len() {
            return Err(self.invalid("the constraints count other operands than the call has"));
        }
        self.emit_template(template, constraints.memory && asm.side_effect);
        let mut opaque: Vec<Value> = args.iter().map(|&arg| self.opaque(arg)).collect();
        if self.shared.is_void(result) {
            return Ok(None);
        }
        let tied = match template {
            Template::Empty | Template::Fence => &*constraints.results,
            // No result is that of an operand.
            Template::Capabilities | Template::Counter => &vec![None; constraints.results.len()],
            Template::SwapBytes => {
                self.swap_operand(&asm, &constraints, &mut opaque)?;
                &*constraints.results
            }
        };
        let counter = match template {
            Template::Counter => self.call_c("clock", &[], Some(Type::I64))?,
            _ => None,
        };
        self.assembly_result(result, tied, &opaque, counter).map(Some)
    }

    /// What a template orders.
    fn emit_template(&mut self, template: Template, is_barrier: bool) {
        if template == Template::Fence {
            self.emit_fence(Order::SequentiallyConsistent);
        } else if is_barrier {
            self.emit_fence(Order::AcquireRelease);
        }
    }

    /// Turns the bytes of the operand round that the result stands in the place of.
    fn swap_operand(
        &mut self,
        asm: &Asm<'_>,
        constraints: &Constraints,
        args: &mut [Value],
    ) -> Parsed<()> {
        let [Some(index)] = constraints.results[..] else {
            return Err(self.refuse_assembly(asm));
        };
        let ty = self.body.value_type(args[index]);
        // The template says how wide a word it swaps, if not the operand.
        let is_half = asm.template.windows(3).any(|three| three == b"rw " || three == b"lw ");
        let fits = match ty {
            Type::I16 => is_half,
            Type::I32 => !is_half && !asm.template.starts_with(b"bswapq"),
            Type::I64 => !is_half && !asm.template.starts_with(b"bswapl"),
            _ => false,
        };
        if !fits {
            return Err(self.refuse_assembly(asm));
        }
        args[index] = self.op(Op::Bswap, ty, &[args[index]]);
        Ok(())
    }

    fn emit_fence(&mut self, order: Order) {
        self.emit(Op::Fence, Type::NONE, &[], Payload::Order(order), &[]);
    }

    /// The value, of which nothing is known.
    fn opaque(&mut self, value: Value) -> Value {
        let ty = self.body.value_type(value);
        self.op(Op::Opaque, ty, &[value])
    }

    /// What a template gives: of each result the argument in the same register, or a
    /// part of `counter`, or nothing in particular.
    fn assembly_result(
        &mut self,
        result: TypeId,
        tied: &[Option<usize>],
        args: &[Value],
        counter: Option<Value>,
    ) -> Parsed<Value> {
        let (carrier, parts) = self.assembly_parts(result, tied.len())?;
        let mut values = Vec::with_capacity(parts.len());
        for (index, (&part, tied)) in parts.iter().zip(tied).enumerate() {
            let value = match (tied.and_then(|index| args.get(index)), counter) {
                (Some(&value), _) => value,
                (None, Some(counter)) => self.counter_part(counter, index, parts.len(), part)?,
                (None, None) => self.zero_of(part)?,
            };
            if self.body.value_type(value) != part {
                return Err(self.unsupported("a result of assembly is tied to another type"));
            }
            values.push(value);
        }
        Ok(match values[..] {
            [value] if parts[0] == carrier => value,
            _ => self.op(Op::MakeAggregate, carrier, &values),
        })
    }

    /// The type of what a template with so many results gives, and of each of them.
    fn assembly_parts(&mut self, result: TypeId, count: usize) -> Parsed<(Type, Vec<Type>)> {
        let carrier = self.ty(result)?;
        let parts: Vec<Type> = match carrier.is_aggregate() && count != 1 {
            true => {
                let types = &self.shared.module.types;
                (0..types.field_count(carrier)).filter_map(|i| types.field(carrier, i)).collect()
            }
            false => vec![carrier],
        };
        match parts.len() == count {
            true => Ok((carrier, parts)),
            false => Err(self.invalid("the constraints count other results than the call gives")),
        }
    }

    /// The whole of a counter, or one of its two halves.
    fn counter_part(
        &mut self,
        counter: Value,
        index: usize,
        count: usize,
        ty: Type,
    ) -> Parsed<Value> {
        if !matches!(ty, Type::I32 | Type::I64) {
            return Err(self.unsupported("a counter is read as `i32` or `i64`"));
        }
        let amount = self.number(Type::I64, if index == 0 { 0 } else { 32 });
        let part = self.op(Op::Lshr, Type::I64, &[counter, amount]);
        let bits = if count == 1 { 0 } else { 32 };
        let part = self.cut(Carrier { ty: Type::I64, bits }, part);
        Ok(self.resized(part, Carrier { ty, bits: 0 }))
    }

    fn refuse_assembly(&mut self, asm: &Asm<'_>) -> Reported {
        let name = &self.shared.syntax.globals[self.id.index()].name;
        let template = String::from_utf8_lossy(&asm.template);
        let shown: String = template.chars().take(80).collect();
        let message = format!("`@{name}` holds assembly that is not known here: `{shown}`");
        self.shared.report.add(Code::LlvmAssembly, self.at, message)
    }

    /// The function that the user gives for a template.
    fn host_function(&self, asm: &Asm<'_>) -> Option<&'t str> {
        let template = std::str::from_utf8(&asm.template).ok()?;
        let options = self.shared.options;
        options.assembly.get(template).map(String::as_str)
    }

    /// Calls a function of the host with the operands of a template.
    fn call_host(&mut self, name: &str, args: &[Value], result: TypeId) -> Parsed<Option<Value>> {
        let (carrier, results) = match self.shared.is_void(result) {
            true => (None, vec![]),
            false => {
                let carrier = self.ty(result)?;
                let types = &self.shared.module.types;
                let fields =
                    (0..types.field_count(carrier)).filter_map(|i| types.field(carrier, i));
                let results = if carrier.is_aggregate() { fields.collect() } else { vec![carrier] };
                (Some(carrier), results)
            }
        };
        let params: Vec<Type> = args.iter().map(|&arg| self.body.value_type(arg)).collect();
        let signature = Signature::internal(&params, &results);
        let module = &mut self.shared.module;
        let function = match module.symbol(name) {
            Some(Symbol::Function(id)) if *module.signature_of(id) == signature => Ok(id),
            Some(_) => Err(format!("`@{name}` has another type than a template it stands for")),
            None => match module.types.signature(signature) {
                Ok(sig) => module
                    .declare_function(name, sig, Linkage::Import)
                    .map_err(|error| error.to_string()),
                Err(error) => Err(error.to_string()),
            },
        };
        let function = function.map_err(|error| self.unsupported(error))?;
        let payload = Payload::Function(function);
        let call = self.emit(Op::Call, Type::NONE, args, payload, &results);
        let values = self.body.results(call).to_vec();
        Ok(match carrier {
            None => None,
            Some(carrier) if carrier.is_aggregate() => {
                Some(self.op(Op::MakeAggregate, carrier, &values))
            }
            Some(_) => values.first().copied(),
        })
    }
}
