use brolga::ir::types::{Signature, Type};
use brolga::{HostError, HostFunction};

struct Own;

impl HostFunction<Own> for Own {
    fn signature() -> Signature {
        Signature::internal(&[Type::I64], &[Type::PTR])
    }

    unsafe fn run(&self, _: *mut u8) -> Result<(), HostError> {
        Ok(())
    }
}

fn main() {}
