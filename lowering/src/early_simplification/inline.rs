//! Puts the code of functions in the place of calls of them.
//!
//! Before:
//! ```text
//! local func @twice(i32) -> i32 {
//! block0(%0: i32):
//!     %1 = add.i32 %0, %0
//!     return %1
//! }
//!
//! func @f(i32) -> i32 {
//! block0(%0: i32):
//!     %1 = call @twice(%0)
//!     %2 = call @twice(%1)
//!     return %2
//! }
//! ```
//! After:
//! ```text
//! local func @twice(i32) -> i32 {
//! block0(%0: i32):
//!     %1 = add.i32 %0, %0
//!     return %1
//! }
//!
//! func @f(i32) -> i32 {
//!     loc0 = text:9:5
//!     loc1 = text:10:5
//!     loc2 = text:11:5
//!     loc3 = text:3:5 in "twice" at loc0
//!     loc4 = text:3:5 in "twice" at loc1
//! block0(%0: i32):
//!     %3 = add.i32 %0, %0 !loc3
//!     %4 = add.i32 %3, %3 !loc4
//!     return %4 !loc2
//! }
//! ```
//! Functions come after those that they call, so that what is taken over has
//! taken over already what it calls; of functions that call each other in a
//! circle, each takes over those that came before it, and none itself. A call is
//! worth it if the callee is small, counted without what the constants among the
//! arguments decide (Chang, Mahlke, Chen and Hwu, "Profile-guided automatic
//! inline expansion for C programs", 1992, for the order and the bounds).
//!
//! What the callee had for each call is had for each execution of its code: a
//! slot that begins as zeros is zeroed there, what is passed by value is copied,
//! and what `stack_alloc` gave is taken back where the callee would return. Its
//! tail calls become calls; a check that goes on in another function becomes a
//! branch to a call of that; where the call had an unwind edge, all that throws
//! has it now. Each location says which call it came by.
//!
//! What is promised for one call of a function alone is forgotten. Of what is taken over: that
//! a location does not change, and the scopes of accesses; and their classes, if the callee has
//! memory of its own, which is that of one call after another now. Of the caller's own code:
//! that rounds of a loop do not depend on each other, if they share what each call in them had
//! for itself.
//!
//! With the option `always`, only what is always to be taken over is: at every level, and
//! functions that call no such are left as they are.
//! With `recursive`, small functions take over their own code, once for each call.
//!
//! Needs: no handler regions and no aggregates; the functions of the module in
//! an order in which callees come first. Keeps: nothing. Does not try: calls in
//! the place of their function, of which no frame is left; functions of other
//! modules, and weak ones, which another module may define otherwise; functions
//! that call what returns twice, on either side.

mod copy;
mod cost;
mod locations;
mod order;
mod recursive;
mod site;

use brolga_ir::attribute::LoopFlags;
use brolga_ir::body::Body;
use brolga_ir::entity::{Block, EntityRef, FuncId, Inst, SwitchTable, Value};
use brolga_ir::instruction::Payload;
use brolga_ir::module::{Function, Inlining, Linkage, Module, Temperature};
use brolga_ir::observe::RemarkKind;
use brolga_ir::op::{Effects, Op};
use brolga_ir::types::Arity;
use brolga_ir::verify::{MAX_FRAME_SIZE, frame_size};
use rustc_hash::FxHashMap;

use crate::pass::{
    Change, PassContext, PassResult, Renames, attach_behind, called_by, drop_stale_marks,
    has_edge_form, has_hidden_flow, remove_unreachable_blocks,
};
use copy::Copier;
use site::Site;

/// The option of the pass that takes over only what is always to be.
const ALWAYS: &str = "always";

/// The option by which functions take over themselves, and nothing else.
const RECURSIVE: &str = "recursive";

/// The most instructions and cases of switches that a body may have to be taken
/// over, whatever it costs: before it was simplified as well, so that nobody
/// simplifies a large one for nothing.
const MOST_CALLEE_SIZE: usize = 400;

/// A caller that has so many instructions and cases of switches takes over no more, not even what
/// is always to be.
const MOST_CALLER_SIZE: usize = 1 << 16;

/// From how many functions more than it has instructions a body may have code to be taken over.
/// Its caller notes all of these, and each location tells of those that it came by: along a chain
/// of functions that do nothing but call the next one, that would be the square of the chain.
const MOST_TAKEN: usize = 64;

/// The same of what is always to be taken over.
const MOST_ALWAYS_TAKEN: usize = 1 << 10;

/// The most bytes that a caller takes over as slots.
const MOST_SLOT_BYTES: u64 = 1 << 16;

