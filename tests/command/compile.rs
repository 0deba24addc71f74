//! `compile` and `targets`.

use crate::tool::{SAMPLE, Scratch, brolga, call};

#[test]
fn listings_show_the_functions_asked_for() {
    let all = brolga(&["compile", "-"], SAMPLE.as_bytes());
    assert_eq!(all.code, 0, "{}", all.err);
    assert!(all.out.contains("; @gcd\n") && all.out.contains("; @descend\n"), "{}", all.out);
    let one = brolga(&["compile", "--emit=clif", "--function", "gcd", "-"], SAMPLE.as_bytes());
    assert!(one.out.contains("srem") && !one.out.contains("; @descend\n"), "{}", one.out);
    let none = brolga(&["compile", "--function", "lcm", "-"], SAMPLE.as_bytes());
    assert_eq!((none.code, none.out.as_str()), (2, ""));
}

#[test]
fn code_is_made_for_the_target() {
    for (target, opcode) in [("x86_64-linux", "cqto"), ("aarch64-linux/neoverse-n1", "sdiv")] {
        let target = ["compile", "--target", target, "--function", "gcd", "-"];
        let answer = brolga(&target, SAMPLE.as_bytes());
        assert!(answer.out.contains(opcode), "{target:?}: {}{}", answer.out, answer.err);
    }
    for (target, fault) in [
        ("pdp-11", "unknown CPU `pdp-11`"),
        ("aarch64-linux/haswell", "unknown CPU `haswell`"),
        ("x86_64-linux/haswell,+neon", "unknown feature `neon`"),
        ("riscv64-linux/generic", "unknown target triple `riscv64-linux`"),
        ("", "an empty target"),
    ] {
        let unknown = brolga(&["compile", "--target", target, "-"], SAMPLE.as_bytes());
        assert_eq!((unknown.code, unknown.out.as_str()), (2, ""), "{target}");
        assert!(unknown.err.contains(fault), "{}", unknown.err);
    }
}

#[test]
fn objects_are_those_of_the_target() {
    for (target, machine) in [("x86_64-linux", 62), ("aarch64-linux", 183)] {
        let file = Scratch::new(&format!("{machine}.o"), "");
        let arguments = ["compile", "--emit=obj", "--target", target, "-o", file.path(), "-"];
        assert_eq!(brolga(&arguments, SAMPLE.as_bytes()).text(), "exit code 0\n--- out\n--- err\n");
        let bytes = file.read();
        assert!(bytes.starts_with(b"\x7fELF") && bytes[18] == machine, "{target}");
        let printed = call(&["compile", "--emit=obj", "--target", target, "-"], SAMPLE.as_bytes());
        assert_eq!(printed.stdout, bytes, "{target}");
    }
    for (target, machine) in [("x86_64-apple-darwin", 7), ("aarch64-apple-darwin", 12)] {
        let object =
            call(&["compile", "--emit=obj", "--target", target, "-"], SAMPLE.as_bytes()).stdout;
        assert!(object.starts_with(&[0xcf, 0xfa, 0xed, 0xfe, machine]), "{target}");
    }
    let part = ["compile", "--emit=obj", "--function", "gcd", "-"];
    assert_eq!(brolga(&part, SAMPLE.as_bytes()).code, 2);
    let windows = ["compile", "--emit=obj", "--target", "x86_64-pc-windows-msvc", "-"];
    assert_eq!(brolga(&windows, SAMPLE.as_bytes()).code, 1);
}

/// A hash in its place could be that of another signature, whose thunk it would then share.
#[test]
fn thunks_in_objects_are_named_by_all_of_what_they_are_called_with() {
    let module = "foreign @printf(ptr, ...) -> i32\nexport func @f(ptr) -> i32 {\nb(%p: ptr):\n    \
                  %a = call_foreign @printf(%p, i64:1)\n    %b = call_foreign @printf(%p, f64:2.5)\n    \
                  %c = call_ptr.cfn(i32) -> i32 %p(%a)\n    %d = add.i32 %b, %c\n    \
                  return %d\n}";
    let answer = call(&["compile", "--emit=obj", "-"], module.as_bytes());
    let names = String::from_utf8_lossy(&answer.stdout);
    for name in [
        "\0printf.foreign.(ptr, i64, ...) -> i32\0",
        "\0printf.foreign.(ptr, f64, ...) -> i32\0",
        "\0brolga.pointer.(i32) -> i32\0",
    ] {
        assert!(names.contains(name), "{name}: {}", String::from_utf8_lossy(&answer.stderr));
    }
}

#[test]
fn every_cpu_that_is_listed_can_be_named() {
    let answer = brolga(&["targets"], b"");
    assert_eq!(answer.code, 0);
    assert!(answer.out.starts_with("host: "), "{}", answer.out);
    for (architecture, text) in [
        ("x86_64", answer.out.split("\naarch64\n").next().unwrap()),
        ("aarch64", answer.out.split("\naarch64\n").nth(1).unwrap()),
    ] {
        let list = text.split("CPUs:").nth(1).unwrap().split("features:").next().unwrap();
        let names: Vec<&str> = list.split_whitespace().collect();
        assert!(names.len() > 5, "{text}");
        for name in [names[0], names[names.len() / 2], names[names.len() - 1]] {
            let target = format!("{architecture}-linux/{name}");
            let arguments = ["compile", "--target", &target, "--function", "both", "-"];
            let answer = brolga(&arguments, SAMPLE.as_bytes());
            assert_eq!(answer.code, 0, "{target}: {}", answer.err);
        }
    }
}
