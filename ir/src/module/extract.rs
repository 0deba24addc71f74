//! One function with the declarations of all that it names: a module of its
//! own, so that passes change types, signatures and declarations without a
//! look at the rest, and functions of one module are compiled side by side.

use rustc_hash::FxHashMap;

use super::{ClassData, DataObject, Function, Linkage, Module, Symbol};
use crate::body::{Body, Translation};
use crate::entity::{AliasClass, DataId, FuncId, PrimaryMap, SigId};
use crate::types::{Aggregate, Param, Signature, Type, TypeKind};

/// A function in a module of its own.
#[derive(Clone, Debug)]
pub struct Extract {
    /// The function, defined, and what it names, declared: other functions
    /// are imported, and data objects have no contents.
    pub module: Module,
    /// The function there.
    pub function: FuncId,
}

impl Extract {
    /// Defines a function here that is only declared by the body of another extract, where it may
    /// have another name; what that names and is not declared here is declared. Tells whether it
    /// could: whatever else has a name in both must be the same in both.
    pub fn adopt(&mut self, id: FuncId, other: &Extract) -> Option<()> {
        let from = &other.module;
        let original = from.function(other.function)?;
        let is_declared = self.module.function(id).is_some_and(|it| it.body.is_none());
        if !is_declared || !self.agrees_with(other) {
            return None;
        }
        let mut importer = Importer::new(from, &mut self.module);
        if importer.signature(original.sig) != importer.to.function(id)?.sig {
            return None;
        }
        importer.functions.insert(other.function, id);
        let body = importer.body(original.body.as_deref()?);
        let adopted = self.module.function_mut(id)?;
        adopted.linkage = original.linkage;
        adopted.attributes = original.attributes.clone();
        adopted.body = Some(Box::new(body));
        Some(())
    }

    /// Whether what both modules declare is the same in both.
    fn agrees_with(&mut self, extract: &Extract) -> bool {
        let other = &extract.module;
        if self.module.target != other.target {
            return false;
        }
        let mut importer = Importer::new(other, &mut self.module);
        let mut functions = other.functions().filter(|&(id, _)| id != extract.function);
        functions.all(|(_, function)| importer.agrees_on_function(function))
            && other.data_objects().all(|(_, object)| importer.agrees_on_data(object))
            && self.agrees_on_classes(other)
    }

    /// Classes of the same names are the same. Where a module has others, accesses of both might
    /// be taken for accesses of different memory.
    fn agrees_on_classes(&self, other: &Module) -> bool {
        let parent = |module: &Module, class: &ClassData| {
            class.parent.expand().map(|parent| module.class_name(parent).to_owned())
        };
        let is_here = |class: &ClassData| {
            let known = self.module.alias_class_named(&class.name);
            let known = known.and_then(|known| self.module.class(known));
            known.is_some_and(|known| parent(&self.module, known) == parent(other, class))
        };
        self.module.alias_classes().len() == 0
            || other.alias_classes().all(|(_, class)| is_here(class))
    }
}

impl Module {
    /// The function in a module of its own, in time linear in its size and in
    /// the text of the types that it names. Nothing if it is not defined here.
    pub fn extract(&self, function: FuncId) -> Option<Extract> {
        self.extract_with(function, &[])
    }

    /// The same, with others that are defined here defined there as well. Those
    /// that are extracted stand in the same order there.
    pub fn extract_with(&self, function: FuncId, others: &[FuncId]) -> Option<Extract> {
        self.function(function)?.body.as_deref()?;
        let mut all: Vec<FuncId> = others.iter().copied().chain([function]).collect();
        all.sort_unstable();
        all.dedup();
        let mut module = Module::new(&self.name);
        module.target.clone_from(&self.target);
        let mut importer = Importer::new(self, &mut module);
        let ids: Vec<FuncId> = all.iter().map(|&id| importer.function(id)).collect();
        let id = importer.function(function);
        let originals: Vec<&Function> = all.iter().filter_map(|&id| self.function(id)).collect();
        let bodies: Vec<Option<Body>> =
            originals.iter().map(|it| it.body.as_deref().map(|body| importer.body(body))).collect();
        for ((id, original), body) in ids.into_iter().zip(originals).zip(bodies) {
            if let Some(extracted) = module.function_mut(id).filter(|_| body.is_some()) {
                extracted.linkage = original.linkage;
                extracted.body = body.map(Box::new);
            }
        }
        Some(Extract { module, function: id })
    }

