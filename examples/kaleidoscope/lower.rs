//! Items to modules of the IR: one function each.
//!
//! Numbers are `f64`. A text is an `i64`, which the host knows by number, so that a module needs
//! no address and stays in the safe dialect.

use std::collections::BTreeMap;
use std::rc::Rc;

use brolga::ir::attribute::FloatCond;
use brolga::ir::builder::{FunctionBuilder, ModuleBuilder, Value, Variable};
use brolga::ir::entity::FuncId;
use brolga::ir::module::{Linkage, Module};
use brolga::ir::types::{Signature, Type};

use crate::syntax::{
    Expression, Fault, For, Kind, Place, Prototype, Sort, binary_name, unary_name,
};

/// Functions of the host for texts. No name of a program has a point in it.
pub(crate) const JOIN: &str = "text.join";
/// Whether one text stands before another.
pub(crate) const BEFORE: &str = "text.before";

/// What names stand for.
pub(crate) trait Names {
    /// How a function is called, if it is known.
    fn function(&self, name: &str) -> Option<&Prototype>;

    /// The number of a text.
    fn text(&mut self, text: &str) -> i64;
}

/// The type of a value.
fn type_of(sort: Sort) -> Type {
    match sort {
        Sort::Number => Type::F64,
        Sort::Text => Type::I64,
    }
}

fn types_of(parameters: &[Rc<str>]) -> Vec<Type> {
    parameters.iter().map(|name| type_of(Sort::of(name))).collect()
}

/// A module that defines a function.
///
/// # Errors
/// If names or sorts do not fit.
pub(crate) fn function(
    prototype: &Prototype,
    body: &Expression,
    names: &mut dyn Names,
) -> Result<Module, Fault> {
    module(&prototype.name, &prototype.parameters, Some(Sort::of(&prototype.name)), body, names)
        .map(|(module, _)| module)
}

/// A module that defines a function of no parameters, and what that gives.
///
/// # Errors
/// If names or sorts do not fit.
pub(crate) fn expression(
    name: &str,
    body: &Expression,
    names: &mut dyn Names,
) -> Result<(Module, Sort), Fault> {
    // What an expression gives is seen when it has been taken down, and its signature comes
    // before: so it is taken down twice, if it is a text.
    match module(name, &[], None, body, names)? {
        (_, Sort::Text) => module(name, &[], Some(Sort::Text), body, names),
        number => Ok(number),
    }
}

fn module(
    name: &str,
    parameters: &[Rc<str>],
    result: Option<Sort>,
    body: &Expression,
    names: &mut dyn Names,
) -> Result<(Module, Sort), Fault> {
    let types = types_of(parameters);
    let mut module = ModuleBuilder::new(name);
    let own = module.export(name, &types, &[type_of(result.unwrap_or(Sort::Number))]);
    let functions = BTreeMap::from([(Rc::from(name), own)]);
    let mut builder = module.define(own);
    let mut scope = Vec::new();
    for (index, parameter) in parameters.iter().enumerate() {
        let variable = builder.declare_variable(parameter, types[index]);
        let value = builder.param(index);
        builder.set(variable, value);
        scope.push((Rc::clone(parameter), variable));
    }
    let mut lowering = Lowering { builder, names, functions, scope };
    let (value, sort) = lowering.value(body)?;
    if let Some(wanted) = result.filter(|&wanted| wanted != sort) {
        return Err(Fault::new(
            body.at,
            format!("@{name} is to give {wanted}, and this is {sort}"),
        ));
    }
    // A text where a number was announced is thrown away by the caller, and taken down again.
    let value = if result.is_none() && sort == Sort::Text { lowering.zero() } else { value };
    lowering.builder.return_values(&[value]);
    let fault = |error: &dyn std::fmt::Display| Fault::new(body.at, error.to_string());
    lowering.builder.finish().map_err(|error| fault(&error))?;
    Ok((module.finish().map_err(|error| fault(&error))?, sort))
}

struct Lowering<'a, 'm> {
    builder: FunctionBuilder<'m>,
    names: &'a mut dyn Names,
    functions: BTreeMap<Rc<str>, FuncId>,
    scope: Vec<(Rc<str>, Variable)>,
}

type Typed = (Value, Sort);

impl Lowering<'_, '_> {
    fn zero(&mut self) -> Value {
        self.builder.fconst(Type::F64, 0.0)
    }