/// Whether anybody can take over a function of the module, as far as its
/// declaration and the size of its body say.
pub(crate) fn is_open(module: &Module, function: FuncId) -> bool {
    let is_small = |callee: &Function| callee.body.as_deref().is_some_and(is_small);
    is_always_open(module, function)
        || module
            .function(function)
            .is_some_and(|callee| is_known(module, callee) && allows(callee) && is_small(callee))
}

/// Whether a body is small enough to be looked at and copied at each call: one switch may have
/// more cases than a function has instructions.
fn is_small(body: &Body) -> bool {
    body.inst_count() <= MOST_CALLEE_SIZE && body.inst_count() + cases(body) <= MOST_CALLEE_SIZE
}

/// How many cases the switches of a body have.
fn cases(body: &Body) -> usize {
    let tables = (0..body.switch_count()).map(SwitchTable::new);
    tables.filter_map(|table| body.switch(table)).map(|switch| switch.cases.len()).sum()
}

/// The same of those that want to be taken over wherever they can be.
pub(crate) fn is_always_open(module: &Module, function: FuncId) -> bool {
    let is_wanted = |it: &Function| it.attributes.inlining == Inlining::Always;
    module.function(function).is_some_and(|it| is_wanted(it) && is_known(module, it))
}

/// Whether what is called is the body that stands in the module.
fn is_known(module: &Module, callee: &Function) -> bool {
    let is_final = matches!(callee.linkage, Linkage::Export | Linkage::Local);
    let is_fixed = module.types.sig(callee.sig).arity == Arity::Fixed;
    callee.body.is_some() && is_final && is_fixed
}

/// Whether the attributes of a function leave it to us.
fn allows(callee: &Function) -> bool {
    let attributes = &callee.attributes;
    attributes.inlining == Inlining::Auto
        && attributes.temperature == Temperature::Normal
        && attributes.opt_level != Some(0)
}

/// Takes over the code of callees.
///
/// # Errors
/// None that a verified module has.
pub fn inline(body: &mut Body, context: &mut PassContext<'_>) -> PassResult {
    if context.option == RECURSIVE {
        return recursive::unfold(body, context);
    }
    let change = take_over_all(body, context)?;
    context.inlined.finish(context.function);
    Ok(change)
}

fn take_over_all(body: &mut Body, context: &mut PassContext<'_>) -> PassResult {
    let module = &*context.module;
    let is_site = |callee| context.option != ALWAYS || is_always_open(module, callee);
    if !body.layout.all_insts().any(|inst| called_by(body, inst).is_some_and(is_site)) {
        return Ok(Change::Nothing);
    }
    let removed = remove_unreachable_blocks(body);
    let blocks: Vec<Block> = body.layout.blocks().collect();
    let mut inliner = Inliner::new(body, context);
    for block in blocks {
        inliner.visit_block(block)?;
    }
    let Inliner { mut renames, sites, .. } = inliner;
    if sites == 0 {
        return Ok(if removed > 0 { Change::Something } else { Change::Nothing });
    }
    renames.apply(body);
    remove_unreachable_blocks(body);
    drop_stale_marks(body);
    if context.inlined.shares_memory(context.function) {
        forget_independence(body);
    }
    context.statistics.add("inline", "calls taken over", sites);
    Ok(Change::Something)
}

/// Forgets that rounds do not depend on each other: they share a slot now that each call had for
/// itself.
fn forget_independence(body: &mut Body) {
    for inst in body.layout.all_insts().collect::<Vec<_>>() {
        if let Payload::LoopMark { flags, .. } = &mut body.inst_mut(inst).payload {
            *flags -= LoopFlags::IVDEP;
        }
    }
}

/// The walk over one caller.
struct Inliner<'a, 'm> {
    body: &'a mut Body,
    context: &'a mut PassContext<'m>,
    renames: Renames,
    sites: u64,
    /// Cases of the caller's switches, with those that it takes over.
    cases: usize,
    /// Bytes that the caller's own slots fill.
    own_slot_bytes: u64,
    /// Bytes that the slots fill which it takes over.
    slot_bytes: u64,
    /// The code of the caller as it was, if it takes over that and nothing else.
    own: Option<Body>,
    /// Whether the code of callees can stand in the place of calls by an op.
    standing: FxHashMap<(FuncId, Op), bool>,
}

impl<'a, 'm> Inliner<'a, 'm> {
    fn new(body: &'a mut Body, context: &'a mut PassContext<'m>) -> Inliner<'a, 'm> {
        let (own_slot_bytes, cases) = (frame_size(body), cases(body));
        Inliner {
            body,
            context,
            renames: Renames::default(),
            sites: 0,
            cases,
            own_slot_bytes,
            slot_bytes: 0,
            own: None,
            standing: FxHashMap::default(),
        }
    }
}

