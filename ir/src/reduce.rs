//! The smallest module that still shows what a large one has shown.
//!
//! Whoever reduces says by a function whether a module still does: it may interpret,
//! compile or run it, or hand it to another program. From coarse to fine, bodies,
//! ways out of blocks, instructions, parameters of blocks, operands, declarations and
//! parameters of functions are taken away, many at a time first (Zeller and Hildebrandt,
//! "Simplifying and isolating failure-inducing input", 2002), until nothing more can go.
//!
//! Only what the verifier accepts is tried, and only what is smaller than the best so far:
//! fewer instructions, or as many and a shorter text. So it ends; and as nothing is drawn by
//! lot, it comes to the same each time.
//!
//! Does not try: to take away results of functions; to make types smaller.

mod edit;
mod list;
mod signature;
mod text;

use crate::body::Body;
use crate::entity::{Block, FuncId, Inst, Value};
use crate::module::Module;
use crate::text::{parse_module, print_module};
use crate::types::Type;
use crate::verify::{Options as Rules, verify_module};

use edit::{
    Stand, call_by_name, callee, drop_case, drop_param, end_with_zeros, forget_places,
    forget_weights, go_one_way, gut, merge, must_stay, placed, put, skip_block, sweep, take_out,
    with_body,
};
pub use list::minimal_list;

/// How a module is reduced.
#[derive(Clone, Copy, Debug)]
pub struct Options<'a> {
    /// How many smaller modules are tried at most.
    pub tries: usize,
    /// Functions that stay, with their signatures, since somebody calls them by these names.
    pub fixed: &'a [&'a str],
}

impl Default for Options<'_> {
    fn default() -> Self {
        Options { tries: usize::MAX, fixed: &[] }
    }
}

/// How large a module is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Size {
    /// Its instructions.
    pub instructions: usize,
    /// The bytes of its text.
    pub bytes: usize,
}

impl Size {
    /// The size of a module.
    pub fn of(module: &Module) -> Size {
        let bodies = module.functions().filter_map(|(_, function)| function.body.as_deref());
        let instructions = bodies.map(|body| placed(body).len()).sum();
        Size { instructions, bytes: print_module(module).len() }
    }
}

/// Takes away from `module` whatever is not needed for `shows` to say yes. The module itself is
/// not tried: whoever reduces knows that it shows it.
pub fn reduce(
    module: &Module,
    options: &Options<'_>,
    shows: &mut dyn FnMut(&Module) -> bool,
) -> Module {
    let size = Size::of(module);
    let mut reducer = Reducer { best: module.clone(), size, left: options.tries, options, shows };
    reducer.try_change(forget_places);
    loop {
        let before = reducer.size;
        reducer.drop_bodies();
        reducer.drop_declarations();
        for id in reducer.defined() {
            reducer.straighten(id);
            reducer.skip_blocks(id);
            reducer.name_callees(id);
            reducer.drop_insts(id);
            reducer.try_body(id, |body, _| merge(body));
            reducer.drop_params(id);
        }
        if reducer.size.instructions == before.instructions {
            reducer.refine();
        }
        if reducer.size >= before || reducer.left == 0 {
            return reducer.best;
        }
    }
}

/// The first line of a message without the names and numbers in it: two failures of one kind
/// are likely to be the same.
pub fn kind_of(message: &str) -> String {
    let line = message.lines().next().unwrap_or_default();
    let is_general =
        |word: &&str| word.chars().all(|c| c.is_ascii_alphabetic() || "`,.:;-_[]".contains(c));
    line.split_whitespace().filter(is_general).collect::<Vec<_>>().join(" ")
}

struct Reducer<'a> {
    best: Module,
    size: Size,
    /// How many more may be tried.
    left: usize,
    options: &'a Options<'a>,
    shows: &'a mut dyn FnMut(&Module) -> bool,
}

