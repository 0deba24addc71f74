//! LLVM in this process: its passes by the new pass manager, its code generator, and ORC's
//! linker, set up as clang sets them up.

use std::error::Error;
use std::ffi::{CStr, CString, c_char};
use std::fmt;
use std::ptr;

use brolga::ir::llvm::write_module;
use llvm_sys::core::{
    LLVMCloneModule, LLVMContextCreate, LLVMContextDispose,
    LLVMCreateMemoryBufferWithMemoryRangeCopy, LLVMDisposeMemoryBuffer, LLVMDisposeMessage,
    LLVMDisposeModule, LLVMGetBufferSize, LLVMGetBufferStart,
};
use llvm_sys::error::{LLVMDisposeErrorMessage, LLVMErrorRef, LLVMGetErrorMessage};
use llvm_sys::ir_reader::LLVMParseIRInContext2;
use llvm_sys::orc2::lljit::{
    LLVMOrcCreateLLJIT, LLVMOrcDisposeLLJIT, LLVMOrcLLJITAddObjectFile,
    LLVMOrcLLJITGetGlobalPrefix, LLVMOrcLLJITGetMainJITDylib, LLVMOrcLLJITLookup,
    LLVMOrcLLJITMangleAndIntern, LLVMOrcLLJITRef,
};
use llvm_sys::orc2::{
    LLVMJITEvaluatedSymbol, LLVMJITSymbolFlags, LLVMOrcAbsoluteSymbols, LLVMOrcCSymbolMapPair,
    LLVMOrcCreateDynamicLibrarySearchGeneratorForProcess, LLVMOrcJITDylibAddGenerator,
    LLVMOrcJITDylibDefine,
};
use llvm_sys::prelude::{LLVMContextRef, LLVMMemoryBufferRef, LLVMModuleRef};
use llvm_sys::target::{LLVM_InitializeNativeAsmPrinter, LLVM_InitializeNativeTarget};
use llvm_sys::target_machine::{
    LLVMCodeGenFileType, LLVMCodeGenOptLevel, LLVMCodeModel, LLVMCreateTargetMachine,
    LLVMDisposeTargetMachine, LLVMGetDefaultTargetTriple, LLVMGetHostCPUFeatures,
    LLVMGetHostCPUName, LLVMGetTargetFromTriple, LLVMRelocMode,
    LLVMTargetMachineEmitToMemoryBuffer, LLVMTargetMachineRef,
};
use llvm_sys::transforms::pass_builder::{
    LLVMCreatePassBuilderOptions, LLVMDisposePassBuilderOptions,
    LLVMPassBuilderOptionsSetCallGraphProfile, LLVMPassBuilderOptionsSetLoopInterleaving,
    LLVMPassBuilderOptionsSetLoopUnrolling, LLVMPassBuilderOptionsSetLoopVectorization,
    LLVMPassBuilderOptionsSetSLPVectorization, LLVMRunPasses,
};

use brolga_benches::backend::{
    Backend, BackendError, Callable, Compiled, Input, Phases, code_size,
};
use brolga_benches::source::{Format, Source};

/// A level of clang.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Level {
    O0,
    O1,
    O2,
    O3,
}

/// LLVM at a level, for this machine.
#[derive(Debug)]
pub(crate) struct Llvm {
    level: Level,
    machine: Machine,
}

impl Llvm {
    /// LLVM at `-O0` to `-O3`, spelled `O0` to `O3`; none of another level.
    ///
    /// # Errors
    /// If LLVM knows nothing of this machine.
    pub(crate) fn new(level: &str) -> Result<Option<Llvm>, BackendError> {
        let level = match level {
            "O0" => Level::O0,
            "O1" => Level::O1,
            "O2" => Level::O2,
            "O3" => Level::O3,
            _ => return Ok(None),
        };
        Ok(Some(Llvm { level, machine: Machine::host(level)? }))
    }

