//! Bodies of functions.

mod aggregate;
mod arithmetic;
mod call;
mod control;
mod memory;
mod symbols;
mod value;

use super::cursor::Cursor;
use super::reader::{Reader, Stage};
use crate::llvm::lexer::{Kind as TokenKind, Lexer, Token, Word};
use crate::llvm::report::Report;
use crate::llvm::syntax::{
    BlockId, Flags, Function, GlobalData, GlobalId, Instruction, Kind, Map, Module, Offset,
    TypeData, TypeId,
};
use crate::text::{Code, Parsed};
use std::borrow::Cow;
use symbols::Symbol;

/// Reads the body of one function.
pub(super) struct Body<'t, 'a> {
    reader: Reader<'t, 'a>,
    function: Function<'t>,
    /// What the names behind `%` stand for.
    symbols: Map<Cow<'t, str>, Symbol>,
    /// What the numbers behind `%` stand for.
    numbered: Vec<Option<Symbol>>,
    /// The least number that the next value or block without a name can have.
    next_number: u32,
    /// The block that instructions go to; none behind a terminator.
    block: Option<BlockId>,
    /// What the function returns.
    result: TypeId,
    is_variadic: bool,
    /// The flags of the instruction that is read.
    flags: Flags,
    /// Whether the comma before metadata is read already.
    at_attachments: bool,
}

/// What an instruction is, and the type of its result, `void` if it has none.
type Read = Parsed<(Kind, TypeId)>;

/// Reads the body of a function.
pub(super) fn read<'t>(
    text: &'t str,
    module: &mut Module<'t>,
    id: GlobalId,
    report: &mut Report<'t>,
) -> Parsed<Function<'t>> {
    let global = &module.globals[id.index()];
    let at = global.at;
    let GlobalData::Function(head) = &global.data else {
        return Err(report.add(Code::MissingBody, at, "this is no function"));
    };
    let Some(range) = head.body.clone() else {
        return Err(report.add(Code::MissingBody, at, "this function is defined elsewhere"));
    };
    let (ty, names) = (head.ty, head.param_names.clone());
    let TypeData::Function { result, params, variadic } = module.types[ty.index()].clone() else {
        return Err(report.add(Code::MissingBody, at, "this is no function"));
    };
    let first_constant = module.constants.len() as u32;
    let cursor = Cursor::new(text, range, report);
    let reader =
        Reader { cursor, module, stage: Stage::Body, constants: Vec::new(), first_constant };
    let mut body = Body {
        reader,
        function: Function::default(),
        symbols: Map::default(),
        numbered: Vec::new(),
        next_number: 0,
        block: None,
        result,
        is_variadic: variadic,
        flags: Flags::empty(),
        at_attachments: false,
    };
    let end = body.params(text, at, &names, &params).and_then(|()| body.statements());
    body.reader.module.names.work += body.reader.cursor.work();
    end?;
    body.function.constants = body.reader.constants;
    Ok(body.function)
}

