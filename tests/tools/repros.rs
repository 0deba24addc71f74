use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use brolga::ir::text::parse_module;
use brolga::ir::types::{Signature, TypePool};
use brolga::lowering::pipeline::Inspection;
use brolga::{Config, Engine, LoadError, Observer, Reach, ReproError, ResolveError, Tier, Tiering};

use crate::{TEXT, folder};

fn fixed(tier: Tier) -> Engine {
    Engine::new(Config { tiering: Tiering::Fixed(tier), ..Config::default() }).unwrap()
}

/// The text of a function of an engine.
fn dumped(engine: &Engine, name: &str, folder: &Path) -> String {
    let path = folder.join("dumped.bir");
    engine.dump_repro(name, &path).unwrap();
    fs::read_to_string(path).unwrap()
}

#[test]
fn a_dump_has_the_function_with_whose_code_it_takes_over_and_how_it_is_compiled() {
    let (engine, folder) = (fixed(Tier::Hot), folder("repro"));
    let unrelated = "export func @unrelated() {\nb:\n    return\n}\n";
    engine.define(&(TEXT.to_owned() + unrelated)).unwrap();
    let text = dumped(&engine, "climb", &folder);
    let module = parse_module(&text).unwrap();
    let is_defined = |name: &str| {
        let function = module.function_named(name).and_then(|id| module.function(id));
        function.map(|function| function.body.is_some())
    };
    assert_eq!(is_defined("climb"), Some(true));
    assert_eq!(is_defined("step"), Some(true));
    assert_eq!(is_defined("unrelated"), None);
    let head: Vec<&str> = text.lines().take_while(|line| line.starts_with(';')).collect();
    assert_eq!(head[0], "; How @climb is compiled at the tier `hot`:");
    assert!(head[2].contains("brolga compile -O2 --target 'x86_64-"), "{text}");
    assert!(head[2].ends_with(" --function 'climb' FILE"), "{text}");
    assert!(head[5].contains("polls: Explicit"), "all options: {text}");
}

#[test]
fn a_dump_is_of_the_tier_that_the_code_has_and_of_the_definition_that_there_is() {
    let (engine, folder) = (fixed(Tier::Quick), folder("repro_tier"));
    engine.define(TEXT).unwrap();
    let text = dumped(&engine, "climb", &folder);
    assert!(text.starts_with("; How @climb is compiled at the tier `quick`:"), "{text}");
    assert!(text.contains("import func @step"), "it takes no code over: {text}");
    engine.define("export func @climb() -> i8 {\nb:\n    return 77\n}").unwrap();
    assert!(dumped(&engine, "climb", &folder).contains("return 77"));
}

#[test]
fn what_cannot_be_dumped_is_an_error() {
    let (engine, folder) = (fixed(Tier::Hot), folder("repro_errors"));
    let path = folder.join("dumped.bir");
    assert!(matches!(engine.dump_repro("f", &path), Err(ReproError::Missing { .. })));
    engine.load(TEXT).unwrap();
    assert!(matches!(engine.dump_repro("climb", &path), Err(ReproError::Loaded { .. })));
    let make = || Err("nobody asks for it".into());
    let (types, signature) = (TypePool::default(), Signature::internal(&[], &[]));
    let main = engine.library("main").unwrap();
    main.define_later("later", &types, &signature, make).unwrap();
    assert!(matches!(engine.dump_repro("later", &path), Err(ReproError::NotMade { .. })));
    assert!(!path.exists());
    engine.define("export func @f() {\nb:\n    return\n}").unwrap();
    let nowhere = folder.join("missing/dumped.bir");
    let error = engine.dump_repro("f", &nowhere).unwrap_err();
    assert!(matches!(&error, ReproError::Write { path, .. } if *path == nowhere));
    assert!(error.to_string().contains("missing/dumped.bir"), "{error}");
}

