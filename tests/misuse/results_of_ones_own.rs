use brolga::Results;
use brolga::ir::types::Type;

struct Own;

impl Results for Own {
    fn types() -> Vec<Type> {
        vec![Type::I64; 64]
    }

    unsafe fn take(_: *const u8) -> Own {
        Own
    }

    unsafe fn give(self, _: *mut u8) {}
}

fn main() {}
