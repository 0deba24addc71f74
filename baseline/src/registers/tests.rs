use std::collections::BTreeSet;
use std::path::Path;

use brolga_ir::entity::FuncId;
use brolga_ir::module::Module;
use brolga_ir::text::parse_module;
use brolga_ir::verify::{Options, verify_module};

use super::*;

fn chosen(body: &Body) -> Registers {
    let (mut registers, mut homes) = (Registers::default(), Homes::default());
    registers.begin(body);
    homes.begin(body);
    homes.count_in_loops(body, |place| registers.frequency(place));
    registers.choose(body, &mut homes);
    registers
}

/// The places that the values of a function by those names live in, if any.
fn places(text: &str) -> Vec<Place> {
    let module = parse_module(text).unwrap();
    let (_, function) = module.functions().find(|(_, it)| it.body.is_some()).unwrap();
    chosen(function.body.as_deref().unwrap()).residents.iter().map(|it| it.place).collect()
}

const SUM: &str = "
func @sum(ptr, i64) -> f64 {
entry(%p: ptr, %n: i64):
    jump loop(0, 0.0)
loop(%i: i64, %s: f64):
    %at = ptr_add %p, %i
    %x = load.f64 %at
    %t = fadd.f64 %s, %x
    %j = add.i64 %i, 8
    %more = icmp.i64 slt %j, %n
    branch %more, loop(%j, %t), done(%t)
done(%r: f64):
    return %r
}
";

#[test]
fn what_a_loop_uses_lives_in_registers() {
    use Register::*;
    let mut found = places(SUM);
    found.sort_by_key(|place| format!("{place:?}"));
    // What is used once a round is as good in the frame.
    let expected = [Place::Float(8), Place::Float(9), Place::Integer(R12), Place::Integer(Rbx)];
    assert_eq!(found, expected);
}

#[test]
fn where_a_function_calls_no_float_lives_in_a_register() {
    let text = SUM.replace("    %j =", "    call @other()\n    %j =");
    let found = places(&format!("import func @other()\n{text}"));
    assert!(found.iter().all(|place| matches!(place, Place::Integer(_))) && !found.is_empty());
}

#[test]
fn without_a_loop_everything_lives_in_the_frame() {
    let text = SUM.replace("branch %more, loop(%j, %t), done(%t)", "jump done(%t)");
    assert_eq!(places(&text), []);
}

#[test]
fn where_a_handler_comes_back_everything_lives_in_the_frame() {
    let text = SUM.replace(
        "    %at =",
        "    try_call @other() normal on, unwind caught\ncaught:\n    return %s\non:\n    %at =",
    );
    assert_eq!(places(&format!("import func @other()\n{text}")), []);
}

#[test]
fn blocks_that_stand_before_all_ways_to_them_keep_everything_in_the_frame() {
    let text = "
func @back(i64) -> i64 {
entry(%n: i64):
    jump start()
loop(%i: i64):
    %j = sub.i64 %i, 1
    %more = icmp.i64 sgt %j, 0
    branch %more, loop(%j), done()
start():
    jump loop(%n)
done():
    return %n
}
";
    assert_eq!(places(text), []);
}

#[test]
fn loops_one_behind_another_have_the_same_registers() {
    let text = "
func @twice(i64) -> i64 {
entry(%n: i64):
    jump first(0, %n)
first(%i: i64, %a: i64):
    %b = add.i64 %a, %i
    %j = add.i64 %i, 1
    %more = icmp.i64 slt %j, %n
    branch %more, first(%j, %b), between(%b)
between(%c: i64):
    %d = xor.i64 %c, %n
    jump start(%d)
start(%e: i64):
    jump second(0, %e)
second(%k: i64, %f: i64):
    %g = mul.i64 %f, %k
    %l = add.i64 %k, 1
    %still = icmp.i64 slt %l, %n
    branch %still, second(%l, %g), done(%g)
done(%r: i64):
    return %r
}
";
    let found = places(text);
    let distinct: BTreeSet<String> = found.iter().map(|place| format!("{place:?}")).collect();
    assert!(distinct.len() < found.len(), "{found:?}");
}

/// What is needed at the start of each block, by going over all blocks until nothing changes.
fn live(body: &Body) -> Vec<BTreeSet<Value>> {
    let mut live = vec![BTreeSet::new(); body.block_count()];
    loop {
        let before = live.clone();
        for block in body.layout.blocks() {
            let insts: Vec<_> = body.layout.insts(block).collect();
            let mut now: BTreeSet<Value> = BTreeSet::new();
            for &inst in insts.iter().rev() {
                for target in body.targets(inst) {
                    now.extend(&live[target.block.index()]);
                    now.extend(body.target_args(target));
                }
                for result in body.results(inst) {
                    now.remove(result);
                }
                now.extend(body.args(inst));
            }
            for param in body.params(block) {
                now.remove(param);
            }
            live[block.index()] = now;
        }
        if live == before {
            return live;
        }
    }
}

/// What is wrong with the registers of a function.
fn complaint(body: &Body) -> Option<String> {
    let (registers, live) = (chosen(body), live(body));
    let all = &registers.residents;
    let overlap = |a: &Resident, b: &Resident| a.first <= b.last && b.first <= a.last;
    for (index, one) in all.iter().enumerate() {
        let other = all[..index].iter().find(|it| it.place == one.place && overlap(it, one));
        if let Some(other) = other {
            return Some(format!("{one:?} overlaps {other:?}"));
        }
    }
    for block in body.layout.blocks() {
        let place = registers.order(block);
        let params = body.params(block).iter();
        let needed = live[block.index()].iter().chain(params);
        for value in needed {
            let resident = all.iter().find(|it| it.value == *value);
            if resident.is_some_and(|it| !(it.first..=it.last).contains(&place)) {
                return Some(format!("{value} is not in its register in {block}"));
            }
        }
        for target in body.layout.last_inst(block).map_or(&[][..], |inst| body.targets(inst)) {
            for param in body.params(target.block) {
                let resident = all.iter().find(|it| it.value == *param);
                if resident.is_some_and(|it| !(it.first..=it.last).contains(&place)) {
                    return Some(format!("{param} is given in {block}, where its register is not"));
                }
            }
        }
    }
    None
}

fn modules(folder: &Path) -> Vec<Module> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(modules(&path));
        } else if path.extension().is_some_and(|it| it == "bir") {
            let module = parse_module(&std::fs::read_to_string(&path).unwrap());
            let is_right = |module: &Module| verify_module(module, &Options::default()).is_ok();
            found.extend(module.ok().filter(is_right));
        }
    }
    found
}

#[test]
fn each_value_has_its_register_to_itself_wherever_it_is_needed() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/filetests");
    let mut residents = 0;
    for module in modules(&folder) {
        for id in (0..module.functions().len() as u32).map(FuncId::from_u32) {
            let function = module.function(id).unwrap();
            let Some(body) = function.body.as_deref() else { continue };
            assert_eq!(complaint(body), None, "@{}", function.name);
            residents += chosen(body).residents.len();
        }
    }
    assert!(residents > 1000, "only {residents} values lived in registers");
}
