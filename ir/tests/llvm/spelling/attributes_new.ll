; What is said of functions, parameters and results, as LLVM 16 to 22 say it.
%pair = type { i64, i64 }

define range(i32 0, 100) i32 @first(ptr noundef readonly captures(none) dead_on_return %p, i32 noundef range(i32 -5, 5) %x) #0 {
  %v = load i32, ptr %p, align 4
  %r = add nsw i32 %v, %x
  ret i32 %r
}

define nofpclass(nan inf) double @half(double nofpclass(nan inf nzero) %x) memory(none) {
  %r = fmul double %x, 5.000000e-01
  ret double %r
}

define void @fill(ptr noalias writable writeonly sret(%pair) align 8 captures(address, read_provenance) dead_on_unwind initializes((0, 8), (8, 16)) %to) memory(argmem: write) {
  store i64 7, ptr %to, align 8
  %second = getelementptr inbounds nuw i8, ptr %to, i64 8
  store i64 9, ptr %second, align 8
  ret void
}

define i32 @sum(ptr noundef byval(%pair) align 8 captures(address_is_null, ret: address, provenance) %pair, i8 noext %y) #1 {
  %a = load i32, ptr %pair, align 8
  %at = getelementptr inbounds nuw i8, ptr %pair, i64 8
  %b = load i64, ptr %at, align 8
  %c = trunc nuw nsw i64 %b to i32
  %y.wide = zext i8 %y to i32
  %d = add i32 %a, %c
  %e = add i32 %d, %y.wide
  ret i32 %e
}

define i32 @all() local_unnamed_addr #2 {
  %slot = alloca %pair, align 8
  call void @fill(ptr dead_on_unwind writable sret(%pair) align 8 %slot) #3
  %a = call noundef range(i32 0, 1000) i32 @sum(ptr noundef nonnull byval(%pair) align 8 captures(none) %slot, i8 noext 4)
  %b = call i32 @first(ptr nonnull %slot, i32 -3)
  %c = mul i32 %a, 100
  %r = add i32 %c, %b
  ret i32 %r
}

attributes #0 = { mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: read, inaccessiblemem: none, errnomem: none) uwtable(sync) "frame-pointer"="all" }
attributes #1 = { nocallback nocreateundeforpoison sanitize_type sanitize_realtime nosanitize_bounds optdebug "min-legal-vector-width"="0" }
attributes #2 = { vscale_range(1,16) presplitcoroutine sanitize_realtime_blocking sanitize_numerical_stability }
attributes #3 = { memory(argmem: readwrite, target_mem0: none) }

; run: @half(3.0) == 1.5
; run: @all() == 2004
