//! The functions of a module in the form that emission takes, with few of them in memory at
//! a time.
//!
//! [`Prepared`] has each pass come to all functions before the next one does, and in the end
//! holds a copy of every body, grown by what it has taken over. Here all passes up to the last
//! that looks into other functions come to one function before they come to the next, and a
//! function is handed out as soon as none is left that could take over its code. What comes
//! out is the same: code is taken over only from functions with which the pass is through, and
//! these come first in both, as the order is that of the calls that were declared. That holds
//! as long as one pass alone looks into others; a module for which a second one has something
//! to do is [`Prepared`].

use std::collections::VecDeque;

use brolga_ir::entity::{EntitySet, FuncId, SecondaryMap, SigId};
use brolga_ir::module::Module;

use super::call_order::{known_outside, named_in};
use super::prepared::{Prepared, Unfinished};
use super::row::Open;
use super::runner::{Runner, change_signature};
use super::{Order, Pass, Report, RunOptions};
use crate::error::CompileError;
use crate::legal_form::ValueForm;
use crate::pass::LocalCalls;

/// What is left to do for a module, and to hand out.
#[derive(Debug)]
pub struct Stream<'a> {
    source: &'a Module,
    prepared: Prepared,
    /// Those that run here.
    passes: Vec<&'static Pass>,
    /// Which functions the last of them may look into.
    is_open: Open,
    order: std::vec::IntoIter<FuncId>,
    /// The signatures that functions have behind the pass that changes them.
    changed: SecondaryMap<FuncId, Option<SigId>>,
    /// Of how many functions to come a function is a [lender](Stream::lenders).
    borrowers: SecondaryMap<FuncId, u32>,
    through: EntitySet<FuncId>,
    /// The functions of which code is wanted, as far as that is known.
    needed: EntitySet<FuncId>,
    ready: VecDeque<FuncId>,
}

impl<'a> Stream<'a> {
    /// A verified module, and the passes that its functions are to have behind them. Nothing if
    /// they can't be handed out one by one, or if no function is open to others: then each
    /// comes out by itself at less cost.
    pub fn new(source: &'a Module, passes: &[&'static Pass]) -> Option<Stream<'a>> {
        let opens = |(at, pass): (usize, &&'static Pass)| Some((at, pass.order.opens(source)?));
        let mut opening = passes.iter().enumerate().filter_map(opens);
        let (last, is_open) = opening.next().filter(|_| opening.next().is_none())?;
        let (first, rest) = passes.split_at(last + 1);
        let forms = first.windows(2).filter(|pair| pair[0].form != pair[1].form);
        if forms.count() > 1 {
            return None;
        }
        let order = Order::BottomUp(is_open).functions(source)?.into_iter();
        let mut prepared = Prepared::start(source.without_bodies(), first, rest);
        prepared.books.inlined.set_calls(LocalCalls::of(source));
        let (others, here) = first.split_at(last);
        let others = others.iter().filter(|pass| matches!(pass.order, Order::Any));
        let mut stream = Stream {
            source,
            prepared,
            passes: others.chain(here).copied().collect(),
            is_open,
            order,
            changed: SecondaryMap::new(),
            borrowers: SecondaryMap::new(),
            through: EntitySet::new(),
            needed: EntitySet::new(),
            ready: VecDeque::new(),
        };
        known_outside(source).for_each(|id| {
            stream.needed.insert(id);
        });
        for id in source.functions().map(|(id, _)| id) {
            stream.lenders(id).into_iter().for_each(|lender| stream.borrowers[lender] += 1);
        }
        Some(stream)
    }

    /// The functions whose code another one might take over, each once.
    fn lenders(&self, function: FuncId) -> Vec<FuncId> {
        let body = self.source.function(function).and_then(|it| it.body.as_deref());
        let named = body.into_iter().flat_map(named_in);
        let mut lenders: Vec<FuncId> =
            named.filter(|&id| id != function && (self.is_open)(self.source, id)).collect();
        lenders.sort_unstable();
        lenders.dedup();
        lenders
    }

    /// The function that must be [advanced](Self::advance) before another one is ready, if
    /// there is any left.
    pub fn upcoming(&self) -> Option<FuncId> {
        if self.ready.is_empty() { self.order.as_slice().first().copied() } else { None }
    }

    /// Runs passes over the upcoming function.
    ///
    /// # Errors
    /// What a pass refuses; the rest is of no use then.
    pub fn advance(
        &mut self,
        options: &RunOptions<'_>,
        report: &mut Report,
    ) -> Result<(), CompileError> {
        let Some(function) = self.order.next() else { return Ok(()) };
        self.run(function, options, report)?;
        self.through.insert(function);
        for lender in self.lenders(function) {
            self.borrowers[lender] -= 1;
            self.release(lender);
        }
        self.release(function);
        Ok(())
    }

    fn run(
        &mut self,
        function: FuncId,
        options: &RunOptions<'_>,
        report: &mut Report,
    ) -> Result<(), CompileError> {
        let Stream { source, prepared, passes, changed, .. } = self;
        let Some(body) = source.function(function).and_then(|it| it.body.as_deref()) else {
            return Ok(());
        };
        let mut named: Vec<FuncId> = named_in(body).chain([function]).collect();
        named.sort_unstable();
        named.dedup();
        prepared.declare_exits(function, body);
        let module = &mut prepared.module;
        for &id in &named {
            let declared = prepared.declared[id];
            module.function_mut(id).into_iter().for_each(|it| it.sig = declared.unwrap_or(it.sig));
        }
        if let Some(copy) = module.function_mut(function) {
            copy.body = Some(Box::new(body.clone()));
        }
        let books = std::mem::take(&mut prepared.books);
        let mut runner = Runner::with_books(options, report, books);
        let mut form = ValueForm::Declared;
        let later = &prepared.passes.rest;
        let result = runner.run_on(module, function, passes, later, |module, pass| {
            if pass.form == form {
                return Ok(());
            }
            form = pass.form;
            named.iter().try_for_each(|&id| change_once(module, id, form, changed))
        });
        prepared.books = runner.books;
        result
    }

    /// Has a function handed out if it is wanted and nobody can take over its code any more.
    fn release(&mut self, function: FuncId) {
        let is_free = self.borrowers[function] == 0 && self.through.contains(function);
        if is_free && self.needed.contains(function) {
            self.ready.push_back(function);
        }
    }

    /// A function that is ready, to be brought into legal form without the others.
    pub fn take(&mut self) -> Option<(FuncId, Result<Unfinished, CompileError>)> {
        let function = self.ready.pop_front()?;
        let body = self.prepared.module.function(function).and_then(|it| it.body.as_deref());
        let named: Vec<FuncId> = body.into_iter().flat_map(named_in).collect();
        for id in named {
            if self.needed.insert(id) {
                self.release(id);
            }
        }
        Some((function, self.prepared.take(function)))
    }
}

