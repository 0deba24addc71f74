use brolga_testing::generate::*;
use brolga_testing::llvm::*;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    if a[1] == "gen" {
        let seed: u64 = a[2].parse().unwrap();
        let types = if seed % 4 == 3 { Types::Simple } else { Types::All };
        let o = Options {
            managed: Managed::Exclude,
            types,
            surroundings: Surroundings::Process,
            ..Options::default()
        };
        let p = generate_many(seed, 100, &o);
        let w = Written::new(&p.module, &p.calls, Reset::Never).unwrap();
        print!("{}", w.text());
    } else {
        let text = std::fs::read_to_string(&a[1]).unwrap();
        let m = brolga_ir::text::parse_module(&text).unwrap();
        let calls: Vec<Call> = brolga_ir::text::directives(&text)
            .unwrap()
            .into_iter()
            .filter_map(|d| match d.kind {
                brolga_ir::text::DirectiveKind::Run(r) => Some(Call {
                    args: r.argument_data(&m, d.line).unwrap(),
                    function: r.function.into(),
                }),
                _ => None,
            })
            .collect();
        let w = Written::new(&m, &calls, Reset::Never).unwrap();
        print!("{}", w.text());
    }
}
