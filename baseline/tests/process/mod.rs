//! The smallest process that units run in: every unit of a module at its place, the entries of
//! the runtime that stop and unwind, and nothing else. A second, plain linker, so that the tier
//! can be tried without the engine above it.

mod runtime;

use std::collections::BTreeMap;

use brolga_baseline::{Baseline, Unsupported};
use brolga_ir::datum::Datum;
use brolga_ir::entity::FuncId;
use brolga_ir::module::{Module, Storage};
use brolga_ir::trap::TrapCode;
use brolga_ir::types::{Scalar, Type};
use brolga_lowering::buffer::BufferLayout;
use brolga_lowering::emit::Compiler;
use brolga_lowering::level::Level;
use brolga_lowering::options::LowerOptions;
use brolga_lowering::runtime::STUB_INTERNAL_ENTRY;
use brolga_lowering::target::{Isa, IsaOptions};
use brolga_lowering::unit::{CompiledUnit, RelocationKind, UnitSymbol};
use rustix::mm::{MapFlags, MprotectFlags, ProtFlags, mmap_anonymous, mprotect, munmap};

use runtime::{Record, address_of};

/// Bytes of a stub: a trap where the platform would enter, then a jump.
const STUB: usize = 16;

/// What a call came to.
#[derive(Debug)]
pub(crate) enum Outcome {
    Returned(Vec<Datum>),
    Stopped(TrapCode),
}

/// Code that can be called.
pub(crate) struct Process<'m> {
    module: &'m Module,
    isa: Isa,
    /// Units and where they start.
    units: Vec<(u64, CompiledUnit)>,
    functions: BTreeMap<Box<str>, u64>,
    /// How many functions the tier has compiled, and what it left.
    pub(crate) made: usize,
    pub(crate) left: Vec<Unsupported>,
    mapping: Mapping,
}

/// Memory with code.
struct Mapping {
    start: *mut u8,
    size: usize,
}

impl Mapping {
    fn new(size: usize) -> Mapping {
        let (protection, flags) = (ProtFlags::READ | ProtFlags::WRITE, MapFlags::PRIVATE);
        // SAFETY: a new mapping, of nothing that is in use.
        let start = unsafe { mmap_anonymous(std::ptr::null_mut(), size, protection, flags) };
        Mapping { start: start.expect("memory for code").cast(), size }
    }

    fn bytes(&mut self) -> &mut [u8] {
        // SAFETY: the mapping is ours alone, and this long.
        unsafe { std::slice::from_raw_parts_mut(self.start, self.size) }
    }

    fn make_executable(&mut self, size: usize) {
        let flags = MprotectFlags::READ | MprotectFlags::EXEC;
        // SAFETY: the pages are those of the mapping, and nobody holds a reference to them.
        unsafe { mprotect(self.start.cast(), size, flags) }.expect("executable memory");
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        // SAFETY: the mapping is ours, and nothing runs in it any more.
        let _ = unsafe { munmap(self.start.cast(), self.size) };
    }
}

/// What is placed where, while it is.
struct Placing {
    next: usize,
    /// Where symbols are, from the start of the mapping.
    symbols: BTreeMap<UnitSymbol, usize>,
}

const PAGE: usize = 4096;

