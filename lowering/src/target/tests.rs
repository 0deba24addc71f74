use expect_test::expect;

use super::*;
use crate::level::BackEnd;

fn linux(architecture: Architecture, cpu: &str) -> TargetSpec {
    TargetSpec::new(architecture, System::Linux, cpu).unwrap()
}

fn error(text: &str) -> String {
    TargetSpec::parse(text).unwrap_err().to_string()
}

#[test]
fn canonical_text_parses_back_to_an_equal_target() {
    for text in [
        "x86_64-unknown-linux-gnu/x86-64",
        "x86_64-unknown-linux-gnu/x86-64-v3,+avx512f,-bmi2",
        "aarch64-apple-darwin/apple-m1,-lse",
        "x86_64-pc-windows-msvc/znver4,-avx",
    ] {
        let spec = TargetSpec::parse(text).unwrap();
        let canonical = spec.to_string();
        assert_eq!(TargetSpec::parse(&canonical), Ok(spec), "{text} -> {canonical}");
    }
}

#[test]
fn canonical_text_spells_what_differs_from_the_cpu() {
    let spec = TargetSpec::parse("x86_64-linux-musl/haswell,-avx,+sse4a").unwrap();
    expect!["x86_64-unknown-linux-gnu/haswell,+sse4a,-avx,-avx2,-fma,-f16c"]
        .assert_eq(&spec.to_string());
}

#[test]
fn a_triple_alone_means_its_generic_cpu() {
    let spec = TargetSpec::parse("aarch64-unknown-linux-gnu").unwrap();
    assert_eq!(spec, linux(Architecture::Aarch64, "generic"));
}

#[test]
fn a_cpu_alone_means_the_platform_of_the_host() {
    let host = TargetSpec::host().unwrap();
    let spec = TargetSpec::parse("generic").unwrap();
    assert_eq!((spec.architecture(), spec.system()), (host.architecture(), host.system()));
}

#[test]
fn the_host_can_be_named_and_runs_its_own_code() {
    let host = TargetSpec::host().unwrap();
    assert_eq!(TargetSpec::parse("host"), Ok(host));
    assert_eq!(TargetSpec::parse(&host.to_string()), Ok(host));
    assert!(host.runs_on(&host));
    assert!(TargetSpec::parse("generic").unwrap().runs_on(&host));
}

/// The kernel's word for a feature, where it is not LLVM's without punctuation.
#[cfg(target_os = "linux")]
fn kernel_word(feature: Feature) -> String {
    match feature {
        Feature::Sse3 => "pni".to_owned(),
        Feature::Sse41 => "sse4_1".to_owned(),
        Feature::Sse42 => "sse4_2".to_owned(),
        Feature::Lzcnt => "abm".to_owned(),
        Feature::Bmi => "bmi1".to_owned(),
        Feature::AvxVnni => "avx_vnni".to_owned(),
        Feature::Avx512vnni => "avx512_vnni".to_owned(),
        Feature::Avx512bitalg => "avx512_bitalg".to_owned(),
        Feature::Lse => "atomics".to_owned(),
        Feature::Pauth => "paca".to_owned(),
        Feature::Fullfp16 => "fphp".to_owned(),
        Feature::Dotprod => "asimddp".to_owned(),
        other => other.name().to_owned(),
    }
}

#[test]
#[cfg(target_os = "linux")]
fn the_host_has_the_features_in_code_that_the_kernel_shows() {
    let host = TargetSpec::host().unwrap();
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap();
    let is_list = |line: &&str| line.starts_with("flags") || line.starts_with("Features");
    let line = text.lines().find(is_list).unwrap();
    let words: Vec<&str> = line.split_once(':').unwrap().1.split_whitespace().collect();
    let is_shown = |feature: Feature| words.contains(&kernel_word(feature).as_str());
    for feature in Feature::of(host.architecture()).filter(|it| it.flag().is_some()) {
        // What a visible feature implies may be hidden by a hypervisor.
        let with_implied = FeatureSet::from_iter([feature]).in_code();
        assert_eq!(host.has(feature), with_implied.iter().all(is_shown), "{}", feature.name());
    }
}

#[test]
fn code_runs_only_where_each_feature_that_it_uses_is_present() {
    let v2 = linux(Architecture::X86_64, "x86-64-v2");
    let v3 = linux(Architecture::X86_64, "x86-64-v3");
    assert!(v2.runs_on(&v3) && !v3.runs_on(&v2));
    let unused_in_code = v2.with_feature(Feature::Sha);
    assert!(unused_in_code.runs_on(&v2));
    assert!(!linux(Architecture::Aarch64, "generic").runs_on(&v3));
    let windows = TargetSpec::new(Architecture::X86_64, System::Windows, "x86-64").unwrap();
    assert!(!windows.runs_on(&v3));
}

