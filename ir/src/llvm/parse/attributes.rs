//! Attributes of parameters, results, functions and calls.

use std::borrow::Cow;

use super::reader::{Reader, Stage};
use crate::llvm::lexer::{Kind, Token, Word};
use crate::llvm::syntax::{FunctionFlags, Group, ParamAttributes, ParamFlags, Target};
use crate::text::{Code, Parsed};

/// The parts of memory that an attribute tells apart.
const PLACES: &[&str] =
    &["argmem", "inaccessiblemem", "errnomem", "target_mem0", "target_mem1", "other"];

/// What is said of a function or a call.
#[derive(Debug, Default)]
pub(super) struct Attributes<'t> {
    pub(super) flags: FunctionFlags,
    /// Groups that are not known yet.
    pub(super) groups: Vec<u32>,
    cpu: Option<Cow<'t, str>>,
    features: Option<Cow<'t, str>>,
}

fn param_flag(word: Word) -> Option<ParamFlags> {
    Some(match word {
        Word::Noundef => ParamFlags::NOUNDEF,
        Word::Nonnull => ParamFlags::NONNULL,
        Word::Noalias => ParamFlags::NOALIAS,
        Word::Signext => ParamFlags::SIGNEXT,
        Word::Zeroext => ParamFlags::ZEROEXT,
        Word::Readonly => ParamFlags::READONLY,
        Word::Readnone => ParamFlags::READNONE,
        Word::Writeonly => ParamFlags::WRITEONLY,
        Word::Returned => ParamFlags::RETURNED,
        Word::Immarg => ParamFlags::IMMARG,
        Word::Inreg => ParamFlags::INREG,
        Word::Nest => ParamFlags::NEST,
        Word::Swift | Word::Swifterror => ParamFlags::SWIFT,
        _ => return None,
    })
}

fn function_flag(word: Word) -> Option<FunctionFlags> {
    Some(match word {
        Word::Noreturn => FunctionFlags::NO_RETURN,
        Word::Nounwind => FunctionFlags::NO_UNWIND,
        Word::Willreturn => FunctionFlags::WILL_RETURN,
        Word::ReturnsTwice => FunctionFlags::RETURNS_TWICE,
        Word::Alwaysinline => FunctionFlags::ALWAYS_INLINE,
        Word::Noinline => FunctionFlags::NO_INLINE,
        Word::Inlinehint => FunctionFlags::INLINE_HINT,
        Word::Cold => FunctionFlags::COLD,
        Word::Hot => FunctionFlags::HOT,
        Word::Optnone => FunctionFlags::OPT_NONE,
        Word::Optsize => FunctionFlags::OPT_SIZE,
        Word::Minsize => FunctionFlags::MIN_SIZE,
        Word::Naked => FunctionFlags::NAKED,
        Word::Readnone => FunctionFlags::READS_NOTHING,
        Word::Readonly => FunctionFlags::READS_ONLY,
        Word::Nobuiltin => FunctionFlags::NO_BUILTIN,
        Word::Strictfp => FunctionFlags::STRICT_FP,
        _ => return None,
    })
}

/// Attributes of parameters and results.
impl Reader<'_, '_> {
    pub(super) fn param_attributes(&mut self) -> Parsed<ParamAttributes> {
        let mut attributes = ParamAttributes::default();
        loop {
            match self.cursor.kind() {
                Kind::Word(word) => match param_flag(word) {
                    Some(flag) => {
                        attributes.flags |= flag;
                        self.cursor.bump();
                    }
                    None if !self.param_attribute(word, &mut attributes)? => return Ok(attributes),
                    None => {}
                },
                Kind::Text => drop(self.text_attribute()?),
                _ => return Ok(attributes),
            }
        }
    }

    /// Reads an attribute that begins with `word`; says whether it does.
    fn param_attribute(&mut self, word: Word, attributes: &mut ParamAttributes) -> Parsed<bool> {
        match word {
            Word::IdleParamAttribute | Word::IdleAttribute | Word::Alignstack => {
                self.cursor.bump();
                if self.cursor.is(b'(') {
                    self.cursor.skip_brackets()?;
                }
                return Ok(true);
            }
            Word::Align => {
                self.cursor.bump();
                let in_brackets = self.cursor.take(b'(');
                attributes.align = self.cursor.alignment()?;
                if in_brackets {
                    self.cursor.expect(b')')?;
                }
                return Ok(true);
            }
            Word::Dereferenceable => {
                self.cursor.bump();
                self.cursor.expect(b'(')?;
                attributes.dereferenceable = self.cursor.number("a number of bytes", u64::MAX)?;
                self.cursor.expect(b')')?;
                return Ok(true);
            }
            Word::Byval
            | Word::Sret
            | Word::Inalloca
            | Word::Preallocated
            | Word::Byref
            | Word::Elementtype => {}
            _ => return Ok(false),
        }
        self.cursor.bump();
        self.cursor.expect(b'(')?;
        let ty = self.sized_type("what an attribute names")?;
        self.cursor.expect(b')')?;
        match word {
            Word::Byval => attributes.by_value = Some(ty),
            Word::Sret => attributes.struct_return = Some(ty),
            Word::Inalloca => attributes.other_type = Some(("inalloca", ty)),
            Word::Preallocated => attributes.other_type = Some(("preallocated", ty)),
            Word::Byref => attributes.other_type = Some(("byref", ty)),
            _ => attributes.other_type = Some(("elementtype", ty)),
        }
        Ok(true)
    }

