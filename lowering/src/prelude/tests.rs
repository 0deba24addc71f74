use super::*;

#[test]
fn the_text_of_the_prelude_is_read_without_error() {
    let text = TEXTS.concat();
    let module = parse_module(&text).unwrap_or_else(|errors| panic!("{errors:#?}"));
    assert_eq!(module.functions().len(), super::module().functions().len());
    for (_, function) in module.functions() {
        assert!(function.name.starts_with(PRELUDE_PREFIX), "{}", function.name);
        assert!(function.body.is_some(), "{}", function.name);
    }
}
