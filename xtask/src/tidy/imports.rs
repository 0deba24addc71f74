//! Imports follow the data flow: between crates, in manifests and in code, and
//! between the modules of one crate.

use super::Finding;
use crate::repository::{Repository, TextFile};
use crate::rust_text::{code_of, line_of, without_tests, words};

mod modules;

/// What the code under a folder may name of the crates that have an order.
struct Room {
    /// Folder, with a closing slash, or a module's file and folder, without.
    folder: &'static str,
    /// Crates that it may name; one that ends in `_` stands for a family.
    may_name: &'static [&'static str],
}

/// Modules that import one way.
struct Order {
    /// Their folder, with a closing slash.
    folder: &'static str,
    /// The path of the module that the folder is, with closing colons; empty for
    /// the root of a crate.
    parent: &'static str,
    /// The modules, lowest first; those of one row are strangers to each other.
    modules: &'static [&'static [&'static str]],
}

/// Crates whose naming is restricted; one that ends in `_` stands for a family.
const ORDERED: &[&str] = &[
    "brolga",
    "brolga_baseline",
    "brolga_debugging",
    "brolga_ir",
    "brolga_lifecycle",
    "brolga_lowering",
    "cranelift_",
];

/// The longest folder that matches a file decides.
const ROOMS: &[Room] = &[
    Room { folder: "ir/", may_name: &["cranelift_entity"] },
    Room { folder: "ir/tests/", may_name: &["brolga_ir"] },
    Room { folder: "lowering/", may_name: &["brolga_ir", "cranelift_"] },
    // Passes and what they go by ask the target's facts, and nobody asks the back end.
    Room { folder: "lowering/src/", may_name: &["brolga_ir", "cranelift_entity"] },
    Room { folder: "lowering/src/emit", may_name: &["brolga_ir", "cranelift_"] },
    Room { folder: "lowering/src/object", may_name: &["brolga_ir", "cranelift_"] },
    Room { folder: "lowering/src/target", may_name: &["brolga_ir", "cranelift_"] },
    Room { folder: "baseline/", may_name: &["brolga_ir", "brolga_lowering"] },
    Room {
        folder: "baseline/tests/",
        may_name: &["brolga_baseline", "brolga_ir", "brolga_lowering"],
    },
    Room { folder: "lifecycle/", may_name: &[] },
    // Units of both tiers are tried in its tests, for which its manifest names the first one.
    Room { folder: "debugging/", may_name: &["brolga_baseline", "brolga_ir", "brolga_lowering"] },
    Room { folder: "debugging/src/", may_name: &["brolga_lowering"] },
    Room {
        folder: "debugging/tests/",
        may_name: &["brolga_baseline", "brolga_debugging", "brolga_ir", "brolga_lowering"],
    },
    Room {
        folder: "debugging/examples/",
        may_name: &["brolga_debugging", "brolga_ir", "brolga_lowering"],
    },
    Room {
        folder: "src/",
        may_name: &[
            "brolga_baseline",
            "brolga_debugging",
            "brolga_ir",
            "brolga_lifecycle",
            "brolga_lowering",
        ],
    },
    Room { folder: "lowering/tests/", may_name: &["brolga_ir", "brolga_lowering"] },
    Room { folder: "src/bin/", may_name: &["brolga", "brolga_ir", "brolga_lowering"] },
    Room { folder: "tests/", may_name: &["brolga", "brolga_ir", "brolga_lowering"] },
    Room { folder: "examples/", may_name: &["brolga", "brolga_ir"] },
    Room { folder: "fuzz/", may_name: &["brolga", "brolga_ir", "brolga_lowering"] },
    Room { folder: "testing/", may_name: &["brolga", "brolga_ir", "brolga_lowering"] },
    Room { folder: "xtask/", may_name: &["brolga_baseline", "brolga_ir", "brolga_lowering"] },
    Room {
        folder: "benches/",
        may_name: &["brolga", "brolga_ir", "brolga_lowering", "cranelift_"],
    },
];

/// A folder that is part of another's module has an order of its own as well.
const ORDERS: &[Order] = &[
    Order {
        folder: "ir/src/",
        parent: "",
        modules: &[
            &["prefetch"],
            &["entity", "float", "trap", "va_list"],
            &["merge", "types"],
            &["attribute"],
            &["constant", "op", "order"],
            &["datum", "instruction", "managed"],
            &["body"],
            &["flow", "module"],
            &["dominators", "regions", "report", "typing"],
            &["observe", "text"],
            &["interpret", "verify"],
            &["builder", "reduce"],
            &["llvm"],
        ],
    },
    Order {
        folder: "ir/src/llvm/",
        parent: "llvm::",
        modules: &[
            &["startup"],
            &["syntax"],
            &["report"],
            &["lexer"],
            &["parse"],
            &["translate", "write"],
            &["program"],
        ],
    },
    Order {
        folder: "lowering/src/",
        parent: "",
        modules: &[
            &["level"],
            &["options", "runtime", "target"],
            &["analysis", "buffer", "error", "legal_form", "prelude", "unit"],
            &["pass"],
            &["clean_up", "early_optimisation", "early_simplification", "loops", "scalars"],
            &["vectorisation"],
            &["continuation", "pipeline"],
            &["emit"],
            &["dependencies"],
            &["object"],
        ],
    },
    Order {
        folder: "baseline/src/",
        parent: "",
        modules: &[
            &["take"],
            &["error", "key", "reference", "sites"],
            &["assembler", "stencil"],
            &["homes"],
            &["registers"],
            &["function"],
            &["fresh"],
        ],
    },
    Order {
        folder: "lifecycle/src/",
        parent: "",
        modules: &[
            &["escape", "sync"],
            &["barrier", "instance", "job", "names", "numbers", "queue", "table", "tiers"],
            &["epoch", "holders", "life", "trace"],
            &["resolve", "retired"],
        ],
    },
    Order {
        folder: "debugging/src/",
        parent: "",
        modules: &[&["names", "placed"], &["lines"], &["perf_map"], &["gdb", "jitdump"]],
    },
    Order {
        folder: "debugging/src/gdb/",
        parent: "gdb::",
        modules: &[&["frame", "inlined"], &["dwarf"], &["image"], &["descriptor"]],
    },
    Order {
        folder: "src/",
        parent: "",
        modules: &[&["memory"], &["error"], &["runtime"], &["link"], &["engine"]],
    },
];

pub(super) fn check(repository: &Repository) -> Vec<Finding> {
    let mut findings = check_with(ROOMS, ORDERS, repository);
    findings.extend(ORDERS.iter().flat_map(|order| modules::gone(order, repository)));
    findings
}

fn check_with(rooms: &[Room], orders: &[Order], repository: &Repository) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in repository.with_extension("rs") {
        match room_of(rooms, &file.path) {
            Some(room) => {
                let code = code_of(&file.text);
                findings.extend(foreign_crates(room, file, &code));
                let code = without_tests(&code);
                let found = orders.iter().flat_map(|order| modules::check(order, file, code));
                findings.extend(found);
            }
            None => {
                let mend = "give its folder a row in `ROOMS` of the check `imports`";
                findings.push(Finding::new(&file.path, 0, "stands in no room", mend));
            }
        }
    }
    for file in repository.with_extension("toml").filter(|file| file.path.ends_with("Cargo.toml")) {
        let room = match file.path.as_str() {
            "Cargo.toml" => room_of(rooms, "src/lib.rs"),
            path => room_of(rooms, path),
        };
        findings.extend(room.map(|room| foreign_dependencies(room, file)).unwrap_or_default());
    }
    findings
}

