//! A module as a program: units placed and linked at fixed addresses.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use brolga_ir::datum::Datum;
use brolga_ir::entity::{EntityRef, FuncId};
use brolga_ir::module::{Function, Linkage, Module, Symbol};
use brolga_lowering::buffer::BufferLayout;
use brolga_lowering::dependencies::Dependencies;
use brolga_lowering::emit::Compiler;
use brolga_lowering::error::CompileError;
use brolga_lowering::options::LowerOptions;
use brolga_lowering::runtime::{RECORD_SIZE, RecordField, STUB_INTERNAL_ENTRY, STUB_SIZE};
use brolga_lowering::target::Isa;
use brolga_lowering::unit::{CodeRelocation, CompiledUnit, RelocationKind, UnitSymbol};

use super::runtime::{FOREIGN, Places, SIDE_STACK, call, runtime};
use crate::compare::{Observation, compared_data};
use crate::generate::Call;

/// Where the program stands.
const BASE: u64 = 0x1000_0000;

/// When data objects are put back to what they hold at first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reset {
    /// Calls see what the ones before have left.
    Never,
    /// Before each call.
    EachCall,
}

/// What a unit is to whoever reads a chain of return addresses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    /// One that was written.
    Function,
    /// One that stands between others.
    Thunk,
    /// A thunk that C enters. What is thrown under it goes on outside: there is
    /// no frame of C between.
    Callback,
}

#[derive(Debug)]
pub(super) struct Placed {
    pub(super) at: u64,
    pub(super) role: Role,
    pub(super) unit: CompiledUnit,
}

/// A call in the program.
#[derive(Debug)]
pub(super) struct Made {
    pub(super) function: FuncId,
    /// Where its buffer starts in the output.
    pub(super) buffer: usize,
    /// Where its results stand in that.
    pub(super) results: BufferLayout,
}

/// A program.
#[derive(Debug)]
pub struct Image<'m> {
    pub(super) module: &'m Module,
    isa: Isa,
    compiler: Compiler,
    memory: Vec<u8>,
    pub(super) units: Vec<Placed>,
    symbols: BTreeMap<UnitSymbol, u64>,
    dependencies: Dependencies,
    stubs: u64,
    pub(super) places: Places,
    reset: Reset,
    refused: BTreeMap<FuncId, CompileError>,
    pub(super) made: Vec<Made>,
}

