//! Directives: what comments of a test file say of the module beside them.

use super::cursor::Cursor;
use super::datum::parse_datum;
use super::diagnostic::{Code, Diagnostic, Parsed};
use super::lexer::{Position, TokenKind};
use super::literal::parse_count;
use super::parser::parse_trap_code;
use crate::datum::Datum;
use crate::module::Module;
use crate::trap::TrapCode;
use crate::types::{Signature, Type};

/// One directive.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Directive {
    /// The line that it stands on, from 1.
    pub line: u32,
    /// What it says.
    pub kind: DirectiveKind,
}

/// What a directive says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DirectiveKind {
    /// `run`: what a call comes to.
    Run(Run),
    /// `error`: parsing reports that code there.
    Error {
        /// The line, from 1.
        line: u32,
        /// The column, from 1.
        column: u32,
        /// The code.
        code: Code,
    },
    /// `verify`: verification reports that code on that line.
    Verify {
        /// The line, from 1.
        line: u32,
        /// The verifier's code.
        code: String,
    },
    /// `compile`: the module compiles for those targets.
    Compile {
        /// Target strings.
        targets: Vec<String>,
    },
    /// `passes`: what passes make of the module.
    Passes(Passes),
    /// `changes` and `keeps`: whether passes, each of them alone, change a function.
    Alone(Alone),
    /// `remark`: what a pass tells of a line.
    Remark(ToldRemark),
    /// `asm`: what the machine code of a function is made of.
    Assembly(Assembly),
    /// `needs`: a feature that CPUs must have for which the module is compiled.
    Needs {
        /// The feature.
        feature: String,
    },
    /// `skip`: an engine that the file is not for.
    Skip {
        /// The engine.
        engine: String,
        /// Why.
        reason: String,
    },
}

/// Passes, and the module that they give.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Passes {
    /// The names of passes, in the order in which they run; that of a level
    /// stands for all of its passes.
    pub names: Vec<String>,
    /// The target that they run for, if the directive says it.
    pub target: Option<String>,
    /// The printed module, line by line.
    pub gives: Vec<String>,
}

/// Passes each of which runs alone on the module as it is written, and whether it changes a
/// function of that.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Alone {
    /// The name of the function.
    pub function: String,
    /// The names of the passes.
    pub names: Vec<String>,
    /// What each does to the function.
    pub outcome: AloneOutcome,
}

/// What a pass does to a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AloneOutcome {
    /// It makes another one of it.
    Changes,
    /// It leaves it as it is, to the letter.
    Keeps,
}

/// A remark that a pass makes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ToldRemark {
    /// The name of the function that the code was written in.
    pub function: String,
    /// The line, from 1; 0 if there is none.
    pub line: u32,
    /// The pass.
    pub pass: String,
    /// The names of the passes that run, as in [`Passes::names`]: that one alone, unless the
    /// directive says among which others.
    pub names: Vec<String>,
    /// The target that they run for, if the directive says it.
    pub target: Option<String>,
    /// What the pass tells.
    pub message: String,
}

/// Machine instructions that a function has, or one of its loops.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Assembly {
    /// Where they are looked for.
    pub part: AssemblyPart,
    /// The name of the function.
    pub function: String,
    /// The target that it is compiled for.
    pub target: String,
    /// Mnemonics that are there.
    pub has: Vec<String>,
    /// Mnemonics that are not.
    pub lacks: Vec<String>,
    /// How many conditional jumps there are, if the directive says it.
    pub branches: Option<u32>,
    /// How many loops there are that have no other in them, if the directive says it.
    pub loops: Option<u32>,
}

/// Which part of a function a directive speaks of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AssemblyPart {
    /// All of it.
    Function,
    /// Some loop that has no other in it.
    Loop,
}

/// A call and what it comes to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Run {
    /// The name of the function.
    pub function: String,
    /// The arguments.
    pub arguments: Vec<Piece>,
    /// What the call comes to.
    pub outcome: Outcome,
}

/// What a call comes to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// It returns these values.
    Returns(Vec<Piece>),
    /// It stops with a trap.
    Traps {
        /// The code.
        code: TrapCode,
        /// The line of the instruction, if the directive says it.
        line: Option<u32>,
    },
}

/// The text of a value, whose type the signature of the function gives.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Piece {
    /// The text.
    pub text: String,
    /// Its line, from 1.
    pub line: u32,
    /// Its column, from 1.
    pub column: u32,
}

