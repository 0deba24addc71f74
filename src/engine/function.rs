//! Handles to functions.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use brolga_ir::datum::Datum;
use brolga_ir::types::{Scalar, Signature, Type, TypeKind, TypePool};
use brolga_lifecycle::instance::Callee;
use brolga_lowering::buffer::BufferLayout;
use smallvec::smallvec;

use super::arguments::{Arguments, Results};
use super::call::{Buffer, CallOptions, Way, enter, entry_thunk};
use super::define::with_code;
use super::generators::Generated;
use super::shared::{Full, Shared};
use crate::error::{CallError, FunctionError, LoadError, ResolveError};
use crate::link::{FunctionSymbol, LinkFailure, References, signature_text};
use crate::runtime::{Held, Placed};

/// A function that somebody has asked for.
struct Found {
    symbol: Arc<FunctionSymbol>,
    references: References,
}

/// A function with its way in.
#[derive(Clone)]
struct Handle {
    thunk: Arc<Placed>,
    symbol: Arc<FunctionSymbol>,
    /// The function keeps its number, and so its stub, as long as the handle.
    #[expect(dead_code, reason = "owned for its drop alone")]
    references: Arc<References>,
    /// The code that it calls, whatever the function's is by then.
    pinned: Option<Arc<Held>>,
    shared: Arc<Shared>,
}

impl Handle {
    fn find(shared: &Shared, full: Full<'_>) -> Result<Found, FunctionError> {
        shared.settle_many();
        let found = shared.with_freed(|| Handle::find_defined(shared, full));
        shared.tell_freed();
        if !matches!(found, Err(FunctionError::Missing { .. })) {
            return found;
        }
        match shared.generate(full) {
            Ok(Generated::Defined) => Handle::find_defined(shared, full),
            Ok(Generated::Unknown) => found,
            Err(reason) => Err(FunctionError::NotMade { name: full.1.into(), reason }),
        }
    }

    fn find_defined(shared: &Shared, (library, name): Full<'_>) -> Result<Found, FunctionError> {
        let mut symbols = shared.symbols();
        let Some(number) = symbols.defined_function(library, name) else {
            return Err(match symbols.names.data(library, name).is_some() {
                true => FunctionError::NotFunction { name: name.into() },
                false => FunctionError::Missing { name: name.into() },
            });
        };
        let symbol = shared.stage(&mut symbols).symbol_of_definition(number, name)?;
        let library = symbols.library_of(library, name);
        if symbol.library == library && &*symbol.name == name {
            let references = symbols.refer(number);
            return Ok(Found { symbol, references });
        }
        // The name of this library, which may lead to another one later.
        let found = shared.stage(&mut symbols).refer_by((library, name), &symbol);
        found.map(|(symbol, references)| Found { symbol, references }).map_err(|failure| {
            match failure {
                LinkFailure::Refused(LoadError::Memory(error)) => error.into(),
                LinkFailure::Refused(_) | LinkFailure::Stale => {
                    FunctionError::Missing { name: name.into() }
                }
            }
        })
    }

    fn new(shared: &Arc<Shared>, found: Found) -> Result<Handle, FunctionError> {
        let Found { symbol, references } = found;
        let thunk = shared.with_freed(|| entry_thunk(shared, &symbol));
        shared.tell_freed();
        let thunk = thunk?;
        symbol.register();
        let (references, shared) = (Arc::new(references), Arc::clone(shared));
        Ok(Handle { thunk, symbol, references, pinned: None, shared })
    }

    /// The way of a typed call: by the slot alone, unless one version is wanted.
    fn way(&self) -> Way {
        let pinned = self.pinned.as_ref().map(|held| held.address());
        let target = pinned.unwrap_or_else(|| self.symbol.internal_entry());
        Way { thunk: self.thunk.address(), target }
    }

    /// The way of a generic call: by the three words of the code instance. Before these say that
    /// there is code, a call has it made.
    fn generic_way(&self) -> Way {
        match self.symbol.callee() {
            Callee::Compiled { invoke, pointer, .. } if self.pinned.is_none() => {
                Way { thunk: invoke.get(), target: pointer.get() }
            }
            _ => self.way(),
        }
    }

