//! What the names behind `@` become: functions and data objects.

use super::{Resolved, Shared};
use crate::entity::FuncId;
use crate::llvm::syntax::{
    self, ConstantId, FunctionFlags, FunctionHead, GlobalData, GlobalId, Offset, TypeId,
};
use crate::module::{
    Attributes, Content, DataItem, DataObject, Inlining, Linkage, MAX_DATA_ALIGN_LOG2,
    MemoryEffects, Returns, Storage, Symbol, Temperature,
};
use crate::text::{Parsed, Reported};
use crate::verify::MAX_DATA_SIZE;

/// The variable whose address tells C++'s runtime which library a destructor is of. The
/// files with which C compilers begin a library define it, for that library alone.
const OWN_LIBRARY: &str = "__dso_handle";

/// What is said of a global variable.
struct Variable {
    ty: TypeId,
    initializer: Option<ConstantId>,
    content: Content,
    storage: Storage,
    align: u32,
    space: u32,
}

impl Shared<'_> {
    /// Declares all symbols that are defined here, but for aliases. What is wrong with
    /// one leaves the others.
    pub(super) fn declare_symbols(&mut self) {
        self.symbols = vec![None; self.syntax.globals.len()];
        self.unneeded = vec![false; self.syntax.globals.len()];
        for index in 0..self.syntax.order.len() {
            let id = self.syntax.order[index];
            if self.is_only_declared(id) {
                self.unneeded[id.index()] = true;
            } else if let Ok(resolved) = self.declare(id) {
                self.symbols[id.index()] = resolved;
            }
        }
    }

    pub(super) fn is_only_declared(&self, id: GlobalId) -> bool {
        let global = &self.syntax.globals[id.index()];
        if global.linkage == syntax::Linkage::AvailableExternally {
            return true;
        }
        match &global.data {
            GlobalData::Variable { initializer, .. } => initializer.is_none(),
            GlobalData::Function(head) => head.body.is_none(),
            GlobalData::Alias { .. } | GlobalData::Undefined => false,
        }
    }

    /// The name of what no text of the program defines.
    pub(super) fn undefined_name(&self, id: GlobalId) -> Option<&str> {
        let name = symbol_name(&self.syntax.globals[id.index()].name);
        let is_defined = !self.is_only_declared(id) || self.options.defined.contains(name);
        (!is_defined).then_some(name)
    }

    fn declare(&mut self, id: GlobalId) -> Parsed<Option<Resolved>> {
        let global = &self.syntax.globals[id.index()];
        let at = global.at;
        // What LLVM or a front end itself defines, and what it says of the module.
        if super::intrinsic::is_intrinsic(&global.name) {
            return Ok(None);
        }
        if let Some(import) = self.import_aliased(id, at)? {
            return Ok(Some(import));
        }
        match &self.syntax.globals[id.index()].data {
            &GlobalData::Variable { ty, initializer, constant, thread_local, space, align } => {
                let variable = Variable {
                    ty,
                    initializer,
                    content: if constant { Content::Constant } else { Content::Mutable },
                    storage: if thread_local { Storage::ThreadLocal } else { Storage::Shared },
                    align,
                    space,
                };
                self.declare_variable(id, &variable, at)
            }
            GlobalData::Function(head) => {
                let head = head.clone();
                self.declare_function(id, &head, at)
            }
            GlobalData::Alias { .. } | GlobalData::Undefined => Ok(None),
        }
    }

    /// The name of a symbol of ours, which the module does not have yet.
    pub(super) fn claim(&mut self, id: GlobalId, at: Offset) -> Parsed<Box<str>> {
        let name = symbol_name(&self.syntax.globals[id.index()].name);
        if name.is_empty() || name.contains('\0') {
            return Err(self.unsupported(at, "a symbol has no name, or one that holds a NUL"));
        }
        if self.module.symbol(name).is_some() {
            let message = format!("`@{name}` is declared twice");
            return Err(self.invalid(at, message));
        }
        Ok(name.into())
    }

    fn declare_variable(
        &mut self,
        id: GlobalId,
        variable: &Variable,
        at: Offset,
    ) -> Parsed<Option<Resolved>> {
        let name = self.claim(id, at)?;
        let (linkage, items) = match self.linkage(id, variable.initializer.is_some()) {
            linkage if linkage.is_foreign() && &*name == OWN_LIBRARY => {
                (Linkage::Local, vec![DataItem::Zero(1)])
            }
            linkage => (linkage, Vec::new()),
        };
        if variable.space != 0 {
            let message = format!("`@{name}` is in address space {}", variable.space);
            return Err(self.unsupported(at, message));
        }
        if linkage.is_foreign() && variable.storage == Storage::ThreadLocal {
            let message = format!("`@{name}` is the process's and thread-local");
            return Err(self.unsupported(at, message));
        }
        let is_opaque = super::layout::resolve(&self.syntax, variable.ty).is_none();
        let addresses =
            variable.initializer.and_then(|constant| self.relative_length(id, constant));
        let (size, align) = match (addresses, variable.initializer) {
            (Some(count), _) => (8 * count, 8),
            (None, None) if is_opaque => (0, 1),
            // What may not be there has no size that one can count on.
            (None, None) if linkage == Linkage::ForeignWeak => (0, 1),
            _ => {
                let room = self.room(variable.ty, at)?;
                (room.stride(), room.align)
            }
        };
        let align = align.max(variable.align.into());
        let (size, align) = self.common_room(id, (size, align));
        if size > MAX_DATA_SIZE || align > 1 << MAX_DATA_ALIGN_LOG2 {
            let message = format!(
                "`@{name}` has {size} bytes aligned to {align}; the limits are 2 GiB and 4096"
            );
            return Err(self.unsupported(at, message));
        }
        let object = DataObject {
            linkage,
            content: variable.content,
            storage: variable.storage,
            align_log2: align.trailing_zeros() as u8,
            size,
            ..DataObject::new(&name, items)
        };
        let declared = self.module.declare_data(object);
        let data = declared.map_err(|error| self.invalid(at, error))?;
        Ok(Some(match addresses {
            Some(_) => Resolved::Relative(data),
            None => Resolved::Address { symbol: Symbol::Data(data), offset: 0 },
        }))
    }

    fn declare_function(
        &mut self,
        id: GlobalId,
        head: &FunctionHead,
        at: Offset,
    ) -> Parsed<Option<Resolved>> {
        let linkage = self.linkage(id, head.body.is_some());
        let name = self.claim(id, at)?;
        self.refuse_list_name(&name, linkage, at)?;
        let sig = match self.defined_signature(&name, linkage) {
            Some(sig) => sig,
            None => self.signature(head, linkage, at)?,
        };
        let declared = self.module.declare_function(&name, sig, linkage);
        let function = declared.map_err(|error| self.invalid(at, error))?;
        if let Some(function) = self.module.function_mut(function) {
            function.attributes = attributes(head.attributes.flags, linkage);
        }
        Ok(Some(Resolved::Address { symbol: Symbol::Function(function), offset: 0 }))
    }

    /// Whether this module defines the function.
    pub(super) fn is_defined_here(&self, id: FuncId) -> bool {
        self.module.function(id).is_some_and(|function| function.linkage.is_defined_here())
    }

    /// The address of what returns twice would let it be called where nobody knows that.
    pub(super) fn check_address(&mut self, symbol: Symbol, at: Offset) -> Parsed<()> {
        let Symbol::Function(id) = symbol else { return Ok(()) };
        self.addressed.insert(id);
        match self.module.function(id).map(|function| function.attributes.returns) {
            Some(Returns::Twice) => Err(self.address_of_second_return(id, at)),
            _ => Ok(()),
        }
    }

    /// Notes that calls of a function return twice.
    pub(super) fn returns_twice(&mut self, id: FuncId, at: Offset) -> Parsed<()> {
        if self.addressed.contains(&id) {
            return Err(self.address_of_second_return(id, at));
        }
        if let Some(function) = self.module.function_mut(id) {
            function.attributes.returns = Returns::Twice;
        }
        Ok(())
    }

    fn address_of_second_return(&mut self, id: FuncId, at: Offset) -> Reported {
        let name = self.module.function(id).map_or("", |function| &function.name);
        let message = format!("`@{name}` returns twice: it can be called, and has no address");
        self.unsupported(at, message)
    }

    /// What a global has become; an error at `at` if it has no address.
    pub(super) fn resolve(&mut self, id: GlobalId, at: Offset) -> Parsed<Resolved> {
        if self.unneeded.get_mut(id.index()).is_some_and(std::mem::take) {
            self.symbols[id.index()] = self.declare(id)?;
        }
        match self.symbols.get(id.index()) {
            None | Some(None | Some(Resolved::Relative(_))) => {}
            Some(&Some(resolved)) => return Ok(resolved),
        }
        let name = &self.syntax.globals[id.index()].name;
        let message = format!("`@{name}` has no address");
        Err(self.unsupported(at, message))
    }
}

