//! The example that is a language: what its programs give, and what it says of those that are
//! none.

#[cfg(unix)]
#[path = "../examples/kaleidoscope/edited.rs"]
mod edited;
#[path = "../examples/kaleidoscope/lexer.rs"]
mod lexer;
#[path = "../examples/kaleidoscope/lower.rs"]
mod lower;
#[path = "../examples/kaleidoscope/parser.rs"]
mod parser;
#[path = "../examples/kaleidoscope/prompt.rs"]
mod prompt;
#[path = "../examples/kaleidoscope/session.rs"]
mod session;
#[path = "../examples/kaleidoscope/syntax.rs"]
mod syntax;
#[path = "../examples/kaleidoscope/texts.rs"]
mod texts;

use std::sync::{Arc, Mutex};

use prompt::{Lines, converse};
use session::{Answer, Problem, Session};

/// A session, and what its programs have written.
struct Written {
    session: Session,
    output: Arc<Mutex<Vec<u8>>>,
}

impl Written {
    fn new() -> Written {
        let output = Arc::new(Mutex::new(Vec::new()));
        let shared: session::Output = Arc::clone(&output) as _;
        let session = Session::new(&shared).unwrap();
        Written { session, output }
    }

    /// The last answer of a text, or what is wrong with it, with its place.
    fn run(&mut self, text: &str) -> Result<Answer, String> {
        let mut last = None;
        match self.session.run(text, &mut |answer| last = Some(answer)) {
            Ok(()) => Ok(last.unwrap()),
            Err(problem) => Err(problem.to_string()),
        }
    }

    fn number(&mut self, text: &str) -> f64 {
        match self.run(text) {
            Ok(Answer::Number(number)) => number,
            other => panic!("{text}: {other:?}"),
        }
    }

    fn written(&self) -> String {
        String::from_utf8(std::mem::take(&mut *self.output.lock().unwrap())).unwrap()
    }
}

/// What a text gives in a session of its own.
fn number(text: &str) -> f64 {
    Written::new().number(text)
}

/// What is wrong with a text, in a session of its own.
fn fault(text: &str) -> String {
    Written::new().run(text).unwrap_err()
}

#[test]
fn operators_bind_as_the_language_says() {
    assert_eq!(number("1 + 2 * 3"), 7.0);
    assert_eq!(number("(1 + 2) * 3"), 9.0);
    assert_eq!(number("10 - 3 - 2"), 5.0);
    assert_eq!(number("12 / 3 / 2"), 2.0);
    assert_eq!(number("1 + 1 < 3"), 1.0);
    assert_eq!(number("3 < 1 + 1"), 0.0);
    assert_eq!(number("-2 * -3"), 6.0);
    assert_eq!(number("var a, b in a = b = 4"), 4.0);
}

#[test]
fn only_numbers_that_are_not_zero_are_true() {
    assert_eq!(number("if 1 then 2 else 3"), 2.0);
    assert_eq!(number("if 0 then 2 else 3"), 3.0);
    assert_eq!(number("if 0 / 0 then 2 else 3"), 3.0, "no number is not true");
}

#[test]
fn a_loop_asks_behind_each_round_and_before_its_step() {
    let mut program = Written::new();
    program.run("extern putchard(c)").unwrap();
    assert_eq!(program.number("for i = 1, i < 4 in putchard(42)"), 0.0);
    assert_eq!(program.written(), "****");
    program.number("for i = 9, i < 4 in putchard(42)");
    assert_eq!(program.written(), "*", "once, whatever is asked");
    program.number("for i = 0, i < 1, 0.5 in putchard(42)");
    assert_eq!(program.written(), "***");
}

#[test]
fn variables_change_and_hide_those_outside() {
    assert_eq!(number("var a = 1 in (var a = a + 1 in a = a * 10) + a"), 21.0);
    assert_eq!(number("def f(x) (for i = 1, i < 3 in x = x * 2) + x f(5)"), 40.0);
    assert_eq!(number("def f(i) (for i = 1, i < 3 in 0) + i f(7)"), 7.0);
}

#[test]
fn programs_define_operators_and_how_they_bind() {
    let text = "def unary ! (x) if x then 0 else 1
                def binary > 10 (x y) y < x
                def binary | 5 (x y) if x then 1 else if y then 1 else 0
                !(2 > 1) | 3 > 2";
    assert_eq!(number(text), 1.0);
    assert_eq!(number("def binary ^ 50 (x y) x * y  2 ^ 3 + 1"), 7.0);
    let usual = "def binary @ (x y) x * y  2 * 3 @ 1 + 1";
    assert_eq!(number(usual), 7.0, "between `*` and `+` if nothing is said");
    assert_eq!(number("def binary + 20 (x y) x - y  5 + 3"), 2.0, "those of the language, too");
}