#[test]
fn functions_of_any_library_are_dumped_by_who_sees_them() {
    let (engine, folder) = (fixed(Tier::Hot), folder("repro_library"));
    let [base, user] = ["base", "user"].map(|name| engine.add_library(name).unwrap());
    user.link_to(&base, Reach::Exports).unwrap();
    base.define(TEXT).unwrap();
    let path = folder.join("dumped.bir");
    assert!(matches!(engine.dump_repro("climb", &path), Err(ReproError::Missing { .. })));
    user.dump_repro("climb", &path).unwrap();
    assert!(fs::read_to_string(path).unwrap().contains("func @climb"));
}

/// Who panics in the middle of a compile, as a defect of a pass would.
#[derive(Debug, Default)]
struct Defect {
    is_mended: AtomicBool,
}

impl Observer for Defect {
    fn shown(&self, _: &str) {
        assert!(self.is_mended.load(Ordering::Relaxed), "a defect of a pass");
    }
}

/// An engine whose compiles panic until that is mended.
fn defective(directory: Option<&Path>) -> (Arc<Defect>, Engine) {
    let defect = Arc::new(Defect::default());
    let inspection = Inspection::from_words(["print-after=inline"]).unwrap();
    let observer = Some(Arc::clone(&defect) as Arc<dyn Observer>);
    let repro_directory = directory.map(Into::into);
    let config = Config { inspection, observer, repro_directory, ..Config::default() };
    (defect, Engine::new(config).unwrap())
}

#[test]
fn a_compile_that_panics_leaves_a_text_that_its_error_names() {
    let folder = folder("repro_panic");
    let (_, engine) = defective(Some(&folder));
    for count in 0..2 {
        engine.define(TEXT).unwrap();
        let error = engine.compile("climb").unwrap_err();
        let ResolveError::Refused { error, .. } = &error else { panic!("{error}") };
        let error = error.to_string();
        let path = folder.join(format!("climb-{count}.bir"));
        assert!(error.contains("a defect of a pass"), "{error}");
        assert!(error.contains(&format!("its text is in {}", path.display())), "{error}");
        let text = fs::read_to_string(path).unwrap();
        assert!(text.starts_with("; How @climb is compiled at the tier `hot`:"), "{text}");
        parse_module(&text).unwrap();
    }
}

#[test]
fn loading_that_panics_leaves_a_text_as_well() {
    let folder = folder("repro_load_panic");
    let (defect, engine) = defective(Some(&folder));
    let error = engine.load(TEXT).unwrap_err();
    assert!(matches!(error, LoadError::Compile(_)), "{error}");
    let text = error.to_string();
    let path =
        text.split("its text is in ").nth(1).and_then(|rest| rest.split(';').next()).unwrap();
    parse_module(&fs::read_to_string(path).unwrap()).unwrap();
    defect.is_mended.store(true, Ordering::Relaxed);
    engine.load(TEXT).unwrap();
}

#[test]
fn nothing_is_written_where_there_is_no_folder_for_it() {
    let (_, engine) = defective(None);
    engine.define(TEXT).unwrap();
    let error = engine.compile("climb").unwrap_err().to_string();
    assert!(error.contains("a defect of a pass") && !error.contains("its text"), "{error}");
    let folder = folder("repro_gone").join("missing");
    let (_, engine) = defective(Some(&folder));
    engine.define(TEXT).unwrap();
    let error = engine.compile("climb").unwrap_err().to_string();
    assert!(error.contains(&format!("its text is not in {}", folder.display())), "{error}");
}

#[test]
fn what_is_refused_and_has_not_panicked_leaves_nothing() {
    let folder = folder("repro_refused");
    let config =
        Config { repro_directory: Some(folder.clone()), max_instructions: 1, ..Config::default() };
    let engine = Engine::new(config).unwrap();
    engine.define(TEXT).unwrap();
    engine.compile("climb").unwrap_err();
    assert_eq!(fs::read_dir(folder).unwrap().count(), 0);
}
