//! Thunks are compiled once by signature, whoever asks for them: in a process of its own, as what
//! is kept is kept for all of it.

use brolga_ir::types::{Signature, Type, TypePool};
use brolga_lowering::emit::Compiler;
use brolga_lowering::target::{Isa, IsaOptions};

#[test]
fn a_thunk_of_a_known_signature_takes_no_back_end() {
    let isa = Isa::host(IsaOptions::default()).unwrap();
    let types = TypePool::default();
    let [one, other] = [Type::F32, Type::F64].map(|ty| Signature::internal(&[ty], &[ty]));
    let make = |name: &str, signature: &Signature| {
        let mut compiler = Compiler::timed();
        compiler.foreign_thunk(name, signature, &isa).unwrap();
        compiler.entry_thunk(&types, signature, &isa).unwrap();
        compiler.times().iter().count()
    };
    assert_ne!(make("f", &one), 0);
    assert_eq!(make("f", &one), 0);
    assert_eq!(make("g", &one), 0);
    assert_ne!(make("g", &other), 0);
}
