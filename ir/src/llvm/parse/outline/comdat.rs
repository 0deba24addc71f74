//! Comdats: what linkers take from one file or another as a whole.

use std::borrow::Cow;

use super::Outline;
use crate::llvm::lexer::{Kind, Word};
use crate::llvm::syntax::{GlobalId, Selection};
use crate::text::Parsed;

/// The comdat of a symbol.
pub(super) enum Comdat<'t> {
    /// That of its own name.
    Own,
    Named(Cow<'t, str>),
}

impl<'t> Outline<'t, '_> {
    /// Reads `$name = comdat any`.
    pub(super) fn comdat_definition(&mut self) -> Parsed<()> {
        let cursor = &mut self.reader.cursor;
        let token = cursor.bump();
        let name = cursor.name_of(token, 1)?;
        cursor.expect(b'=')?;
        cursor.expect_word(Word::Comdat, "comdat")?;
        let Some(selection) = Selection::from_word(cursor.text_of(cursor.token)) else {
            return Err(cursor.unexpected("a kind of comdat, such as `any`"));
        };
        cursor.bump();
        match self.reader.module.names.comdats.insert(name, selection) {
            None => Ok(()),
            Some(_) => Err(self.duplicate(token, "comdat")),
        }
    }

    /// Reads `comdat` or `comdat($name)` behind a symbol.
    pub(super) fn comdat(&mut self) -> Parsed<Comdat<'t>> {
        let cursor = &mut self.reader.cursor;
        cursor.bump();
        if !cursor.take(b'(') {
            return Ok(Comdat::Own);
        }
        let token = cursor.expect_kind(Kind::Comdat, "a comdat, `$name`")?;
        let name = cursor.name_of(token, 1)?;
        cursor.expect(b')')?;
        Ok(Comdat::Named(name))
    }

    /// Notes the comdat of a symbol.
    pub(super) fn join(&mut self, id: GlobalId, comdat: Comdat<'t>) {
        let global = &mut self.reader.module.globals[id.index()];
        global.comdat = Some(match comdat {
            Comdat::Own => global.name.clone(),
            Comdat::Named(name) => name,
        });
    }
}