    /// The same as [`extract`](Self::extract), of a function that has no body here from now
    /// on: nothing is copied.
    pub fn extract_taking(&mut self, function: FuncId) -> Option<Extract> {
        let mut body = self.function_mut(function)?.body.take()?;
        let mut module = Module::new(&self.name);
        module.target.clone_from(&self.target);
        let mut importer = Importer::new(self, &mut module);
        let id = importer.function(function);
        body.translate(&mut importer);
        if let (Some(extracted), Some(original)) =
            (module.function_mut(id), self.function(function))
        {
            extracted.linkage = original.linkage;
            extracted.body = Some(body);
        }
        Some(Extract { module, function: id })
    }

    /// The module without the bodies of its functions.
    pub fn without_bodies(&self) -> Module {
        let mut functions = PrimaryMap::new();
        for (_, function) in self.functions() {
            functions.push(function.declaration());
        }
        Module {
            name: self.name.clone(),
            target: self.target.clone(),
            types: self.types.clone(),
            functions,
            data: self.data.clone(),
            classes: self.classes.clone(),
            class_names: self.class_names.clone(),
            symbols: self.symbols.clone(),
            order: self.order.clone(),
            strings: self.strings.clone(),
            string_ids: self.string_ids.clone(),
        }
    }

    /// A signature of another module in this one, with the types that it names.
    pub fn import_signature(&mut self, from: &Module, sig: SigId) -> SigId {
        Importer::new(from, self).signature(sig)
    }
}

impl Function {
    /// The function without its body.
    fn declaration(&self) -> Function {
        let Function { ref name, sig, linkage, ref attributes, body: _ } = *self;
        Function { name: name.clone(), sig, linkage, attributes: attributes.clone(), body: None }
    }
}

/// Declares in one module what code of another names.
struct Importer<'a> {
    from: &'a Module,
    to: &'a mut Module,
    types: FxHashMap<Type, Type>,
    functions: FxHashMap<FuncId, FuncId>,
    data: FxHashMap<DataId, DataId>,
    strings: FxHashMap<u32, u32>,
    classes: FxHashMap<AliasClass, AliasClass>,
}

impl<'a> Importer<'a> {
    fn new(from: &'a Module, to: &'a mut Module) -> Importer<'a> {
        Importer {
            from,
            to,
            types: FxHashMap::default(),
            functions: FxHashMap::default(),
            data: FxHashMap::default(),
            strings: FxHashMap::default(),
            classes: FxHashMap::default(),
        }
    }

    fn body(&mut self, body: &Body) -> Body {
        let mut body = body.clone();
        body.translate(self);
        body
    }

    /// The signature in the other module. Types nest to a fixed depth.
    fn signature(&mut self, id: SigId) -> SigId {
        let signature = self.from.types.sig(id);
        let mut params = |params: &[Param]| -> Vec<Param> {
            params.iter().map(|param| Param { ty: self.ty(param.ty), ..*param }).collect()
        };
        let signature = Signature {
            convention: signature.convention,
            params: params(&signature.params),
            results: params(&signature.results),
            arity: signature.arity,
        };
        // Every limit that it could break it has kept before.
        self.to.types.signature(signature).unwrap_or(id)
    }

    fn compound(&mut self, ty: Type) -> Type {
        if let TypeKind::Function(id) = ty.kind() {
            return Type::function(self.signature(id));
        }
        let made = match self.from.types.aggregate(ty) {
            Some(Aggregate::Struct { fields, packing }) => {
                let fields: Vec<Type> = fields.iter().map(|&field| self.ty(field)).collect();
                self.to.types.structure(&fields, *packing)
            }
            Some(Aggregate::Array { element, length }) => {
                let element = self.ty(*element);
                self.to.types.array(element, *length)
            }
            None => return ty,
        };
        made.unwrap_or(ty)
    }
}

impl Importer<'_> {
    fn agrees_on_function(&mut self, function: &Function) -> bool {
        let known = match self.to.symbol(&function.name) {
            Some(Symbol::Function(known)) => known,
            Some(Symbol::Data(_)) => return false,
            None => return true,
        };
        let sig = self.signature(function.sig);
        self.to.function(known).is_some_and(|known| {
            known.sig == sig && known.linkage.is_foreign() == function.linkage.is_foreign()
        })
    }

    fn agrees_on_data(&self, object: &DataObject) -> bool {
        match self.to.symbol(&object.name) {
            Some(Symbol::Data(known)) => self.to.data(known).is_some_and(|known| {
                let foreign = (known.linkage.is_foreign(), object.linkage.is_foreign());
                foreign.0 == foreign.1
                    && known.layout() == object.layout()
                    && (known.content, known.storage) == (object.content, object.storage)
            }),
            Some(Symbol::Function(_)) => false,
            None => true,
        }
    }
}