impl Piece {
    /// The value of type `ty` that the text spells.
    ///
    /// # Errors
    /// What is no such value, at its place in the file.
    pub fn datum(&self, module: &Module, ty: Type) -> Result<Datum, Diagnostic> {
        parse_datum(&module.types, ty, &self.text).map_err(|mut error| {
            error.line = self.line;
            error.column = (self.column - 1).saturating_add(error.column);
            error
        })
    }
}

impl Run {
    /// The arguments as values of the function's parameters.
    ///
    /// # Errors
    /// A function that is not there, another number of arguments than it
    /// takes, or an argument that is no value of its type.
    pub fn argument_data(&self, module: &Module, line: u32) -> Result<Vec<Datum>, Diagnostic> {
        let types: Vec<Type> = self.signature(module, line)?.param_types().collect();
        data(module, line, &self.arguments, &types, "argument")
    }

    /// The values that the call returns; none if it traps.
    ///
    /// # Errors
    /// As [`argument_data`](Self::argument_data), of the results.
    pub fn result_data(
        &self,
        module: &Module,
        line: u32,
    ) -> Result<Option<Vec<Datum>>, Diagnostic> {
        let Outcome::Returns(pieces) = &self.outcome else { return Ok(None) };
        let types: Vec<Type> = self.signature(module, line)?.result_types().collect();
        data(module, line, pieces, &types, "result").map(Some)
    }

    fn signature<'m>(&self, module: &'m Module, line: u32) -> Result<&'m Signature, Diagnostic> {
        match module.function_named(&self.function) {
            Some(id) => Ok(module.signature_of(id)),
            None => Err(bad(line, format!("there is no function `@{}`", self.function))),
        }
    }
}

fn data(
    module: &Module,
    line: u32,
    pieces: &[Piece],
    types: &[Type],
    kind: &str,
) -> Result<Vec<Datum>, Diagnostic> {
    if pieces.len() != types.len() {
        let message = format!("{} {kind}s are given and {} are due", pieces.len(), types.len());
        return Err(bad(line, message));
    }
    pieces.iter().zip(types).map(|(piece, &ty)| piece.datum(module, ty)).collect()
}

/// A directive that is wrong as a whole.
fn bad(line: u32, message: String) -> Diagnostic {
    Diagnostic { code: Code::BadDirective, message, line, column: 1, span: 0..0, hint: None }
}

/// The directives of a text, in order.
///
/// # Errors
/// Every directive that is not spelled as one.
pub fn directives(text: &str) -> Result<Vec<Directive>, Vec<Diagnostic>> {
    if text.len() > super::MAX_BYTES {
        return Err(vec![super::diagnostic::too_large(text.len(), super::MAX_BYTES)]);
    }
    let (mut found, mut errors) = (Vec::new(), Vec::new());
    let mut start = 0;
    for (index, line) in text.split_inclusive('\n').enumerate() {
        let content = Line { text, start, number: index as u32 + 1, line: line.trim_end() };
        match content.directive() {
            Some(Ok(kind)) => found.push(Directive { line: content.number, kind }),
            Some(Err(error)) => errors.push(error),
            None => content.go_on(&mut found),
        }
        start += line.len();
    }
    if errors.is_empty() { Ok(found) } else { Err(errors) }
}

/// Words with spaces and commas between.
fn listed_words(text: &str) -> Vec<&str> {
    text.split([' ', ',']).filter(|word| !word.is_empty()).collect()
}

/// A line of a text.
struct Line<'a> {
    text: &'a str,
    /// Where it begins, in bytes.
    start: usize,
    number: u32,
    line: &'a str,
}

