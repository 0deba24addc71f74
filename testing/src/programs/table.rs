//! The programs, and where they are from: pure data.
//!
//! A path begins with the name of a package, or with `corpus` for this
//! repository's `testing/corpus`; in options and arguments it has an `@` before it.

/// A published package, of exactly one version.
#[derive(Debug)]
pub(super) struct Package {
    pub(super) name: &'static str,
    pub(super) version: &'static str,
}

/// A program, and what it does here.
#[derive(Debug)]
pub(super) struct Program {
    pub(super) name: &'static str,
    /// What the runs do, and whose they are.
    pub(super) workload: &'static str,
    pub(super) packages: &'static [Package],
    /// Files in C; `*` stands for any name.
    pub(super) sources: &'static [&'static str],
    /// Tests with a `main` of their own, which in a file `x.c` is called `x_main` here: a
    /// driver calls one after the other.
    pub(super) tests: &'static [&'static str],
    /// What the compiler is told beside the optimisation.
    pub(super) options: &'static [&'static str],
    /// The arguments of each run.
    pub(super) runs: &'static [&'static [&'static str]],
}

/// From the quickest to the slowest.
pub(super) const PROGRAMS: &[Program] = &[
    Program {
        name: "zlib",
        workload: "a driver: every level, strategy and window, streams, files, damage",
        packages: &[Package { name: "libz-sys", version: "1.1.31" }],
        sources: &["libz-sys/src/zlib/*.c", "corpus/zlib/driver.c"],
        tests: &[],
        options: &["-DHAVE_UNISTD_H", "-DHAVE_STDARG_H", "-I", "@libz-sys/src/zlib"],
        runs: &[&[]],
    },
    Program {
        name: "oniguruma",
        workload: "seven of its own tests: 4,500 patterns in several encodings",
        packages: &[Package { name: "onig_sys", version: "69.9.3" }],
        sources: &[
            "onig_sys/oniguruma/src/reg*.c",
            "onig_sys/oniguruma/src/st.c",
            "onig_sys/oniguruma/src/onig_init.c",
            "onig_sys/oniguruma/src/unicode.c",
            "onig_sys/oniguruma/src/unicode_*_key.c",
            "onig_sys/oniguruma/src/ascii.c",
            "onig_sys/oniguruma/src/utf*.c",
            "onig_sys/oniguruma/src/euc_jp.c",
            "onig_sys/oniguruma/src/euc_jp_prop.c",
            "onig_sys/oniguruma/src/euc_kr.c",
            "onig_sys/oniguruma/src/euc_tw.c",
            "onig_sys/oniguruma/src/sjis*.c",
            "onig_sys/oniguruma/src/iso8859_*.c",
            "onig_sys/oniguruma/src/big5.c",
            "onig_sys/oniguruma/src/gb18030.c",
            "onig_sys/oniguruma/src/koi8_r.c",
            "onig_sys/oniguruma/src/cp1251.c",
            "corpus/oniguruma/driver.c",
        ],
        tests: &[
            "onig_sys/oniguruma/test/test_*.c",
            "onig_sys/oniguruma/test/testc.c",
            "onig_sys/oniguruma/test/testu.c",
        ],
        options: &["-I", "@corpus/oniguruma", "-I", "@onig_sys/oniguruma/src"],
        runs: &[&[]],
    },
    Program {
        name: "lua",
        workload: "scripts: values, patterns, coroutines, errors, garbage, and calls by C and of C",
        packages: &[Package { name: "lua-src", version: "547.1.0" }],
        sources: &["lua-src/lua-5.4.7/*.c", "corpus/lua/driver.c"],
        tests: &[],
        // The seed is else an address, by which tables are ordered.
        options: &["-DLUA_USE_LINUX", "-Dluai_makeseed(L)=0x5eed", "-I", "@lua-src/lua-5.4.7"],
        runs: &[&["@corpus/lua/values.lua", "@corpus/lua/control.lua"]],
    },
    Program {
        name: "tree-sitter",
        workload: "a driver: parses C, walks, asks and edits the trees",
        packages: &[
            Package { name: "tree-sitter", version: "0.27.1" },
            Package { name: "tree-sitter-c", version: "0.24.2" },
        ],
        sources: &[
            "tree-sitter/src/lib.c",
            "tree-sitter-c/src/parser.c",
            "corpus/tree-sitter/driver.c",
        ],
        tests: &[],
        options: &[
            "-D_POSIX_C_SOURCE=200112L",
            "-D_DEFAULT_SOURCE",
            "-I",
            "@tree-sitter/src",
            "-I",
            "@tree-sitter/include",
            "-I",
            "@tree-sitter-c/src",
        ],
        runs: &[&[
            "@corpus/tree-sitter/driver.c",
            "@tree-sitter/src/node.c",
            "@tree-sitter/src/stack.c",
            "@tree-sitter/src/parser.c",
            "@tree-sitter/src/subtree.c",
            "@tree-sitter-c/src/tree_sitter/parser.h",
        ]],
    },
    Program {
        name: "zstd",
        workload: "a driver: every level and strategy, streams, dictionaries, damage",
        packages: &[Package { name: "zstd-sys", version: "2.1.2+zstd.1.5.7" }],
        sources: &[
            "zstd-sys/zstd/lib/common/*.c",
            "zstd-sys/zstd/lib/compress/*.c",
            "zstd-sys/zstd/lib/decompress/*.c",
            "zstd-sys/zstd/lib/dictBuilder/*.c",
            "corpus/zstd/driver.c",
        ],
        tests: &[],
        options: &[
            "-DZSTD_DISABLE_ASM",
            "-include",
            "@corpus/zstd/portable.h",
            "-I",
            "@zstd-sys/zstd/lib",
        ],
        runs: &[&[]],
    },
    Program {
        name: "sqlite",
        workload: "a driver: a hundred statements of SQL, then hundreds of calls of the interface",
        packages: &[Package { name: "libsqlite3-sys", version: "0.30.1" }],
        sources: &["libsqlite3-sys/sqlite3/sqlite3.c", "corpus/sqlite/driver.c"],
        tests: &[],
        options: &[
            "-DSQLITE_CORE",
            "-DSQLITE_ENABLE_API_ARMOR",
            "-DSQLITE_ENABLE_COLUMN_METADATA",
            "-DSQLITE_ENABLE_DBSTAT_VTAB",
            "-DSQLITE_ENABLE_FTS3",
            "-DSQLITE_ENABLE_FTS3_PARENTHESIS",
            "-DSQLITE_ENABLE_FTS5",
            "-DSQLITE_ENABLE_RTREE",
            "-DSQLITE_ENABLE_STAT4",
            "-DSQLITE_SOUNDEX",
            "-DSQLITE_THREADSAFE=1",
            "-DHAVE_ISNAN",
            "-DHAVE_LOCALTIME_R",
            "-I",
            "@libsqlite3-sys/sqlite3",
        ],
        runs: &[&["@corpus/sqlite/statements.sql"]],
    },
    Program {
        name: "quickjs",
        workload: "a script that prints what the language computes",
        packages: &[Package { name: "rquickjs-sys", version: "0.14.0" }],
        sources: &[
            "rquickjs-sys/quickjs/quickjs.c",
            "rquickjs-sys/quickjs/libregexp.c",
            "rquickjs-sys/quickjs/libunicode.c",
            "rquickjs-sys/quickjs/dtoa.c",
            "rquickjs-sys/quickjs/quickjs-libc.c",
            "rquickjs-sys/quickjs/qjs.c",
            "rquickjs-sys/quickjs/gen/repl.c",
            "rquickjs-sys/quickjs/gen/standalone.c",
        ],
        tests: &[],
        options: &["-D_GNU_SOURCE", "-DQUICKJS_NG_BUILD", "-I", "@rquickjs-sys/quickjs"],
        runs: &[&["@corpus/quickjs/values.js"]],
    },
    Program {
        name: "test262",
        workload: "115 of QuickJS's own tests, by its own program for them",
        packages: &[Package { name: "rquickjs-sys", version: "0.14.0" }],
        sources: &[
            "rquickjs-sys/quickjs/quickjs.c",
            "rquickjs-sys/quickjs/libregexp.c",
            "rquickjs-sys/quickjs/libunicode.c",
            "rquickjs-sys/quickjs/dtoa.c",
            "rquickjs-sys/quickjs/quickjs-libc.c",
            "rquickjs-sys/quickjs/run-test262.c",
        ],
        tests: &[],
        options: &["-D_GNU_SOURCE", "-DQUICKJS_NG_BUILD", "-I", "@rquickjs-sys/quickjs"],
        runs: &[&[
            "-c",
            "@rquickjs-sys/quickjs/tests.conf",
            "-d",
            "@rquickjs-sys/quickjs/tests",
            "-t",
            "1",
        ]],
    },
];
