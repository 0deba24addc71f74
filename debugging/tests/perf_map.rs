//! Perf maps, as perf reads them.

mod units;

use std::path::PathBuf;

use brolga_debugging::PlacedUnit;
use brolga_debugging::perf_map::{PerfMap, PerfMapError};

use units::{ADDRESS, TEXT, unit};

/// A new folder of the test's own.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

#[test]
fn each_unit_is_a_line_of_start_size_and_one_word() {
    let map = PerfMap::create_in(&folder("perf_map_lines")).unwrap();
    for (name, address) in [("f", 0x1000), ("two words\n10 20 g\t\u{85}", ADDRESS), ("", 0)] {
        map.add(&PlacedUnit::new(&unit(name), address, TEXT)).unwrap();
    }
    let name = format!("perf-{}.map", std::process::id());
    assert_eq!(map.path().file_name().unwrap(), &*name);
    let path = map.path().to_owned();
    drop(map);
    let text = std::fs::read_to_string(path).unwrap();
    assert_eq!(text, "1000 28 f\n7f0012345000 28 two_words_10_20_g__\n0 28 ?\n");
}

#[test]
fn lines_of_several_threads_are_whole() {
    let map = PerfMap::create_in(&folder("perf_map_threads")).unwrap();
    std::thread::scope(|scope| {
        for thread in 0..4_u64 {
            let map = &map;
            scope.spawn(move || {
                for count in 0..100 {
                    let unit = unit(&format!("f{thread}_{count}"));
                    map.add(&PlacedUnit::new(&unit, thread << 32 | count, TEXT)).unwrap();
                }
            });
        }
    });
    let text = std::fs::read_to_string(map.path()).unwrap();
    let mut lines: Vec<&str> = text.lines().collect();
    let line = |index: u64| {
        let (thread, count) = (index / 100, index % 100);
        format!("{:x} 28 f{thread}_{count}", thread << 32 | count)
    };
    let mut expected: Vec<String> = (0..400).map(line).collect();
    lines.sort_unstable();
    expected.sort_unstable();
    assert_eq!(lines, expected);
}

#[cfg(unix)]
#[test]
fn a_link_in_the_place_of_the_file_is_not_followed() {
    let folder = folder("perf_map_link");
    let victim = folder.join("victim");
    std::fs::write(&victim, "kept").unwrap();
    let path = folder.join(format!("perf-{}.map", std::process::id()));
    std::os::unix::fs::symlink(&victim, &path).unwrap();
    let map = PerfMap::create_in(&folder).unwrap();
    map.add(&PlacedUnit::new(&unit("f"), 1, TEXT)).unwrap();
    assert_eq!(std::fs::read_to_string(victim).unwrap(), "kept");
    assert_eq!(std::fs::read_to_string(path).unwrap(), "1 28 f\n");
}

#[test]
fn a_folder_that_is_not_there_is_an_error_that_names_the_file() {
    let folder = folder("perf_map_missing").join("not-there");
    let error = PerfMap::create_in(&folder).unwrap_err();
    assert!(matches!(&error, PerfMapError::Create { path, .. } if path.starts_with(&folder)));
    assert!(error.to_string().contains("not-there/perf-"), "{error}");
}
