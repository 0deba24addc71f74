; Arithmetic on integers of more than 128 bits that says whether it wrapped.
; run: @sadd129_fits(0, 0) == 1
; run: @sadd129_fits(1, 1) == 1
; run: @sadd129_fits(-1, -1) == 1
; run: @sadd129(170141183460469231731687303715884105727, 170141183460469231731687303715884105727) == 1
; run: @sadd129(-170141183460469231731687303715884105728, -170141183460469231731687303715884105728) == 1
; run: @sadd129_fits(-170141183460469231731687303715884105728, 170141183460469231731687303715884105727) == 1
; run: @sadd129_fits(-1, 1) == 1
; run: @sadd129_fits(1, -1) == 1
; run: @sadd129(170141183460469231731687303715884105727, 2) == 1
; run: @sadd129_fits(-170141183460469231731687303715884105728, 1) == 1
; run: @sadd129(-170141183460469231731687303715884105728, -1) == 1
; run: @sadd129_fits(5, -3) == 1
; run: @sadd129_fits(2, -170141183460469231731687303715884105728) == 1
; run: @sadd129_fits(1180591620717411303424, 1152921504606846976) == 1
; run: @uadd129_fits(0, 0) == 1
; run: @uadd129_fits(1, 1) == 1
; run: @uadd129(-1, -1) == 1
; run: @uadd129_fits(170141183460469231731687303715884105727, 170141183460469231731687303715884105727) == 1
; run: @uadd129_fits(-170141183460469231731687303715884105728, -170141183460469231731687303715884105728) == 1
; run: @uadd129_fits(-170141183460469231731687303715884105728, 170141183460469231731687303715884105727) == 1
; run: @uadd129_fits(-1, 1) == 1
; run: @uadd129_fits(1, -1) == 1
; run: @uadd129_fits(170141183460469231731687303715884105727, 2) == 1
; run: @uadd129_fits(-170141183460469231731687303715884105728, 1) == 1
; run: @uadd129_fits(-170141183460469231731687303715884105728, -1) == 1
; run: @uadd129_fits(5, -3) == 1
; run: @uadd129_fits(2, -170141183460469231731687303715884105728) == 1
; run: @uadd129_fits(1180591620717411303424, 1152921504606846976) == 1
; run: @ssub129_fits(0, 0) == 1
; run: @ssub129_fits(1, 1) == 1
; run: @ssub129_fits(-1, -1) == 1
; run: @ssub129_fits(170141183460469231731687303715884105727, 170141183460469231731687303715884105727) == 1
; run: @ssub129_fits(-170141183460469231731687303715884105728, -170141183460469231731687303715884105728) == 1
; run: @ssub129(-170141183460469231731687303715884105728, 170141183460469231731687303715884105727) == 1
; run: @ssub129_fits(-1, 1) == 1
; run: @ssub129_fits(1, -1) == 1
; run: @ssub129_fits(170141183460469231731687303715884105727, 2) == 1
; run: @ssub129(-170141183460469231731687303715884105728, 1) == 1
; run: @ssub129_fits(-170141183460469231731687303715884105728, -1) == 1
; run: @ssub129_fits(5, -3) == 1
; run: @ssub129_fits(2, -170141183460469231731687303715884105728) == 1
; run: @ssub129_fits(1180591620717411303424, 1152921504606846976) == 1
; run: @usub129_fits(0, 0) == 1
; run: @usub129_fits(1, 1) == 1
; run: @usub129_fits(-1, -1) == 1
; run: @usub129_fits(170141183460469231731687303715884105727, 170141183460469231731687303715884105727) == 1
; run: @usub129_fits(-170141183460469231731687303715884105728, -170141183460469231731687303715884105728) == 1
; run: @usub129_fits(-170141183460469231731687303715884105728, 170141183460469231731687303715884105727) == 1
; run: @usub129_fits(-1, 1) == 1
; run: @usub129(1, -1) == 1
; run: @usub129_fits(170141183460469231731687303715884105727, 2) == 1
; run: @usub129_fits(-170141183460469231731687303715884105728, 1) == 1
; run: @usub129_fits(-170141183460469231731687303715884105728, -1) == 1
; run: @usub129(5, -3) == 1
; run: @usub129(2, -170141183460469231731687303715884105728) == 1
; run: @usub129_fits(1180591620717411303424, 1152921504606846976) == 1
; run: @smul129_fits(0, 0) == 1
; run: @smul129_fits(1, 1) == 1
; run: @smul129_fits(-1, -1) == 1
; run: @smul129(170141183460469231731687303715884105727, 170141183460469231731687303715884105727) == 1
; run: @smul129(-170141183460469231731687303715884105728, -170141183460469231731687303715884105728) == 1
; run: @smul129(-170141183460469231731687303715884105728, 170141183460469231731687303715884105727) == 1
; run: @smul129_fits(-1, 1) == 1
; run: @smul129_fits(1, -1) == 1
; run: @smul129(170141183460469231731687303715884105727, 2) == 1
; run: @smul129_fits(-170141183460469231731687303715884105728, 1) == 1
; run: @smul129(-170141183460469231731687303715884105728, -1) == 1
; run: @smul129_fits(5, -3) == 1
; run: @smul129(2, -170141183460469231731687303715884105728) == 1
; run: @smul129(1180591620717411303424, 1152921504606846976) == 1
; run: @umul129_fits(0, 0) == 1
; run: @umul129_fits(1, 1) == 1
; run: @umul129(-1, -1) == 1
; run: @umul129(170141183460469231731687303715884105727, 170141183460469231731687303715884105727) == 1
; run: @umul129(-170141183460469231731687303715884105728, -170141183460469231731687303715884105728) == 1
; run: @umul129(-170141183460469231731687303715884105728, 170141183460469231731687303715884105727) == 1
; run: @umul129_fits(-1, 1) == 1
; run: @umul129_fits(1, -1) == 1
; run: @umul129_fits(170141183460469231731687303715884105727, 2) == 1
; run: @umul129_fits(-170141183460469231731687303715884105728, 1) == 1
; run: @umul129(-170141183460469231731687303715884105728, -1) == 1
; run: @umul129(5, -3) == 1
; run: @umul129(2, -170141183460469231731687303715884105728) == 1
; run: @umul129(1180591620717411303424, 1152921504606846976) == 1
; run: @sadd192_fits(0, 0) == 1
; run: @sadd192_fits(1, 1) == 1
; run: @sadd192_fits(-1, -1) == 1
; run: @sadd192(170141183460469231731687303715884105727, 170141183460469231731687303715884105727) == 1
; run: @sadd192(-170141183460469231731687303715884105728, -170141183460469231731687303715884105728) == 1
; run: @sadd192_fits(-170141183460469231731687303715884105728, 170141183460469231731687303715884105727) == 1
; run: @sadd192_fits(-1, 1) == 1
; run: @sadd192_fits(1, -1) == 1
; run: @sadd192_fits(170141183460469231731687303715884105727, 2) == 1
; run: @sadd192_fits(-170141183460469231731687303715884105728, 1) == 1
; run: @sadd192(-170141183460469231731687303715884105728, -1) == 1
; run: @sadd192_fits(5, -3) == 1
; run: @sadd192_fits(2, -170141183460469231731687303715884105728) == 1
; run: @sadd192_fits(1180591620717411303424, 1152921504606846976) == 1
; run: @uadd192_fits(0, 0) == 1
; run: @uadd192_fits(1, 1) == 1
; run: @uadd192(-1, -1) == 1
; run: @uadd192_fits(170141183460469231731687303715884105727, 170141183460469231731687303715884105727) == 1
; run: @uadd192_fits(-170141183460469231731687303715884105728, -170141183460469231731687303715884105728) == 1
; run: @uadd192_fits(-170141183460469231731687303715884105728, 170141183460469231731687303715884105727) == 1
; run: @uadd192_fits(-1, 1) == 1
; run: @uadd192_fits(1, -1) == 1
; run: @uadd192_fits(170141183460469231731687303715884105727, 2) == 1
; run: @uadd192_fits(-170141183460469231731687303715884105728, 1) == 1
; run: @uadd192_fits(-170141183460469231731687303715884105728, -1) == 1
; run: @uadd192_fits(5, -3) == 1
; run: @uadd192_fits(2, -170141183460469231731687303715884105728) == 1
; run: @uadd192_fits(1180591620717411303424, 1152921504606846976) == 1
; run: @ssub192_fits(0, 0) == 1
; run: @ssub192_fits(1, 1) == 1
; run: @ssub192_fits(-1, -1) == 1
; run: @ssub192_fits(170141183460469231731687303715884105727, 170141183460469231731687303715884105727) == 1
; run: @ssub192_fits(-170141183460469231731687303715884105728, -170141183460469231731687303715884105728) == 1
; run: @ssub192(-170141183460469231731687303715884105728, 170141183460469231731687303715884105727) == 1
; run: @ssub192_fits(-1, 1) == 1
; run: @ssub192_fits(1, -1) == 1
; run: @ssub192_fits(170141183460469231731687303715884105727, 2) == 1
; run: @ssub192(-170141183460469231731687303715884105728, 1) == 1
; run: @ssub192_fits(-170141183460469231731687303715884105728, -1) == 1
; run: @ssub192_fits(5, -3) == 1
; run: @ssub192_fits(2, -170141183460469231731687303715884105728) == 1
; run: @ssub192_fits(1180591620717411303424, 1152921504606846976) == 1
; run: @usub192_fits(0, 0) == 1
; run: @usub192_fits(1, 1) == 1
; run: @usub192_fits(-1, -1) == 1
; run: @usub192_fits(170141183460469231731687303715884105727, 170141183460469231731687303715884105727) == 1
; run: @usub192_fits(-170141183460469231731687303715884105728, -170141183460469231731687303715884105728) == 1
; run: @usub192_fits(-170141183460469231731687303715884105728, 170141183460469231731687303715884105727) == 1
; run: @usub192_fits(-1, 1) == 1
; run: @usub192(1, -1) == 1
; run: @usub192_fits(170141183460469231731687303715884105727, 2) == 1
; run: @usub192_fits(-170141183460469231731687303715884105728, 1) == 1
; run: @usub192_fits(-170141183460469231731687303715884105728, -1) == 1
; run: @usub192(5, -3) == 1
; run: @usub192(2, -170141183460469231731687303715884105728) == 1
; run: @usub192_fits(1180591620717411303424, 1152921504606846976) == 1
; run: @smul192_fits(0, 0) == 1
; run: @smul192_fits(1, 1) == 1
; run: @smul192_fits(-1, -1) == 1
; run: @smul192(170141183460469231731687303715884105727, 170141183460469231731687303715884105727) == 1
; run: @smul192(-170141183460469231731687303715884105728, -170141183460469231731687303715884105728) == 1
; run: @smul192(-170141183460469231731687303715884105728, 170141183460469231731687303715884105727) == 1
; run: @smul192_fits(-1, 1) == 1
; run: @smul192_fits(1, -1) == 1
; run: @smul192(170141183460469231731687303715884105727, 2) == 1
; run: @smul192_fits(-170141183460469231731687303715884105728, 1) == 1
; run: @smul192(-170141183460469231731687303715884105728, -1) == 1
; run: @smul192_fits(5, -3) == 1
; run: @smul192(2, -170141183460469231731687303715884105728) == 1
; run: @smul192(1180591620717411303424, 1152921504606846976) == 1
; run: @umul192_fits(0, 0) == 1
; run: @umul192_fits(1, 1) == 1
; run: @umul192(-1, -1) == 1
; run: @umul192(170141183460469231731687303715884105727, 170141183460469231731687303715884105727) == 1
; run: @umul192(-170141183460469231731687303715884105728, -170141183460469231731687303715884105728) == 1
; run: @umul192(-170141183460469231731687303715884105728, 170141183460469231731687303715884105727) == 1
; run: @umul192_fits(-1, 1) == 1
; run: @umul192_fits(1, -1) == 1
; run: @umul192_fits(170141183460469231731687303715884105727, 2) == 1
; run: @umul192_fits(-170141183460469231731687303715884105728, 1) == 1
; run: @umul192(-170141183460469231731687303715884105728, -1) == 1
; run: @umul192(5, -3) == 1
; run: @umul192(2, -170141183460469231731687303715884105728) == 1
; run: @umul192(1180591620717411303424, 1152921504606846976) == 1
; run: @sadd200_fits(0, 0) == 1
; run: @sadd200_fits(1, 1) == 1
; run: @sadd200_fits(-1, -1) == 1
; run: @sadd200(170141183460469231731687303715884105727, 170141183460469231731687303715884105727) == 1
; run: @sadd200(-170141183460469231731687303715884105728, -170141183460469231731687303715884105728) == 1
; run: @sadd200_fits(-170141183460469231731687303715884105728, 170141183460469231731687303715884105727) == 1
; run: @sadd200_fits(-1, 1) == 1
; run: @sadd200_fits(1, -1) == 1
; run: @sadd200_fits(170141183460469231731687303715884105727, 2) == 1
; run: @sadd200_fits(-170141183460469231731687303715884105728, 1) == 1
; run: @sadd200(-170141183460469231731687303715884105728, -1) == 1
; run: @sadd200_fits(5, -3) == 1
; run: @sadd200_fits(2, -170141183460469231731687303715884105728) == 1
; run: @sadd200_fits(1180591620717411303424, 1152921504606846976) == 1
; run: @uadd200_fits(0, 0) == 1
; run: @uadd200_fits(1, 1) == 1
; run: @uadd200(-1, -1) == 1
; run: @uadd200_fits(170141183460469231731687303715884105727, 170141183460469231731687303715884105727) == 1
; run: @uadd200_fits(-170141183460469231731687303715884105728, -170141183460469231731687303715884105728) == 1
; run: @uadd200_fits(-170141183460469231731687303715884105728, 170141183460469231731687303715884105727) == 1
; run: @uadd200_fits(-1, 1) == 1
; run: @uadd200_fits(1, -1) == 1
; run: @uadd200_fits(170141183460469231731687303715884105727, 2) == 1
; run: @uadd200_fits(-170141183460469231731687303715884105728, 1) == 1
; run: @uadd200_fits(-170141183460469231731687303715884105728, -1) == 1
; run: @uadd200_fits(5, -3) == 1
; run: @uadd200_fits(2, -170141183460469231731687303715884105728) == 1
; run: @uadd200_fits(1180591620717411303424, 1152921504606846976) == 1
; run: @ssub200_fits(0, 0) == 1
; run: @ssub200_fits(1, 1) == 1
; run: @ssub200_fits(-1, -1) == 1
; run: @ssub200_fits(170141183460469231731687303715884105727, 170141183460469231731687303715884105727) == 1
; run: @ssub200_fits(-170141183460469231731687303715884105728, -170141183460469231731687303715884105728) == 1
; run: @ssub200(-170141183460469231731687303715884105728, 170141183460469231731687303715884105727) == 1
; run: @ssub200_fits(-1, 1) == 1
; run: @ssub200_fits(1, -1) == 1
; run: @ssub200_fits(170141183460469231731687303715884105727, 2) == 1
; run: @ssub200(-170141183460469231731687303715884105728, 1) == 1
; run: @ssub200_fits(-170141183460469231731687303715884105728, -1) == 1
; run: @ssub200_fits(5, -3) == 1
; run: @ssub200_fits(2, -170141183460469231731687303715884105728) == 1
; run: @ssub200_fits(1180591620717411303424, 1152921504606846976) == 1
; run: @usub200_fits(0, 0) == 1
; run: @usub200_fits(1, 1) == 1
; run: @usub200_fits(-1, -1) == 1
; run: @usub200_fits(170141183460469231731687303715884105727, 170141183460469231731687303715884105727) == 1
; run: @usub200_fits(-170141183460469231731687303715884105728, -170141183460469231731687303715884105728) == 1
; run: @usub200_fits(-170141183460469231731687303715884105728, 170141183460469231731687303715884105727) == 1
; run: @usub200_fits(-1, 1) == 1
; run: @usub200(1, -1) == 1
; run: @usub200_fits(170141183460469231731687303715884105727, 2) == 1
; run: @usub200_fits(-170141183460469231731687303715884105728, 1) == 1
; run: @usub200_fits(-170141183460469231731687303715884105728, -1) == 1
; run: @usub200(5, -3) == 1
; run: @usub200(2, -170141183460469231731687303715884105728) == 1
; run: @usub200_fits(1180591620717411303424, 1152921504606846976) == 1
; run: @smul200_fits(0, 0) == 1
; run: @smul200_fits(1, 1) == 1
; run: @smul200_fits(-1, -1) == 1
; run: @smul200(170141183460469231731687303715884105727, 170141183460469231731687303715884105727) == 1
; run: @smul200(-170141183460469231731687303715884105728, -170141183460469231731687303715884105728) == 1
; run: @smul200(-170141183460469231731687303715884105728, 170141183460469231731687303715884105727) == 1
; run: @smul200_fits(-1, 1) == 1
; run: @smul200_fits(1, -1) == 1
; run: @smul200(170141183460469231731687303715884105727, 2) == 1
; run: @smul200_fits(-170141183460469231731687303715884105728, 1) == 1
; run: @smul200(-170141183460469231731687303715884105728, -1) == 1
; run: @smul200_fits(5, -3) == 1
; run: @smul200(2, -170141183460469231731687303715884105728) == 1
; run: @smul200(1180591620717411303424, 1152921504606846976) == 1
; run: @umul200_fits(0, 0) == 1
; run: @umul200_fits(1, 1) == 1
; run: @umul200(-1, -1) == 1
; run: @umul200(170141183460469231731687303715884105727, 170141183460469231731687303715884105727) == 1
; run: @umul200(-170141183460469231731687303715884105728, -170141183460469231731687303715884105728) == 1
; run: @umul200(-170141183460469231731687303715884105728, 170141183460469231731687303715884105727) == 1
; run: @umul200_fits(-1, 1) == 1
; run: @umul200_fits(1, -1) == 1
; run: @umul200_fits(170141183460469231731687303715884105727, 2) == 1
; run: @umul200_fits(-170141183460469231731687303715884105728, 1) == 1
; run: @umul200(-170141183460469231731687303715884105728, -1) == 1
; run: @umul200(5, -3) == 1
; run: @umul200(2, -170141183460469231731687303715884105728) == 1
; run: @umul200(1180591620717411303424, 1152921504606846976) == 1

