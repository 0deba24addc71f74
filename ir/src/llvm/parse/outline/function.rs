//! Heads of functions.

use super::Outline;
use super::comdat::Comdat;
use crate::llvm::lexer::{Kind, Token, Word};
use crate::llvm::parse::attributes::Attributes;
use crate::llvm::parse::reader::Reader;
use crate::llvm::parse::scan::{self, Scan};
use crate::llvm::syntax::{
    CallAttributes, CallConvention, FunctionHead, GlobalData, Linkage, Offset, ParamAttributes,
    TypeId,
};
use crate::text::{Code, Parsed};

/// The parameters of a function.
#[derive(Default)]
struct Params {
    types: Vec<TypeId>,
    attributes: Vec<ParamAttributes>,
    names: Vec<Option<Offset>>,
    variadic: bool,
}

/// What a line says of a function.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Line {
    Declaration,
    Definition,
}

/// What is said of a function behind its parameters.
#[derive(Default)]
struct Suffix<'t> {
    attributes: Attributes<'t>,
    section: Option<&'t str>,
    comdat: Option<Comdat<'t>>,
}

impl<'t> Outline<'t, '_> {
    /// Reads a definition or declaration of a function.
    pub(super) fn function(&mut self) -> Parsed<()> {
        let line = match self.reader.cursor.bump().kind {
            Kind::Word(Word::Define) => Line::Definition,
            _ => Line::Declaration,
        };
        let is_definition = line == Line::Definition;
        let mut suffix = Suffix::default();
        while self.reader.cursor.kind() == Kind::Metadata {
            self.reader.attachment()?;
        }
        let linkage_token = self.reader.cursor.token;
        let (linkage, _) = self.linkage().unwrap_or_default();
        let is_of_data = matches!(linkage, Linkage::Common | Linkage::Appending);
        if is_of_data || is_definition && linkage == Linkage::ExternWeak {
            let message = "no such function has this linkage";
            return Err(self.reader.cursor.error_at(Code::LlvmInvalid, linkage_token, message));
        }
        while self.reader.cursor.take_word(Word::Visibility) {}
        let convention = self.reader.convention()?;
        let result_attributes = self.reader.param_attributes()?;
        let result_token = self.reader.cursor.token;
        let result = self.reader.type_or_void()?;
        self.reader.refuse_result(result_token, result)?;
        let token = self.reader.cursor.token;
        if !matches!(token.kind, Kind::Global | Kind::GlobalNumber) {
            return Err(self.reader.cursor.unexpected("the name of a function"));
        }
        self.reader.cursor.bump();
        let params = self.params()?;
        self.suffix(&mut suffix, line)?;
        let body = match is_definition {
            true => Some(self.body()?),
            false => None,
        };
        let ty = self.reader.module.function_type(result, &params.types, params.variadic);
        let groups = std::mem::take(&mut suffix.attributes.groups);
        let own = self.reader.group_of(suffix.attributes);
        let head = FunctionHead {
            ty,
            convention,
            param_attributes: params.attributes.into(),
            result_attributes,
            attributes: CallAttributes { flags: own.flags },
            target: own.target,
            param_names: params.names.into(),
            body,
        };
        let linkage = if is_definition { linkage } else { declared(linkage) };
        let id = self.define(token, linkage, GlobalData::Function(head))?;
        self.reader.module.globals[id.index()].section = suffix.section;
        if let Some(comdat) = suffix.comdat {
            self.join(id, comdat);
        }
        self.grouped.extend(groups.into_iter().map(|group| (id, group)));
        Ok(())
    }

    fn params(&mut self) -> Parsed<Params> {
        let mut params = Params::default();
        self.reader.cursor.expect(b'(')?;
        if self.reader.cursor.take(b')') {
            return Ok(params);
        }
        loop {
            params.variadic = self.reader.cursor.kind() == Kind::Ellipsis;
            if params.variadic {
                self.reader.cursor.bump();
                break;
            }
            let token = self.reader.cursor.token;
            let ty = self.reader.ty()?;
            self.reader.refuse_param(token, ty)?;
            params.types.push(ty);
            params.attributes.push(self.reader.param_attributes()?);
            let name = self.reader.cursor.token;
            let is_named = matches!(name.kind, Kind::Local | Kind::LocalNumber);
            params.names.push(is_named.then_some(name.start));
            if is_named {
                self.reader.cursor.bump();
            }
            if !self.reader.cursor.take(b',') {
                break;
            }
        }
        self.reader.cursor.expect(b')')?;
        Ok(params)
    }

    /// Reads what is said behind the parameters.
    fn suffix(&mut self, suffix: &mut Suffix<'t>, line: Line) -> Parsed<()> {
        loop {
            self.reader.function_attributes(&mut suffix.attributes)?;
            let token = self.reader.cursor.token;
            match token.kind {
                // Behind a declaration, it is the next line: `!llvm.ident = …`.
                Kind::Metadata if line == Line::Definition => {
                    self.reader.attachment()?;
                }
                Kind::Word(Word::UnnamedAddr) => {
                    self.reader.cursor.bump();
                }
                Kind::Word(Word::Addrspace) => self.code_space(token)?,
                Kind::Word(Word::Section) => suffix.section = Some(self.section()?),
                Kind::Word(Word::Partition | Word::Gc) => {
                    self.reader.cursor.bump();
                    self.reader.cursor.byte_string()?;
                }
                Kind::Word(Word::Comdat) => suffix.comdat = Some(self.comdat()?),
                Kind::Word(Word::Align) => {
                    self.reader.cursor.bump();
                    let in_brackets = self.reader.cursor.take(b'(');
                    self.reader.cursor.alignment()?;
                    if in_brackets {
                        self.reader.cursor.expect(b')')?;
                    }
                }
                Kind::Word(Word::Personality) => {
                    self.reader.cursor.bump();
                    self.reader.typed_constant()?;
                }
                Kind::Word(Word::Prefix | Word::Prologue) => {
                    let message = "data before the code of a function is not read";
                    return Err(self.reader.cursor.unsupported(token, message));
                }
                _ => return Ok(()),
            }
        }
    }

    /// Reads the address space of a function, which is 0.
    fn code_space(&mut self, token: Token) -> Parsed<()> {
        match self.reader.address_space()? {
            0 => Ok(()),
            space => {
                let message = format!("functions in address space {space} are not read");
                Err(self.reader.cursor.unsupported(token, message))
            }
        }
    }

    /// Goes over a body, and says where it stands between its braces.
    fn body(&mut self) -> Parsed<std::ops::Range<Offset>> {
        let cursor = &mut self.reader.cursor;
        let open = cursor.token;
        if !cursor.is(b'{') {
            return Err(cursor.unexpected("`{`"));
        }
        match scan::braces(cursor.bytes(), open.start as usize) {
            Scan::Closed(end) => {
                cursor.go_to(end as Offset);
                Ok(open.end..end as Offset - 1)
            }
            Scan::Open => {
                let message = "the braces of this function are not closed";
                Err(cursor.error_at(Code::UnclosedBody, open, message))
            }
        }
    }
}

