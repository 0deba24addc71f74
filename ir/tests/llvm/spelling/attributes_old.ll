; What is said of functions, parameters and results, as LLVM 15 to 20 say it.
define i32 @first(ptr nocapture readonly noundef dereferenceable_or_null(8) %p, i32 signext %x) argmemonly nofree norecurse nosync nounwind readonly willreturn uwtable {
  %v = load i32, ptr %p, align 4
  %r = add nsw i32 %v, %x
  ret i32 %r
}

define zeroext i8 @low(i32 %x, ptr nocapture writeonly %to) inaccessiblemem_or_argmemonly {
  store i32 %x, ptr %to
  %r = trunc i32 %x to i8
  ret i8 %r
}

define i32 @one() readnone ssp {
  ret i32 1
}

define i32 @all() #0 {
  %slot = alloca i32, align 4
  %low = call zeroext i8 @low(i32 517, ptr nocapture nonnull %slot) inaccessiblememonly
  %wide = zext i8 %low to i32
  %first = call i32 @first(ptr nonnull %slot, i32 signext 3) readonly
  %one = call i32 @one() readnone
  %a = mul i32 %wide, 1000
  %b = add i32 %a, %first
  %c = add i32 %b, %one
  ret i32 %c
}

attributes #0 = { sspstrong uwtable "disable-tail-calls"="false" "no-frame-pointer-elim" }

; run: @all() == 5521
