//! What a program says.

use std::fmt;
use std::rc::Rc;

/// Where something stands: line and column, from 1 on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Place {
    /// The line.
    pub(crate) line: u32,
    /// The column, in characters.
    pub(crate) column: u32,
}

/// What is wrong with a program, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Fault {
    /// Where it is.
    pub(crate) at: Place,
    /// What it is, and the way out.
    pub(crate) message: String,
    /// Whether the program only ends too early: more of it may follow.
    pub(crate) is_unfinished: bool,
}

impl Fault {
    /// A fault that more text would not mend.
    pub(crate) fn new(at: Place, message: impl Into<String>) -> Fault {
        Fault { at, message: message.into(), is_unfinished: false }
    }

    /// With the line that it is in, and a mark below.
    pub(crate) fn shown_in(&self, text: &str) -> String {
        let line = text.lines().nth(self.at.line.saturating_sub(1) as usize).unwrap_or("");
        let before = line.chars().take(self.at.column.saturating_sub(1) as usize);
        let indent: String = before.map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
        format!("{self}\n    {line}\n    {indent}^")
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.at.line, self.at.column, self.message)
    }
}

impl std::error::Error for Fault {}

/// What a value is. A name says it by its last letter: those of texts end with `$`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Sort {
    /// A floating-point number.
    Number,
    /// A text.
    Text,
}

impl Sort {
    /// What a name stands for.
    pub(crate) fn of(name: &str) -> Sort {
        if name.ends_with('$') { Sort::Text } else { Sort::Number }
    }
}

impl fmt::Display for Sort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Sort::Number => "a number",
            Sort::Text => "a text",
        })
    }
}

/// Something that has a value.
#[derive(Clone, Debug)]
pub(crate) struct Expression {
    /// Where it begins; an operation, where its operator stands.
    pub(crate) at: Place,
    /// What it is.
    pub(crate) kind: Kind,
    /// How many expressions stand in one another here, this one included.
    pub(crate) height: u32,
}

impl Expression {
    /// One of that kind, which stands there.
    pub(crate) fn new(at: Place, kind: Kind) -> Expression {
        let mut height = 0;
        kind.each_part(&mut |part| height = height.max(part.height));
        Expression { at, kind, height: height + 1 }
    }
}

/// The kinds of expressions.
#[derive(Clone, Debug)]
pub(crate) enum Kind {
    /// `1.5`
    Number(f64),
    /// `"hello"`
    Text(Rc<str>),
    /// `x`
    Variable(Rc<str>),
    /// `x = 1`
    Assign(Rc<str>, Box<Expression>),
    /// `!x`
    Unary(char, Box<Expression>),
    /// `x + y`
    Binary(char, Box<[Expression; 2]>),
    /// `f(x, y)`
    Call(Rc<str>, Vec<Expression>),
    /// `if x then y else z`
    If(Box<[Expression; 3]>),
    /// `for i = 1, i < n, 2 in body`
    For(Box<For>),
    /// `var x = 1, y in body`
    Var(Vec<(Rc<str>, Option<Expression>)>, Box<Expression>),
}

impl Kind {
    /// Tells the expressions in it, in the order in which they stand.
    fn each_part(&self, tell: &mut dyn FnMut(&Expression)) {
        match self {
            Kind::Number(_) | Kind::Text(_) | Kind::Variable(_) => {}
            Kind::Assign(_, part) | Kind::Unary(_, part) => tell(part),
            Kind::Binary(_, parts) => parts.iter().for_each(tell),
            Kind::Call(_, parts) => parts.iter().for_each(tell),
            Kind::If(parts) => parts.iter().for_each(tell),
            Kind::For(round) => {
                let For { start, more, step, body, .. } = &**round;
                [start, more].into_iter().chain(step).chain([body]).for_each(tell);
            }
            Kind::Var(variables, body) => {
                let values = variables.iter().filter_map(|(_, value)| value.as_ref());
                values.chain([&**body]).for_each(tell);
            }
        }
    }
}

/// A loop.
#[derive(Clone, Debug)]
pub(crate) struct For {
    /// Its variable.
    pub(crate) variable: Rc<str>,
    /// What that is at first.
    pub(crate) start: Expression,
    /// Whether there is another round; asked behind each, before the step.
    pub(crate) more: Expression,
    /// What is added to the variable; 1 if nothing is said.
    pub(crate) step: Option<Expression>,
    /// What is done in each round.
    pub(crate) body: Expression,
}

/// How a function is called.
#[derive(Clone, Debug)]
pub(crate) struct Prototype {
    /// Where its name stands.
    pub(crate) at: Place,
    /// The name: of an operator, `unary!` or `binary:`.
    pub(crate) name: Rc<str>,
    /// The parameters.
    pub(crate) parameters: Vec<Rc<str>>,
    /// How strongly a binary operator binds.
    pub(crate) precedence: Option<u32>,
}

/// A piece of a program.
#[derive(Clone, Debug)]
pub(crate) enum Item {
    /// `def f(x) x + 1`
    Define(Prototype, Expression),
    /// `extern sin(x)`
    Declare(Prototype),
    /// `f(2)`
    Evaluate(Expression),
}

/// The name of the function that a unary operator calls.
pub(crate) fn unary_name(operator: char) -> Rc<str> {
    format!("unary{operator}").into()
}

/// The name of the function that a binary operator calls.
pub(crate) fn binary_name(operator: char) -> Rc<str> {
    format!("binary{operator}").into()
}
