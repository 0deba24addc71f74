; What has no meaning here: lanes of more than 128 bits.
; error: 5:19 llvm-unsupported
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

define <2 x i200> @wide_lanes(<2 x i200> %a) {
  ret <2 x i200> %a
}