/// The linkage of a declaration: that of a definition says nothing of it.
fn declared(linkage: Linkage) -> Linkage {
    match linkage {
        Linkage::ExternWeak => Linkage::ExternWeak,
        _ => Linkage::External,
    }
}

impl Reader<'_, '_> {
    /// Reads a calling convention, if one is next.
    pub(in crate::llvm::parse) fn convention(&mut self) -> Parsed<CallConvention> {
        let token = self.cursor.token;
        let convention = match token.kind {
            Kind::Word(Word::PlatformConvention) => CallConvention::C,
            Kind::Word(Word::InternalConvention) => CallConvention::Internal,
            Kind::Word(Word::OtherConvention) => {
                CallConvention::Other(named_convention(self.cursor.text_of(token)))
            }
            Kind::Word(Word::Cc) => {
                self.cursor.bump();
                let number = self.cursor.number("a calling convention", 1023)?;
                return Ok(numbered_convention(number as u32));
            }
            Kind::Unknown => {
                let number = self.cursor.text_of(token).strip_prefix("cc");
                match number.and_then(|number| number.parse().ok()) {
                    Some(number) => numbered_convention(number),
                    None => return Ok(CallConvention::C),
                }
            }
            _ => return Ok(CallConvention::C),
        };
        self.cursor.bump();
        Ok(convention)
    }
}

/// The numbers of conventions whose names the lexer does not tell apart.
const CONVENTIONS: &[(&str, u32)] = &[
    ("webkit_jscc", 12),
    ("cfguard_checkcc", 19),
    ("x86_stdcallcc", 64),
    ("x86_fastcallcc", 65),
    ("arm_apcscc", 66),
    ("arm_aapcscc", 67),
    ("arm_aapcs_vfpcc", 68),
    ("msp430_intrcc", 69),
    ("x86_thiscallcc", 70),
    ("ptx_kernel", 71),
    ("ptx_device", 72),
    ("spir_func", 75),
    ("spir_kernel", 76),
    ("intel_ocl_bicc", 77),
    ("win64cc", 79),
    ("x86_vectorcallcc", 80),
    ("hhvmcc", 81),
    ("hhvm_ccc", 82),
    ("x86_intrcc", 83),
    ("avr_intrcc", 84),
    ("avr_signalcc", 85),
    ("x86_regcallcc", 92),
    ("aarch64_vector_pcs", 97),
    ("aarch64_sve_vector_pcs", 98),
    ("m68k_rtdcc", 106),
    ("graalcc", 107),
    ("riscv_vector_cc", 110),
];

/// The number of a convention; `u32::MAX` for those of targets that are not ours.
fn named_convention(name: &str) -> u32 {
    CONVENTIONS.iter().find(|(known, _)| *known == name).map_or(u32::MAX, |&(_, number)| number)
}

fn numbered_convention(number: u32) -> CallConvention {
    match number {
        // That of x86-64 outside Windows is the platform's.
        0 | 78 => CallConvention::C,
        8..=18 | 20 | 21 if number != 12 => CallConvention::Internal,
        number => CallConvention::Other(number),
    }
}
