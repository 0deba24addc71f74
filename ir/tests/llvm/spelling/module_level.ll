; What stands beside functions and variables, of all versions.
; ModuleID = 'a.c'
source_filename = "a\22b.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

$shared = comdat any
$only = comdat nodeduplicate
%"odd type" = type { i8, %later }
%later = type { i16, [0 x ptr] }
%0 = type <{ i8, i32 }>

@shared = linkonce_odr dso_local local_unnamed_addr constant i32 20, comdat, align 4
@only = dso_local global %0 <{ i8 1, i32 2 }>, comdat, code_model "large", partition "p", section ".mine", align 1
@"quoted\20name" = internal unnamed_addr global [3 x i8] c"a\5C\00", align 1
@1 = private unnamed_addr constant %"odd type" { i8 3, %later { i16 4, [0 x ptr] zeroinitializer } }
@protected = protected thread_local(localexec) global i32 6, !type !2
@plain = hidden externally_initialized global i32 7, no_sanitize_address, sanitize_memtag
@other = dso_local unnamed_addr alias i32, ptr @plain
@llvm.used = appending global [1 x ptr] [ptr @plain], section "llvm.metadata"
@llvm.compiler.used = appending global [1 x ptr] [ptr @other], section "llvm.metadata"

declare !srcloc !2 dso_local noundef i32 @unused(ptr, ...) local_unnamed_addr #7

define weak_odr dso_local i32 @all() unnamed_addr #0 comdat($shared) align 32 !prof !2 {
  %packed = getelementptr i8, ptr @only, i64 1
  %1 = load i32, ptr %packed, align 1
  %2 = load i32, ptr @shared
  %3 = load i8, ptr @"quoted\20name"
  %4 = zext i8 %3 to i32
  %5 = load i32, ptr @protected
  %6 = load i32, ptr @other
  %7 = getelementptr inbounds %"odd type", ptr @1, i32 0, i32 1, i32 0
  %8 = load i16, ptr %7
  %9 = zext i16 %8 to i32
  br label %10

10:
  %11 = add i32 %1, %2
  %12 = add i32 %4, %5
  %13 = add i32 %6, %9
  %14 = add i32 %11, %12
  %15 = add i32 %13, %14
  ret i32 %15

  uselistorder i32 %1, { 1, 0 }
}
; run: @all() == 136

uselistorder ptr @plain, { 1, 0, 2 }
uselistorder_bb @all, %10, { 0 }

attributes #0 = { nounwind }
attributes #7 = { cold }

!llvm.ident = !{!0}
!odd\20name = !{}
!0 = !{!"clang version 22"}
!2 = !{!"function_entry_count", i64 1}

^0 = module: (path: "a.o", hash: (0, 0, 0, 0, 0))
^1 = gv: (name: "all", summaries: (function: (module: ^0, flags: (linkage: weak_odr, visibility: default, notEligibleToImport: 0), insts: 7))) ; guid = 1
^2 = flags: 8
^3 = blockcount: 2