define i1 @sadd129(i128 %a, i128 %b) {
  %x0 = sext i128 %a to i129
  %y = sext i128 %b to i129
  %x = shl i129 %x0, 1
  %p = call { i129, i1 } @llvm.sadd.with.overflow.i129(i129 %x, i129 %y)
  %v = extractvalue { i129, i1 } %p, 0
  %w = extractvalue { i129, i1 } %p, 1
  %same = add i129 %x, %y
  %ok = icmp eq i129 %v, %same
  %r = and i1 %ok, %w
  ret i1 %r
}
define i1 @sadd129_fits(i128 %a, i128 %b) {
  %x0 = sext i128 %a to i129
  %y = sext i128 %b to i129
  %x = shl i129 %x0, 1
  %p = call { i129, i1 } @llvm.sadd.with.overflow.i129(i129 %x, i129 %y)
  %v = extractvalue { i129, i1 } %p, 0
  %w = extractvalue { i129, i1 } %p, 1
  %same = add i129 %x, %y
  %ok = icmp eq i129 %v, %same
  %no = xor i1 %w, true
  %r = and i1 %ok, %no
  ret i1 %r
}
declare { i129, i1 } @llvm.sadd.with.overflow.i129(i129, i129)

define i1 @uadd129(i128 %a, i128 %b) {
  %x0 = zext i128 %a to i129
  %y = zext i128 %b to i129
  %x = shl i129 %x0, 1
  %p = call { i129, i1 } @llvm.uadd.with.overflow.i129(i129 %x, i129 %y)
  %v = extractvalue { i129, i1 } %p, 0
  %w = extractvalue { i129, i1 } %p, 1
  %same = add i129 %x, %y
  %ok = icmp eq i129 %v, %same
  %r = and i1 %ok, %w
  ret i1 %r
}
define i1 @uadd129_fits(i128 %a, i128 %b) {
  %x0 = zext i128 %a to i129
  %y = zext i128 %b to i129
  %x = shl i129 %x0, 1
  %p = call { i129, i1 } @llvm.uadd.with.overflow.i129(i129 %x, i129 %y)
  %v = extractvalue { i129, i1 } %p, 0
  %w = extractvalue { i129, i1 } %p, 1
  %same = add i129 %x, %y
  %ok = icmp eq i129 %v, %same
  %no = xor i1 %w, true
  %r = and i1 %ok, %no
  ret i1 %r
}
declare { i129, i1 } @llvm.uadd.with.overflow.i129(i129, i129)