impl Translation for Importer<'_> {
    fn ty(&mut self, ty: Type) -> Type {
        if !matches!(ty.kind(), TypeKind::Aggregate(_) | TypeKind::Function(_)) {
            return ty;
        }
        if let Some(&known) = self.types.get(&ty) {
            return known;
        }
        let made = self.compound(ty);
        self.types.insert(ty, made);
        made
    }

    fn function(&mut self, function: FuncId) -> FuncId {
        if let Some(&known) = self.functions.get(&function) {
            return known;
        }
        let Some(original) = self.from.function(function) else { return function };
        let sig = self.signature(original.sig);
        let linkage = match original.linkage {
            foreign if foreign.is_foreign() => foreign,
            _ => Linkage::Import,
        };
        // A name that the other module has already is that of the same function.
        let made = self.to.declare_function(&original.name, sig, linkage);
        let made = made.ok().or_else(|| self.to.function_named(&original.name));
        let Some(made) = made else { return function };
        if let Some(declared) = self.to.function_mut(made) {
            declared.attributes = original.attributes.clone();
        }
        self.functions.insert(function, made);
        made
    }

    fn data(&mut self, data: DataId) -> DataId {
        if let Some(&known) = self.data.get(&data) {
            return known;
        }
        let Some(original) = self.from.data(data) else { return data };
        let made = match self.to.symbol(&original.name) {
            Some(Symbol::Data(known)) => known,
            _ => self.to.declare_data(original.declaration()).unwrap_or(data),
        };
        self.data.insert(data, made);
        made
    }

    fn string(&mut self, string: u32) -> u32 {
        let (from, to) = (self.from, &mut *self.to);
        *self.strings.entry(string).or_insert_with(|| to.intern(from.string(string)))
    }

    fn class(&mut self, class: AliasClass) -> AliasClass {
        if let Some(&known) = self.classes.get(&class) {
            return known;
        }
        // Parents stand before their parts, so that this ends; a chain as long
        // as the module has classes must not grow the stack.
        let mut chain = vec![class];
        while let Some(parent) = chain.last().and_then(|&class| self.from.class_parent(class)) {
            if self.classes.contains_key(&parent) {
                break;
            }
            chain.push(parent);
        }
        for class in chain.into_iter().rev() {
            let parent = self.from.class_parent(class);
            let parent = parent.and_then(|parent| self.classes.get(&parent).copied());
            let made = self.to.alias_class(self.from.class_name(class), parent);
            self.classes.insert(class, made);
        }
        self.classes.get(&class).copied().unwrap_or(class)
    }
}

#[cfg(test)]
mod tests {
    use crate::text::{parse_module, print_module};

    #[test]
    fn a_function_takes_along_what_it_names_and_nothing_else() {
        let text = "class !memory
class !float in !memory
data @unused = { zero 4 }
data @table align 64 const = { i32 [1, 2, 3] }
foreign func @abs(i32) -> i32
func @other({i8, i64}) -> i64 {
block0(%a: {i8, i64}):
    return 1
}
func @unrelated() {
block0:
    return
}
func @f(ptr) -> i64 {
    exit0 = deopt @f (ptr)
    loc0 = \"a.jl\":3:1
block0(%p: ptr):
    %x = load.f32 %p class !float
    %y = data_load.i32 @table, 4
    %z = call_foreign @abs(%y) !loc0
    %r = call @other({i8, i64}:zero)
    %h = cpu_has \"avx2\"
    check %h, exit0(%p)
    return %r
}
";
        let mut module = parse_module(text).unwrap();
        let extract = module.extract(module.function_named("f").unwrap()).unwrap();
        let printed = print_module(&extract.module);
        expect_test::expect![[r#"
            class !memory
            class !float in !memory

            func @f(ptr) -> i64 {
                exit0 = deopt @f (ptr)
                loc0 = "a.jl":3:1
            block0(%p: ptr):
                %x = load.f32 %p class !float
                %y = data_load.i32 @table, 4
                %z = call_foreign @abs(%y) !loc0
                %r = call @other(zero)
                %h = cpu_has "avx2"
                check %h, exit0(%p)
                return %r
            }

            data @table size 12 align 64 const = { }
            foreign func @abs(i32) -> i32
            import func @other({i8, i64}) -> i64
        "#]]
        .assert_eq(&printed);
        let function = module.function_named("f").unwrap();
        let taken = module.extract_taking(function).unwrap();
        assert_eq!(print_module(&taken.module), printed);
        assert!(module.extract_taking(function).is_none());
    }
}
