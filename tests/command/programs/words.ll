; Prints its arguments without the first, each variable of the environment that begins with
; "PROGRAM_", and the lines of its standard input behind their numbers.
target triple = "x86_64-unknown-linux-gnu"

@argument = private constant [6 x i8] c"<%s>\0A\00"
@prefix = private constant [9 x i8] c"PROGRAM_\00"
@numbered = private constant [7 x i8] c"%d: %s\00"
@stdin = external global ptr

declare i32 @printf(ptr, ...)
declare i32 @puts(ptr)
declare i32 @strncmp(ptr, ptr, i64)
declare ptr @fgets(ptr, i32, ptr)

define i32 @main(i32 %count, ptr %words, ptr %environment) {
entry:
  %line = alloca [64 x i8]
  br label %argument
argument:
  %i = phi i32 [ 1, %entry ], [ %next, %print ]
  %more = icmp slt i32 %i, %count
  br i1 %more, label %print, label %variable
print:
  %slot = getelementptr ptr, ptr %words, i32 %i
  %word = load ptr, ptr %slot
  %r = call i32 (ptr, ...) @printf(ptr @argument, ptr %word)
  %next = add i32 %i, 1
  br label %argument
variable:
  %at = phi ptr [ %environment, %argument ], [ %behind, %skip ]
  %name = load ptr, ptr %at
  %behind = getelementptr ptr, ptr %at, i64 1
  %end = icmp eq ptr %name, null
  br i1 %end, label %read, label %compare
compare:
  %differs = call i32 @strncmp(ptr %name, ptr @prefix, i64 8)
  %same = icmp eq i32 %differs, 0
  br i1 %same, label %show, label %skip
show:
  %s = call i32 @puts(ptr %name)
  br label %skip
skip:
  br label %variable
read:
  %number = phi i32 [ 1, %variable ], [ %following, %tell ]
  %stream = load ptr, ptr @stdin
  %got = call ptr @fgets(ptr %line, i32 64, ptr %stream)
  %none = icmp eq ptr %got, null
  br i1 %none, label %out, label %tell
tell:
  %t = call i32 (ptr, ...) @printf(ptr @numbered, i32 %number, ptr %line)
  %following = add i32 %number, 1
  br label %read
out:
  ret i32 0
}