#[test]
fn errors_name_the_word_and_the_known_ones() {
    let text = error("x86_64-unknown-linux-gnu/x86-64-v9");
    assert!(text.starts_with("unknown CPU `x86-64-v9` for x86_64; known: generic, x86-64, "));
    let text = error("x86_64-unknown-linux-gnu/haswell,+avx3");
    assert!(text.starts_with("unknown feature `avx3` for x86_64; known: sse2, sse3, "));
    expect![[r#"
        unknown target triple `riscv64gc-unknown-linux-gnu`; known: x86_64-unknown-linux-gnu, x86_64-apple-darwin, x86_64-pc-windows-msvc, aarch64-unknown-linux-gnu, aarch64-apple-darwin, aarch64-pc-windows-msvc"#]]
    .assert_eq(&error("riscv64gc-unknown-linux-gnu/generic"));
    expect!["`sse2` cannot be taken away: every x86_64 CPU has it"]
        .assert_eq(&error("x86_64-unknown-linux-gnu/x86-64,-sse2"));
    for word in ["fast", "clone_all"] {
        let text = error(&format!("x86_64-unknown-linux-gnu/x86-64,{word}"));
        let start = format!("`{word}` is no feature; write `+FEATURE` or `-FEATURE`, of: sse2, ");
        assert!(text.starts_with(&start), "{text}");
    }
    assert_eq!(TargetSpec::parse(" "), Err(TargetError::Empty));
}

#[test]
fn a_cpu_of_the_other_architecture_is_told_apart_from_an_unknown_one() {
    let text = error("x86_64-unknown-linux-gnu/neoverse-n1");
    assert!(
        text.ends_with(
            "; `neoverse-n1` is of aarch64: write `aarch64-unknown-linux-gnu/neoverse-n1`"
        )
    );
}

#[test]
fn lists_read_as_julia_writes_them() {
    let text = "x86_64-linux-gnu/generic;x86_64-linux-gnu/sandybridge,-xsaveopt,clone_all;\
                x86_64-linux-gnu/haswell,-rdrnd,base(1),opt_size";
    let list = TargetList::parse(text).unwrap();
    let [first, second, third] = list.targets() else { panic!("three targets") };
    assert_eq!((first.cloning, first.base, first.size), (Cloning::All, 0, SizeGoal::Speed));
    assert_eq!((second.cloning, second.base), (Cloning::All, 0));
    assert!(second.spec.has(Feature::Avx) && !second.spec.has(Feature::Xsaveopt));
    assert_eq!((third.cloning, third.base, third.size), (Cloning::Relevant, 1, SizeGoal::Small));
    assert!(!third.spec.has(Feature::Rdrnd));
}

#[test]
fn a_list_refuses_what_is_no_target_and_no_earlier_base() {
    assert_eq!(TargetList::parse(""), Err(TargetError::Empty));
    assert_eq!(TargetList::parse("host;;host"), Err(TargetError::Empty));
    for flag in ["base(1)", "base(-1)", "base()", "base(0"] {
        let error = TargetList::parse(&format!("host;host,{flag}")).unwrap_err();
        assert_eq!(error, TargetError::BadBase { flag: flag.to_owned(), index: 1 });
    }
    assert!(TargetList::parse("host,base(0)").is_err(), "the first target has no earlier one");
}

#[test]
fn the_back_end_takes_every_cpu_on_every_system() {
    for &architecture in Architecture::ALL {
        for &system in System::ALL {
            for cpu in Cpu::of(architecture) {
                let spec = TargetSpec::new(architecture, system, cpu.name()).unwrap();
                let isa = Isa::new(spec, IsaOptions::default()).unwrap();
                assert_eq!(isa.machine(BackEnd::Quick).triple().to_string(), spec.triple());
            }
        }
    }
}

#[test]
fn the_features_of_a_target_are_the_flags_of_its_back_end() {
    for &architecture in Architecture::ALL {
        for cpu in Cpu::of(architecture) {
            let spec = linux(architecture, cpu.name());
            let isa = Isa::new(spec, IsaOptions::default()).unwrap();
            let flags = isa.machine(BackEnd::Plain).isa_flags();
            for flag in flags.iter().filter(|flag| flag.name.starts_with("has_")) {
                let feature = Feature::of(architecture).find(|it| it.flag() == Some(flag.name));
                let feature = feature.unwrap_or_else(|| panic!("no feature for {}", flag.name));
                assert_eq!(flag.as_bool(), Some(spec.has(feature)), "{} {feature:?}", cpu.name());
            }
        }
    }
}

#[test]
fn settings_tell_targets_and_options_apart() {
    let spec = linux(Architecture::X86_64, "x86-64-v2");
    let plain = Isa::new(spec, IsaOptions::default()).unwrap().settings();
    let options = IsaOptions { unwind_tables: UnwindTables::Emit, ..IsaOptions::default() };
    assert_ne!(plain, Isa::new(spec, options).unwrap().settings());
    let other = linux(Architecture::X86_64, "x86-64-v3");
    assert_ne!(plain, Isa::new(other, IsaOptions::default()).unwrap().settings());
    assert!(plain.contains("preserve_frame_pointers = true"), "{plain}");
}
