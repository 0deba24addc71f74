//! Code that is called back: by functions of the host, and by functions of C.
//!
//! A library sorts by comparisons of its own choice: a comparison reads its two
//! elements only, and stops for one certain number, which every way of sorting
//! sees. What is left in a sorted array after a stop is looked at by nobody.

use brolga_ir::attribute::IntCond;
use brolga_ir::body::{ExitData, ExitKind};
use brolga_ir::entity::{DataId, FuncId, SigId, Slot, Value};
use brolga_ir::instruction::{Access, Payload};
use brolga_ir::module::Linkage;
use brolga_ir::op::Op;
use brolga_ir::trap::TrapCode;
use brolga_ir::types::{Signature, Type};

use super::Surroundings;
use super::call::Callable;
use super::parts::Role;
use super::program::Program;
use super::writer::Writer;
use crate::host::{AGAIN, HostRow, JUDGE, PLAIN};

/// Elements of an array that is sorted, at most.
const MOST_ELEMENTS: usize = 8;

/// Bytes of the slot for an array: its elements, then a key to look for.
pub(super) const ARRAY_SIZE: u32 = 8 * (MOST_ELEMENTS as u32 + 1);

/// Instructions that sorting and searching execute at most.
const SORT_COST: u64 = 600;

/// What a program finds around it, and what it gives to be called back.
#[derive(Debug, Default)]
pub(super) struct Outside {
    pub(super) print: Option<FuncId>,
    pub(super) calloc: Option<FuncId>,
    /// A function that nobody defines.
    pub(super) nobody: Option<FuncId>,
    /// Texts, and where they stand.
    pub(super) texts: Vec<(Box<str>, DataId)>,
    pub(super) comparators: Vec<Comparator>,
    sort: Option<[FuncId; 2]>,
    again: Option<FuncId>,
    judge: Option<FuncId>,
    callbacks: Vec<Callable>,
}

impl Outside {
    pub(super) fn calls_host(&self) -> bool {
        self.judge.is_some() || self.again.is_some()
    }
}

/// A comparison of two numbers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Comparator {
    id: FuncId,
    sig: SigId,
    /// The number that stops it.
    bad: u64,
    throws: bool,
}

impl Program {
    /// Functions of the host, some of which are called as the program's own are.
    pub(super) fn declare_hosts(&mut self) {
        if self.surroundings != Surroundings::Host || !self.random.percent(45) {
            return;
        }
        for row in PLAIN {
            if self.random.percent(40) {
                let id = self.declare_host(row);
                let sig = self.sig_of(id);
                let (params, results) = (row.params.to_vec(), row.results.to_vec());
                let (throws, is_recursive) = (false, false);
                let cost = 1;
                self.callables.push(Callable {
                    id,
                    sig,
                    params,
                    results,
                    cost,
                    throws,
                    is_recursive,
                });
            }
        }
        if self.random.percent(60) {
            self.outside.judge = Some(self.declare_host(&JUDGE));
        }
        if self.raw && self.random.percent(60) {
            self.outside.again = Some(self.declare_host(&AGAIN));
            for _ in 0..self.random.between(1, 2) {
                self.callback();
            }
        }
    }

    fn declare_host(&mut self, row: &HostRow) -> FuncId {
        let signature = Signature::internal(row.params, row.results);
        self.declare_outer(row.name, Linkage::Import, signature)
    }

    /// A function whose address the host gets.
    fn callback(&mut self) {
        let throws = self.random.percent(40);
        let role = if throws { Role::Thrower } else { Role::Ordinary };
        let (params, results) = (vec![Type::I64], vec![Type::I64]);
        let id = self.declare(role, &params, &results);
        let cost = self.define(id, role, |writer| {
            let statements = writer.random().between(3, 9);
            writer.region(statements, 1);
        });
        let (sig, is_recursive) = (self.sig_of(id), false);
        let callable = Callable { id, sig, params, results, cost, throws, is_recursive };
        self.callables.push(callable.clone());
        self.outside.callbacks.push(callable);
    }