    fn value(&mut self, expression: &Expression) -> Result<Typed, Fault> {
        let at = expression.at;
        self.builder.set_location("kaleidoscope", at.line, at.column);
        match &expression.kind {
            Kind::Number(number) => Ok((self.builder.fconst(Type::F64, *number), Sort::Number)),
            Kind::Text(text) => {
                let number = self.names.text(text);
                Ok((self.builder.iconst(Type::I64, number), Sort::Text))
            }
            Kind::Variable(name) => {
                let variable = self.variable(at, name)?;
                Ok((self.builder.get(variable), Sort::of(name)))
            }
            Kind::Assign(name, value) => {
                let value = self.of_sort(value, Sort::of(name))?;
                let variable = self.variable(at, name)?;
                self.builder.set(variable, value);
                Ok((value, Sort::of(name)))
            }
            Kind::Unary(operator, operand) => self.unary(at, *operator, operand),
            Kind::Binary(operator, operands) => self.binary(at, *operator, operands),
            Kind::Call(name, arguments) => self.call(at, name, arguments),
            Kind::If(parts) => self.condition(parts),
            Kind::For(round) => self.round(round),
            Kind::Var(variables, body) => self.variables(variables, body),
        }
    }

    fn of_sort(&mut self, expression: &Expression, wanted: Sort) -> Result<Value, Fault> {
        match self.value(expression)? {
            (value, sort) if sort == wanted => Ok(value),
            (_, sort) => {
                Err(Fault::new(expression.at, format!("{wanted} belongs here, and this is {sort}")))
            }
        }
    }

    /// The variable that a name stands for: the innermost.
    fn variable(&self, at: Place, name: &str) -> Result<Variable, Fault> {
        let found = self.scope.iter().rev().find(|(known, _)| **known == *name);
        found.map(|&(_, variable)| variable).ok_or_else(|| {
            let message = match self.names.function(name) {
                Some(_) => format!("`{name}` is a function: call it as `{name}(…)`"),
                None => format!("there is no variable `{name}`: make one by `var {name} = … in …`"),
            };
            Fault::new(at, message)
        })
    }

    fn call(&mut self, at: Place, name: &str, arguments: &[Expression]) -> Result<Typed, Fault> {
        let Some(prototype) = self.names.function(name) else {
            let message =
                format!("there is no function `{name}`: define it, or say `extern {name}(…)`");
            return Err(Fault::new(at, message));
        };
        let parameters = prototype.parameters.clone();
        if parameters.len() != arguments.len() {
            let (takes, has) = (parameters.len(), arguments.len());
            return Err(Fault::new(at, format!("`{name}` takes {takes} arguments, and has {has}")));
        }
        let mut values = Vec::with_capacity(arguments.len());
        for (argument, parameter) in arguments.iter().zip(&parameters) {
            values.push(self.of_sort(argument, Sort::of(parameter))?);
        }
        self.builder.set_location("kaleidoscope", at.line, at.column);
        let types = types_of(&parameters);
        Ok((self.call_as(name, (&types, type_of(Sort::of(name))), &values), Sort::of(name)))
    }

    /// Calls a function of that signature, which another module defines, or this one.
    fn call_as(
        &mut self,
        name: &str,
        (parameters, result): (&[Type], Type),
        values: &[Value],
    ) -> Value {
        let function = match self.functions.get(name) {
            Some(&known) => known,
            None => {
                let signature = Signature::internal(parameters, &[result]);
                let function = self.builder.declare(name, Linkage::Import, signature);
                self.functions.insert(name.into(), function);
                function
            }
        };
        self.builder.call(function, values).first()
    }

    fn unary(&mut self, at: Place, operator: char, operand: &Expression) -> Result<Typed, Fault> {
        let name = unary_name(operator);
        if self.names.function(&name).is_some() {
            return self.call(at, &name, std::slice::from_ref(operand));
        }
        if operator != '-' {
            let message = format!("there is no operator `{operator}`: define `unary{operator}(x)`");
            return Err(Fault::new(at, message));
        }
        let value = self.of_sort(operand, Sort::Number)?;
        Ok((self.builder.fneg(value), Sort::Number))
    }