    /// The object file of a source.
    ///
    /// # Errors
    /// If the source cannot be read or compiled.
    pub(crate) fn object_file(&self, source: &Source) -> Result<Vec<u8>, BackendError> {
        let object = self.object(&Parsed::of(source)?, &mut Phases::default())?;
        Ok(object.bytes().to_vec())
    }

    /// Passes and code generation: an object file.
    fn object(&self, module: &Parsed, phases: &mut Phases) -> Result<Buffer, BackendError> {
        // SAFETY: the module is whole, and the clone is its own.
        let copy = ModuleOf(unsafe { LLVMCloneModule(module.module.0) });
        phases.time("passes", || self.run_passes(&copy))?;
        phases.time("emit", || self.machine.emit(&copy))
    }

    fn run_passes(&self, module: &ModuleOf) -> Result<(), BackendError> {
        let pipeline = CString::new(format!("default<{:?}>", self.level))?;
        let (some, vectors) = (self.level >= Level::O2, self.level >= Level::O2);
        // SAFETY: options, module and machine live until the call is over. What clang
        // chooses at each level: its `CodeGenOptions` after parsing `-O`.
        let error = unsafe {
            let options = LLVMCreatePassBuilderOptions();
            LLVMPassBuilderOptionsSetLoopInterleaving(options, some.into());
            LLVMPassBuilderOptionsSetLoopUnrolling(options, some.into());
            LLVMPassBuilderOptionsSetLoopVectorization(options, vectors.into());
            LLVMPassBuilderOptionsSetSLPVectorization(options, vectors.into());
            LLVMPassBuilderOptionsSetCallGraphProfile(options, 1);
            let error = LLVMRunPasses(module.0, pipeline.as_ptr(), self.machine.0, options);
            LLVMDisposePassBuilderOptions(options);
            error
        };
        check(error)
    }
}

impl Backend for Llvm {
    fn read<'a>(&'a self, source: &'a Source) -> Result<Box<dyn Input + 'a>, BackendError> {
        Ok(Box::new(Compilable { llvm: self, module: Parsed::of(source)?, symbol: &source.symbol }))
    }
}

struct Compilable<'a> {
    llvm: &'a Llvm,
    module: Parsed,
    symbol: &'a str,
}

impl Input for Compilable<'_> {
    fn compile(&self) -> Result<Compiled<'_>, BackendError> {
        let jit = Jit::new()?;
        let mut phases = Phases::default();
        let object = self.llvm.object(&self.module, &mut phases)?;
        let code_bytes = code_size(object.bytes())?;
        let kernel = phases.time("link", || jit.link(object, self.symbol))?;
        Ok(Compiled { phases, code_bytes, kernel: Box::new(Linked { kernel, _jit: jit }) })
    }
}

struct Linked {
    kernel: extern "C" fn(i64) -> i64,
    _jit: Jit,
}

impl Callable for Linked {
    fn call(&mut self, n: i64) -> Result<i64, BackendError> {
        Ok((self.kernel)(n))
    }
}

/// A code generator for this machine.
#[derive(Debug)]
struct Machine(LLVMTargetMachineRef);

impl Machine {
    fn host(level: Level) -> Result<Machine, BackendError> {
        let level = match level {
            Level::O0 => LLVMCodeGenOptLevel::LLVMCodeGenLevelNone,
            Level::O1 => LLVMCodeGenOptLevel::LLVMCodeGenLevelLess,
            Level::O2 => LLVMCodeGenOptLevel::LLVMCodeGenLevelDefault,
            Level::O3 => LLVMCodeGenOptLevel::LLVMCodeGenLevelAggressive,
        };
        // SAFETY: LLVM's strings are ours to free and outlive the calls.
        unsafe {
            if LLVM_InitializeNativeTarget() != 0 || LLVM_InitializeNativeAsmPrinter() != 0 {
                return Err("this LLVM makes no code for this machine".into());
            }
            let triple = Message(LLVMGetDefaultTargetTriple());
            let (cpu, features) =
                (Message(LLVMGetHostCPUName()), Message(LLVMGetHostCPUFeatures()));
            let (mut target, mut message) = (ptr::null_mut(), ptr::null_mut());
            if LLVMGetTargetFromTriple(triple.0, &raw mut target, &raw mut message) != 0 {
                return Err(Message(message).to_string().into());
            }
            // Position-independent, as clang makes executables; its code is then the same.
            let (relocations, model) =
                (LLVMRelocMode::LLVMRelocPIC, LLVMCodeModel::LLVMCodeModelDefault);
            let machine = LLVMCreateTargetMachine(
                target,
                triple.0,
                cpu.0,
                features.0,
                level,
                relocations,
                model,
            );
            Ok(Machine(machine))
        }
    }

