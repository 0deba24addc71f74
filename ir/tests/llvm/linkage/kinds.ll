; Who sees a symbol, where it stands, and what else is said of it.
target triple = "x86_64-pc-linux-gnu"

$group = comdat any
$largest = comdat largest
$none = comdat nodeduplicate

@private = private unnamed_addr constant i32 1, align 4
@internal = internal local_unnamed_addr global i32 2, section "mine", align 64
@hidden = hidden global i32 3
@protected = protected global i32 4
@local = dso_local global i32 5
@preemptable = dso_preemptable global i32 6, comdat($group)
@exported = dllexport global i32 7
@started = externally_initialized global i32 8, partition "part"
@kept = available_externally constant i32 9
@coded = global i32 10, code_model "large", no_sanitize_address
@llvm.used = appending global [2 x ptr] [ptr @private, ptr @internal], section "llvm.metadata"
@llvm.compiler.used = appending global [1 x ptr] [ptr @hidden], section "llvm.metadata"
@general = thread_local global i32 11
@dynamic = thread_local(localdynamic) global i32 12
@initial = internal thread_local(initialexec) unnamed_addr global i32 13
@executed = thread_local(localexec) global i32 14
@"quoted name \22\5C" = global i32 15
@"\01literal" = global i32 16
@0 = internal global i32 17

define i32 @data() {
  %p1 = load i32, ptr @private
  %p2 = load i32, ptr @internal
  %p3 = load i32, ptr @hidden
  %p4 = load i32, ptr @protected
  %p5 = load i32, ptr @local
  %p6 = load i32, ptr @preemptable
  %p7 = load i32, ptr @exported
  %p8 = load i32, ptr @started
  %p10 = load i32, ptr @coded
  %p15 = load i32, ptr @"quoted name \22\5C"
  %p16 = load i32, ptr @"\01literal"
  %p17 = load i32, ptr @0
  %s1 = add i32 %p1, %p2
  %s2 = add i32 %s1, %p3
  %s3 = add i32 %s2, %p4
  %s4 = add i32 %s3, %p5
  %s5 = add i32 %s4, %p6
  %s6 = add i32 %s5, %p7
  %s7 = add i32 %s6, %p8
  %s8 = add i32 %s7, %p10
  %s9 = add i32 %s8, %p15
  %s10 = add i32 %s9, %p16
  %s11 = add i32 %s10, %p17
  ret i32 %s11
}
; run: @data() == 94

declare ptr @llvm.threadlocal.address.p0(ptr)
define i32 @threads() {
  %a = call ptr @llvm.threadlocal.address.p0(ptr @general)
  %x = load i32, ptr %a
  %y = load i32, ptr @dynamic
  %z = load i32, ptr @initial
  %w = load i32, ptr @executed
  %xy = add i32 %x, %y
  %zw = add i32 %z, %w
  %sum = add i32 %xy, %zw
  ret i32 %sum
}
; run: @threads() == 50

define private i32 @of_private() unnamed_addr section ".text.mine" align 32 {
  ret i32 1
}
define linkonce_odr hidden i32 @of_group() comdat($group) {
  ret i32 2
}
define protected i32 @of_protected() local_unnamed_addr #0 partition "part" comdat($largest) {
  ret i32 3
}
define available_externally i32 @abs(i32 %x) {
  ret i32 0
}
define dso_local i32 @functions() {
  %a = call i32 @of_private()
  %b = call i32 @of_group()
  %c = call i32 @of_protected()
  %d = call i32 @abs(i32 -4)
  %ab = add i32 %a, %b
  %cd = add i32 %c, %d
  %sum = add i32 %ab, %cd
  ret i32 %sum
}
; run: @functions() == 10

attributes #0 = { nounwind uwtable "frame-pointer"="all" "no-trapping-math"="true" }
