//! A program in `cranelift-jit`.

use std::collections::HashMap;

use brolga::ir::module::{DataObject, Linkage as Defined, Module as Declarations, Symbol};
use brolga::lowering::runtime::STUB_INTERNAL_ENTRY;
use cranelift_codegen::Context;
use cranelift_codegen::binemit::Reloc;
use cranelift_codegen::ir::{
    AbiParam, Function, InstBuilder, Signature, TrapCode, UserExternalName, UserFuncName, types,
};
use cranelift_codegen::isa::{CallConv, OwnedTargetIsa};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::{ArenaMemoryProvider, JITBuilder, JITModule};
use cranelift_module::{
    DataDescription, DataId, FuncId, Linkage, Module, ModuleReloc, ModuleRelocTarget,
    default_libcall_names,
};

use super::listing::{Listed, ListedFunction, Reference};
use crate::backend::BackendError;

/// Address space for code and data, so that everything is near everything.
const RESERVATION: usize = 256 << 20;

/// Namespaces of names, as `cranelift_module` has them.
const FUNCTIONS: u32 = 0;
const DATA: u32 = 1;

/// Every function of the listing, and the small ones between them.
pub(super) struct Program {
    // An option, because it is taken apart when it is dropped.
    jit: Option<JITModule>,
    context: Context,
    builder: FunctionBuilderContext,
    functions: HashMap<String, FuncId>,
    data: HashMap<String, DataId>,
    made: HashMap<Reference, UserExternalName>,
    code_bytes: u64,
}

impl Drop for Program {
    fn drop(&mut self) {
        if let Some(jit) = self.jit.take() {
            // SAFETY: whoever could call the code borrows or owns the program.
            unsafe { jit.free_memory() };
        }
    }
}

impl Program {
    pub(super) fn new(machine: OwnedTargetIsa) -> Result<Program, BackendError> {
        let mut builder = JITBuilder::with_isa(machine, default_libcall_names());
        builder.memory_provider(Box::new(ArenaMemoryProvider::new_with_size(RESERVATION)?));
        for (name, address) in [
            ("brolga_memory_copy", libc::memmove as *const u8),
            ("brolga_memory_fill", libc::memset as *const u8),
            ("brolga_memory_compare", memory_compare as *const u8),
        ] {
            builder.symbol(name, address);
        }
        let jit = JITModule::new(builder);
        Ok(Program {
            context: jit.make_context(),
            jit: Some(jit),
            builder: FunctionBuilderContext::new(),
            functions: HashMap::new(),
            data: HashMap::new(),
            made: HashMap::new(),
            code_bytes: 0,
        })
    }

    /// Bytes of machine code of the functions of the listing.
    pub(super) fn code_bytes(&self) -> u64 {
        self.code_bytes
    }

    fn jit(&mut self) -> Result<&mut JITModule, BackendError> {
        self.jit.as_mut().ok_or_else(|| "the program is being dropped".into())
    }

    /// Compiles everything, and a function by which the host enters `kernel`.
    pub(super) fn define(&mut self, listed: &Listed, kernel: &str) -> Result<FuncId, BackendError> {
        for function in &listed.functions {
            let signature = &function.code.signature;
            let id = self.jit()?.declare_function(&function.name, Linkage::Local, signature)?;
            self.functions.insert(function.name.clone(), id);
        }
        for (_, object) in listed.module.data_objects() {
            if is_defined(object) {
                let name = format!("data {}", object.name);
                let id = self.jit()?.declare_data(&name, Linkage::Local, true, false)?;
                self.data.insert(object.name.to_string(), id);
            }
        }
        for function in &listed.functions {
            self.define_function(function)?;
        }
        for (_, object) in listed.module.data_objects() {
            if is_defined(object) {
                self.define_data(&listed.module, object)?;
            }
        }
        let kernel = self.functions.get(kernel).copied();
        self.define_entry(kernel.ok_or("the kernel is not defined")?)
    }

    /// Links, and gives the address of the entry.
    pub(super) fn finish(&mut self, entry: FuncId) -> Result<*const u8, BackendError> {
        let jit = self.jit()?;
        jit.finalize_definitions()?;
        Ok(jit.get_finalized_function(entry))
    }

    fn define_function(&mut self, function: &ListedFunction) -> Result<(), BackendError> {
        let mut code = function.code.clone();
        let used: Vec<_> =
            code.params.user_named_funcs().iter().map(|(at, name)| (at, name.index)).collect();
        let signatures = signatures(&code);
        for (at, number) in used {
            let reference =
                function.references.get(number as usize).cloned().unwrap_or(Reference::Other);
            let name = self.name_of(reference, signatures.get(&number))?;
            code.params.reset_user_func_name(at, name);
        }
        let id = self.functions[&function.name];
        self.code_bytes += self.compile(id, code)?;
        Ok(())
    }