#[test]
fn functions_call_themselves_and_what_is_declared() {
    assert_eq!(number("def fib(n) if n < 3 then 1 else fib(n - 1) + fib(n - 2) fib(20)"), 6765.0);
    let text = "extern odd(n)
                def even(n) if n < 1 then 1 else odd(n - 1)
                def odd(n) if n < 1 then 0 else even(n - 1)
                even(10)";
    assert_eq!(number(text), 1.0);
    assert_eq!(number("extern atan2(y x) atan2(0, -1)"), std::f64::consts::PI);
}

#[test]
fn texts_are_joined_compared_measured_and_cut() {
    let mut program = Written::new();
    program
        .run("extern length(t$) extern text$(x) extern number(t$) extern part$(t$ first count)")
        .unwrap();
    let text = |program: &mut Written, text: &str| match program.run(text) {
        Ok(Answer::Text(text)) => text.to_string(),
        other => panic!("{other:?}"),
    };
    assert_eq!(text(&mut program, r#""a\"b" + text$(1.5) + "\n""#), "a\"b1.5\n");
    assert_eq!(text(&mut program, r#"part$("kaleidoscope", 4, 2)"#), "id");
    assert_eq!(program.number(r#"length("größer")"#), 6.0);
    assert_eq!(program.number(r#"number("12") + number(" 0.5 ")"#), 12.5);
    assert_eq!(program.number(r#"if "ab" < "b" then 1 else 2"#), 1.0);
    assert!(program.number(r#"number("twelve")"#).is_nan());
    program.run("def twice$(t$) t$ + t$").unwrap();
    assert_eq!(text(&mut program, r#"twice$(twice$("ab"))"#), "abababab");
}

#[test]
fn the_programs_beside_the_example_write_what_they_should() {
    let mut program = Written::new();
    program.run(include_str!("../examples/kaleidoscope/mandel.ks")).unwrap();
    let picture = program.written();
    assert_eq!(picture.lines().count(), 41);
    let line = "*******++++++.....                                    ..++++*******************";
    assert_eq!(picture.lines().nth(17), Some(line), "{picture}");

    let mut program = Written::new();
    program.run(include_str!("../examples/kaleidoscope/variables.ks")).unwrap();
    assert_eq!(program.written(), "55\n==============\nfib(20) = 6765\n==============\n");
}

#[test]
fn what_is_wrong_is_said_with_its_place_and_a_way_out() {
    for (text, message) in [
        ("f(1)", "1:1: there is no function `f`: define it, or say `extern f(…)`"),
        ("1 + x", "1:5: there is no variable `x`: make one by `var x = … in …`"),
        ("def f(x) f", "1:10: `f` is a function: call it as `f(…)`"),
        ("def f(x) x\n f(1, 2)", "2:2: `f` takes 1 arguments, and has 2"),
        ("def f(x y x) x", "1:11: there are two parameters `x`"),
        ("def f(x) x extern f(x y)", "1:19: `f` is known with the parameters (x)"),
        ("def (x) x", "1:5: a function has no name here"),
        ("def if(x) x", "1:5: `if` is a word of the language: a function needs another name"),
        ("def binary = 3 (x y) x", "1:12: `=` is a sign of the language: take another"),
        ("def binary ! 101 (x y) x", "1:14: an operator binds by a whole number from 1 to 100"),
        ("def unary ! (x y) x", "1:5: the operator takes 1 and has 2 parameters"),
        ("!1", "1:1: there is no operator `!`: define `unary!(x)`"),
        ("1 = 2", "1:3: only a variable can be assigned to"),
        ("1 + \"a\"", "1:5: a number belongs here, and this is a text"),
        ("\"a\" * \"b\"", "1:5: there is no `*` for a text"),
        ("if 1 then 2 else \"a\"", "1:18: a number belongs here, and this is a text"),
        ("def f$(x) x", "1:11: @f$ is to give a text, and this is a number"),
        ("for t$ = 1, 1 in 1", "1:10: a loop counts by a number"),
        ("1.2.3", "1:1: `1.2.3` is no number: write 12 or 1.5"),
        ("\"abc", "1:1: the text has no end: close it by `\"`"),
        ("\"\\q\"", "1:1: behind `\\` stands n, t, \" or \\"),
        (")", "1:1: `)` begins no expression"),
        ("(1", "1:3: `)` is missing behind the expression"),
        ("if 1 else 2", "1:6: `then` is missing behind the condition"),
    ] {
        assert_eq!(fault(text), message, "{text}");
    }
}

#[test]
fn a_function_that_is_defined_anew_is_called_from_then_on() {
    let mut program = Written::new();
    program.run("def f(x) x + 1 def g(x) f(x) * 10").unwrap();
    assert_eq!(program.number("g(1)"), 20.0);
    program.run("def f(x) x + 2").unwrap();
    assert_eq!(program.number("g(1)"), 30.0);
    program.run("def f(x y) x + y").unwrap();
    let stopped = program.run("g(1)").unwrap_err();
    assert!(
        stopped.contains("`@f` is called as fn(f64) -> f64, and is defined as fn(f64, f64) -> f64"),
        "{stopped}"
    );
    assert_eq!(program.number("f(3, 4)"), 7.0);
    program.run("def g(x) f(x, 1) * 10").unwrap();
    assert_eq!(program.number("g(1)"), 20.0);
}

/// Defines `wait`, whose loop ends when the function that it calls gives something else. That is
/// large, so that it is not inlined, and that no other code has its body, which who is inside
/// would keep.
fn define_wait(program: &mut Written) {
    let large = format!(" + (x{})", " + x * x".repeat(30)).repeat(20);
    program.run(&format!("def again(x) 1 + 0 * (x{large})")).unwrap();
    program.run("def wait(x) for i = 0, again(x) in x").unwrap();
}

/// Starts what waits, and does something while it does; then what the thread came to.
fn beside(program: &mut Written, text: &str, work: impl FnOnce(&mut Written)) -> String {
    let thread = program.session.start(text).unwrap();
    std::thread::sleep(std::time::Duration::from_millis(20));
    assert!(!thread.is_finished());
    work(program);
    program.run("def again(x) 0").unwrap();
    thread.join().unwrap()
}

#[test]
fn a_function_is_defined_anew_while_a_thread_runs_it() {
    let mut program = Written::new();
    define_wait(&mut program);
    assert_eq!(beside(&mut program, "wait(1) + 41", |_| {}), "41");
}

#[test]
fn texts_that_a_thread_has_made_stay_while_expressions_come_and_go() {
    let mut program = Written::new();
    define_wait(&mut program);
    program.run("def held$(t$) if wait(1) then t$ else t$ + \"!\"").unwrap();
    let answer = beside(&mut program, "held$(\"a\" + \"b\")", |program| {
        assert_eq!(program.run("\"c\" + \"d\""), Ok(Answer::Text("cd".into())));
    });
    assert_eq!(answer, "\"ab!\"");
}

#[test]
fn threads_are_stopped() {
    let mut program = Written::new();
    program.run("def forever(x) for i = 0, 1 in x").unwrap();
    let thread = program.session.start("forever(1)").unwrap();
    let answer = loop {
        program.session.stop();
        if thread.is_finished() {
            break thread.join().unwrap();
        }
    };
    assert!(answer.contains("interrupted"), "{answer}");
    assert_eq!(
        program.session.start("def f(x) x").unwrap_err().to_string(),
        "1:1: a thread runs one expression"
    );
}

#[test]
fn expressions_leave_no_code_behind() {
    let mut program = Written::new();
    program.run("def f(x) x * 2").unwrap();
    let mut books = Vec::new();
    for _ in 0..20 {
        assert_eq!(program.number("f(4) + 1"), 9.0);
        let now = program.session.books();
        books.push((now.live_code, now.live_data, now.allocations));
    }
    assert!(books.iter().all(|now| *now == books[0]), "{books:?}");
}

#[test]
fn a_fault_is_shown_in_its_line() {
    let mut program = Written::new();
    let text = "def f(x) x\n\tf(y)";
    let Err(Problem::Fault(fault)) = program.session.run(text, &mut |_| {}) else { panic!() };
    assert_eq!(
        fault.shown_in(text),
        "2:4: there is no variable `y`: make one by `var y = … in …`\n    \tf(y)\n    \t  ^"
    );
}

#[test]
fn what_only_ends_too_early_is_told_from_what_is_wrong() {
    for (text, is_unfinished) in [
        ("def f(x)", true),
        ("if 1 then", true),
        ("f(1,", true),
        ("1 +", true),
        ("f(1 2)", false),
        (")", false),
    ] {
        let outcome = Written::new().session.run(text, &mut |_| {});
        let Err(Problem::Fault(fault)) = outcome else { panic!("{text}: {outcome:?}") };
        assert_eq!(fault.is_unfinished, is_unfinished, "{text}: {fault}");
    }
}

#[test]
fn what_is_wrong_with_a_definition_leaves_what_was_known() {
    let mut program = Written::new();
    program.run("def f(x) x + 1").unwrap();
    assert!(program.run("def f(x) g(x)").is_err());
    assert!(program.run("def h(x) g(x)").is_err());
    assert_eq!(program.number("f(1)"), 2.0);
    assert!(program.run("h(1)").unwrap_err().contains("there is no function `h`"));
    assert!(program.run("extern gone(x) gone(1)").unwrap_err().contains("missing_function"));
    program.run("def binary| 5 (a b) a + b").unwrap();
    assert!(program.run("def binary| 60 (a b) g(a)").is_err());
    assert_eq!(program.number("2 | 3 * 4"), 14.0);
}

#[test]
fn what_runs_too_deep_or_nests_too_deep_is_an_error() {
    assert!(fault("def f(x) f(x) + 1 f(1)").contains("stack_overflow"));
    for deep in ["(", "!", "-", "if ", "1 = ", "x = ", "f(", "1 + (", "var a = ", "for i = "] {
        let message = fault(&deep.repeat(100_000));
        assert!(message.contains(':'), "{deep}: {message}");
    }
    let sum = |terms: usize| format!("0{}", " + 1".repeat(terms));
    assert_eq!(number(&sum(400)), 400.0);
    assert!(fault(&sum(20_000)).ends_with("nested too deep: give a part of it a name"));
}

#[test]
fn the_ir_of_a_function_is_text_that_is_read_again() {
    let mut program = Written::new();
    program.run("def f(x) if x < 1 then 0 else x * 2").unwrap();
    let text = program.session.ir("f").unwrap();
    assert!(text.contains("func @f(f64) -> f64"), "{text}");
    assert!(brolga::ir::text::parse_module(&text).is_ok(), "{text}");
    assert_eq!(program.session.ir("g"), None);
}

#[test]
fn the_machine_code_of_a_function_can_be_seen_and_how_long_items_take() {
    let mut program = Written::new();
    program.run("def f(x) x * 2").unwrap();
    let text = program.session.assembly("f").unwrap().unwrap();
    assert!(text.contains("mulsd") && text.contains("ret"), "{text}");
    assert!(program.session.assembly("g").is_none());
    program.number("f(2)");
    let times = program.session.times();
    assert!([times.compile, times.run].iter().all(|time| !time.is_zero()));
}

/// Words of the language in any order: an answer or a fault, never a panic.
#[test]
fn no_text_makes_the_example_panic() {
    const WORDS: [&str; 34] = [
        "def", "extern", "if", "then", "else", "for", "in", "var", "unary", "binary", "f", "g$",
        "x", "y$", "(", ")", ",", ";", "=", "<", "+", "-", "*", "/", "!", "|", "1", "2.5", "101",
        "\"a\"", "\"", "#", "\n", "ü",
    ];
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut program = Written::new();
    for _ in 0..3_000 {
        let mut text = String::new();
        for _ in 0..12 {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            text += WORDS[(state % WORDS.len() as u64) as usize];
            text.push(' ');
        }
        let _ = program.session.run(&text, &mut |_| {});
    }
}

/// Lines of a text, as they are typed.
struct Script(std::vec::IntoIter<String>);

impl Lines for Script {
    fn next(&mut self, _: &str) -> std::io::Result<Option<String>> {
        Ok(self.0.next())
    }
}

/// What the prompt answers to a text.
fn answered(text: &str) -> String {
    let mut written = Written::new();
    let lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let mut out = Vec::new();
    converse(&mut written.session, &mut Script(lines.into_iter()), &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn an_item_may_take_several_lines_and_an_empty_one_ends_what_is_not_finished() {
    let answers =
        answered("def f(x)\n  if x < 3 then 1\n  else\n  x * 2\nf(2)\nf(5)\ndef g(x\n\n1 + 1");
    let lines: Vec<&str> = answers.lines().collect();
    assert!(lines.contains(&"1") && lines.contains(&"10"), "{answers}");
    assert_eq!(lines.last(), Some(&"2"), "{answers}");
    assert!(answers.contains("`)` is missing behind the parameters"), "{answers}");
}

#[test]
fn commands_show_the_ir_the_code_how_much_there_is_and_how_long_it_takes() {
    let answers = answered(
        "def f(x) x * 2\n:ir f\nf(4)\n:asm f\n:stats\n:time\nf(5)\n:time\n:no\n:ir h\n:quit\nf(6)",
    );
    for said in [
        "fmul.f64",
        "8",
        "mulsd",
        " bytes of code, ",
        " pieces of both",
        "10",
        "there is no command `:no`: `:help` has them all",
        "there is no function `h`",
    ] {
        assert!(answers.contains(said), "{said}: {answers}");
    }
    assert!(answers.contains("µs") || answers.contains("ms"), "times: {answers}");
    assert!(answers.lines().all(|line| line != "12"), "nothing comes behind the end: {answers}");
    assert!(answered(":help").contains(":thread f(1, 2)"));
}

#[test]
fn an_expression_runs_on_a_thread_until_it_is_stopped() {
    let text = "def f(n) for i = 1, i < n, 0 in i\n:thread f(2)\n:stop\n:thread nothing(\n1";
    let answers = answered(text);
    assert!(answers.contains("1 on threads\n") && answers.contains("stopped\n"), "{answers}");
    assert!(answers.contains("nothing("), "{answers}");
}

/// The prompt at a terminal, in a process of its own.
#[cfg(unix)]
mod at_a_terminal {
    use std::fs::File;
    use std::io::{IsTerminal, Read, Write, stdin, stdout};
    use std::os::fd::{FromRawFd, OwnedFd};
    use std::process::{Child, Command, Stdio};

    use super::edited::{Edited, HISTORY};
    use super::{Written, converse};

    /// What the next test runs, in another process.
    #[test]
    fn prompt() {
        if std::env::var_os(HISTORY).is_some() && stdin().is_terminal() {
            let mut written = Written::new();
            converse(&mut written.session, &mut Edited::new().unwrap(), &mut stdout()).unwrap();
        }
    }

    /// Both sides of a terminal: that of who types, and that of the program.
    fn terminal() -> (File, OwnedFd) {
        let (mut typed, mut shown) = (0, 0);
        let (name, mode, size) = (std::ptr::null_mut(), std::ptr::null(), std::ptr::null());
        // SAFETY: the places are this function's, and the rest may be left out.
        let opened = unsafe { libc::openpty(&mut typed, &mut shown, name, mode, size) };
        assert_eq!(opened, 0, "{}", std::io::Error::last_os_error());
        // SAFETY: both were opened just now, and are nobody else's.
        unsafe { (File::from_raw_fd(typed), OwnedFd::from_raw_fd(shown)) }
    }

    fn start(shown: &OwnedFd, history: &std::path::Path) -> Child {
        let side = || Stdio::from(shown.try_clone().unwrap());
        let arguments = ["--exact", "at_a_terminal::prompt", "--nocapture"];
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(arguments).env(HISTORY, history).env("TERM", "xterm");
        command.stdin(side()).stdout(side()).stderr(side()).spawn().unwrap()
    }

    /// Types, and reads until that is shown, and then the prompt: what is typed before that is lost.
    fn answer(terminal: &mut File, keys: &str, [shown, prompt]: [&str; 2]) {
        terminal.write_all(keys.as_bytes()).unwrap();
        let (mut all, mut byte) = (Vec::new(), [0]);
        let is_over = |all: &[u8]| {
            let text = String::from_utf8_lossy(all);
            text.split_once(shown).is_some_and(|(_, rest)| rest.contains(prompt))
        };
        while !is_over(&all) {
            let is_there = terminal.read(&mut byte).is_ok_and(|count| count > 0);
            assert!(is_there, "`{shown}` is not in {}", String::from_utf8_lossy(&all));
            all.push(byte[0]);
        }
    }

    const UP: &str = "\x1b[A";
    const INTERRUPT: &str = "\x03";
    const END: &str = "\x04";

    #[test]
    fn what_was_typed_comes_back_by_the_arrows_now_and_next_time() {
        let history = std::env::temp_dir().join(format!("brolga-history-{}", std::process::id()));
        for round in 0..2 {
            let (mut terminal, shown) = terminal();
            let mut child = start(&shown, &history);
            answer(&mut terminal, "", ["", "> "]);
            if round == 0 {
                answer(&mut terminal, "40 + 2\r", ["\n42\r\n", "> "]);
                answer(&mut terminal, "1 + \r", ["\n", "| "]);
                answer(&mut terminal, INTERRUPT, ["an expression is missing", "> "]);
            }
            // The last line of the first time is the one that came back then.
            let up = UP.repeat(2 - round);
            answer(&mut terminal, &format!("{up}\r"), ["\n42\r\n", "> "]);
            // Until the end: a terminal that nobody reads holds who writes to it.
            answer(&mut terminal, END, ["test result", "\n"]);
            drop(shown);
            assert!(child.wait().unwrap().success());
        }
        std::fs::remove_file(history).unwrap();
    }
}
