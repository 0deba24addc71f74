//! What our lowering hands to the back end, read back from its text.

use std::collections::HashSet;

use brolga::Level;
use brolga::ir::entity::FuncId;
use brolga::ir::module::Module;
use brolga::lowering::emit::{Compiler, Listing};
use brolga::lowering::options::LowerOptions;
use brolga::lowering::prelude;
use brolga::lowering::target::{Isa, IsaOptions};
use cranelift_codegen::ir::Function;
use cranelift_reader::parse_functions;

use crate::backend::BackendError;

/// What a function names, as the words behind its text say.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Reference {
    /// A function of the module or the prelude, called.
    Call(String),
    /// The address by which a function is known.
    Stub(String),
    /// A data object of the module.
    Data(String),
    /// Eight bytes with the address of a symbol of the process.
    AddressSlot(String),
    /// The way to a function of the process.
    Foreign(String),
    /// The way to a function of the process by its address, which no kernel goes.
    Pointer(String),
    /// An entry of the runtime.
    Runtime(String),
    /// What no kernel gets to.
    Other,
}

impl Reference {
    fn parse(words: &str) -> Reference {
        type Make = fn(String) -> Reference;
        let kinds = [
            ("call @", Reference::Call as Make),
            ("prelude @", Reference::Call),
            ("stub @", Reference::Stub),
            ("data @", Reference::Data),
            ("address slot @", Reference::AddressSlot),
            ("foreign thunk @", |call| Reference::Foreign(called_by(&call).to_owned())),
            ("pointer thunk ", Reference::Pointer),
            ("runtime ", Reference::Runtime),
        ];
        let found = kinds
            .iter()
            .find_map(|(start, make)| words.strip_prefix(start).map(|name| make(name.to_owned())));
        found.unwrap_or(Reference::Other)
    }
}

/// The name in that of a thunk, `free (ptr)`, behind which the signature of the call stands.
fn called_by(thunk: &str) -> &str {
    thunk.split_once(" (").map_or(thunk, |(name, _)| name)
}

/// A function as Cranelift takes it, and what it names, by their numbers.
#[derive(Clone, Debug)]
pub(super) struct ListedFunction {
    pub(super) name: String,
    pub(super) code: Function,
    pub(super) references: Vec<Reference>,
}

/// A module whose functions are Cranelift's, together with those of the prelude that they call.
#[derive(Debug)]
pub(super) struct Listed {
    pub(super) module: Module,
    pub(super) functions: Vec<ListedFunction>,
}

impl Listed {
    pub(super) fn of(module: Module) -> Result<Listed, BackendError> {
        let mut work = Work {
            isa: Isa::host(IsaOptions::default())?,
            compiler: Compiler::new(),
            functions: Vec::new(),
        };
        for (id, function) in module.functions() {
            if function.body.is_some() {
                work.list(&module, id, &function.name)?;
            }
        }
        work.list_prelude()?;
        Ok(Listed { module, functions: work.functions })
    }
}

struct Work {
    isa: Isa,
    compiler: Compiler,
    functions: Vec<ListedFunction>,
}

impl Work {
    fn list(&mut self, module: &Module, id: FuncId, name: &str) -> Result<(), BackendError> {
        // What our own passes leave out or take over is not the other back end's merit.
        let options = LowerOptions { level: Level::O0, ..LowerOptions::default() };
        let text = self.compiler.list_function(module, id, &self.isa, &options, Listing::Clif)?;
        let (code, references) = parse(&text)?;
        self.functions.push(ListedFunction { name: name.to_owned(), code, references });
        Ok(())
    }

    /// Functions of the prelude that those listed so far call, and what they call in turn.
    fn list_prelude(&mut self) -> Result<(), BackendError> {
        let module = prelude::module();
        let mut known: HashSet<String> =
            self.functions.iter().map(|function| function.name.clone()).collect();
        let mut next = 0;
        while next < self.functions.len() {
            for reference in self.functions[next].references.clone() {
                let Reference::Call(name) = reference else { continue };
                let Some(id) = module.function_named(&name) else { continue };
                if known.insert(name.clone()) {
                    self.list(module, id, &name)?;
                }
            }
            next += 1;
        }
        Ok(())
    }
}

/// The function of a listing, and what stands for each of its numbers.
fn parse(text: &str) -> Result<(Function, Vec<Reference>), BackendError> {
    // A symbol that is an address prints by its place in a table of the function's, which is
    // its number; the reader fills that table anew and wants the number itself.
    let text = text.replace("userextname", "u0:");
    let references: Vec<Reference> = text
        .lines()
        .filter_map(|line| line.strip_prefix("; u0:")?.split_once(" is "))
        .map(|(_, words)| Reference::parse(words))
        .collect();
    let functions = parse_functions(&text)?;
    let [code] =
        <[Function; 1]>::try_from(functions).map_err(|_| "a listing holds one function")?;
    if code.params.user_named_funcs().values().any(|name| name.namespace != 0) {
        return Err("calls of variadic functions need code that is not in the listing".into());
    }
    Ok((code, references))
}

#[cfg(test)]
mod tests {
    use brolga::ir::text::parse_module;

    use super::*;

    #[test]
    fn functions_come_back_with_what_they_name() {
        let text = "data @d = { i64 7 }
func @f() -> i64 {
entry:
    %x = data_load.i64 @d, 0
    %y = call @g(%x)
    return %y
}
func @g(i64) -> i64 {
entry(%x: i64):
    return %x
}";
        let listed = Listed::of(parse_module(text).unwrap()).unwrap();
        let names: Vec<&str> = listed.functions.iter().map(|f| f.name.as_str()).collect();
        assert_eq!(names, ["f", "g"]);
        let data = Reference::Data("d".to_owned());
        assert!(listed.functions[0].references.contains(&data), "{listed:?}");
        assert!(listed.functions[0].references.contains(&Reference::Call("g".to_owned())));
    }
}
