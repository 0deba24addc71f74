//! The examples give their published answers as compiled code, at full size and
//! on data of the host's. (What fits the interpreter is in their `run` lines,
//! which the test files check on every engine.)

#[path = "../examples/mandelbrot/png.rs"]
mod png;

use brolga::{Config, Engine};

/// The example `name`, loaded by safe code alone.
fn example(name: &str) -> Engine {
    let path = format!("{}/examples/{name}.bir", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    let engine = Engine::new(Config::default()).unwrap();
    engine.load(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
    engine
}

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

#[test]
fn every_example_is_in_the_safe_dialect_and_has_a_main() {
    let folder = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/examples")).unwrap();
    let names = folder.filter_map(|entry| {
        let name = entry.unwrap().file_name().into_string().unwrap();
        name.strip_suffix(".bir").map(str::to_owned)
    });
    let mut count = 0;
    for name in names {
        let main = example(&name).function("main").unwrap();
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

#[test]
fn nbody_keeps_the_energy_of_the_benchmarks_game() {
    let engine = example("nbody");
    let (before, after) = engine.func::<(), (f64, f64)>("main").unwrap().call(()).unwrap();
    assert_eq!(format!("{before:.9} {after:.9}"), "-0.169075164 -0.169087605");
    let energy_after = engine.func::<(i64,), f64>("energy_after").unwrap();
    let energy = energy_after.call((50_000,)).unwrap();
    assert_eq!(format!("{energy:.9}"), "-0.169078071");
}

#[test]
fn spectral_norm_is_that_of_the_benchmarks_game() {
    let norm = example("spectral_norm").func::<(i64,), f64>("spectral_norm").unwrap();
    assert_eq!(format!("{:.9}", norm.call((100,)).unwrap()), "1.274219991");
}

#[test]
fn fannkuch_counts_as_the_benchmarks_game_does() {
    let fannkuch = example("fannkuch").func::<(i64,), (i64, i64)>("fannkuch").unwrap();
    assert_eq!(fannkuch.call((7,)).unwrap(), (228, 16));
    assert_eq!(fannkuch.call((10,)).unwrap(), (73_196, 38));
}

#[test]
fn queens_stand_in_as_many_ways_as_are_known() {
    let queens = example("nqueens").func::<(i32,), i64>("queens").unwrap();
    let counts: Vec<i64> = (1..=12).map(|n| queens.call((n,)).unwrap()).collect();
    assert_eq!(counts, [1, 0, 0, 2, 10, 4, 40, 92, 352, 724, 2_680, 14_200]);
}

#[test]
fn there_are_664_579_primes_below_ten_million() {
    let main = example("sieve").func::<(), i64>("main").unwrap();
    assert_eq!(main.call(()).unwrap(), 664_579);
}

#[test]
fn crc_32_has_its_check_value() {
    let engine = example("crc32");
    engine.write_data("message", 0, b"123456789").unwrap();
    let crc32 = engine.func::<(i64,), i32>("crc32").unwrap();
    assert_eq!(crc32.call((9,)).unwrap() as u32, 0xcbf4_3926);
}

/// The digest that the example makes of a message, in hexadecimal.
fn sha256(engine: &Engine, message: &[u8]) -> String {
    engine.write_data("message", 0, message).unwrap();
    engine.call("sha256", &[(message.len() as i64).into()]).unwrap();
    let mut digest = [0_u32; 8];
    engine.read_data("digest", 0, &mut digest).unwrap();
    digest.iter().map(|word| format!("{word:08x}")).collect()
}

#[test]
fn sha_256_gives_the_digests_of_the_standard() {
    let engine = example("sha256");
    let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    assert_eq!(sha256(&engine, b""), empty);
    let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    assert_eq!(sha256(&engine, b"abc"), abc);
    let two_blocks = "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1";
    let message = b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
    assert_eq!(sha256(&engine, message), two_blocks);
    let million = "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0";
    assert_eq!(sha256(&engine, &vec![b'a'; 1_000_000]), million);
}

#[test]
fn quicksort_sorts_the_numbers_of_the_host() {
    let engine = example("quicksort");
    let sort = engine.func::<(i64,), ()>("sort").unwrap();
    for count in [0, 1, 2, 3, 10, 1_000, 100_000] {
        let mut values: Vec<i64> =
            numbers(count as u64).map(|x| x as i64 >> 40).take(count).collect();
        engine.write_data("values", 0, &values).unwrap();
        sort.call((count as i64,)).unwrap();
        values.sort_unstable();
        let mut sorted = vec![0_i64; count];
        engine.read_data("values", 0, &mut sorted).unwrap();
        assert_eq!(sorted, values, "of {count}");
    }
}

#[test]
fn heapsort_sorts_the_numbers_of_the_host() {
    let engine = example("heapsort");
    let sort = engine.func::<(i64,), ()>("sort").unwrap();
    for count in [0, 1, 2, 3, 10, 1_000, 100_000] {
        let mut values: Vec<f64> =
            numbers(count as u64).map(|x| (x as i64 >> 40) as f64 / 16.0).take(count).collect();
        engine.write_data("values", 0, &values).unwrap();
        sort.call((count as i64,)).unwrap();
        values.sort_unstable_by(f64::total_cmp);
        let mut sorted = vec![0_f64; count];
        engine.read_data("values", 0, &mut sorted).unwrap();
        assert_eq!(sorted, values, "of {count}");
    }
}

#[test]
fn the_product_of_matrices_is_that_of_three_loops() {
    const ROW: usize = 128;
    let engine = example("matrix");
    let multiply = engine.func::<(i64,), ()>("multiply").unwrap();
    for n in [1, 3, 4, 50, 128] {
        let random = |seed| {
            numbers(seed).map(|x| (x >> 56) as f64 - 128.0).take(ROW * ROW).collect::<Vec<f64>>()
        };
        let (a, b) = (random(1), random(2));
        engine.write_data("a", 0, &a).unwrap();
        engine.write_data("b", 0, &b).unwrap();
        multiply.call((n as i64,)).unwrap();
        let mut c = vec![0_f64; ROW * ROW];
        engine.read_data("c", 0, &mut c).unwrap();
        for (i, j) in (0..n).flat_map(|i| (0..n).map(move |j| (i, j))) {
            let sum: f64 = (0..n).map(|k| a[i * ROW + k] * b[k * ROW + j]).sum();
            assert_eq!(c[i * ROW + j], sum, "row {i}, column {j} of {n}");
        }
    }
}

/// Calls `encode` or `decode` of the example; nothing if it refuses.
fn base64(engine: &Engine, function: &str, input: &[u8]) -> Option<Vec<u8>> {
    engine.write_data("input", 0, input).unwrap();
    let call = engine.func::<(i64,), i64>(function).unwrap();
    let size = usize::try_from(call.call((input.len() as i64,)).unwrap()).ok()?;
    let mut output = vec![0_u8; size];
    engine.read_data("output", 0, &mut output).unwrap();
    Some(output)
}

#[test]
fn base_64_has_the_vectors_of_rfc_4648_and_refuses_what_is_none() {
    let engine = example("base64");
    let encoded = ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"];
    for (length, letters) in encoded.iter().enumerate() {
        let bytes = &b"foobar"[..length];
        assert_eq!(base64(&engine, "encode", bytes).unwrap(), letters.as_bytes());
        assert_eq!(base64(&engine, "decode", letters.as_bytes()).unwrap(), bytes);
    }
    for letters in ["Z", "Zg", "Zg=", "Z===", "Zg==Zg==", "Zh==", "Zm9=", "Zm 9", "Zm9v\n"] {
        assert_eq!(base64(&engine, "decode", letters.as_bytes()), None, "{letters:?}");
    }
    let bytes: Vec<u8> = numbers(3).map(|x| x as u8).take(49_152).collect();
    let letters = base64(&engine, "encode", &bytes).unwrap();
    assert_eq!(letters.len(), 65_536);
    assert_eq!(base64(&engine, "decode", &letters).unwrap(), bytes);
}

#[test]
fn the_bytecode_interpreter_runs_its_programs() {
    let execute = example("bytecode").func::<(i64, i64), i64>("execute").unwrap();
    assert_eq!(execute.call((0, 20)).unwrap(), 2_432_902_008_176_640_000);
    assert_eq!(execute.call((32, 90)).unwrap(), 2_880_067_194_370_816_120);
    assert_eq!(execute.call((96, 10_000)).unwrap(), 1_229);
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

/// The hash FNV-1a, of 64 bits.
fn hash(bytes: &[u8]) -> u64 {
    let step = |hash: u64, &byte: &u8| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, step)
}

#[test]
fn the_mandelbrot_set_is_painted_as_point_by_point() {
    let engine = example("mandelbrot");
    let inside = engine.func::<(), i64>("main").unwrap().call(()).unwrap();
    let mut image = vec![0_u8; 600 * 500 * 3];
    engine.read_data("image", 0, &mut image).unwrap();
    let expected = mandelbrot(600, 500);
    let differing = image.iter().zip(&expected).position(|(found, expected)| found != expected);
    assert_eq!(differing, None);
    let black = image.chunks(3).filter(|point| point.iter().all(|&channel| channel == 0)).count();
    assert!(black >= inside as usize && inside > 0, "{inside} inside, {black} black");
    let picture = png::encode(600, 500, &image);
    assert_eq!(hash(&picture), hash(&png::encode(600, 500, &expected)));
    std::fs::write(concat!(env!("CARGO_TARGET_TMPDIR"), "/mandelbrot.png"), picture).unwrap();
}