    /// Compiles one function and gives its size.
    fn compile(&mut self, id: FuncId, code: Function) -> Result<u64, BackendError> {
        let jit = self.jit.as_mut().ok_or("the program is being dropped")?;
        self.context.clear();
        self.context.func = code;
        self.context.func.name = UserFuncName::user(FUNCTIONS, id.as_u32());
        jit.define_function(id, &mut self.context)?;
        let code = self.context.compiled_code().ok_or("there is no code")?;
        Ok(u64::from(code.code_info().total_size))
    }

    /// The name by which Cranelift knows what our text refers to, which is made at first use.
    fn name_of(
        &mut self,
        reference: Reference,
        signature: Option<&Signature>,
    ) -> Result<UserExternalName, BackendError> {
        if let Some(known) = self.made.get(&reference) {
            return Ok(known.clone());
        }
        let name = match (&reference, signature) {
            (Reference::Call(name), _) => function_name(self.function(name)?),
            (Reference::Data(name), _) => {
                data_name(*self.data.get(name).ok_or("data of another module")?)
            }
            (Reference::Stub(name), _) => function_name(self.define_stub(name)?),
            (Reference::AddressSlot(name), _) => data_name(self.define_slot(name)?),
            (Reference::Foreign(name), Some(signature)) => {
                function_name(self.define_thunk(name, signature)?)
            }
            (Reference::Runtime(name), Some(signature)) if name.starts_with("brolga_memory") => {
                function_name(self.define_thunk(name, signature)?)
            }
            (Reference::Pointer(_), None) => {
                function_name(self.define_stop(&Signature::new(CallConv::SystemV))?)
            }
            (_, Some(signature)) => function_name(self.define_stop(signature)?),
            (_, None) => return Err("the address of what only the engine has".into()),
        };
        self.made.insert(reference, name.clone());
        Ok(name)
    }

    fn function(&self, name: &str) -> Result<FuncId, BackendError> {
        let id = self.functions.get(name).copied();
        Ok(id.ok_or_else(|| format!("@{name} is defined in another module"))?)
    }

    /// What the address of a function is: an entry for the platform, which nobody uses here,
    /// and behind it the one that compiled code takes: a jump.
    fn define_stub(&mut self, name: &str) -> Result<FuncId, BackendError> {
        let target = self.function(name)?;
        let mut bytes = vec![0xcc; STUB_INTERNAL_ENTRY as usize];
        bytes.extend([0xe9, 0, 0, 0, 0]);
        let jump = ModuleReloc {
            offset: STUB_INTERNAL_ENTRY + 1,
            kind: Reloc::X86CallPCRel4,
            name: ModuleRelocTarget::user(FUNCTIONS, target.as_u32()),
            addend: -4,
        };
        let jit = self.jit()?;
        let signature = Signature::new(CallConv::SystemV);
        let stub = jit.declare_function(&format!("stub {name}"), Linkage::Local, &signature)?;
        jit.define_function_bytes(stub, 16, &bytes, &[jump])?;
        Ok(stub)
    }

    fn define_slot(&mut self, name: &str) -> Result<DataId, BackendError> {
        let jit = self.jit()?;
        let slot = jit.declare_data(&format!("slot {name}"), Linkage::Local, true, false)?;
        let far = jit.declare_data(name, Linkage::Import, true, false)?;
        let mut bytes = DataDescription::new();
        bytes.define_zeroinit(8);
        let far = jit.declare_data_in_data(far, &mut bytes);
        bytes.write_data_addr(0, far, 0);
        jit.define_data(slot, &bytes)?;
        Ok(slot)
    }

    /// A function that calls one of the process, near enough to be called itself.
    fn define_thunk(&mut self, name: &str, signature: &Signature) -> Result<FuncId, BackendError> {
        let mut platform = signature.clone();
        platform.call_conv = CallConv::SystemV;
        let jit = self.jit()?;
        let far = jit.declare_function(name, Linkage::Import, &platform)?;
        let thunk = jit.declare_function(&format!("thunk {name}"), Linkage::Local, signature)?;
        self.build(thunk, signature.clone(), |jit, builder, params| {
            let far = jit.declare_func_in_func(far, builder.func);
            let call = builder.ins().call(far, params);
            let results = builder.inst_results(call).to_vec();
            builder.ins().return_(&results);
        })
    }

