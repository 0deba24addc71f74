//! Programs of several texts.

use hashbrown::HashMap;

use super::ReadOptions;
use super::syntax::Selection;
use super::translate::{self, Comdat, Declared, Definition, Program, Room, SharedAlias};
use crate::module::{Linkage, Module, Symbol};
use crate::text::{Diagnostic, check_size};

/// What is wrong with one text of a program.
#[derive(Clone, Debug)]
pub struct TextErrors {
    /// Which text it is, from 0.
    pub text: usize,
    /// What [`read_module`](super::read_module) says of it.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads the texts of one program, as a linker would put them together: what one text
/// declares and another defines becomes an import, as does what several define and may:
/// weak definitions, comdats, `common` variables. What `options` say beside that goes for
/// every text.
///
/// # Errors
/// What is wrong with each text that is no module, or whose comdats do not fit those of
/// others.
pub fn read_program(texts: &[&str], options: &ReadOptions) -> Result<Vec<Module>, Vec<TextErrors>> {
    let mut options = options.clone();
    // Nobody looks at what the only text defines.
    let others = if texts.len() == 1 { &[] } else { texts };
    let mut declared = Vec::new();
    for (number, text) in (0..).zip(others) {
        options.number = number;
        let found = match check_size(text, &options.limits) {
            Some(_) => Declared::default(),
            None => translate::declared(text, &options),
        };
        options.defined.extend(found.names.iter().cloned());
        declared.push(found);
    }
    let program = join(&declared);
    let (mut modules, mut errors) = (Vec::new(), Vec::new());
    for (number, text) in (0..).zip(texts) {
        options.number = number;
        match read(text, &options, &program) {
            Ok(module) => modules.push(module),
            Err(diagnostics) => errors.push(TextErrors { text: number as usize, diagnostics }),
        }
    }
    if errors.is_empty() { Ok(modules) } else { Err(errors) }
}

/// Reads a text of a program.
pub(super) fn read(
    text: &str,
    options: &ReadOptions,
    program: &Program<'_>,
) -> Result<Module, Vec<Diagnostic>> {
    match check_size(text, &options.limits) {
        Some(error) => Err(vec![error]),
        None => translate::translate(text, options, program),
    }
}

/// What the texts of a program define together.
fn join(texts: &[Declared]) -> Program<'_> {
    let mut program = Program { definitions: definitions(texts), ..Program::default() };
    for (number, text) in (0..).zip(texts) {
        for (name, room) in &text.commons {
            add_common(&mut program, texts, number, (name, *room));
        }
    }
    let mut places: HashMap<&str, Vec<(u32, &Comdat)>> = HashMap::new();
    let mut names = Vec::new();
    for (number, text) in (0..).zip(texts) {
        for comdat in &text.comdats {
            let found = places.entry(&comdat.name).or_default();
            found.push((number, comdat));
            if found.len() == 2 {
                names.push(&*comdat.name);
            }
        }
    }
    for name in names {
        if let Some(Err(message)) = places.get(name).map(|all| choose(&mut program, texts, all)) {
            program.conflicts.insert(name, message);
        }
    }
    program
}

/// The definitions that count: of several the first, but one that is not weak before those
/// that are.
fn definitions(texts: &[Declared]) -> HashMap<&str, Definition<'_>> {
    let mut found = HashMap::new();
    for wanted in [Linkage::Export, Linkage::Weak] {
        for (number, text) in (0..).zip(texts) {
            for &symbol in text.module.declarations() {
                let definition = definition(number, text, symbol);
                if let Some(definition) = definition.filter(|it| it.linkage == wanted) {
                    found.entry(text.module.symbol_name(symbol)).or_insert(definition);
                }
            }
            for alias in text.aliases.iter().filter(|alias| alias.linkage == wanted) {
                found.entry(&*alias.name).or_insert(alias_definition(number, text, alias));
            }
        }
    }
    found
}