impl Reducer<'_> {
    fn defined(&self) -> Vec<FuncId> {
        let functions = self.best.functions();
        functions.filter(|(_, function)| function.body.is_some()).map(|(id, _)| id).collect()
    }

    fn body(&self, id: FuncId) -> Option<&Body> {
        self.best.function(id)?.body.as_deref()
    }

    /// Takes a smaller module instead of the best one if it shows it, too.
    fn accept(&mut self, candidate: Module) -> bool {
        if self.left == 0 {
            return false;
        }
        let size = Size::of(&candidate);
        if size >= self.size || verify_module(&candidate, &Rules::default()).is_err() {
            return false;
        }
        self.left -= 1;
        let is_better = (self.shows)(&candidate);
        if is_better {
            (self.best, self.size) = (candidate, size);
        }
        is_better
    }

    fn try_change(&mut self, change: impl FnOnce(&mut Module)) -> bool {
        let mut candidate = self.best.clone();
        change(&mut candidate);
        self.accept(candidate)
    }

    fn try_body(&mut self, id: FuncId, change: impl FnOnce(&mut Body, &[Type])) -> bool {
        self.try_change(|module| with_body(module, id, change))
    }

    /// Lets functions return zeros at once, many of them first.
    fn drop_bodies(&mut self) {
        let is_large =
            |reducer: &Self, &id: &FuncId| reducer.body(id).is_some_and(|it| placed(it).len() > 1);
        let mut step = self.defined().len().div_ceil(2).max(1);
        loop {
            let large: Vec<FuncId> =
                self.defined().into_iter().filter(|id| is_large(self, id)).collect();
            for ids in large.chunks(step) {
                self.try_change(|module| ids.iter().for_each(|&id| with_body(module, id, gut)));
            }
            if step == 1 {
                return;
            }
            step /= 2;
        }
    }

    /// Leaves one way where there are several, or ends the function there.
    fn straighten(&mut self, id: FuncId) {
        let Some(body) = self.body(id) else { return };
        let ends: Vec<Inst> =
            placed(body).into_iter().filter(|&i| body.inst(i).op.is_terminator()).collect();
        for inst in ends {
            if self.body(id).is_none_or(|body| body.layout.block_of(inst).is_none()) {
                continue;
            }
            let ended = self.try_body(id, |body, results| {
                end_with_zeros(body, inst, results);
                sweep(body);
            });
            let ways = self.body(id).map_or(0, |body| body.targets(inst).len());
            if ended || ways < 2 {
                continue;
            }
            let one_way = |way| {
                move |body: &mut Body, _: &[Type]| {
                    go_one_way(body, inst, way);
                    sweep(body);
                }
            };
            if (0..ways).any(|way| self.try_body(id, one_way(way))) {
                continue;
            }
            for way in (0..ways).rev() {
                self.try_body(id, |body, _| {
                    drop_case(body, inst, way);
                    sweep(body);
                });
            }
        }
    }

    /// Lets jumps go on at once to where the block that they lead to may go: what comes back to
    /// a loop leaves it.
    fn skip_blocks(&mut self, id: FuncId) {
        let Some(body) = self.body(id) else { return };
        let jumps: Vec<Inst> =
            placed(body).into_iter().filter(|&inst| body.targets(inst).len() == 1).collect();
        for inst in jumps {
            let Some(body) = self.body(id) else { return };
            let next = body.targets(inst).first().map(|target| target.block);
            let last = next.and_then(|next| body.layout.last_inst(next));
            let ways = last.map_or(0, |last| body.targets(last).len());
            for way in 0..ways {
                let skipped = self.try_body(id, |body, _| {
                    skip_block(body, inst, way);
                    sweep(body);
                });
                if skipped {
                    break;
                }
            }
        }
    }

    /// Lets calls name the function whose address they are given, and catch nothing.
    fn name_callees(&mut self, id: FuncId) {
        let Some(body) = self.body(id) else { return };
        let calls: Vec<Inst> =
            placed(body).into_iter().filter(|&inst| callee(body, inst).is_some()).collect();
        for call in calls {
            self.try_body(id, |body, _| {
                call_by_name(body, call);
                sweep(body);
                merge(body);
            });
        }
    }

    /// Takes instructions away, many at a time first; zeros stand for their results, or
    /// something else of the same type.
    fn drop_insts(&mut self, id: FuncId) {
        let Some(body) = self.body(id) else { return };
        let mut step = placed(body).len().div_ceil(2).max(1);
        loop {
            let mut from = 0;
            while let Some(body) = self.body(id) {
                let insts: Vec<Inst> = placed(body)
                    .into_iter()
                    .filter(|&inst| !body.inst(inst).op.is_terminator() && !must_stay(body, inst))
                    .collect();
                if from >= insts.len() {
                    break;
                }
                let chunk = insts[from..(from + step).min(insts.len())].to_vec();
                let dropped = self.try_body(id, |body, _| take_out(body, &chunk, Stand::Zeros))
                    || (step == 1 && self.forward(id, chunk[0]));
                from += if dropped { 0 } else { step };
            }
            if step == 1 || self.left == 0 {
                return;
            }
            step /= 2;
        }
    }

    /// Lets an operand, or a parameter of the function, stand for an instruction.
    fn forward(&mut self, id: FuncId, inst: Inst) -> bool {
        let Some(body) = self.body(id) else { return false };
        let &[result] = body.results(inst) else { return false };
        let entry = body.layout.entry().map_or(&[][..], |entry| body.params(entry));
        let values = body.args(inst).iter().chain(entry).copied();
        let mut values: Vec<Value> =
            values.filter(|&it| body.value_type(it) == body.value_type(result)).collect();
        values.dedup();
        values
            .into_iter()
            .any(|value| self.try_body(id, |body, _| take_out(body, &[inst], Stand::Value(value))))
    }

    /// Takes parameters of blocks away, with what edges give for them.
    fn drop_params(&mut self, id: FuncId) {
        let Some(body) = self.body(id) else { return };
        let blocks: Vec<Block> = body.layout.blocks().skip(1).collect();
        for block in blocks {
            let mut index = self.body(id).map_or(0, |body| body.params(block).len());
            while index > 0 {
                index -= 1;
                self.try_body(id, |body, _| drop_param(body, block, index));
            }
        }
    }

    /// What is worth its while where nothing large goes any more: operands, parameters of
    /// functions, lines of declarations.
    fn refine(&mut self) {
        for id in self.defined() {
            self.try_body(id, |body, _| forget_weights(body));
            let insts = self.body(id).map(placed).unwrap_or_default();
            for inst in insts {
                let count = self.body(id).map_or(0, |body| body.uses(inst).count());
                (0..count).for_each(|index| {
                    self.try_body(id, |body, _| put(body, inst, index, 0));
                });
                (0..count).for_each(|index| {
                    self.try_body(id, |body, _| put(body, inst, index, 1));
                });
            }
        }
        self.drop_function_params();
        let objects: Vec<_> = self.best.data_objects().map(|(id, _)| id).collect();
        for id in objects {
            self.try_change(|module| signature::clear_data(module, id));
        }
        self.drop_lines();
    }

    fn drop_function_params(&mut self) {
        let functions: Vec<FuncId> = self.best.functions().map(|(id, _)| id).collect();
        for id in functions {
            let is_fixed = |name: &str| self.options.fixed.contains(&name);
            if self.best.function(id).is_none_or(|function| is_fixed(&function.name)) {
                continue;
            }
            let mut index = self.best.signature_of(id).params.len();
            while index > 0 {
                index -= 1;
                let mut candidate = self.best.clone();
                if signature::drop_param(&mut candidate, id, index) {
                    self.accept(candidate);
                }
            }
        }
    }

    /// Takes away declarations that nothing names, by way of the text, many at a time first.
    fn drop_declarations(&mut self) {
        let mut pieces = text::declarations(&print_module(&self.best));
        let mut step = pieces.len().div_ceil(2).max(1);
        loop {
            let mut end = pieces.len();
            while end > 0 {
                let start = end.saturating_sub(step);
                let mut fewer = pieces.clone();
                let gone: Vec<String> = fewer.drain(start..end).collect();
                let is_fixed = |piece: &String| text::declares(piece, self.options.fixed);
                if !gone.iter().any(is_fixed) && self.accept_text(&fewer.concat()) {
                    pieces = fewer;
                }
                end = start;
            }
            if step == 1 {
                return;
            }
            step /= 2;
        }
    }

    /// Takes away what functions declare and no instruction names: slots, exits, scopes.
    fn drop_lines(&mut self) {
        let text = print_module(&self.best);
        let mut lines: Vec<&str> = text.lines().collect();
        let mut index = lines.len();
        while index > 0 {
            index -= 1;
            if !text::is_entity(lines[index]) {
                continue;
            }
            let mut fewer = lines.clone();
            fewer.remove(index);
            if self.accept_text(&fewer.join("\n")) {
                lines = fewer;
            }
        }
    }

    fn accept_text(&mut self, text: &str) -> bool {
        parse_module(text).is_ok_and(|module| self.accept(module))
    }
}

#[cfg(test)]
mod tests;