impl Line<'_> {
    /// Its comment, if it holds nothing else.
    fn comment(&self) -> Option<&str> {
        Some(self.line.trim_start().strip_prefix(';')?.trim_start())
    }

    /// Adds it to the `passes` that ends on the line before, if it goes on with that.
    fn go_on(&self, found: &mut [Directive]) {
        let Some(given) = self.comment().and_then(|comment| comment.strip_prefix('|')) else {
            return;
        };
        if let Some(Directive { line, kind: DirectiveKind::Passes(passes) }) = found.last_mut()
            && *line as usize + passes.gives.len() + 1 == self.number as usize
        {
            passes.gives.push(given.strip_prefix(' ').unwrap_or(given).to_owned());
        }
    }

    /// What its directive says, if it is one.
    fn directive(&self) -> Option<Result<DirectiveKind, Diagnostic>> {
        let comment = self.comment()?;
        let (name, rest) = comment.split_once(':')?;
        let rest = rest.trim();
        Some(match name {
            "run" => self.run().map(DirectiveKind::Run),
            "error" => self.error(rest),
            "verify" => self.verify(rest),
            "compile" => Ok(DirectiveKind::Compile {
                targets: rest.split_whitespace().map(str::to_owned).collect(),
            }),
            "passes" => self.passes(rest),
            "changes" => self.alone(rest, AloneOutcome::Changes),
            "keeps" => self.alone(rest, AloneOutcome::Keeps),
            "remark" => self.remark(rest),
            "asm" => self.assembly(rest),
            "needs" if rest.is_empty() || rest.contains(char::is_whitespace) => {
                Err(self.bad("expected one feature of CPUs, as in `cx16`"))
            }
            "needs" => Ok(DirectiveKind::Needs { feature: rest.to_owned() }),
            "skip" => {
                let (engine, reason) = rest.split_once(' ').unwrap_or((rest, ""));
                let skip = DirectiveKind::Skip {
                    engine: engine.to_owned(),
                    reason: reason.trim().to_owned(),
                };
                match reason {
                    "" => Err(self.bad("expected an engine and a reason")),
                    _ => Ok(skip),
                }
            }
            _ => return None,
        })
    }

    fn bad(&self, message: &str) -> Diagnostic {
        let span = self.start..self.start + self.line.len();
        Diagnostic { span, ..bad(self.number, message.to_owned()) }
    }

    fn error(&self, rest: &str) -> Result<DirectiveKind, Diagnostic> {
        let expected = "expected a line, a column and a code, as in `7:5 unknown-op`";
        let read = || {
            let (place, code) = rest.split_once(' ')?;
            let (line, column) = place.split_once(':')?;
            let code = Code::from_name(code.trim())?;
            let (line, column) = (line.parse().ok()?, column.parse().ok()?);
            Some(DirectiveKind::Error { line, column, code })
        };
        read().ok_or_else(|| self.bad(expected))
    }

    fn verify(&self, rest: &str) -> Result<DirectiveKind, Diagnostic> {
        let read = || {
            let (line, code) = rest.split_once(' ')?;
            let code = code.trim().to_owned();
            Some(DirectiveKind::Verify { line: line.parse().ok()?, code })
        };
        read().ok_or_else(|| self.bad("expected a line and a code, as in `9 type-mismatch`"))
    }

    fn passes(&self, rest: &str) -> Result<DirectiveKind, Diagnostic> {
        let words = listed_words(rest);
        let (names, target) = match words.as_slice() {
            [names @ .., "for", target] => (names, Some((*target).to_owned())),
            names => (names, None),
        };
        if names.is_empty() || names.contains(&"for") {
            return Err(
                self.bad("expected passes and a target, as in `legalize for aarch64-linux`")
            );
        }
        let names = names.iter().map(|&name| name.to_owned()).collect();
        Ok(DirectiveKind::Passes(Passes { names, target, gives: Vec::new() }))
    }

    fn alone(&self, rest: &str, outcome: AloneOutcome) -> Result<DirectiveKind, Diagnostic> {
        let expected = "expected a function and passes, as in `@f by licm, gvn`";
        let words = listed_words(rest);
        let [function, "by", names @ ..] = words.as_slice() else { return Err(self.bad(expected)) };
        match function.strip_prefix('@') {
            Some(function) if !names.is_empty() => Ok(DirectiveKind::Alone(Alone {
                function: function.to_owned(),
                names: names.iter().map(|&name| name.to_owned()).collect(),
                outcome,
            })),
            _ => Err(self.bad(expected)),
        }
    }

    fn remark(&self, rest: &str) -> Result<DirectiveKind, Diagnostic> {
        let expected = "expected a function, a line, a pass and what it tells, as in `@f 12 by licm \
                        in loop_rotate, licm for aarch64-linux: a load stays`";
        let read = || {
            let (place, message) = rest.split_once(": ")?;
            let words = listed_words(place);
            let [function, line, "by", pass, words @ ..] = words.as_slice() else { return None };
            let (words, target) = match words {
                [words @ .., "for", target] => (words, Some((*target).to_owned())),
                words => (words, None),
            };
            let names = match words {
                [] => std::slice::from_ref(pass),
                ["in", names @ ..] if !names.is_empty() => names,
                _ => return None,
            };
            Some(DirectiveKind::Remark(ToldRemark {
                function: function.strip_prefix('@')?.to_owned(),
                line: line.parse().ok()?,
                pass: (*pass).to_owned(),
                names: names.iter().map(|&name| name.to_owned()).collect(),
                target,
                message: message.trim().to_owned(),
            }))
        };
        read().ok_or_else(|| self.bad(expected))
    }

    fn assembly(&self, rest: &str) -> Result<DirectiveKind, Diagnostic> {
        let expected = "expected a function, a target and instructions, as in `loop of @f for \
                        x86_64-linux/x86-64-v3 has vaddpd lacks call branches 1`";
        let (part, rest) = match rest.strip_prefix("loop of ") {
            Some(rest) => (AssemblyPart::Loop, rest),
            None => (AssemblyPart::Function, rest),
        };
        let read = || {
            let mut words = rest.split_whitespace();
            let function = words.next()?.strip_prefix('@')?.to_owned();
            let target = words.next().filter(|&word| word == "for").and(words.next())?.to_owned();
            let (has, lacks, branches, loops) = (Vec::new(), Vec::new(), None, None);
            let mut said = Assembly { part, function, target, has, lacks, branches, loops };
            let is_key = |word: &&str| ["has", "lacks", "branches", "loops"].contains(word);
            let mut about = words.next().filter(is_key)?;
            for word in words {
                match about {
                    _ if is_key(&word) => about = word,
                    "has" => said.has.push(word.to_owned()),
                    "lacks" => said.lacks.push(word.to_owned()),
                    "loops" => said.loops = Some(word.parse().ok()?),
                    _ => said.branches = Some(word.parse().ok()?),
                }
            }
            let is_counted = said.branches.or(said.loops).is_some();
            let says = said.has.len() + said.lacks.len() > 0 || is_counted;
            says.then_some(DirectiveKind::Assembly(said))
        };
        read().ok_or_else(|| self.bad(expected))
    }

    fn run(&self) -> Result<Run, Diagnostic> {
        let behind = self.line.find(':').map_or(0, |colon| colon + 1);
        let position =
            Position::on_line(self.number, self.start as u32, (self.start + behind) as u32);
        let limit = (self.start + self.line.len()) as u32;
        let mut cursor = Cursor::of_piece(self.text, position, limit);
        let run = parse_run(&mut cursor);
        if run.is_ok() && cursor.kind() != TokenKind::End {
            cursor.unexpected("the end of the line");
        }
        match (cursor.report.into_diagnostics().pop(), run) {
            (None, Ok(run)) => Ok(run),
            (Some(error), _) => Err(error),
            (None, Err(_)) => Err(self.bad("expected a call and what it comes to")),
        }
    }
}

