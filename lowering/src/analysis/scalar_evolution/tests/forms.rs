//! Single loops whose answers are known.

use super::*;

/// `s = s + i` for `i` in `1..=n`, the counter of 16 bits and the sum of 8.
const SUM: &str = "func @f(i16) -> i8 {\na(%n: i16):\n    %g = icmp.i16 slt %n, 1\n    \
    branch %g, x, p\nx:\n    return 0\np:\n    jump h(1, 0)\nh(%i: i16, %s: i8):\n    \
    %b = trunc.i8 %i\n    %t = add.i8 %s, %b\n    %c = icmp.i16 eq %i, %n\n    %j = add.i16 %i, 1\n    \
    branch %c, e, h(%j, %t)\ne:\n    return %t\n}";

#[test]
fn the_sum_of_the_first_numbers_is_half_a_product_before_it_wraps() {
    let module = parsed(SUM);
    let body = body_of(&module);
    let mut evolution = evolution_of(&module, body);
    let of = evolution.loops().all().next().unwrap();
    let sum = evolution.at_exit(body.value_named("t").unwrap(), of).unwrap();
    let n = body.value_named("n").unwrap();
    for number in 1..700_u128 {
        let value = |value: Value| (value == n).then_some(number);
        let told = evaluate(&evolution, sum, &value, &|_| 0);
        assert_eq!(told, Some((number * (number + 1) / 2) & 0xff), "{number}");
    }
    // The guard says that it counts upward, which lets it be a longer number.
    let i = evolution.of(body.value_named("i").unwrap()).unwrap();
    assert!(evolution.never_wraps(i, Reading::Signed));
    let long = evolution.extended(Reading::Signed, 64, i);
    assert!(evolution.as_affine(long, of).is_some());
}

#[test]
fn an_exit_of_an_inner_loop_is_one_of_the_outer_loop() {
    let text = "func @f(i8) -> i8 {\na(%n: i8):\n    jump h(0)\nh(%i: i8):\n    jump g(0)\ng(%k: i8):\n    \
                %z = mul.i8 %k, %i\n    %c = icmp.i8 eq %z, %n\n    branch %c, OUT, m\nm:\n    \
                %l = add.i8 %k, 1\n    %d = icmp.i8 ult %l, 4\n    branch %d, g(%l), b\nb:\n    \
                %j = add.i8 %i, 1\n    %e = icmp.i8 ult %j, 9\n    branch %e, h(%j), o\no:\n    \
                return %j\n}";
    for (out, is_known) in [("o2:\n    return 7\n}", false), ("b2:\n    jump b\n}", true)] {
        let name = out.split(':').next().unwrap();
        let text = text.replace("OUT", name).strip_suffix('}').unwrap().to_owned() + out;
        let module = parsed(&text);
        let body = body_of(&module);
        let evolution = evolution_of(&module, body);
        let outer = evolution.loops().all().next().unwrap();
        let trips = evolution.trips(outer).unwrap();
        assert_eq!((trips.exact.is_some(), trips.most), (is_known, Some(8)), "{text}");
    }
}

#[test]
fn hints_prove_nothing() {
    let text = "func @f(i8, i8) -> i8 {\na(%s: i8, %n: i8):\n    jump h(%s)\nh(%i: i8):\n    \
                %j = add.i8 %i, 3 nsw nuw\n    %c = icmp.i8 ne %j, %n\n    branch %c, h(%j), e\ne:\n    \
                return %j\n}";
    let module = parsed(text);
    let body = body_of(&module);
    let evolution = evolution_of(&module, body);
    let i = evolution.of(body.value_named("i").unwrap()).unwrap();
    assert!(!evolution.never_wraps(i, Reading::Signed));
    assert!(!evolution.never_wraps(i, Reading::Unsigned));
}

#[test]
fn a_value_of_a_loop_that_has_ended_stands_for_itself() {
    let text = "func @f(i8) -> i8 {\na(%n: i8):\n    jump h(0)\nh(%i: i8):\n    %j = add.i8 %i, 1\n    \
                %c = icmp.i8 ult %j, %n\n    branch %c, h(%j), g(%i)\ng(%k: i8):\n    \
                %l = add.i8 %k, %i\n    %d = icmp.i8 ult %l, 100\n    branch %d, g(%l), e\ne:\n    \
                return %l\n}";
    let module = parsed(text);
    let body = body_of(&module);
    let evolution = evolution_of(&module, body);
    let [i, k, l] = ["i", "k", "l"].map(|name| evolution.of(body.value_named(name).unwrap()));
    assert!(evolution.as_recurrence(i.unwrap()).is_some());
    // The second loop adds what the first one ended with.
    let step = evolution.as_recurrence(k.unwrap()).unwrap().step;
    assert_eq!(evolution.kind(step), &Kind::Value(body.value_named("i").unwrap()));
    assert!(evolution.as_recurrence(l.unwrap()).is_some());
}

#[test]
fn deep_nests_and_long_chains_take_no_time() {
    let depth = 1500;
    let mut text = "func @f(i64, i64) -> i64 {\na(%n: i64, %m: i64):\n".to_owned();
    for level in 0..depth {
        text.push_str(&format!("    jump h{level}(0)\nh{level}(%i{level}: i64):\n"));
    }
    text.push_str("    %v0 = add.i64 %i0, %n\n");
    // A sum of products of all counters, which nobody could write down.
    for at in 1..depth {
        text.push_str(&format!("    %p{at} = mul.i64 %v{}, %i{at}\n", at - 1));
        text.push_str(&format!("    %v{at} = add.i64 %p{at}, %i{}\n", depth - at));
    }
    for level in (0..depth).rev() {
        text.push_str(&format!(
            "    %j{level} = add.i64 %i{level}, 1\n    %c{level} = icmp.i64 ult %j{level}, %m\n    \
             branch %c{level}, h{level}(%j{level}), e{level}\ne{level}:\n"
        ));
    }
    text.push_str("    return 0\n}\n");
    let module = parsed(&text);
    let body = body_of(&module);
    let evolution = evolution_of(&module, body);
    for at in 0..depth {
        let expr = evolution.of(body.value_named(&format!("v{at}")).unwrap()).unwrap();
        assert!(evolution.size(expr) <= MOST_PARTS);
    }
    assert!(evolution.loops().all().all(|of| evolution.trips(of).unwrap().exact.is_some()));
}
