; What LLVM 15 to 21 print and LLVM 22 does not any more, or not beside debug intrinsics.
source_filename = "older.c"

@table = constant [2 x ptr] [ptr @table, ptr getelementptr inbounds ([2 x ptr], ptr @table, inrange i32 0, i64 1)]
@sum = global i64 add nuw (i64 ptrtoint (ptr @table to i64), i64 8)
@mul = global i64 mul (i64 ptrtoint (ptr @table to i64), i64 8)
@bits = global i64 and (i64 or (i64 ptrtoint (ptr @table to i64), i64 1), i64 shl (i64 2, i64 3))
@right = global i64 lshr exact (i64 ashr (i64 ptrtoint (ptr @table to i64), i64 1), i64 1)
@equal = global i1 icmp eq (ptr @table, ptr @sum)
@order = global i1 fcmp olt (float bitcast (i32 ptrtoint (ptr @table to i32) to float), float 1.0)
@choice = global i32 select (i1 icmp ne (ptr @table, ptr null), i32 1, i32 2)
@wide = global i64 zext (i32 sext (i8 trunc (i64 ptrtoint (ptr @table to i64) to i8) to i32) to i64)
@real = global double fpext (float uitofp (i8 ptrtoint (ptr @table to i8) to float) to double)
@lane = global i64 extractelement (<2 x i64> insertelement (<2 x i64> zeroinitializer, i64 ptrtoint (ptr @table to i64), i32 0), i32 0)
@mix = global <2 x i64> shufflevector (<2 x i64> undef, <2 x i64> bitcast (<4 x i32> <i32 1, i32 2, i32 3, i32 4> to <2 x i64>), <2 x i32> <i32 0, i32 2>)

define i32 @old(ptr nocapture readonly %p) argmemonly readonly inaccessiblemem_or_argmemonly {
  %1 = load i32, ptr %p, align 4
    #dbg_value(i32 %1, !0, !DIExpression(DW_OP_constu, 1, DW_OP_stack_value), !DILocation(line: 2, scope: !0))
    #dbg_declare(ptr %p, !0, !DIExpression(), !1)
    #dbg_assign(i32 %1, !0, !DIExpression(), !1, ptr %p, !DIExpression(), !1)
    #dbg_label(!0, !1)
  ret i32 %1
  uselistorder ptr %p, { 1, 0, 2 }
  uselistorder { i32, ptr } zeroinitializer, { 1, 0 }
}

uselistorder ptr @table, { 2, 1, 0 }
uselistorder_bb @old, %0, { 1, 0 }

!0 = distinct !{}
!1 = !DILocation(line: 1, scope: !0)