fn definition(text: u32, declared: &Declared, symbol: Symbol) -> Option<Definition<'_>> {
    let module = &declared.module;
    let linkage = match symbol {
        Symbol::Function(id) => module.function(id)?.linkage,
        Symbol::Data(id) => module.data(id)?.linkage,
    };
    Some(Definition { text, module, symbol, offset: 0, linkage, is_alias: false })
}

fn alias_definition<'m>(text: u32, declared: &'m Declared, alias: &SharedAlias) -> Definition<'m> {
    let &SharedAlias { symbol, offset, linkage, .. } = alias;
    Definition { text, module: &declared.module, symbol, offset, linkage, is_alias: true }
}

/// Lets one text have the definition of a name, unless it is one that gives way to none.
fn prefer<'m>(program: &mut Program<'m>, texts: &'m [Declared], text: u32, name: &'m str) {
    let Some(known) = program.definitions.get_mut(name) else { return };
    let declared = &texts[text as usize];
    let own = match declared.module.symbol(name) {
        Some(symbol) => definition(text, declared, symbol),
        None => {
            let place = declared.aliases.binary_search_by(|alias| (*alias.name).cmp(name));
            place.ok().map(|place| alias_definition(text, declared, &declared.aliases[place]))
        }
    };
    if let Some(own) = own.filter(|own| own.linkage == Linkage::Weak)
        && known.linkage == Linkage::Weak
    {
        *known = own;
    }
}

/// Adds a variable of linkage `common`: it takes as much as any text says, and comes before
/// weak ones.
fn add_common<'m>(
    program: &mut Program<'m>,
    texts: &'m [Declared],
    text: u32,
    (name, room): (&'m str, Room),
) {
    match program.commons.get_mut(name) {
        Some(known) => {
            known.size = known.size.max(room.size);
            known.align = known.align.max(room.align);
        }
        None => {
            program.commons.insert(name, room);
            prefer(program, texts, text, name);
        }
    }
}

/// Finds out whose comdat of one name stands for those of all texts that have one, and lets
/// it have the definitions.
///
/// # Errors
/// What does not fit.
fn choose<'m>(
    program: &mut Program<'m>,
    texts: &'m [Declared],
    comdats: &[(u32, &'m Comdat)],
) -> Result<(), String> {
    let Some(((_, first), rest)) = comdats.split_first() else { return Ok(()) };
    let (name, selection) = (&*first.name, first.selection);
    if let Some((_, other)) = rest.iter().find(|(_, other)| other.selection != selection) {
        let (one, other) = (selection.word(), other.selection.word());
        return Err(format!("the comdat `${name}` is `{one}` in one file, `{other}` in another"));
    }
    let sizes: Vec<Option<u64>> = comdats
        .iter()
        .map(|(text, _)| {
            let module = &texts[*text as usize].module;
            match module.symbol(name)? {
                Symbol::Data(id) => module.data(id).map(|object| object.size),
                Symbol::Function(_) => None,
            }
        })
        .collect();
    let largest = sizes.iter().max().copied().flatten();
    match selection {
        Selection::Any | Selection::NoDeduplicate => Ok(()),
        Selection::ExactMatch => Err(format!(
            "several files have the comdat `${name}`, and that they hold the same is not checked: \
             `exactmatch` is for one file"
        )),
        Selection::Largest | Selection::SameSize if sizes.contains(&None) => Err(format!(
            "the comdat `${name}` is chosen by the size of a variable of its name, and there is none"
        )),
        Selection::SameSize if sizes.iter().any(|&size| size != largest) => {
            Err(format!("the comdat `${name}` is of different sizes in several files"))
        }
        Selection::SameSize => Ok(()),
        Selection::Largest => {
            let place = sizes.iter().position(|&size| size == largest).unwrap_or(0);
            let (text, comdat) = comdats[place];
            for member in &comdat.members {
                prefer(program, texts, text, member);
            }
            Ok(())
        }
    }
}
