//! Functions of a host, with a state: what each does is written once, and
//! given to the engine as a closure and to the interpreter as a model.

use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use brolga::{Engine, LoadError};
use brolga_ir::datum::Datum;
use brolga_ir::interpret::{HostError, HostFunctions};
use brolga_ir::module::{Linkage, Module};
use brolga_ir::types::Type;

/// What the functions keep between calls. Clones are handles to the same.
#[derive(Clone, Debug, Default)]
pub struct HostState {
    word: Arc<AtomicU64>,
}

impl HostState {
    /// All that the functions have been called with, in their order.
    pub fn digest(&self) -> u64 {
        self.word.load(Ordering::Relaxed)
    }

    /// Notes that a function was called with that; gives what was noted before.
    fn note(&self, value: u64) -> u64 {
        let before = self.digest();
        let after = (before ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
        self.word.store(after, Ordering::Relaxed);
        before
    }

    fn tally(&self, number: i64) -> i64 {
        self.note(number as u64) as i64
    }

    /// The result is no NaN: its bits would differ from run to run.
    fn weigh(&self, x: f64, y: f32, n: i16) -> f64 {
        self.note(x.to_bits() ^ u64::from(y.to_bits()) ^ n as u64);
        let sum = x + f64::from(y) * 0.5 + f64::from(n);
        if sum.is_nan() { 0.25 } else { sum }
    }

    fn pair(&self, wide: i128, is_set: bool, byte: i8) -> (i128, i32) {
        let before = self.note(wide as u64 ^ (wide >> 64) as u64 ^ byte as u64);
        let other = if is_set { !wide } else { wide.wrapping_add(byte.into()) };
        (other, before as i32)
    }

    fn mark(&self, small: f32, number: i32) {
        self.note(u64::from(small.to_bits()) << 32 | u64::from(number as u32));
    }

    /// What becomes of a call: it returns for 0 and from 3 on.
    fn judge(&self, mode: i32, number: i64) -> Verdict {
        self.note(mode as u64 ^ number as u64);
        match mode {
            1 => Verdict::Fails(format!("no {number} here")),
            2 => Verdict::Panics(format!("{number} on purpose")),
            _ => Verdict::Returns(number ^ 0x55),
        }
    }

    /// Calls a function of the program twice, whatever comes of the first call.
    fn again(&self, number: i64, mut call: impl FnMut(i64) -> i64) -> i64 {
        let first = call(number);
        call(number.wrapping_add(1)).wrapping_sub(first)
    }
}

enum Verdict {
    Returns(i64),
    Fails(String),
    Panics(String),
}

/// What a program declares to call a function.
#[derive(Clone, Copy, Debug)]
pub struct HostRow {
    /// Its name.
    pub name: &'static str,
    /// What it takes.
    pub params: &'static [Type],
    /// What it gives.
    pub results: &'static [Type],
}

/// The function that calls the address that it gets.
pub const AGAIN: HostRow =
    HostRow { name: "host_again", params: &[Type::PTR, Type::I64], results: &[Type::I64] };

/// The function that fails for a first argument of 1 and panics for 2.
pub const JUDGE: HostRow =
    HostRow { name: "host_judge", params: &[Type::I32, Type::I64], results: &[Type::I64] };

/// The functions that may be called with anything.
pub const PLAIN: &[HostRow] = &[
    HostRow { name: "host_tally", params: &[Type::I64], results: &[Type::I64] },
    HostRow {
        name: "host_weigh",
        params: &[Type::F64, Type::F32, Type::I16],
        results: &[Type::F64],
    },
    HostRow {
        name: "host_pair",
        params: &[Type::I128, Type::I1, Type::I8],
        results: &[Type::I128, Type::I32],
    },
    HostRow { name: "host_mark", params: &[Type::F32, Type::I32], results: &[] },
];

/// Defines the functions that a program imports in an engine.
///
/// # Errors
/// What the engine has against it.
pub fn define_natively(
    engine: &Engine,
    module: &Module,
    state: &HostState,
) -> Result<(), LoadError> {
    let state = || state.clone();
    for (_, function) in module.functions().filter(|(_, f)| f.linkage == Linkage::Import) {
        let (name, state) = (&*function.name, state());
        match name {
            "host_tally" => engine.define_host(name, move |n: i64| state.tally(n))?,
            "host_weigh" => {
                engine.define_host(name, move |x: f64, y: f32, n: i16| state.weigh(x, y, n))?;
            }
            "host_pair" => {
                engine.define_host(name, move |w: i128, s: bool, b: i8| {
                    Ok::<_, String>(state.pair(w, s, b))
                })?;
            }
            "host_mark" => engine.define_host(name, move |x: f32, n: i32| state.mark(x, n))?,
            "host_judge" => {
                engine.define_host(name, move |m: i32, n: i64| match state.judge(m, n) {
                    Verdict::Returns(value) => Ok(value),
                    Verdict::Fails(message) => Err(message),
                    // Without the panic hook, which would print.
                    Verdict::Panics(message) => resume_unwind(Box::new(message)),
                })?;
            }
            "host_again" => {
                engine.define_host(name, move |function: *const u8, n: i64| {
                    // SAFETY: programs hand over the address of a function of
                    // theirs that takes and gives such a number; what it traps
                    // with is pending until this closure has returned.
                    let function: extern "C" fn(i64) -> i64 =
                        unsafe { std::mem::transmute(function) };
                    state.again(n, |n| function(n))
                })?;
            }
            _ => {}
        }
    }
    Ok(())
}

/// The models of the functions, for the interpreter.
pub fn models(state: &HostState) -> HostFunctions {
    let mut models = HostFunctions::new();
    let bits = |args: &[Datum], index: usize| args.get(index).map_or(0, Datum::bits);
    for &row in PLAIN.iter().chain([&JUDGE, &AGAIN]) {
        let state = state.clone();
        models.define(row.name, row.params, row.results, move |call, args| {
            let bits = |index| bits(args, index);
            let single = |index| f32::from_bits(bits(index) as u32);
            Ok(match row.name {
                "host_tally" => vec![state.tally(bits(0) as i64).into()],
                "host_weigh" => {
                    let x = f64::from_bits(bits(0) as u64);
                    vec![state.weigh(x, single(1), bits(2) as i16).into()]
                }
                "host_pair" => {
                    let (wide, low) = state.pair(bits(0) as i128, bits(1) != 0, bits(2) as i8);
                    vec![Datum::Scalar(wide as u128), low.into()]
                }
                "host_mark" => {
                    state.mark(single(0), bits(1) as i32);
                    Vec::new()
                }
                "host_judge" => match state.judge(bits(0) as i32, bits(1) as i64) {
                    Verdict::Returns(value) => vec![value.into()],
                    Verdict::Fails(message) => return Err(HostError::failed(message)),
                    Verdict::Panics(message) => {
                        return Err(HostError::failed(format!("panicked: {message}")));
                    }
                },
                _ => {
                    let function = bits(0) as u64;
                    // A call back that does not return reads as zero here, too.
                    let run = |n: i64| {
                        let results = call.call(function, &[n.into()]);
                        results.map_or(0, |results| {
                            results.first().map_or(0, |result| result.bits() as i64)
                        })
                    };
                    vec![state.again(bits(1) as i64, run).into()]
                }
            })
        });
    }
    models
}