impl<'m> Image<'m> {
    /// Compiles the module and places its units.
    ///
    /// # Errors
    /// If what stands between functions cannot be compiled.
    pub fn new(module: &'m Module, isa: &Isa, reset: Reset) -> Result<Image<'m>, String> {
        let mut image = Image {
            module,
            isa: isa.clone(),
            compiler: Compiler::new(),
            memory: Vec::new(),
            units: Vec::new(),
            symbols: BTreeMap::new(),
            dependencies: Dependencies::default(),
            stubs: 0,
            places: Places::default(),
            reset,
            refused: BTreeMap::new(),
            made: Vec::new(),
        };
        // Its size does not depend on where things are.
        image.allocate(runtime(&Places::default()).code.len(), 16);
        image.places.record = image.allocate(RECORD_SIZE as usize, 16);
        image.places.side_stack = image.allocate(SIDE_STACK as usize, 4096);
        image.stubs = image.allocate(module.functions().len() * STUB_SIZE as usize, 64);
        image.place_data();
        for (id, function) in module.functions().filter(|(_, it)| it.body.is_some()) {
            let options = LowerOptions::default();
            match image.compiler.lower_function(module, id, isa, &options) {
                Ok(unit) => image.place_function(id, function, unit)?,
                Err(error) => drop(image.refused.insert(id, error)),
            }
        }
        Ok(image)
    }

    /// The functions that do not compile.
    pub fn refused(&self) -> impl Iterator<Item = (FuncId, &CompileError)> {
        self.refused.iter().map(|(&id, error)| (id, error))
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

    fn place(&mut self, role: Role, unit: CompiledUnit) -> u64 {
        let at = self.allocate(unit.code.len(), unit.align as usize);
        self.write(at, &unit.code);
        self.dependencies.add(&unit);
        self.units.push(Placed { at, role, unit });
        at
    }

    fn stub(&self, id: FuncId) -> u64 {
        self.stubs + u64::from(STUB_SIZE) * id.index() as u64
    }

    /// `b target` at `at`.
    fn write_jump(&mut self, at: u64, target: u64) {
        let distance = ((target as i64 - at as i64) / 4) as u32 & 0x03ff_ffff;
        self.write(at, &(0x1400_0000 | distance).to_le_bytes());
    }

    fn place_function(
        &mut self,
        id: FuncId,
        function: &Function,
        unit: CompiledUnit,
    ) -> Result<(), String> {
        let at = self.place(Role::Function, unit);
        self.write_jump(self.stub(id) + u64::from(STUB_INTERNAL_ENTRY), at);
        match self.compiler.callback_thunk(function, &self.module.types, &self.isa) {
            Ok(unit) => {
                let at = self.place(Role::Callback, unit);
                self.write_jump(self.stub(id), at);
                Ok(())
            }
            // C has no such function.
            Err(CompileError::Signature { .. }) => Ok(()),
            Err(error) => Err(error.to_string()),
        }
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
        if self.reset == Reset::EachCall {
            self.places.reset_bytes = self.places.data_bytes;
        }
        // One thread: its copies of thread-local data are the objects.
        let locals = self.allocate(8 * table.len(), 8);
        for (index, at) in table.into_iter().enumerate() {
            self.write_word(locals + 8 * index as u64, at);
        }
        let stub_bytes = self.module.functions().len() * STUB_SIZE as usize;
        let fields = [
            (RecordField::ThreadLocals, locals),
            (RecordField::StubBase, self.stubs),
            (RecordField::StubBytes, stub_bytes as u64),
        ];
        for (field, word) in fields {
            self.write_word(self.places.record + u64::from(field.offset()), word);
        }
    }

    fn resolve(&mut self, symbol: &UnitSymbol) -> Result<u64, String> {
        if let Some(&known) = self.symbols.get(symbol) {
            return Ok(known);
        }
        let function = |name: &str| self.module.function_named(name);
        let entry = |name: &str| {
            function(name).map_or(BASE, |id| self.stub(id) + u64::from(STUB_INTERNAL_ENTRY))
        };
        let at = match symbol {
            UnitSymbol::Call(name) => entry(&name.name),
            UnitSymbol::EntrySlot(name) => {
                let entry = entry(&name.name);
                self.slot(entry)
            }
            UnitSymbol::Stub(name) => function(&name.name).map_or(BASE, |id| self.stub(id)),
            UnitSymbol::ThreadLocalOffset(name) => {
                let mut objects = self.module.data_objects();
                let index = objects.position(|(_, object)| object.name == *name);
                self.slot(8 * index.unwrap_or(0) as u64)
            }
            // There is one thread, and it has a record.
            UnitSymbol::EngineSlot => self.slot(0),
            UnitSymbol::Budget => self.slot(0),
            UnitSymbol::AddressSlot(name) => {
                let index = FOREIGN.iter().position(|known| **known == **name);
                let code = runtime(&Places::default());
                let address = index.map(|index| BASE + code.foreign[index]);
                self.slot(address.unwrap_or(0))
            }
            UnitSymbol::Prelude(_) | UnitSymbol::ForeignThunk(..) | UnitSymbol::PointerThunk(_) => {
                return Err(format!("{symbol} was not asked for"));
            }
            // Filled in once the runtime is known; data objects are known already.
            UnitSymbol::Runtime(_) | UnitSymbol::Data(_) => BASE,
        };
        self.symbols.insert(symbol.clone(), at);
        Ok(at)
    }

    fn link(&mut self) -> Result<(), String> {
        self.place_dependencies()?;
        for index in 0..self.units.len() {
            let at = self.units[index].at;
            for relocation in self.units[index].unit.relocations.clone() {
                let target = self.resolve(&relocation.symbol)?;
                self.relocate(at, target, &relocation);
            }
        }
        Ok(())
    }

    /// Thunks and functions of the prelude that the units call.
    fn place_dependencies(&mut self) -> Result<(), String> {
        let options = LowerOptions::default();
        while let Some((symbol, unit)) = self
            .dependencies
            .compile_next(&mut self.compiler, &self.isa, &options)
            .map_err(|error| error.to_string())?
        {
            let role = match symbol {
                UnitSymbol::Prelude(_) => Role::Function,
                _ => Role::Thunk,
            };
            let at = self.place(role, unit);
            self.symbols.insert(symbol, at);
        }
        Ok(())
    }

    fn relocate(&mut self, start: u64, target: u64, relocation: &CodeRelocation) {
        let place = start + u64::from(relocation.offset);
        let target = target.wrapping_add_signed(relocation.addend);
        let at = (place - BASE) as usize;
        let [a, b, c, d] = [0, 1, 2, 3].map(|byte| self.memory[at + byte]);
        let word = u32::from_le_bytes([a, b, c, d]);
        let filled = match relocation.kind {
            RelocationKind::Arm64Call26 => {
                let distance = (target as i64 - place as i64) >> 2;
                word & !0x03ff_ffff | (distance as u32 & 0x03ff_ffff)
            }
            RelocationKind::Arm64Page21 => {
                let pages = ((target >> 12) as i64 - (place >> 12) as i64) as u32;
                word | (pages & 3) << 29 | (pages >> 2 & 0x7_ffff) << 5
            }
            RelocationKind::Arm64Low12 => word | (target as u32 & 0xfff) << 10,
            RelocationKind::X86Relative32 => word,
        };
        self.write(place, &filled.to_le_bytes());
    }

    /// The program that makes those calls.
    pub(super) fn program(&mut self, calls: &[Call]) -> Result<Vec<u8>, String> {
        let mut thunks: BTreeMap<FuncId, usize> = BTreeMap::new();
        let mut functions = Vec::new();
        for call in calls {
            let id = self.module.function_named(&call.function);
            let id = id.ok_or_else(|| format!("there is no @{}", call.function))?;
            functions.push(id);
            if let Entry::Vacant(vacant) = thunks.entry(id) {
                let (types, signature) = (&self.module.types, self.module.signature_of(id));
                let unit = self.compiler.entry_thunk(types, signature, &self.isa);
                self.place(Role::Thunk, unit.map_err(|error| error.to_string())?);
                vacant.insert(self.units.len() - 1);
            }
        }
        self.link()?;
        self.place_handlers();
        self.places.call_count = calls.len() as u64;
        self.places.calls = self.allocate(calls.len() * call::SIZE as usize, 16);
        self.places.output = self.places.calls;
        for (index, (call, id)) in calls.iter().zip(functions).enumerate() {
            self.write_call(index, id, &call.args, thunks[&id])?;
        }
        self.places.output_bytes = BASE + self.memory.len() as u64 - self.places.output;
        Ok(self.finish())
    }

    fn place_handlers(&mut self) {
        let mut rows = Vec::new();
        let handling = self.units.iter().filter(|placed| placed.role != Role::Callback);
        for Placed { at, unit, .. } in handling {
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

    fn write_call(
        &mut self,
        index: usize,
        function: FuncId,
        args: &[Datum],
        thunk: usize,
    ) -> Result<(), String> {
        let (types, signature) = (&self.module.types, self.module.signature_of(function));
        let too_large = || "values of 4 GiB".to_owned();
        let params = BufferLayout::of(types, signature.param_types()).ok_or_else(too_large)?;
        let results = BufferLayout::of(types, signature.result_types()).ok_or_else(too_large)?;
        let size = params.size.max(results.size).max(16) as usize;
        let buffer = self.allocate(size, 16);
        let start = (buffer - BASE) as usize;
        for ((arg, ty), &offset) in args.iter().zip(signature.param_types()).zip(&params.offsets) {
            let place = &mut self.memory[start + offset as usize..start + size];
            arg.write_bytes(types, ty, place);
        }
        let offset = (buffer - self.places.output) as usize;
        self.made.push(Made { function, buffer: offset, results });
        let Placed { at, unit, .. } = &self.units[thunk];
        let handler = unit.call_sites.iter().find_map(|site| site.handler);
        let handler = handler.ok_or("an entry thunk without handler")?;
        let fields = [
            (call::THUNK, *at),
            (call::ENTRY, self.stub(function) + u64::from(STUB_INTERNAL_ENTRY)),
            (call::BUFFER, buffer),
            (call::FRAME_OFFSET, handler.frame_offset.into()),
            (call::HANDLER, at + u64::from(handler.offset)),
        ];
        let row = self.places.calls + u64::from(call::SIZE) * index as u64;
        for (field, word) in fields {
            self.write_word(row + u64::from(field), word);
        }
        Ok(())
    }

    /// The runtime in its place, and an ELF header before all.
    fn finish(&mut self) -> Vec<u8> {
        let runtime = runtime(&self.places);
        self.write(BASE, &runtime.code);
        for (entry, offset) in runtime.entries {
            self.symbols.insert(UnitSymbol::Runtime(entry), BASE + offset);
        }
        // Calls of the runtime were linked to its start: again, now that it is known.
        for index in 0..self.units.len() {
            let at = self.units[index].at;
            for relocation in self.units[index].unit.relocations.clone() {
                if let UnitSymbol::Runtime(_) = relocation.symbol {
                    self.relocate(at, self.symbols[&relocation.symbol], &relocation);
                }
            }
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

    /// What the program has written, as an observation.
    pub(super) fn observation(&self, output: &[u8]) -> Result<Observation, String> {
        let calls = self.places.output_bytes as usize;
        let Some((calls, data)) = output.split_at_checked(calls) else {
            return Err(format!("it wrote {} bytes instead of {calls}", output.len()));
        };
        let answers = (0..self.made.len()).map(|index| self.answer(calls, index)).collect();
        let bytes = |name: &str| {
            let (_, object) = self.module.data_objects().find(|(_, it)| &*it.name == name)?;
            let at = self.symbols.get(&UnitSymbol::Data(name.into()))?;
            let start = (at - self.places.data) as usize;
            data.get(start..start + object.size as usize).map(<[u8]>::to_vec)
        };
        let data = compared_data(self.module)
            .map(|name| (name.into(), bytes(name).unwrap_or_default()))
            .collect();
        Ok(Observation { answers, data, host: 0 })
    }

    /// Whether a program can run: all that it refers to is here.
    pub fn is_whole(&self) -> bool {
        self.module.functions().all(|(_, function)| match function.linkage {
            Linkage::Import => false,
            Linkage::Foreign | Linkage::ForeignWeak => FOREIGN.contains(&&*function.name),
            Linkage::Export | Linkage::Weak | Linkage::Local => true,
        })
    }
}