    /// The same function in the code that it has now.
    fn pin(&self) -> Result<Handle, ResolveError> {
        let Handle { shared, symbol, .. } = self;
        let full = (symbol.library, &*symbol.name);
        let held = with_code(shared, full, |number, code| {
            let (actual, expected) =
                (shared.symbols().signature_text(number), symbol.signature_text());
            match actual == expected {
                true => Ok(Held::new(code)),
                false => Err(ResolveError::Changed { name: full.1.into(), actual, expected }),
            }
        })?;
        Ok(Handle { pinned: Some(Arc::new(held)), ..self.clone() })
    }
}

/// A handle to a function of a known signature. Cheap to clone, may be used
/// from any thread; it keeps its engine alive, and names the function, whatever
/// code that stands for.
pub struct Function<A, R> {
    handle: Handle,
    strides: usize,
    signature: PhantomData<fn(A) -> R>,
}

impl<A, R> Clone for Function<A, R> {
    fn clone(&self) -> Self {
        Function { handle: self.handle.clone(), strides: self.strides, signature: PhantomData }
    }
}

impl<A, R> fmt::Debug for Function<A, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Function({:?})", self.handle.symbol)
    }
}

impl<A: Arguments, R: Results> Function<A, R> {
    pub(super) fn new(shared: &Arc<Shared>, full: Full<'_>) -> Result<Self, FunctionError> {
        let (found, name) = (Handle::find(shared, full)?, full.1);
        let expected = Signature::internal(&A::types(), &R::types());
        let expected_text = signature_text(&TypePool::default(), &expected);
        let actual = found.symbol.signature_text();
        if actual != expected_text {
            return Err(FunctionError::Signature {
                name: name.into(),
                actual,
                expected: expected_text,
            });
        }
        let strides = expected.params.len().max(expected.results.len());
        let handle = Handle::new(shared, found)?;
        Ok(Function { handle, strides, signature: PhantomData })
    }

    /// Calls the function.
    ///
    /// # Errors
    /// Whatever stopped it.
    pub fn call(&self, arguments: A::Values<'_>) -> Result<R, CallError> {
        self.call_with(&CallOptions::default(), arguments)
    }

    /// Calls the function, with limits.
    ///
    /// # Errors
    /// Whatever stopped it.
    pub fn call_with(
        &self,
        options: &CallOptions,
        arguments: A::Values<'_>,
    ) -> Result<R, CallError> {
        let mut buffer: Buffer = smallvec![0; self.strides];
        let place = buffer.as_mut_ptr().cast::<u8>();
        // SAFETY: the types were compared with the signature, all of them are
        // scalars of one stride, and the buffer has a stride for each.
        unsafe {
            A::put(arguments, place);
            enter(&self.handle.shared, || self.handle.way(), place, options)?;
            Ok(R::take(place))
        }
    }

    /// A handle to the function in the code that it has now, which is compiled if there is none:
    /// whatever the name means later, the handle calls this version, and keeps it, with the
    /// bodies that it has taken over of others. What it calls is found by name, as ever: itself,
    /// too.
    ///
    /// # Errors
    /// If the function is not defined any more, has another signature by now, or cannot be
    /// compiled.
    pub fn pin(&self) -> Result<Self, ResolveError> {
        Ok(Function { handle: self.handle.pin()?, ..self.clone() })
    }
}

/// A handle to a function of any signature, as [`Function`] otherwise.
#[derive(Clone)]
pub struct DynamicFunction {
    handle: Handle,
    params: BufferLayout,
    results: BufferLayout,
}

impl fmt::Debug for DynamicFunction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DynamicFunction({:?})", self.handle.symbol)
    }
}

impl DynamicFunction {
    pub(super) fn new(shared: &Arc<Shared>, full: Full<'_>) -> Result<Self, FunctionError> {
        let found = Handle::find(shared, full)?;
        let (types, signature) = (&found.symbol.types, &found.symbol.signature);
        let params = BufferLayout::of(types, signature.param_types()).unwrap_or_default();
        let results = BufferLayout::of(types, signature.result_types()).unwrap_or_default();
        Ok(DynamicFunction { handle: Handle::new(shared, found)?, params, results })
    }

