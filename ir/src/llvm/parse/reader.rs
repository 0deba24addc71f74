//! What reading of the module level and of bodies have in common.

use std::borrow::Cow;
use std::fmt;

use super::cursor::Cursor;
use crate::llvm::lexer::{Kind, Token};
use crate::llvm::syntax::{
    Constant, ConstantData, ConstantId, Global, GlobalData, GlobalId, Linkage, Module, Offset,
    TypeData, TypeId,
};
use crate::text::{Code, Parsed, Reported};

/// Which part of a text is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stage {
    /// All but bodies: what is not known yet may be defined behind.
    Outline,
    /// A body: all that the module defines is known.
    Body,
}

/// Reads types and constants.
pub(super) struct Reader<'t, 'a> {
    pub(super) cursor: Cursor<'t, 'a>,
    pub(super) module: &'a mut Module<'t>,
    pub(super) stage: Stage,
    /// Constants that were read.
    pub(super) constants: Vec<Constant<'t>>,
    /// The id of the first of them.
    pub(super) first_constant: u32,
}

impl<'t> Reader<'t, '_> {
    /// Takes a constant.
    pub(super) fn add_constant(
        &mut self,
        ty: TypeId,
        at: Offset,
        data: ConstantData<'t>,
    ) -> ConstantId {
        let id = self.first_constant + self.constants.len() as u32;
        self.constants.push(Constant { ty, data, at });
        ConstantId(id)
    }

    /// The type of a constant.
    pub(super) fn type_of(&self, id: ConstantId) -> TypeId {
        self.constant(id).ty
    }

    pub(super) fn constant(&self, id: ConstantId) -> &Constant<'t> {
        match id.0.checked_sub(self.first_constant) {
            Some(index) => &self.constants[index as usize],
            None => &self.module.constants[id.index()],
        }
    }

    /// What a type is behind its name.
    pub(super) fn data(&self, ty: TypeId) -> &TypeData {
        &self.module.types[self.module.resolved(ty).index()]
    }

    /// Reads one level deeper.
    pub(super) fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        self.cursor.enter()?;
        let result = read(self)?;
        self.cursor.leave();
        Ok(result)
    }

    /// An error: a value of type `given` where one of type `wanted` is due.
    pub(super) fn mismatch(
        &mut self,
        token: Token,
        what: impl fmt::Display,
        given: TypeId,
        wanted: TypeId,
    ) -> Reported {
        let module = &*self.module;
        let message = format!("{what} is `{}`, not `{}`", module.show(given), module.show(wanted));
        self.cursor.error_at(Code::LlvmType, token, message)
    }

    /// An error: a place that takes no values of type `given`.
    pub(super) fn wrong_type(&mut self, token: Token, takes: &str, given: TypeId) -> Reported {
        let message = format!("{takes}, not `{}`", self.module.show(given));
        self.cursor.error_at(Code::LlvmType, token, message)
    }

    /// The global of a token that names one; it may be defined behind, at the module level.
    pub(super) fn global(&mut self, token: Token) -> Parsed<GlobalId> {
        let (known, name) = self.find_global(token)?;
        if let Some(id) = known {
            return Ok(id);
        }
        if self.stage == Stage::Body {
            let message = format!("no `{}` is defined or declared", self.cursor.text_of(token));
            return Err(self.cursor.error_at(Code::UnknownSymbol, token, message));
        }
        Ok(self.add_global(token, name))
    }

    /// The global of a token that names one, if there is one already, and the name if
    /// that is no number.
    pub(super) fn find_global(
        &mut self,
        token: Token,
    ) -> Parsed<(Option<GlobalId>, Option<Cow<'t, str>>)> {
        if token.kind == Kind::GlobalNumber {
            let number = self.cursor.sigil_number(token)?;
            return Ok((self.module.names.numbered_globals.get(&number).copied(), None));
        }
        let name = self.cursor.name_of(token, 1)?;
        Ok((self.module.names.globals.get(&name).copied(), Some(name)))
    }

    /// Adds a global that is only mentioned so far.
    pub(super) fn add_global(&mut self, token: Token, name: Option<Cow<'t, str>>) -> GlobalId {
        let id = GlobalId(self.module.globals.len() as u32);
        let names = &mut self.module.names;
        let name = match name {
            Some(name) => {
                names.globals.insert(name.clone(), id);
                name
            }
            None => {
                names.numbered_globals.insert(token.number as u32, id);
                Cow::Owned(token.number.to_string())
            }
        };
        self.module.globals.push(Global {
            name,
            at: token.start,
            linkage: Linkage::default(),
            section: None,
            comdat: None,
            data: GlobalData::Undefined,
        });
        id
    }
}
