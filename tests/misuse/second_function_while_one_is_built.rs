use brolga::ir::builder::ModuleBuilder;

fn main() {
    let mut module = ModuleBuilder::new("m");
    let (f, g) = (module.export("f", &[], &[]), module.export("g", &[], &[]));
    let mut first = module.define(f);
    let second = module.define(g);
    first.return_values(&[]);
    second.finish().unwrap();
}
