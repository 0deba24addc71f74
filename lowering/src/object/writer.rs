//! Sections, symbols and relocations.

use brolga_ir::module::{Content, DataObject, Linkage, Module, Name, Storage, Symbol as Named};
use cranelift_object::object::write::{
    Object, Relocation, SectionId, StandardSection, StandardSegment, Symbol, SymbolId,
    SymbolSection,
};
use cranelift_object::object::{
    self, BinaryFormat, Endianness, RelocationEncoding, RelocationFlags, SectionKind, SymbolFlags,
    SymbolKind, SymbolScope, elf, macho,
};
use rustc_hash::{FxHashMap, FxHashSet};

use super::ObjectError;
use super::machine::{code_symbol, symbol};
use crate::runtime::{STUB_INTERNAL_ENTRY, STUB_SIZE};
use crate::target::{Architecture, System, TargetSpec};
use crate::unit::{CodeRelocation, CompiledUnit, RelocationKind, UnitSymbol};

/// Who sees a symbol.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Scope {
    /// This object.
    Object,
    /// Every object of the program.
    Program,
    /// The same, unless another object defines it too.
    Weak,
}

/// An object in the making.
pub(super) struct ObjectWriter {
    object: Object<'static>,
    architecture: Architecture,
    text: SectionId,
    stubs: SectionId,
    sites: SectionId,
    locals: SectionId,
    symbols: FxHashMap<String, SymbolId>,
    /// What was defined, to refuse a name that two things have.
    defined: FxHashMap<String, Scope>,
    /// The functions whose code will be here.
    functions: FxHashSet<Name>,
    /// Slots that code refers to, made once all is known.
    slots: Vec<UnitSymbol>,
}

fn format_error(error: &object::write::Error) -> ObjectError {
    ObjectError::Format { reason: error.to_string().into() }
}