impl Inliner<'_, '_> {
    /// Visits the instructions of a block. Those behind the first call that goes
    /// are put behind the code of the callees one by one.
    fn visit_block(&mut self, whole: Block) -> PassResult<()> {
        let insts: Vec<Inst> = self.body.layout.insts(whole).collect();
        let mut here = whole;
        let mut first = None;
        for (index, &inst) in insts.iter().enumerate() {
            if first.is_some() {
                attach_behind(self.body, inst, whole, here);
            }
            if let Some(callee) = self.chosen(inst) {
                if first.is_none() {
                    first = Some(index);
                    insts[index + 1..].iter().for_each(|&it| self.body.layout.remove_inst(it));
                }
                here = self.take_over(inst, callee, here)?;
            }
        }
        Ok(())
    }

    /// The callee of an instruction, if its code is to stand there.
    fn chosen(&mut self, inst: Inst) -> Option<FuncId> {
        let callee = called_by(self.body, inst)?;
        if self.own.is_some() {
            return Some(callee).filter(|&callee| callee == self.context.function);
        }
        match self.judge(inst, callee) {
            Ok(bytes) => {
                self.slot_bytes += bytes;
                self.remark(inst, callee, RemarkKind::Applied, "its code stands here");
                Some(callee)
            }
            Err(reason) => {
                self.context.statistics.add("inline", "calls that stay", 1);
                self.remark(inst, callee, RemarkKind::Missed, reason);
                None
            }
        }
    }

    fn remark(&mut self, inst: Inst, callee: FuncId, kind: RemarkKind, what: &str) {
        if self.context.journal.takes_remarks() {
            let name = self.context.module.function(callee).map_or("", |it| &it.name);
            let message = format!("a call of @{name}: {what}");
            self.context.remark(inst, kind, message);
        }
    }

    /// How many bytes of slots the code of a callee brings along if it is to stand where
    /// `inst` stands, or why it is not to.
    fn judge(&mut self, inst: Inst, id: FuncId) -> Result<u64, &'static str> {
        let module = &*self.context.module;
        if id == self.context.function {
            return Err("it calls itself");
        }
        let callee = module.function(id).ok_or("it is not known")?;
        let is_alike = module
            .function(self.context.function)
            .is_some_and(|caller| caller.attributes.targets == callee.attributes.targets);
        let is_wanted = is_always_open(module, id);
        let body = callee.body.as_deref().ok_or("its code is not known")?;
        if !is_wanted && self.context.option == ALWAYS {
            return Err("it is not always to be taken over");
        }
        if !is_open(module, id) {
            return Err(why_closed(module, callee));
        }
        if !is_alike {
            return Err("it is compiled for other processors");
        }
        if !(is_wanted || self.context.inlined.is_finished(id)) {
            return Err("it calls its caller");
        }
        let size = self.body.inst_count() + self.cases;
        if size + body.inst_count() + cases(body) > MOST_CALLER_SIZE {
            return Err("its caller is too large");
        }
        let most = if is_wanted { MOST_ALWAYS_TAKEN } else { MOST_TAKEN };
        if self.context.inlined.count(id) > most + body.inst_count() {
            return Err("it has code of too many functions");
        }
        let passed = module.signature_of(id).by_value().into_iter();
        let copies = passed.map(|it| u64::from(it.size).next_multiple_of(it.align.max(1).into()));
        let bytes = frame_size(body) + copies.sum::<u64>();
        let filled = self.own_slot_bytes + self.slot_bytes;
        let fills_frame = bytes > 0 && filled + bytes > MAX_FRAME_SIZE / 2;
        if self.slot_bytes + bytes > MOST_SLOT_BYTES || fills_frame {
            return Err("its slots are too large");
        }
        let op = self.body.inst(inst).op;
        // One that stays is asked for at each call of it.
        let stands = self.standing.entry((id, op)).or_insert_with(|| can_stand(module, body, op));
        if !*stands {
            return Err("it does what only a function of its own can do");
        }
        let args = self.body.args(inst).iter().map(|&arg| self.renames.resolve(arg));
        let args: Vec<Value> = args.collect();
        let moves = self.context.inlined.has_sole_caller(id);
        match is_wanted || moves || cost::is_worth(body, self.body, &args) {
            true => Ok(bytes),
            false => Err("it has too much to do"),
        }
    }

    /// Puts the code of a callee in the place of a call of it, which ends
    /// `here`; gives the block where what follows it goes on.
    fn take_over(&mut self, inst: Inst, callee: FuncId, here: Block) -> PassResult<Block> {
        if let Some(own) = self.own.take() {
            let end = self.put(&own, inst, callee, here);
            self.own = Some(own);
            return end;
        }
        let taken = self.context.module.function_mut(callee).and_then(|it| it.body.take());
        let Some(source) = taken else { return Ok(here) };
        let end = self.put(&source, inst, callee, here);
        if let Some(function) = self.context.module.function_mut(callee) {
            function.body = Some(source);
        }
        self.context.inlined.take(self.context.function, callee);
        end
    }

    fn put(&mut self, source: &Body, inst: Inst, callee: FuncId, here: Block) -> PassResult<Block> {
        let name = self.context.module.function(callee).map(|it| it.name.clone());
        let name = self.context.module.intern(&name.unwrap_or_default());
        let site = Site::new(self.body, &mut self.renames, inst);
        self.cases += cases(source);
        let copier = Copier::new(self.body, self.context, source, site, callee, name);
        let (end, values) = copier.copy(here)?;
        for (result, value) in self.body.results(inst).to_vec().into_iter().zip(values) {
            self.renames.rename(result, value);
        }
        self.body.remove_inst(inst);
        self.sites += 1;
        Ok(end)
    }
}

