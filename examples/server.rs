//! A server whose clients send it queries: each is compiled to a function when it is first asked,
//! may be replaced by another one, and goes. Memory stays flat.
//!
//! `cargo run --release --example server -- 60` runs it for a minute with four threads.

use std::error::Error;
use std::fmt::Write as _;
use std::io::{Write, stdout};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use brolga::{Books, CallError, Config, Engine, FunctionError};

/// Clients at once.
const THREADS: u64 = 4;

/// The most queries that each of them has in the server.
const MOST: usize = 50;

/// Bytes that the code of all queries may take at once, and what they were before and nobody has
/// freed yet.
const MOST_CODE: usize = THREADS as usize * MOST * 512;

/// KiB that the process may have more in the end than after a tenth of the time, beside a quarter of
/// that: as much as allocators keep at hand for threads.
const MOST_GROWTH: u64 = 8 << 10;

/// What queries are asked of.
const ROWS: [(i64, i64); 8] =
    [(1, 9), (4, 4), (-7, 3), (0, 0), (12, -5), (100, 7), (-1, -1), (31, 2)];

fn main() -> ExitCode {
    let seconds = std::env::args().nth(1).and_then(|word| word.parse().ok()).unwrap_or(60);
    match run(Duration::from_secs(seconds), &mut stdout()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "{error}");
            ExitCode::FAILURE
        }
    }
}

/// Serves for so long; says each second, and ten times at least, what there is.
///
/// # Errors
/// If an answer is wrong, or memory has grown.
pub(crate) fn run(time: Duration, out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    let engine = Engine::new(Config::default())?;
    // The way in is compiled once for all queries, and stays.
    let first = Query { server: &engine, name: "first".to_owned(), expression: Expression::Left };
    first.define()?;
    first.check()?;
    drop(first);
    engine.collect();
    let start = engine.books();
    let (is_over, served) = (AtomicBool::new(false), AtomicU64::new(0));
    let (mut most, mut early, mut late) = (start, None, None);
    thread::scope(|scope| {
        let clients: Vec<_> = (0..THREADS)
            .map(|number| {
                let client = Client { number, engine: &engine, served: &served };
                let is_over = &is_over;
                scope.spawn(move || client.run(is_over).map_err(|error| error.to_string()))
            })
            .collect();
        let (begun, between) = (Instant::now(), (time / 10).min(Duration::from_secs(1)));
        while begun.elapsed() < time && !clients.iter().any(|client| client.is_finished()) {
            thread::sleep(time.saturating_sub(begun.elapsed()).min(between));
            let (books, memory) = (engine.books(), resident());
            most = larger(most, books);
            if begun.elapsed() >= time / 10 {
                early = early.or(memory);
            }
            let (served, code) = (served.load(Ordering::Relaxed), books.live_code);
            let memory = memory.map_or_else(String::new, |kib| format!(" {kib:>8} KiB in all"));
            let now = begun.elapsed();
            writeln!(out, "{now:>6.1?} {served:>10} answers {code:>8} bytes of code{memory}")?;
        }
        late = resident();
        is_over.store(true, Ordering::Relaxed);
        for client in clients {
            client.join().map_err(|_| "a client panicked")??;
        }
        Ok::<(), Box<dyn Error>>(())
    })?;
    engine.collect();
    let end = engine.books();
    writeln!(out, "at most {} bytes of code, {} in the end", most.live_code, end.live_code)?;
    if most.live_code > start.live_code + MOST_CODE {
        return Err(format!("{most:?} is more than all queries take").into());
    }
    if let (Some(early), Some(late)) = (early, late)
        && late > early + early / 4 + MOST_GROWTH
    {
        return Err(format!("the process has grown from {early} to {late} KiB").into());
    }
    let in_use = |books: &Books| (books.live_code, books.live_data, books.allocations);
    if in_use(&end) != in_use(&start) {
        return Err(format!("{end:?} is left of {start:?}").into());
    }
    Ok(())
}

/// KiB of memory that the process has, where the system tells.
fn resident() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.split_whitespace().next()?.parse().ok()
}

fn larger(one: Books, other: Books) -> Books {
    if other.live_code > one.live_code { other } else { one }
}

/// Who sends queries.
struct Client<'a> {
    number: u64,
    engine: &'a Engine,
    served: &'a AtomicU64,
}

