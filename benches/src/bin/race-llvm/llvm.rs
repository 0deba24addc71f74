//! LLVM in this process: its passes by the new pass manager, its code generator, and ORC's
//! linker, set up as clang sets them up.

use std::error::Error;
use std::ffi::{CStr, CString, c_char, c_int};
use std::fmt;
use std::ptr;
use std::sync::Once;

use brolga::ir::llvm::write_module;
use llvm_sys::LLVMAttributeFunctionIndex;
use llvm_sys::core::{
    LLVMAddAttributeAtIndex, LLVMCloneModule, LLVMContextCreate, LLVMContextDispose,
    LLVMCreateMemoryBufferWithMemoryRangeCopy, LLVMCreateStringAttribute, LLVMDisposeMemoryBuffer,
    LLVMDisposeMessage, LLVMDisposeModule, LLVMGetBufferSize, LLVMGetBufferStart,
    LLVMGetFirstFunction, LLVMGetModuleContext, LLVMGetNextFunction,
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
use llvm_sys::support::LLVMParseCommandLineOptions;
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

/// What vectors LLVM's passes may make of loops and straight lines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Vectors {
    /// What the level makes, as long as the processor has them.
    All,
    /// Of 128 bits.
    Short,
    /// None.
    None,
}

/// What `-fno-vectorize -fno-slp-vectorize` is to clang. Options of a run of passes do not
/// reach those that stand in a pipeline by its name; what the passes themselves ask does, and
/// that is of the whole process.
fn forbid_vectors() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let words = [c"race-llvm", c"-vectorize-loops=false", c"-vectorize-slp=false"];
        let words = words.map(CStr::as_ptr);
        // SAFETY: the words end in zeros, and LLVM knows these options.
        unsafe {
            LLVMParseCommandLineOptions(words.len() as c_int, words.as_ptr(), ptr::null());
        }
    });
}

/// What is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Code {
    /// Machine code, as an object file.
    Object,
    /// A text.
    Assembly,
}

/// LLVM at a level, for this machine.
#[derive(Debug)]
pub(crate) struct Llvm {
    level: Level,
    vectors: Vectors,
    machine: Machine,
}

impl Llvm {
    /// LLVM at `-O0` to `-O3`, spelled `O0` to `O3`; as `O2-128` held to vectors of 128 bits,
    /// as `O2-scalar` without those that loops and straight lines become, which is then so
    /// for the whole process. None of another name.
    ///
    /// # Errors
    /// If LLVM knows nothing of this machine.
    pub(crate) fn new(name: &str) -> Result<Option<Llvm>, BackendError> {
        let (level, vectors) = match name {
            "O0" => (Level::O0, Vectors::All),
            "O1" => (Level::O1, Vectors::All),
            "O2" => (Level::O2, Vectors::All),
            "O2-128" => (Level::O2, Vectors::Short),
            "O2-scalar" => (Level::O2, Vectors::None),
            "O3" => (Level::O3, Vectors::All),
            _ => return Ok(None),
        };
        if vectors == Vectors::None {
            forbid_vectors();
        }
        Ok(Some(Llvm { level, vectors, machine: Machine::host(level)? }))
    }

    /// The code of a source.
    ///
    /// # Errors
    /// If the source cannot be read or compiled.
    pub(crate) fn compiled(&self, source: &Source, code: Code) -> Result<Vec<u8>, BackendError> {
        let buffer = self.code(&Parsed::of(source)?, &mut Phases::default(), code)?;
        Ok(buffer.bytes().to_vec())
    }

    /// Passes and code generation.
    fn code(
        &self,
        module: &Parsed,
        phases: &mut Phases,
        code: Code,
    ) -> Result<Buffer, BackendError> {
        // SAFETY: the module is whole, and the clone is its own.
        let copy = ModuleOf(unsafe { LLVMCloneModule(module.module.0) });
        if self.vectors == Vectors::Short {
            copy.prefer_vectors_of_128_bits();
        }
        phases.time("passes", || self.run_passes(&copy))?;
        phases.time("emit", || self.machine.emit(&copy, code))
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
        let object = self.llvm.code(&self.module, &mut phases, Code::Object)?;
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

    fn emit(&self, module: &ModuleOf, code: Code) -> Result<Buffer, BackendError> {
        let file = match code {
            Code::Object => LLVMCodeGenFileType::LLVMObjectFile,
            Code::Assembly => LLVMCodeGenFileType::LLVMAssemblyFile,
        };
        let (mut message, mut buffer) = (ptr::null_mut(), ptr::null_mut());
        // SAFETY: machine and module are whole, and both pointers can be written.
        let failed = unsafe {
            LLVMTargetMachineEmitToMemoryBuffer(
                self.0,
                module.0,
                file,
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

impl ModuleOf {
    /// What `-mprefer-vector-width=128` of clang says of each function.
    fn prefer_vectors_of_128_bits(&self) {
        let (key, value) = ("prefer-vector-width", "128");
        // SAFETY: the module is whole, its functions end in a null, and LLVM copies strings.
        unsafe {
            let attribute = LLVMCreateStringAttribute(
                LLVMGetModuleContext(self.0),
                key.as_ptr().cast(),
                key.len() as u32,
                value.as_ptr().cast(),
                value.len() as u32,
            );
            let mut function = LLVMGetFirstFunction(self.0);
            while !function.is_null() {
                LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex, attribute);
                function = LLVMGetNextFunction(function);
            }
        }
    }
}

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