/// Why nobody can take over a function that has a body.
fn why_closed(module: &Module, callee: &Function) -> &'static str {
    let attributes = &callee.attributes;
    match () {
        () if !is_known(module, callee) => "another module may define it, or it is variadic",
        () if attributes.inlining == Inlining::Never => "it is never to be taken over",
        () if attributes.temperature != Temperature::Normal => "it is cold",
        () if attributes.opt_level == Some(0) => "it is not to be optimised",
        () => "it is too large",
    }
}

/// Whether a body can stand in the place of a call by that op.
fn can_stand(module: &Module, callee: &Body, op: Op) -> bool {
    let has_edge = op == Op::TryCall;
    let fits = |inst: Inst| {
        let op = callee.inst(inst).op;
        let throws = op.info().effects.contains(Effects::THROW);
        match op {
            // The mark of the side stack is not put back on the way to a handler.
            Op::StackAlloc => !has_edge,
            _ => !(has_edge && throws) || op.is_try_call() || has_edge_form(op),
        }
    };
    !has_hidden_flow(callee, module) && callee.layout.all_insts().all(fits)
}

#[cfg(test)]
mod tests {
    use brolga_ir::text::parse_module;

    use super::*;
    use crate::pipeline::{Report, RunOptions, passes_named, run_passes};
    use crate::target::TargetSpec;

    fn is_open_with_cases(cases: usize) -> bool {
        let cases: Vec<String> = (0..cases).map(|case| format!("{case}: out")).collect();
        let cases = cases.join(", ");
        let text = format!(
            "func @f(i64) {{\nb(%x: i64):\n switch.i64 %x, [{cases}], out\nout:\n return\n}}"
        );
        let module = parse_module(&text).unwrap();
        is_open(&module, module.function_named("f").unwrap())
    }

    #[test]
    fn a_caller_counts_the_cases_that_it_takes_over() {
        let cases: Vec<String> =
            (0..MOST_CALLER_SIZE / 5 * 2).map(|case| format!("{case}: out")).collect();
        let text = format!(
            "func @f(i64) inline always {{\nb(%x: i64):\n switch.i64 %x, [{}], out\nout:\n \
             return\n}}\nfunc @g(i64) {{\nb(%x: i64):\n {} return\n}}",
            cases.join(", "),
            "call @f(%x)\n".repeat(4)
        );
        let mut module = parse_module(&text).unwrap();
        let target = TargetSpec::parse("x86_64-unknown-linux-gnu/x86-64").unwrap();
        let passes = passes_named(["inline"]).unwrap();
        run_passes(&mut module, &passes, &RunOptions::new(&target), &mut Report::default())
            .unwrap();
        let caller = module.function(module.function_named("g").unwrap()).unwrap();
        let caller = caller.body.as_deref().unwrap();
        let calls = caller.layout.all_insts().filter(|&inst| caller.inst(inst).op == Op::Call);
        assert_eq!(calls.count(), 2);
    }

    #[test]
    fn a_case_of_a_switch_makes_a_function_as_large_as_an_instruction() {
        assert!(is_open_with_cases(MOST_CALLEE_SIZE - 2));
        assert!(!is_open_with_cases(MOST_CALLEE_SIZE - 1));
    }
}
