//! Reading takes work and memory in proportion to the text, whatever the text.

use super::*;
use std::mem::size_of;

/// A name, and what makes a text of as many pieces as are asked for.
type Shape = (&'static str, fn(usize) -> String);

const SHAPES: &[Shape] = &[
    ("instructions", |count| {
        let lines = (1..count).map(|index| format!("  %{} = add i32 %{index}, 1\n", index + 1));
        format!("define i32 @f(i32 %0) {{\n{}  ret i32 1\n}}\n", lines.collect::<String>())
    }),
    ("blocks", |count| {
        let blocks = (1..count).map(|index| format!("{index}:\n  br label %{}\n", index + 1));
        let blocks: String = blocks.collect();
        format!("define void @f() {{\n  br label %1\n{blocks}{count}:\n  ret void\n}}\n")
    }),
    ("uses before definitions", |count| {
        let phis = (0..count).map(|index| format!("  %p{index} = phi i8 [ %x{index}, %b ]\n"));
        let adds = (0..count).map(|index| format!("  %x{index} = add i8 %p{index}, 1\n"));
        let lines: String = phis.chain(adds).collect();
        format!("define void @f() {{\n  br label %b\nb:\n{lines}  br label %b\n}}\n")
    }),
    ("cases", |count| {
        let cases: String =
            (0..count).map(|index| format!("    i32 {index}, label %b\n")).collect();
        format!(
            "define void @f(i32 %x) {{\n  switch i32 %x, label %b [\n{cases}  ]\nb:\n  ret void\n}}\n"
        )
    }),
    ("functions", |count| {
        let function = |index| {
            format!(
                "define void @f{index}(ptr %p) {{\n  call void @f{index}(ptr %p)\n  ret void\n}}\n"
            )
        };
        (0..count).map(function).collect()
    }),
    ("variables", |count| {
        (0..count)
            .map(|index| format!("@g{index} = global ptr @g{}\n", count - index - 1))
            .collect()
    }),
    ("types", |count| {
        let line = |index| format!("%t{index} = type {{ i{}, [{index} x ptr] }}\n", index + 1);
        (0..count).map(line).collect()
    }),
    ("types that contain others", |count| {
        let line = |index| format!("%t{index} = type {{ %t{}, %t{} }}\n", index / 2 - 1, index / 2);
        let first = "%t0 = type { i8 }\n%t1 = type { i8 }\n";
        first.to_owned() + &(2..count).map(line).collect::<String>()
    }),
    ("numbers", |count| {
        let elements = (0..count).map(|index| format!("i8 {}", index % 256));
        format!("@t = global [{count} x i8] [{}]\n", elements.collect::<Vec<_>>().join(", "))
    }),
    ("addresses", |count| {
        let elements = (0..count).map(|_| "ptr @t".to_owned());
        format!("@t = global [{count} x ptr] [{}]\n", elements.collect::<Vec<_>>().join(", "))
    }),
    ("metadata", |count| (0..count).map(|index| format!("!{index} = !{{!{index}}}\n")).collect()),
    ("comments", |count| "; a comment\n/* one more */\n".repeat(count)),
    ("groups", |count| {
        (0..count)
            .map(|index| format!("attributes #{index} = {{ cold \"target-cpu\"=\"{index}\" }}\n"))
            .collect()
    }),
    ("errors", |count| "define oops {\n".repeat(count)),
    ("brackets that are open", |count| format!("!0 = !{}", "{".repeat(count))),
    ("braces that are open", |count| format!("define void @f() {}", "{ ".repeat(count))),
    ("a string that is open", |count| format!("@s = global \"{}", "a ".repeat(count))),
    ("quotes", |count| "define void @f() { \"\n".repeat(count)),
];

#[test]
fn twice_the_text_takes_twice_the_work() {
    for (name, shape) in SHAPES {
        let work = |count| read(&shape(count)).module.names.work as f64;
        let ratio = work(4000) / work(2000);
        assert!(ratio < 2.2, "{name}: {ratio}");
    }
}

#[test]
fn each_byte_is_looked_at_a_few_times() {
    for (name, shape) in SHAPES {
        let text = shape(1000);
        let times = read(&text).module.names.work as f64 / text.len() as f64;
        assert!(times < 4.0, "{name}: {times}");
    }
}

/// The bytes that a list takes.
fn bytes<T>(list: &Vec<T>) -> usize {
    list.capacity() * size_of::<T>()
}

/// About how many bytes a module takes, and the largest of its functions.
fn memory(whole: &Whole<'_>) -> usize {
    let module = &whole.module;
    // A map has room for twice its entries, and a byte for each.
    let named = module.globals.capacity() * 2 * (size_of::<String>() + 9);
    let function = |function: &Function<'_>| {
        bytes(&function.blocks)
            + bytes(&function.order)
            + bytes(&function.locals)
            + bytes(&function.instructions)
            + bytes(&function.constants)
            + bytes(&function.incoming)
            + bytes(&function.operands)
            + bytes(&function.arg_attributes)
            + bytes(&function.cases)
            + bytes(&function.attachments)
    };
    bytes(&module.types)
        + bytes(&module.named)
        + bytes(&module.globals)
        + bytes(&module.order)
        + bytes(&module.constants)
        + bytes(&module.metadata)
        + named
        + whole.functions.iter().map(function).max().unwrap_or(0)
}