impl ObjectWriter {
    /// An object for the code of those functions.
    pub(super) fn new(target: &TargetSpec, functions: FxHashSet<Name>) -> ObjectWriter {
        let format = match target.system() {
            System::MacOs => BinaryFormat::MachO,
            System::Linux | System::Windows => BinaryFormat::Elf,
        };
        let machine = match target.architecture() {
            Architecture::X86_64 => object::Architecture::X86_64,
            Architecture::Aarch64 => object::Architecture::Aarch64,
        };
        let mut object = Object::new(format, machine, Endianness::Little);
        let text = object.section_id(StandardSection::Text);
        let segment = |object: &Object<'_>, segment| object.segment_name(segment).to_vec();
        let code = segment(&object, StandardSegment::Text);
        let data = segment(&object, StandardSegment::Data);
        let stubs = object.add_section(code, b"brolga_stubs".to_vec(), SectionKind::Text);
        let rows = |object: &mut Object<'static>, name: &[u8]| {
            object.add_section(data.clone(), name.to_vec(), SectionKind::Data)
        };
        let sites = rows(&mut object, b"brolga_sites");
        let locals = rows(&mut object, b"brolga_locals");
        if format == BinaryFormat::Elf {
            // Says that the stack need not be executable.
            object.add_section(Vec::new(), b".note.GNU-stack".to_vec(), SectionKind::Other);
        }
        ObjectWriter {
            object,
            architecture: target.architecture(),
            text,
            stubs,
            sites,
            locals,
            symbols: FxHashMap::default(),
            defined: FxHashMap::default(),
            functions,
            slots: Vec::new(),
        }
    }

    /// The symbol of that name, not defined at first.
    fn symbol(&mut self, name: &str) -> SymbolId {
        if let Some(&known) = self.symbols.get(name) {
            return known;
        }
        let made = self.object.add_symbol(Symbol {
            name: name.as_bytes().to_vec(),
            value: 0,
            size: 0,
            kind: SymbolKind::Unknown,
            scope: SymbolScope::Unknown,
            weak: false,
            section: SymbolSection::Undefined,
            flags: SymbolFlags::None,
        });
        self.symbols.insert(name.to_owned(), made);
        made
    }

    /// Puts bytes into a section under a name; gives where they start.
    fn define(
        &mut self,
        name: &str,
        scope: Scope,
        kind: SymbolKind,
        section: SectionId,
        (bytes, align): (&[u8], u64),
    ) -> Result<u64, ObjectError> {
        if self.defined.insert(name.to_owned(), scope).is_some() {
            let reason = format!("`{name}` is the name of two things").into();
            return Err(ObjectError::Format { reason });
        }
        let id = self.symbol(name);
        let symbol = self.object.symbol_mut(id);
        symbol.kind = kind;
        symbol.scope = match scope {
            Scope::Object => SymbolScope::Compilation,
            Scope::Program | Scope::Weak => SymbolScope::Dynamic,
        };
        symbol.weak = scope == Scope::Weak;
        Ok(self.object.add_symbol_data(id, section, bytes, align))
    }

    fn relocate(
        &mut self,
        section: SectionId,
        offset: u64,
        (name, addend): (&str, i64),
        flags: RelocationFlags,
    ) -> Result<(), ObjectError> {
        let symbol = self.symbol(name);
        let relocation = Relocation { offset, symbol, addend, flags };
        self.object.add_relocation(section, relocation).map_err(|error| format_error(&error))
    }

    /// Eight bytes that hold an address.
    fn address(
        &mut self,
        section: SectionId,
        offset: u64,
        target: (&str, i64),
    ) -> Result<(), ObjectError> {
        let flags = RelocationFlags::Generic {
            kind: object::RelocationKind::Absolute,
            encoding: RelocationEncoding::Generic,
            size: 64,
        };
        self.relocate(section, offset, target, flags)
    }

    /// A function's code or a thunk.
    pub(super) fn unit(&mut self, name: &str, unit: &CompiledUnit) -> Result<(), ObjectError> {
        let code = (&unit.code[..], u64::from(unit.align));
        let start = self.define(name, Scope::Object, SymbolKind::Text, self.text, code)?;
        for relocation in &unit.relocations {
            self.code_relocation(start, relocation)?;
        }
        for site in &unit.call_sites {
            let Some(handler) = site.handler else { continue };
            let mut row = [0; 24];
            row[16..].copy_from_slice(&u64::from(handler.frame_offset).to_le_bytes());
            let at = self.object.append_section_data(self.sites, &row, 8);
            self.address(self.sites, at, (name, site.return_offset.into()))?;
            self.address(self.sites, at + 8, (name, handler.offset.into()))?;
        }
        Ok(())
    }

    fn code_relocation(
        &mut self,
        start: u64,
        relocation: &CodeRelocation,
    ) -> Result<(), ObjectError> {
        let (target, entry) = self.target(&relocation.symbol);
        let is_call = !matches!(
            relocation.symbol,
            UnitSymbol::Stub(_)
                | UnitSymbol::Data(_)
                | UnitSymbol::AddressSlot(_)
                | UnitSymbol::ThreadLocalOffset(_)
                | UnitSymbol::EngineSlot
                | UnitSymbol::Budget
        );
        let flags = self.flags(relocation.kind, is_call);
        let offset = start + u64::from(relocation.offset);
        self.relocate(self.text, offset, (&target, relocation.addend + entry), flags)
    }

    /// A symbol's name, and what is added to its address.
    fn target(&mut self, of: &UnitSymbol) -> (String, i64) {
        match of {
            UnitSymbol::Call(function) => match self.functions.contains(&function.name) {
                true => (code_symbol(&function.name), 0),
                false => (symbol(of), STUB_INTERNAL_ENTRY.into()),
            },
            UnitSymbol::AddressSlot(_) | UnitSymbol::ThreadLocalOffset(_) => {
                let name = symbol(of);
                if !self.symbols.contains_key(&name) {
                    self.slots.push(of.clone());
                }
                (name, 0)
            }
            _ => (symbol(of), 0),
        }
    }

    fn flags(&self, kind: RelocationKind, is_call: bool) -> RelocationFlags {
        let generic = |encoding, size| RelocationFlags::Generic {
            kind: object::RelocationKind::Relative,
            encoding,
            size,
        };
        let is_elf = self.object.format() == BinaryFormat::Elf;
        match kind {
            RelocationKind::X86Relative32 if is_call => generic(RelocationEncoding::X86Branch, 32),
            RelocationKind::X86Relative32 => generic(RelocationEncoding::Generic, 32),
            RelocationKind::Arm64Call26 => generic(RelocationEncoding::AArch64Call, 26),
            RelocationKind::Arm64Page21 if is_elf => {
                RelocationFlags::Elf { r_type: elf::R_AARCH64_ADR_PREL_PG_HI21 }
            }
            RelocationKind::Arm64Low12 if is_elf => {
                RelocationFlags::Elf { r_type: elf::R_AARCH64_ADD_ABS_LO12_NC }
            }
            RelocationKind::Arm64Page21 => RelocationFlags::MachO {
                r_type: macho::ARM64_RELOC_PAGE21,
                r_pcrel: true,
                r_length: 2,
            },
            RelocationKind::Arm64Low12 => RelocationFlags::MachO {
                r_type: macho::ARM64_RELOC_PAGEOFF12,
                r_pcrel: false,
                r_length: 2,
            },
        }
    }

    /// The stub of a function, whose code this object has.
    pub(super) fn stub(
        &mut self,
        name: &str,
        scope: Scope,
        platform: Option<&str>,
    ) -> Result<(), ObjectError> {
        // A jump to be filled in, or an instruction that stops. Stubs as close together as
        // those may stand end in different bits, which branch predictors tell them by.
        let (jump, stop, align): (&[u8], &[u8], u64) = match self.architecture {
            Architecture::X86_64 => (&[0xe9, 0, 0, 0, 0], &[0x0f, 0x0b], 2),
            Architecture::Aarch64 => (&[0, 0, 0, 0x14], &[0, 0, 0, 0], 4),
        };
        let mut bytes = [0; STUB_SIZE as usize];
        let first = if platform.is_some() { jump } else { stop };
        bytes[..first.len()].copy_from_slice(first);
        let internal = STUB_INTERNAL_ENTRY as usize;
        let end = internal + jump.len();
        bytes[internal..end].copy_from_slice(jump);
        let bytes = (&bytes[..end], align);
        let start = self.define(name, scope, SymbolKind::Text, self.stubs, bytes)?;
        if let Some(platform) = platform {
            self.jump(start, platform)?;
        }
        self.jump(start + u64::from(STUB_INTERNAL_ENTRY), &code_symbol(name))
    }

    fn jump(&mut self, at: u64, target: &str) -> Result<(), ObjectError> {
        let (kind, offset, addend) = match self.architecture {
            Architecture::X86_64 => (RelocationKind::X86Relative32, 1, -4),
            Architecture::Aarch64 => (RelocationKind::Arm64Call26, 0, 0),
        };
        let flags = self.flags(kind, true);
        self.relocate(self.stubs, at + offset, (target, addend), flags)
    }

    /// Says of a name that nobody need define it: its address is null then.
    pub(super) fn mark_weak(&mut self, name: &str) {
        let symbol = self.symbol(name);
        self.object.symbol_mut(symbol).weak = true;
    }

    /// A data object that the module defines.
    pub(super) fn data(&mut self, module: &Module, object: &DataObject) -> Result<(), ObjectError> {
        let scope = match object.linkage {
            Linkage::Export => Scope::Program,
            Linkage::Weak => Scope::Weak,
            Linkage::Local => Scope::Object,
            Linkage::Import | Linkage::Foreign => return Ok(()),
            Linkage::ForeignWeak => {
                self.mark_weak(&object.name);
                return Ok(());
            }
        };
        let image = object.image();
        let fixed = object.content == Content::Constant || object.storage == Storage::ThreadLocal;
        let section = match (fixed, image.relocations.is_empty()) {
            (false, _) => StandardSection::Data,
            (true, true) => StandardSection::ReadOnlyData,
            (true, false) => StandardSection::ReadOnlyDataWithRel,
        };
        let section = self.object.section_id(section);
        let layout = object.layout();
        let size = usize::try_from(layout.size).map_err(|_| ObjectError::Format {
            reason: format!("`{}` does not fit into memory", object.name).into(),
        })?;
        let mut bytes = image.bytes;
        bytes.resize(size, 0);
        let data = (&bytes[..], layout.align);
        let start = self.define(&object.name, scope, SymbolKind::Data, section, data)?;
        for relocation in image.relocations {
            let target = match relocation.symbol {
                Named::Function(_) | Named::Data(_) => module.symbol_name(relocation.symbol),
            };
            self.address(section, start + relocation.offset, (target, relocation.addend))?;
        }
        if object.storage == Storage::ThreadLocal {
            self.thread_local(&object.name, scope, layout.size, layout.align)?;
        }
        Ok(())
    }

    /// The index of an object in each thread's table, which whoever sees the object sees.
    fn thread_local(
        &mut self,
        name: &str,
        scope: Scope,
        size: u64,
        align: u64,
    ) -> Result<(), ObjectError> {
        let slot = symbol(&UnitSymbol::ThreadLocalOffset(name.into()));
        let data = self.object.section_id(StandardSection::Data);
        self.define(&slot, scope, SymbolKind::Data, data, (&[0; 8], 8))?;
        let mut row = [0; 32];
        row[16..24].copy_from_slice(&size.to_le_bytes());
        row[24..].copy_from_slice(&align.to_le_bytes());
        let at = self.object.append_section_data(self.locals, &row, 8);
        self.address(self.locals, at, (&slot, 0))?;
        self.address(self.locals, at + 8, (name, 0))
    }

    /// The bytes of the object.
    pub(super) fn finish(mut self) -> Result<Vec<u8>, ObjectError> {
        for slot in std::mem::take(&mut self.slots) {
            let UnitSymbol::AddressSlot(name) = &slot else { continue };
            let data = self.object.section_id(StandardSection::Data);
            let zeros = (&[0; 8][..], 8);
            let at = self.define(&symbol(&slot), Scope::Object, SymbolKind::Data, data, zeros)?;
            self.address(data, at, (name, 0))?;
        }
        self.object.write().map_err(|error| format_error(&error))
    }
}
