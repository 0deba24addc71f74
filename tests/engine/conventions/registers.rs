//! Arguments where C has them: compiled code against functions of another compiler.

use brolga::{Config, Engine};

/// Of more integers than there are registers for, with one of 128 bits where one
/// register of x86-64 is left.
type Wide = extern "C" fn(i64, i64, i128, f32, i64, i128, i16, i128, i8, bool, f64) -> i128;

/// As [`Wide`], where one register of aarch64 is left.
type Late = extern "C" fn(i64, i64, i64, i64, i64, i64, i64, i128, i64, i128) -> i128;

extern "C" fn wide(
    a: i64,
    b: i64,
    c: i128,
    d: f32,
    e: i64,
    f: i128,
    g: i16,
    h: i128,
    i: i8,
    j: bool,
    k: f64,
) -> i128 {
    let narrow = [i128::from(a), i128::from(b), i128::from(e), i128::from(g), i128::from(i)];
    weigh(narrow.into_iter().chain([i128::from(j), d as i128, k as i128, c, f, h]))
}

extern "C" fn late(
    a: i64,
    b: i64,
    c: i64,
    d: i64,
    e: i64,
    f: i64,
    g: i64,
    h: i128,
    i: i64,
    j: i128,
) -> i128 {
    weigh([a, b, c, d, e, f, g, i].into_iter().map(i128::from).chain([h, j]))
}

/// A number in which each has its own weight.
fn weigh(numbers: impl IntoIterator<Item = i128>) -> i128 {
    numbers.into_iter().fold(0, |sum, number| sum.wrapping_mul(1_000_003).wrapping_add(number))
}

const WIDE: &str = "
func @call_wide(ptr) -> i128 {
entry(%p: ptr):
    %r = call_ptr.cfn(i64, i64, i128, f32, i64, i128, i16 sext, i128, i8 sext, i1, f64) -> i128 %p(1, -2, 0x30000000000000005, 4.0, -5, -6, -7, 0x80000000000000000000000000000009, -10, 1, 12.0)
    return %r
}
func @call_late(ptr) -> i128 {
entry(%p: ptr):
    %r = call_ptr.cfn(i64, i64, i64, i64, i64, i64, i64, i128, i64, i128) -> i128 %p(1, -2, 3, -4, 5, -6, 7, 0x80000000000000009, -10, -11)
    return %r
}
func @fold(i128, i128) -> i128 {
entry(%sum: i128, %x: i128):
    %y = mul.i128 %sum, 1000003
    %z = add.i128 %y, %x
    return %z
}
func @wide(i64, i64, i128, f32, i64, i128, i16, i128, i8, i1, f64) -> i128 {
entry(%a: i64, %b: i64, %c: i128, %d: f32, %e: i64, %f: i128, %g: i16, %h: i128, %i: i8, %j: i1, %k: f64):
SEXT a
SEXT b
SEXT e
SEXT g
SEXT i
    %j1 = zext.i128 %j
    %d1 = fptosi_sat.i128 %d
    %k1 = fptosi_sat.i128 %k
FOLD a1 b1 e1 g1 i1 j1 d1 k1 c f h
}
func @late(i64, i64, i64, i64, i64, i64, i64, i128, i64, i128) -> i128 {
entry(%a: i64, %b: i64, %c: i64, %d: i64, %e: i64, %f: i64, %g: i64, %h: i128, %i: i64, %j: i128):
SEXT a
SEXT b
SEXT c
SEXT d
SEXT e
SEXT f
SEXT g
SEXT i
FOLD a1 b1 c1 d1 e1 f1 g1 i1 h j
}
func @address_of_wide() -> ptr {
entry:
    %f = function_addr.fn(i64, i64, i128, f32, i64, i128, i16, i128, i8, i1, f64) -> i128 @wide
    %p = function_to_ptr.fn(i64, i64, i128, f32, i64, i128, i16, i128, i8, i1, f64) -> i128 %f
    return %p
}
func @address_of_late() -> ptr {
entry:
    %f = function_addr.fn(i64, i64, i64, i64, i64, i64, i64, i128, i64, i128) -> i128 @late
    %p = function_to_ptr.fn(i64, i64, i64, i64, i64, i64, i64, i128, i64, i128) -> i128 %f
    return %p
}";

