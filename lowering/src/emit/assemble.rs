//! From what the back end gives to a unit.

use cranelift_codegen::binemit::Reloc;
use cranelift_codegen::ir::{ExternalName, Function, SourceLoc, TrapCode};
use cranelift_codegen::{
    CompiledCode, Final, FinalizedMachExceptionHandler, FinalizedMachReloc, FinalizedRelocTarget,
    MachSrcLoc,
};

use super::code::Needs;
use super::guard::{Guard, guard, needs_guard, padding};
use super::placement::start_of;
use super::symbols::{Symbols, trampoline_index};
use super::unreachable_trap;
use crate::options::StackGuard;
use crate::runtime::RuntimeEntry;
use crate::target::Architecture;
use crate::unit::{
    Awaited, CallSite, CodeRelocation, CompiledUnit, ExitSite, Handler, LineEntry, RelocationKind,
    UnitSymbol,
};

/// Saved frame pointer and return address.
const FRAME_HEADER: u32 = 16;

/// How a unit is put together.
pub(super) struct Assembly<'a> {
    pub(super) name: &'a str,
    pub(super) architecture: Architecture,
    pub(super) stack_guard: StackGuard,
}

/// Makes the unit of a compiled function.
///
/// # Errors
/// A sentence about what the back end did that it must not.
pub(super) fn assemble(
    assembly: &Assembly<'_>,
    compiled: &CompiledCode,
    function: &Function,
    mut needs: Needs,
) -> Result<CompiledUnit, String> {
    let buffer = &compiled.buffer;
    let start = start_of(assembly.architecture, compiled);
    let frame_size = frame_size(compiled, &needs);
    let guarded = assembly.stack_guard == StackGuard::Emit && needs_guard(frame_size, needs.calls);
    // The tail is code: on aarch64 it stands at words.
    let length = buffer.total_size().next_multiple_of(4);
    let around = match guarded {
        true => guard(assembly.architecture, frame_size, length, start),
        false => Guard { prefix: padding(start), ..Guard::default() },
    };
    let shift = around.prefix.len() as u32;
    let relocations = relocations(buffer.relocs(), function, &needs.symbols, shift)?;
    check_traps(compiled, &needs, &stops(&relocations, shift))?;
    let mut unit = CompiledUnit {
        name: assembly.name.into(),
        align: start.align,
        relocations,
        call_sites: call_sites(compiled, &needs, shift),
        lines: lines(buffer.get_srclocs_sorted(), &needs, shift),
        frame_size,
        side_mark: side_mark(compiled, &needs),
        ..CompiledUnit::default()
    };
    unit.code = around.prefix;
    unit.code.reserve(length as usize + around.tail.len());
    unit.code.extend_from_slice(buffer.data());
    if let Some(call) = around.call {
        unit.code.resize((shift + length) as usize, 0);
        let tail = unit.code.len() as u32;
        unit.relocations.push(CodeRelocation {
            offset: tail + call.offset,
            kind: call.kind,
            symbol: UnitSymbol::Runtime(RuntimeEntry::StackOverflow),
            addend: call.addend,
        });
        unit.guard_return = Some(tail + call.return_offset);
        let code = brolga_ir::trap::TrapCode::StackOverflow;
        unit.call_sites.push(CallSite {
            return_offset: tail + call.return_offset,
            handler: None,
            frame: None,
            exit: Some(ExitSite { code, side: None, values: Vec::new() }),
            awaited: Awaited::Callee,
        });
        unit.code.extend_from_slice(&around.tail);
    }
    append_trampolines(&mut unit.code, &needs, buffer.relocs(), function, shift)?;
    unit.frames = needs.sites.frames.take();
    unit.thunks = needs.symbols.into_thunks();
    unit.shrink_to_fit();
    Ok(unit)
}

/// The stack that a call takes: the frame, what lies above it, and what the
/// arguments of a tail call may add.
fn frame_size(compiled: &CompiledCode, needs: &Needs) -> u32 {
    let frame = compiled.buffer.frame_layout().map_or(0, |layout| layout.frame_to_fp_offset);
    let arguments = needs.tail_argument_words.saturating_mul(8);
    frame.saturating_add(FRAME_HEADER).saturating_add(arguments).next_multiple_of(16)
}

/// Where the frame keeps a mark of the side stack, below the frame pointer.
fn side_mark(compiled: &CompiledCode, needs: &Needs) -> Option<u32> {
    let layout = compiled.buffer.frame_layout()?;
    let offset = layout.stackslots[needs.side_mark?].offset;
    layout.frame_to_fp_offset.checked_sub(offset)
}

/// Where calls that do not return would return to, in the order of the code.
fn stops(relocations: &[CodeRelocation], shift: u32) -> Vec<u32> {
    /// Bytes from the place of a call's target to the end of the call.
    const TARGET: u32 = 4;
    let is_stop = |relocation: &&CodeRelocation| {
        matches!(relocation.symbol, UnitSymbol::Runtime(RuntimeEntry::Raise | RuntimeEntry::Throw))
    };
    let stops = relocations.iter().filter(is_stop);
    stops.map(|relocation| relocation.offset - shift + TARGET).collect()
}