fn parse_run(cursor: &mut Cursor<'_>) -> Parsed<Run> {
    let token = cursor.expect_kind(TokenKind::Global, "a function, `@name`")?;
    let function = cursor.name_of(token)?.into_owned();
    cursor.expect(b'(')?;
    let arguments = parse_pieces(cursor)?;
    let outcome = if cursor.take_word("traps") {
        let code = parse_trap_code(cursor)?;
        let line = match cursor.take_word("at") {
            true => Some(parse_count(cursor, "a line", u64::from(u32::MAX))? as u32),
            false => None,
        };
        Outcome::Traps { code, line }
    } else {
        cursor.expect(b'=')?;
        cursor.expect(b'=')?;
        Outcome::Returns(match cursor.take(b'(') {
            true => parse_pieces(cursor)?,
            false => vec![parse_piece(cursor)?],
        })
    };
    Ok(Run { function, arguments, outcome })
}

/// Reads pieces with commas between, and `)`.
fn parse_pieces(cursor: &mut Cursor<'_>) -> Parsed<Vec<Piece>> {
    let mut pieces = Vec::new();
    cursor.comma_separated(b')', |cursor| {
        pieces.push(parse_piece(cursor)?);
        Ok(())
    })?;
    Ok(pieces)
}

/// Reads over a value, whose brackets are closed.
fn parse_piece(cursor: &mut Cursor<'_>) -> Parsed<Piece> {
    let first = cursor.token();
    let mut last = first;
    let mut depth = 0_u32;
    loop {
        match cursor.kind() {
            TokenKind::End => break,
            TokenKind::Mark(b',' | b')') if depth == 0 => break,
            TokenKind::Mark(b'<' | b'[' | b'{') => depth += 1,
            TokenKind::Mark(b'>' | b']' | b'}') => depth = depth.saturating_sub(1),
            _ => {}
        }
        last = cursor.bump();
    }
    if last.end == first.start || first.kind == TokenKind::End {
        return Err(cursor.unexpected("a value"));
    }
    let text = cursor.text_between(first, last).to_owned();
    Ok(Piece { text, line: first.line, column: first.column })
}

#[cfg(test)]
mod tests;