    /// Comparisons, and functions of C that call them.
    pub(super) fn declare_sorting(&mut self) {
        if !self.raw || self.surroundings == Surroundings::Bare || !self.random.percent(30) {
            return;
        }
        let array = [Type::PTR, Type::I64, Type::I64, Type::PTR];
        let sort = Signature::platform(&array, &[]);
        let search = Signature::platform(
            &[Type::PTR, Type::PTR, Type::I64, Type::I64, Type::PTR],
            &[Type::PTR],
        );
        let sort = self.declare_outer("qsort", Linkage::Foreign, sort);
        let search = self.declare_outer("bsearch", Linkage::Foreign, search);
        self.outside.sort = Some([sort, search]);
        for _ in 0..self.random.between(1, 2) {
            self.comparator();
        }
    }

    fn comparator(&mut self) {
        let id = self.declare(Role::Thrower, &[Type::PTR, Type::PTR], &[Type::I32]);
        let signature = self.module.signature_of(id).clone();
        let bad = self.random.bits();
        let throws = self.random.percent(50);
        let mut writer = Writer::new(self, signature);
        writer.compare_elements(bad, throws);
        let body = std::mem::take(&mut writer.body);
        if let Some(function) = self.module.function_mut(id) {
            function.body = Some(Box::new(body));
        }
        let sig = self.sig_of(id);
        self.outside.comparators.push(Comparator { id, sig, bad, throws });
    }
}