    /// A function that stops everything, for what no kernel should get to.
    fn define_stop(&mut self, signature: &Signature) -> Result<FuncId, BackendError> {
        let id = self.jit()?.declare_anonymous_function(signature)?;
        self.build(id, signature.clone(), |_, builder, _| {
            builder.ins().trap(TrapCode::unwrap_user(1));
        })
    }

    /// `i64 entry(i64 n, record)`: sets the pinned register and calls the kernel.
    fn define_entry(&mut self, kernel: FuncId) -> Result<FuncId, BackendError> {
        let mut signature = Signature::new(CallConv::SystemV);
        signature.params = vec![AbiParam::new(types::I64); 2];
        signature.returns = vec![AbiParam::new(types::I64)];
        let id = self.jit()?.declare_function("enter kernel", Linkage::Local, &signature)?;
        self.build(id, signature, |jit, builder, params| {
            let kept = builder.ins().get_pinned_reg(types::I64);
            builder.ins().set_pinned_reg(params[1]);
            let kernel = jit.declare_func_in_func(kernel, builder.func);
            let call = builder.ins().call(kernel, &params[..1]);
            let result = builder.inst_results(call)[0];
            builder.ins().set_pinned_reg(kept);
            builder.ins().return_(&[result]);
        })
    }

    /// Compiles a function of one block.
    fn build(
        &mut self,
        id: FuncId,
        signature: Signature,
        body: impl FnOnce(&mut JITModule, &mut FunctionBuilder<'_>, &[cranelift_codegen::ir::Value]),
    ) -> Result<FuncId, BackendError> {
        let jit = self.jit.as_mut().ok_or("the program is being dropped")?;
        let mut code = Function::with_name_signature(UserFuncName::default(), signature);
        let mut builder = FunctionBuilder::new(&mut code, &mut self.builder);
        let block = builder.create_block();
        builder.append_block_params_for_function_params(block);
        builder.switch_to_block(block);
        builder.seal_block(block);
        let params = builder.block_params(block).to_vec();
        body(jit, &mut builder, &params);
        builder.finalize(jit.target_config());
        self.compile(id, code)?;
        Ok(id)
    }

    fn define_data(
        &mut self,
        module: &Declarations,
        object: &DataObject,
    ) -> Result<(), BackendError> {
        let image = object.image();
        let mut bytes = DataDescription::new();
        bytes.set_align(1 << object.align_log2);
        if image.bytes.is_empty() {
            bytes.define_zeroinit(object.size as usize);
        } else {
            let mut content = image.bytes.clone();
            content.resize(object.size as usize, 0);
            bytes.define(content.into());
        }
        for relocation in &image.relocations {
            let offset = relocation.offset as u32;
            match relocation.symbol {
                Symbol::Function(id) => {
                    let name = module.function(id).map_or("", |function| &function.name);
                    let stub = self.name_of(Reference::Stub(name.to_owned()), None)?;
                    let jit = self.jit()?;
                    let stub = jit.declare_func_in_data(FuncId::from_u32(stub.index), &mut bytes);
                    bytes.write_function_addr(offset, stub);
                }
                Symbol::Data(id) => {
                    let name = module.data(id).map_or("", |object| &object.name);
                    let target = *self.data.get(name).ok_or("data of another module")?;
                    let target = self.jit()?.declare_data_in_data(target, &mut bytes);
                    bytes.write_data_addr(offset, target, relocation.addend);
                }
            }
        }
        let id = self.data[&*object.name];
        Ok(self.jit()?.define_data(id, &bytes)?)
    }
}

fn is_defined(object: &DataObject) -> bool {
    matches!(object.linkage, Defined::Export | Defined::Local)
}

/// The signatures of what a function calls, by number.
fn signatures(code: &Function) -> HashMap<u32, Signature> {
    let called = code.dfg.ext_funcs.values().filter_map(|callee| {
        let cranelift_codegen::ir::ExternalName::User(name) = &callee.name else { return None };
        let number = code.params.user_named_funcs()[*name].index;
        Some((number, code.dfg.signatures[callee.signature].clone()))
    });
    called.collect()
}

fn function_name(id: FuncId) -> UserExternalName {
    UserExternalName::new(FUNCTIONS, id.as_u32())
}

fn data_name(id: DataId) -> UserExternalName {
    UserExternalName::new(DATA, id.as_u32())
}

/// `memcmp` whose answer is -1, 0 or 1, as our runtime's is.
extern "C" fn memory_compare(a: *const libc::c_void, b: *const libc::c_void, bytes: usize) -> i64 {
    // SAFETY: the kernel says that so many bytes can be read there.
    i64::from(unsafe { libc::memcmp(a, b, bytes) }.signum())
}