/// The text, with lines in place of those that name a step and its operands.
fn written_out(text: &str) -> String {
    let fold = |values: &str| {
        let step = |(index, value): (usize, &str)| {
            let before = if index == 0 { "0".to_owned() } else { format!("%sum{}", index - 1) };
            format!("    %sum{index} = call @fold({before}, %{value})\n")
        };
        let count = values.split(' ').count();
        let steps: String = values.split(' ').enumerate().map(step).collect();
        format!("{steps}    return %sum{}", count - 1)
    };
    let line = |line: &str| match line.split_once(' ') {
        Some(("SEXT", value)) => format!("    %{value}1 = sext.i128 %{value}"),
        Some(("FOLD", values)) => fold(values),
        _ => line.to_owned(),
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn integers_of_128_bits_and_what_follows_stand_where_c_has_them() {
    let engine = Engine::new(Config::default()).unwrap();
    // SAFETY: the functions are called with addresses of their signatures.
    unsafe { engine.load_unsafe(&written_out(WIDE)) }.unwrap();
    let call = |name, address: *const ()| {
        engine.func::<(*const (),), i128>(name).unwrap().call((address,)).unwrap()
    };
    let wide_answer = |f: Wide| {
        let h = i128::MIN + 9;
        f(1, -2, (3 << 64) + 5, 4.0, -5, -6, -7, h, -10, true, 12.0)
    };
    let late_answer = |f: Late| f(1, -2, 3, -4, 5, -6, 7, (8 << 64) + 9, -10, -11);
    assert_eq!(call("call_wide", wide as *const ()), wide_answer(wide));
    assert_eq!(call("call_late", late as *const ()), late_answer(late));
    let address = |name| engine.func::<(), *const ()>(name).unwrap().call(()).unwrap();
    // SAFETY: it is of that type.
    let ours = unsafe { std::mem::transmute::<*const (), Wide>(address("address_of_wide")) };
    assert_eq!(wide_answer(ours), wide_answer(wide));
    // SAFETY: as above.
    let ours = unsafe { std::mem::transmute::<*const (), Late>(address("address_of_late")) };
    assert_eq!(late_answer(ours), late_answer(late));
}

/// Of narrow integers, and floats, more of each than there are registers for.
type Narrow = extern "C" fn(
    i8,
    u16,
    bool,
    i16,
    u8,
    bool,
    i8,
    u16,
    i16,
    bool,
    f32,
    f64,
    f32,
    f64,
    f32,
    f64,
    f32,
    f64,
    f32,
    f64,
) -> i16;

/// The low bits of the sum, of which each compiler trusts that what C passes in
/// wider registers was extended.
extern "C" fn narrow(
    a: i8,
    b: u16,
    c: bool,
    d: i16,
    e: u8,
    f: bool,
    g: i8,
    h: u16,
    i: i16,
    j: bool,
    k: f32,
    l: f64,
    m: f32,
    n: f64,
    o: f32,
    p: f64,
    q: f32,
    r: f64,
    s: f32,
    t: f64,
) -> i16 {
    let integers = [i128::from(a), b.into(), c.into(), d.into(), e.into()];
    let more = [i128::from(f), g.into(), h.into(), i.into(), j.into()];
    let floats = [k.into(), l, m.into(), n, o.into(), p, q.into(), r, s.into(), t];
    let floats = floats.map(|float: f64| float as i128);
    weigh(integers.into_iter().chain(more).chain(floats)) as i16
}

const NARROW: &str = "
func @call(ptr, i64) -> i64 {
entry(%p: ptr, %x: i64):
    %a = trunc.i8 %x
    %b = trunc.i16 %x
    %c = trunc.i1 %x
    %r = call_ptr.cfn(i8 sext, i16 zext, i1, i16 sext, i8 zext, i1, i8 sext, i16 zext, i16 sext, i1, f32, f64, f32, f64, f32, f64, f32, f64, f32, f64) -> i16 sext %p(%a, %b, %c, %b, %a, %c, %a, %b, %b, %c, 1.0, -2.0, 3.0, -4.0, 5.0, -6.0, 7.0, -8.0, 9.0, -10.0)
    %s = sext.i64 %r
    return %s
}";

#[test]
fn narrow_integers_and_many_floats_stand_where_c_has_them() {
    let engine = Engine::new(Config::default()).unwrap();
    // SAFETY: the function is called with an address of its signature.
    unsafe { engine.load_unsafe(NARROW) }.unwrap();
    let call = engine.func::<(*const (), i64), i64>("call").unwrap();
    for x in [0, 1, -1, 0x1234_5678_9abc_def1, 0x7fff_8000_ffff_8080] {
        let (a, b, c) = (x as i8, x as i16, x & 1 == 1);
        let (unsigned_a, unsigned_b) = (x as u8, x as u16);
        let expected = narrow(
            a, unsigned_b, c, b, unsigned_a, c, a, unsigned_b, b, c, 1.0, -2.0, 3.0, -4.0, 5.0,
            -6.0, 7.0, -8.0, 9.0, -10.0,
        );
        let found = call.call((narrow as Narrow as *const (), x)).unwrap();
        assert_eq!(found, i64::from(expected), "{x:#x}");
    }
}