impl Writer<'_> {
    fn compare(&mut self, cond: IntCond, a: Value, b: Value) -> Value {
        self.compute_with(Op::Icmp, Type::I64, &[a, b], Payload::IntCond(cond))
    }

    /// The body of a comparison.
    fn compare_elements(&mut self, bad: u64, throws: bool) {
        let block = self.block;
        let addresses = [(); 2].map(|()| self.body.append_param(block, Type::PTR));
        let payload = Payload::Access(Access::default());
        let [x, y] =
            addresses.map(|address| self.compute_with(Op::Load, Type::I64, &[address], payload));
        let bad = self.index(bad);
        let (first, second) =
            (self.compare(IntCond::Eq, x, bad), self.compare(IntCond::Eq, y, bad));
        let stops = self.compute(Op::Or, Type::I1, &[first, second]);
        if throws || self.random().percent(50) {
            let (out, on) = (self.body.make_block(), self.body.make_block());
            self.branch(stops, (out, &[]), (on, &[]));
            self.start(out);
            if throws {
                self.throw();
            } else {
                self.push(Op::Trap, Type::NONE, &[], Payload::Trap(TrapCode::User(77)));
            }
            self.start(on);
        } else {
            let holds = self.compute(Op::Not, Type::I1, &[stops]);
            let (kind, types) = (ExitKind::Trap(TrapCode::User(78)), [Type::I64].into());
            let exit = self.body.make_exit(ExitData { kind, types });
            self.push(Op::Check, Type::NONE, &[holds, bad], Payload::Exit(exit));
        }
        let sides = [IntCond::Sgt, IntCond::Slt].map(|cond| self.compare(cond, x, y));
        let [above, below] = sides.map(|side| self.compute(Op::Zext, Type::I32, &[side]));
        let result = self.compute(Op::Sub, Type::I32, &[above, below]);
        self.push(Op::Return, Type::NONE, &[result], Payload::None);
    }

    /// Whether something happens: as often as not where a throw is caught,
    /// else hardly ever.
    fn occasion(&mut self, throws: bool) -> Value {
        match throws && self.regions > 0 {
            true => self.any(Type::I1),
            false => self.rare_condition(),
        }
    }

    /// An array of numbers, sorted, and mostly searched.
    pub(super) fn sort(&mut self) -> Option<()> {
        let slot = self.array_slot?;
        let [sort, search] = self.program.outside.sort?;
        if !self.affords(SORT_COST) {
            return None;
        }
        self.spend(SORT_COST);
        let comparator = self.program.random.pick(&self.program.outside.comparators);
        let base = self.compute_with(Op::SlotAddr, Type::NONE, &[], Payload::Slot(slot));
        let count = self.random().between(2, MOST_ELEMENTS);
        let odd = self.random().below(count + 2);
        for index in 0..count {
            let number = match index == odd {
                true => self.perhaps_bad(&comparator),
                false => self.any(Type::I64),
            };
            self.store_element(base, number, index);
        }
        let (size, count) = (self.index(8), self.index(count as u64));
        let address = self.address_of(comparator.id, comparator.sig);
        let payload = Payload::ForeignCall { function: sort, roots: 0 };
        self.push(Op::CallForeign, Type::NONE, &[base, count, size, address], payload);
        let least = self.load_element(base, 0);
        self.load_element(base, 1);
        if self.random().percent(40) {
            return Some(());
        }
        let key = match self.random().percent(50) {
            true => least,
            false => self.perhaps_bad(&comparator),
        };
        self.store_element(base, key, MOST_ELEMENTS);
        let distance = self.index(8 * MOST_ELEMENTS as u64);
        let key = self.compute(Op::PtrAdd, Type::NONE, &[base, distance]);
        let payload = Payload::ForeignCall { function: search, roots: 0 };
        let args = [key, base, count, size, address];
        let found = self.compute_with(Op::CallForeign, Type::NONE, &args, payload);
        let null = self.zero(Type::PTR);
        let payload = Payload::IntCond(IntCond::Ne);
        let inst = self.push(Op::Icmp, Type::PTR, &[found, null], payload);
        self.keep(inst);
        Some(())
    }

    fn perhaps_bad(&mut self, comparator: &Comparator) -> Value {
        let stops = self.occasion(comparator.throws);
        let (bad, other) = (self.index(comparator.bad), self.any(Type::I64));
        self.compute(Op::Select, Type::I64, &[stops, bad, other])
    }

    fn store_element(&mut self, base: Value, number: Value, index: usize) {
        let access = Access { offset: 8 * index as i32, ..Access::default() };
        self.push(Op::Store, Type::I64, &[number, base], Payload::Access(access));
    }

    fn load_element(&mut self, base: Value, index: usize) -> Value {
        let access = Access { offset: 8 * index as i32, ..Access::default() };
        let inst = self.push(Op::Load, Type::I64, &[base], Payload::Access(access));
        self.keep(inst);
        self.body.results(inst)[0]
    }

    pub(super) fn address_of(&mut self, function: FuncId, sig: SigId) -> Value {
        let ty = Type::function(sig);
        let function = self.compute_with(Op::FunctionAddr, ty, &[], Payload::Function(function));
        self.compute(Op::FunctionToPtr, ty, &[function])
    }

    /// A call of a function of the host that may fail, or that calls back.
    pub(super) fn call_host(&mut self) -> Option<()> {
        let (judge, again) = (self.program.outside.judge, self.program.outside.again);
        if let Some(judge) = judge
            && (again.is_none() || self.random().percent(50))
        {
            let how = self.random().between(1, 2) as u128;
            let stops = self.rare_condition();
            let (returns, how) = (self.zero(Type::I32), self.number_of(Type::I32, how));
            let how = self.compute(Op::Select, Type::I32, &[stops, how, returns]);
            let args = [how, self.any(Type::I64)];
            return self.call_import(judge, &args, 1);
        }
        let is_caught = self.regions > 0 || self.has_hazard();
        let fits: Vec<Callable> = self.program.outside.callbacks.clone();
        let fits: Vec<&Callable> = fits
            .iter()
            .filter(|callback| (is_caught || !callback.throws) && self.affords(2 * callback.cost))
            .collect();
        if fits.is_empty() {
            return None;
        }
        let callback = self.random().pick(&fits);
        let args = [self.address_of(callback.id, callback.sig), self.any(Type::I64)];
        self.call_import(again?, &args, 2 * callback.cost)
    }

    fn call_import(&mut self, function: FuncId, args: &[Value], cost: u64) -> Option<()> {
        let inst = self.push(Op::Call, Type::NONE, args, Payload::Function(function));
        self.spend(cost);
        self.keep(inst);
        Some(())
    }

    /// Makes room for an array, where the program sorts.
    pub(super) fn open_array(&mut self) -> Option<Slot> {
        let sorts = self.program.outside.sort.is_some();
        sorts.then(|| self.body.make_slot(brolga_ir::body::SlotData::new(ARRAY_SIZE)))
    }
}
