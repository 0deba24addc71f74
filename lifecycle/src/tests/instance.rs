use std::num::NonZeroUsize;

use crate::instance::{Callee, CodeInstance, Convention, Lost};

fn address(value: usize) -> NonZeroUsize {
    NonZeroUsize::new(value).unwrap()
}

#[test]
fn each_row_of_the_table_reads_as_it_says() {
    let instance = CodeInstance::new();
    assert_eq!(instance.read(), Callee::Nothing);
    instance.register();
    assert_eq!(instance.read(), Callee::Pending);
    let (invoke, pointer) = (address(0x100), address(0x200));
    for convention in [Convention::Generic, Convention::Specialised] {
        let instance = CodeInstance::new();
        instance.register();
        assert_eq!(instance.publish(invoke, pointer, convention), Ok(()));
        assert_eq!(instance.read(), Callee::Compiled { invoke, pointer, convention });
    }
    assert_eq!(instance.publish_alone(invoke), Ok(()));
    assert_eq!(instance.read(), Callee::Alone { invoke });
}

#[test]
fn what_is_callable_is_not_registered_away() {
    let instance = CodeInstance::new();
    instance.publish_alone(address(0x100)).unwrap();
    instance.register();
    assert_eq!(instance.read(), Callee::Alone { invoke: address(0x100) });
    assert_eq!(instance.publish_alone(address(0x300)), Err(Lost));
}

#[test]
fn code_takes_the_place_of_an_interpreter_and_of_equivalent_code() {
    let (invoke, pointer) = (address(0x100), address(0x200));
    let instance = CodeInstance::new();
    instance.publish_alone(address(0x80)).unwrap();
    instance.publish(invoke, pointer, Convention::Specialised).unwrap();
    assert_eq!(instance.publish(address(0x110), address(0x210), Convention::Generic), Err(Lost));
    instance.replace(address(0x300));
    let convention = Convention::Specialised;
    let expected = Callee::Compiled { invoke, pointer: address(0x300), convention };
    assert_eq!(instance.read(), expected);
}
