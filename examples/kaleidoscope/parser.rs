//! Words to items.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::lexer::{Keyword, Word, words};
use crate::syntax::{
    Expression, Fault, For, Item, Kind, Place, Prototype, binary_name, unary_name,
};

/// Operators that the language has, and how strongly they bind. All but the first may be
/// defined anew.
const BUILT_IN: [(char, u32); 6] =
    [('=', 2), ('<', 10), ('+', 20), ('-', 20), ('*', 40), ('/', 40)];

/// How strongly an operator binds that does not say it.
const USUAL: u32 = 30;

/// The strongest that an operator may bind.
const STRONGEST: u32 = 100;

/// The parser goes down so deep at most, and expressions are so high: all who read them go down
/// with them.
const DEEPEST: u32 = 200;
const HIGHEST: u32 = 500;

/// What is said of more.
const TOO_DEEP: &str = "the expression is nested too deep: give a part of it a name";

/// Signs that are no operators.
const RESERVED: &str = "(),;=\"#";

/// The binary operators, which programs add to.
#[derive(Clone, Debug)]
pub(crate) struct Operators(BTreeMap<char, u32>);

impl Operators {
    /// Takes in what a prototype says of its operator, if it is one of two operands.
    pub(crate) fn enter(&mut self, prototype: &Prototype) {
        let operator = prototype.name.chars().last();
        if let (Some(precedence), Some(operator)) = (prototype.precedence, operator) {
            self.0.insert(operator, precedence);
        }
    }
}

impl Default for Operators {
    fn default() -> Operators {
        Operators(BUILT_IN.into())
    }
}

/// The items of a text, in order. What a definition of an operator says is in force behind it,
/// in this text: whether the definition holds is not known yet.
///
/// # Errors
/// The first fault.
pub(crate) fn parse(text: &str, operators: &Operators) -> Result<Vec<Item>, Fault> {
    let mut parser =
        Parser { words: words(text)?, next: 0, depth: 0, operators: operators.clone() };
    let mut items = Vec::new();
    loop {
        match parser.peek() {
            Word::End => break,
            Word::Sign(';') => parser.skip(),
            _ => items.push(parser.item()?),
        }
    }
    Ok(items)
}

/// An expression, unless it is too high.
fn made(at: Place, kind: Kind) -> Result<Expression, Fault> {
    let expression = Expression::new(at, kind);
    if expression.height > HIGHEST { Err(Fault::new(at, TOO_DEEP)) } else { Ok(expression) }
}

struct Parser {
    words: Vec<(Place, Word)>,
    next: usize,
    depth: u32,
    operators: Operators,
}

impl Parser {
    fn peek(&self) -> &Word {
        self.words.get(self.next).map_or(&Word::End, |(_, word)| word)
    }

    fn place(&self) -> Place {
        let last = self.words.len().saturating_sub(1);
        self.words.get(self.next.min(last)).map_or(Place { line: 1, column: 1 }, |&(at, _)| at)
    }

    fn skip(&mut self) {
        self.next += 1;
    }

    /// Goes past a word if it comes.
    fn takes(&mut self, word: &Word) -> bool {
        let comes = self.peek() == word;
        if comes {
            self.skip();
        }
        comes
    }

    fn fault<T>(&self, message: impl Into<String>) -> Result<T, Fault> {
        let is_unfinished = *self.peek() == Word::End;
        Err(Fault { is_unfinished, ..Fault::new(self.place(), message) })
    }

    fn sign(&mut self, sign: char, why: &str) -> Result<(), Fault> {
        if self.takes(&Word::Sign(sign)) {
            Ok(())
        } else {
            self.fault(format!("`{sign}` is missing {why}"))
        }
    }

    fn keyword(&mut self, keyword: Keyword, why: &str) -> Result<(), Fault> {
        let text = keyword.text();
        if self.takes(&Word::Keyword(keyword)) {
            Ok(())
        } else {
            self.fault(format!("`{text}` is missing {why}"))
        }
    }