define i1 @ssub129(i128 %a, i128 %b) {
  %x0 = sext i128 %a to i129
  %y = sext i128 %b to i129
  %x = shl i129 %x0, 1
  %p = call { i129, i1 } @llvm.ssub.with.overflow.i129(i129 %x, i129 %y)
  %v = extractvalue { i129, i1 } %p, 0
  %w = extractvalue { i129, i1 } %p, 1
  %same = sub i129 %x, %y
  %ok = icmp eq i129 %v, %same
  %r = and i1 %ok, %w
  ret i1 %r
}
define i1 @ssub129_fits(i128 %a, i128 %b) {
  %x0 = sext i128 %a to i129
  %y = sext i128 %b to i129
  %x = shl i129 %x0, 1
  %p = call { i129, i1 } @llvm.ssub.with.overflow.i129(i129 %x, i129 %y)
  %v = extractvalue { i129, i1 } %p, 0
  %w = extractvalue { i129, i1 } %p, 1
  %same = sub i129 %x, %y
  %ok = icmp eq i129 %v, %same
  %no = xor i1 %w, true
  %r = and i1 %ok, %no
  ret i1 %r
}
declare { i129, i1 } @llvm.ssub.with.overflow.i129(i129, i129)

define i1 @usub129(i128 %a, i128 %b) {
  %x0 = zext i128 %a to i129
  %y = zext i128 %b to i129
  %x = shl i129 %x0, 1
  %p = call { i129, i1 } @llvm.usub.with.overflow.i129(i129 %x, i129 %y)
  %v = extractvalue { i129, i1 } %p, 0
  %w = extractvalue { i129, i1 } %p, 1
  %same = sub i129 %x, %y
  %ok = icmp eq i129 %v, %same
  %r = and i1 %ok, %w
  ret i1 %r
}
define i1 @usub129_fits(i128 %a, i128 %b) {
  %x0 = zext i128 %a to i129
  %y = zext i128 %b to i129
  %x = shl i129 %x0, 1
  %p = call { i129, i1 } @llvm.usub.with.overflow.i129(i129 %x, i129 %y)
  %v = extractvalue { i129, i1 } %p, 0
  %w = extractvalue { i129, i1 } %p, 1
  %same = sub i129 %x, %y
  %ok = icmp eq i129 %v, %same
  %no = xor i1 %w, true
  %r = and i1 %ok, %no
  ret i1 %r
}
declare { i129, i1 } @llvm.usub.with.overflow.i129(i129, i129)

