//! Functions of the host.

use std::error::Error;
use std::sync::Arc;

use brolga_ir::module::{Linkage, Module};
use brolga_ir::types::{Signature, Type, TypePool};
use brolga_lowering::error::CompileError;

use super::arguments::Results;
use super::load;
use super::native::{Native, SealedFunction, for_each_arity};
use super::shared::Shared;
use crate::error::{HostError, LoadError};
use crate::link::{HostDefinition, Symbols, Verification, check_function_name, signature_text};
use crate::runtime::{HostClosure, panic_message};

/// What a function of the host may return: results, or a `Result` of them.
pub trait HostResult {
    /// The results when it succeeds.
    type Results: Results;

    /// The results, or why there are none.
    ///
    /// # Errors
    /// What the function returned as an error.
    #[doc(hidden)]
    fn into_result(self) -> Result<Self::Results, HostError>;
}

macro_rules! plain_results {
    ($($result:ty),* $(,)?) => {$(
        impl HostResult for $result {
            type Results = $result;

            fn into_result(self) -> Result<$result, HostError> {
                Ok(self)
            }
        }
    )*};
}

plain_results!((), bool, i8, u8, i16, u16, i32, u32, i64, u64, i128, u128, f32, f64);

impl<R: Results, E: Into<Box<dyn Error + Send + Sync>>> HostResult for Result<R, E> {
    type Results = R;

    fn into_result(self) -> Result<R, HostError> {
        self.map_err(HostError::new)
    }
}

/// A closure that modules can call: up to eight scalars to anything that is a
/// [`HostResult`]. `M` tells closures of different signatures apart.
pub trait HostFunction<M>: SealedFunction<M> + Send + Sync + 'static {
    /// What it takes and gives.
    #[doc(hidden)]
    fn signature() -> Signature;

    /// Runs it on a buffer.
    ///
    /// # Errors
    /// What it returned as an error.
    ///
    /// # Safety
    /// `buffer` holds arguments of the signature's types, one for each stride,
    /// and has room for its results.
    #[doc(hidden)]
    unsafe fn run(&self, buffer: *mut u8) -> Result<(), HostError>;
}

macro_rules! host_functions {
    ($($name:ident)*) => {
        impl<F, R, $($name),*> SealedFunction<fn($($name),*) -> R> for F
        where
            F: Fn($($name),*) -> R + Send + Sync + 'static,
            R: HostResult,
            $($name: Native,)*
        {
        }

        #[allow(non_snake_case, reason = "type parameters name the arguments")]
        impl<F, R, $($name),*> HostFunction<fn($($name),*) -> R> for F
        where
            F: Fn($($name),*) -> R + Send + Sync + 'static,
            R: HostResult,
            $($name: Native,)*
        {
            fn signature() -> Signature {
                let params: &[Type] = &[$($name::TYPE),*];
                Signature::internal(params, &R::Results::types())
            }

            unsafe fn run(&self, buffer: *mut u8) -> Result<(), HostError> {
                // SAFETY: by the caller's promise; arguments stand as results do.
                let ($($name,)*) = unsafe { <($($name,)*) as Results>::take(buffer) };
                let results = self($($name),*).into_result()?;
                // SAFETY: by the caller's promise.
                unsafe { results.give(buffer) };
                Ok(())
            }
        }
    };
}

for_each_arity!(host_functions: [] A B C D E G H I);

/// A function of the host on its way into an engine.
#[derive(Debug)]
pub(super) struct NewHost {
    name: Box<str>,
    definition: HostDefinition,
}

/// Whether somebody waits for a function of the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Importers {
    None,
    Some,
}

impl NewHost {
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Whether the name is free for it, and whether modules import it already.
    fn check(&self, symbols: &Symbols) -> Result<Importers, LoadError> {
        let name = &*self.name;
        check_function_name(name)?;
        if symbols.names.is_anywhere(name) || symbols.hosts.contains_key(name) {
            return Err(LoadError::Duplicate { name: name.into() });
        }
        let main = symbols.names.main().library;
        let declared = signature_text(&TypePool::default(), &self.definition.signature);
        let Some(number) = symbols.unclaimed_of(main, name, Some(&declared)) else {
            let is_named = symbols.names.is_unclaimed_anywhere(name);
            return Ok(if is_named { Importers::Some } else { Importers::None });
        };
        let known = symbols.signature_text(number);
        if declared != known {
            return Err(LoadError::SignatureMismatch { name: name.into(), declared, known });
        }
        Ok(Importers::Some)
    }

    /// Enters the name if it is free.
    pub(super) fn enter(&self, symbols: &mut Symbols) -> Result<(), LoadError> {
        self.check(symbols)?;
        symbols.hosts.insert((*self.name).into(), self.definition.clone());
        Ok(())
    }

    /// Takes the name out again, before anybody else could see it.
    pub(super) fn withdraw(&self, symbols: &mut Symbols) {
        symbols.hosts.remove(&*self.name);
    }
}

/// Defines a function of the host, also for modules that import it already.
pub(super) fn define<F, M>(shared: &Shared, name: &str, function: F) -> Result<(), LoadError>
where
    F: HostFunction<M>,
{
    let signature = F::signature();
    // SAFETY: the thunk that runs it is made for its signature.
    let body = Box::new(move |buffer| unsafe { function.run(buffer) });
    let closure = Arc::new(HostClosure { name: name.into(), body });
    let definition = HostDefinition { closure, signature: signature.clone() };
    // It owns the closure until the names are unlocked, whatever becomes of it.
    let host = NewHost { name: name.into(), definition };
    let mut symbols = shared.symbols();
    if host.check(&symbols)? == Importers::None {
        return host.enter(&mut symbols);
    }
    drop(symbols);
    load::load_host(shared, &host, &import(name, signature)?)
}

/// Links a function of the host that nothing which came in has imported yet; tells whether there
/// is one by that name.
///
/// # Errors
/// If it cannot be linked.
pub(super) fn link_late(shared: &Shared, name: &str) -> Result<bool, LoadError> {
    let signature = shared.symbols().hosts.get(name).map(|host| host.signature.clone());
    let Some(signature) = signature else { return Ok(false) };
    let module = import(name, signature)?;
    let loaded = shared.with_room(None, || load::load(shared, &[&module], Verification::Done));
    loaded?.unwrap_or_else(|payload| {
        let (function, reason) = (name.into(), panic_message(payload).into());
        Err(CompileError::Panicked { function, reason }.into())
    })?;
    Ok(true)
}

/// A module that imports the function: linking it links the function.
fn import(name: &str, signature: Signature) -> Result<Module, LoadError> {
    let mut module = Module::new("host");
    let sig = module
        .types
        .signature(signature)
        .map_err(|_| LoadError::ReservedName { name: name.into() })?;
    module
        .declare_function(name, sig, Linkage::Import)
        .map_err(|_| LoadError::Duplicate { name: name.into() })?;
    Ok(module)
}
