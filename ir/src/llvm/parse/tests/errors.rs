//! What comes of texts that are wrong.

use super::*;
use expect_test::expect;

/// The errors of texts, each with the line that it is about.
fn errors(texts: &[&str]) -> String {
    let show = |text: &&str| {
        let errors = read(text).errors;
        assert!(!errors.is_empty(), "{text}");
        shown(&errors)
    };
    texts.iter().map(show).collect()
}

/// The errors of bodies of `i32 (i32, ptr)`.
fn body_errors(bodies: &[&str]) -> String {
    let texts: Vec<String> = bodies
        .iter()
        .map(|body| format!("define i32 @f(i32 %x, ptr %p) {{\n{body}\n}}\n"))
        .collect();
    errors(&texts.iter().map(String::as_str).collect::<Vec<_>>())
}

#[test]
fn what_is_not_represented_is_named() {
    let found = errors(&[
        "@a = global x86_amx zeroinitializer",
        "@a = global ppc_fp128 zeroinitializer",
        "@a = global <vscale x 4 x i32> zeroinitializer",
        "@a = global target(\"spirv.Image\") zeroinitializer",
        "@a = global i8* null",
        "@a = ifunc void (), ptr @b",
        "@a = global ptr ptrauth (ptr @a, i32 0)",
        "declare void @f() addrspace(3)",
        "declare void @f() prefix i32 1",
    ]);
    expect![[r#"
        1:13: error[llvm-unsupported]: values of type `x86_amx` are not read
        1:13: error[llvm-unsupported]: values of type `ppc_fp128` are not read
        1:13: error[llvm-unsupported]: vectors of as many lanes as the machine has, `vscale`, are not read
        1:13: error[llvm-unsupported]: types of one target, `target(…)`, are not read
        1:15: error[llvm-unsupported]: pointers to a type are of LLVM before 15; now they are `ptr`
        1:6: error[llvm-unsupported]: functions that are chosen when a program starts, `ifunc`, are not read
        1:17: error[llvm-unsupported]: signed addresses, `ptrauth`, are not read
        1:19: error[llvm-unsupported]: functions in address space 3 are not read
        1:19: error[llvm-unsupported]: data before the code of a function is not read
    "#]].assert_eq(&found);
    let found = body_errors(&[
        "  callbr void asm \"\", \"\"() to label %1 []",
        "  %a = cleanuppad within none []",
        "  %a = atomicrmw elementwise ptr %p, i32 1 seq_cst",
        "  %a = call addrspace(2) i32 @f(i32 1, ptr %p)",
    ]);
    expect![[r#"
        2:3: error[llvm-unsupported]: `callbr` is not read
        2:8: error[llvm-unsupported]: `cleanuppad` is not read
        2:18: error[llvm-unsupported]: `atomicrmw elementwise` is not read
        2:13: error[llvm-unsupported]: calls into other address spaces than 0 are not read
    "#]]
    .assert_eq(&found);
}

#[test]
fn the_module_level_is_checked() {
    let found = errors(&[
        "oops",
        "@a = global i32",
        "@a = global i32 1, align 3",
        "@a = global i32 1\n@a = global i32 2",
        "@a = global ptr @b",
        "@a = global %t zeroinitializer",
        "@5 = global i8 1\n@4 = global i8 1",
        "%t = type { %t }",
        "%t = type { %u }\n%u = type [2 x %t]\n",
        "%t = type i32\n%t = type i32",
        "@a = global %t 1\n%t = type i32",
        "@a = global %t zeroinitializer\n%t = type opaque",
        "define void @f() {",
        "declare void @f(void)",
        "declare label @f()",
        "@a = global \"oops",
        "@a = global i0 1",
        "@\"\\ff\" = global i8 1",
        "define void @f() memory(sometimes) { ret void }",
        "@a = addrspace(1) global i8 1\n@b = global ptr @a",
        "@a = global ptr blockaddress(@b, %x)\n@b = global i8 1",
        "é",
    ]);
    expect![[r#"
        1:1: error[unexpected-token]: expected a definition or declaration, found `oops`
        1:16: error[unexpected-token]: expected a value, found the end
        1:26: error[bad-alignment]: the alignment 3 is no power of two
        2:1: error[duplicate-symbol]: the symbol `@a` is defined twice
        1:17: error[unknown-symbol]: `@b` is not defined or declared
        1:1: error[bad-type]: `%t` has no size
        1:13: error[unknown-type]: the type `%t` is not defined
        2:1: error[llvm-invalid]: the next number is 6 or more
        1:1: error[bad-type]: the type `%t` contains itself
        1:13: error[unknown-type]: the type `%u` is not defined
        2:1: error[llvm-invalid]: this type is no struct, and used before it is defined
        2:1: error[duplicate-symbol]: the type `%t` is defined twice
        1:13: error[unknown-type]: the type `%t` is not defined
        1:16: error[llvm-type]: an integer is of an integer type, not `%t`
        2:1: error[llvm-invalid]: this type is no struct, and used before it is defined
        1:1: error[bad-type]: `%t` has no size
        1:18: error[unclosed-body]: the braces of this function are not closed
        1:17: error[bad-type]: nothing is of type `void`
        1:9: error[bad-type]: no function returns `label`
        1:13: error[unclosed-string]: this string has no closing quote
        1:13: error[bad-type]: an integer has from 1 to 8388607 bits
        1:1: error[bad-escape]: the escapes of this name give no UTF-8
        1:25: error[unknown-word]: expected `none`, `read`, `write` or `readwrite`
        2:17: error[llvm-type]: this global is in another address space
        1:17: error[llvm-invalid]: only functions that are defined have blocks
        1:1: error[bad-character]: `é` begins nothing here
    "#]]
    .assert_eq(&found);
}

#[test]
fn constants_are_checked() {
    let found = errors(&[
        "@a = global i32 1.5",
        "@a = global float 1",
        "@a = global float 0.1",
        "@a = global double 0xK0",
        "@a = global i32 null",
        "@a = global ptr true",
        "@a = global [2 x i8] c\"abc\"",
        "@a = global [2 x i8] [i8 1]",
        "@a = global [2 x i8] [i8 1, i16 2]",
        "@a = global { i8 } { i8 1, i8 2 }",
        "@a = global { i8, i16 } { i8 1, i8 2 }",
        "@a = global <{ i8 }> { i8 1 }",
        "@a = global <2 x i8> splat (i16 1)",
        "@a = global i32 trunc (i16 1 to i32)",
        "@a = global i32 add (i32 1, i16 1)",
        "@a = global ptr getelementptr ({ i8 }, ptr @a, i64 0, i32 1)",
        "@a = global i32 %x",
        "@a = global i32 what",
    ]);
    expect![[r#"
        1:17: error[llvm-type]: a float is of a float type, not `i32`
        1:19: error[llvm-type]: an integer is of an integer type, not `float`
        1:19: error[bad-number]: the type `float` does not have this number exactly
        1:20: error[bad-number]: the type `double` does not have this number exactly
        1:17: error[llvm-type]: `null` is an address, not `i32`
        1:17: error[llvm-type]: `true` and `false` are of type `i1`, not `ptr`
        1:22: error[llvm-type]: these bytes are `[3 x i8]`, not `[2 x i8]`
        1:22: error[llvm-type]: 1 elements are given, and 2 are due
        1:29: error[llvm-type]: this element is `i16`, not `i8`
        1:20: error[llvm-type]: `{ i8 }` does not have 2 parts as this constant
        1:33: error[llvm-type]: this field is `i8`, not `i16`
        1:22: error[llvm-type]: this constant is of another kind, not `<{ i8 }>`
        1:22: error[llvm-type]: this is a vector of `i16`, not `<2 x i8>`
        1:17: error[llvm-type]: there is no such conversion of `i16` to `i32`
        1:29: error[llvm-type]: this operand is `i16`, not `i32`
        1:44: error[unknown-symbol]: `@a` is not defined or declared
        1:55: error[bad-path]: this index leads nowhere in `{ i8 }`
        1:17: error[unexpected-token]: a constant is due here, and no value of a function
        1:17: error[unexpected-token]: expected a value, found `what`
    "#]]
    .assert_eq(&found);
}

#[test]
fn instructions_are_checked() {
    let found = body_errors(&[
        "  %a = addd i32 %x, 1\n  ret i32 %a",
        "  %a = add i64 %x, 1\n  ret i32 %x",
        "  %a = add ptr %p, %p",
        "  %a = fadd i32 %x, %x",
        "  %a = udiv nsw i32 %x, %x",
        "  %a = icmp what i32 %x, %x",
        "  %a = zext i32 %x to i16",
        "  %a = select i32 %x, i32 %x, i32 %x",
        "  %a = load i32, i32 %x",
        "  %a = load void, ptr %p",
        "  %a = load i32, ptr %p, align 6",
        "  store i32 %x",
        "  %a = load atomic i32, ptr %p, align 4",
        "  fence monotonic",
        "  %a = extractvalue i32 %x, 0",
        "  %a = shufflevector <2 x i8> undef, <2 x i8> undef, <2 x i8> undef",
        "  %a = getelementptr i8, ptr %p, float 1.0",
        "  ret i64 1",
        "  ret void",
        "  br i32 %x, label %1, label %1",
        "  switch i32 %x, label %1 [ i32 1, label %1 i32 1, label %1 ]",
        "  switch i32 %x, label %1 [ i64 1, label %1 ]",
        "  call i32 @g()",
        "  %a = call i32 (i32) @f(i64 1)",
        "  %a = call i32 (i32) @f()",
        "  %a = call void @f()",
        "  %a = call i32 @f(i32 1, ptr %p, ...)",
        "  resume",
    ]);
    expect![[r#"
        2:8: error[unknown-op]: there is no op `addd`
        2:16: error[llvm-type]: `%x` is `i32`, not `i64`
        2:8: error[llvm-type]: this op takes integers, not `ptr`
        2:8: error[llvm-type]: this op takes floats, not `i32`
        2:8: error[unknown-word]: a word behind this op says something that does not concern it
        2:13: error[unknown-word]: `what` is no condition
        2:8: error[llvm-type]: there is no such conversion of `i32` to `i16`
        2:8: error[llvm-type]: `select` takes other types, not `i32`
        2:18: error[llvm-type]: an address is due here, not `i32`
        2:13: error[bad-type]: nothing is of type `void`
        2:32: error[bad-alignment]: the alignment 6 is no power of two
        3:1: error[unexpected-token]: expected `,`, found the end
        2:31: error[unexpected-token]: expected an order of atomic accesses, found `,`
        2:3: error[llvm-invalid]: a fence orders more than this
        2:29: error[bad-path]: `i32` has no part 0
        2:8: error[llvm-type]: this op takes two equal vectors and lanes of `i32`, not `<2 x i8>`
        2:34: error[llvm-type]: an index is an integer, not `float`
        2:3: error[llvm-type]: what is returned is `i64`, not `i32`
        2:3: error[llvm-type]: what is returned is `void`, not `i32`
        2:6: error[llvm-type]: the condition of a branch is `i1`, not `i32`
        2:3: error[llvm-invalid]: two cases of this `switch` have the number 1
        2:29: error[llvm-type]: this case is `i64`, not `i32`
        2:12: error[unknown-symbol]: no `@g` is defined or declared
        2:25: error[llvm-type]: argument 0 is `i64`, not `i32`
        2:25: error[llvm-type]: 0 arguments are given, 1 are due
        2:3: error[result-count]: this instruction has no result that could be named
        2:35: error[llvm-invalid]: only a `musttail` call hands the caller's own arguments on
        3:1: error[unexpected-token]: expected a type, found the end
    "#]]
    .assert_eq(&found);
}

#[test]
fn names_and_blocks_are_checked() {
    let found = body_errors(&[
        "",
        "  %a = add i32 %x, 1",
        "  %a = add i32 %x, 1\nb:\n  ret i32 %a",
        "  %a = add i32 %x, %b\n  ret i32 %c",
        "  br label %b",
        "  %a = add i32 %x, 1\n  %a = add i32 %x, 1\n  ret i32 1",
        "  %a = add i32 %x, %b\n  %b = add i64 1, 1\n  ret i32 1",
        "  br label %b\nb:\n  br label %b\nb:\n  ret i32 1",
        "  br label %x",
        "  %5 = add i32 %x, 1\n  %4 = add i32 %x, 1\n  ret i32 1",
        "  %x = add i32 1, 1\n  ret i32 1",
        "  %a = add i32 1, 1\n  %b = phi i32 [ 1, %1 ]\n  ret i32 1",
        "  br label %b\nb:\n  %c = add i32 %b, 1\n  ret i32 %c",
        "  %é = add i32 1, 1",
    ]);
    expect![[r#"
        3:1: error[llvm-invalid]: a function that is defined has a block
        3:1: error[llvm-invalid]: the last block does not end with a terminator
        3:1: error[llvm-invalid]: the block before this label does not end with a terminator
        2:20: error[undefined-value]: `%b` is not defined
        3:11: error[undefined-value]: `%c` is not defined
        2:12: error[undefined-block]: the block `%b` is not there
        3:3: error[duplicate-value]: `%a` is defined twice
        2:20: error[llvm-type]: the value that is used here is `i64`, not `i32`
        5:1: error[duplicate-block]: this block is defined twice
        2:12: error[llvm-invalid]: `%x` is a value, and a block is due here
        3:3: error[llvm-invalid]: the next number is 6 or more
        2:3: error[duplicate-value]: `%x` is defined twice
        3:3: error[llvm-invalid]: a `phi` stands before all other instructions of its block
        4:16: error[llvm-invalid]: `%b` is a block, and a value is due here
        2:3: error[bad-character]: `%` begins nothing here
    "#]]
    .assert_eq(&found);
}

#[test]
fn reading_goes_on_behind_errors() {
    let text = "@a = global oops
define i32 @f() {
  oops
}
@b = global i32 1, oops
define i32 @g() {
  ret i32 %a
  ret i32 %b
}
declare oops @h()
!0 = oops
";
    expect![[r#"
        1:13: error[unexpected-token]: expected a type, found `oops`
        3:3: error[unknown-op]: there is no op `oops`
        5:20: error[unexpected-token]: expected something that is said of variables, found `oops`
        7:11: error[undefined-value]: `%a` is not defined
        8:11: error[undefined-value]: `%b` is not defined
        10:9: error[unexpected-token]: expected a type, found `oops`
        11:6: error[unexpected-token]: expected metadata, found `oops`
    "#]]
    .assert_eq(&errors(&[text]));
    assert_eq!(read(text).functions.len(), 0);
}

#[test]
fn no_more_errors_are_kept_than_asked_for() {
    assert_eq!(read(&"oops\n@oops\n".repeat(100)).errors.len(), 20);
}
