//! A module as a program for Linux on aarch64 that makes some calls and writes
//! what they gave: units placed and linked at fixed addresses, no libraries.

use std::collections::BTreeMap;

use brolga_ir::datum::Datum;
use brolga_ir::entity::{EntityRef, FuncId};
use brolga_ir::module::{Module, Symbol};
use brolga_ir::types::{Signature, Type};
use brolga_lowering::PRELUDE_PREFIX;
use brolga_lowering::buffer::BufferLayout;
use brolga_lowering::emit::Compiler;
use brolga_lowering::error::CompileError;
use brolga_lowering::options::LowerOptions;
use brolga_lowering::prelude;
use brolga_lowering::runtime::{RECORD_SIZE, RecordField, STUB_INTERNAL_ENTRY, STUB_SIZE};
use brolga_lowering::target::Isa;
use brolga_lowering::unit::{CodeRelocation, CompiledUnit, RelocationKind, UnitSymbol};

use super::runtime::{Places, call, runtime};

/// Where the program stands.
const BASE: u64 = 0x1000_0000;

/// A call to be made.
pub(crate) struct Call {
    pub(crate) function: FuncId,
    pub(crate) args: Vec<Datum>,
}

/// A program.
pub(crate) struct Image<'m> {
    module: &'m Module,
    isa: Isa,
    memory: Vec<u8>,
    units: Vec<(u64, CompiledUnit)>,
    symbols: BTreeMap<UnitSymbol, u64>,
    stubs: u64,
    places: Places,
    /// Functions that were refused.
    pub(crate) refused: BTreeMap<FuncId, CompileError>,
    /// Where each call's buffer starts in the output, and its layout of results.
    results: Vec<(usize, BufferLayout)>,
}

/// What a call gave: its status, where it stopped, its exit values, its buffer.
pub(crate) struct Given<'a> {
    pub(crate) status: u64,
    pub(crate) exit_pc: u64,
    pub(crate) buffer: &'a [u8],
    pub(crate) layout: &'a BufferLayout,
}

