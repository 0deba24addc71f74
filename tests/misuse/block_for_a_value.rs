use brolga::ir::builder::ModuleBuilder;
use brolga::ir::types::Type;

fn main() {
    let mut module = ModuleBuilder::new("m");
    let f = module.export("f", &[Type::I64], &[Type::I64]);
    let mut b = module.define(f);
    let (next, n) = (b.create_block("next"), b.param(0));
    b.jump(n, &[]);
    b.return_values(&[next]);
}
