//! The engine: modules in, handles to native functions out.

mod arguments;
mod call;
mod clock;
mod config;
mod data;
mod define;
mod elsewhere;
mod events;
mod foreign;
mod freeing;
mod function;
mod gather;
mod generators;
mod host;
mod inspected;
mod ledger;
mod library;
mod load;
mod making;
mod namespace;
mod native;
mod pool;
mod precompile;
mod quick;
mod repro;
mod resolve;
mod shared;
mod spans;
mod stats;
mod tiering;
mod tools;
mod trace;
mod tracker;

use std::error::Error;
use std::sync::{Arc, Weak};

use brolga_ir::datum::Datum;
use brolga_ir::module::Module;
use brolga_ir::report::Trap;
use brolga_ir::verify::{Verified, require_safe};

pub use arguments::{Argument, Arguments, Results};
pub use call::CallOptions;
pub use config::{Config, Forking, Speculation};
pub use data::Plain;
pub use define::Retry;
pub use function::{DynamicFunction, Function};
pub use host::{HostFunction, HostResult};
pub use ledger::FunctionRecord;
pub use library::Library;
pub use native::Native;
pub use precompile::Precompiled;
use shared::Full;
pub(crate) use shared::Shared;
pub use stats::{LeftOut, Stats};
pub use tracker::Tracker;

use crate::error::{
    CallError, DataError, EngineError, FunctionError, LibraryError, LoadError, ResolveError,
};
use crate::link::{Trust, Verification};
use crate::memory::Books;
use crate::runtime::{Attention, Resolver, ThreadEntry};

/// Compiles modules and runs them in this process. Clones are handles to the
/// same engine; it is freed with the last handle to it or to one of its
/// functions. Engines know nothing of each other.
#[derive(Clone, Debug)]
pub struct Engine {
    shared: Arc<Shared>,
}

/// A handle that does not keep its engine alive: what a function of the host
/// holds to call back without keeping the engine alive for ever.
#[derive(Clone, Debug)]
pub struct WeakEngine {
    shared: Weak<Shared>,
}

impl WeakEngine {
    /// The engine, if it is still there.
    pub fn upgrade(&self) -> Option<Engine> {
        self.shared.upgrade().map(|shared| Engine { shared })
    }
}

impl Engine {
    /// An engine that compiles for this machine.
    ///
    /// # Errors
    /// If there is no memory for code, or the configuration's target is not
    /// this machine's.
    pub fn new(config: Config) -> Result<Engine, EngineError> {
        let shared = Arc::new(Shared::new(config)?);
        let resolver: Weak<dyn Resolver> = Arc::downgrade(&shared) as Weak<dyn Resolver>;
        // Nobody else has the engine yet.
        let _ = shared.environment.resolver.set(resolver);
        shared.pool.belong_to(&shared);
        Ok(Engine { shared })
    }

