//! What an engine does, as whoever collects spans and events of `tracing` hears it.

use std::fmt::{Debug, Write};
use std::sync::{Arc, Mutex};

use brolga::{Budgets, Config, Engine, Tiering};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

/// Who writes a line for each span and event, without the numbers in it.
#[derive(Clone, Debug, Default)]
struct Collector(Arc<Mutex<Vec<String>>>);

impl Collector {
    fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().unwrap())
    }

    fn note(&self, line: String) {
        self.0.lock().unwrap().push(line);
    }
}

/// A line, to which fields are added that are text.
struct Line(String);

impl Visit for Line {
    fn record_str(&mut self, _: &Field, text: &str) {
        write!(self.0, " {text}").unwrap();
    }

    fn record_f64(&mut self, field: &Field, number: f64) {
        assert!(number > 0.0, "{}", field.name());
    }

    fn record_u64(&mut self, field: &Field, number: u64) {
        assert!(number > 0, "{}", field.name());
    }

    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        if field.name() == "message" {
            write!(self.0, " {value:?}").unwrap();
        }
    }
}

impl Subscriber for Collector {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target() == "brolga"
    }

    fn new_span(&self, attributes: &Attributes<'_>) -> Id {
        let mut line = Line(format!("> {}", attributes.metadata().name()));
        attributes.record(&mut line);
        self.note(line.0);
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let mut line = Line(event.metadata().level().to_string());
        event.record(&mut line);
        self.note(line.0);
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {
        self.note("<".to_owned());
    }
}

const LOOP: &str = "
export func @count(i64) -> i64 {
entry(%n: i64):
    jump loop(0)
loop(%i: i64):
    %j = add.i64 %i, 1
    %more = icmp.i64 slt %j, %n
    branch %more, loop(%j), done
done:
    return %j
}
";

#[test]
fn loads_compiles_upgrades_and_frees_are_heard() {
    let collector = Collector::default();
    let _guard = tracing::subscriber::set_default(collector.clone());
    let tiering = Tiering::Adaptive(Budgets { quick: 100, warm: 100, ..Budgets::default() });
    let config = Config { tiering, background_threads: 0, ..Config::default() };
    let engine = Engine::new(config).unwrap();
    engine.load("export func @loaded() {\nb:\n    return\n}").unwrap();
    assert_eq!(collector.take(), ["> load", "<"]);
    engine.define(LOOP).unwrap();
    let count = engine.func::<(i64,), i64>("count").unwrap();
    assert_eq!(count.call((10,)).unwrap(), 10);
    let first = ["> compile count first", "<", "DEBUG compiled count first quick"];
    assert_eq!(collector.take(), first);
    assert_eq!(count.call((1_000,)).unwrap(), 1_000);
    let lines = collector.take();
    for line in ["> compile count upgrade", "DEBUG compiled count upgrade hot"] {
        assert!(lines.iter().any(|heard| heard == line), "{lines:?}");
    }
    engine.remove("count").unwrap();
    engine.collect();
    assert!(collector.take().iter().any(|heard| heard == "DEBUG freed count"));
    engine
        .define("export func @f(ptr) -> i8 {\nb(%p: ptr):\n    %x = load.i8 %p\n    return %x\n}")
        .unwrap();
    engine.compile("f").unwrap_err();
    assert_eq!(collector.take(), ["> compile f first", "<", "WARN not compiled f first"]);
}
