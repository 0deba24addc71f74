//! What must verify.

use super::*;

fn assert_verifies(name: &str, text: &str) {
    let module = parse_module(text).unwrap_or_else(|errors| panic!("{name}: {errors:?}"));
    if let Err(errors) = verify_module(&module, &Options::default()) {
        panic!("{name}: {errors}\n{text}");
    }
}

#[test]
fn every_example_of_the_op_table_verifies() {
    for &op in Op::ALL {
        assert_verifies(op.mnemonic(), &example_module(op));
    }
}
