//! Whole programs, against the interpreter: calls, exceptions, exits, slots,
//! data. Each text says what its functions give.

/// Values of every kind through calls: in registers, on the stack, and in
/// more results than there are registers.
pub(super) const CALLS: &str = r#"
func @many(i8, i16, i32, i64, i128, f32, f64, ptr, i1, i64, i128, i64, f64, f64, f64, f64, f64, f64, f64, f64, i32x4, f64x2, i1x4) -> (i128, i64, f64, i1, i32x4, i1x4) {
block0(%a: i8, %b: i16, %c: i32, %d: i64, %e: i128, %f: f32, %g: f64, %h: ptr, %i: i1, %j: i64, %k: i128, %l: i64, %m: f64, %n: f64, %o: f64, %p: f64, %q: f64, %r: f64, %s: f64, %t: f64, %u: i32x4, %v: f64x2, %w: i1x4):
    %1 = sext.i128 %a
    %2 = add.i128 %e, %k
    %3 = add.i128 %1, %2
    %4 = sext.i64 %b
    %5 = sext.i64 %c
    %6 = add.i64 %4, %5
    %7 = add.i64 %6, %d
    %8 = add.i64 %7, %j
    %9 = add.i64 %8, %l
    %10 = fpext.f64 %f
    %11 = fadd.f64 %10, %g
    %12 = fadd.f64 %11, %t
    %13 = icmp.ptr eq %h, null
    %14 = xor.i1 %13, %i
    %15 = vec_select.i32x4 %w, %u, <9, 9, 9, 9>
    %16 = not.i1x4 %w
    return %3, %9, %12, %14, %15, %16
}
func @call_many(i64) -> (i128, i64, f64, i1, i32x4, i1x4) {
block0(%x: i64):
    %w = icmp.i32x4 slt <1, 2, 3, 4>, <4, 3, 2, 1>
    %a, %b, %c, %d, %e, %f = call @many(-1, 2, 3, %x, -4, 5.5, 6.5, null, 0, 7, 8, 9, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, <1, 2, 3, 4>, <1.5, 2.5>, %w)
    return %a, %b, %c, %d, %e, %f
}
; run: @call_many(100) == (3, 121, 20.0, 1, <1, 2, 9, 9>, <0, 0, 1, 1>)

func @nine() -> (i64, i64, i64, i64, i64, i64, i64, i64, i64, f64) {
block0:
    return 1, 2, 3, 4, 5, 6, 7, 8, 9, 10.0
}
func @call_nine() -> (i64, f64) {
block0:
    %a, %b, %c, %d, %e, %f, %g, %h, %i, %j = call @nine()
    %s = sub.i64 %i, %a
    return %s, %j
}
; run: @call_nine() == (8, 10.0)

func @even(i64) -> i1 {
block0(%n: i64):
    %z = icmp.i64 eq %n, 0
    branch %z, block1, block2
block1:
    return 1
block2:
    %m = sub.i64 %n, 1
    return_call @odd(%m)
}
func @odd(i64) -> i1 {
block0(%n: i64):
    %z = icmp.i64 eq %n, 0
    branch %z, block1, block2
block1:
    return 0
block2:
    %m = sub.i64 %n, 1
    %f = function_addr.fn(i64) -> i1 @even
    return_call_indirect.fn(i64) -> i1 %f(%m)
}
; run: @even(1000001) == 0

func @grows(i64) -> i64 {
block0(%n: i64):
    return_call @wide(%n, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)
}
func @wide(i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64, i64) -> i64 {
block0(%n: i64, %1: i64, %2: i64, %3: i64, %4: i64, %5: i64, %6: i64, %7: i64, %8: i64, %9: i64, %10: i64, %11: i64, %12: i64):
    %z = icmp.i64 eq %n, 0
    branch %z, block1, block2
block1:
    %s = add.i64 %11, %12
    return %s
block2:
    %m = sub.i64 %n, 1
    return_call @grows(%m)
}
; run: @grows(100000) == 23

func @through_references(i64) -> (i64, i1, i64) {
block0(%x: i64):
    %f = function_addr.fn(i64) -> i64 @grows
    %a = call_indirect.fn(i64) -> i64 %f(%x)
    %p = function_to_ptr.fn(i64) -> i64 %f
    %g = ptr_to_function.fn(i64) -> i64 %p
    %same = icmp.fn(i64) -> i64 eq %f, %g
    %b = call_ptr.fn(i64) -> i64 %p(%x)
    return %a, %same, %b
}
; run: @through_references(3) == (23, 1, 23)
func @null_pointer() -> i64 {
block0:
    %b = call_ptr.fn(i64) -> i64 ptr:null(1)
    return %b
}
; run: @null_pointer() traps null_function
"#;

