//! A small program in memory: units placed, linked and run on this machine,
//! with a runtime that does the least that the entries ask for.

mod runtime;

use std::collections::BTreeMap;
use std::ffi::c_void;
use std::ptr;

use brolga_ir::datum::Datum;
use brolga_ir::entity::EntityRef;
use brolga_ir::module::{Linkage, Module, Storage, Symbol};
use brolga_ir::trap::TrapCode;
use brolga_ir::types::{Signature, Type};
use rustix::mm::{MapFlags, ProtFlags, mmap_anonymous, munmap};

use super::super::Compiler;
use crate::buffer::BufferLayout;
use crate::dependencies::Dependencies;
use crate::error::CompileError;
use crate::options::LowerOptions;
use crate::runtime::{STUB_INTERNAL_ENTRY, STUB_SIZE};
use crate::target::Isa;
use crate::unit::{CompiledUnit, RelocationKind, UnitSymbol};
pub(super) use runtime::Record;

const SIZE: usize = 16 << 20;

/// The table of one thread has room for that many thread-local objects.
const THREAD_LOCALS: usize = 64;

/// A function of the host: changes its buffer, and says whether it failed.
pub(super) type HostFunction = Box<dyn FnMut(&mut [u128]) -> Result<(), TrapCode>>;

/// Where execution stopped.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Stopped {
    pub(super) code: TrapCode,
    /// Functions and lines, innermost first; line 0 where there is none.
    pub(super) frames: Vec<(String, u32)>,
    /// The number and the values of a side exit.
    pub(super) side: Option<(u32, Vec<Datum>)>,
}

/// What a unit is to whoever walks the stack.
#[derive(Clone, Copy, PartialEq)]
enum Role {
    Function,
    /// Its handler ends the walk.
    Thunk,
}

struct Placed {
    start: u64,
    role: Role,
    unit: CompiledUnit,
}

/// A program in memory.
pub(super) struct Session<'m> {
    module: &'m Module,
    isa: Isa,
    start: *mut c_void,
    used: usize,
    placed: Vec<Placed>,
    symbols: BTreeMap<UnitSymbol, u64>,
    stubs: BTreeMap<String, u64>,
    /// The entry thunks of functions that were called.
    thunks: BTreeMap<String, u64>,
    pub(super) record: Box<Record>,
    thread_locals: Box<[u64; THREAD_LOCALS]>,
    /// With the strides of their buffers.
    hosts: Vec<(usize, HostFunction)>,
    host_names: BTreeMap<String, u64>,
    foreign: BTreeMap<String, u64>,
    /// Functions that were refused.
    pub(super) refused: BTreeMap<String, CompileError>,
    stopped: Option<Stopped>,
    /// What callbacks that are running will put back into the record.
    exit_frames: Vec<u64>,
}

impl Drop for Session<'_> {
    fn drop(&mut self) {
        // SAFETY: the mapping is this session's alone, and nothing of it runs.
        unsafe { munmap(self.start, SIZE) }.unwrap();
    }
}

