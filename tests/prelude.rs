//! Every function of the prelude that stands for an op, interpreted and
//! compiled, against what the op means: on all pairs of edges, and on as many
//! random operands as the variable `PRELUDE_CASES` says.

mod prelude {
    mod cases;

    use std::collections::BTreeSet;

    use brolga::ir::datum::Datum;
    use brolga::ir::instruction::Payload;
    use brolga::ir::interpret::Interpreter;
    use brolga::ir::interpret::eval::{Operation, fold};
    use brolga::ir::op::{Op, Theme};
    use brolga::ir::text::print_module;
    use brolga::ir::trap::TrapCode;
    use brolga::ir::types::TypePool;
    use brolga::lowering::prelude::{FUNCTIONS, PreludeFunction, module};
    use brolga::lowering::target::TargetSpec;
    use brolga::{Config, DynamicFunction, Engine};

    use cases::Cases;

    /// Random operands for each function when nothing else is said: a second or two.
    const CASES: usize = 1500;

    /// What the op gives for scalars.
    fn meaning(function: &PreludeFunction, operands: &[u128]) -> Result<Vec<Datum>, TrapCode> {
        let &PreludeFunction { op, from, to, .. } = function;
        let payload = &Payload::None;
        let operation = Operation { op, ty: to, operand: from, payload, immediates: &[] };
        let operands: Vec<Datum> = operands.iter().map(|&bits| Datum::Scalar(bits)).collect();
        let operands: Vec<&Datum> = operands.iter().collect();
        fold(&operation, &operands).expect("the op computes").map(|results| results.to_vec())
    }

    /// The prelude under names that modules may define, without what safe code
    /// may not promise.
    fn text() -> String {
        print_module(module()).replace("@brolga.", "@prelude.").replace(" returns never", "")
    }

    fn engine(text: &str, target: Option<&str>) -> Engine {
        let target = target.map(|target| TargetSpec::parse(target).unwrap());
        let engine = Engine::new(Config { target, ..Config::default() }).unwrap();
        engine.load(text).unwrap();
        engine
    }

    /// This machine, and the least of its kind.
    fn engines() -> Vec<Engine> {
        let text = text();
        let mut engines = vec![engine(&text, None)];
        if cfg!(all(target_arch = "x86_64", target_os = "linux")) {
            engines.push(engine(&text, Some("x86_64-linux/x86-64")));
        }
        engines
    }

    /// One function, in every way to run it.
    struct Trial<'a> {
        function: &'a PreludeFunction,
        interpreter: &'a mut Interpreter<'static>,
        native: Vec<DynamicFunction>,
    }

    impl Trial<'_> {
        /// Checks one application; operands for which the op traps are for the
        /// caller to find.
        fn check(&mut self, operands: &[u128]) {
            let Ok(expected) = meaning(self.function, operands) else { return };
            let PreludeFunction { name, op, from, to } = *self.function;
            let args: Vec<Datum> = operands.iter().map(|&bits| Datum::Scalar(bits)).collect();
            let interpreted = self.interpreter.call(name, &args).unwrap();
            let mut given = vec![interpreted];
            given.extend(self.native.iter().map(|native| native.call(&args).unwrap()));
            let pool = TypePool::default();
            for (engine, results) in given.iter().enumerate() {
                let same = results.len() == expected.len()
                    && expected.iter().zip(results).all(|(e, r)| e.agrees(r, &pool, to));
                assert!(
                    same,
                    "{op}.{to} of {from} {operands:#x?}: {results:#x?} by {name} (engine {engine}), \
                     not {expected:#x?}"
                );
            }
        }
    }

    fn check_all(ops: impl Fn(Op) -> bool) {
        let count = match std::env::var("PRELUDE_CASES") {
            Ok(count) => count.parse().expect("PRELUDE_CASES is a number"),
            Err(_) => CASES,
        };
        let engines = engines();
        let mut interpreter = Interpreter::new(&[module()]).unwrap();
        for function in FUNCTIONS.iter().filter(|function| ops(function.op)) {
            let native = function.name.replace("brolga.", "prelude.");
            let native = engines.iter().map(|engine| engine.function(&native).unwrap()).collect();
            let mut trial = Trial { function, interpreter: &mut interpreter, native };
            let mut cases = Cases::new(function);
            cases.for_each_edge(|operands| trial.check(operands));
            for _ in 0..count {
                trial.check(&cases.random());
            }
        }
    }

    #[test]
    fn integer_functions_compute_what_their_ops_mean() {
        check_all(|op| op.info().theme == Theme::Integer);
    }

    #[test]
    fn conversions_compute_what_their_ops_mean() {
        check_all(|op| op.info().theme == Theme::Convert);
    }

    #[test]
    fn roundings_compute_what_their_ops_mean() {
        let others = BTreeSet::from([Op::Fma, Op::Frem]);
        check_all(|op| op.info().theme == Theme::Float && !others.contains(&op));
    }

    #[test]
    fn fused_products_compute_what_their_op_means() {
        check_all(|op| op == Op::Fma);
    }

    #[test]
    fn rests_compute_what_their_op_means() {
        check_all(|op| op == Op::Frem);
    }
}
