use brolga_ir::text::{parse_module, print_module};

use super::*;
use crate::analysis::tests::bodies::on_many_bodies;

/// Whether some value that is made from `value` is used in a way that lets it out.
fn escapes_by_walking(body: &Body, value: Value) -> bool {
    let bases = Bases::new(body);
    let mut seen = vec![false; body.value_count()];
    let mut stack = vec![value];
    while let Some(value) = stack.pop() {
        if std::mem::replace(&mut seen[value.index()], true) {
            continue;
        }
        for inst in body.layout.all_insts() {
            for (index, _) in body.args(inst).iter().enumerate().filter(|(_, arg)| **arg == value) {
                if lets_out(body, &bases, inst, index, value) {
                    return true;
                }
            }
            if sources(body, inst).contains(&value) {
                stack.extend(body.results(inst));
            }
            for target in body.targets(inst) {
                let handed = body.target_args(target).iter().zip(body.params(target.block));
                stack.extend(handed.filter(|(arg, _)| **arg == value).map(|(_, param)| *param));
            }
        }
    }
    false
}

#[test]
fn an_object_escapes_when_something_made_from_it_gets_out() {
    let (mut inside, mut outside) = (0, 0);
    on_many_bodies(|module, body| {
        let escapes = Escapes::new(body);
        let mut slots = vec![false; body.slots().len()];
        for value in (0..body.value_count()).map(Value::new) {
            let base = escapes.bases().of(value);
            let ValueDef::Result(inst, _) = body.value_def(value) else { continue };
            let is_object = matches!(body.inst(inst).op, Op::SlotAddr | Op::StackAlloc);
            if !is_object {
                continue;
            }
            let expected = escapes_by_walking(body, value);
            assert_eq!(escapes.value_escapes(value), expected, "{value}\n{}", print_module(module));
            *(if expected { &mut outside } else { &mut inside }) += 1;
            if let Base::Slot(slot) = base {
                slots[slot.index()] |= expected;
            }
        }
        for (index, &expected) in slots.iter().enumerate() {
            assert_eq!(escapes.slot_escapes(Slot::new(index)), expected);
            assert_eq!(escapes.is_private(Base::Slot(Slot::new(index))), !expected);
        }
    });
    assert!(inside > 10 && outside > 10, "{inside} {outside}");
}

/// Which of the slots of a function with these lines in it escape.
fn escaping(lines: &str) -> Vec<bool> {
    let text = format!(
        "import func @g(ptr)\nfunc @f(i64, ptr, i1) -> i64 {{\n    ss0 = slot 16\n    ss1 = slot 16\n\
         exit0 = deopt @h (ptr)\na(%n: i64, %q: ptr, %c: i1):\n    %p = slot_addr ss0\n    \
         %r = slot_addr ss1\n{lines}\n    return %n\n}}\nimport func @h(ptr) -> i64\n"
    );
    let module = parse_module(&text).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
    let function = module.function(module.function_named("f").unwrap()).unwrap();
    let escapes = Escapes::new(function.body.as_deref().unwrap());
    vec![escapes.slot_escapes(Slot::new(0)), escapes.slot_escapes(Slot::new(1))]
}

#[test]
fn accesses_let_nothing_out_and_everything_else_does() {
    let stays = [
        "store.i64 %n, %p+8",
        "%x = ptr_add %p, %n\n%y = load.i64 %x",
        "mem_copy %p, %r, 8",
        "mem_fill %p, 1, %n",
        "%d = mem_compare %p, %r, 8",
        "%x = ptr_add %p, 8\n%d = icmp.ptr eq %x, %p",
        "%d = icmp.ptr eq %p, null",
        "%x = atomic_load.i64 seq_cst %p",
        "%x = atomic_rmw.i64 add seq_cst %p, 1",
        "slot_store.i64 %n, ss0, 0",
        "%x = select.ptr %c, %p, %r\n%y = load.i64 %x",
        "prefetch %p",
    ];
    for lines in stays {
        assert_eq!(escaping(lines), [false, false], "{lines}");
    }
    let goes = [
        "store.ptr %p, %r",
        "store.ptr %p, %q",
        "call @g(%p)",
        "%x = ptr_add %p, %n\ncall @g(%x)",
        "%x = ptr_to_int %p",
        "%d = icmp.ptr eq %p, %q",
        "%x = opaque.ptr %p",
        "check %c, exit0(%p)",
        "slot_store.i64 %n, ss0, 0\n%x, %y = atomic_cas.ptr seq_cst seq_cst %q, %p, null",
        "jump next(%p)\nnext(%z: ptr):\ncall @g(%z)",
        "%x = make_vector.ptrx2 %p, %q",
    ];
    for lines in goes {
        assert_eq!(escaping(lines), [true, false], "{lines}");
    }
    assert_eq!(escaping("%x = select.ptr %c, %p, %r\ncall @g(%x)"), [true, true]);
    assert_eq!(escaping("%d = icmp.ptr ult %p, %r"), [true, true]);
}
