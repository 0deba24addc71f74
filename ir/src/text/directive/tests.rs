use super::*;
use crate::text::parse_module;

const TEXT: &str = "\
func @f(i64, f32x2) -> (i64, i1) {
b(%0: i64, %1: f32x2):
    return %0, 1
}
; a comment: nothing to do
  ; run: @f(-1, <1.5, 2.5>) == (-1, 1)
; run: @f(7, zero) traps user(3) at 12
; error: 7:5 unknown-op
; verify: 9 type-mismatch
; compile: x86-64 aarch64
; skip: native it has no such op
; passes: legalize, lower_expect for aarch64-linux
; | func @f() {
;|
; |   run: nothing

; | of no directive
; passes: O0
; | }
; needs: cx16
";

#[test]
fn directives_are_data() {
    let found = directives(TEXT).unwrap();
    assert_eq!(found.iter().map(|d| d.line).collect::<Vec<_>>(), [6, 7, 8, 9, 10, 11, 12, 18, 20]);
    let code = Code::UnknownOp;
    assert_eq!(found[2].kind, DirectiveKind::Error { line: 7, column: 5, code });
    let code = "type-mismatch".to_owned();
    assert_eq!(found[3].kind, DirectiveKind::Verify { line: 9, code });
    let targets = vec!["x86-64".to_owned(), "aarch64".to_owned()];
    assert_eq!(found[4].kind, DirectiveKind::Compile { targets });
    assert_eq!(found[8].kind, DirectiveKind::Needs { feature: "cx16".to_owned() });
    let DirectiveKind::Run(run) = &found[1].kind else { panic!("{:?}", found[1]) };
    assert_eq!(run.outcome, Outcome::Traps { code: TrapCode::User(3), line: Some(12) });
}

#[test]
fn a_pass_alone_changes_or_keeps_a_function() {
    let text = "; changes: @f by licm, gvn\n; keeps: @g by simplify_cfg(aggressive)\n";
    let found = directives(text).unwrap();
    let alone = |function: &str, names: &[&str], outcome| {
        let names = names.iter().map(|&name| name.to_owned()).collect();
        DirectiveKind::Alone(Alone { function: function.to_owned(), names, outcome })
    };
    assert_eq!(found[0].kind, alone("f", &["licm", "gvn"], AloneOutcome::Changes));
    assert_eq!(found[1].kind, alone("g", &["simplify_cfg(aggressive)"], AloneOutcome::Keeps));
    for wrong in ["licm", "@f", "@f by", "f by licm", "@f licm"] {
        let errors = directives(&format!("; keeps: {wrong}\n")).unwrap_err();
        assert_eq!(errors[0].code, Code::BadDirective, "{wrong}");
    }
}

#[test]
fn a_remark_names_a_place_a_pass_and_what_runs() {
    let text = "; remark: @f 12 by licm: it stays: so\n\
                ; remark: @f.g 0 by licm in loop_rotate, licm for aarch64-linux: it goes\n\
                ; remark: @h 3 by gvn for x86_64-linux: it goes\n";
    let found = directives(text).unwrap();
    let told = |index: usize| match &found[index].kind {
        DirectiveKind::Remark(told) => told.clone(),
        kind => panic!("{kind:?}"),
    };
    let first = ToldRemark {
        function: "f".to_owned(),
        line: 12,
        pass: "licm".to_owned(),
        names: vec!["licm".to_owned()],
        target: None,
        message: "it stays: so".to_owned(),
    };
    assert_eq!(told(0), first);
    let second = told(1);
    assert_eq!((second.function.as_str(), second.line), ("f.g", 0));
    assert_eq!(second.names, ["loop_rotate", "licm"]);
    assert_eq!(second.target.as_deref(), Some("aarch64-linux"));
    let third = told(2);
    assert_eq!(
        (third.names, third.target.as_deref()),
        (vec!["gvn".to_owned()], Some("x86_64-linux"))
    );
    for wrong in [
        "@f 12 by licm",
        "f 12 by licm: x",
        "@f by licm: x",
        "@f 12 licm: x",
        "@f 12 by licm in: x",
        "@f 12 by licm in for aarch64-linux: x",
        "@f 12 by licm, gvn: x",
        "@f twelve by licm: x",
    ] {
        let errors = directives(&format!("; remark: {wrong}\n")).unwrap_err();
        assert!(errors[0].message.contains("a pass and what it tells"), "{wrong}");
    }
}