    fn emit(&self, module: &ModuleOf) -> Result<Buffer, BackendError> {
        let (mut message, mut buffer) = (ptr::null_mut(), ptr::null_mut());
        // SAFETY: machine and module are whole, and both pointers can be written.
        let failed = unsafe {
            LLVMTargetMachineEmitToMemoryBuffer(
                self.0,
                module.0,
                LLVMCodeGenFileType::LLVMObjectFile,
                &raw mut message,
                &raw mut buffer,
            )
        };
        if failed != 0 { Err(Message(message).to_string().into()) } else { Ok(Buffer(buffer)) }
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        // SAFETY: it is ours, and this is its end.
        unsafe { LLVMDisposeTargetMachine(self.0) };
    }
}

/// A module with the context that it lives in.
struct Parsed {
    // Dropped first.
    module: ModuleOf,
    _context: Context,
}

impl Parsed {
    /// Reads a text; one of ours is written as LLVM's first.
    fn of(source: &Source) -> Result<Parsed, BackendError> {
        match source.format {
            Format::Llvm => Parsed::parse(&source.text),
            Format::Brolga => Parsed::parse(&write_module(&source.module()?)?),
        }
    }

    fn parse(text: &str) -> Result<Parsed, BackendError> {
        // SAFETY: the buffer is a copy of the text, and both out pointers can be written.
        unsafe {
            let context = Context(LLVMContextCreate());
            let buffer = Buffer(LLVMCreateMemoryBufferWithMemoryRangeCopy(
                text.as_ptr().cast(),
                text.len(),
                c"kernel".as_ptr(),
            ));
            let (mut module, mut message) = (ptr::null_mut(), ptr::null_mut());
            if LLVMParseIRInContext2(context.0, buffer.0, &raw mut module, &raw mut message) != 0 {
                return Err(Message(message).to_string().into());
            }
            Ok(Parsed { module: ModuleOf(module), _context: context })
        }
    }
}

struct Context(LLVMContextRef);

impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: its modules are dropped before.
        unsafe { LLVMContextDispose(self.0) };
    }
}

struct ModuleOf(LLVMModuleRef);

impl Drop for ModuleOf {
    fn drop(&mut self) {
        // SAFETY: it is ours, and this is its end.
        unsafe { LLVMDisposeModule(self.0) };
    }
}

struct Buffer(LLVMMemoryBufferRef);

impl Buffer {
    fn bytes(&self) -> &[u8] {
        // SAFETY: the buffer has that many bytes, and lives as long as they are borrowed.
        unsafe {
            std::slice::from_raw_parts(LLVMGetBufferStart(self.0).cast(), LLVMGetBufferSize(self.0))
        }
    }

    /// Gives it away to what frees it.
    fn into_raw(self) -> LLVMMemoryBufferRef {
        let raw = self.0;
        std::mem::forget(self);
        raw
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        // SAFETY: it is ours, and this is its end.
        unsafe { LLVMDisposeMemoryBuffer(self.0) };
    }
}

/// A symbol that other modules see and that can be called.
const EXPORTED_CODE: u8 = 1 << 0 | 1 << 2;

