//! Attributes behind the fields of an instruction.

use super::data::parse_alignment;
use super::draft::Draft;
use super::function::FunctionParser;
use crate::attribute::{ACCESS_FLAG_NAMES, INST_FLAG_NAMES, InstFlags};
use crate::body::ValueRange;
use crate::entity::{AliasClass, Loc, ScopeSet};
use crate::instruction::{Access, MAX_ACCESS_ALIGN_LOG2};
use crate::module::Module;
use crate::op::Field;
use crate::text::cursor::Cursor;
use crate::text::diagnostic::{Code, Parsed};
use crate::text::lexer::{Token, TokenKind};
use crate::text::literal::{parse_count, parse_signed};
use crate::text::words::range_scalar;
use crate::types::Scalar;

/// What stands behind the fields.
#[derive(Debug, Default)]
pub(super) struct Attributes {
    pub(super) flags: InstFlags,
    pub(super) access: Access,
    pub(super) weights: Vec<u32>,
    pub(super) range: Option<ValueRange>,
    pub(super) loc: Option<Loc>,
}

/// Reads the name of an alias class.
pub(super) fn parse_class(cursor: &mut Cursor<'_>, module: &Module) -> Parsed<AliasClass> {
    let token = cursor.expect_kind(TokenKind::Class, "an alias class, `!name`")?;
    let name = cursor.name_of(token)?;
    module.alias_class_named(&name).ok_or_else(|| {
        let message = format!("the class `{}` is not declared", cursor.excerpt(token));
        let hint = "declare it at the module level, as in `class !name`, a part behind its whole";
        cursor.error_hint(Code::UnknownClass, token, message, hint)
    })
}

impl FunctionParser<'_, '_> {
    pub(super) fn attributes(&mut self, draft: &mut Draft) -> Parsed<()> {
        let mut seen: Vec<&str> = Vec::new();
        while self.on_line() {
            let token = self.cursor.token();
            let name = match token.kind {
                TokenKind::Class => "!",
                TokenKind::Word => self.cursor.word(),
                _ => return Ok(()),
            };
            if !self.attribute(name, draft)? {
                return Ok(());
            }
            if seen.contains(&name) {
                let message = format!("`{}` is given twice", self.cursor.excerpt(token));
                return Err(self.cursor.error(Code::DuplicateAttribute, token, message));
            }
            seen.push(name);
        }
        Ok(())
    }

    /// Reads the attribute of that name; says whether there is one.
    fn attribute(&mut self, name: &str, draft: &mut Draft) -> Parsed<bool> {
        let flag = INST_FLAG_NAMES.iter().find(|(_, flag)| *flag == name);
        if let Some((flag, _)) = flag {
            self.cursor.bump();
            draft.attributes.flags.insert(*flag);
            return Ok(true);
        }
        match name {
            "!" => {
                let token = self.cursor.bump();
                draft.attributes.loc = Some(self.loc_attribute(token)?);
            }
            "weights" => {
                let token = self.cursor.bump();
                self.require(Field::Weights, token, draft)?;
                draft.attributes.weights = self.weights()?;
            }
            "range" => {
                self.cursor.bump();
                draft.attributes.range = Some(self.range(draft)?);
            }
            _ => return self.access_attribute(name, draft),
        }
        Ok(true)
    }

    fn access_attribute(&mut self, name: &str, draft: &mut Draft) -> Parsed<bool> {
        let flag = ACCESS_FLAG_NAMES.iter().find(|(_, flag)| *flag == name);
        if flag.is_none() && !matches!(name, "align" | "class" | "scopes" | "noalias") {
            return Ok(false);
        }
        let token = self.cursor.bump();
        self.require(Field::Access, token, draft)?;
        if let Some((flag, _)) = flag {
            draft.attributes.access.flags.insert(*flag);
            return Ok(true);
        }
        match name {
            "align" => {
                draft.attributes.access.align_log2 =
                    parse_alignment(self.cursor, MAX_ACCESS_ALIGN_LOG2)?;
            }
            "class" => {
                draft.attributes.access.class = parse_class(self.cursor, self.module)?.into();
            }
            "scopes" => draft.attributes.access.scopes = self.scopes()?.into(),
            _ => draft.attributes.access.no_alias = self.scopes()?.into(),
        }
        Ok(true)
    }

    fn require(&mut self, field: Field, token: Token, draft: &Draft) -> Parsed<()> {
        if draft.op.info().form.fields().contains(&field) {
            return Ok(());
        }
        let message = format!("`{}` says nothing of `{}`", self.cursor.excerpt(token), draft.op);
        Err(self.cursor.error(Code::MisplacedAttribute, token, message))
    }

    fn scopes(&mut self) -> Parsed<ScopeSet> {
        let mut scopes = Vec::new();
        self.cursor.expect(b'(')?;
        let mut more = !self.cursor.take(b')');
        while more {
            scopes.push(self.scope_reference()?);
            more = !self.cursor.take(b')');
            if more && !self.cursor.take(b',') {
                return Err(self.cursor.unexpected("`,` or `)`"));
            }
        }
        Ok(self.body.scope_set(&scopes))
    }

    fn weights(&mut self) -> Parsed<Vec<u32>> {
        let mut weights = Vec::new();
        self.cursor.expect(b'(')?;
        self.cursor.comma_separated(b')', |cursor| {
            weights.push(parse_count(cursor, "a weight", u64::from(u32::MAX))? as u32);
            Ok(())
        })?;
        Ok(weights)
    }

    fn range(&mut self, draft: &Draft) -> Parsed<ValueRange> {
        let scalar = range_scalar(self.first_result_type(draft));
        self.cursor.expect(b'(')?;
        let low = self.bound(scalar)?;
        self.cursor.expect(b',')?;
        let high = self.bound(scalar)?;
        self.cursor.expect(b')')?;
        Ok(ValueRange { low, high })
    }

    fn bound(&mut self, scalar: Scalar) -> Parsed<u128> {
        parse_signed(self.cursor, scalar.bits(), "a number", scalar.name())
    }
}