impl Client<'_> {
    fn run(&self, is_over: &AtomicBool) -> Result<(), Box<dyn Error>> {
        let mut dice = Dice(self.number + 1);
        let mut queries: Vec<Query<'_>> = Vec::new();
        let mut names = 0;
        while !is_over.load(Ordering::Relaxed) {
            let count = queries.len();
            let chosen = dice.below(count.max(1) as u64) as usize;
            match dice.below(10) {
                0 if count < MOST => {
                    names += 1;
                    let name = format!("query{names}of{}", self.number);
                    let expression = Expression::random(&mut dice, 4);
                    let query = Query { server: self.engine, name, expression };
                    query.define()?;
                    queries.push(query);
                }
                1 => self.look_over_a_shoulder(&mut dice)?,
                _ if count == 0 => {}
                2 => drop(queries.swap_remove(chosen)),
                3 => {
                    queries[chosen].expression = Expression::random(&mut dice, 4);
                    queries[chosen].define()?;
                }
                _ => queries[chosen].check()?,
            }
            self.served.fetch_add(1, Ordering::Relaxed);
        }
        Ok(())
    }

    /// Asks a query of another client, which may replace and remove it meanwhile.
    fn look_over_a_shoulder(&self, dice: &mut Dice) -> Result<(), Box<dyn Error>> {
        let name = format!("query{}of{}", dice.below(100), dice.below(THREADS));
        let query = match self.engine.func::<(i64, i64), i64>(&name) {
            Err(FunctionError::Missing { .. }) => return Ok(()),
            found => found?,
        };
        match query.call(ROWS[0]) {
            // It is gone by now.
            Err(CallError::Trap(_)) => Ok(()),
            answer => Ok(answer.map(|_| ())?),
        }
    }
}

/// A query, which is in the server until it is dropped.
struct Query<'a> {
    server: &'a Engine,
    name: String,
    expression: Expression,
}

impl Query<'_> {
    /// Defines it, in the place of what it was before.
    fn define(&self) -> Result<(), Box<dyn Error>> {
        let mut code = String::new();
        let result = self.expression.write(&mut code, &mut 0);
        let text = format!(
            "export func @{}(i64, i64) -> i64 {{\nb(%left: i64, %right: i64):\n{code}    \
             return {result}\n}}",
            self.name
        );
        Ok(self.server.define(&text)?)
    }

    /// Asks it of all rows.
    fn check(&self) -> Result<(), Box<dyn Error>> {
        let query = self.server.func::<(i64, i64), i64>(&self.name)?;
        for row in ROWS {
            let (answer, expected) = (query.call(row)?, self.expression.of(row));
            if answer != expected {
                let name = &self.name;
                return Err(format!("{name} gives {answer} for {row:?}, not {expected}").into());
            }
        }
        Ok(())
    }
}

impl Drop for Query<'_> {
    fn drop(&mut self) {
        // It was defined, and nobody else removes it.
        let _ = self.server.remove(&self.name);
    }
}

/// What a query computes of a row.
enum Expression {
    Left,
    Right,
    Number(i64),
    Sum(Box<[Expression; 2]>),
    Product(Box<[Expression; 2]>),
    Greater(Box<[Expression; 2]>),
}

impl Expression {
    fn random(dice: &mut Dice, depth: u32) -> Expression {
        let pair = |dice: &mut Dice| {
            Box::new([Expression::random(dice, depth - 1), Expression::random(dice, depth - 1)])
        };
        match dice.below(if depth == 0 { 3 } else { 6 }) {
            0 => Expression::Left,
            1 => Expression::Right,
            2 => Expression::Number(dice.below(1_000) as i64 - 500),
            3 => Expression::Sum(pair(dice)),
            4 => Expression::Product(pair(dice)),
            _ => Expression::Greater(pair(dice)),
        }
    }

    /// What it is.
    fn of(&self, row: (i64, i64)) -> i64 {
        match self {
            Expression::Left => row.0,
            Expression::Right => row.1,
            Expression::Number(number) => *number,
            Expression::Sum(terms) => terms[0].of(row).wrapping_add(terms[1].of(row)),
            Expression::Product(terms) => terms[0].of(row).wrapping_mul(terms[1].of(row)),
            Expression::Greater(terms) => terms[0].of(row).max(terms[1].of(row)),
        }
    }

    /// Writes what computes it, and gives its name.
    fn write(&self, code: &mut String, count: &mut u32) -> String {
        let (op, terms) = match self {
            Expression::Left => return "%left".to_owned(),
            Expression::Right => return "%right".to_owned(),
            Expression::Number(number) => return number.to_string(),
            Expression::Sum(terms) => ("add", terms),
            Expression::Product(terms) => ("mul", terms),
            Expression::Greater(terms) => ("smax", terms),
        };
        let [one, other] = [terms[0].write(code, count), terms[1].write(code, count)];
        *count += 1;
        // Writing to a string does not fail.
        let _ = writeln!(code, "    %x{count} = {op}.i64 {one}, {other}");
        format!("%x{count}")
    }
}

/// Numbers that look random (Marsaglia, "Xorshift RNGs", 2003).
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % bound
    }
}