impl<'m> Session<'m> {
    /// Compiles and links the module. Functions of the host come first in
    /// `hosts`, addresses of foreign ones in `foreign`.
    pub(super) fn new(
        module: &'m Module,
        isa: &Isa,
        options: &LowerOptions,
        hosts: Vec<(&str, HostFunction)>,
        foreign: &[(&str, *const ())],
    ) -> Box<Session<'m>> {
        // Executable from the start: these are tests.
        let all = ProtFlags::READ | ProtFlags::WRITE | ProtFlags::EXEC;
        // SAFETY: a fresh mapping that the kernel places overlaps nothing.
        let start = unsafe { mmap_anonymous(ptr::null_mut(), SIZE, all, MapFlags::PRIVATE) };
        let mut session = Box::new(Session {
            module,
            isa: isa.clone(),
            start: start.unwrap(),
            used: 0,
            placed: Vec::new(),
            symbols: BTreeMap::new(),
            stubs: BTreeMap::new(),
            thunks: BTreeMap::new(),
            record: Box::default(),
            thread_locals: Box::new([0; THREAD_LOCALS]),
            hosts: Vec::new(),
            host_names: BTreeMap::new(),
            foreign: foreign.iter().map(|&(name, at)| (name.to_owned(), at as u64)).collect(),
            refused: BTreeMap::new(),
            stopped: None,
            exit_frames: Vec::new(),
        });
        session.build(options, hosts);
        session
    }

    fn build(&mut self, options: &LowerOptions, hosts: Vec<(&str, HostFunction)>) {
        // Stubs stand together, so that one range tells them.
        let count = self.module.functions().len().max(1) * STUB_SIZE as usize;
        self.record.stub_base = self.allocate(count, 64);
        self.record.stub_bytes = count as u64;
        self.record.thread_locals = self.thread_locals.as_ptr() as u64;
        self.place_data();
        let (names, hosts): (Vec<&str>, Vec<_>) = hosts.into_iter().unzip();
        let strides = names.iter().map(|name| {
            let types = &self.module.types;
            let id = self.module.function_named(name).unwrap();
            let signature = self.module.signature_of(id);
            let params = BufferLayout::of(types, signature.param_types()).unwrap();
            let results = BufferLayout::of(types, signature.result_types()).unwrap();
            params.size.max(results.size) as usize / 16
        });
        self.hosts = strides.zip(hosts).collect();
        for (name, host) in names.into_iter().zip(&mut self.hosts) {
            self.host_names.insert(name.to_owned(), ptr::from_mut(host) as u64);
        }
        let mut compiler = Compiler::new();
        let mut units = Vec::new();
        for (id, function) in self.module.functions() {
            let unit = match (function.linkage, self.host_names.contains_key(&*function.name)) {
                (Linkage::Import, true) => {
                    compiler.host_thunk(function, &self.module.types, &self.isa)
                }
                _ if function.body.is_some() => {
                    compiler.lower_function(self.module, id, &self.isa, options)
                }
                _ => continue,
            };
            match unit {
                Ok(unit) => units.push((function.name.to_string(), unit)),
                Err(error) => drop(self.refused.insert(function.name.to_string(), error)),
            }
        }
        let mut dependencies = Dependencies::default();
        for (name, unit) in units {
            dependencies.add(&unit);
            let start = self.place(unit, Role::Function);
            self.make_stub(&name, start);
        }
        while let Some((symbol, unit)) =
            dependencies.compile_next(&mut compiler, &self.isa, options).unwrap()
        {
            let start = self.place(unit, Role::Function);
            self.symbols.insert(symbol, start);
        }
        for (_, function) in self.module.functions() {
            let Some(&stub) = self.stubs.get(&*function.name) else { continue };
            let types = &self.module.types;
            if let Ok(unit) = compiler.callback_thunk(function, types, &self.isa) {
                let start = self.place(unit, Role::Thunk);
                self.jump_through_slot(stub, start);
            }
        }
        self.link();
    }

    fn allocate(&mut self, bytes: usize, align: usize) -> u64 {
        self.used = self.used.next_multiple_of(align);
        let at = self.start as u64 + self.used as u64;
        self.used += bytes;
        assert!(self.used <= SIZE, "the session is full");
        at
    }

    fn write(&mut self, at: u64, bytes: &[u8]) {
        assert!(
            at >= self.start as u64 && at + bytes.len() as u64 <= self.start as u64 + SIZE as u64
        );
        // SAFETY: the bytes lie inside of the mapping, as was asserted.
        unsafe { ptr::copy_nonoverlapping(bytes.as_ptr(), at as *mut u8, bytes.len()) };
    }

    fn slot(&mut self, value: u64) -> u64 {
        let at = self.allocate(8, 8);
        self.write(at, &value.to_le_bytes());
        at
    }

    /// `jmp [rip + slot]` at `at`.
    fn jump_through_slot(&mut self, at: u64, target: u64) {
        let slot = self.slot(target);
        let distance = (slot as i64 - (at as i64 + 6)) as i32;
        self.write(at, &[0xff, 0x25]);
        self.write(at + 2, &distance.to_le_bytes());
    }

    fn make_stub(&mut self, name: &str, start: u64) {
        let stub = self.stub_address(self.module.function_named(name).unwrap().index());
        self.jump_through_slot(stub + u64::from(STUB_INTERNAL_ENTRY), start);
        self.stubs.insert(name.to_owned(), stub);
    }

    fn place(&mut self, unit: CompiledUnit, role: Role) -> u64 {
        let start = self.allocate(unit.code.len(), unit.align as usize);
        self.write(start, &unit.code);
        self.placed.push(Placed { start, role, unit });
        start
    }

    fn place_data(&mut self) {
        let mut images = Vec::new();
        for (_, object) in self.module.data_objects() {
            let layout = object.layout();
            let at = self.allocate(layout.size.max(1) as usize, layout.align as usize);
            let image = object.image();
            self.write(at, &image.bytes);
            self.symbols.insert(UnitSymbol::Data(object.name.clone()), at);
            images.push((at, image));
        }
        for (at, image) in images {
            for relocation in image.relocations {
                let name = self.module.symbol_name(relocation.symbol);
                let address = match relocation.symbol {
                    Symbol::Data(_) => self.symbols[&UnitSymbol::Data(name.into())],
                    Symbol::Function(id) => self.stub_address(id.index()),
                };
                let address = address.wrapping_add(relocation.addend as u64);
                self.write(at + relocation.offset, &address.to_le_bytes());
            }
        }
    }

    fn stub_address(&self, function: usize) -> u64 {
        self.record.stub_base + u64::from(STUB_SIZE) * function as u64
    }

    fn resolve(&mut self, symbol: &UnitSymbol) -> u64 {
        if let Some(&known) = self.symbols.get(symbol) {
            return known;
        }
        let at = match symbol {
            UnitSymbol::Call(function) => {
                let stub = self.stubs.get(&*function.name).copied();
                stub.map_or(0, |stub| stub + u64::from(STUB_INTERNAL_ENTRY))
            }
            UnitSymbol::Stub(function) => self.stubs.get(&*function.name).copied().unwrap_or(0),
            UnitSymbol::AddressSlot(name) => {
                let data = self.symbols.get(&UnitSymbol::Data(name.clone()));
                let address = data.or_else(|| self.host_names.get(&**name));
                let address = address.or_else(|| self.foreign.get(&**name)).copied();
                self.slot(address.unwrap_or(0))
            }
            UnitSymbol::ThreadLocalOffset(name) => {
                let mut objects = self.module.data_objects();
                let index = objects.position(|(_, object)| object.name == *name).unwrap();
                self.slot(8 * index as u64)
            }
            // There is one thread, and it has a record.
            UnitSymbol::EngineSlot => self.slot(0),
            UnitSymbol::Runtime(entry) => {
                let stub = self.allocate(8, 8);
                self.jump_through_slot(stub, runtime::address(*entry));
                stub
            }
            other => panic!("{other} is not there"),
        };
        self.symbols.insert(symbol.clone(), at);
        at
    }

    fn link(&mut self) {
        for index in 0..self.placed.len() {
            self.link_unit(index);
        }
    }

    fn link_unit(&mut self, index: usize) {
        let start = self.placed[index].start;
        for relocation in self.placed[index].unit.relocations.clone() {
            assert_eq!(relocation.kind, RelocationKind::X86Relative32);
            let target = self.resolve(&relocation.symbol);
            let place = start + u64::from(relocation.offset);
            let distance = target as i64 + relocation.addend - place as i64;
            // What is missing is never called by the tests that go on.
            let distance = i32::try_from(distance).unwrap_or(0);
            self.write(place, &distance.to_le_bytes());
        }
    }

    /// Makes this thread's copy of a thread-local object.
    fn make_thread_local(&mut self, offset: u64) -> u64 {
        let index = (offset / 8) as usize;
        let (_, object) = self.module.data_objects().nth(index).unwrap();
        assert_eq!(object.storage, Storage::ThreadLocal);
        let layout = object.layout();
        let at = self.allocate(layout.size.max(1) as usize, layout.align as usize);
        self.write(at, &object.image().bytes);
        self.thread_locals[index] = at;
        at
    }

    /// Calls a function of the module.
    pub(super) fn call(&mut self, name: &str, args: &[Datum]) -> Result<Vec<Datum>, Stopped> {
        let module = self.module;
        let signature = module.signature_of(module.function_named(name).unwrap());
        let entry = self.stubs[name] + u64::from(STUB_INTERNAL_ENTRY);
        let thunk = self.entry_thunk(name, signature);
        let layout = |types: Vec<Type>| BufferLayout::of(&module.types, types).unwrap();
        let params = layout(signature.param_types().collect());
        let results = layout(signature.result_types().collect());
        let mut buffer = vec![0u128; params.size.max(results.size).max(16) as usize / 16];
        for ((arg, ty), &offset) in args.iter().zip(signature.param_types()).zip(&params.offsets) {
            arg.write_bytes(&module.types, ty, &mut bytes_of(&mut buffer)[offset as usize..]);
        }
        let here = 0u8;
        self.record.stack_limit = ptr::from_ref(&here) as u64 - (512 << 10);
        self.record.engine = ptr::from_mut(self) as u64;
        runtime::enter(&mut self.record, &mut self.exit_frames);
        // SAFETY: the thunk has this signature, as its documentation says.
        let thunk: extern "C" fn(u64, *mut Record, *mut u128) -> u64 =
            unsafe { std::mem::transmute(thunk) };
        let record: *mut Record = &mut *self.record;
        let status = thunk(entry, record, buffer.as_mut_ptr());
        runtime::leave(&mut self.exit_frames);
        if status != 0 {
            return Err(self.stopped.take().unwrap());
        }
        let read = |(ty, &offset): (Type, &u32)| {
            Datum::from_bytes(&module.types, ty, &bytes_of(&mut buffer)[offset as usize..])
        };
        Ok(signature.result_types().zip(&results.offsets).map(read).collect())
    }

    fn entry_thunk(&mut self, name: &str, signature: &Signature) -> u64 {
        if let Some(&known) = self.thunks.get(name) {
            return known;
        }
        let types = &self.module.types;
        let unit = Compiler::new().entry_thunk(types, signature, &self.isa).unwrap();
        let start = self.place(unit, Role::Thunk);
        self.link_unit(self.placed.len() - 1);
        self.thunks.insert(name.to_owned(), start);
        start
    }

    fn unit_at(&self, pc: u64) -> Option<&Placed> {
        // A return address may stand at the end.
        self.placed
            .iter()
            .find(|placed| pc > placed.start && pc <= placed.start + placed.unit.code.len() as u64)
    }
}

fn bytes_of(buffer: &mut [u128]) -> &mut [u8] {
    let size = size_of_val(buffer);
    // SAFETY: any bytes make a `u128`, and the slice has that many.
    unsafe { std::slice::from_raw_parts_mut(buffer.as_mut_ptr().cast(), size) }
}