/// Where a text of ours goes when it traps: kernels do not.
extern "C" fn stop(_code: i32) -> ! {
    std::process::abort()
}

/// ORC's linker, for this process.
struct Jit(LLVMOrcLLJITRef);

impl Jit {
    fn new() -> Result<Jit, BackendError> {
        let mut jit = ptr::null_mut();
        // SAFETY: no builder stands for the default, and the dylib takes the generator over.
        unsafe {
            check(LLVMOrcCreateLLJIT(&raw mut jit, ptr::null_mut()))?;
            let jit = Jit(jit);
            let mut process = ptr::null_mut();
            check(LLVMOrcCreateDynamicLibrarySearchGeneratorForProcess(
                &raw mut process,
                LLVMOrcLLJITGetGlobalPrefix(jit.0),
                None,
                ptr::null_mut(),
            ))?;
            LLVMOrcJITDylibAddGenerator(LLVMOrcLLJITGetMainJITDylib(jit.0), process);
            jit.define(c"brolga.trap", stop as extern "C" fn(i32) -> ! as usize)?;
            Ok(jit)
        }
    }

    /// Gives an address a name that code may call it by.
    fn define(&self, name: &CStr, address: usize) -> Result<(), BackendError> {
        // SAFETY: the linker copies the name, and takes the pair over.
        unsafe {
            let mut pair = LLVMOrcCSymbolMapPair {
                Name: LLVMOrcLLJITMangleAndIntern(self.0, name.as_ptr()),
                Sym: LLVMJITEvaluatedSymbol {
                    Address: address as u64,
                    Flags: LLVMJITSymbolFlags { GenericFlags: EXPORTED_CODE, TargetFlags: 0 },
                },
            };
            let symbols = LLVMOrcAbsoluteSymbols(&raw mut pair, 1);
            check(LLVMOrcJITDylibDefine(LLVMOrcLLJITGetMainJITDylib(self.0), symbols))
        }
    }

    /// Links an object and finds a function of it.
    fn link(
        &self,
        object: Buffer,
        symbol: &str,
    ) -> Result<extern "C" fn(i64) -> i64, BackendError> {
        let symbol = CString::new(symbol)?;
        let mut address = 0;
        // SAFETY: the linker takes the buffer over. Whoever gave the source says that the
        // symbol is a function of that type.
        unsafe {
            let main = LLVMOrcLLJITGetMainJITDylib(self.0);
            check(LLVMOrcLLJITAddObjectFile(self.0, main, object.into_raw()))?;
            check(LLVMOrcLLJITLookup(self.0, &raw mut address, symbol.as_ptr()))?;
            Ok(std::mem::transmute::<usize, extern "C" fn(i64) -> i64>(address as usize))
        }
    }
}

impl Drop for Jit {
    fn drop(&mut self) {
        // SAFETY: it is ours, nobody calls its code any more, and an error of taking it
        // down is of no consequence.
        let _ = check(unsafe { LLVMOrcDisposeLLJIT(self.0) });
    }
}

/// What LLVM says in an error, which is thereby gone.
fn check(error: LLVMErrorRef) -> Result<(), BackendError> {
    if error.is_null() {
        return Ok(());
    }
    // SAFETY: the error is one, and taking its message consumes it.
    let text = unsafe {
        let message = LLVMGetErrorMessage(error);
        let text = CStr::from_ptr(message).to_string_lossy().into_owned();
        LLVMDisposeErrorMessage(message);
        text
    };
    Err(Box::<dyn Error + Send + Sync>::from(text))
}

/// A string of LLVM that is ours to free.
struct Message(*mut c_char);

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // SAFETY: LLVM's strings end in a zero.
        f.write_str(&unsafe { CStr::from_ptr(self.0) }.to_string_lossy())
    }
}

impl Drop for Message {
    fn drop(&mut self) {
        // SAFETY: it is ours, and this is its end.
        unsafe { LLVMDisposeMessage(self.0) };
    }
}