define i1 @smul129(i128 %a, i128 %b) {
  %x0 = sext i128 %a to i129
  %y = sext i128 %b to i129
  %x = shl i129 %x0, 1
  %p = call { i129, i1 } @llvm.smul.with.overflow.i129(i129 %x, i129 %y)
  %v = extractvalue { i129, i1 } %p, 0
  %w = extractvalue { i129, i1 } %p, 1
  %same = mul i129 %x, %y
  %ok = icmp eq i129 %v, %same
  %r = and i1 %ok, %w
  ret i1 %r
}
define i1 @smul129_fits(i128 %a, i128 %b) {
  %x0 = sext i128 %a to i129
  %y = sext i128 %b to i129
  %x = shl i129 %x0, 1
  %p = call { i129, i1 } @llvm.smul.with.overflow.i129(i129 %x, i129 %y)
  %v = extractvalue { i129, i1 } %p, 0
  %w = extractvalue { i129, i1 } %p, 1
  %same = mul i129 %x, %y
  %ok = icmp eq i129 %v, %same
  %no = xor i1 %w, true
  %r = and i1 %ok, %no
  ret i1 %r
}
declare { i129, i1 } @llvm.smul.with.overflow.i129(i129, i129)

define i1 @umul129(i128 %a, i128 %b) {
  %x0 = zext i128 %a to i129
  %y = zext i128 %b to i129
  %x = shl i129 %x0, 1
  %p = call { i129, i1 } @llvm.umul.with.overflow.i129(i129 %x, i129 %y)
  %v = extractvalue { i129, i1 } %p, 0
  %w = extractvalue { i129, i1 } %p, 1
  %same = mul i129 %x, %y
  %ok = icmp eq i129 %v, %same
  %r = and i1 %ok, %w
  ret i1 %r
}
define i1 @umul129_fits(i128 %a, i128 %b) {
  %x0 = zext i128 %a to i129
  %y = zext i128 %b to i129
  %x = shl i129 %x0, 1
  %p = call { i129, i1 } @llvm.umul.with.overflow.i129(i129 %x, i129 %y)
  %v = extractvalue { i129, i1 } %p, 0
  %w = extractvalue { i129, i1 } %p, 1
  %same = mul i129 %x, %y
  %ok = icmp eq i129 %v, %same
  %no = xor i1 %w, true
  %r = and i1 %ok, %no
  ret i1 %r
}
declare { i129, i1 } @llvm.umul.with.overflow.i129(i129, i129)