fn room_of<'a>(rooms: &'a [Room], path: &str) -> Option<&'a Room> {
    let matching = rooms.iter().filter(|room| path.starts_with(room.folder));
    matching.max_by_key(|room| room.folder.len())
}

fn covers(names: &[&str], name: &str) -> bool {
    names.iter().any(|known| *known == name || (known.ends_with('_') && name.starts_with(known)))
}

fn foreign_crates(room: &Room, file: &TextFile, code: &str) -> Vec<Finding> {
    let named = words(code).filter(|(at, word)| {
        let is_path = code[at + word.len()..].starts_with("::");
        let before = code[..*at].trim_end();
        let is_import = before.ends_with("use") || before.ends_with("extern crate");
        (is_path || is_import) && covers(ORDERED, word) && !covers(room.may_name, word)
    });
    named
        .map(|(at, word)| {
            let fault = format!("names `{word}`, which `{}` may not", room.folder);
            Finding::new(
                &file.path,
                line_of(code, at),
                fault,
                "move the shared fact to the lower room, as data",
            )
        })
        .collect()
}

fn foreign_dependencies(room: &Room, file: &TextFile) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut inside = false;
    for (number, line) in file.text.lines().enumerate() {
        if let Some(section) = line.trim().strip_prefix('[') {
            inside = section.trim_end_matches(']').ends_with("dependencies")
                && !section.starts_with("workspace");
            continue;
        }
        let key = line.split(['=', '.']).next().unwrap_or("").trim().replace('-', "_");
        if inside && covers(ORDERED, &key) && !covers(room.may_name, &key) {
            let fault = format!("depends on `{key}`, which `{}` may not", room.folder);
            findings.push(Finding::new(
                &file.path,
                number + 1,
                fault,
                "import follows the data flow",
            ));
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROOMS: &[Room] = &[
        Room { folder: "ir/", may_name: &["cranelift_entity"] },
        Room { folder: "lowering/", may_name: &["brolga_ir", "cranelift_"] },
    ];

    pub(super) const ORDERS: &[Order] = &[
        Order {
            folder: "ir/src/",
            parent: "",
            modules: &[&["op"], &["text", "verify"], &["builder"]],
        },
        Order {
            folder: "ir/src/text/",
            parent: "text::",
            modules: &[&["lexer"], &["parse"], &["print"]],
        },
    ];

    pub(super) fn found(path: &str, text: &str) -> Vec<(usize, String)> {
        let findings = check_with(ROOMS, ORDERS, &Repository::of(&[(path, text)]));
        findings.into_iter().map(|finding| (finding.line, finding.fault)).collect()
    }

    #[test]
    fn a_lower_crate_that_names_an_upper_one_is_found() {
        let found = found(
            "ir/src/op.rs",
            "// cranelift_codegen::ir\nuse cranelift_codegen::ir;\nuse cranelift_entity::SecondaryMap;\n",
        );
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(found[0].0, 2);
        assert_eq!(tests::found("lowering/src/a.rs", "fn f() { brolga::run() }").len(), 1);
    }

    #[test]
    fn a_manifest_that_names_an_upper_crate_is_found() {
        let text = "[package]\nname = \"brolga-ir\"\n[dependencies]\ncranelift-entity.workspace = true\n[target.'cfg(unix)'.dev-dependencies]\nbrolga-lowering = \"1\"\n";
        let found = found("ir/Cargo.toml", text);
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(found[0].0, 6);
    }

    #[test]
    fn a_module_and_a_folder_without_a_place_are_found() {
        assert!(found("ir/src/new.rs", "")[0].1.contains("no place"));
        assert_eq!(found("ir/src/new/part.rs", ""), []);
        assert!(found("attic/a.rs", "")[0].1.contains("no room"));
    }
}
