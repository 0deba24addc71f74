use brolga_ir::trap::TrapCode;
use brolga_lowering::unit::{Awaited, SourceFrame};

use super::*;

fn site(return_offset: u32, frame: Option<u32>) -> CallSite {
    CallSite { return_offset, handler: None, frame, exit: None, awaited: Awaited::Callee }
}

fn frame(line: u32) -> SourceFrame {
    SourceFrame { function: None, file: None, line, column: 7, inlined_at: None }
}

/// A unit that calls at two lines of its text, and once at none that is known.
fn unit() -> CompiledUnit {
    let mut exit = site(20, Some(1));
    exit.exit = Some(ExitSite { code: TrapCode::Unreachable, side: None, values: Vec::new() });
    CompiledUnit {
        name: "f".into(),
        call_sites: vec![site(10, Some(0)), exit, site(30, None)],
        frames: vec![frame(3), frame(5)],
        ..CompiledUnit::default()
    }
}

fn shown(facts: &Facts, return_offset: u32) -> Vec<String> {
    let mut trap = Trap::new(TrapCode::Unreachable);
    facts.append_frames(&mut trap, return_offset);
    let frame = |frame: &Frame| format!("{frame} {} {:?}", frame.column, frame.kind);
    trap.frames.iter().map(frame).collect()
}

#[test]
fn calls_of_plain_lines_show_what_the_unit_would() {
    let plain = Facts::of(Box::new(unit()));
    assert!(plain.full().is_none(), "{plain:?}");
    let full = Facts { name: "f".into(), sites: Sites::Full(Box::new(unit())) };
    for offset in [0, 10, 15, 20, 30, 40] {
        assert_eq!(shown(&plain, offset), shown(&full, offset), "{offset}");
        assert!(plain.handler(offset).is_none() && plain.exit(offset).is_none());
        assert!(!plain.awaits_continuation(offset) && plain.side_mark(offset).is_none());
    }
    assert_eq!(shown(&plain, 20), ["@f at line 5 7 Called"]);
    assert_eq!(shown(&plain, 30), ["@f 0 Called"]);
}

#[test]
fn whatever_a_walk_asks_for_is_kept() {
    let changes: [fn(&mut CompiledUnit); 8] = [
        |unit| unit.call_sites[0].handler = Some(Handler { offset: 1, frame_offset: 2 }),
        |unit| unit.call_sites[0].awaited = Awaited::Continuation,
        |unit| unit.call_sites[1].exit.as_mut().unwrap().side = Some(4),
        |unit| unit.side_mark = Some(8),
        |unit| unit.frames[1].inlined_at = Some(0),
        |unit| unit.frames[0].function = Some("g".into()),
        |unit| unit.frames[0].file = Some("g.txt".into()),
        |unit| {
            let value = brolga_lowering::unit::ValueShape::Leaf(brolga_ir::types::Type::I64);
            unit.call_sites[1].exit.as_mut().unwrap().values.push(value);
        },
    ];
    for change in changes {
        let mut unit = unit();
        change(&mut unit);
        unit.code = vec![0xc3];
        let facts = Facts::of(Box::new(unit.clone()));
        unit.code.clear();
        assert_eq!(facts.full(), Some(&unit));
    }
}