    /// The types that the signature names.
    pub fn types(&self) -> &TypePool {
        &self.handle.symbol.types
    }

    /// What the function takes and gives.
    pub fn signature(&self) -> &Signature {
        &self.handle.symbol.signature
    }

    /// Calls the function with values of its parameters' types.
    ///
    /// # Errors
    /// If the arguments are not those of the signature, and whatever stopped it.
    pub fn call(&self, arguments: &[Datum]) -> Result<Vec<Datum>, CallError> {
        self.call_with(&CallOptions::default(), arguments)
    }

    /// Calls the function, with limits.
    ///
    /// # Errors
    /// As [`call`](Self::call).
    pub fn call_with(
        &self,
        options: &CallOptions,
        arguments: &[Datum],
    ) -> Result<Vec<Datum>, CallError> {
        let (types, signature) = (self.types(), self.signature());
        self.check(arguments)?;
        let size = self.params.size.max(self.results.size) as usize;
        let mut buffer: Buffer = smallvec![0; size / size_of::<u128>()];
        let place = buffer.as_mut_ptr().cast::<u8>();
        // SAFETY: the buffer has `size` bytes, which are borrowed here alone.
        let bytes = unsafe { std::slice::from_raw_parts_mut(place, size) };
        for ((ty, datum), &offset) in
            signature.param_types().zip(arguments).zip(&self.params.offsets)
        {
            datum.write_bytes(types, ty, &mut bytes[offset as usize..]);
        }
        let Handle { shared, symbol, thunk, .. } = &self.handle;
        // SAFETY: the thunk is the signature's, as is what an instance is called by, and the
        // buffer is as large as its layouts say.
        let called = unsafe { enter(shared, || self.handle.generic_way(), place, options) };
        if symbol.callee() == Callee::Pending {
            symbol.publish(thunk.address());
        }
        called?;
        // SAFETY: as above; the call is over.
        let bytes = unsafe { std::slice::from_raw_parts(place, size) };
        let results = signature.result_types().zip(&self.results.offsets);
        Ok(results
            .map(|(ty, &offset)| Datum::from_bytes(types, ty, &bytes[offset as usize..]))
            .collect())
    }

    /// As [`Function::pin`].
    ///
    /// # Errors
    /// As there.
    pub fn pin(&self) -> Result<Self, ResolveError> {
        Ok(DynamicFunction { handle: self.handle.pin()?, ..self.clone() })
    }

    fn check(&self, arguments: &[Datum]) -> Result<(), CallError> {
        let (types, signature) = (self.types(), self.signature());
        let fault = |reason: String| CallError::Arguments {
            name: (*self.handle.symbol.name).into(),
            signature: self.handle.symbol.signature_text(),
            reason,
        };
        if arguments.len() != signature.params.len() {
            let (given, wanted) = (arguments.len(), signature.params.len());
            return Err(fault(format!("{given} arguments were given, it takes {wanted}")));
        }
        for (index, (ty, datum)) in signature.param_types().zip(arguments).enumerate() {
            if !fits(types, ty, datum) {
                let ty = types.display(ty);
                return Err(fault(format!("argument {} is no {ty}", index + 1)));
            }
            if makes_up_reference(types, ty, datum) {
                let reason = format!("argument {} has a reference made up of bits", index + 1);
                return Err(fault(reason));
            }
        }
        Ok(())
    }
}

/// Whether a value of the type's shape has anything but null where only what
/// the engine gave out may stand.
fn makes_up_reference(types: &TypePool, ty: Type, datum: &Datum) -> bool {
    let reference = ty.signature().is_some() || ty.lane().is_some_and(|scalar| scalar.is_managed());
    match datum {
        Datum::Scalar(bits) => reference && *bits != 0,
        Datum::Lanes(lanes) => reference && lanes.iter().any(|&bits| bits != 0),
        Datum::Fields(fields) => (0..).zip(fields).any(|(index, field)| {
            types.field(ty, index).is_some_and(|ty| makes_up_reference(types, ty, field))
        }),
    }
}

