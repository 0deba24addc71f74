; Every kind of line and instruction, as LLVM 22 takes them.
source_filename = "si\6Ek.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

module asm ".globl foo"
module asm "foo: ret"

%point = type { i32, double }
%list = type { ptr, %"odd name\22", [0 x i32] }
%"odd name\22" = type <{ i8, %7, i32 }>
%7 = type { <4 x float>, [2 x [3 x i16]] }
%hidden = type opaque
%number = type i32

$pick = comdat any
$"pick 2" = comdat nodeduplicate

@0 = private unnamed_addr constant [4 x i8] c"a\00\\b", align 1
@"0" = global i32 7
@1 = internal global i64 -9223372036854775808
@plain = global i32 u0xFF, section "my\20data", partition "p", comdat($pick), align 16
@forward = global ptr @later
@later = external dso_local local_unnamed_addr global %hidden, align 8
@tls = thread_local(initialexec) global i32 0
@tls2 = external thread_local global i32
@common = common global [10 x i32] zeroinitializer, align 4
@weak = weak_odr hidden global i32 1, comdat
$weak = comdat any
@extw = extern_weak global i32
@init = externally_initialized global i32 1
@as1 = addrspace(1) global i32 5
@san = global i32 1, no_sanitize_address, no_sanitize_hwaddress, sanitize_memtag, sanitize_address_dyninit
@cm = global i32 1, code_model "large"
@md = global i32 1, !dbg !20, !other !{}
@pt = global %point { i32 1, double 0x3FF8000000000000 }
@pk = constant <{ i8, i32 }> <{ i8 1, i32 2 }>
@vec = global <4 x float> <float 1.0, float 0.5, float poison, float undef>
@splat = global <4 x i32> splat (i32 3)
@arr = global [3 x i16] [i16 1, i16 -1, i16 65535]
@mixed = global [2 x i64] [i64 1, i64 ptrtoint (ptr @arr to i64)]
@odd = global i7 -1
@wide = global i200 123456789012345678901234567890123456789012345678901234567890
@h = global half 0xH3C00
@bf = global bfloat 0xR3F80
@x = global x86_fp80 0xK3FFF8000000000000000
@q = global fp128 0xL00000000000000003FFF000000000000
@empty = global {} zeroinitializer
@e2 = global [0 x i32] []
@ce1 = global ptr getelementptr inbounds nuw (i8, ptr @arr, i64 2)
@ce2 = global ptr getelementptr inrange(-8, 16) ({ [3 x ptr] }, ptr @forward, i32 0, i32 0, i32 2)
@ce3 = global i64 sub (i64 ptrtoint (ptr @arr to i64), i64 ptrtoint (ptr @pt to i64))
@ce4 = global i32 trunc (i64 sub (i64 ptrtoint (ptr @arr to i64), i64 ptrtoint (ptr @ce4 to i64)) to i32)
@ce5 = global ptr addrspace(1) addrspacecast (ptr @arr to ptr addrspace(1))
@ce6 = global ptr inttoptr (i64 4096 to ptr)
@ce7 = global i64 xor (i64 ptrtoint (ptr @arr to i64), i64 -1)
@ce8 = global ptr dso_local_equivalent @f
@ce9 = global ptr no_cfi @f
@ba = global [2 x ptr] [ptr blockaddress(@jump, %two), ptr blockaddress(@jump, %one)]
@fp = global ptr @f, align 8 #0

@al = alias i32, ptr @plain
@al2 = internal thread_local alias i32, ptr @tls
@al3 = hidden unnamed_addr alias i8, getelementptr (i8, ptr @arr, i64 2)
@al4 = weak alias void (i32), ptr @takes, partition "p"

declare !dbg !20 void @declared(i32) #0
declare extern_weak i32 @maybe(...)
declare void @takes_all(ptr noalias nocapture readonly align 8 dereferenceable(16) dereferenceable_or_null(8), i8 zeroext, i16 signext, ptr byval(%point) align 8, ptr sret(%point), ptr inreg nest, i32 returned, ptr nofree nonnull noundef "str"="v" "s2", i32 range(i32 0, 10), ptr initializes((0, 8), (16, 24)), ptr captures(address, read_provenance), ptr captures(ret: address), float nofpclass(nan inf), ptr align(16) alignstack(8), ptr elementtype(i32), ptr allocptr writable dead_on_unwind dead_on_return, ptr swiftself, i64 allocalign noext, ptr byref(i32), ptr preallocated(i32), metadata, i32 immarg, ...)
declare token @llvm.experimental.gc.statepoint.p0(i64 immarg, i32 immarg, ptr, i32 immarg, i32 immarg, ...)