define i1 @sadd192(i128 %a, i128 %b) {
  %x0 = sext i128 %a to i192
  %y = sext i128 %b to i192
  %x = shl i192 %x0, 64
  %p = call { i192, i1 } @llvm.sadd.with.overflow.i192(i192 %x, i192 %y)
  %v = extractvalue { i192, i1 } %p, 0
  %w = extractvalue { i192, i1 } %p, 1
  %same = add i192 %x, %y
  %ok = icmp eq i192 %v, %same
  %r = and i1 %ok, %w
  ret i1 %r
}
define i1 @sadd192_fits(i128 %a, i128 %b) {
  %x0 = sext i128 %a to i192
  %y = sext i128 %b to i192
  %x = shl i192 %x0, 64
  %p = call { i192, i1 } @llvm.sadd.with.overflow.i192(i192 %x, i192 %y)
  %v = extractvalue { i192, i1 } %p, 0
  %w = extractvalue { i192, i1 } %p, 1
  %same = add i192 %x, %y
  %ok = icmp eq i192 %v, %same
  %no = xor i1 %w, true
  %r = and i1 %ok, %no
  ret i1 %r
}
declare { i192, i1 } @llvm.sadd.with.overflow.i192(i192, i192)

define i1 @uadd192(i128 %a, i128 %b) {
  %x0 = zext i128 %a to i192
  %y = zext i128 %b to i192
  %x = shl i192 %x0, 64
  %p = call { i192, i1 } @llvm.uadd.with.overflow.i192(i192 %x, i192 %y)
  %v = extractvalue { i192, i1 } %p, 0
  %w = extractvalue { i192, i1 } %p, 1
  %same = add i192 %x, %y
  %ok = icmp eq i192 %v, %same
  %r = and i1 %ok, %w
  ret i1 %r
}
define i1 @uadd192_fits(i128 %a, i128 %b) {
  %x0 = zext i128 %a to i192
  %y = zext i128 %b to i192
  %x = shl i192 %x0, 64
  %p = call { i192, i1 } @llvm.uadd.with.overflow.i192(i192 %x, i192 %y)
  %v = extractvalue { i192, i1 } %p, 0
  %w = extractvalue { i192, i1 } %p, 1
  %same = add i192 %x, %y
  %ok = icmp eq i192 %v, %same
  %no = xor i1 %w, true
  %r = and i1 %ok, %no
  ret i1 %r
}
declare { i192, i1 } @llvm.uadd.with.overflow.i192(i192, i192)

