//! Control flow: pieces of one entry and one exit, nested in each other, and
//! early ways out of the function.

use brolga_ir::attribute::IntCond;
use brolga_ir::body::{ExitData, ExitKind, SwitchData};
use brolga_ir::entity::{Block, Value};
use brolga_ir::instruction::Payload;
use brolga_ir::op::{Op, TypeClass};
use brolga_ir::trap::TrapCode;
use brolga_ir::types::Type;

use super::call::Lifetime;
use super::irregular::{Around, TANGLE_COST};
use super::shapes::LEAST_COST;
use super::writer::{Repertoire, Sort, Writer};

/// How deep pieces nest.
pub(super) const MOST_NEST: usize = 3;

const TRAPS: &[TrapCode] = &[
    TrapCode::Unreachable,
    TrapCode::DivisionByZero,
    TrapCode::IntegerOverflow,
    TrapCode::BadConversion,
    TrapCode::Bounds,
    TrapCode::NullReference,
    TrapCode::User(0),
    TrapCode::User(7),
    TrapCode::User(0xffff),
];

impl Writer<'_> {
    /// A number of instructions and pieces of control flow, one after the other.
    pub(super) fn region(&mut self, statements: usize, nest: usize) {
        for _ in 0..statements {
            if self.repertoire == Repertoire::All
                && nest < MOST_NEST
                && self.random().percent(13)
                && self.affords(60)
            {
                self.piece(nest);
            } else {
                self.statement(nest);
            }
        }
    }

    fn piece(&mut self, nest: usize) {
        match self.random().below(100) {
            0..4 if !self.slots.is_empty() && self.returns(nest).is_some() => {}
            0..28 => self.if_else(nest),
            28..34 if !self.slots.is_empty() && self.affords(1500) => self.array_loop(),
            34..48 if self.program.raw && self.affords(LEAST_COST) => self.shape(),
            48..53 if !self.slots.is_empty() && self.affords(1500) => self.checked_loops(),
            28..60 => self.repeat(nest),
            60..74 => self.switch(nest),
            74..82 => self.protected(nest),
            82..86 if self.affords(TANGLE_COST) => self.tangle(nest),
            86..92 if !self.loops.is_empty() => self.leave_loop_sometimes(),
            92..94 if self.program.raw && !self.slots.is_empty() => self.aligned_where_it_is_so(),
            _ => self.early_exit(nest),
        }
    }

    /// How many instructions the inside of a piece gets.
    pub(super) fn inner(&mut self, nest: usize) -> usize {
        let most = [8, 5, 3][nest.min(2)];
        self.random().between(1, most)
    }

    pub(super) fn value_types(&mut self, most: usize) -> Vec<Type> {
        let count = self.random().between(0, most);
        (0..count).map(|_| self.value_type()).collect()
    }

    pub(super) fn anys(&mut self, types: &[Type]) -> Vec<Value> {
        types.iter().map(|&ty| self.any(ty)).collect()
    }

    /// Ends the present block with a jump that gives values of those types.
    pub(super) fn jump_with(&mut self, to: Block, types: &[Type]) {
        let args = self.anys(types);
        self.jump(to, &args);
    }

    pub(super) fn jump(&mut self, to: Block, args: &[Value]) {
        let target = self.body.target(to, args);
        self.push(Op::Jump, Type::NONE, &[], Payload::Jump(target));
    }

    pub(super) fn branch(
        &mut self,
        condition: Value,
        yes: (Block, &[Value]),
        no: (Block, &[Value]),
    ) {
        let targets = [self.body.target(yes.0, yes.1), self.body.target(no.0, no.1)];
        let inst = self.push(Op::Branch, Type::NONE, &[condition], Payload::Branch(targets));
        if self.random().percent(20) {
            let weights = [self.random().between(1, 100) as u32, self.random().below(100) as u32];
            self.body.set_weights(inst, &weights);
        }
    }

    /// Goes on in a block that takes values of those types.
    pub(super) fn join(&mut self, block: Block, types: &[Type]) {
        self.start(block);
        for &ty in types {
            self.param(block, ty, Sort::Plain);
        }
    }

    fn if_else(&mut self, nest: usize) {
        let types = self.value_types(3);
        let condition = self.any(Type::I1);
        let join = self.body.make_block();
        if self.random().percent(15) {
            // One block, two edges.
            let (yes, no) = (self.anys(&types), self.anys(&types));
            self.branch(condition, (join, &yes), (join, &no));
            return self.join(join, &types);
        }
        let (yes, no) = (self.body.make_block(), self.body.make_block());
        let has_else = self.random().percent(60);
        let skipped = if has_else { Vec::new() } else { self.anys(&types) };
        let other = if has_else { no } else { join };
        self.branch(condition, (yes, &[]), (other, &skipped));
        for block in [Some(yes), has_else.then_some(no)].into_iter().flatten() {
            let scope = self.open_scope();
            self.start(block);
            let count = self.inner(nest);
            self.region(count, nest + 1);
            self.jump_with(join, &types);
            self.close_scope(scope);
        }
        self.join(join, &types);
    }

    fn switch(&mut self, nest: usize) {
        let ty = self.type_in(TypeClass::Int);
        let types = self.value_types(2);
        let scrutinee = match self.random().percent(70) {
            true => self.small(ty, 7),
            false => self.any(ty),
        };
        let mut cases: Vec<u128> = (0..self.random().below(6))
            .map(|_| super::operand::lane_bits(&mut self.program.random, ty.lane().unwrap()) & 0x7f)
            .collect();
        cases.extend((0..4).filter(|_| self.program.random.percent(50)));
        cases.sort_unstable();
        cases.dedup();
        let join = self.body.make_block();
        let mut own = Vec::new();
        let mut targets = Vec::new();
        for _ in 0..=cases.len() {
            if self.random().percent(50) && own.len() < 3 {
                let block = self.body.make_block();
                own.push(block);
                targets.push(self.body.target(block, &[]));
            } else {
                let args = self.anys(&types);
                targets.push(self.body.target(join, &args));
            }
        }
        let table = self.body.make_switch(SwitchData { cases, targets });
        self.push(Op::Switch, ty, &[scrutinee], Payload::Switch(table));
        for block in own {
            let scope = self.open_scope();
            self.start(block);
            let count = self.inner(nest);
            self.region(count, nest + 1);
            self.jump_with(join, &types);
            self.close_scope(scope);
        }
        self.join(join, &types);
    }

    /// A loop of a number of rounds that is known before it starts.
    fn repeat(&mut self, nest: usize) {
        let counter = self.type_in(TypeClass::Int);
        let most = self.random().between(1, if nest == 0 { 15 } else { 4 }) as u64;
        let rounds = match self.random().percent(50) {
            true => self.number_of(counter, most.into()),
            false => {
                let most = most.next_power_of_two() - 1;
                self.small(counter, most.into())
            }
        };
        let mut types = self.value_types(3);
        types.insert(0, counter);
        let left_with = self.value_types(2);
        let (header, inside, behind) =
            (self.body.make_block(), self.body.make_block(), self.body.make_block());
        let mut first = vec![self.zero(counter)];
        first.extend(self.anys(&types[1..]));
        self.jump(header, &first);
        self.join(header, &types);
        // The counter takes part in the computations of the round.
        let round = self.body.params(header)[0];
        let (scope, weight) = (self.open_scope(), self.weight);
        self.weight *= most.next_power_of_two() + 1;
        self.mark_loop();
        let payload = Payload::IntCond(self.program.random.pick(&[IntCond::Ult, IntCond::Slt]));
        let goes_on = self.compute_with(Op::Icmp, counter, &[round, rounds], payload);
        let left = self.anys(&left_with);
        self.branch(goes_on, (inside, &[]), (behind, &left));
        self.start(inside);
        let regions = self.regions;
        let around = Around { header, types, round, behind, left_with, regions };
        self.loops.push(around.clone());
        let count = self.inner(nest);
        self.region(count, nest + 1);
        self.loops.pop();
        let one = self.number_of(counter, 1);
        let mut next = vec![self.compute(Op::Add, counter, &[round, one])];
        next.extend(self.anys(&around.types[1..]));
        self.jump(header, &next);
        self.close_scope(scope);
        self.weight = weight;
        self.join(behind, &around.left_with);
    }

    /// A handler region: its body is left at its end, or by a throw.
    fn protected(&mut self, nest: usize) {
        let types = self.value_types(2);
        let (inside, handler, join) =
            (self.body.make_block(), self.body.make_block(), self.body.make_block());
        let caught = self.value_types(2);
        let args = self.anys(&caught);
        let targets = [self.body.target(inside, &[]), self.body.target(handler, &args)];
        self.push(Op::Enter, Type::NONE, &[], Payload::Branch(targets));
        let scope = self.open_scope();
        self.start(inside);
        self.regions += 1;
        let count = self.inner(nest);
        self.region(count, nest + 1);
        if self.random().percent(40) {
            self.throw_sometimes();
        }
        self.push(Op::Leave, Type::NONE, &[], Payload::Count(1));
        self.regions -= 1;
        self.jump_with(join, &types);
        self.close_scope(scope);
        self.start(handler);
        for &ty in &caught {
            self.param(handler, ty, Sort::Plain);
        }
        let count = self.inner(nest);
        self.region(count, nest + 1);
        self.jump_with(join, &types);
        self.close_scope(scope);
        self.join(join, &types);
    }

    /// Throws, half of the time, where it is caught.
    pub(super) fn throw_sometimes(&mut self) {
        let condition = self.any(Type::I1);
        let (out, on) = (self.body.make_block(), self.body.make_block());
        self.branch(condition, (out, &[]), (on, &[]));
        self.start(out);
        self.throw();
        self.start(on);
    }

    pub(super) fn throw(&mut self) {
        let exception = match self.program.managed {
            true => self.object_reference(),
            false => self.zero(Type::REF),
        };
        self.push(Op::Throw, Type::NONE, &[exception], Payload::None);
    }

    /// A way out of the function that is hardly ever taken.
    fn early_exit(&mut self, nest: usize) {
        let condition = self.rare_condition();
        let (out, on) = (self.body.make_block(), self.body.make_block());
        self.branch(condition, (out, &[]), (on, &[]));
        let scope = self.open_scope();
        self.start(out);
        self.region(1, nest + 1);
        match self.random().below(100) {
            0..12 => {
                let code = self.random().pick(TRAPS);
                self.push(Op::Trap, Type::NONE, &[], Payload::Trap(code));
            }
            12..20 => {
                self.push(Op::Unreachable, Type::NONE, &[], Payload::None);
            }
            20..35 => self.throw(),
            _ => self.leave_function(),
        }
        self.close_scope(scope);
        self.start(on);
    }

    /// The end of a function. That of an entry does not return now and then, as what ends
    /// a program elsewhere is hardly ever reached.
    pub(super) fn end_function(&mut self) {
        match self.random().below(100) {
            0..2 if self.is_entry => {
                self.push(Op::Unreachable, Type::NONE, &[], Payload::None);
                return;
            }
            2..8 if self.is_entry && self.program.managed => self.boxed_call(),
            _ => {}
        }
        self.leave_function();
    }

    /// Returns, or calls another function in this one's place.
    pub(super) fn leave_function(&mut self) {
        if self.regions > 0 {
            let count = self.regions;
            self.push(Op::Leave, Type::NONE, &[], Payload::Count(count));
        } else if self.random().percent(40) && self.tail_call().is_some() {
            return;
        }
        if self.is_entry {
            self.leave_slots();
        }
        let types: Vec<Type> = self.signature.result_types().collect();
        let values: Vec<Value> = types.iter().map(|&ty| self.result(ty)).collect();
        self.push(Op::Return, Type::NONE, &values, Payload::None);
    }

    fn result(&mut self, ty: Type) -> Value {
        if ty == Type::PTR { self.pointer() } else { self.steady(ty) }
    }

    /// A check that mostly holds.
    pub(super) fn emit_check(&mut self) -> Option<()> {
        let fails = self.rare_condition();
        let holds = self.compute(Op::Not, Type::I1, &[fails]);
        let mut args = vec![holds];
        let kind = match self.random().below(100) {
            0..40 => ExitKind::Trap(self.random().pick(TRAPS)),
            40..60 => ExitKind::Side(self.random().bits() as u32),
            _ if self.regions > 0 => return None,
            _ => {
                let callee = self.successor()?;
                let params = &self.program.callables[callee].params;
                // What the callee roots goes to calls alone.
                if params.contains(&Type::CALLEE) {
                    return None;
                }
                args.extend(self.arguments(callee, Lifetime::Tail));
                let callable = &self.program.callables[callee];
                let (id, cost) = (callable.id, callable.cost);
                self.cost += cost;
                ExitKind::Deopt(id)
            }
        };
        if !matches!(kind, ExitKind::Deopt(_)) {
            for _ in 0..self.random().below(4) {
                let ty = self.number_type();
                args.push(self.steady(ty));
            }
        }
        let types = args[1..].iter().map(|&arg| self.body.value_type(arg)).collect();
        let exit = self.body.make_exit(ExitData { kind, types });
        self.push(Op::Check, Type::NONE, &args, Payload::Exit(exit));
        Some(())
    }
}
