//! The module level: its lines and the heads of its declarations.

use super::attributes::parse_class;
use super::scan::{at_declaration, skip_braces};
use super::suggest::one_of;
use super::types::{bad_type, parse_signature};
use super::{Parser, Pending};
use crate::entity::{FuncId, SigId};
use crate::module::{Attributes, Linkage, Temperature};
use crate::text::diagnostic::{Code, Parsed, Reported};
use crate::text::lexer::{Token, TokenKind};
use crate::text::literal::parse_count;
use crate::text::outline::Part;
use crate::text::words::{
    CONVENTIONS, INLININGS, LINKAGES, MEMORY_EFFECTS, RETURNS, default_convention,
};

/// What begins a declaration, for messages.
const DECLARATIONS: &str = "`func`, `data`, `class`, `module` or `target`";

impl Parser<'_> {
    pub(super) fn module_level(&mut self) {
        while self.cursor.kind() != TokenKind::End {
            let first = self.cursor.token();
            match self.declaration() {
                Ok(part) => self.cursor.note(part, first),
                Err(Reported) => self.recover(first),
            }
        }
    }

    /// Goes on at the next declaration behind a wrong one.
    fn recover(&mut self, first: Token) {
        if self.cursor.token().start == first.start {
            self.cursor.bump();
        }
        while self.cursor.kind() != TokenKind::End && !at_declaration(&self.cursor) {
            self.cursor.bump();
        }
    }

    fn declaration(&mut self) -> Parsed<Part> {
        match self.cursor.word() {
            "module" => {
                let token = self.cursor.bump();
                let name = self.cursor.string("the name of the module in quotes")?;
                if !self.module.name.is_empty() {
                    return Err(self.duplicate_line(token, "module"));
                }
                self.module.name = name;
                Ok(Part::Module)
            }
            "target" => {
                let token = self.cursor.bump();
                let target = self.cursor.string("a target in quotes")?;
                if self.module.target.is_some() {
                    return Err(self.duplicate_line(token, "target"));
                }
                self.module.target = Some(target);
                Ok(Part::Target)
            }
            "class" => self.class().map(|()| Part::Class),
            "func" | "data" => self.symbol_declaration(Linkage::Export).map(|()| Part::Head),
            word => match LINKAGES.iter().find(|(_, name)| *name == word) {
                Some((linkage, _)) => self.linked(*linkage),
                None => Err(self.cursor.unexpected_line(DECLARATIONS)),
            },
        }
    }

    fn duplicate_line(&mut self, token: Token, line: &str) -> Reported {
        let message = format!("the module has a second `{line}` line");
        self.cursor.error_hint(Code::DuplicateLine, token, message, "remove one of them")
    }

    fn class(&mut self) -> Parsed<()> {
        self.cursor.bump();
        let token = self.cursor.expect_kind(TokenKind::Class, "the name of a class, `!name`")?;
        let name = self.cursor.name_of(token)?;
        let parent = match self.cursor.take_word("in") {
            true => Some(parse_class(&mut self.cursor, &self.module)?),
            false => None,
        };
        if self.module.alias_class_named(&name).is_some() {
            let message = format!("the class `!{name}` is declared twice");
            return Err(self.cursor.error(Code::DuplicateClass, token, message));
        }
        self.module.alias_class(&name, parent);
        Ok(())
    }

    fn linked(&mut self, linkage: Linkage) -> Parsed<Part> {
        self.cursor.bump();
        self.symbol_declaration(linkage).map(|()| Part::Head)
    }

    fn symbol_declaration(&mut self, linkage: Linkage) -> Parsed<()> {
        if self.cursor.take_word("data") {
            return self.data(linkage);
        }
        let elsewhere = !linkage.is_defined_here();
        if !(elsewhere && self.cursor.kind() == TokenKind::Global) {
            self.cursor.expect_word("func")?;
        }
        self.function(linkage)
    }

    fn function(&mut self, linkage: Linkage) -> Parsed<()> {
        let token =
            self.cursor.expect_kind(TokenKind::Global, "the name of a function, `@name`")?;
        let name = self.cursor.name_of(token)?;
        let head = self.function_head(linkage);
        if head.is_err() {
            self.faulty.insert(name.clone().into_owned());
        }
        let (sig, attributes) = head?;
        let id = self.module.declare_function(&name, sig, linkage);
        if let Ok(id) = id
            && let Some(function) = self.module.function_mut(id)
        {
            function.attributes = attributes;
        }
        let id = id.map_err(|_| self.duplicate_symbol(token));
        self.function_body(token, linkage, id)
    }

    pub(super) fn duplicate_symbol(&mut self, token: Token) -> Reported {
        let name = self.cursor.excerpt(token);
        let message = format!("`{name}` is declared twice in this module");
        let hint = "functions and data objects share one space of names; rename one of them";
        self.cursor.error_hint(Code::DuplicateSymbol, token, message, hint)
    }

    fn function_head(&mut self, linkage: Linkage) -> Parsed<(SigId, Attributes)> {
        let start = self.cursor.token();
        let said = CONVENTIONS.iter().find(|(_, name)| *name == self.cursor.word());
        if said.is_some() {
            self.cursor.bump();
        }
        let said = said.map(|(convention, _)| *convention);
        let types = &mut self.module.types;
        let mut signature = parse_signature(&mut self.cursor, types, said.unwrap_or_default())?;
        signature.convention = said.unwrap_or_else(|| default_convention(linkage, signature.arity));
        let sig = self.module.types.signature(signature);
        let sig = sig.map_err(|error| bad_type(&mut self.cursor, start, &error))?;
        Ok((sig, self.function_attributes()?))
    }

    fn function_body(&mut self, name: Token, linkage: Linkage, id: Parsed<FuncId>) -> Parsed<()> {
        let defined = linkage.is_defined_here();
        if !self.cursor.at(b'{') {
            if !defined {
                return id.map(|_| ());
            }
            if self.cursor.kind() != TokenKind::End && !at_declaration(&self.cursor) {
                return Err(self.cursor.unexpected("an attribute or `{`"));
            }
            let message = format!("the function `{}` has no body", self.cursor.excerpt(name));
            let hint = "write `import func` if another module or the host defines it";
            return Err(self.cursor.error_hint(Code::MissingBody, name, message, hint));
        }
        let open = self.cursor.token();
        let braces = skip_braces(&mut self.cursor, self.spare_numbers);
        let used = u64::from(braces.values) + u64::from(braces.blocks);
        let spare = used.saturating_sub(u64::from(braces.length));
        self.spare_numbers = self.spare_numbers.saturating_sub(spare);
        if !defined {
            return Err(self.unexpected_body(open, "function"));
        }
        self.pending.push(Pending::Function(id?, braces));
        Ok(())
    }

    pub(super) fn unexpected_body(&mut self, open: Token, kind: &str) -> Reported {
        let message = format!("a {kind} that is defined elsewhere has no body here");
        let hint = "remove the body, or the word before the name";
        self.cursor.error_hint(Code::UnexpectedBody, open, message, hint)
    }

    fn function_attributes(&mut self) -> Parsed<Attributes> {
        let mut attributes = Attributes::default();
        let mut seen = Vec::new();
        while self.cursor.kind() == TokenKind::Word && !self.cursor.token().first_on_line {
            let token = self.cursor.bump();
            let word = self.cursor.text_of(token);
            if word != "target" && seen.contains(&word) {
                let message = format!("the attribute `{word}` is given twice");
                return Err(self.cursor.error(Code::DuplicateAttribute, token, message));
            }
            seen.push(word);
            self.function_attribute(token, word, &mut attributes)?;
        }
        Ok(attributes)
    }

    fn function_attribute(
        &mut self,
        token: Token,
        word: &str,
        attributes: &mut Attributes,
    ) -> Parsed<()> {
        match word {
            "inline" => attributes.inlining = self.choice(INLININGS)?,
            "cold" => attributes.temperature = Temperature::Cold,
            "memory" => attributes.memory = self.choice(MEMORY_EFFECTS)?,
            "returns" => attributes.returns = self.choice(RETURNS)?,
            "opt" => {
                let level = parse_count(&mut self.cursor, "a level of 0 to 3", 3)?;
                attributes.opt_level = Some(level as u8);
            }
            "target" => {
                let target = self.cursor.string("a target in quotes")?;
                attributes.targets.push(target.into());
            }
            _ => {
                let message = format!("`{word}` is no attribute of a function");
                let names = ["inline", "cold", "memory", "returns", "opt", "target"];
                let hint = one_of(names);
                return Err(self.cursor.error_hint(Code::UnknownWord, token, message, hint));
            }
        }
        Ok(())
    }

    fn choice<T: Copy>(&mut self, choices: &[(T, &str)]) -> Parsed<T> {
        let word = self.cursor.word();
        if let Some((choice, _)) = choices.iter().find(|(_, name)| *name == word) {
            self.cursor.bump();
            return Ok(*choice);
        }
        let token = self.cursor.token();
        let message = format!("`{}` may not stand here", self.cursor.excerpt(token));
        let hint = one_of(choices.iter().map(|(_, name)| *name));
        Err(self.cursor.error_hint(Code::UnknownWord, token, message, hint))
    }
}
