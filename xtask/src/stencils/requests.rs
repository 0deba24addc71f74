//! Which stencils there are: for each op and class, the text of a function with that op alone.

use brolga_baseline::key::Class;
use brolga_ir::attribute::{FloatCond, IntCond, Order, RmwOp};
use brolga_ir::op::{Dialect, Form, Op, OpInfo, Pattern};
use brolga_ir::types::Type;

use super::cut::Cut;

/// A stencil to be made.
pub(super) struct Request {
    /// Its key, as the table spells it.
    pub(super) key: String,
    /// The function, `@s`.
    pub(super) text: String,
    /// The constant that the code is to have a place for.
    pub(super) number: Number,
    /// What is taken of the function.
    pub(super) cut: Cut,
}

/// A constant in the text.
#[derive(Clone, Copy)]
pub(super) enum Number {
    /// None.
    None,
    /// Each of these in turn, of which the last is negative.
    Of([i64; 3]),
}

impl Request {
    /// What stands for the constant in the text.
    pub(super) const NUMBER: &'static str = "NUMBER";

    fn new(op: Op, class: Class, variant: &str, text: String) -> Request {
        let key = format!("Key::new(Op::{op:?}, Class::{class:?}, Variant::{variant})");
        Request { key, text, number: Number::None, cut: Cut::Whole }
    }

    fn with_number(self, numbers: [i64; 3]) -> Request {
        Request { number: Number::Of(numbers), ..self }
    }
}

/// Numbers whose bytes are those of nothing else in the code.
const fn numbers(class: Class) -> [i64; 3] {
    match class {
        Class::I8 => [0x5a, 0x39, -0x1b],
        Class::I16 => [0x5a3b, 0x3957, -0x1b67],
        _ => [0x5a3b_1d67, 0x3957_6b1d, -0x1b67_5a39],
    }
}

/// Offsets of accesses and bounds.
const OFFSETS: [i64; 3] = numbers(Class::I32);

/// Counts that shift every class.
const SHIFTS: [i64; 3] = [3, 5, 6];

/// All of them.
pub(super) fn requests() -> Vec<Request> {
    let mut all = Vec::new();
    for &op in Op::ALL {
        let info = op.info();
        if info.dialect != Dialect::Machine {
            continue;
        }
        for class in [Class::None].into_iter().chain(Class::ALL.iter().copied()) {
            of_class(info, class, &mut all);
        }
    }
    all
}

fn of_class(info: &OpInfo, class: Class, all: &mut Vec<Request>) {
    let op = info.op;
    match info.form {
        Form::Values => values(info, class, all),
        Form::IntCompare => {
            for condition in IntCond::ALL {
                let (name, int) = (condition.name(), format!("(IntCond::{condition:?})"));
                let compare = |second: &str| format!("icmp.{} {name} %a, {second}", class.name());
                all.push(Request::new(
                    op,
                    class,
                    &format!("Int{int}"),
                    answer(class, &compare("%b")),
                ));
                let text = answer(class, &compare(Request::NUMBER));
                let constant = Request::new(op, class, &format!("IntConstant{int}"), text);
                all.push(constant.with_number(numbers(class)));
                all.push(branch(op, class, &format!("Branch{int}"), &compare("%b")));
                let text = compare(Request::NUMBER);
                let constant = branch(op, class, &format!("BranchConstant{int}"), &text);
                all.push(constant.with_number(numbers(class)));
            }
        }
        Form::FloatCompare => {
            for condition in FloatCond::ALL {
                let (name, float) = (condition.name(), format!("(FloatCond::{condition:?})"));
                let compare = format!("fcmp.{} {name} %a, %b", class.name());
                all.push(Request::new(
                    op,
                    class,
                    &format!("Float{float}"),
                    answer(class, &compare),
                ));
                all.push(branch(op, class, &format!("FloatBranch{float}"), &compare));
            }
        }
        _ => memory(info, class, all),
    }
}

/// A function that gives what a compare gives.
fn answer(class: Class, compare: &str) -> String {
    let ty = class.name();
    let mask = class.mask().name();
    format!(
        "func @s({ty}, {ty}) -> {mask} {{\nb(%a: {ty}, %b: {ty}):\n  %r = {compare}\n  return %r\n}}\n"
    )
}

/// A function that goes two ways by it.
fn branch(op: Op, class: Class, variant: &str, compare: &str) -> Request {
    let ty = class.name();
    let text = format!(
        "func @s({ty}, {ty}) -> i32 {{\nb(%a: {ty}, %b: {ty}):\n  %c = {compare}\n  \
         branch %c, t, f\nt:\n  return 1\nf:\n  return 2\n}}\n"
    );
    Request { cut: Cut::Compare, ..Request::new(op, class, variant, text) }
}