define void @takes(i32) { ret void }
define i32 @f(i32 noundef %0, ptr nocapture %p) unnamed_addr #0 section "text" comdat($pick) align 16 gc "statepoint-example" personality ptr @declared !dbg !20 !prof !21 {
  %2 = add nuw nsw i32 %0, 1
  %3 = fneg fast float 1.0
  br label %4

4:
  %5 = phi i32 [ %2, %1 ], [ %6, %4 ]
  %6 = sub i32 %5, %9
  %7 = icmp samesign ult i32 %6, 100
  %8 = fcmp nnan uno float %3, 0.0
  %9 = select i1 %7, i32 1, i32 2
  br i1 %8, label %4, label %10, !prof !21, !llvm.loop !22

10:                                               ; preds = %4
  switch i32 %6, label %11 [
    i32 0, label %12
    i32 -1, label %12
  ]
11:
  unreachable
12:
  ret i32 %9
}

define dso_local i32 @ops(i32 %a, i64 %b, float %x, double %y, ptr %p, <4 x i32> %v, { i32, [2 x i8] } %agg, i1 %c) {
entry:
  %s1 = shl nuw nsw i32 %a, 3
  %s2 = lshr exact i32 %a, 1
  %s3 = ashr i32 %a, 1
  %d1 = udiv exact i32 %a, 3
  %d2 = sdiv i32 %a, 3
  %d3 = urem i32 %a, 3
  %d4 = srem i32 %a, 3
  %b1 = and i32 %a, 3
  %b2 = or disjoint i32 %a, 3
  %b3 = xor i32 %a, -1
  %m = mul <4 x i32> %v, splat (i32 3)
  %f1 = fadd reassoc nnan ninf nsz arcp contract afn float %x, 1.0
  %f2 = frem fast double %y, 2.5
  %c1 = trunc nuw nsw i64 %b to i32
  %c2 = zext nneg i32 %a to i64
  %c3 = sext i32 %a to i64
  %c4 = fptrunc fast double %y to float
  %c5 = fpext float %x to double
  %c6 = fptoui double %y to i32
  %c7 = fptosi double %y to i32
  %c8 = uitofp nneg i32 %a to float
  %c9 = sitofp i32 %a to float
  %c10 = ptrtoint ptr %p to i64
  %c11 = inttoptr i64 %b to ptr
  %c12 = bitcast <4 x i32> %v to i128
  %c13 = addrspacecast ptr %p to ptr addrspace(3)
  %c14 = ptrtoaddr ptr %p to i64
  %e1 = extractelement <4 x i32> %v, i64 2
  %e2 = insertelement <4 x i32> %v, i32 %a, i32 0
  %e3 = shufflevector <4 x i32> %v, <4 x i32> poison, <2 x i32> <i32 0, i32 poison>
  %e4 = shufflevector <4 x i32> %v, <4 x i32> undef, <4 x i32> zeroinitializer
  %g1 = extractvalue { i32, [2 x i8] } %agg, 1, 0
  %g2 = insertvalue { i32, [2 x i8] } %agg, i8 %g1, 1, 1
  %al = alloca i32, align 4
  %al2 = alloca [4 x i8], i32 %a, align 16, addrspace(0), !foo !{!"x"}
  %al3 = alloca inalloca %point
  %l1 = load i32, ptr %p, align 4, !range !23, !nontemporal !24
  %l2 = load volatile i32, ptr %p
  %l3 = load atomic volatile i32, ptr %p syncscope("singlethread") monotonic, align 4
  store i32 %a, ptr %p, align 4, !tbaa !25
  store atomic i32 %a, ptr %p release, align 4
  store volatile i32 0, ptr %p
  fence acquire
  fence syncscope("singlethread") seq_cst
  %x1 = cmpxchg weak volatile ptr %p, i32 0, i32 1 acq_rel monotonic, align 4
  %x2 = atomicrmw add ptr %p, i32 1 seq_cst
  %x3 = atomicrmw volatile fmaximum ptr %p, float 1.0 syncscope("agent") monotonic, align 4
  %x4 = atomicrmw usub_sat ptr %p, i32 1 acquire
  %x5 = atomicrmw xchg ptr %p, ptr null release
  %q1 = getelementptr inbounds %point, ptr %p, i64 0, i32 1
  %q2 = getelementptr nusw nuw i8, ptr %p, i64 %b
  %q3 = getelementptr i8, ptr %p, <4 x i32> %v
  %q4 = getelementptr %list, ptr %p, i64 1, i32 2, i64 %b
  %fr = freeze { i32, [2 x i8] } %agg
  %va = va_arg ptr %p, double
  %r1 = call i32 @f(i32 noundef 1, ptr nonnull %p) #1
  %r2 = tail call fastcc i32 @f(i32 1, ptr null)
  %r3 = notail call noundef range(i32 0, 5) i32 %c11(ptr byval(%point) align 8 %p, i64 inreg 5) nounwind "k"="v"
  call void (ptr, ...) @variadic(ptr @0, i32 1, double 2.0)
  call void asm sideeffect alignstack inteldialect "nop", "~{memory},~{dirflag}"()
  %r4 = call { i32, i32 } asm "mov $0", "=r,=r,0"(i32 %a)
  call void @takes(i32 poison) [ "deopt"(i32 1, ptr %p), "x"() ], !srcloc !26
  %r5 = call i32 @llvm.umax.i32(i32 1, i32 2)
  call void @llvm.dbg.value(metadata i32 %a, metadata !20, metadata !DIExpression(DW_OP_plus_uconst, 3)), !dbg !DILocation(line: 1, column: 2, scope: !20)
  call void @llvm.dbg.value(metadata !{}, metadata ptr @f, metadata !DIArgList(i32 %a, i32 %x2))
  call void @llvm.foo(metadata !"round.dynamic")
  %r6 = call fast float @ff(float 1.0) memory(argmem: read, inaccessiblemem: none) cold
  %r7 = call i32 inttoptr (i64 77 to ptr)(i32 1)
  %r8 = call cc 10 i32 @f(i32 1, ptr null)
  %r9 = call addrspace(0) i32 @f(i32 1, ptr getelementptr (i8, ptr @arr, i64 1))
  %r10 = call i32 (i32, ptr) @f(i32 1, ptr null)
  ret i32 %r1
 
}
declare float @ff(float)
declare void @variadic(ptr, ...)
declare void @llvm.dbg.value(metadata, metadata, metadata)
declare void @llvm.foo(metadata)