impl<'t> Body<'t, '_> {
    /// Defines the parameters, whose names stand in the head of the function.
    fn params(
        &mut self,
        text: &'t str,
        at: Offset,
        names: &[Option<Offset>],
        types: &[TypeId],
    ) -> Parsed<()> {
        for (name, &ty) in names.iter().zip(types) {
            let token = name.map(|start| Lexer::new(text, start..text.len() as Offset).next());
            let local = self.define_local(token, ty, name.unwrap_or(at))?;
            self.function.params.push(local);
        }
        Ok(())
    }

    fn statements(&mut self) -> Parsed<()> {
        while self.reader.cursor.kind() != TokenKind::End {
            self.statement()?;
        }
        let end = self.reader.cursor.token;
        if self.block.is_some() {
            let message = "the last block does not end with a terminator";
            return Err(self.reader.cursor.error_at(Code::LlvmInvalid, end, message));
        }
        if self.function.order.is_empty() {
            let message = "a function that is defined has a block";
            return Err(self.reader.cursor.error_at(Code::LlvmInvalid, end, message));
        }
        self.refuse_undefined()
    }

    /// Reads a label, an instruction, or what says nothing here.
    fn statement(&mut self) -> Parsed<()> {
        let token = self.reader.cursor.token;
        let name = match token.kind {
            TokenKind::Local | TokenKind::LocalNumber => {
                self.reader.cursor.bump();
                self.reader.cursor.expect(b'=')?;
                Some(token)
            }
            _ => match self.label_end(token) {
                Some(end) => return self.label(token, end),
                None => None,
            },
        };
        match self.reader.cursor.kind() {
            TokenKind::Record if name.is_none() => {
                self.reader.cursor.bump();
                self.reader.cursor.skip_brackets()
            }
            TokenKind::Word(Word::UseListOrder) if name.is_none() => self.reader.use_list_order(),
            TokenKind::Word(word) => self.instruction(token.start, name, word),
            TokenKind::Unknown => Err(self.unknown_op()),
            _ => Err(self.reader.cursor.unexpected("an instruction or a label")),
        }
    }

    fn instruction(&mut self, at: Offset, name: Option<Token>, word: Word) -> Parsed<()> {
        let block = match self.block {
            Some(block) => block,
            None => self.open_block(None, at)?,
        };
        self.flags = Flags::empty();
        self.at_attachments = false;
        let (kind, ty) = self.op(word)?;
        let attachments = self.attachments()?;
        let result = match (ty == TypeId::VOID, name) {
            (true, None) => None,
            (true, Some(name)) => {
                let message = "this instruction has no result that could be named";
                return Err(self.reader.cursor.error_at(Code::ResultCount, name, message));
            }
            (false, name) => Some(self.define_local(name, ty, at)?),
        };
        let is_phi = matches!(kind, Kind::Phi { .. });
        if is_phi && !self.may_be_phi(block) {
            let message = "a `phi` stands before all other instructions of its block";
            return Err(self.reader.cursor.report.add(Code::LlvmInvalid, at, message));
        }
        let is_terminator = is_terminator(&kind);
        let flags = self.flags;
        self.function.instructions.push(Instruction { at, result, flags, kind, attachments });
        let end = self.function.instructions.len() as u32;
        self.function.blocks[block.index()].instructions.end = end;
        if is_terminator {
            self.block = None;
        }
        Ok(())
    }

    /// Whether the instructions of a block so far are all `phi`s.
    fn may_be_phi(&self, block: BlockId) -> bool {
        let instructions = &self.function.blocks[block.index()].instructions;
        instructions.is_empty()
            || matches!(
                self.function.instructions.last(),
                Some(Instruction { kind: Kind::Phi { .. }, .. })
            )
    }

    /// Reads the op and what belongs to it.
    fn op(&mut self, word: Word) -> Read {
        match word {
            Word::Load => self.load(),
            Word::Store => self.store(),
            Word::Getelementptr => self.get_element_pointer(),
            Word::Call | Word::Tail | Word::Musttail => self.call(),
            Word::Br => self.branch(),
            Word::Phi => self.phi(),
            Word::Icmp => self.icmp(),
            Word::Fcmp => self.fcmp(),
            Word::Select => self.select(),
            Word::Ret => self.return_(),
            Word::Alloca => self.alloca(),
            Word::Extractvalue => self.extract_value(),
            Word::Insertvalue => self.insert_value(),
            Word::Switch => self.switch(),
            Word::Invoke => self.invoke(),
            Word::Landingpad => self.landing_pad(),
            Word::Resume => self.resume(),
            Word::Extractelement => self.extract_element(),
            Word::Insertelement => self.insert_element(),
            Word::Shufflevector => self.shuffle(),
            Word::Freeze => self.freeze(),
            Word::Fneg => self.fneg(),
            Word::Fence => self.fence(),
            Word::Cmpxchg => self.compare_exchange(),
            Word::Atomicrmw => self.atomic_rmw(),
            Word::VaArg => self.va_arg(),
            Word::Indirectbr => self.indirect_branch(),
            Word::Unreachable => {
                self.reader.cursor.bump();
                Ok((Kind::Unreachable, TypeId::VOID))
            }
            Word::UnsupportedOp => {
                let token = self.reader.cursor.token;
                let message = format!("`{}` is not read", self.reader.cursor.text_of(token));
                Err(self.reader.cursor.unsupported(token, message))
            }
            _ => self.arithmetic(word),
        }
    }
}

fn is_terminator(kind: &Kind) -> bool {
    matches!(
        kind,
        Kind::Return(_)
            | Kind::Branch(_)
            | Kind::ConditionalBranch { .. }
            | Kind::Switch { .. }
            | Kind::IndirectBranch { .. }
            | Kind::Invoke { .. }
            | Kind::Resume
            | Kind::Unreachable
    )
}