#[test]
fn assembly_names_a_part_a_target_and_instructions() {
    let text = "; asm: loop of @f for aarch64-linux has fadd fmul lacks bl branches 1\n\
                ; asm: @g for x86_64-linux lacks call\n; asm: @h for x86_64-linux loops 0\n";
    let found = directives(text).unwrap();
    let owned = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect();
    let first = Assembly {
        part: AssemblyPart::Loop,
        function: "f".to_owned(),
        target: "aarch64-linux".to_owned(),
        has: owned(&["fadd", "fmul"]),
        lacks: owned(&["bl"]),
        branches: Some(1),
        loops: None,
    };
    assert_eq!(found[0].kind, DirectiveKind::Assembly(first));
    let DirectiveKind::Assembly(second) = &found[1].kind else { panic!("{found:?}") };
    assert_eq!((second.part, second.branches), (AssemblyPart::Function, None));
    let DirectiveKind::Assembly(third) = &found[2].kind else { panic!("{found:?}") };
    assert_eq!((third.branches, third.loops), (None, Some(0)));
    for wrong in [
        "@f has vaddpd",
        "f for x86_64-linux has x",
        "@f for x86_64-linux",
        "@f for x86_64-linux has",
        "@f for x86_64-linux x has y",
        "@f for x86_64-linux branches many",
        "@f for x86_64-linux loops",
        "@f for x86_64-linux loops none",
    ] {
        let errors = directives(&format!("; asm: {wrong}\n")).unwrap_err();
        assert!(errors[0].message.contains("expected a function, a target"), "{wrong}");
    }
}

#[test]
fn what_passes_give_stands_in_the_lines_behind_them() {
    let found = directives(TEXT).unwrap();
    let owned = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect();
    let first = Passes {
        names: owned(&["legalize", "lower_expect"]),
        target: Some("aarch64-linux".to_owned()),
        gives: owned(&["func @f() {", "", "  run: nothing"]),
    };
    assert_eq!(found[6].kind, DirectiveKind::Passes(first));
    let second = Passes { names: owned(&["O0"]), target: None, gives: owned(&["}"]) };
    assert_eq!(found[7].kind, DirectiveKind::Passes(second));
}

#[test]
fn a_run_gives_values_of_the_signature() {
    let module = parse_module(TEXT).unwrap();
    let found = directives(TEXT).unwrap();
    let DirectiveKind::Run(run) = &found[0].kind else { panic!("{:?}", found[0]) };
    let lanes: Box<[u128]> = [1.5_f32, 2.5].map(|lane| lane.to_bits().into()).into();
    let arguments = run.argument_data(&module, 6).unwrap();
    assert_eq!(arguments, [Datum::from(-1_i64), Datum::Lanes(lanes)]);
    let results = run.result_data(&module, 6).unwrap().unwrap();
    assert_eq!(results, [Datum::from(-1_i64), Datum::from(true)]);
}

#[test]
fn wrong_directives_are_reported_at_their_place() {
    for (text, line, column, code) in [
        ("\n; run: f(1)", 2, 8, Code::UnexpectedToken),
        ("; run: @f(1) == 1 2", 1, 1, Code::BadDirective),
        ("; run: @f(1) traps nothing", 1, 20, Code::UnknownWord),
        ("; run: @f(1", 1, 12, Code::UnexpectedToken),
        ("; error: 1 unknown-op", 1, 1, Code::BadDirective),
        ("; error: 1:2 no-such-code", 1, 1, Code::BadDirective),
        ("; verify: here", 1, 1, Code::BadDirective),
        ("; skip: native", 1, 1, Code::BadDirective),
        ("; passes: for aarch64-linux", 1, 1, Code::BadDirective),
        ("; passes: legalize for", 1, 1, Code::BadDirective),
        ("; needs:", 1, 1, Code::BadDirective),
        ("; needs: cx16 and more", 1, 1, Code::BadDirective),
    ] {
        let error = match directives(text) {
            Ok(found) => run_error(&found),
            Err(mut errors) => errors.remove(0),
        };
        let place = (error.line, error.column, error.code);
        assert_eq!(place, (line, column, code), "{text}");
    }
}

/// The error of a run that is spelled well and does not fit the module.
fn run_error(found: &[Directive]) -> Diagnostic {
    let module = parse_module(TEXT).unwrap();
    let DirectiveKind::Run(run) = &found[0].kind else { panic!("{found:?}") };
    run.argument_data(&module, 1).unwrap_err()
}