#[test]
fn what_is_kept_is_at_most_twenty_times_the_text() {
    for (name, shape) in SHAPES {
        let text = shape(2000);
        let times = memory(&read(&text)) as f64 / text.len() as f64;
        assert!(times < 20.0, "{name}: {times}");
    }
}

#[test]
fn nesting_is_an_error_before_it_is_too_deep() {
    let deep = |open: &str, inner: &str, close: &str| {
        format!("{}{inner}{}", open.repeat(100_000), close.repeat(100_000))
    };
    let texts = [
        format!("@t = external global {}\n", deep("[1 x ", "i8", "]")),
        format!("@t = external global {}\n", deep("{ ", "i8", " }")),
        format!("%t = type {}\n", deep("<{ ", "i8", " }>")),
        format!("declare void @f(i8 {})\n", deep("(i8 ", "", ")")),
        format!("@t = global i8 {}\n", deep("trunc (i16 zext (i8 ", "1", " to i16) to i8)")),
        format!("@t = global <1 x i8> {}\n", deep("splat (i8 ", "1", ")")),
        format!("define {} @f() {{ ret void }}\n", deep("{ ", "i8", " }")),
    ];
    for text in &texts {
        let errors = read(text).errors;
        assert_eq!(errors[0].code, Code::LlvmUnsupported, "{}", &text[..40]);
        assert!(errors[0].message.contains("deeper"), "{}", errors[0]);
    }
}

#[test]
fn metadata_that_is_too_deep_is_none() {
    let text = format!("!0 = {}{}\n", "!{".repeat(100_000), "}".repeat(100_000));
    let module = read_right(&text).module;
    assert_eq!(module.metadata.len(), 1);
    assert_eq!(metadata(&text, &module, MetadataId(0)), None);
}

#[test]
fn types_are_not_deep_by_their_names_either() {
    let mut text: String =
        (0..1000).map(|index| format!("%t{index} = type {{ %t{} }}\n", index + 1)).collect();
    text.push_str("%t1000 = type { i8 }\n@g = external global %t0\n");
    let errors = read(&text).errors;
    assert!(!errors.is_empty());
    assert!(errors.iter().all(|error| error.code == Code::BadType), "{}", shown(&errors));
}

#[test]
fn numbers_are_no_way_to_ask_for_memory() {
    let texts = [
        "define void @f() {\n  br label %2000000000\n}\n",
        "define void @f() {\n2000000000:\n  ret void\n}\n",
        "define void @f() {\n  %1000000 = add i32 1, 1\n  ret void\n}\n",
    ];
    for text in texts {
        assert_eq!(read(text).errors[0].code, Code::NumberTooLarge, "{text}");
    }
    assert_eq!(read("@t = global [1000000000000 x i8] zeroinitializer\n").errors, []);
    assert_eq!(read("!1000000000 = !{}\n@t = global i8388607 1\n").errors, []);
}