/// Gives a function the signature that it has in a form, which is the same whenever asked for.
fn change_once(
    module: &mut Module,
    function: FuncId,
    form: ValueForm,
    changed: &mut SecondaryMap<FuncId, Option<SigId>>,
) -> Result<(), CompileError> {
    match (changed[function], module.function_mut(function)) {
        (Some(known), Some(function)) => function.sig = known,
        (None, Some(_)) => {
            change_signature(module, function, form)?;
            changed[function] = module.function(function).map(|it| it.sig);
        }
        (_, None) => {}
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use brolga_ir::text::parse_module;

    use super::*;
    use crate::pipeline::{Level, passes_at};
    use crate::target::TargetSpec;

    /// Functions each of which calls the one before, but for the first.
    fn chain(functions: usize) -> Module {
        let function = |index: usize| {
            let callee = index.saturating_sub(1);
            format!(
                "func @f{index}(i64) -> i64 {{\nblock0(%n: i64):\n    %m = sub.i64 %n, {index}\n    \
                 %r = call @f{callee}(%m)\n    return %r\n}}\n"
            )
        };
        parse_module(&(0..functions).map(function).collect::<String>()).unwrap()
    }

    #[test]
    fn few_bodies_are_there_at_a_time() {
        let module = chain(100);
        let target = TargetSpec::parse("x86_64-unknown-linux-gnu/x86-64").unwrap();
        let (options, report) = (RunOptions::new(&target), &mut Report::default());
        let mut stream = Stream::new(&module, &passes_at(Level::O2)).unwrap();
        let mut taken = 0;
        while stream.upcoming().is_some() {
            stream.advance(&options, report).unwrap();
            let held = stream.prepared.module.functions().filter(|(_, it)| it.body.is_some());
            assert!(held.count() <= 2);
            while !stream.ready.is_empty() {
                taken += usize::from(stream.take().unwrap().1.is_ok());
            }
        }
        assert_eq!(taken, 100);
    }

    #[test]
    fn a_function_that_others_may_take_over_is_held_back_for_them() {
        let text = "func @a(i64) -> i64 {\nblock0(%n: i64):\n    %r = call @b(%n)\n    return %r\n}\n\
                    func @b(i64) -> i64 {\nblock0(%n: i64):\n    %r = call @a(%n)\n    return %r\n}\n";
        let module = parse_module(text).unwrap();
        let target = TargetSpec::parse("x86_64-unknown-linux-gnu/x86-64").unwrap();
        let (options, report) = (RunOptions::new(&target), &mut Report::default());
        let mut stream = Stream::new(&module, &passes_at(Level::O2)).unwrap();
        stream.advance(&options, report).unwrap();
        assert!(stream.take().is_none());
        stream.advance(&options, report).unwrap();
        let functions = [stream.take().unwrap().0, stream.take().unwrap().0];
        assert_eq!(functions, ["a", "b"].map(|name| module.function_named(name).unwrap()));
    }
}