    /// Reads `"key"` or `"key"="value"`.
    fn text_attribute(&mut self) -> Parsed<(&str, Option<Token>)> {
        let key = self.cursor.bump();
        let value = match self.cursor.take(b'=') {
            true => Some(self.cursor.expect_kind(Kind::Text, "a string")?),
            false => None,
        };
        Ok((self.cursor.text_of(key), value))
    }
}

/// Attributes of functions and calls.
impl<'t> Reader<'t, '_> {
    /// Reads attributes up to a word that is none.
    pub(super) fn function_attributes(&mut self, attributes: &mut Attributes<'t>) -> Parsed<()> {
        loop {
            match self.cursor.kind() {
                Kind::Word(word) => match function_flag(word) {
                    Some(flag) => {
                        attributes.flags |= flag;
                        self.cursor.bump();
                    }
                    None if !self.function_attribute(word, attributes)? => return Ok(()),
                    None => {}
                },
                Kind::Group => self.group(attributes)?,
                Kind::Text => self.function_text(attributes)?,
                _ => return Ok(()),
            }
        }
    }

    fn function_attribute(&mut self, word: Word, attributes: &mut Attributes<'t>) -> Parsed<bool> {
        match word {
            Word::IdleFunctionAttribute
            | Word::IdleAttribute
            | Word::SanitizeMemtag
            | Word::Preallocated
            | Word::Alignstack => {
                self.cursor.bump();
                if self.cursor.take(b'=') {
                    self.cursor.number("a number", u64::MAX)?;
                } else if self.cursor.is(b'(') {
                    self.cursor.skip_brackets()?;
                }
            }
            Word::Writeonly => {
                self.cursor.bump();
            }
            Word::Memory => attributes.flags |= self.memory()?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn group(&mut self, attributes: &mut Attributes<'t>) -> Parsed<()> {
        let token = self.cursor.bump();
        let number = self.cursor.sigil_number(token)?;
        match self.stage {
            Stage::Outline => attributes.groups.push(number),
            Stage::Body => {
                let group = self.module.names.groups.get(&number);
                attributes.flags |= group.map_or(FunctionFlags::default(), |group| group.flags);
            }
        }
        Ok(())
    }

    fn function_text(&mut self, attributes: &mut Attributes<'t>) -> Parsed<()> {
        let (key, value) = self.text_attribute()?;
        let kept = match key {
            "\"target-cpu\"" => &mut attributes.cpu,
            "\"target-features\"" => &mut attributes.features,
            "\"no-builtins\"" => {
                attributes.flags |= FunctionFlags::NO_BUILTIN;
                return Ok(());
            }
            _ => return Ok(()),
        };
        if let Some(value) = value {
            *kept = Some(self.cursor.name_of(value, 0)?);
        }
        Ok(())
    }

    /// Reads `memory(argmem: read, …)`.
    fn memory(&mut self) -> Parsed<FunctionFlags> {
        self.cursor.bump();
        self.cursor.expect(b'(')?;
        let (mut reads, mut writes) = (false, false);
        loop {
            let mut token = self.cursor.bump();
            if self.cursor.take(b':') {
                let place = self.cursor.text_of(token);
                if !PLACES.contains(&place) {
                    let message = format!("`{place}` is no part of memory");
                    return Err(self.cursor.error_at(Code::UnknownWord, token, message));
                }
                token = self.cursor.bump();
            }
            match self.cursor.text_of(token) {
                "none" => {}
                "read" => reads = true,
                "write" => writes = true,
                "readwrite" => (reads, writes) = (true, true),
                _ => {
                    let message = "expected `none`, `read`, `write` or `readwrite`";
                    return Err(self.cursor.error_at(Code::UnknownWord, token, message));
                }
            }
            if !self.cursor.take(b',') {
                break;
            }
        }
        self.cursor.expect(b')')?;
        Ok(match (reads, writes) {
            (_, true) => FunctionFlags::default(),
            (true, false) => FunctionFlags::READS_ONLY,
            (false, false) => FunctionFlags::READS_NOTHING,
        })
    }

    /// The group that attributes make.
    pub(super) fn group_of(&mut self, attributes: Attributes<'t>) -> Group {
        let Attributes { flags, cpu, features, .. } = attributes;
        let target = match (cpu, features) {
            (None, None) => None,
            (cpu, features) => Some(self.target(Target {
                cpu: cpu.unwrap_or_default(),
                features: features.unwrap_or_default(),
            })),
        };
        Group { flags, target }
    }

    fn target(&mut self, target: Target<'t>) -> u32 {
        if let Some(&index) = self.module.names.targets.get(&target) {
            return index;
        }
        let index = self.module.targets.len() as u32;
        self.module.targets.push(target.clone());
        self.module.names.targets.insert(target, index);
        index
    }
}
