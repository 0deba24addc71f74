//! What the calls left in the output, against what they must give.

use brolga_ir::body::ExitKind;
use brolga_ir::datum::Datum;
use brolga_ir::module::Module;
use brolga_ir::trap::TrapCode;
use brolga_ir::types::{Packing, Type, TypePool};

use super::Agreement;
use super::program::{RETURNED, is_compared};
use crate::compare::{Answer, Observation, describe};
use crate::generate::Call;

/// Bytes that are read one after the other.
struct Reader<'a> {
    bytes: &'a [u8],
}

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], String> {
        let (taken, rest) = self
            .bytes
            .split_at_checked(count)
            .ok_or("the output ends before the last call does")?;
        self.bytes = rest;
        Ok(taken)
    }

    fn word(&mut self) -> Result<u64, String> {
        let bytes = self.take(8)?;
        Ok(bytes.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte)))
    }
}

/// How a call ended.
struct Outcome<'a> {
    code: u32,
    side: u32,
    bytes: &'a [u8],
}

/// The calls that went otherwise than they must, by their numbers, with what is
/// wrong; behind the last call, data objects.
///
/// # Errors
/// If the output is none of such a run.
pub(super) fn disagreements(
    module: &Module,
    calls: &[Call],
    expected: &Observation,
    output: &[u8],
    agreement: Agreement,
) -> Result<Vec<(usize, String)>, String> {
    let mut reader = Reader { bytes: output };
    let mut found = Vec::new();
    for (index, (call, answer)) in calls.iter().zip(&expected.answers).enumerate() {
        let head = reader.word()?;
        let size = reader.word()? as usize;
        let outcome =
            Outcome { code: head as u32, side: (head >> 32) as u32, bytes: reader.take(size)? };
        if !agrees(module, call, answer, &outcome, agreement) {
            let expected = describe(module, &call.function, answer);
            let other = show(module, call, &outcome);
            let name = &call.function;
            let text =
                format!("call {index}, of @{name}:\n  expected {expected}\n  found    {other}");
            found.push((index, text));
        }
    }
    let objects = module.data_objects().filter(|(_, object)| is_compared(object));
    for (_, object) in objects {
        let size = reader.word()? as usize;
        let bytes = reader.take(size)?;
        let expected = expected.data.iter().find(|(name, _)| **name == *object.name);
        if let Some((name, expected)) = expected
            && agreement == Agreement::Exact
            && let Some(at) = (0..size).find(|&at| expected.get(at) != bytes.get(at))
        {
            let text = format!(
                "byte {at} of @{name}: expected {:?}, found {}",
                expected.get(at),
                bytes[at]
            );
            found.push((calls.len(), text));
        }
    }
    Ok(found)
}

fn agrees(
    module: &Module,
    call: &Call,
    expected: &Answer,
    outcome: &Outcome<'_>,
    agreement: Agreement,
) -> bool {
    let same = |types: &[Type], values: &[Datum]| {
        let found = decode(&module.types, types, outcome.bytes);
        let mut pairs = types.iter().zip(values.iter().zip(&found));
        found.len() == values.len()
            && types.len() == values.len()
            && pairs.all(|(&ty, (expected, found))| match agreement {
                Agreement::Exact => expected == found,
                Agreement::AnyNan => expected.agrees(found, &module.types, ty),
            })
    };
    match expected {
        Answer::Returned(values) => {
            outcome.code == RETURNED.number() && same(&result_types(module, call), values)
        }
        Answer::Trapped { code, values, side_exit, .. } => {
            let side = side_exit.unwrap_or(0);
            outcome.code == code.number()
                && outcome.side == side
                && exits(module, *code, side).any(|types| same(&types, values))
        }
        Answer::Failed(_) => false,
    }
}

fn result_types(module: &Module, call: &Call) -> Vec<Type> {
    let id = module.function_named(&call.function);
    id.into_iter().flat_map(|id| module.signature_of(id).result_types()).collect()
}

/// What the exits of a module that stop so take along: which of them it was is
/// not known.
fn exits(module: &Module, code: TrapCode, side: u32) -> impl Iterator<Item = Vec<Type>> {
    let bodies = module.functions().filter_map(|(_, function)| function.body.as_deref());
    let declared = bodies.flat_map(|body| body.exits()).filter(move |(_, exit)| match exit.kind {
        ExitKind::Trap(own) => own == code,
        ExitKind::Side(number) => code == TrapCode::SideExit && number == side,
        ExitKind::Deopt(_) => false,
    });
    let others = match code {
        TrapCode::UncaughtException => vec![Type::REF],
        _ => Vec::new(),
    };
    declared.map(|(_, exit)| exit.types.clone()).chain([others, Vec::new()])
}

/// Values that stand as the fields of a struct do.
fn decode(types: &TypePool, wanted: &[Type], bytes: &[u8]) -> Vec<Datum> {
    let mut types = types.clone();
    let Ok(whole) = types.structure(wanted, Packing::Natural) else { return Vec::new() };
    match Datum::from_bytes(&types, whole, bytes) {
        Datum::Fields(fields) => fields.into_vec(),
        single => vec![single],
    }
}

fn show(module: &Module, call: &Call, outcome: &Outcome<'_>) -> String {
    match TrapCode::from_number(outcome.code) {
        Some(RETURNED) => {
            let types = result_types(module, call);
            let values = decode(&module.types, &types, outcome.bytes);
            describe(module, &call.function, &Answer::Returned(values))
        }
        Some(code) => format!("trap {code}, side exit {}, with {:?}", outcome.side, outcome.bytes),
        None => format!("it stopped with {:#x}", outcome.code),
    }
}
