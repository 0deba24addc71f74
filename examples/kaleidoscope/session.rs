//! A program as it grows: what is defined, and what runs.

use std::collections::BTreeMap;
use std::fmt;
use std::io::Write;
use std::rc::Rc;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use brolga::ir::module::Module;
use brolga::ir::text::print_module;
use brolga::lowering::emit::{Compiler, Listing};
use brolga::lowering::options::{LowerOptions, Polls};
use brolga::lowering::target::{Isa, IsaOptions};
use brolga::{Books, Config, Engine, LoadError, ResolveError};

use crate::lower;
use crate::parser::{Operators, parse};
use crate::syntax::{Expression, Fault, Item, Place, Prototype, Sort};
use crate::texts::{Gone, Texts};

/// Where programs write.
pub(crate) type Output = Arc<Mutex<dyn Write + Send>>;

/// What became of an item.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Answer {
    /// A function is defined.
    Defined(Rc<str>),
    /// A function is declared.
    Declared(Rc<str>),
    /// An expression gave a number.
    Number(f64),
    /// An expression gave a text.
    Text(Arc<str>),
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Answer::Defined(name) => write!(f, "defined {name}"),
            Answer::Declared(name) => write!(f, "declared {name}"),
            Answer::Number(number) => write!(f, "{number}"),
            Answer::Text(text) => write!(f, "{text:?}"),
        }
    }
}