/// Exceptions, caught at each depth, with values on both edges.
pub(super) const EXCEPTIONS: &str = r#"
func @thrower(i64) -> (i64, f64) {
block0(%n: i64):
    %z = icmp.i64 eq %n, 0
    branch %z, block1, block2
block1:
    throw null
block2:
    %big = icmp.i64 sgt %n, 100
    branch %big, block3, block4
block3:
    return %n, 1.5
block4:
    %m = sub.i64 %n, 1
    %a, %b = call @thrower(%m)
    return %a, %b
}
func @catcher(i64, i64) -> (i64, f64) {
block0(%n: i64, %k: i64):
    %k2 = add.i64 %k, 7
    %a, %b = try_call @thrower(%n) normal block1(%a, %b), unwind block2(%k2, %k)
block1(%x: i64, %y: f64):
    return %x, %y
block2(%u: i64, %v: i64):
    %w = mul.i64 %u, %v
    return %w, -1.0
}
; run: @catcher(5, 3) == (30, -1.0)
; run: @catcher(500, 3) == (500, 1.5)

func @loop(i64) -> i64 {
block0(%n: i64):
    jump block1(0, 0)
block1(%i: i64, %sum: i64):
    %f = function_addr.fn(i64) -> (i64, f64) @thrower
    %odd = and.i64 %i, 1
    %arg = mul.i64 %odd, 200
    %a, %b = try_call_indirect.fn(i64) -> (i64, f64) %f(%arg) normal block2(%a), unwind block2(1)
block2(%x: i64):
    %sum2 = add.i64 %sum, %x
    %j = add.i64 %i, 1
    %more = icmp.i64 slt %j, %n
    branch %more, block1(%j, %sum2), block3
block3:
    return %sum2
}
; run: @loop(10) == 1005

func @traps_pass_handlers() -> i64 {
block0:
    %a = try_call @divide(1, 0) normal block1(%a), unwind block1(5)
block1(%x: i64):
    return %x
}
func @divide(i64, i64) -> i64 {
block0(%a: i64, %b: i64):
    %c = sdiv.i64 %a, %b
    return %c
}
; run: @traps_pass_handlers() traps division_by_zero
func @uncaught() -> i64 {
block0:
    %a, %b = call @thrower(3)
    return %a
}
; run: @uncaught() traps uncaught_exception
"#;

/// Slots, data and switches.
pub(super) const ENTITIES: &str = r#"
data @table const = { i32 [10, 20, 30, 40], ptr @words+8 }
data @words align 64 = { i64 [1, 2, 3] }
data @counter thread_local = { i64 [40] }
func @slots(i64) -> (i64, i64, i64, i64) {
    ss0 = slot 24 align 64
    ss1 = slot 1000
    ss2 = slot 7 align 32
block0(%i: i64):
    %p = slot_addr ss0
    %a = ptr_to_int %p
    %a2 = and.i64 %a, 63
    %q = slot_addr ss2
    %b = ptr_to_int %q
    %b2 = and.i64 %b, 31
    %low = or.i64 %a2, %b2
    slot_store.i64 77, ss0, 16
    slot_store.i64 78, ss1, %i
    %x = slot_load.i64 ss0, 16
    %y = slot_load.i64 ss1, %i
    %z = slot_load.i64 ss1, 0
    slot_end ss0
    %w = slot_load.i64 ss0, 16
    %xw = add.i64 %x, %w
    return %low, %xw, %y, %z
}
; run: @slots(8) == (0, 77, 78, 0)
; run: @slots(992) == (0, 77, 78, 0)
; run: @slots(993) traps bounds
; run: @slots(-8) traps bounds
func @datas(i64) -> (i32, i64, i64) {
block0(%i: i64):
    %x = data_load.i32 @table, %i
    %p = data_load.i64 @words, 8
    %t = data_load.i64 @counter, 0
    %t2 = add.i64 %t, 1
    data_store.i64 %t2, @counter, 0
    data_store.i64 %t2, @words, 16
    %u = data_load.i64 @words, 16
    return %x, %p, %u
}
; run: @datas(4) == (20, 2, 41)
; run: @datas(21) traps bounds
func @pointer_in_data() -> i64 {
block0:
    %d = data_addr @table
    %p = load.ptr %d+16
    %x = load.i64 %p
    return %x
}
; run: @pointer_in_data() == 2
func @sparse(i64) -> i64 {
block0(%x: i64):
    switch.i64 %x, [-1: block1(1), 0: block1(2), 1: block2, 1000000000000: block1(4), -9223372036854775808: block1(5)], block1(9)
block1(%r: i64):
    return %r
block2:
    return 3
}
; run: @sparse(-1) == 1
; run: @sparse(0) == 2
; run: @sparse(1) == 3
; run: @sparse(1000000000000) == 4
; run: @sparse(-9223372036854775808) == 5
; run: @sparse(2) == 9
func @wide(i128) -> i64 {
block0(%x: i128):
    switch.i128 %x, [-1: block1(1), 18446744073709551616: block1(2), 0: block1(3)], block1(9)
block1(%r: i64):
    return %r
}
; run: @wide(-1) == 1
; run: @wide(18446744073709551616) == 2
; run: @wide(0) == 3
; run: @wide(18446744073709551615) == 9
func @narrow(i8) -> i64 {
block0(%x: i8):
    switch.i8 %x, [-1: block1(1), 0: block1(2), 1: block1(3), 2: block1(4), 3: block1(5), 4: block1(6), 127: block1(7)], block1(9)
block1(%r: i64):
    return %r
}
; run: @narrow(-1) == 1
; run: @narrow(4) == 6
; run: @narrow(127) == 7
; run: @narrow(-128) == 9
func @atomics(i64) -> (f64, f64, i16, i1) {
    ss0 = slot 64 align 64
block0(%off: i64):
    %p = slot_addr ss0
    %q = ptr_add %p, %off
    atomic_store.f64 release 1.5, %q
    %a = atomic_rmw.f64 fadd seq_cst %q, 2.0
    %b = atomic_load.f64 relaxed %q
    atomic_store.i16 seq_cst 300, %q+8
    %c, %ok = atomic_cas.i16 acq_rel acquire %q+8, 300, -7
    %d = atomic_rmw.i16 smax relaxed %q+8, 5
    fence acquire
    fence seq_cst
    return %a, %b, %d, %ok
}
; run: @atomics(0) == (1.5, 3.5, -7, 1)
; run: @atomics(4) traps misaligned_atomic
func @memory(i64) -> (i32, i64, i32) {
    ss0 = slot 600
    ss1 = slot 600
block0(%n: i64):
    %p = slot_addr ss0
    %q = slot_addr ss1
    mem_fill %p, -2, %n
    mem_copy %q, %p, %n
    %a = mem_compare %p, %q, 600
    store.i8 1, %q+5
    %b = mem_compare %p, %q, 600
    %x = load.i64 %q+3
    return %a, %x, %b
}
; run: @memory(600) == (0, -72340172854657282, 1)
"#;

