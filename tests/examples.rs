//! The examples give their published answers at full size, and sort, multiply
//! and encode data of the host's, as compiled code and in the interpreter. (More
//! is in their `run` lines, which the test files check on every engine.)

#[path = "../examples/mandelbrot/png.rs"]
mod png;
#[path = "examples/runner.rs"]
mod runner;

use std::io::Write;
use std::process::{Command, Stdio};

use brolga_ir::datum::Datum;
use runner::Runner;

/// Numbers that look random, the same ones for the same seed (xorshift64*).
fn numbers(seed: u64) -> impl Iterator<Item = u64> {
    let mut state = seed.max(1);
    std::iter::repeat_with(move || {
        state ^= state >> 12;
        state ^= state << 25;
        state ^= state >> 27;
        state.wrapping_mul(0x2545_f491_4f6c_dd1d)
    })
}

/// The float that a datum is.
fn float(datum: &Datum) -> f64 {
    f64::from_bits(datum.bits() as u64)
}

fn bytes_of_floats(values: &[f64]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

/// The words of eight bytes that stand there.
fn words(bytes: &[u8]) -> impl Iterator<Item = u64> + '_ {
    bytes.chunks_exact(8).map(|word| u64::from_le_bytes(word.try_into().unwrap()))
}

#[test]
fn every_example_is_in_the_safe_dialect_and_has_a_main() {
    let folder = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/examples")).unwrap();
    let names = folder.filter_map(|entry| {
        let name = entry.unwrap().file_name().into_string().unwrap();
        name.strip_suffix(".bir").map(str::to_owned)
    });
    let mut count = 0;
    for name in names {
        let Runner::Native(engine) = Runner::native(&name) else { panic!("{name}") };
        let main = engine.function("main").unwrap();
        assert!(main.signature().params.is_empty(), "{name}");
        count += 1;
    }
    assert_eq!(count, 13);
}

#[test]
fn the_readme_of_the_examples_names_each_of_them() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/examples");
    let readme = std::fs::read_to_string(format!("{folder}/README.md")).unwrap();
    for entry in std::fs::read_dir(folder).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(name == "README.md" || readme.contains(&format!("({name}")), "{name}");
    }
}

/// What an example writes that is a Rust program. Running all tests has built it;
/// running this one alone builds it now.
fn run_program(name: &str, arguments: &[&str]) -> String {
    run_program_on(name, arguments, "")
}