/// Whether a value has the shape of its type.
fn fits(types: &TypePool, ty: Type, datum: &Datum) -> bool {
    match (ty.kind(), datum) {
        (TypeKind::Scalar(scalar), Datum::Scalar(bits)) => fits_bits(scalar, *bits),
        (TypeKind::Function(_), Datum::Scalar(bits)) => bits >> 64 == 0,
        (TypeKind::Vector(scalar, lanes), Datum::Lanes(bits)) => {
            bits.len() == usize::from(lanes) && bits.iter().all(|&bits| fits_bits(scalar, bits))
        }
        (TypeKind::Aggregate(_), Datum::Fields(fields)) => {
            types.field_count(ty) == fields.len() as u64
                && (0..).zip(fields).all(|(index, field)| {
                    types.field(ty, index).is_some_and(|ty| fits(types, ty, field))
                })
        }
        _ => false,
    }
}

fn fits_bits(scalar: Scalar, bits: u128) -> bool {
    scalar.bits() >= 128 || bits >> scalar.bits() == 0
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;
    use std::thread;

    use brolga_lifecycle::instance::Convention;

    use super::*;
    use crate::engine::{Config, Engine, Stats};

    const ADD: &str =
        "export func @f(i64) -> i64 {\nb(%x: i64):\n    %y = add.i64 %x, 1\n    return %y\n}\n";

    #[test]
    fn a_generic_call_finds_the_wait_marker_and_then_the_three_words() {
        let engine = Engine::new(Config::default()).unwrap();
        engine.define(ADD).unwrap();
        let function = engine.function("f").unwrap();
        let symbol = Arc::clone(&function.handle.symbol);
        let callee = || symbol.callee();
        assert_eq!(callee(), Callee::Pending);
        engine.define(&ADD.replace("add.i64 %x, 1", "sdiv.i64 %x, 0")).unwrap();
        assert_eq!(callee(), Callee::Pending, "nothing is compiled");
        assert!(function.call(&[Datum::Scalar(1)]).is_err());
        let published = callee();
        let Callee::Compiled { invoke, pointer, convention } = published else {
            panic!("{published:?}");
        };
        assert_eq!(invoke.get(), function.handle.thunk.address());
        assert_eq!(pointer.get(), symbol.internal_entry());
        assert_eq!(convention, Convention::Specialised);
        // An upgrade is a store to the slot, and no matter of the words.
        engine.define(&ADD.replace("%x, 1", "%x, 5")).unwrap();
        assert_eq!(function.call(&[Datum::Scalar(1)]).unwrap(), [Datum::Scalar(6)]);
        engine.remove("f").unwrap();
        assert!(function.call(&[Datum::Scalar(1)]).is_err());
        assert_eq!(callee(), published);
    }

    #[test]
    fn nothing_is_published_of_what_cannot_be_compiled() {
        let engine = Engine::new(Config::default()).unwrap();
        engine.define("export func @g() -> i64 {\nb:\n    %x = add.i64 1, 2\n}\n").unwrap();
        let function = engine.function("g").unwrap();
        assert!(function.call(&[]).is_err());
        assert_eq!(function.handle.symbol.callee(), Callee::Pending);
    }

    #[test]
    fn threads_that_make_the_first_generic_call_at_once_are_all_answered() {
        for _ in 0..20 {
            let engine = Engine::new(Config::default()).unwrap();
            engine.define(ADD).unwrap();
            let (function, barrier) = (engine.function("f").unwrap(), Barrier::new(8));
            thread::scope(|scope| {
                for n in 0..8_u128 {
                    let (function, barrier) = (&function, &barrier);
                    scope.spawn(move || {
                        barrier.wait();
                        let answer = function.call(&[Datum::Scalar(n)]).unwrap();
                        assert_eq!(answer, [Datum::Scalar(n + 1)]);
                    });
                }
            });
            let Stats { copied, lowered, .. } = engine.stats();
            assert_eq!(copied + lowered, 1);
        }
    }
}