/// Exits of each kind.
pub(super) const EXITS: &str = r#"
func @checked(i64, i1) -> i64 {
    exit0 = trap user(7)
    exit1 = deopt @slow (i64, f64)
block0(%x: i64, %ok: i1):
    %small = icmp.i64 slt %x, 10
    check %small, exit0
    check %ok, exit1(%x, 2.5)
    return %x
}
func @slow(i64, f64) -> i64 {
block0(%x: i64, %y: f64):
    %z = fptosi_sat.i64 %y
    %r = add.i64 %x, %z
    %s = mul.i64 %r, 1000
    return %s
}
; run: @checked(5, 1) == 5
; run: @checked(5, 0) == 7000
; run: @checked(15, 1) traps user(7)
func @conversions(f64) -> i32 {
block0(%x: f64):
    %r = fptosi_trap.i32 %x
    return %r
}
; run: @conversions(2147483647.9) == 2147483647
; run: @conversions(2147483648.0) traps bad_conversion
; run: @conversions(-2147483648.9) == -2147483648
; run: @conversions(nan) traps bad_conversion
"#;

/// Atomic accesses of 128 bits, of values whose halves are and are not the same.
pub(super) const WIDE_ATOMICS: &str = r#"
func @stores() -> (i128, i128, i128, i128) {
    ss0 = slot 64 align 16
block0:
    %p = slot_addr ss0
    atomic_store.i128 seq_cst -1, %p
    atomic_store.i128 relaxed 18446744073709551617, %p+16
    atomic_store.i128 release 18446744073709551618, %p+32
    atomic_store.i128 unordered 0, %p+48
    %a = atomic_load.i128 seq_cst %p
    %b = atomic_load.i128 relaxed %p+16
    %c = atomic_load.i128 acquire %p+32
    %d = atomic_load.i128 unordered %p+48
    return %a, %b, %c, %d
}
; run: @stores() == (-1, 18446744073709551617, 18446744073709551618, 0)
func @updates(i128, i64) -> (i128, i128, i128, i128, i128) {
    ss0 = slot 64 align 16
block0(%x: i128, %off: i64):
    %s = slot_addr ss0
    %p = ptr_add %s, %off
    %a = atomic_rmw.i128 xchg seq_cst %p, -1
    %b = atomic_rmw.i128 xchg relaxed %p, 18446744073709551617
    %c = atomic_rmw.i128 add release %p, %x
    %d = atomic_rmw.i128 umax acquire %p, 18446744073709551617
    %e = atomic_rmw.i128 nand acq_rel %p, -1
    %r = atomic_load.i128 seq_cst %p
    return %b, %c, %d, %e, %r
}
; run: @updates(18446744073709551615, 16) == (-1, 18446744073709551617, 36893488147419103232, 36893488147419103232, -36893488147419103233)
; run: @updates(1, 8) traps misaligned_atomic
func @exchanges(i128) -> (i1, i1, i1, i128) {
    ss0 = slot 16 align 16
block0(%x: i128):
    %p = slot_addr ss0
    %a, %1 = atomic_cas.i128 seq_cst seq_cst %p, 0, -1
    %b, %2 = atomic_cas.i128 relaxed relaxed %p, -1, %x
    %c, %3 = atomic_cas.i128 release relaxed %p, %x, 18446744073709551617
    %r = atomic_load.i128 seq_cst %p
    return %1, %2, %3, %r
}
; run: @exchanges(5) == (1, 1, 1, 18446744073709551617)
"#;