define i1 @ssub192(i128 %a, i128 %b) {
  %x0 = sext i128 %a to i192
  %y = sext i128 %b to i192
  %x = shl i192 %x0, 64
  %p = call { i192, i1 } @llvm.ssub.with.overflow.i192(i192 %x, i192 %y)
  %v = extractvalue { i192, i1 } %p, 0
  %w = extractvalue { i192, i1 } %p, 1
  %same = sub i192 %x, %y
  %ok = icmp eq i192 %v, %same
  %r = and i1 %ok, %w
  ret i1 %r
}
define i1 @ssub192_fits(i128 %a, i128 %b) {
  %x0 = sext i128 %a to i192
  %y = sext i128 %b to i192
  %x = shl i192 %x0, 64
  %p = call { i192, i1 } @llvm.ssub.with.overflow.i192(i192 %x, i192 %y)
  %v = extractvalue { i192, i1 } %p, 0
  %w = extractvalue { i192, i1 } %p, 1
  %same = sub i192 %x, %y
  %ok = icmp eq i192 %v, %same
  %no = xor i1 %w, true
  %r = and i1 %ok, %no
  ret i1 %r
}
declare { i192, i1 } @llvm.ssub.with.overflow.i192(i192, i192)

define i1 @usub192(i128 %a, i128 %b) {
  %x0 = zext i128 %a to i192
  %y = zext i128 %b to i192
  %x = shl i192 %x0, 64
  %p = call { i192, i1 } @llvm.usub.with.overflow.i192(i192 %x, i192 %y)
  %v = extractvalue { i192, i1 } %p, 0
  %w = extractvalue { i192, i1 } %p, 1
  %same = sub i192 %x, %y
  %ok = icmp eq i192 %v, %same
  %r = and i1 %ok, %w
  ret i1 %r
}
define i1 @usub192_fits(i128 %a, i128 %b) {
  %x0 = zext i128 %a to i192
  %y = zext i128 %b to i192
  %x = shl i192 %x0, 64
  %p = call { i192, i1 } @llvm.usub.with.overflow.i192(i192 %x, i192 %y)
  %v = extractvalue { i192, i1 } %p, 0
  %w = extractvalue { i192, i1 } %p, 1
  %same = sub i192 %x, %y
  %ok = icmp eq i192 %v, %same
  %no = xor i1 %w, true
  %r = and i1 %ok, %no
  ret i1 %r
}
declare { i192, i1 } @llvm.usub.with.overflow.i192(i192, i192)

