//! Calls with other arguments than the function names: those of functions of
//! variable arguments, and those by the platform's convention that C leaves to luck.
//!
//! The arguments behind the named ones stand in memory as compiled code lays
//! them out on x86-64: none in a register, each at a multiple of eight bytes.

use super::{Flow, Machine, Site, Stop};
use crate::constant::mask;
use crate::datum::Datum;
use crate::interpret::eval::Datums;
use crate::interpret::program::Definition;
use crate::types::{Convention, Layout, Passing, Scalar, Type, TypePool};
use crate::va_list;

/// What the area of those arguments and the `va_list` are aligned to.
const AREA_ALIGN: u64 = 16;

/// The slot that traps name for what stands behind the named arguments, and for bytes
/// that are passed by value.
pub(super) const ARGUMENTS_TAG: u32 = u32::MAX;

/// An argument behind the named ones.
struct Further {
    ty: Type,
    passing: Passing,
    value: Datum,
}

impl Further {
    /// What it takes in memory.
    fn layout(&self, types: &TypePool) -> Layout {
        match self.passing {
            Passing::ByValue { size, align_log2 } => {
                Layout { size: size.into(), align: 8.max(1 << align_log2.min(32)) }
            }
            _ => {
                let size = types.layout(self.ty).size;
                Layout { size, align: if size > 8 { 16 } else { 8 } }
            }
        }
    }
}

impl<'m> Machine<'m> {
    /// Starts the call that an instruction makes with its operands from `first` on.
    pub(super) fn enter_from(
        &mut self,
        site: Site<'_, 'm>,
        function: usize,
        mut args: Datums,
        first: usize,
    ) -> Result<Flow, Stop> {
        let called = site.step.data.ty.signature();
        let called = called.map(|sig| self.program.types(site.code.module).sig(sig));
        let linked = self.program.functions.get(function);
        if !linked.is_some_and(|linked| matches!(linked.definition, Definition::VariadicBody)) {
            return self.enter(function, args);
        }
        self.check_interrupt()?;
        let named = self.program.signature(function).params.len();
        let body = site.code.body;
        let types: Vec<Type> =
            body.args(site.step.inst).iter().map(|&arg| body.value_type(arg)).collect();
        let mut further = Vec::new();
        for (index, value) in args.drain(named.min(args.len())..).enumerate() {
            let param = called.and_then(|signature| signature.params.get(named + index));
            let passing = param.map_or(Passing::Plain, |param| param.passing);
            let ty = types.get(first + named + index).copied().unwrap_or(Type::NONE);
            further.push(Further { ty, passing, value });
        }
        self.push_with(function, args, &further, site.code.module)?;
        Ok(Flow::Activation)
    }

    /// As [`push`](Self::push), of a function of variable arguments that is
    /// called with no further ones.
    pub(super) fn push_variadic(&mut self, function: usize, args: Datums) -> Result<(), Stop> {
        let module = self.program.functions[function].module;
        self.push_with(function, args, &[], module)
    }

    fn push_with(
        &mut self,
        function: usize,
        mut args: Datums,
        further: &[Further],
        module: usize,
    ) -> Result<(), Stop> {
        let types = self.program.types(module);
        let list = args.len();
        args.push(Datum::Scalar(0));
        self.push(function, args)?;
        let mut places = Vec::with_capacity(further.len());
        let mut size = 0_u64;
        for argument in further {
            let layout = argument.layout(types);
            let start = size.next_multiple_of(layout.align);
            size = start + layout.size.next_multiple_of(8);
            places.push(start);
        }
        let area = self.argument_object(function, size, AREA_ALIGN)?;
        for (argument, start) in further.iter().zip(places) {
            self.put_argument(types, argument, area + start)?;
        }
        let address = self.argument_object(function, va_list::SIZE as u64, AREA_ALIGN)?;
        let mut bytes = [0; va_list::SIZE];
        let mut put = |at: usize, part: &[u8]| bytes[at..at + part.len()].copy_from_slice(part);
        // The registers are used up.
        put(va_list::INTEGER_OFFSET, &va_list::INTEGERS_END.to_le_bytes());
        put(va_list::FLOAT_OFFSET, &va_list::FLOATS_END.to_le_bytes());
        put(va_list::NEXT_IN_MEMORY, &area.to_le_bytes());
        self.memory.write(address, &bytes)?;
        let param = self.top()?.code.params.get(list).copied();
        if let Some(param) = param {
            self.set_bits(param, address.into());
        }
        Ok(())
    }

    fn put_argument(
        &mut self,
        types: &TypePool,
        argument: &Further,
        address: u64,
    ) -> Result<(), Stop> {
        if let Passing::ByValue { size, .. } = argument.passing {
            self.charge_bytes(size.into())?;
            return Ok(self.memory.copy(address, argument.value.bits() as u64, size.into())?);
        }
        let mut bytes = vec![0; types.layout(argument.ty).size as usize];
        argument.value.write_bytes(types, argument.ty, &mut bytes);
        Ok(self.memory.write(address, &bytes)?)
    }

    /// The arguments of a call by the platform's convention, as a function that
    /// is declared otherwise finds them: nothing where C makes no sense of it.
    pub(super) fn adapt(
        &self,
        site: Site<'_, 'm>,
        function: usize,
        args: Datums,
    ) -> Option<Datums> {
        let linked = self.program.functions.get(function)?;
        let sig = site.step.data.ty.signature()?;
        let (called, defined) =
            (self.program.types(site.code.module).sig(sig), self.program.signature(function));
        let (own, other) =
            (self.program.types(linked.module), self.program.types(site.code.module));
        let same =
            |(a, b): (Type, Type)| own.display(a).to_string() == other.display(b).to_string();
        let has_results = called.results.is_empty()
            || called.results.len() == defined.results.len()
                && defined.result_types().zip(called.result_types()).all(same);
        let is_foreign = linked.function.linkage.is_foreign();
        match (has_results, is_foreign, called.convention) {
            (true, true, _) => return Some(args),
            (true, false, Convention::Platform) => {}
            _ => return None,
        }
        let body = site.code.body;
        let operands = body.args(site.step.inst).get(1..).unwrap_or(&[]);
        let mut given =
            args.into_iter().zip(operands).map(|(arg, &value)| (arg, body.value_type(value)));
        let named = defined.param_types().map(|ty| match given.next() {
            Some((arg, from)) => cut(arg, from, ty).filter(|arg| arg.fits(own, ty)),
            None => Some(Datum::zero(own, ty)),
        });
        let mut named = named.collect::<Option<Datums>>()?;
        if matches!(linked.definition, Definition::VariadicBody) {
            named.extend(given.map(|(arg, _)| arg));
        }
        Some(named)
    }
}

/// What a parameter of type `to` finds where a value of type `from` was passed.
fn cut(value: Datum, from: Type, to: Type) -> Option<Datum> {
    let is_word = |scalar: Scalar| {
        scalar == Scalar::I1 || scalar.is_int() && scalar != Scalar::I128 || scalar.is_address()
    };
    match (from.as_scalar(), to.as_scalar()) {
        (Some(a), Some(b)) if is_word(a) && is_word(b) => {
            Some(Datum::Scalar(value.bits() & mask(b.bits())))
        }
        _ => Some(value),
    }
}