/// A trap of the back end's would be a signal. Those behind a call that does
/// not return are never reached, with nothing between but what the register
/// allocator moves; nor are those of divisions, which `Emitter::division` guards,
/// at most two each; there are no others.
fn check_traps(compiled: &CompiledCode, needs: &Needs, stops: &[u32]) -> Result<(), String> {
    let buffer = &compiled.buffer;
    let mut returns: Vec<u32> = buffer.call_sites().map(|site| site.ret_addr).collect();
    returns.sort_unstable();
    let call_before =
        |offset| returns[..returns.partition_point(|&at| at <= offset)].last().copied();
    let mut divisions = 0;
    for trap in buffer.traps() {
        if trap.code == unreachable_trap() {
            if call_before(trap.offset).is_some_and(|at| stops.binary_search(&at).is_ok()) {
                continue;
            }
            return Err(format!("a trap at offset {} follows no call", trap.offset));
        }
        let divides = [TrapCode::INTEGER_DIVISION_BY_ZERO, TrapCode::INTEGER_OVERFLOW];
        if !divides.contains(&trap.code) {
            return Err(format!("a trap `{}` at offset {}", trap.code, trap.offset));
        }
        divisions += 1;
    }
    match divisions > 2 * needs.divisions {
        true => Err("more division traps than divisions".to_owned()),
        false => Ok(()),
    }
}

/// Puts the trampolines behind the code, and fills the calls of them in.
fn append_trampolines(
    code: &mut Vec<u8>,
    needs: &Needs,
    found: &[FinalizedMachReloc],
    function: &Function,
    shift: u32,
) -> Result<(), String> {
    let mut starts = Vec::with_capacity(needs.trampolines.len());
    for trampoline in &needs.trampolines {
        starts.push(code.len() as i64);
        code.extend_from_slice(trampoline);
    }
    for relocation in found {
        let Some(index) = called_trampoline(relocation, function) else { continue };
        if relocation.kind != Reloc::X86CallPCRel4 {
            return Err(format!("a relocation of kind {:?} to a trampoline", relocation.kind));
        }
        let target = starts.get(index).ok_or("a call of a trampoline that is not there")?;
        let place = (relocation.offset + shift) as usize;
        let distance = (target + relocation.addend - place as i64) as i32;
        let bytes = code.get_mut(place..place + 4).ok_or("a relocation behind the code")?;
        bytes.copy_from_slice(&distance.to_le_bytes());
    }
    Ok(())
}

/// The number of the trampoline that a place refers to.
fn called_trampoline(relocation: &FinalizedMachReloc, function: &Function) -> Option<usize> {
    match &relocation.target {
        FinalizedRelocTarget::ExternalName(ExternalName::User(name)) => {
            trampoline_index(&function.params.user_named_funcs()[*name])
        }
        _ => None,
    }
}

fn relocations(
    found: &[FinalizedMachReloc],
    function: &Function,
    symbols: &Symbols,
    shift: u32,
) -> Result<Vec<CodeRelocation>, String> {
    let one = |relocation: &FinalizedMachReloc| {
        let FinalizedRelocTarget::ExternalName(ExternalName::User(name)) = &relocation.target
        else {
            return Err(format!("a relocation against {:?}", relocation.target));
        };
        let symbol = symbols.symbol(&function.params.user_named_funcs()[*name]);
        let kind = match relocation.kind {
            Reloc::X86CallPCRel4 | Reloc::X86PCRel4 => RelocationKind::X86Relative32,
            Reloc::Arm64Call => RelocationKind::Arm64Call26,
            Reloc::Aarch64AdrPrelPgHi21 => RelocationKind::Arm64Page21,
            Reloc::Aarch64AddAbsLo12Nc => RelocationKind::Arm64Low12,
            kind => return Err(format!("a relocation of kind {kind:?}")),
        };
        Ok(CodeRelocation {
            offset: relocation.offset + shift,
            kind,
            symbol: symbol.ok_or("a relocation against an unknown symbol")?.clone(),
            addend: relocation.addend,
        })
    };
    let mut relocations = Vec::with_capacity(found.len());
    for found in found.iter().filter(|found| called_trampoline(found, function).is_none()) {
        relocations.push(one(found)?);
    }
    relocations.sort_by_key(|relocation| relocation.offset);
    Ok(relocations)
}

fn call_sites(compiled: &CompiledCode, needs: &Needs, shift: u32) -> Vec<CallSite> {
    let locations = compiled.buffer.get_srclocs_sorted();
    let one = |site: cranelift_codegen::FinalizedMachCallSite<'_>| {
        let handler = site.exception_handlers.iter().find_map(|handler| match handler {
            FinalizedMachExceptionHandler::Default(offset) => Some(*offset),
            _ => None,
        });
        // The call's last byte: behind it the next location may start.
        let row = location_at(locations, site.ret_addr - 1).and_then(|loc| needs.sites.row(loc));
        CallSite {
            return_offset: site.ret_addr + shift,
            handler: handler.map(|offset| Handler {
                offset: offset + shift,
                frame_offset: site.frame_offset.unwrap_or(0),
            }),
            frame: row.and_then(|row| row.frame),
            exit: row.and_then(|row| row.exit.clone()),
            awaited: Awaited::Callee,
        }
    };
    let mut sites: Vec<_> = compiled.buffer.call_sites().map(one).collect();
    sites.sort_by_key(|site| site.return_offset);
    sites
}

fn location_at(locations: &[MachSrcLoc<Final>], offset: u32) -> Option<SourceLoc> {
    let behind = locations.partition_point(|range| range.start <= offset);
    let range = &locations[behind.checked_sub(1)?];
    (offset < range.end).then_some(range.loc)
}

fn lines(locations: &[MachSrcLoc<Final>], needs: &Needs, shift: u32) -> Vec<LineEntry> {
    let mut lines: Vec<LineEntry> = Vec::with_capacity(locations.len() + 1);
    let mut enter = |offset: u32, frame: Option<u32>| {
        if lines.last().and_then(|line| line.frame) != frame {
            lines.push(LineEntry { offset: offset + shift, frame });
        }
    };
    let mut end = 0;
    for range in locations {
        if range.start > end {
            enter(end, None);
        }
        enter(range.start, needs.sites.row(range.loc).and_then(|row| row.frame));
        end = range.end;
    }
    enter(end, None);
    lines
}
