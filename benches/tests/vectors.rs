//! LLVM's back ends make the vectors that their names say. Each runs in a process of its own:
//! what forbids vectors holds for the whole of it.

use std::fs;
use std::process::Command;

const SUM: &str = "define i32 @kernel(ptr noalias %p, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  %s = phi i32 [ 0, %entry ], [ %t, %loop ]
  %a = getelementptr i32, ptr %p, i64 %i
  %x = load i32, ptr %a
  %t = add i32 %s, %x
  %j = add nuw i64 %i, 1
  %more = icmp ult i64 %j, %n
  br i1 %more, label %loop, label %done
done:
  ret i32 %t
}";

fn assembly(level: &str) -> String {
    let folder = std::env::temp_dir();
    let name = format!("brolga-vectors-{level}-{}", std::process::id());
    let (text, code) = (folder.join(format!("{name}.ll")), folder.join(format!("{name}.s")));
    fs::write(&text, SUM).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_race-llvm"));
    let status = command.args(["assembly", level]).args([&text, &code]).status().unwrap();
    assert!(status.success());
    let written = fs::read_to_string(&code).unwrap();
    for file in [text, code] {
        fs::remove_file(file).unwrap();
    }
    written
}

#[cfg(target_arch = "x86_64")]
#[test]
fn a_sum_is_as_wide_as_the_name_says() {
    let has = |text: &str, registers: &[&str]| registers.iter().any(|it| text.contains(it));
    let [all, short, none] = ["O2", "O2-128", "O2-scalar"].map(assembly);
    let is_wide = std::is_x86_feature_detected!("avx2");
    assert_eq!(has(&all, &["%ymm", "%zmm"]), is_wide, "{all}");
    assert!(!has(&short, &["%ymm", "%zmm"]) && has(&short, &["%xmm"]), "{short}");
    assert!(!has(&none, &["%ymm", "%zmm", "%xmm"]), "{none}");
}