/// Why an item has no answer.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Problem {
    /// The program is wrong.
    #[error(transparent)]
    Fault(#[from] Fault),
    /// The engine does not take it.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// It cannot be compiled.
    #[error(transparent)]
    Compile(#[from] ResolveError),
    /// It was stopped.
    #[error("{0}")]
    Stopped(String),
    /// There is no thread for it.
    #[error("no thread could be started: {0}")]
    Thread(#[from] std::io::Error),
    /// A text was kept too long.
    #[error(transparent)]
    Gone(#[from] Gone),
}

/// What is known by name.
#[derive(Default, Debug)]
struct Known {
    functions: BTreeMap<Rc<str>, Prototype>,
    modules: BTreeMap<Rc<str>, Module>,
    texts: Texts,
}

impl lower::Names for Known {
    fn function(&self, name: &str) -> Option<&Prototype> {
        self.functions.get(name)
    }

    fn text(&mut self, text: &str) -> i64 {
        self.texts.keep(text)
    }
}

/// How long the steps of an item took.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Times {
    /// To IR.
    pub(crate) lower: Duration,
    /// To machine code, and into the engine.
    pub(crate) compile: Duration,
    /// To its end.
    pub(crate) run: Duration,
}

impl fmt::Display for Times {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Times { lower, compile, run } = self;
        write!(f, "IR {lower:.1?}, machine code {compile:.1?}, run {run:.1?}")
    }
}

/// Does something, and notes how long that takes.
fn timed<T>(place: &mut Duration, work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let done = work();
    *place = start.elapsed();
    done
}

/// A program as it grows.
#[derive(Debug)]
pub(crate) struct Session {
    engine: Engine,
    operators: Operators,
    known: Known,
    expressions: u64,
    times: Times,
}

impl Session {
    /// An empty program that writes there.
    ///
    /// # Errors
    /// If there is no engine for this machine.
    pub(crate) fn new(output: &Output) -> Result<Session, Box<dyn std::error::Error>> {
        // So that a loop without end can be stopped, and code that it has left is freed.
        let engine = Engine::new(Config { polls: Polls::LoopsAndEntries, ..Config::default() })?;
        let known = Known::default();
        define_library(&engine, &known.texts, output)?;
        let operators = Operators::default();
        Ok(Session { engine, operators, known, expressions: 0, times: Times::default() })
    }

    /// Takes in a text; gives an answer for each item, as it comes.
    ///
    /// # Errors
    /// The first problem. What came before it stays.
    pub(crate) fn run(&mut self, text: &str, tell: &mut dyn FnMut(Answer)) -> Result<(), Problem> {
        for item in parse(text, &self.operators)? {
            tell(match item {
                Item::Define(prototype, body) => self.define(&prototype, &body)?,
                Item::Declare(prototype) => self.declare(prototype)?,
                Item::Evaluate(expression) => self.evaluate(&expression)?,
            });
        }
        Ok(())
    }

    /// Defines a function, which is compiled when it is called. Whoever calls it from then on,
    /// from whatever thread and code, calls this one.
    fn define(&mut self, prototype: &Prototype, body: &Expression) -> Result<Answer, Problem> {
        let name = Rc::clone(&prototype.name);
        // A function may call itself, and what is wrong leaves what was known.
        let before = self.known.functions.insert(Rc::clone(&name), prototype.clone());
        self.times = Times::default();
        let Times { lower, .. } = &mut self.times;
        let made = timed(lower, || lower::function(prototype, body, &mut self.known));
        let defined = made.map_err(Problem::from).and_then(|module| {
            self.engine.define_module(module.clone())?;
            Ok(module)
        });
        match defined {
            Ok(module) => {
                self.known.modules.insert(Rc::clone(&name), module);
                self.operators.enter(prototype);
                Ok(Answer::Defined(name))
            }
            Err(problem) => {
                match before {
                    Some(before) => self.known.functions.insert(name, before),
                    None => self.known.functions.remove(&name),
                };
                Err(problem)
            }
        }
    }

    /// Says how a function is called that is defined elsewhere or later.
    fn declare(&mut self, prototype: Prototype) -> Result<Answer, Problem> {
        let sorts = |prototype: &Prototype| -> Vec<Sort> {
            prototype.parameters.iter().map(|parameter| Sort::of(parameter)).collect()
        };
        let name = Rc::clone(&prototype.name);
        if let Some(known) = self.known.functions.get(&name)
            && sorts(known) != sorts(&prototype)
        {
            let Prototype { parameters, .. } = known;
            let message =
                format!("`{name}` is known with the parameters ({})", parameters.join(" "));
            return Err(Fault::new(prototype.at, message).into());
        }
        self.known.functions.insert(Rc::clone(&name), prototype);
        Ok(Answer::Declared(name))
    }

    /// Compiles an expression, runs it, and forgets it: its code is freed.
    fn evaluate(&mut self, expression: &Expression) -> Result<Answer, Problem> {
        let top = self.top(expression)?;
        let compiled = timed(&mut self.times.compile, || top.engine.compile(&top.name));
        match compiled {
            Ok(()) => timed(&mut self.times.run, || top.call()),
            Err(error) => Err(error.into()),
        }
    }

    /// Runs an expression on a thread of its own, which gives what it comes to, as text.
    ///
    /// # Errors
    /// If it is no expression, or there is no thread for it.
    pub(crate) fn start(&mut self, text: &str) -> Result<JoinHandle<String>, Problem> {
        let mut items = parse(text, &self.operators)?;
        let (Some(Item::Evaluate(expression)), true) = (items.pop(), items.is_empty()) else {
            let message = "a thread runs one expression".to_owned();
            return Err(Fault::new(Place { line: 1, column: 1 }, message).into());
        };
        let top = self.top(&expression)?;
        let run = move || match top.call() {
            Ok(answer) => answer.to_string(),
            Err(problem) => problem.to_string(),
        };
        Ok(thread::Builder::new().spawn(run)?)
    }

    /// An expression as a function, which is there until it is dropped.
    fn top(&mut self, expression: &Expression) -> Result<Top, Problem> {
        self.expressions += 1;
        let name = format!("top.{}", self.expressions);
        self.times = Times::default();
        let (module, sort) =
            timed(&mut self.times.lower, || lower::expression(&name, expression, &mut self.known))?;
        self.engine.define_module(module)?;
        Ok(Top { engine: self.engine.clone(), texts: self.known.texts.clone(), name, sort })
    }

    /// Stops what runs on other threads.
    pub(crate) fn stop(&self) {
        self.engine.interrupt();
    }

    /// Where the engine's memory is, when all is freed that nobody needs.
    pub(crate) fn books(&self) -> Books {
        self.engine.collect();
        self.engine.books()
    }

    /// The machine code of a function, as text; nothing if there is no such function.
    ///
    /// # Errors
    /// What stands in the way of compiling it.
    pub(crate) fn assembly(
        &self,
        name: &str,
    ) -> Option<Result<String, Box<dyn std::error::Error>>> {
        let module = self.known.modules.get(name)?;
        let function = module.function_named(name)?;
        let list = || {
            let (isa, options) = (Isa::host(IsaOptions::default())?, LowerOptions::default());
            let mut compiler = Compiler::new();
            Ok(compiler.list_function(module, function, &isa, &options, Listing::Assembly)?)
        };
        Some(list())
    }

    /// How long the last item took to be taken down to IR, to be compiled, and to run.
    pub(crate) fn times(&self) -> Times {
        self.times
    }

    /// The IR of a function.
    pub(crate) fn ir(&self, name: &str) -> Option<String> {
        self.known.modules.get(name).map(print_module)
    }
}

/// An expression that runs once.
struct Top {
    engine: Engine,
    texts: Texts,
    name: String,
    sort: Sort,
}

impl Top {
    /// What it comes to. Of what it makes on the way, nothing stays.
    fn call(&self) -> Result<Answer, Problem> {
        let answer = self.run();
        self.texts.forget();
        answer
    }

    fn run(&self) -> Result<Answer, Problem> {
        let (engine, name) = (&self.engine, &self.name);
        let stopped = |error: &dyn fmt::Display| Problem::Stopped(error.to_string());
        match self.sort {
            Sort::Number => {
                let function = engine.func::<(), f64>(name).map_err(|error| stopped(&error))?;
                Ok(Answer::Number(function.call(()).map_err(|error| stopped(&error))?))
            }
            Sort::Text => {
                let function = engine.func::<(), i64>(name).map_err(|error| stopped(&error))?;
                let number = function.call(()).map_err(|error| stopped(&error))?;
                Ok(Answer::Text(self.texts.get(number)?))
            }
        }
    }
}

impl Drop for Top {
    fn drop(&mut self) {
        // It was defined, and nobody else knows its name.
        let _ = self.engine.remove(&self.name);
    }
}

/// What programs find there, once they have declared it.
fn define_library(engine: &Engine, texts: &Texts, output: &Output) -> Result<(), LoadError> {
    for (name, function) in [
        ("sin", f64::sin as fn(f64) -> f64),
        ("cos", f64::cos),
        ("exp", f64::exp),
        ("log", f64::ln),
        ("sqrt", f64::sqrt),
        ("floor", f64::floor),
        ("fabs", f64::abs),
    ] {
        engine.define_host(name, move |x: f64| function(x))?;
    }
    engine.define_host("pow", f64::powf)?;
    engine.define_host("atan2", f64::atan2)?;
    define_output(engine, texts, output)?;
    define_texts(engine, texts)
}

fn define_output(engine: &Engine, texts: &Texts, output: &Output) -> Result<(), LoadError> {
    let write = |output: &Output, text: &str| -> std::io::Result<f64> {
        let mut output = output.lock().unwrap_or_else(PoisonError::into_inner);
        output.write_all(text.as_bytes())?;
        output.flush()?;
        Ok(0.0)
    };
    let out = Arc::clone(output);
    engine.define_host("putchard", move |code: f64| {
        write(&out, char::from(code as u8).encode_utf8(&mut [0; 4]))
    })?;
    let out = Arc::clone(output);
    engine.define_host("printd", move |x: f64| write(&out, &format!("{x}\n")))?;
    let (out, texts) = (Arc::clone(output), texts.clone());
    engine.define_host(
        "print",
        move |text: i64| -> Result<f64, Box<dyn std::error::Error + Send + Sync>> {
            Ok(write(&out, &texts.get(text)?)?)
        },
    )
}

fn define_texts(engine: &Engine, texts: &Texts) -> Result<(), LoadError> {
    let of = texts.clone();
    engine.define_host(lower::JOIN, move |left: i64, right: i64| -> Result<i64, Gone> {
        Ok(of.make(format!("{}{}", of.get(left)?, of.get(right)?)))
    })?;
    let of = texts.clone();
    engine.define_host(lower::BEFORE, move |left: i64, right: i64| -> Result<f64, Gone> {
        Ok(f64::from(u8::from(of.get(left)? < of.get(right)?)))
    })?;
    let of = texts.clone();
    engine.define_host("length", move |text: i64| -> Result<f64, Gone> {
        Ok(of.get(text)?.chars().count() as f64)
    })?;
    let of = texts.clone();
    engine.define_host("number", move |text: i64| -> Result<f64, Gone> {
        Ok(of.get(text)?.trim().parse().unwrap_or(f64::NAN))
    })?;
    let of = texts.clone();
    engine.define_host("text$", move |x: f64| of.make(x.to_string()))?;
    let of = texts.clone();
    engine.define_host("part$", move |text: i64, first: f64, count: f64| -> Result<i64, Gone> {
        let text = of.get(text)?;
        Ok(of.make(text.chars().skip(first as usize).take(count as usize).collect::<String>()))
    })
}
