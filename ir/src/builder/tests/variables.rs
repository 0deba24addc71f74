//! Variables: the built SSA computes what a program on mutable cells does.

use proptest::prelude::*;

use super::*;

#[test]
fn a_loop_gets_parameters_for_what_it_changes_and_for_nothing_else() {
    let module = built(&[Type::I64], &[Type::I64], |b| {
        let (head, body, done) =
            (b.create_block("head"), b.create_block("body"), b.create_block("done"));
        let [i, limit, unused] =
            ["i", "limit", "unused"].map(|name| b.declare_variable(name, Type::I64));
        let (zero, one) = (b.iconst(Type::I64, 0), b.iconst(Type::I64, 1));
        b.set(limit, b.param(0));
        b.set(i, zero);
        b.set(unused, one);
        b.jump(head, &[]);
        b.switch_to(head);
        let (x, y) = (b.get(i), b.get(limit));
        let more = b.icmp(IntCond::Slt, x, y);
        b.branch(more, body, &[], done, &[]);
        b.switch_to(body);
        let x = b.get(i);
        let next = b.add(x, one);
        b.set(i, next);
        b.jump(head, &[]);
        b.switch_to(done);
        let x = b.get(i);
        b.return_values(&[x]);
    });
    expect_test::expect![[r#"
        module "m"

        func @f(i64) -> i64 {
        block0(%0: i64):
            jump head(0)
        head(%i: i64):
            %5 = icmp.i64 slt %i, %0
            branch %5, body, done
        body:
            %7 = add.i64 %i, 1
            jump head(%7)
        done:
            return %i
        }
    "#]]
    .assert_eq(&module.to_string());
}

#[test]
fn a_block_that_nothing_reaches_reads_zero() {
    let module = built(&[], &[Type::I64], |b| {
        let (lost, end) = (b.create_block("lost"), b.create_block("end"));
        let v = b.declare_variable("v", Type::I64);
        let seven = b.iconst(Type::I64, 7);
        b.set(v, seven);
        b.jump(end, &[]);
        b.switch_to(lost);
        let value = b.get(v);
        let sum = b.add(value, seven);
        b.set(v, sum);
        b.jump(end, &[]);
        b.switch_to(end);
        let value = b.get(v);
        b.return_values(&[value]);
    });
    let text = module.to_string();
    assert!(text.contains("add.i64 0, 7") && text.contains("return 7"), "{text}");
}

#[test]
fn variables_stand_behind_the_parameters_that_a_block_has() {
    let module = built(&[Type::I1], &[Type::I64, Type::I64], |b| {
        let join = b.create_block("join");
        let (left, right) = (b.create_block("left"), b.create_block("right"));
        let v = b.declare_variable("v", Type::I64);
        let first = b.append_param(join, Type::I64);
        let numbers: Vec<Value> = (1..5).map(|i| b.iconst(Type::I64, i)).collect();
        b.branch(b.param(0), left, &[], right, &[]);
        for (i, block) in [left, right].into_iter().enumerate() {
            b.switch_to(block);
            b.set(v, numbers[2 * i]);
            b.jump(join, &[numbers[2 * i + 1]]);
        }
        b.switch_to(join);
        let value = b.get(v);
        b.return_values(&[first, value]);
    });
    let mut interpreter = Interpreter::new(&[&module]).unwrap();
    assert_eq!(interpreter.call("f", &[true.into()]), Ok(vec![2i64.into(), 1i64.into()]));
    assert_eq!(interpreter.call("f", &[false.into()]), Ok(vec![4i64.into(), 3i64.into()]));
}

#[test]
fn a_handler_sees_the_variables_of_the_entry_to_its_region() {
    let module = built(&[], &[Type::I64], |b| {
        let (body, handler) = (b.create_block("body"), b.create_block("handler"));
        let v = b.declare_variable("v", Type::I64);
        let (one, two) = (b.iconst(Type::I64, 1), b.iconst(Type::I64, 2));
        b.set(v, one);
        b.enter(body, handler);
        b.switch_to(body);
        b.set(v, two);
        let null = b.zero(Type::REF);
        b.throw(null);
        b.switch_to(handler);
        let value = b.get(v);
        b.return_values(&[value]);
    });
    let mut interpreter = Interpreter::new(&[&module]).unwrap();
    assert_eq!(interpreter.call("f", &[]), Ok(vec![1i64.into()]));
}

#[test]
fn both_edges_of_a_call_take_variables_behind_their_own_arguments() {
    let mut module = ModuleBuilder::new("m");
    let g = module.local("g", &[Type::I64], &[Type::I64]);
    let mut b = module.define(g);
    let (zero, throws, returns) = (b.iconst(Type::I64, 0), b.create_block(""), b.create_block(""));
    let is_zero = b.icmp(IntCond::Eq, b.param(0), zero);
    b.branch(is_zero, throws, &[], returns, &[]);
    b.switch_to(throws);
    let null = b.zero(Type::REF);
    b.throw(null);
    b.switch_to(returns);
    b.return_values(&[b.param(0)]);
    b.finish().unwrap();
    let f = module.export("f", &[Type::I64], &[Type::I64]);
    let mut b = module.define(f);
    let n = b.param(0);
    let (good, bad) = (b.create_block("good"), b.create_block("bad"));
    let [given, second, caught] = [good, good, bad].map(|block| b.append_param(block, Type::I64));
    let [v, w] = ["v", "w"].map(|name| b.declare_variable(name, Type::I64));
    let numbers: Vec<Value> = [1, 20, 300, 4000].map(|i| b.iconst(Type::I64, i)).to_vec();
    let (again, first) = (b.create_block("again"), b.create_block("first"));
    let is_one = b.icmp(IntCond::Eq, n, numbers[0]);
    // Two calls go to each block, so that the variables become parameters there.
    b.branch(is_one, first, &[], again, &[]);
    for (block, [x, y]) in [(first, [0, 1]), (again, [1, 0])] {
        b.switch_to(block);
        b.set(v, numbers[x]);
        b.set(w, numbers[y]);
        b.try_call(g, &[n], (good, &[numbers[2]]), (bad, &[numbers[3]]));
    }
    for (block, own) in [(good, vec![given, second]), (bad, vec![caught, caught])] {
        b.switch_to(block);
        let mut sum = b.get(v);
        let w = b.get(w);
        sum = b.add(sum, w);
        sum = b.add(sum, w);
        for value in own {
            sum = b.add(sum, value);
        }
        b.return_values(&[sum]);
    }
    b.finish().unwrap();
    let module = module.finish().unwrap();
    let mut interpreter = Interpreter::new(&[&module]).unwrap();
    let mut call = |n: i64| interpreter.call("f", &[n.into()]).unwrap();
    assert_eq!(call(1), [(1 + 300 + 1 + 20 + 20i64).into()]);
    assert_eq!(call(2), [(2 + 300 + 20 + 1 + 1i64).into()]);
    assert_eq!(call(0), [(4000 + 4000 + 20 + 1 + 1i64).into()]);
}

/// A statement of a block.
#[derive(Clone, Copy, Debug)]
enum Step {
    /// `a = number`
    Number(usize, i8),
    /// `a = b + c`
    Add(usize, usize, usize),
    /// `a = b`
    Copy(usize, usize),
}

#[derive(Clone, Debug)]
enum End {
    Jump(usize),
    /// On whether the variable is odd.
    Branch(usize, usize, usize),
    /// On the variable; the last one is the default.
    Switch(usize, Vec<usize>),
    Return(usize),
}

/// Blocks over as many variables, all 0 at first. A block costs one unit of
/// fuel; without fuel the variables' sum is given.
#[derive(Clone, Debug)]
struct Program {
    variables: usize,
    blocks: Vec<(Vec<Step>, End)>,
}

const FUEL: i64 = 40;

impl Program {
    fn run(&self) -> i64 {
        let mut cells = vec![0i64; self.variables];
        let (mut at, mut fuel) = (0, FUEL);
        loop {
            if fuel == 0 {
                return cells.iter().fold(0, |sum, &cell| sum.wrapping_add(cell));
            }
            fuel -= 1;
            let (steps, end) = &self.blocks[at];
            for &step in steps {
                match step {
                    Step::Number(a, number) => cells[a] = number.into(),
                    Step::Add(a, b, c) => cells[a] = cells[b].wrapping_add(cells[c]),
                    Step::Copy(a, b) => cells[a] = cells[b],
                }
            }
            at = match end {
                End::Jump(to) => *to,
                End::Branch(a, odd, even) => {
                    if cells[*a] & 1 == 1 {
                        *odd
                    } else {
                        *even
                    }
                }
                End::Switch(a, to) => {
                    let last = to.len() - 1;
                    to[usize::try_from(cells[*a]).map_or(last, |case| case.min(last))]
                }
                End::Return(a) => return cells[*a],
            };
        }
    }

    fn build(&self) -> Module {
        built(&[], &[Type::I64], |b| {
            let variables: Vec<Variable> = (0..self.variables)
                .map(|i| b.declare_variable(&format!("v{i}"), Type::I64))
                .collect();
            let fuel = b.declare_variable("fuel", Type::I64);
            let blocks: Vec<Block> = self.blocks.iter().map(|_| b.create_block("")).collect();
            let empty = b.create_block("empty");
            let zero = b.iconst(Type::I64, 0);
            variables.iter().for_each(|&variable| b.set(variable, zero));
            let start = b.iconst(Type::I64, FUEL);
            b.set(fuel, start);
            b.jump(blocks[0], &[]);
            for (&block, (steps, end)) in blocks.iter().zip(&self.blocks) {
                b.switch_to(block);
                self.build_block(b, &variables, (fuel, empty), &blocks, (steps, end));
            }
            b.switch_to(empty);
            let mut sum = zero;
            for &variable in &variables {
                let value = b.get(variable);
                sum = b.add(sum, value);
            }
            b.return_values(&[sum]);
        })
    }

    fn build_block(
        &self,
        b: &mut FunctionBuilder<'_>,
        variables: &[Variable],
        (fuel, empty): (Variable, Block),
        blocks: &[Block],
        (steps, end): (&[Step], &End),
    ) {
        let (left, zero, one) = (b.get(fuel), b.iconst(Type::I64, 0), b.iconst(Type::I64, 1));
        let is_empty = b.icmp(IntCond::Eq, left, zero);
        let work = b.create_block("");
        b.branch(is_empty, empty, &[], work, &[]);
        b.switch_to(work);
        let less = b.sub(left, one);
        b.set(fuel, less);
        for &step in steps {
            let (to, value) = match step {
                Step::Number(a, number) => (a, b.iconst(Type::I64, number)),
                Step::Add(a, x, y) => {
                    let (x, y) = (b.get(variables[x]), b.get(variables[y]));
                    (a, b.add(x, y))
                }
                Step::Copy(a, x) => (a, b.get(variables[x])),
            };
            b.set(variables[to], value);
        }
        match end {
            End::Jump(to) => b.jump(blocks[*to], &[]),
            End::Branch(a, odd, even) => {
                let value = b.get(variables[*a]);
                let odd_bit = b.trunc_to_bit(value);
                b.branch(odd_bit, blocks[*odd], &[], blocks[*even], &[]);
            }
            End::Switch(a, to) => {
                let value = b.get(variables[*a]);
                let (last, cases) = to.split_last().unwrap();
                let cases: Vec<(i128, Block, &[Value])> = cases
                    .iter()
                    .enumerate()
                    .map(|(i, &to)| (i as i128, blocks[to], &[][..]))
                    .collect();
                b.switch(value, &cases, blocks[*last], &[]);
            }
            End::Return(a) => {
                let value = b.get(variables[*a]);
                b.return_values(&[value]);
            }
        }
    }
}

impl FunctionBuilder<'_> {
    fn trunc_to_bit(&mut self, value: Value) -> Value {
        self.trunc(Type::I1, value)
    }
}

fn programs() -> impl Strategy<Value = Program> {
    (1usize..6, 1usize..12).prop_flat_map(|(variables, count)| {
        let variable = move || 0..variables;
        let step = prop_oneof![
            (variable(), any::<i8>()).prop_map(|(a, number)| Step::Number(a, number % 4)),
            (variable(), variable(), variable()).prop_map(|(a, b, c)| Step::Add(a, b, c)),
            (variable(), variable()).prop_map(|(a, b)| Step::Copy(a, b)),
        ];
        let end = prop_oneof![
            2 => (0..count).prop_map(End::Jump),
            4 => (variable(), 0..count, 0..count).prop_map(|(a, x, y)| End::Branch(a, x, y)),
            2 => (variable(), prop::collection::vec(0..count, 1..5))
                .prop_map(|(a, to)| End::Switch(a, to)),
            1 => variable().prop_map(End::Return),
        ];
        let block = (prop::collection::vec(step, 0..5), end);
        prop::collection::vec(block, count).prop_map(move |blocks| Program { variables, blocks })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]
    #[test]
    fn built_code_computes_what_cells_do(program in programs()) {
        let module = program.build();
        let mut interpreter = Interpreter::new(&[&module]).unwrap();
        prop_assert_eq!(interpreter.call("f", &[]), Ok(vec![program.run().into()]), "{}", module);
    }

    #[test]
    fn no_parameter_is_left_for_which_all_edges_give_one_value(program in programs()) {
        let module = program.build();
        let body = module.function(FuncId::from_u32(0)).unwrap().body.as_deref().unwrap();
        let graph = crate::flow::FlowGraph::new(body);
        for block in body.layout.blocks().skip(1).filter(|&block| graph.is_reachable(block)) {
            for (i, &param) in body.params(block).iter().enumerate() {
                let mut given: Vec<crate::entity::Value> = body
                    .layout
                    .blocks()
                    .filter(|&from| graph.is_reachable(from))
                    .filter_map(|from| body.layout.last_inst(from))
                    .flat_map(|inst| body.targets(inst))
                    .filter(|target| target.block == block)
                    .map(|target| body.target_args(target)[i])
                    .filter(|&value| value != param)
                    .collect();
                given.sort_unstable();
                given.dedup();
                prop_assert!(given.len() > 1, "{} of {} in\n{}", param, block, module);
            }
        }
    }
}
