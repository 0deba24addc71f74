//! The order of modules.

use super::{Finding, Order};
use crate::repository::{Repository, TextFile};
use crate::rust_text::{line_of, words};

/// Modules of the same order that stand above the file's own.
pub(super) fn check(order: &Order, file: &TextFile, code: &str) -> Vec<Finding> {
    let path = module_path(order, &file.path);
    let Some(own) = path.first().copied() else {
        return Vec::new();
    };
    if path.contains(&"tests") {
        return Vec::new();
    }
    let layer = |module: &str| order.modules.iter().position(|layer| layer.contains(&module));
    let Some(own_layer) = layer(own) else {
        // Said once, at the module's own file.
        if path.len() > 1 {
            return Vec::new();
        }
        let fault = format!("the module `{own}` has no place in the order");
        let mend =
            format!("put it into the `modules` of `{}` in the check `imports`", order.folder);
        return vec![Finding::new(&file.path, 0, fault, mend)];
    };
    let stands_above =
        |module: &str| module != own && layer(module).is_some_and(|layer| layer >= own_layer);
    let named = named_modules(order, code, path.len());
    let upward = named.into_iter().filter(|(_, module)| stands_above(module));
    upward
        .map(|(at, module)| {
            let fault = format!("`{own}` names `{module}`, which stands above or beside it");
            let mend = "move what both need below both";
            Finding::new(&file.path, line_of(code, at), fault, mend)
        })
        .collect()
}

/// Modules that have a place in the order and no file.
pub(super) fn gone(order: &Order, repository: &Repository) -> Vec<Finding> {
    let modules = order.modules.iter().copied().flatten();
    let paths = modules.map(|module| format!("{}{module}", order.folder));
    let exists = |path: &String| {
        repository.paths.contains(path) || repository.paths.contains(&format!("{path}.rs"))
    };
    paths
        .filter(|path| !exists(path))
        .map(|path| {
            let mend = "take it out of `ORDERS` in the check `imports`";
            Finding::new(&path, 0, "has a place in the order of modules and is not there", mend)
        })
        .collect()
}

/// The modules from the order's folder to the file; empty for the root of the
/// crate and for what does not stand in the folder.
fn module_path<'a>(order: &Order, path: &'a str) -> Vec<&'a str> {
    let inside = path.strip_prefix(order.folder).and_then(|inside| inside.strip_suffix(".rs"));
    let parts = inside.into_iter().flat_map(|inside| inside.split('/'));
    parts.filter(|part| !matches!(*part, "mod" | "lib" | "main")).collect()
}

/// The first module of every path of `code` that starts where the order's modules
/// do, be it by `crate::` or by as many `super::` as the file is deep.
fn named_modules<'c>(order: &Order, code: &'c str, depth: usize) -> Vec<(usize, &'c str)> {
    let mut found = Vec::new();
    let climb = "super::".repeat(depth.max(1));
    for start in [format!("crate::{}", order.parent), climb] {
        for (at, _) in code.match_indices(&start) {
            let after = at + start.len();
            found.extend(
                heads(&code[after..]).into_iter().map(|(offset, name)| (after + offset, name)),
            );
        }
    }
    found
}

/// The first names of a path, or of each path of a group in braces.
fn heads(path: &str) -> Vec<(usize, &str)> {
    if !path.starts_with('{') {
        return words(path).next().filter(|(at, _)| *at == 0).into_iter().collect();
    }
    let mut depth = 0_usize;
    let mut heads = Vec::new();
    let mut expects_head = false;
    for (at, c) in path.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            break;
        }
        if depth == 1 && matches!(c, '{' | ',') {
            expects_head = true;
        } else if expects_head && !c.is_whitespace() {
            expects_head = false;
            heads.extend(
                words(&path[at..])
                    .next()
                    .filter(|(offset, _)| *offset == 0)
                    .map(|(_, name)| (at, name)),
            );
        }
    }
    heads
}

#[cfg(test)]
mod tests {
    use super::super::tests::{ORDERS, found};
    use super::*;

    #[test]
    fn a_module_that_names_one_above_or_beside_it_is_found() {
        for text in [
            "use crate::builder::Builder;",
            "use crate::{op::Op, builder::{self, Builder}};",
            "fn f(b: &crate::builder::Builder) {}",
            "use super::verify;",
        ] {
            assert_eq!(found("ir/src/text.rs", text).len(), 1, "{text}");
        }
        assert_eq!(found("ir/src/text/print.rs", "use super::super::builder::B;").len(), 1);
    }

    #[test]
    fn modules_of_a_folder_have_an_order_of_their_own() {
        for text in ["use crate::text::print::P;", "use super::print;", "use crate::builder::B;"] {
            assert_eq!(found("ir/src/text/parse.rs", text).len(), 1, "{text}");
        }
        assert_eq!(found("ir/src/text/parse/number.rs", "use super::super::print;").len(), 1);
        assert_eq!(found("ir/src/text/parse/number.rs", "use super::print;"), []);
        assert_eq!(found("ir/src/text/parse.rs", "use crate::text::lexer;\nuse crate::op;"), []);
        assert!(found("ir/src/text/new.rs", "")[0].1.contains("no place"));
    }

    #[test]
    fn what_follows_the_order_and_what_only_tests_name_is_not_found() {
        for text in [
            "use crate::op::{self, verify};",
            "use crate::text::lexer;",
            "use super::op;",
            "#[cfg(test)]\nmod tests { use crate::builder::Builder; }",
        ] {
            assert_eq!(found("ir/src/text.rs", text), [], "{text}");
        }
        assert_eq!(found("ir/src/text/print.rs", "use super::verify;"), []);
        assert_eq!(found("ir/src/text/tests.rs", "use crate::builder::Builder;"), []);
        assert_eq!(found("ir/src/text/tests/more.rs", "use crate::builder::Builder;"), []);
        assert_eq!(found("ir/tests/all.rs", "use crate::builder::Builder;"), []);
        assert_eq!(found("ir/src/lib.rs", "pub use crate::builder::Builder;"), []);
    }

    #[test]
    fn a_module_that_is_gone_is_found() {
        let files = [("ir/src/op.rs", ""), ("ir/src/text/print.rs", ""), ("ir/src/verify.rs", "")];
        let gone = gone(&ORDERS[0], &Repository::of(&files));
        assert_eq!(gone.len(), 1, "{gone:?}");
        assert_eq!(gone[0].path, "ir/src/builder");
    }
}