    fn name(&mut self, what: &str) -> Result<Rc<str>, Fault> {
        match self.peek().clone() {
            Word::Name(name) => {
                self.skip();
                Ok(name)
            }
            Word::Keyword(word) => self.fault(format!(
                "`{}` is a word of the language: {what} needs another name",
                word.text()
            )),
            _ => self.fault(format!("{what} has no name here")),
        }
    }

    fn item(&mut self) -> Result<Item, Fault> {
        if self.takes(&Word::Keyword(Keyword::Extern)) {
            return Ok(Item::Declare(self.prototype()?));
        }
        if !self.takes(&Word::Keyword(Keyword::Def)) {
            return Ok(Item::Evaluate(self.expression()?));
        }
        let prototype = self.prototype()?;
        self.operators.enter(&prototype);
        Ok(Item::Define(prototype, self.expression()?))
    }

    fn prototype(&mut self) -> Result<Prototype, Fault> {
        let at = self.place();
        let is_unary = self.takes(&Word::Keyword(Keyword::Unary));
        let is_binary = !is_unary && self.takes(&Word::Keyword(Keyword::Binary));
        let (name, precedence) = match (is_unary, is_binary) {
            (true, _) => (unary_name(self.operator()?), None),
            (_, true) => (binary_name(self.operator()?), Some(self.precedence()?)),
            _ => (self.name("a function")?, None),
        };
        self.sign('(', "before the parameters")?;
        let mut parameters = Vec::new();
        while let Word::Name(parameter) = self.peek().clone() {
            if parameters.contains(&parameter) {
                return self.fault(format!("there are two parameters `{parameter}`"));
            }
            parameters.push(parameter);
            self.skip();
            // As in the original, parameters stand side by side; commas do no harm.
            self.takes(&Word::Sign(','));
        }
        self.sign(')', "behind the parameters")?;
        let wanted = usize::from(is_unary) + 2 * usize::from(is_binary);
        if wanted != 0 && parameters.len() != wanted {
            let message =
                format!("the operator takes {wanted} and has {} parameters", parameters.len());
            return Err(Fault::new(at, message));
        }
        Ok(Prototype { at, name, parameters, precedence })
    }

    fn operator(&mut self) -> Result<char, Fault> {
        match *self.peek() {
            Word::Sign(sign) if !RESERVED.contains(sign) => {
                self.skip();
                Ok(sign)
            }
            Word::Sign(sign) => {
                self.fault(format!("`{sign}` is a sign of the language: take another"))
            }
            _ => self.fault("an operator is one sign, such as `!` or `:`"),
        }
    }

    fn precedence(&mut self) -> Result<u32, Fault> {
        let Word::Number(number) = *self.peek() else { return Ok(USUAL) };
        if !(1.0..=f64::from(STRONGEST)).contains(&number) || number.fract() != 0.0 {
            return self
                .fault(format!("an operator binds by a whole number from 1 to {STRONGEST}"));
        }
        self.skip();
        Ok(number as u32)
    }

    fn expression(&mut self) -> Result<Expression, Fault> {
        self.deeper(|parser| {
            let left = parser.unary()?;
            parser.operations(1, left)
        })
    }

    /// Goes down by one.
    fn deeper(
        &mut self,
        parse: impl FnOnce(&mut Parser) -> Result<Expression, Fault>,
    ) -> Result<Expression, Fault> {
        if self.depth >= DEEPEST {
            return Err(Fault::new(self.place(), TOO_DEEP));
        }
        self.depth += 1;
        let expression = parse(self);
        self.depth -= 1;
        expression
    }