/// The same with a text for its standard input.
fn run_program_on(name: &str, arguments: &[&str], input: &str) -> String {
    let mut command = Command::new(env!("CARGO"));
    command.args(["run", "--quiet", "--example", name]);
    if cfg!(feature = "cli") {
        command.args(["--features", "cli"]);
    }
    if !cfg!(debug_assertions) {
        command.arg("--release");
    }
    command.arg("--").args(arguments).current_dir(env!("CARGO_MANIFEST_DIR"));
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // Dropped behind that: a program that reads comes to an end.
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn the_quickstart_runs() {
    run_program("quickstart", &[]);
}

#[test]
fn kaleidoscope_runs_the_programs_of_files_and_of_its_input() {
    let written = run_program("kaleidoscope", &["examples/kaleidoscope/variables.ks"]);
    assert_eq!(written, "55\n==============\nfib(20) = 6765\n==============\n");
    let text = "def f(x)\n  x * 2\nf(21)\n";
    let written = run_program_on("kaleidoscope", &[], text);
    assert!(written.lines().any(|line| line == "42"), "{written}");
}

#[test]
fn the_program_that_embeds_the_mandelbrot_set_writes_the_picture() {
    let path = concat!(env!("CARGO_TARGET_TMPDIR"), "/embedded.png");
    run_program("mandelbrot", &[path]);
    assert_eq!(hash(&std::fs::read(path).unwrap()), PICTURE);
}

/// One test for each claim and each engine.
macro_rules! claims {
    ($($example:literal: $($claim:ident)*;)*) => {
        mod native {
            $($(#[test] fn $claim() { super::$claim(&mut super::Runner::native($example)); })*)*
        }
        mod interpreter {
            $($(#[test] fn $claim() { super::$claim(&mut super::Runner::interpreter($example)); })*)*
        }
    };
}

claims! {
    "nbody": nbody_keeps_the_energy_of_the_benchmarks_game;
    "spectral_norm": spectral_norm_is_that_of_the_benchmarks_game;
    "fannkuch": fannkuch_counts_as_the_benchmarks_game_does fannkuch_of_ten_does_so_too;
    "nqueens": queens_stand_in_as_many_ways_as_are_known;
    "sieve": there_are_664_579_primes_below_ten_million;
    "crc32": crc_32_has_its_check_value;
    "sha256": sha_256_gives_the_digests_of_the_standard sha_256_takes_a_million_bytes;
    "quicksort": quicksort_sorts_the_numbers_of_the_host;
    "heapsort": heapsort_sorts_the_numbers_of_the_host;
    "matrix": the_product_of_matrices_is_that_of_three_loops;
    "base64": base_64_has_the_vectors_of_rfc_4648_and_refuses_what_is_none;
    "bytecode": the_bytecode_interpreter_runs_its_programs;
    "mandelbrot": the_mandelbrot_set_is_painted_as_point_by_point;
}

fn nbody_keeps_the_energy_of_the_benchmarks_game(nbody: &mut Runner) {
    let energies = nbody.call("main", &[]);
    let (before, after) = (float(&energies[0]), float(&energies[1]));
    assert_eq!(format!("{before:.9} {after:.9}"), "-0.169075164 -0.169087605");
    let energy = float(&nbody.call("energy_after", &[50_000i64.into()])[0]);
    assert_eq!(format!("{energy:.9}"), "-0.169078071");
}

fn spectral_norm_is_that_of_the_benchmarks_game(runner: &mut Runner) {
    let norm = float(&runner.call("spectral_norm", &[100i64.into()])[0]);
    assert_eq!(format!("{norm:.9}"), "1.274219991");
}

fn fannkuch_counts_as_the_benchmarks_game_does(runner: &mut Runner) {
    assert_eq!(runner.call("fannkuch", &[7i64.into()]), [228i64.into(), 16i64.into()]);
}

fn fannkuch_of_ten_does_so_too(runner: &mut Runner) {
    assert_eq!(runner.call("fannkuch", &[10i64.into()]), [73_196i64.into(), 38i64.into()]);
}

fn queens_stand_in_as_many_ways_as_are_known(runner: &mut Runner) {
    let counts = (1..=12i32).map(|n| runner.call("queens", &[n.into()])[0].bits() as i64);
    let counts: Vec<i64> = counts.collect();
    assert_eq!(counts, [1, 0, 0, 2, 10, 4, 40, 92, 352, 724, 2_680, 14_200]);
}

fn there_are_664_579_primes_below_ten_million(runner: &mut Runner) {
    assert_eq!(runner.whole("main", &[]), 664_579);
}

fn crc_32_has_its_check_value(runner: &mut Runner) {
    runner.put("message", b"123456789");
    assert_eq!(runner.whole("crc32", &[9]), 0xcbf4_3926);
}

/// The digest that the example makes of a message, in hexadecimal.
fn sha256(runner: &mut Runner, message: &[u8]) -> String {
    runner.put("message", message);
    runner.call("sha256", &[(message.len() as i64).into()]);
    let digest = runner.get("digest", 32);
    let words = digest.chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().unwrap()));
    words.map(|word| format!("{word:08x}")).collect()
}

fn sha_256_gives_the_digests_of_the_standard(runner: &mut Runner) {
    let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    assert_eq!(sha256(runner, b""), empty);
    let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    assert_eq!(sha256(runner, b"abc"), abc);
    let two_blocks = "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1";
    let message = b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
    assert_eq!(sha256(runner, message), two_blocks);
}

fn sha_256_takes_a_million_bytes(runner: &mut Runner) {
    let million = "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0";
    assert_eq!(sha256(runner, &vec![b'a'; 1_000_000]), million);
}

fn quicksort_sorts_the_numbers_of_the_host(runner: &mut Runner) {
    for count in [0, 1, 2, 3, 10, 1_000, 100_000] {
        let mut values: Vec<i64> =
            numbers(count as u64).map(|x| x as i64 >> 40).take(count).collect();
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        runner.put("values", &bytes);
        runner.call("sort", &[(count as i64).into()]);
        values.sort_unstable();
        let sorted = runner.get("values", count * 8);
        assert!(words(&sorted).map(|word| word as i64).eq(values), "of {count}");
    }
}

fn heapsort_sorts_the_numbers_of_the_host(runner: &mut Runner) {
    for count in [0, 1, 2, 3, 10, 1_000, 100_000] {
        let mut values: Vec<f64> =
            numbers(count as u64).map(|x| (x as i64 >> 40) as f64 / 16.0).take(count).collect();
        runner.put("values", &bytes_of_floats(&values));
        runner.call("sort", &[(count as i64).into()]);
        values.sort_unstable_by(f64::total_cmp);
        assert_eq!(runner.get("values", count * 8), bytes_of_floats(&values), "of {count}");
    }
}

fn the_product_of_matrices_is_that_of_three_loops(runner: &mut Runner) {
    const ROW: usize = 128;
    for n in [1, 3, 4, 50, 128] {
        let random = |seed| {
            numbers(seed).map(|x| (x >> 56) as f64 - 128.0).take(ROW * ROW).collect::<Vec<f64>>()
        };
        let (a, b) = (random(1), random(2));
        runner.put("a", &bytes_of_floats(&a));
        runner.put("b", &bytes_of_floats(&b));
        runner.call("multiply", &[(n as i64).into()]);
        let c: Vec<f64> = words(&runner.get("c", ROW * ROW * 8)).map(f64::from_bits).collect();
        for (i, j) in (0..n).flat_map(|i| (0..n).map(move |j| (i, j))) {
            let sum: f64 = (0..n).map(|k| a[i * ROW + k] * b[k * ROW + j]).sum();
            assert_eq!(c[i * ROW + j], sum, "row {i}, column {j} of {n}");
        }
    }
}

/// Calls `encode` or `decode` of the example; nothing if it refuses.
fn base64(runner: &mut Runner, function: &str, input: &[u8]) -> Option<Vec<u8>> {
    runner.put("input", input);
    let size = usize::try_from(runner.whole(function, &[input.len() as i64])).ok()?;
    Some(runner.get("output", size))
}

fn base_64_has_the_vectors_of_rfc_4648_and_refuses_what_is_none(runner: &mut Runner) {
    let encoded = ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"];
    for (length, letters) in encoded.iter().enumerate() {
        let bytes = &b"foobar"[..length];
        assert_eq!(base64(runner, "encode", bytes).unwrap(), letters.as_bytes());
        assert_eq!(base64(runner, "decode", letters.as_bytes()).unwrap(), bytes);
    }
    for letters in ["Z", "Zg", "Zg=", "Z===", "Zg==Zg==", "Zh==", "Zm9=", "Zm 9", "Zm9v\n"] {
        assert_eq!(base64(runner, "decode", letters.as_bytes()), None, "{letters:?}");
    }
    let bytes: Vec<u8> = numbers(3).map(|x| x as u8).take(49_152).collect();
    let letters = base64(runner, "encode", &bytes).unwrap();
    assert_eq!(letters.len(), 65_536);
    assert_eq!(base64(runner, "decode", &letters).unwrap(), bytes);
}

fn the_bytecode_interpreter_runs_its_programs(runner: &mut Runner) {
    assert_eq!(runner.whole("execute", &[0, 20]), 2_432_902_008_176_640_000);
    assert_eq!(runner.whole("execute", &[32, 90]), 2_880_067_194_370_816_120);
    assert_eq!(runner.whole("execute", &[96, 10_000]), 1_229);
}

/// The picture that the example should paint, point by point.
fn mandelbrot(width: u32, height: u32) -> Vec<u8> {
    let point = |row: u32, column: u32| {
        let real = (f64::from(column) + 0.5) * (3.0 / f64::from(width)) - 2.25;
        let imaginary = 1.25 - (f64::from(row) + 0.5) * (2.5 / f64::from(height));
        let (mut x, mut y, mut stays) = (0.0, 0.0, 0_u8);
        while stays < 255 && x * x + y * y <= 4.0 {
            (x, y) = (x * x - y * y + real, x * y + x * y + imaginary);
            stays += 1;
        }
        let t = (f64::from(stays) / 255.0).sqrt();
        let u = 1.0 - t;
        let (tt, uu) = (t * t, u * u);
        let (ttt, uuu) = (tt * t, uu * u);
        [u * ttt * 2295.0, uu * tt * 3825.0, uuu * t * 2167.5].map(|channel| channel as u8)
    };
    let rows = (0..height).flat_map(|row| (0..width).map(move |column| (row, column)));
    rows.flat_map(|(row, column)| point(row, column)).collect()
}

/// The hash of the picture of 600 by 500 points as a PNG file.
const PICTURE: u64 = 0x11e8_aa48_1d35_8d4e;

/// The hash FNV-1a, of 64 bits.
fn hash(bytes: &[u8]) -> u64 {
    let step = |hash: u64, &byte: &u8| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, step)
}

fn the_mandelbrot_set_is_painted_as_point_by_point(runner: &mut Runner) {
    let inside = runner.whole("main", &[]);
    let image = runner.get("image", 600 * 500 * 3);
    let expected = mandelbrot(600, 500);
    let differing = image.iter().zip(&expected).position(|(found, expected)| found != expected);
    assert_eq!(differing, None);
    let black = image.chunks(3).filter(|point| point.iter().all(|&channel| channel == 0)).count();
    assert!(black >= inside as usize && inside > 0, "{inside} inside, {black} black");
    let picture = png::encode(600, 500, &image);
    assert_eq!(hash(&picture), PICTURE);
    if matches!(runner, Runner::Native(_)) {
        std::fs::write(concat!(env!("CARGO_TARGET_TMPDIR"), "/mandelbrot.png"), picture).unwrap();
    }
}