impl<'m> Image<'m> {
    /// Compiles the module and places its units.
    pub(crate) fn new(module: &'m Module, isa: &Isa, options: &LowerOptions) -> Image<'m> {
        let mut image = Image {
            module,
            isa: isa.clone(),
            memory: Vec::new(),
            units: Vec::new(),
            symbols: BTreeMap::new(),
            stubs: 0,
            places: Places::default(),
            refused: BTreeMap::new(),
            results: Vec::new(),
        };
        // Its size does not depend on where things are.
        let (code, _) = runtime(&Places::default());
        image.allocate(code.len(), 16);
        image.places.record = image.allocate(RECORD_SIZE as usize, 16);
        image.stubs = image.allocate(module.functions().len() * STUB_SIZE as usize, 64);
        image.place_data();
        let mut compiler = Compiler::new();
        for (id, function) in module.functions() {
            if function.body.is_none() {
                continue;
            }
            match compiler.lower_function(module, id, isa, options) {
                Ok(unit) => image.place_function(id, unit),
                Err(error) => drop(image.refused.insert(id, error)),
            }
        }
        image
    }

    fn allocate(&mut self, bytes: usize, align: usize) -> u64 {
        let at = self.memory.len().next_multiple_of(align);
        self.memory.resize(at + bytes, 0);
        BASE + at as u64
    }

    fn write(&mut self, at: u64, bytes: &[u8]) {
        let at = (at - BASE) as usize;
        self.memory[at..at + bytes.len()].copy_from_slice(bytes);
    }

    fn write_word(&mut self, at: u64, word: u64) {
        self.write(at, &word.to_le_bytes());
    }

    fn slot(&mut self, word: u64) -> u64 {
        let at = self.allocate(8, 8);
        self.write_word(at, word);
        at
    }

    fn place(&mut self, unit: CompiledUnit) -> u64 {
        let at = self.allocate(unit.code.len(), unit.align as usize);
        self.write(at, &unit.code);
        self.units.push((at, unit));
        at
    }

    fn stub(&self, id: FuncId) -> u64 {
        self.stubs + u64::from(STUB_SIZE) * id.index() as u64
    }

    fn place_function(&mut self, id: FuncId, unit: CompiledUnit) {
        let at = self.place(unit);
        let entry = self.stub(id) + u64::from(STUB_INTERNAL_ENTRY);
        let distance = ((at as i64 - entry as i64) / 4) as u32 & 0x03ff_ffff;
        self.write(entry, &(0x1400_0000 | distance).to_le_bytes());
    }

    fn place_data(&mut self) {
        self.places.data = self.allocate(0, 4096);
        let mut table = Vec::new();
        for (_, object) in self.module.data_objects() {
            let layout = object.layout();
            let at = self.allocate(layout.size.max(1) as usize, layout.align as usize);
            self.symbols.insert(UnitSymbol::Data(object.name.clone()), at);
            table.push(at);
        }
        for (index, (_, object)) in self.module.data_objects().enumerate() {
            let image = object.image();
            self.write(table[index], &image.bytes);
            for relocation in image.relocations {
                let address = match relocation.symbol {
                    Symbol::Data(id) => table[id.index()],
                    Symbol::Function(id) => self.stub(id),
                };
                let address = address.wrapping_add_signed(relocation.addend);
                self.write_word(table[index] + relocation.offset, address);
            }
        }
        self.places.data_bytes = BASE + self.memory.len() as u64 - self.places.data;
        let range = (self.places.data - BASE) as usize..self.memory.len();
        let copy = self.memory[range].to_vec();
        self.places.data_copy = self.allocate(copy.len(), 16);
        self.write(self.places.data_copy, &copy);
        // One thread: its copies of thread-local data are the objects.
        let locals = self.allocate(8 * table.len(), 8);
        for (index, at) in table.into_iter().enumerate() {
            self.write_word(locals + 8 * index as u64, at);
        }
        let record = self.places.record;
        self.write_word(record + u64::from(RecordField::ThreadLocals.offset()), locals);
        let stubs = self.stubs;
        self.write_word(record + u64::from(RecordField::StubBase.offset()), stubs);
        let bytes = self.module.functions().len() * STUB_SIZE as usize;
        self.write_word(record + u64::from(RecordField::StubBytes.offset()), bytes as u64);
    }

    fn resolve(&mut self, symbol: &UnitSymbol) -> u64 {
        if let Some(&known) = self.symbols.get(symbol) {
            return known;
        }
        let function = |name: &str| self.module.function_named(name);
        let at = match symbol {
            UnitSymbol::Prelude(name) => return self.prelude(symbol, name),
            UnitSymbol::Call(name) if name.name.starts_with(PRELUDE_PREFIX) => {
                return self.prelude(&UnitSymbol::Prelude(name.name.clone()), &name.name);
            }
            UnitSymbol::Call(name) => function(&name.name)
                .map_or(BASE, |id| self.stub(id) + u64::from(STUB_INTERNAL_ENTRY)),
            UnitSymbol::Stub(name) => function(&name.name).map_or(BASE, |id| self.stub(id)),
            UnitSymbol::ThreadLocalOffset(name) => {
                let mut objects = self.module.data_objects();
                let index = objects.position(|(_, object)| object.name == *name);
                self.slot(8 * index.unwrap_or(0) as u64)
            }
            UnitSymbol::AddressSlot(_) => self.slot(0),
            // What is missing is called by no program that this is for.
            _ => BASE,
        };
        self.symbols.insert(symbol.clone(), at);
        at
    }

    /// The code of a function of the prelude, compiled at first use.
    fn prelude(&mut self, symbol: &UnitSymbol, name: &str) -> u64 {
        if let Some(&known) = self.symbols.get(symbol) {
            return known;
        }
        let module = prelude::module();
        let id = module.function_named(name).expect("a function of the prelude");
        let mut compiler = Compiler::new();
        let unit = compiler.lower_function(module, id, &self.isa, &LowerOptions::default());
        let at = self.place(unit.expect("the prelude compiles"));
        self.symbols.insert(symbol.clone(), at);
        at
    }

    fn link(&mut self) {
        let mut index = 0;
        // Linking may compile more.
        while index < self.units.len() {
            self.link_unit(index);
            index += 1;
        }
    }

    fn link_unit(&mut self, index: usize) {
        let at = self.units[index].0;
        for relocation in self.units[index].1.relocations.clone() {
            let target = self.resolve(&relocation.symbol);
            let target = target.wrapping_add_signed(relocation.addend);
            self.relocate(at + u64::from(relocation.offset), target, &relocation);
        }
    }

    fn relocate(&mut self, place: u64, target: u64, relocation: &CodeRelocation) {
        let at = (place - BASE) as usize;
        let word = u32::from_le_bytes(self.memory[at..at + 4].try_into().unwrap());
        let filled = match relocation.kind {
            RelocationKind::Arm64Call26 => {
                let distance = (target as i64 - place as i64) >> 2;
                word | (distance as u32 & 0x03ff_ffff)
            }
            RelocationKind::Arm64Page21 => {
                let pages = (target >> 12) as i64 - (place >> 12) as i64;
                let pages = pages as u32;
                word | (pages & 3) << 29 | (pages >> 2 & 0x7_ffff) << 5
            }
            RelocationKind::Arm64Low12 => word | (target as u32 & 0xfff) << 10,
            RelocationKind::X86Relative32 => panic!("a relocation of another machine"),
        };
        self.write(place, &filled.to_le_bytes());
    }

    /// The program that makes those calls.
    pub(crate) fn program(&mut self, isa: &Isa, calls: &[Call]) -> Vec<u8> {
        let mut compiler = Compiler::new();
        let mut thunks: BTreeMap<u32, (u64, usize)> = BTreeMap::new();
        for call in calls {
            let sig = self.module.function(call.function).unwrap().sig;
            thunks.entry(sig.as_u32()).or_insert_with(|| {
                let (types, signature) = (&self.module.types, self.module.types.sig(sig));
                let unit = compiler.entry_thunk(types, signature, isa).unwrap();
                (self.place(unit), self.units.len() - 1)
            });
        }
        self.link();
        self.place_handlers();
        self.places.call_count = calls.len() as u64;
        self.places.calls = self.allocate(calls.len() * call::SIZE as usize, 16);
        self.places.output = self.places.calls;
        for (index, call) in calls.iter().enumerate() {
            let sig = self.module.function(call.function).unwrap().sig;
            self.write_call(index, call, thunks[&sig.as_u32()]);
        }
        self.places.output_bytes = BASE + self.memory.len() as u64 - self.places.output;
        self.finish()
    }

    fn place_handlers(&mut self) {
        let mut rows = Vec::new();
        for (at, unit) in &self.units {
            for site in &unit.call_sites {
                let Some(handler) = site.handler else { continue };
                rows.push(at + u64::from(site.return_offset));
                rows.push(at + u64::from(handler.offset));
                rows.push(handler.frame_offset.into());
            }
        }
        rows.push(0);
        self.places.handlers = self.allocate(8 * rows.len(), 8);
        for (index, row) in rows.into_iter().enumerate() {
            self.write_word(self.places.handlers + 8 * index as u64, row);
        }
    }

    fn write_call(&mut self, index: usize, given: &Call, (thunk, unit): (u64, usize)) {
        let module = self.module;
        let signature: &Signature = module.signature_of(given.function);
        let layout =
            |types: &mut dyn Iterator<Item = Type>| BufferLayout::of(&module.types, types).unwrap();
        let params = layout(&mut signature.param_types());
        let results = layout(&mut signature.result_types());
        let size = params.size.max(results.size).max(16) as usize;
        let buffer = self.allocate(size, 16);
        let start = (buffer - BASE) as usize;
        for ((arg, ty), &offset) in
            given.args.iter().zip(signature.param_types()).zip(&params.offsets)
        {
            let place = &mut self.memory[start + offset as usize..start + size];
            arg.write_bytes(&module.types, ty, place);
        }
        self.results.push(((buffer - self.places.output) as usize, results));
        let site = self.units[unit].1.call_sites.iter().find_map(|site| site.handler).unwrap();
        let entry = self.stub(given.function) + u64::from(STUB_INTERNAL_ENTRY);
        let row = self.places.calls + u64::from(call::SIZE) * index as u64;
        let fields = [
            (call::THUNK, thunk),
            (call::ENTRY, entry),
            (call::BUFFER, buffer),
            (call::FRAME_OFFSET, site.frame_offset.into()),
            (call::HANDLER, thunk + u64::from(site.offset)),
        ];
        for (field, word) in fields {
            self.write_word(row + u64::from(field), word);
        }
    }

    /// The runtime in its place, and an ELF header before all.
    fn finish(&mut self) -> Vec<u8> {
        let (code, entries) = runtime(&self.places);
        self.write(BASE, &code);
        for (entry, offset) in entries {
            self.symbols.insert(UnitSymbol::Runtime(entry), BASE + offset);
        }
        // Calls of the runtime were linked to its start: again, now that it is known.
        for (at, unit) in std::mem::take(&mut self.units) {
            for relocation in &unit.relocations {
                if let UnitSymbol::Runtime(_) = relocation.symbol {
                    let place = at + u64::from(relocation.offset);
                    let start = (relocation.offset) as usize;
                    self.write(place, &unit.code[start..start + 4]);
                    let target = self.symbols[&relocation.symbol];
                    self.relocate(place, target, relocation);
                }
            }
            self.units.push((at, unit));
        }
        self.elf()
    }

    fn elf(&self) -> Vec<u8> {
        const HEADER: u64 = 4096;
        let size = self.memory.len() as u64;
        let mut file = vec![0x7f, b'E', b'L', b'F', 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0];
        let mut put = |bytes: &[u8]| file.extend_from_slice(bytes);
        // An executable for aarch64, entered at its start, with one program header.
        put(&2u16.to_le_bytes());
        put(&183u16.to_le_bytes());
        put(&1u32.to_le_bytes());
        for word in [BASE, 64, 0] {
            put(&word.to_le_bytes());
        }
        put(&0u32.to_le_bytes());
        for half in [64u16, 56, 1, 0, 0, 0] {
            put(&half.to_le_bytes());
        }
        // To be loaded readable, writable and executable.
        put(&1u32.to_le_bytes());
        put(&7u32.to_le_bytes());
        for word in [HEADER, BASE, BASE, size, size, HEADER] {
            put(&word.to_le_bytes());
        }
        file.resize(HEADER as usize, 0);
        file.extend_from_slice(&self.memory);
        file
    }

    /// What a call gave, of what the program has written.
    pub(crate) fn given<'a>(&'a self, output: &'a [u8], index: usize) -> Given<'a> {
        let row = &output[call::SIZE as usize * index..];
        let word = |offset: u32| {
            u64::from_le_bytes(row[offset as usize..offset as usize + 8].try_into().unwrap())
        };
        let (start, layout) = &self.results[index];
        Given {
            status: word(call::STATUS),
            exit_pc: word(call::EXIT_PC),
            buffer: &output[*start..],
            layout,
        }
    }

    /// The function and the line of an address where execution stopped.
    pub(crate) fn place_of(&self, pc: u64) -> Option<(&str, u32)> {
        let (at, unit) = self
            .units
            .iter()
            .find(|(at, unit)| (*at + 1..=*at + unit.code.len() as u64).contains(&pc))?;
        let site = unit.call_site((pc - at) as u32)?;
        let frame = unit.frame_chain(site.frame).next();
        let function = frame.and_then(|frame| frame.function.as_deref()).unwrap_or(&unit.name);
        Some((function, frame.map_or(0, |frame| frame.line)))
    }
}