    /// What follows an operand, as far as it binds at least so strongly.
    fn operations(&mut self, least: u32, mut left: Expression) -> Result<Expression, Fault> {
        loop {
            let Word::Sign(operator) = *self.peek() else { return Ok(left) };
            let precedence = self.operators.0.get(&operator).copied();
            let Some(precedence) = precedence.filter(|&it| it >= least) else { return Ok(left) };
            let at = self.place();
            self.skip();
            // Assignments are made from right to left, everything else from left to right.
            let next = precedence + u32::from(operator != '=');
            let right = self.deeper(|parser| {
                let right = parser.unary()?;
                parser.operations(next, right)
            })?;
            left = match (operator, left.kind) {
                ('=', Kind::Variable(name)) => made(at, Kind::Assign(name, Box::new(right)))?,
                ('=', _) => return Err(Fault::new(at, "only a variable can be assigned to")),
                (_, kind) => {
                    let left = Expression { kind, ..left };
                    made(at, Kind::Binary(operator, Box::new([left, right])))?
                }
            };
        }
    }

    fn unary(&mut self) -> Result<Expression, Fault> {
        let at = self.place();
        match *self.peek() {
            Word::Sign(sign) if !RESERVED.contains(sign) => {
                self.skip();
                let operand = self.deeper(Parser::unary)?;
                made(at, Kind::Unary(sign, Box::new(operand)))
            }
            _ => self.primary(),
        }
    }

    fn primary(&mut self) -> Result<Expression, Fault> {
        let at = self.place();
        let kind = match self.peek().clone() {
            Word::Number(number) => {
                self.skip();
                Kind::Number(number)
            }
            Word::Text(text) => {
                self.skip();
                Kind::Text(text)
            }
            Word::Name(name) => {
                self.skip();
                if self.takes(&Word::Sign('(')) {
                    Kind::Call(name, self.arguments()?)
                } else {
                    Kind::Variable(name)
                }
            }
            Word::Sign('(') => {
                self.skip();
                let inner = self.expression()?;
                self.sign(')', "behind the expression")?;
                return Ok(inner);
            }
            Word::Keyword(Keyword::If) => self.condition()?,
            Word::Keyword(Keyword::For) => self.round()?,
            Word::Keyword(Keyword::Var) => self.variables()?,
            Word::Keyword(word) => {
                return self.fault(format!("`{}` begins no expression", word.text()));
            }
            Word::Sign(sign) => return self.fault(format!("`{sign}` begins no expression")),
            Word::End => return self.fault("an expression is missing"),
        };
        made(at, kind)
    }

    fn arguments(&mut self) -> Result<Vec<Expression>, Fault> {
        let mut arguments = Vec::new();
        if self.takes(&Word::Sign(')')) {
            return Ok(arguments);
        }
        loop {
            arguments.push(self.expression()?);
            if self.takes(&Word::Sign(')')) {
                return Ok(arguments);
            }
            self.sign(',', "between arguments, or `)` behind them")?;
        }
    }

    fn condition(&mut self) -> Result<Kind, Fault> {
        self.skip();
        let condition = self.expression()?;
        self.keyword(Keyword::Then, "behind the condition")?;
        let yes = self.expression()?;
        self.keyword(Keyword::Else, "behind what is given if it holds")?;
        Ok(Kind::If(Box::new([condition, yes, self.expression()?])))
    }

    fn round(&mut self) -> Result<Kind, Fault> {
        self.skip();
        let variable = self.name("the variable of a loop")?;
        self.sign('=', "before the first value")?;
        let start = self.expression()?;
        self.sign(',', "behind the first value")?;
        let more = self.expression()?;
        let step = if self.takes(&Word::Sign(',')) { Some(self.expression()?) } else { None };
        self.keyword(Keyword::In, "before what is done in each round")?;
        let body = self.expression()?;
        Ok(Kind::For(Box::new(For { variable, start, more, step, body })))
    }

    fn variables(&mut self) -> Result<Kind, Fault> {
        self.skip();
        let mut variables = Vec::new();
        loop {
            let name = self.name("a variable")?;
            let value = if self.takes(&Word::Sign('=')) { Some(self.expression()?) } else { None };
            variables.push((name, value));
            if !self.takes(&Word::Sign(',')) {
                break;
            }
        }
        self.keyword(Keyword::In, "behind the variables")?;
        Ok(Kind::Var(variables, Box::new(self.expression()?)))
    }
}
