; What is wrong at the module level is found before any body is read.
; error: 12:1 bad-type
; error: 13:17 unknown-type
; error: 15:1 duplicate-symbol
; error: 16:24 bad-number
; error: 17:28 bad-alignment
; error: 18:26 llvm-type
; error: 19:21 unknown-symbol
; error: 20:20 llvm-unsupported
; error: 21:11 llvm-unsupported
; error: 22:31 unclosed-string
%list = type { i32, %list }
%later = type { %missing }
@twice = global i32 1
@twice = global i32 2
@narrow = global float 0.1
@odd = global i32 1, align 3
@more = global [2 x i32] [i32 1]
@where = global ptr @nowhere
@scalable = global <vscale x 2 x i64> zeroinitializer
@chosen = ifunc void (), ptr @twice
@name = global i32 1, section "open