/// Loads, stores and atomic accesses.
fn memory(info: &OpInfo, class: Class, all: &mut Vec<Request>) {
    let (op, ty, mnemonic) = (info.op, class.name(), info.mnemonic);
    if class == Class::None {
        if info.form == Form::Fence {
            all.extend(Order::ALL.iter().map(|order| {
                let text = format!("func @s() {{\nb:\n  {mnemonic} {order}\n  return\n}}\n");
                Request::new(op, class, &format!("Order(Order::{order:?})"), text)
            }));
        }
        return;
    }
    let of =
        |variant: &str, text: String| Request::new(op, class, variant, text).with_number(OFFSETS);
    // Tested for alignment first, their address is used twice.
    let of_atomic =
        |variant: &str, text: String| Request::new(op, class, variant, text.replace("+NUMBER", ""));
    let load = |words: &str, rest: &str| {
        format!(
            "func @s(ptr, {ty}) -> {ty} {{\nb(%p: ptr, %a: {ty}):\n  \
             %r = {mnemonic}.{ty} {words}%p+NUMBER{rest}\n  return %r\n}}\n"
        )
    };
    let store = |words: &str| {
        format!(
            "func @s({ty}, ptr) {{\nb(%a: {ty}, %p: ptr):\n  \
             {mnemonic}.{ty} {words}%a, %p+NUMBER\n  return\n}}\n"
        )
    };
    match info.form {
        Form::Load => all.push(of("Plain", load("", ""))),
        Form::Store => all.push(of("Plain", store(""))),
        Form::AtomicLoad | Form::AtomicStore => {
            for order in Order::ALL {
                let words = format!("{order} ");
                let text = match info.form {
                    Form::AtomicLoad => load(&words, ""),
                    _ => store(&words),
                };
                all.push(of_atomic(&format!("Order(Order::{order:?})"), text));
            }
        }
        Form::AtomicRmw => {
            for kind in RmwOp::ALL {
                let text = load(&format!("{kind} seq_cst "), ", %a");
                all.push(of_atomic(&format!("Rmw(RmwOp::{kind:?})"), text));
            }
        }
        Form::AtomicCas => all.push(of_atomic(
            "Plain",
            format!(
                "func @s(ptr, {ty}, {ty}) -> ({ty}, i1) {{\nb(%p: ptr, %a: {ty}, %b: {ty}):\n  \
                 %r, %o = {mnemonic}.{ty} seq_cst seq_cst %p+NUMBER, %a, %b\n  return %r, %o\n}}\n"
            ),
        )),
        _ => {}
    }
}

/// Ops on values alone.
fn values(info: &OpInfo, class: Class, all: &mut Vec<Request>) {
    let converts = info.operands.iter().any(|operand| matches!(operand, Pattern::Any(_)));
    if !converts {
        all.extend(
            function(info, class, Class::None, "")
                .map(|text| Request::new(info.op, class, "Plain", text)),
        );
        let numbers = match info.op {
            Op::Shl | Op::Lshr | Op::Ashr | Op::Rotl | Op::Rotr => SHIFTS,
            Op::PtrAdd => OFFSETS,
            _ => numbers(class),
        };
        let takes_constant = matches!(
            info.op,
            Op::Add
                | Op::Sub
                | Op::Mul
                | Op::And
                | Op::Or
                | Op::Xor
                | Op::PtrAdd
                | Op::Shl
                | Op::Lshr
                | Op::Ashr
                | Op::Rotl
                | Op::Rotr
        );
        if takes_constant && let Some(text) = function(info, class, Class::None, Request::NUMBER) {
            all.push(Request::new(info.op, class, "Constant", text).with_number(numbers));
        }
        return;
    }
    for &from in Class::ALL {
        all.extend(
            function(info, class, from, "")
                .map(|text| Request::new(info.op, class, &format!("From(Class::{from:?})"), text)),
        );
    }
}

/// A function of one op, whose last operand is `number` if that is not empty.
fn function(info: &OpInfo, class: Class, from: Class, number: &str) -> Option<String> {
    let of = |pattern: &Pattern| -> Option<&str> {
        Some(match pattern {
            Pattern::Same => class.name(),
            Pattern::Any(_) => from.name(),
            Pattern::Lane => class.lane().name(),
            Pattern::Mask => class.mask().name(),
            Pattern::Is(ty) => fixed(*ty)?,
        })
    };
    let mut operands: Vec<String> = (0..info.operands.len()).map(|it| format!("%a{it}")).collect();
    let params: Option<Vec<&str>> = info.operands.iter().map(of).collect();
    let results: Option<Vec<&str>> = info.results.iter().map(of).collect();
    let (params, results) = (params?, results?);
    let typed = params.iter().zip(&operands).map(|(ty, name)| format!("{name}: {ty}"));
    let typed = typed.collect::<Vec<_>>().join(", ");
    if !number.is_empty() {
        *operands.last_mut()? = number.to_owned();
    }
    let named: Vec<String> = (0..results.len()).map(|it| format!("%r{it}")).collect();
    let suffix = if class == Class::None { String::new() } else { format!(".{}", class.name()) };
    let equals = if named.is_empty() { "" } else { " = " };
    Some(format!(
        "func @s({}) -> ({}) {{\nb({typed}):\n  {}{equals}{}{suffix} {}\n  return {}\n}}\n",
        params.join(", "),
        results.join(", "),
        named.join(", "),
        info.mnemonic,
        operands.join(", "),
        named.join(", "),
    ))
}

fn fixed(ty: Type) -> Option<&'static str> {
    match ty {
        Type::PTR => Some("ptr"),
        _ => Class::of(ty).filter(|class| *class != Class::None).map(Class::name),
    }
}
