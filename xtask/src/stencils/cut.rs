//! From the code of a function to the piece between its entry and its exit.

use brolga_lowering::runtime::RuntimeEntry;
use brolga_lowering::unit::{CompiledUnit, UnitSymbol};

/// What is taken of a function.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Cut {
    /// All between entry and exit.
    Whole,
    /// What stands before the branch of a function that gives 1 or 2.
    Compare,
}

/// Code to be copied.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) code: Vec<u8>,
    /// Offset and width of the place for a constant.
    pub(super) hole: Option<(usize, usize)>,
    /// Calls that stop execution: where the distance stands, and the trap code.
    pub(super) stops: Vec<(u32, u32)>,
    pub(super) condition: u8,
    pub(super) is_aligned: bool,
}

/// `push rbp; mov rbp, rsp`
const ENTRY: [u8; 4] = [0x55, 0x48, 0x89, 0xe5];

/// `mov rsp, rbp; pop rbp; ret`: as long as a jump.
const EXIT: [u8; 5] = [0x48, 0x89, 0xec, 0x5d, 0xc3];

/// `ud2`, behind what does not return.
const UD2: [u8; 2] = [0x0f, 0x0b];

/// The piece of a function; nothing where it has a frame, or calls what comes back.
pub(super) fn cut(unit: &CompiledUnit, cut: Cut) -> Option<Piece> {
    // Functions with loops stand behind instructions that do nothing.
    let mut starts = (0..unit.align as usize).step_by(16);
    let start = starts.find(|&at| unit.code.get(at..).is_some_and(|code| code.starts_with(&ENTRY)));
    let start = start? + ENTRY.len();
    let (code, shift) = (unit.code.get(start..)?, start as u32);
    // `sub rsp, …`: a frame.
    if code.starts_with(&[0x48, 0x83, 0xec]) || code.starts_with(&[0x48, 0x81, 0xec]) {
        return None;
    }
    let stops = stops(unit, shift)?;
    if cut == Cut::Compare {
        return stops.is_empty().then(|| compare(code)).flatten();
    }
    let mut code = code.to_vec();
    let is_aligned = !code.ends_with(&EXIT) && !code.ends_with(&UD2);
    if code.ends_with(&EXIT) {
        code.truncate(code.len() - EXIT.len());
    }
    let end = code.len();
    while let Some(at) = code.windows(EXIT.len()).position(|bytes| bytes == EXIT) {
        let distance = (end - at - EXIT.len()) as u32;
        code[at] = 0xe9;
        code[at + 1..at + 5].copy_from_slice(&distance.to_le_bytes());
    }
    Some(Piece { code, hole: None, stops, condition: 0, is_aligned })
}

fn stops(unit: &CompiledUnit, shift: u32) -> Option<Vec<(u32, u32)>> {
    let of_place = |at: u32| unit.call_site(at + 4).and_then(|site| site.exit.as_ref());
    let one = |relocation: &brolga_lowering::unit::CodeRelocation| {
        if relocation.symbol != UnitSymbol::Runtime(RuntimeEntry::Raise) {
            return None;
        }
        let exit = of_place(relocation.offset)?;
        Some((relocation.offset - shift, exit.code.number()))
    };
    unit.relocations.iter().map(one).collect()
}

/// What stands before `jcc`, if each of its ways gives its number right away.
fn compare(code: &[u8]) -> Option<Piece> {
    let at = code.windows(2).position(|two| two[0] == 0x0f && two[1] & 0xf0 == 0x80)?;
    let (condition, behind) = (code[at + 1] & 0x0f, at + 6);
    let distance = i32::from_le_bytes(code.get(at + 2..behind)?.try_into().ok()?);
    let there = behind.checked_add_signed(distance as isize)?;
    let gives = |at: usize| match *code.get(at..at + 5)? {
        // mov eax, imm32
        [0xb8, number, 0, 0, 0] => Some(number),
        _ => None,
    };
    let condition = match (gives(behind)?, gives(there)?) {
        (2, 1) => condition,
        (1, 2) => condition ^ 1,
        _ => return None,
    };
    let code = code[..at].to_vec();
    Some(Piece { code, hole: None, stops: Vec::new(), condition, is_aligned: false })
}

/// The piece whose only difference is a constant, extended by its sign from what it takes.
pub(super) fn with_hole(made: [(i64, Piece); 3]) -> Option<Piece> {
    let [(first, piece), others @ ..] = made;
    let differing = |at: &usize| others.iter().any(|(_, other)| other.code[*at] != piece.code[*at]);
    if others.iter().any(|(_, other)| other.code.len() != piece.code.len()) {
        return None;
    }
    let start = (0..piece.code.len()).find(differing)?;
    let width = (0..piece.code.len()).rfind(differing)? + 1 - start;
    let is_hole = |number: i64, code: &[u8]| {
        code[start..start + width] == number.to_le_bytes()[..width.min(8)]
    };
    let alike = |other: &Piece| {
        let mut patched = other.clone();
        patched.code[start..start + width].copy_from_slice(&piece.code[start..start + width]);
        patched == piece
    };
    let holds = matches!(width, 1 | 2 | 4)
        && is_hole(first, &piece.code)
        && others.iter().all(|(number, other)| is_hole(*number, &other.code) && alike(other));
    holds.then_some(Piece { hole: Some((start, width)), ..piece })
}