    fn binary(
        &mut self,
        at: Place,
        operator: char,
        operands: &[Expression; 2],
    ) -> Result<Typed, Fault> {
        let name = binary_name(operator);
        if self.names.function(&name).is_some() {
            return self.call(at, &name, operands);
        }
        let (left, sort) = self.value(&operands[0])?;
        let right = self.of_sort(&operands[1], sort)?;
        self.builder.set_location("kaleidoscope", at.line, at.column);
        let value = match (sort, operator) {
            (Sort::Number, '+') => self.builder.fadd(left, right),
            (Sort::Number, '-') => self.builder.fsub(left, right),
            (Sort::Number, '*') => self.builder.fmul(left, right),
            (Sort::Number, '/') => self.builder.fdiv(left, right),
            (Sort::Number, '<') => {
                let is_less = self.builder.fcmp(FloatCond::Olt, left, right);
                let (one, zero) = (self.builder.fconst(Type::F64, 1.0), self.zero());
                self.builder.select(is_less, one, zero)
            }
            (Sort::Text, '+') => {
                let signature = (&[Type::I64; 2][..], Type::I64);
                return Ok((self.call_as(JOIN, signature, &[left, right]), sort));
            }
            (Sort::Text, '<') => self.call_as(BEFORE, (&[Type::I64; 2], Type::F64), &[left, right]),
            _ => return Err(Fault::new(at, format!("there is no `{operator}` for {sort}"))),
        };
        Ok((value, Sort::Number))
    }

    /// Whether a number is true: neither zero nor no number.
    fn truth(&mut self, expression: &Expression) -> Result<Value, Fault> {
        let value = self.of_sort(expression, Sort::Number)?;
        let zero = self.zero();
        Ok(self.builder.fcmp(FloatCond::One, value, zero))
    }

    fn condition(&mut self, [condition, yes, no]: &[Expression; 3]) -> Result<Typed, Fault> {
        let truth = self.truth(condition)?;
        let [then, otherwise, behind] =
            ["then", "else", "behind"].map(|name| self.builder.create_block(name));
        self.builder.branch(truth, then, &[], otherwise, &[]);
        self.builder.switch_to(then);
        let (value, sort) = self.value(yes)?;
        let result = self.builder.append_param(behind, type_of(sort));
        self.builder.jump(behind, &[value]);
        self.builder.switch_to(otherwise);
        let value = self.of_sort(no, sort)?;
        self.builder.jump(behind, &[value]);
        self.builder.switch_to(behind);
        Ok((result, sort))
    }

    /// As in the original, the body comes first, and the question before the step.
    fn round(&mut self, round: &For) -> Result<Typed, Fault> {
        let For { variable: name, start, more, step, body } = round;
        if Sort::of(name) == Sort::Text {
            return Err(Fault::new(start.at, "a loop counts by a number"));
        }
        let start = self.of_sort(start, Sort::Number)?;
        let variable = self.builder.declare_variable(name, Type::F64);
        self.builder.set(variable, start);
        let [next, behind] = ["round", "behind"].map(|name| self.builder.create_block(name));
        self.builder.jump(next, &[]);
        self.builder.switch_to(next);
        self.scope.push((Rc::clone(name), variable));
        self.value(body)?;
        let step = match step {
            Some(step) => self.of_sort(step, Sort::Number)?,
            None => self.builder.fconst(Type::F64, 1.0),
        };
        let more = self.truth(more)?;
        let value = self.builder.get(variable);
        let value = self.builder.fadd(value, step);
        self.builder.set(variable, value);
        self.scope.pop();
        self.builder.branch(more, next, &[], behind, &[]);
        self.builder.switch_to(behind);
        Ok((self.zero(), Sort::Number))
    }

    fn variables(
        &mut self,
        variables: &[(Rc<str>, Option<Expression>)],
        body: &Expression,
    ) -> Result<Typed, Fault> {
        let outer = self.scope.len();
        for (name, value) in variables {
            // A variable's first value knows those before it, and an outer one of its name.
            let sort = Sort::of(name);
            let value = match value {
                Some(value) => self.of_sort(value, sort)?,
                None if sort == Sort::Text => {
                    let empty = self.names.text("");
                    self.builder.iconst(Type::I64, empty)
                }
                None => self.zero(),
            };
            let variable = self.builder.declare_variable(name, type_of(sort));
            self.builder.set(variable, value);
            self.scope.push((Rc::clone(name), variable));
        }
        let value = self.value(body);
        self.scope.truncate(outer);
        value
    }
}
