use super::*;

fn formatted(text: &str) -> String {
    format_bytes(text.as_bytes(), &Limits::default()).unwrap_or_else(|errors| {
        let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
        panic!("{}\nin:\n{text}", errors.join("\n"))
    })
}

/// Asserts what `text` is formatted to, and that this stays as it is.
fn assert_formatted(text: &str, expected: &str) {
    assert_eq!(formatted(text), expected, "of:\n{text}");
    assert_eq!(formatted(expected), expected, "of what is formatted");
}

#[test]
fn comments_stay_at_what_they_are_about() {
    assert_formatted(
        "; What it is.\n\n\n; Of the function.\nfunc  @f (i64)->i64 { ; head\n\n  ; a slot\n  \
         ss0 = slot 8 ; small\nentry( %n : i64 ) : ; label\n; above\n  %a = add.i64 %n,1 ; one\n\n  \
         ; parted\n  return %a\n  ; at the end\n} ; closed\n; run: @f(1) == 2\n\n; last",
        "; What it is.\n\n; Of the function.\nfunc @f(i64) -> i64 { ; head\n    ; a slot\n    \
         ss0 = slot 8 ; small\nentry(%n: i64): ; label\n    ; above\n    \
         %a = add.i64 %n, 1 ; one\n\n    ; parted\n    return %a\n    ; at the end\n} ; closed\n\
         ; run: @f(1) == 2\n\n; last\n",
    );
}

#[test]
fn comments_inside_of_a_line_go_above_it() {
    assert_formatted(
        "func @f(i64, ; first\n    i64) -> i64 ; result\n{ ; body\nentry(%a: i64, %b: i64):\n    \
         ; sum\n    %c = add.i64 %a, ; left\n        %b ; right\n    return %c\n}",
        "; first\n; result\nfunc @f(i64, i64) -> i64 { ; body\nentry(%a: i64, %b: i64):\n    \
         ; sum\n    ; left\n    %c = add.i64 %a, %b ; right\n    return %c\n}\n",
    );
}

#[test]
fn comments_of_data_stay_at_their_items() {
    assert_formatted(
        "data @d = { ; head\n  ; one\n  i8 1, ; first\n  zero 7 ; second\n  ; none\n}; end\n\
         data @e = { ; alone\n zero 1 ; behind\n}",
        "data @d = { ; head\n    ; one\n    i8 1, ; first\n    zero 7, ; second\n    ; none\n} \
         ; end\n; alone\ndata @e = { zero 1 } ; behind\n",
    );
}

#[test]
fn comments_move_with_what_prints_elsewhere() {
    assert_formatted(
        "func @f() {\n    scope0 = \"s\" ; a scope\n    ; a slot\n    ss0 = slot 1\nb:\n    \
         return\n}\n; of the class\nclass !c\n; name\nmodule \"m\" ; behind",
        "; name\nmodule \"m\" ; behind\n\n; of the class\nclass !c\n\nfunc @f() {\n    ; a slot\n    \
         ss0 = slot 1\n    scope0 = \"s\" ; a scope\nb:\n    return\n}\n",
    );
}

#[test]
fn comments_of_what_does_not_print_stay_with_what_follows() {
    assert_formatted(
        "func @f() {\n    ; place\n    loc0 = text:1:1 ; of text\nb: ; block\n    return !loc0\n}",
        "func @f() {\n; place\n; of text\nb: ; block\n    return\n}\n",
    );
}

#[test]
fn a_block_may_have_comments_of_both_depths() {
    let text = "func @f() {\nb:\n    jump c\n    ; falls through\n\n; the end\nc:\n    return\n}\n";
    assert_formatted(text, text);
}

#[test]
fn semicolons_in_strings_are_no_comments() {
    let text = "func @\"a;b\"() { ; \"c\nb:\n    return\n}\n";
    assert_formatted(text, text);
}

#[test]
fn a_text_of_comments_alone_stays() {
    assert_formatted("\n\n ; a\r\n;b\t\n\n\n;  c\n\n", "; a\n;b\n\n;  c\n");
    assert_formatted("", "");
}

#[test]
fn what_does_not_parse_is_refused_as_by_the_parser() {
    let errors = |bytes: &[u8]| {
        let limits = Limits { bytes: 8, ..Limits::default() };
        let errors = format_bytes(bytes, &limits).unwrap_err();
        errors.iter().map(|error| error.code.name()).collect::<Vec<_>>()
    };
    assert_eq!(errors(b"; a\n)"), ["unexpected-token"]);
    assert_eq!(errors(b"; \xff"), ["invalid-utf8"]);
    assert_eq!(errors(b"; long enough"), ["text-too-large"]);
}
