//! Functions of the host.

use std::error::Error;
use std::sync::Arc;

use brolga_ir::module::{Linkage, Module};
use brolga_ir::types::{Signature, Type, TypePool};
use brolga_lowering::runtime::VALUE_STRIDE;

use super::arguments::Results;
use super::load;
use super::native::Native;
use super::shared::Shared;
use crate::error::{HostError, LoadError};
use crate::link::{HostDefinition, signature_text};
use crate::runtime::HostClosure;

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
pub trait HostFunction<M>: Send + Sync + 'static {
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
                #[allow(unused_mut, unused_variables, reason = "there may be no argument")]
                let mut place = buffer.cast_const();
                $(
                    // SAFETY: by the caller's promise.
                    let $name = unsafe { $name::read(place) };
                    place = place.wrapping_add(VALUE_STRIDE as usize);
                )*
                let _ = place;
                let results = self($($name),*).into_result()?;
                // SAFETY: by the caller's promise.
                unsafe { results.give(buffer) };
                Ok(())
            }
        }
    };
}

host_functions!();
host_functions!(A);
host_functions!(A B);
host_functions!(A B C);
host_functions!(A B C D);
host_functions!(A B C D E);
host_functions!(A B C D E G);
host_functions!(A B C D E G H);
host_functions!(A B C D E G H I);

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
    if !enter(shared, name, definition)? {
        return Ok(());
    }
    let linked = import(name, signature).and_then(|module| load::load(shared, &[module]));
    if linked.is_err() {
        let removed = shared.symbols().hosts.remove(name);
        // What the closure holds is dropped after the names are unlocked.
        drop(removed);
    }
    linked
}

/// Enters the name; whether modules import it already.
fn enter(shared: &Shared, name: &str, definition: HostDefinition) -> Result<bool, LoadError> {
    let mut symbols = shared.symbols();
    let known = symbols.global_functions.get(name).map(|&number| number as usize);
    let known = known.and_then(|number| symbols.functions.get(number)).map(Arc::clone);
    let defined = known.as_ref().is_some_and(|function| function.is_defined());
    if defined || symbols.global_data.contains_key(name) || symbols.hosts.contains_key(name) {
        return Err(LoadError::Duplicate { name: name.into() });
    }
    if let Some(function) = &known {
        let declared = signature_text(&TypePool::default(), &definition.signature);
        let known = function.signature_text();
        if declared != known {
            return Err(LoadError::SignatureMismatch { name: name.into(), declared, known });
        }
    }
    symbols.hosts.insert(name.into(), definition);
    Ok(known.is_some())
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
