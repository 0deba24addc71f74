//! The prompt: items and commands, line by line.

use std::error::Error;
use std::io::{self, Write};
use std::thread::JoinHandle;

use super::session::{Problem, Session};

/// Where lines come from.
pub(crate) trait Lines {
    /// The next line, behind that prompt; none behind the last.
    fn next(&mut self, prompt: &str) -> io::Result<Option<String>>;
}

const HELP: &str = "\
def f(x y) x + y * 2      a function; names that end with $ are texts
def f(x) x                … the same anew: all that call it call this one from then on
extern sin(x)             a function of the library, or one that is defined later
f(1, 2)                   an expression, which is compiled, called and freed
if c then x else y        for i = 1, i < n, 2 in body        var a = 1, b in body
def binary : 1 (x y) y    an operator, and how strongly it binds; def unary ! (x) …
:ir f                     the IR of a function
:asm f                    its machine code
:thread f(1, 2)           runs an expression on a thread of its own
:stop                     stops what runs on threads
:stats                    how much code there is
:time                     says how long items take, or no more
:help, :quit
";

/// Reads items and commands, line by line: a line that only ends too early goes on in the next.
pub(crate) fn converse(
    session: &mut Session,
    lines: &mut dyn Lines,
    out: &mut dyn Write,
) -> Result<(), Box<dyn Error>> {
    let (mut text, mut is_timed, mut threads) = (String::new(), false, Vec::new());
    loop {
        tell_what_is_over(&mut threads, out)?;
        let prompt = if text.is_empty() { "> " } else { "| " };
        let Some(line) = lines.next(prompt)? else { break };
        if text.is_empty() && line.trim() == ":time" {
            is_timed = !is_timed;
            continue;
        }
        if text.is_empty() && line.trim_start().starts_with(':') {
            match command(session, &mut threads, line.trim()) {
                Some(answer) => writeln!(out, "{answer}")?,
                None => break,
            }
            continue;
        }
        text += &line;
        text.push('\n');
        let mut answers = Vec::new();
        match session.run(&text, &mut |answer| answers.push(answer.to_string())) {
            // An empty line ends what is waited for.
            Err(Problem::Fault(fault)) if fault.is_unfinished && !line.trim().is_empty() => {
                continue;
            }
            Err(problem) => answers.push(shown(&problem, &text)),
            Ok(()) if is_timed => answers.push(session.times().to_string()),
            Ok(()) => {}
        }
        answers.iter().try_for_each(|answer| writeln!(out, "{answer}"))?;
        text.clear();
    }
    Ok(())
}

/// An expression that runs on a thread, and what it is.
type Running = (String, JoinHandle<String>);

/// Says what expressions on threads have come to.
fn tell_what_is_over(
    threads: &mut Vec<Running>,
    out: &mut dyn Write,
) -> Result<(), Box<dyn Error>> {
    for (text, thread) in threads.extract_if(.., |(_, thread)| thread.is_finished()) {
        let answer = thread.join().unwrap_or_else(|_| "panicked".to_owned());
        writeln!(out, "{text}: {answer}")?;
    }
    Ok(())
}

/// Carries out a command; gives nothing for the one that ends it all.
fn command(session: &mut Session, threads: &mut Vec<Running>, line: &str) -> Option<String> {
    let (command, argument) = line.split_once(' ').unwrap_or((line, ""));
    let argument = argument.trim();
    let unknown = || format!("there is no function `{argument}`");
    Some(match command {
        ":quit" | ":q" => return None,
        ":ir" => session.ir(argument).unwrap_or_else(unknown),
        ":asm" => match session.assembly(argument) {
            Some(Ok(text)) => text,
            Some(Err(error)) => error.to_string(),
            None => unknown(),
        },
        ":thread" => match session.start(argument) {
            Ok(thread) => {
                threads.push((argument.to_owned(), thread));
                format!("{} on threads", threads.len())
            }
            Err(problem) => shown(&problem, argument),
        },
        ":stop" => {
            session.stop();
            "stopped".to_owned()
        }
        ":stats" => {
            let books = session.books();
            let (code, data, pieces) = (books.live_code, books.live_data, books.allocations);
            format!("{code} bytes of code, {data} of data, {pieces} pieces of both")
        }
        ":help" => HELP.to_owned(),
        _ => format!("there is no command `{command}`: `:help` has them all"),
    })
}

pub(crate) fn shown(problem: &Problem, text: &str) -> String {
    match problem {
        Problem::Fault(fault) => fault.shown_in(text),
        other => other.to_string(),
    }
}