define i1 @smul192(i128 %a, i128 %b) {
  %x0 = sext i128 %a to i192
  %y = sext i128 %b to i192
  %x = shl i192 %x0, 64
  %p = call { i192, i1 } @llvm.smul.with.overflow.i192(i192 %x, i192 %y)
  %v = extractvalue { i192, i1 } %p, 0
  %w = extractvalue { i192, i1 } %p, 1
  %same = mul i192 %x, %y
  %ok = icmp eq i192 %v, %same
  %r = and i1 %ok, %w
  ret i1 %r
}
define i1 @smul192_fits(i128 %a, i128 %b) {
  %x0 = sext i128 %a to i192
  %y = sext i128 %b to i192
  %x = shl i192 %x0, 64
  %p = call { i192, i1 } @llvm.smul.with.overflow.i192(i192 %x, i192 %y)
  %v = extractvalue { i192, i1 } %p, 0
  %w = extractvalue { i192, i1 } %p, 1
  %same = mul i192 %x, %y
  %ok = icmp eq i192 %v, %same
  %no = xor i1 %w, true
  %r = and i1 %ok, %no
  ret i1 %r
}
declare { i192, i1 } @llvm.smul.with.overflow.i192(i192, i192)

define i1 @umul192(i128 %a, i128 %b) {
  %x0 = zext i128 %a to i192
  %y = zext i128 %b to i192
  %x = shl i192 %x0, 64
  %p = call { i192, i1 } @llvm.umul.with.overflow.i192(i192 %x, i192 %y)
  %v = extractvalue { i192, i1 } %p, 0
  %w = extractvalue { i192, i1 } %p, 1
  %same = mul i192 %x, %y
  %ok = icmp eq i192 %v, %same
  %r = and i1 %ok, %w
  ret i1 %r
}
define i1 @umul192_fits(i128 %a, i128 %b) {
  %x0 = zext i128 %a to i192
  %y = zext i128 %b to i192
  %x = shl i192 %x0, 64
  %p = call { i192, i1 } @llvm.umul.with.overflow.i192(i192 %x, i192 %y)
  %v = extractvalue { i192, i1 } %p, 0
  %w = extractvalue { i192, i1 } %p, 1
  %same = mul i192 %x, %y
  %ok = icmp eq i192 %v, %same
  %no = xor i1 %w, true
  %r = and i1 %ok, %no
  ret i1 %r
}
declare { i192, i1 } @llvm.umul.with.overflow.i192(i192, i192)

define i1 @sadd200(i128 %a, i128 %b) {
  %x0 = sext i128 %a to i200
  %y = sext i128 %b to i200
  %x = shl i200 %x0, 72
  %p = call { i200, i1 } @llvm.sadd.with.overflow.i200(i200 %x, i200 %y)
  %v = extractvalue { i200, i1 } %p, 0
  %w = extractvalue { i200, i1 } %p, 1
  %same = add i200 %x, %y
  %ok = icmp eq i200 %v, %same
  %r = and i1 %ok, %w
  ret i1 %r
}
define i1 @sadd200_fits(i128 %a, i128 %b) {
  %x0 = sext i128 %a to i200
  %y = sext i128 %b to i200
  %x = shl i200 %x0, 72
  %p = call { i200, i1 } @llvm.sadd.with.overflow.i200(i200 %x, i200 %y)
  %v = extractvalue { i200, i1 } %p, 0
  %w = extractvalue { i200, i1 } %p, 1
  %same = add i200 %x, %y
  %ok = icmp eq i200 %v, %same
  %no = xor i1 %w, true
  %r = and i1 %ok, %no
  ret i1 %r
}
declare { i200, i1 } @llvm.sadd.with.overflow.i200(i200, i200)

define i1 @uadd200(i128 %a, i128 %b) {
  %x0 = zext i128 %a to i200
  %y = zext i128 %b to i200
  %x = shl i200 %x0, 72
  %p = call { i200, i1 } @llvm.uadd.with.overflow.i200(i200 %x, i200 %y)
  %v = extractvalue { i200, i1 } %p, 0
  %w = extractvalue { i200, i1 } %p, 1
  %same = add i200 %x, %y
  %ok = icmp eq i200 %v, %same
  %r = and i1 %ok, %w
  ret i1 %r
}
define i1 @uadd200_fits(i128 %a, i128 %b) {
  %x0 = zext i128 %a to i200
  %y = zext i128 %b to i200
  %x = shl i200 %x0, 72
  %p = call { i200, i1 } @llvm.uadd.with.overflow.i200(i200 %x, i200 %y)
  %v = extractvalue { i200, i1 } %p, 0
  %w = extractvalue { i200, i1 } %p, 1
  %same = add i200 %x, %y
  %ok = icmp eq i200 %v, %same
  %no = xor i1 %w, true
  %r = and i1 %ok, %no
  ret i1 %r
}
declare { i200, i1 } @llvm.uadd.with.overflow.i200(i200, i200)