    /// A name in the library `main`.
    fn full<'a>(&self, name: &'a str) -> Full<'a> {
        (self.shared.main.library, name)
    }

    /// A handle that does not keep the engine alive.
    pub fn downgrade(&self) -> WeakEngine {
        WeakEngine { shared: Arc::downgrade(&self.shared) }
    }

    /// Loads a module in the safe dialect from its text.
    ///
    /// # Errors
    /// Whatever is wrong with it, and [`LoadError::NoStackGuard`] if
    /// [`Config::stack_guard`] leaves the guards out; nothing of it stays in the
    /// engine then.
    pub fn load(&self, text: &str) -> Result<(), LoadError> {
        self.load_module(&brolga_ir::text::parse_module(text).map_err(LoadError::Text)?)
    }

    /// Loads a module in the safe dialect.
    ///
    /// # Errors
    /// As [`load`](Self::load).
    pub fn load_module(&self, module: &Module) -> Result<(), LoadError> {
        self.load_modules(std::slice::from_ref(module))
    }

    /// Loads modules in the safe dialect that refer to each other's data.
    /// (Functions may refer to each other in any order of loading.)
    ///
    /// # Errors
    /// As [`load`](Self::load); nothing of any of them stays in the engine then.
    pub fn load_modules(&self, modules: &[Module]) -> Result<(), LoadError> {
        let modules: Vec<&Module> = modules.iter().collect();
        load::check_safe(&self.shared, modules.iter().map(|module| require_safe(module)))?;
        load::load(&self.shared, &modules, Verification::Pending)
    }

    /// Loads modules in the safe dialect that are known to keep the rules: they are not verified
    /// again, which takes about as long as making the code of the first tier.
    ///
    /// # Errors
    /// As [`load_modules`](Self::load_modules).
    pub fn load_verified(&self, modules: &[Verified]) -> Result<(), LoadError> {
        let checks = modules.iter().map(Verified::require_safe);
        load::check_safe(&self.shared, checks)?;
        let modules: Vec<&Module> = modules.iter().map(Verified::module).collect();
        load::load(&self.shared, &modules, Verification::Done)
    }

    /// Loads a module that may use addresses, foreign functions and promises.
    ///
    /// # Errors
    /// As [`load`](Self::load).
    ///
    /// # Safety
    /// Whatever the module's functions are called with: every address that it
    /// accesses is good, every foreign function has the declared signature and
    /// may be called as the module calls it, and every promise holds. Where
    /// [`Config::stack_guard`] leaves the guards out, no call goes beyond the end of
    /// its thread's stack.
    pub unsafe fn load_unsafe(&self, text: &str) -> Result<(), LoadError> {
        let module = brolga_ir::text::parse_module(text).map_err(LoadError::Text)?;
        load::load(&self.shared, &[&module], Verification::Pending)
    }

    /// Loads modules that may use addresses, foreign functions and promises.
    ///
    /// # Errors
    /// As [`load_modules`](Self::load_modules).
    ///
    /// # Safety
    /// As [`load_unsafe`](Self::load_unsafe), for each of them.
    pub unsafe fn load_modules_unsafe(&self, modules: &[Module]) -> Result<(), LoadError> {
        let modules: Vec<&Module> = modules.iter().collect();
        load::load(&self.shared, &modules, Verification::Pending)
    }

    /// The same of modules that somebody has verified already.
    ///
    /// # Errors
    /// As [`load_modules`](Self::load_modules).
    ///
    /// # Safety
    /// As [`load_unsafe`](Self::load_unsafe), for each of them.
    pub unsafe fn load_verified_unsafe(&self, modules: &[Verified]) -> Result<(), LoadError> {
        let modules: Vec<&Module> = modules.iter().map(Verified::module).collect();
        load::load(&self.shared, &modules, Verification::Done)
    }

    /// Defines the functions of a module in the safe dialect, from its text; each is compiled at
    /// its first call. What a function of that name was before is gone when this comes back: a
    /// call that is made from then on reaches the new definition or a newer one, whether it comes
    /// from a handle, from other functions, or from one that has the old body in it. Whoever is
    /// inside of the old code goes on there until it returns.
    ///
    /// A function may change its signature; calls by the old one are stopped then, with
    /// [`TrapCode::MissingFunction`](brolga_ir::trap::TrapCode::MissingFunction).
    ///
    /// # Errors
    /// If the text is no module or what it declares is wrong, a name is that of something which
    /// was loaded, or there is no room for its data; nothing of it stays in the engine then. What
    /// is wrong with the body of a function is told whoever calls it, with
    /// [`TrapCode::RefusedFunction`](brolga_ir::trap::TrapCode::RefusedFunction), or asks for it
    /// by [`compile`](Self::compile).
    pub fn define(&self, text: &str) -> Result<(), LoadError> {
        self.define_module(brolga_ir::text::parse_module(text).map_err(LoadError::Text)?)
    }

    /// Defines the functions of a module in the safe dialect.
    ///
    /// # Errors
    /// As [`define`](Self::define).
    pub fn define_module(&self, module: Module) -> Result<(), LoadError> {
        define::define(&self.shared, module, self.shared.main, Trust::SAFE)
    }

    /// The same of a module that somebody has verified already: the first calls take that much
    /// less.
    ///
    /// # Errors
    /// As [`define`](Self::define).
    pub fn define_verified(&self, module: Verified) -> Result<(), LoadError> {
        let module = module.into_module();
        define::define(&self.shared, module, self.shared.main, Trust::SAFE.verified())
    }

    /// Defines the functions of a module that may use addresses, foreign functions and promises.
    ///
    /// # Errors
    /// As [`define`](Self::define).
    ///
    /// # Safety
    /// As [`load_unsafe`](Self::load_unsafe), whenever the functions are called. Data of the
    /// module goes with the last of its functions, when that is defined anew or removed and
    /// nobody is inside any more.
    pub unsafe fn define_unsafe(&self, text: &str) -> Result<(), LoadError> {
        let module = brolga_ir::text::parse_module(text).map_err(LoadError::Text)?;
        define::define(&self.shared, module, self.shared.main, Trust::RAW)
    }

    /// Defines the functions of a module that may use addresses, foreign functions and promises.
    ///
    /// # Errors
    /// As [`define`](Self::define).
    ///
    /// # Safety
    /// As [`define_unsafe`](Self::define_unsafe).
    pub unsafe fn define_module_unsafe(&self, module: Module) -> Result<(), LoadError> {
        define::define(&self.shared, module, self.shared.main, Trust::RAW)
    }

    /// The same of a module that somebody has verified already.
    ///
    /// # Errors
    /// As [`define`](Self::define).
    ///
    /// # Safety
    /// As [`define_unsafe`](Self::define_unsafe).
    pub unsafe fn define_verified_unsafe(&self, module: Verified) -> Result<(), LoadError> {
        let module = module.into_module();
        define::define(&self.shared, module, self.shared.main, Trust::RAW.verified())
    }

    /// Has the function `name` compiled, unless it is already: its first call finds it ready.
    ///
    /// # Errors
    /// If it is not defined, or cannot be compiled.
    pub fn compile(&self, name: &str) -> Result<(), ResolveError> {
        define::compile(&self.shared, self.full(name))
    }

    /// Removes a function that was defined by [`define`](Self::define): calls of it are stopped
    /// with [`TrapCode::MissingFunction`](brolga_ir::trap::TrapCode::MissingFunction) from now
    /// on, until it is defined again.
    ///
    /// # Errors
    /// If it is not defined, or was loaded.
    pub fn remove(&self, name: &str) -> Result<(), FunctionError> {
        define::remove(&self.shared, self.full(name))
    }

    /// What has become of the functions that were [defined](Self::define) and have code, in the
    /// order of their names.
    pub fn ledger(&self) -> Vec<FunctionRecord> {
        ledger::ledger(&self.shared)
    }

    /// How well each of these functions is compiled by now, as text, a line each in the order of
    /// their names: [`Tiering::replay`](crate::Tiering::replay) has an engine compile them so
    /// from the first. Functions of one name, which several modules have of their own, are
    /// decided upon together.
    pub fn decisions(&self) -> String {
        ledger::decisions(&self.shared)
    }

    /// Frees the code of definitions that are gone, as far as no thread can be inside. The engine
    /// does so by itself from time to time.
    pub fn collect(&self) {
        self.shared.free_all();
    }

    /// Has a function that could not be compiled be compiled again at its next call, as what
    /// stood in its way may be gone. Says whether there was such a one: what was compiled, or not
    /// tried yet, stays as it is.
    ///
    /// # Errors
    /// If it is not defined.
    pub fn retry(&self, name: &str) -> Result<Retry, FunctionError> {
        define::retry(&self.shared, self.full(name))
    }

    /// Has functions made when they are called or asked for, and nobody has defined them: those
    /// whose names `allow` has, names or beginnings of names with a `*` behind. `make` gets the
    /// name, and gives a module in the safe dialect that defines such a function, or nothing, if
    /// it knows none: then the next one is asked that was added. The module is
    /// [defined](Self::define), and the call goes on. What `make` fails or panics with stops who
    /// has called, with [`TrapCode::RefusedFunction`](brolga_ir::trap::TrapCode::RefusedFunction);
    /// the next call asks again.
    ///
    /// It runs with nothing locked, and may use the engine, which it should not keep
    /// ([`downgrade`](Self::downgrade)). Several threads may ask for one function at once; of what
    /// they make, the first is taken.
    ///
    /// It runs on the thread that asks, or, where too little of that one's stack is left to compile
    /// on, on another that the first waits for: what is thread-local is that one's then, and the
    /// [limits](CallOptions) of the call that has asked do not bound what it calls.
    pub fn add_generator<F>(&self, allow: &[&str], make: F)
    where
        F: Fn(&str) -> Result<Option<Module>, Box<dyn Error + Send + Sync>> + Send + Sync + 'static,
    {
        self.shared.generators.add(allow, self.shared.main, Trust::SAFE, Box::new(make));
    }

    /// The same with modules that may use addresses, foreign functions and promises.
    ///
    /// # Safety
    /// As [`define_unsafe`](Self::define_unsafe), for each module that it makes.
    pub unsafe fn add_generator_unsafe<F>(&self, allow: &[&str], make: F)
    where
        F: Fn(&str) -> Result<Option<Module>, Box<dyn Error + Send + Sync>> + Send + Sync + 'static,
    {
        self.shared.generators.add(allow, self.shared.main, Trust::RAW, Box::new(make));
    }

    /// Gives a symbol an address: modules may name it as foreign from now on, a function or data,
    /// before what libraries and the process have of that name.
    ///
    /// # Errors
    /// If it has been given one.
    ///
    /// # Safety
    /// What is there is what the modules say that name it, and stays as long as the engine.
    pub unsafe fn define_symbol(
        &self,
        name: &str,
        address: *const std::ffi::c_void,
    ) -> Result<(), LoadError> {
        foreign::define_symbol(&self.shared, name, address.expose_provenance())
    }

    /// Links a library of the system: modules may name every symbol of it, and of
    /// the libraries that it needs, as foreign. It is a file or path, or the name
    /// of one without what the platform puts behind it: `libz.so.1`, `./libmine.so`,
    /// `libc`, `libm`. Libraries are looked through in the order of their linking,
    /// then the process for what [`Config::allow_symbols`] names.
    ///
    /// # Errors
    /// If the system does not find or load it.
    ///
    /// # Safety
    /// What the library runs when it is loaded is sound. It stays loaded as long
    /// as the engine, whose modules keep no address of it beyond that.
    pub unsafe fn link_library(&self, name: &str) -> Result<(), LibraryError> {
        // SAFETY: by the caller's promise.
        unsafe { foreign::link_library(&self.shared, name) }
    }

    /// Defines a function of the host: modules that import `name` call it.
    /// It is called on the thread of the call. What it returns as an error, and
    /// what it panics with, stops the compiled code that called it and comes
    /// back as [`CallError::Host`].
    ///
    /// # Errors
    /// If the name is taken or begins with `brolga.`, or modules import it with
    /// another signature.
    pub fn define_host<F, M>(&self, name: &str, function: F) -> Result<(), LoadError>
    where
        F: HostFunction<M>,
    {
        host::define(&self.shared, name, function)
    }

    /// A handle to the function `name`, whose parameters are of the types `A`
    /// and whose results are of the types `R`.
    ///
    /// # Errors
    /// If there is no such function, or it has another signature.
    pub fn func<A: Arguments, R: Results>(
        &self,
        name: &str,
    ) -> Result<Function<A, R>, FunctionError> {
        Function::new(&self.shared, self.full(name))
    }

    /// A handle to the function `name`, whatever its signature.
    ///
    /// # Errors
    /// If there is no such function.
    pub fn function(&self, name: &str) -> Result<DynamicFunction, FunctionError> {
        DynamicFunction::new(&self.shared, self.full(name))
    }

    /// Calls the function `name` with values of its parameters' types.
    ///
    /// # Errors
    /// If there is no such function, if the arguments are not its, and
    /// whatever stops it.
    pub fn call(&self, name: &str, arguments: &[Datum]) -> Result<Vec<Datum>, CallError> {
        let function = self.function(name).map_err(|error| CallError::Arguments {
            name: name.into(),
            signature: String::new(),
            reason: error.to_string(),
        })?;
        function.call(arguments)
    }

    /// The bytes of the data object `name`, from `offset` on, as numbers; of a
    /// thread-local one, those of this thread.
    ///
    /// # Errors
    /// If there is no such object, or not so many bytes.
    pub fn read_data<T: Plain>(
        &self,
        name: &str,
        offset: u64,
        into: &mut [T],
    ) -> Result<(), DataError> {
        data::read(&self.shared, self.full(name), offset, into)
    }

    /// Puts numbers into the data object `name`, from `offset` on.
    ///
    /// # Errors
    /// If there is no such object, not so many bytes, or it is a constant.
    pub fn write_data<T: Plain>(
        &self,
        name: &str,
        offset: u64,
        from: &[T],
    ) -> Result<(), DataError> {
        data::write(&self.shared, self.full(name), offset, from)
    }

    /// Stops the calls that are running on other threads, each at its next
    /// poll, with [`TrapCode::Interrupted`](brolga_ir::trap::TrapCode::Interrupted).
    /// Threads that are not inside are not concerned, and code without polls
    /// goes on: [`Config::polls`] says where there are some.
    pub fn interrupt(&self) {
        self.shared.environment.registry.request(Attention::Interrupt);
    }

    /// The trap that waits on this thread for a C function to return: code that it called
    /// back was stopped. Whoever asks is called by that function, too, as what is given to
    /// `atexit` is where compiled code has called `exit`, which never returns.
    pub fn pending_trap(&self) -> Option<Trap> {
        let entry = ThreadEntry::of(&self.shared.environment)?;
        // SAFETY: the record is this thread's, and no other reference to it is live while
        // functions of the host run.
        let record = unsafe { entry.record().as_ref() };
        let stop = record.stop.as_ref().filter(|_| record.pending != 0)?;
        Some(stop.trap.clone())
    }

    /// What the engine has compiled, and how.
    pub fn stats(&self) -> Stats {
        self.shared.tally.stats()
    }

    /// Where the bytes of the engine's memory are.
    pub fn books(&self) -> Books {
        self.shared.books()
    }
}
