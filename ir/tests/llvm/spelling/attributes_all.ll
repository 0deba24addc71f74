; Every attribute that LLVM 22 prints and that changes nothing of what is computed.
target triple = "x86_64-unknown-linux-gnu"

define noalias noundef nonnull align 8 dereferenceable(8) ptr @pointer(ptr noalias nofree nonnull noundef readonly align 8 dereferenceable(8) dereferenceable_or_null(8) returned "kind"="own" %a, ptr readnone allocptr captures(none) %b, i64 allocalign inreg alignstack(8) %c, ptr writeonly dead_on_unwind dead_on_return writable noalias %d) {
  ret ptr %a
}

define i32 @function(i32 noundef %x) #0 align 64 !prof !0 {
  %p = alloca i64
  %q = call noundef ptr @pointer(ptr %p, ptr null, i64 inreg alignstack(8) 0, ptr %p) #1
  %same = icmp eq ptr %p, %q
  %y = zext i1 %same to i32
  %r = add i32 %x, %y
  ret i32 %r
}
; run: @function(4) == 5

; run: @loud(4) == 4
define i32 @loud(i32 %x) alwaysinline cold convergent hot inlinehint #2 {
  ret i32 %x
}

declare noalias ptr @make(i64, i64 allocalign) allocsize(0) allockind("alloc,uninitialized,aligned") "alloc-family"="malloc" "alloc-variant-zeroed"="calloc"
declare ptr @change(ptr allocptr, i64) allockind("realloc") allocsize(1)

!0 = !{!"function_entry_count", i64 10}
attributes #0 = { alignstack=16 disable_sanitizer_instrumentation fn_ret_thunk_extern hybrid_patchable minsize mustprogress nobuiltin nocallback nocf_check nodivergencesource noduplicate nofree noimplicitfloat noinline nomerge nonlazybind noprofile norecurse noredzone nosanitize_bounds nosanitize_coverage nosync nounwind null_pointer_is_valid optsize safestack sanitize_address sanitize_alloc_token sanitize_hwaddress sanitize_memory sanitize_memtag sanitize_realtime sanitize_thread sanitize_type shadowcallstack skipprofile speculatable speculative_load_hardening ssp sspreq sspstrong uwtable(async) willreturn memory(readwrite, argmem: none) "probe-stack"="inline-asm" }
attributes #1 = { builtin nounwind nomerge willreturn memory(none) }
attributes #2 = { vscale_range(1,16) coro_only_destroy_when_complete coro_elide_safe presplitcoroutine }