define i32 @eh() personality ptr @declared {
  %1 = invoke i32 @f(i32 1, ptr null) #1 [ "x"(i32 1) ]
          to label %ok unwind label %bad, !prof !21
ok:
  ret i32 %1
bad:
  %2 = landingpad { ptr, i32 }
          cleanup
          catch ptr @plain
          catch ptr null
          filter [1 x ptr] [ptr @plain]
  resume { ptr, i32 } %2
}
define void @jump(ptr %x) {
  indirectbr ptr %x, [label %one, label %two]
one:
  ret void
two:
  br label %"quo\74ed"
"quoted":
  br label %-odd.1$
-odd.1$:
  ret void
  br label %13
13:
  ret void
}
define i32 @mt(ptr %x, ...) {
  %r = musttail call i32 (ptr, ...) @mt(ptr %x, ...)
  ret i32 %r
}
define <2 x ptr> @vp(<2 x ptr> %p, <2 x i64> %i) {
  %1 = getelementptr i8, <2 x ptr> %p, <2 x i64> %i
  %2 = icmp eq <2 x ptr> %1, zeroinitializer
  %3 = select <2 x i1> %2, <2 x ptr> %1, <2 x ptr> %p
  ret <2 x ptr> %3
}

attributes #0 = { nounwind "target-cpu"="x86-64-v3" "target-features"="+avx2" uwtable memory(read, argmem: readwrite) alignstack=16 align=8 allocsize(0,1) allockind("alloc,zeroed") vscale_range(1,16) }
attributes #1 = { noreturn "no-builtins" }

!llvm.module.flags = !{!0}
!empty = !{}
!inl = !{!DIExpression()}
!0 = !{i32 1, !"wchar_size", i32 4}
!20 = distinct !DISubprogram(name: "f", scope: null, file: !28, line: 3, type: !29, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, unit: !30, spFlags: DISPFlagDefinition)
!21 = !{!"function_entry_count", i64 1}
!22 = distinct !{!22}
!23 = !{i32 0, i32 10}
!24 = !{i32 1}
!25 = !{!26, !26, i64 0}
!26 = !{!"int", !0, i64 0}
!27 = !DILocation(line: 1, column: 2, scope: !20)
!28 = !DIFile(filename: "a\22.c", directory: "/")
!29 = !DISubroutineType(types: !{null})
!30 = distinct !DICompileUnit(language: DW_LANG_C99, file: !28, producer: "p", isOptimized: false, emissionKind: FullDebug)
!31 = !{ptr @f, float 1.0, <2 x i32> <i32 1, i32 2>, %point zeroinitializer, i128 -1, null}
^0 = module: (path: "x", hash: (0, 0, 0, 0, 0))
^1 = flags: 8
