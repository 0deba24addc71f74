; A convention that no line of a function vouches for is not guessed.
; error: 4:3 llvm-unsupported
define void @through(ptr %f) {
  call x86_vectorcallcc void %f()
  ret void
}