impl<'m> Process<'m> {
    /// A process of a module; nothing if it needs more than there is.
    pub(crate) fn new(module: &'m Module, options: &LowerOptions) -> Option<Process<'m>> {
        let isa = Isa::host(IsaOptions::default()).ok()?;
        let mut process = Process {
            module,
            units: Vec::new(),
            functions: BTreeMap::new(),
            made: 0,
            left: Vec::new(),
            mapping: Mapping::new(1 << 22),
            isa,
        };
        let units = process.compile(options)?;
        process.place(units)?;
        Some(process)
    }

    /// By the tier, or as it would be without it.
    fn compile(&mut self, options: &LowerOptions) -> Option<Vec<CompiledUnit>> {
        let (mut baseline, mut compiler) = (Baseline::new(), Compiler::new());
        let mut functions = baseline.begin(self.module, &self.isa, options).ok()?;
        let plain = LowerOptions { level: Level::O0, ..*options };
        let mut units = Vec::new();
        for (id, function) in self.module.functions() {
            if function.body.is_none() {
                continue;
            }
            units.push(match functions.lower(id) {
                Ok(unit) => {
                    self.made += 1;
                    unit
                }
                Err(reason) => {
                    self.left.push(reason);
                    compiler.lower_function(self.module, id, &self.isa, &plain).ok()?
                }
            });
        }
        Some(units)
    }

    fn place(&mut self, units: Vec<CompiledUnit>) -> Option<()> {
        let mut placing = Placing { next: 0, symbols: BTreeMap::new() };
        let base = self.mapping.start as u64;
        for unit in units {
            placing.next = placing.next.next_multiple_of(16);
            let start = placing.next;
            self.mapping
                .bytes()
                .get_mut(start..start + unit.code.len())?
                .copy_from_slice(&unit.code);
            placing.next += unit.code.len();
            self.functions.insert((*unit.name).into(), base + start as u64);
            self.units.push((base + start as u64, unit));
        }
        let wanted: Vec<(u64, UnitSymbol, i64)> = self
            .units
            .iter()
            .flat_map(|(start, unit)| unit.relocations.iter().map(move |it| (*start, it)))
            .map(|(start, it)| {
                assert_eq!(it.kind, RelocationKind::X86Relative32);
                (start + u64::from(it.offset), it.symbol.clone(), it.addend)
            })
            .collect();
        for (_, symbol, _) in &wanted {
            self.place_stub(symbol, &mut placing)?;
        }
        // Data is not executable: it begins at a page of its own.
        let code_end = placing.next.next_multiple_of(PAGE);
        placing.next = code_end;
        for (_, symbol, _) in &wanted {
            self.place_data(symbol, &mut placing)?;
        }
        for (place, symbol, addend) in &wanted {
            let target = (base + *placing.symbols.get(symbol)? as u64) as i64;
            let distance = i32::try_from(target + addend - *place as i64).ok()?;
            let at = (place - base) as usize;
            self.mapping.bytes()[at..at + 4].copy_from_slice(&distance.to_le_bytes());
        }
        self.mapping.make_executable(code_end);
        Some(())
    }

    /// What leads to code: a jump, to the function or the runtime.
    fn place_stub(&mut self, symbol: &UnitSymbol, placing: &mut Placing) -> Option<()> {
        let target = match symbol {
            UnitSymbol::Call(name) | UnitSymbol::Stub(name) => *self.functions.get(&*name.name)?,
            UnitSymbol::Runtime(entry) => address_of(*entry)?,
            _ => return Some(()),
        };
        let (call, stub) = match symbol {
            UnitSymbol::Call(name) | UnitSymbol::Stub(name) => {
                (UnitSymbol::Call(name.clone()), UnitSymbol::Stub(name.clone()))
            }
            other => (other.clone(), other.clone()),
        };
        if placing.symbols.contains_key(&call) {
            return Some(());
        }
        let start = placing.next.next_multiple_of(16);
        let entry = start + STUB_INTERNAL_ENTRY as usize;
        placing.next = entry + STUB;
        let bytes = self.mapping.bytes();
        bytes[start..start + 2].copy_from_slice(&[0x0f, 0x0b]);
        // movabs rax, target; jmp rax: in eax is nothing that is passed.
        bytes[entry..entry + 2].copy_from_slice(&[0x48, 0xb8]);
        bytes[entry + 2..entry + 10].copy_from_slice(&target.to_le_bytes());
        bytes[entry + 10..entry + 12].copy_from_slice(&[0xff, 0xe0]);
        placing.symbols.insert(stub, start);
        placing.symbols.insert(call, entry);
        Some(())
    }

    /// A data object with what it holds at first; nothing if that has addresses.
    fn place_data(&mut self, symbol: &UnitSymbol, placing: &mut Placing) -> Option<()> {
        let UnitSymbol::Data(name) = symbol else { return Some(()) };
        if placing.symbols.contains_key(symbol) {
            return Some(());
        }
        let (_, object) = self.module.data_objects().find(|(_, it)| it.name == *name)?;
        let image = object.image();
        if object.storage == Storage::ThreadLocal || !image.relocations.is_empty() {
            return None;
        }
        let start = placing.next.next_multiple_of(1 << object.align_log2.max(6));
        placing.next = start + object.size as usize;
        let room = self.mapping.bytes().get_mut(start..placing.next)?;
        room.get_mut(..image.bytes.len())?.copy_from_slice(&image.bytes);
        placing.symbols.insert(symbol.clone(), start);
        Some(())
    }

    /// Calls a function whose parameters and results are words and vectors of 128 bits; nothing if they are not.
    pub(crate) fn call(&self, id: FuncId, arguments: &[Datum]) -> Option<Outcome> {
        let function = self.module.function(id)?;
        let signature = self.module.types.sig(function.sig);
        let (params, results): (Vec<Type>, Vec<Type>) =
            (signature.param_types().collect(), signature.result_types().collect());
        if params.iter().chain(&results).any(|ty| lane_size(*ty).is_none()) {
            return None;
        }
        let types = &self.module.types;
        let layout = BufferLayout::of(types, params.iter().copied())?;
        let given = BufferLayout::of(types, results.iter().copied())?;
        let mut buffer = vec![0_u128; (layout.size.max(given.size) / 16) as usize + 1];
        for (argument, offset) in arguments.iter().zip(&layout.offsets) {
            buffer[*offset as usize / 16] = match argument {
                Datum::Scalar(bits) => *bits,
                Datum::Lanes(lanes) => {
                    let size = 128 / lanes.len();
                    lanes.iter().rev().fold(0, |all, lane| all.wrapping_shl(size as u32) | lane)
                }
                Datum::Fields(_) => return None,
            };
        }
        let entry = *self.functions.get(&*function.name)?;
        let mut compiler = Compiler::new();
        let thunk = compiler.entry_thunk(types, signature, &self.isa).ok()?;
        let mut mapping = Mapping::new(thunk.code.len().next_multiple_of(PAGE));
        mapping.bytes()[..thunk.code.len()].copy_from_slice(&thunk.code);
        mapping.make_executable(mapping.size);
        let mut frames: Vec<(u64, &CompiledUnit)> =
            self.units.iter().map(|(start, unit)| (*start, unit)).collect();
        frames.push((mapping.start as u64, &thunk));
        let code = self.mapping.start as u64;
        let mut record = Record::new(&frames, code..code + self.mapping.size as u64);
        // SAFETY: the thunk is of this signature and the record is made for it; the buffer has
        // room for both sides, and a test's code accesses what it declares.
        let status = unsafe { record.enter(mapping.start, entry, buffer.as_mut_ptr().cast()) };
        if status != 0 {
            return TrapCode::from_number(u32::try_from(status - 1).ok()?).map(Outcome::Stopped);
        }
        let one = |(ty, offset): (&Type, &u32)| {
            let (all, bits) = (buffer[*offset as usize / 16], lane_size(*ty).unwrap_or(64));
            let lane = |index: u32| all >> (index * bits) & ((1 << bits) - 1);
            match ty.is_vector() {
                true => Datum::Lanes((0..ty.lanes()).map(lane).collect()),
                false => Datum::Scalar(lane(0)),
            }
        };
        Some(Outcome::Returned(results.iter().zip(&given.offsets).map(one).collect()))
    }
}

/// Bits of a word, or of the lanes of a vector of 128 bits.
fn lane_size(ty: Type) -> Option<u32> {
    let size = match ty.lane()? {
        Scalar::I1 if !ty.is_vector() => 1,
        Scalar::I8 => 8,
        Scalar::I16 => 16,
        Scalar::I32 | Scalar::F32 => 32,
        Scalar::I64 | Scalar::F64 => 64,
        _ => return None,
    };
    (!ty.is_vector() || size * ty.lanes() == 128).then_some(size)
}