define i1 @ssub200(i128 %a, i128 %b) {
  %x0 = sext i128 %a to i200
  %y = sext i128 %b to i200
  %x = shl i200 %x0, 72
  %p = call { i200, i1 } @llvm.ssub.with.overflow.i200(i200 %x, i200 %y)
  %v = extractvalue { i200, i1 } %p, 0
  %w = extractvalue { i200, i1 } %p, 1
  %same = sub i200 %x, %y
  %ok = icmp eq i200 %v, %same
  %r = and i1 %ok, %w
  ret i1 %r
}
define i1 @ssub200_fits(i128 %a, i128 %b) {
  %x0 = sext i128 %a to i200
  %y = sext i128 %b to i200
  %x = shl i200 %x0, 72
  %p = call { i200, i1 } @llvm.ssub.with.overflow.i200(i200 %x, i200 %y)
  %v = extractvalue { i200, i1 } %p, 0
  %w = extractvalue { i200, i1 } %p, 1
  %same = sub i200 %x, %y
  %ok = icmp eq i200 %v, %same
  %no = xor i1 %w, true
  %r = and i1 %ok, %no
  ret i1 %r
}
declare { i200, i1 } @llvm.ssub.with.overflow.i200(i200, i200)

define i1 @usub200(i128 %a, i128 %b) {
  %x0 = zext i128 %a to i200
  %y = zext i128 %b to i200
  %x = shl i200 %x0, 72
  %p = call { i200, i1 } @llvm.usub.with.overflow.i200(i200 %x, i200 %y)
  %v = extractvalue { i200, i1 } %p, 0
  %w = extractvalue { i200, i1 } %p, 1
  %same = sub i200 %x, %y
  %ok = icmp eq i200 %v, %same
  %r = and i1 %ok, %w
  ret i1 %r
}
define i1 @usub200_fits(i128 %a, i128 %b) {
  %x0 = zext i128 %a to i200
  %y = zext i128 %b to i200
  %x = shl i200 %x0, 72
  %p = call { i200, i1 } @llvm.usub.with.overflow.i200(i200 %x, i200 %y)
  %v = extractvalue { i200, i1 } %p, 0
  %w = extractvalue { i200, i1 } %p, 1
  %same = sub i200 %x, %y
  %ok = icmp eq i200 %v, %same
  %no = xor i1 %w, true
  %r = and i1 %ok, %no
  ret i1 %r
}
declare { i200, i1 } @llvm.usub.with.overflow.i200(i200, i200)

define i1 @smul200(i128 %a, i128 %b) {
  %x0 = sext i128 %a to i200
  %y = sext i128 %b to i200
  %x = shl i200 %x0, 72
  %p = call { i200, i1 } @llvm.smul.with.overflow.i200(i200 %x, i200 %y)
  %v = extractvalue { i200, i1 } %p, 0
  %w = extractvalue { i200, i1 } %p, 1
  %same = mul i200 %x, %y
  %ok = icmp eq i200 %v, %same
  %r = and i1 %ok, %w
  ret i1 %r
}
define i1 @smul200_fits(i128 %a, i128 %b) {
  %x0 = sext i128 %a to i200
  %y = sext i128 %b to i200
  %x = shl i200 %x0, 72
  %p = call { i200, i1 } @llvm.smul.with.overflow.i200(i200 %x, i200 %y)
  %v = extractvalue { i200, i1 } %p, 0
  %w = extractvalue { i200, i1 } %p, 1
  %same = mul i200 %x, %y
  %ok = icmp eq i200 %v, %same
  %no = xor i1 %w, true
  %r = and i1 %ok, %no
  ret i1 %r
}
declare { i200, i1 } @llvm.smul.with.overflow.i200(i200, i200)

define i1 @umul200(i128 %a, i128 %b) {
  %x0 = zext i128 %a to i200
  %y = zext i128 %b to i200
  %x = shl i200 %x0, 72
  %p = call { i200, i1 } @llvm.umul.with.overflow.i200(i200 %x, i200 %y)
  %v = extractvalue { i200, i1 } %p, 0
  %w = extractvalue { i200, i1 } %p, 1
  %same = mul i200 %x, %y
  %ok = icmp eq i200 %v, %same
  %r = and i1 %ok, %w
  ret i1 %r
}
define i1 @umul200_fits(i128 %a, i128 %b) {
  %x0 = zext i128 %a to i200
  %y = zext i128 %b to i200
  %x = shl i200 %x0, 72
  %p = call { i200, i1 } @llvm.umul.with.overflow.i200(i200 %x, i200 %y)
  %v = extractvalue { i200, i1 } %p, 0
  %w = extractvalue { i200, i1 } %p, 1
  %same = mul i200 %x, %y
  %ok = icmp eq i200 %v, %same
  %no = xor i1 %w, true
  %r = and i1 %ok, %no
  ret i1 %r
}
declare { i200, i1 } @llvm.umul.with.overflow.i200(i200, i200)