/// The name of a symbol without the mark that keeps LLVM from changing it.
pub(super) fn symbol_name(name: &str) -> &str {
    name.strip_prefix('\u{1}').unwrap_or(name)
}

/// What we have a place for of what is said of a function.
fn attributes(flags: FunctionFlags, linkage: Linkage) -> Attributes {
    let says = |flag| flags.contains(flag);
    let inlining = match () {
        () if says(FunctionFlags::ALWAYS_INLINE) => Inlining::Always,
        () if says(FunctionFlags::NO_INLINE) => Inlining::Never,
        () => Inlining::Auto,
    };
    let memory = match () {
        () if says(FunctionFlags::READS_NOTHING) => MemoryEffects::None,
        () if says(FunctionFlags::READS_ONLY) => MemoryEffects::ReadOnly,
        () => MemoryEffects::Any,
    };
    let returns = match () {
        // What our own functions do is in their bodies.
        () if linkage.is_foreign() && says(FunctionFlags::RETURNS_TWICE) => Returns::Twice,
        () if says(FunctionFlags::NO_RETURN) => Returns::Never,
        () if says(FunctionFlags::WILL_RETURN | FunctionFlags::NO_UNWIND) => Returns::Always,
        () => Returns::Maybe,
    };
    Attributes {
        inlining,
        temperature: match says(FunctionFlags::COLD) {
            true => Temperature::Cold,
            false => Temperature::Normal,
        },
        memory,
        returns,
        opt_level: says(FunctionFlags::OPT_NONE).then_some(0),
        targets: Vec::new(),
    }
}
