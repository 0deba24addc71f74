use std::io::{self, Write};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::tiers::Tier;
use crate::trace::{BadTrace, HEAD, Line, Trace, read};

fn line(function: &str, tier: Tier) -> Line {
    Line {
        at: Duration::from_micros(1520),
        took: Duration::from_micros(83),
        tier,
        library: "main".into(),
        function: function.into(),
        signature: "(i64) -> i64".into(),
    }
}

/// Bytes that are kept, up to a count at which writing fails.
#[derive(Clone, Default)]
struct Kept {
    bytes: Arc<Mutex<Vec<u8>>>,
    most: Option<usize>,
}

impl Write for Kept {
    fn write(&mut self, more: &[u8]) -> io::Result<usize> {
        let mut bytes = self.bytes.lock().unwrap();
        if self.most.is_some_and(|most| bytes.len() + more.len() > most) {
            return Err(io::Error::other("the disk is full"));
        }
        bytes.extend_from_slice(more);
        Ok(more.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn what_is_written_from_any_thread_is_read_again() {
    let kept = Kept::default();
    let trace = Trace::new(Box::new(kept.clone())).unwrap();
    let names = ["f", "g\th", "a\\nb", "line\nbreak\r", "größer"];
    std::thread::scope(|scope| {
        for (name, tier) in names.iter().zip(Tier::ALL.iter().cycle()) {
            let trace = &trace;
            scope.spawn(move || trace.note(&line(name, *tier)));
        }
    });
    trace.finish().unwrap();
    let text = String::from_utf8(kept.bytes.lock().unwrap().clone()).unwrap();
    assert_eq!(text.lines().count(), 1 + names.len(), "no name breaks a line");
    let mut found: Vec<String> =
        read(&text).unwrap().into_iter().map(|line| line.function.into()).collect();
    let mut wanted: Vec<String> = names.map(str::to_owned).into();
    found.sort();
    wanted.sort();
    assert_eq!(found, wanted);
}

#[test]
fn a_line_has_six_fields_and_comments_have_none() {
    let wanted = line("f", Tier::Warm);
    let text = format!("{HEAD}\n# a comment\n\n{wanted}\n");
    assert_eq!(wanted.to_string(), "1520\t83\twarm\tmain\tf\t(i64) -> i64");
    assert_eq!(read(&text), Ok(vec![wanted]));
}

#[test]
fn what_is_wrong_with_a_trace_is_said_with_line_and_field() {
    assert_eq!(read(""), Err(BadTrace::NoTrace));
    assert_eq!(read("1\t2\tquick\tmain\tf\t()"), Err(BadTrace::NoTrace));
    let wrong = [
        ("x\t2\tquick\tmain\tf\t()", 1, "microseconds"),
        ("1\t-2\tquick\tmain\tf\t()", 2, "microseconds"),
        ("1\t2\tfast\tmain\tf\t()", 3, "quick, warm or hot"),
        ("1\t2\thot\t\tf\t()", 4, "library"),
        ("1\t2\thot\tmain\tf\\\t()", 5, "function"),
        ("1\t2\thot\tmain\tf\\x\t()", 5, "function"),
        ("1\t2\thot\tmain\tf", 6, "signature"),
        ("1\t2\thot\tmain\tf\t()\tmore", 7, "nothing"),
    ];
    for (line, field, wanted) in wrong {
        let message = read(&format!("{HEAD}\n\n{line}\n")).unwrap_err().to_string();
        assert!(message.contains("line 3"), "{line}: {message}");
        assert!(message.contains(&format!("field {field} of 6")), "{line}: {message}");
        assert!(message.contains(wanted), "{line}: {message}");
    }
}

#[test]
fn a_full_disk_stops_no_compile_and_is_told_at_the_end() {
    let kept = Kept { most: Some(HEAD.len() + 1 + 40), ..Kept::default() };
    let trace = Trace::new(Box::new(kept.clone())).unwrap();
    for _ in 0..5 {
        trace.note(&line("f", Tier::Quick));
    }
    assert_eq!(trace.finish().unwrap_err().to_string(), "the disk is full");
    trace.finish().unwrap();
    let text = String::from_utf8(kept.bytes.lock().unwrap().clone()).unwrap();
    assert_eq!(read(&text).unwrap().len(), 1, "what there was room for is whole");
    let nothing = Kept { most: Some(0), ..Kept::default() };
    assert!(Trace::new(Box::new(nothing)).is_err());
}
