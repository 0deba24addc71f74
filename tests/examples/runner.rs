//! An example on one of the engines that there are.

use brolga::{Config, Engine};
use brolga_ir::datum::Datum;
use brolga_ir::interpret::{Interpreter, Limits};
use brolga_ir::module::Module;
use brolga_ir::text::parse_module;

/// A loaded example.
pub(crate) enum Runner {
    /// As compiled code.
    Native(Engine),
    /// In the reference interpreter.
    Interpreter(Box<Interpreter<'static>>),
}

impl Runner {
    /// The example as compiled code, loaded by safe code alone.
    pub(crate) fn native(name: &str) -> Runner {
        let engine = Engine::new(Config::default()).unwrap();
        engine.load(&text(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
        Runner::Native(engine)
    }

    /// The example in the interpreter, with steps for the longest of them.
    pub(crate) fn interpreter(name: &str) -> Runner {
        // An interpreter borrows its module: one of a test may stay for good.
        let module: &'static Module = Box::leak(Box::new(parse_module(&text(name)).unwrap()));
        let limits = Limits { steps: 2_000_000_000, ..Limits::default() };
        let interpreter = Interpreter::setup().module(module).limits(limits).build().unwrap();
        Runner::Interpreter(Box::new(interpreter))
    }

    /// What the function gives.
    pub(crate) fn call(&mut self, function: &str, arguments: &[Datum]) -> Vec<Datum> {
        match self {
            Runner::Native(engine) => engine.call(function, arguments).unwrap(),
            Runner::Interpreter(interpreter) => interpreter.call(function, arguments).unwrap(),
        }
    }

    /// The bits of the one number that the function gives for whole numbers.
    pub(crate) fn whole(&mut self, function: &str, arguments: &[i64]) -> i64 {
        let arguments: Vec<Datum> = arguments.iter().map(|&number| number.into()).collect();
        let [Datum::Scalar(bits)] = self.call(function, &arguments)[..] else {
            panic!("`@{function}` gives no one number");
        };
        bits as i64
    }

    /// Puts bytes into the data object of that name.
    pub(crate) fn put(&mut self, data: &str, bytes: &[u8]) {
        match self {
            Runner::Native(engine) => engine.write_data(data, 0, bytes).unwrap(),
            Runner::Interpreter(interpreter) => {
                let place = interpreter.data_objects().find(|place| *place.name == *data).unwrap();
                assert!(bytes.len() as u64 <= place.size);
                if !bytes.is_empty() {
                    interpreter.memory().write(place.address, bytes).unwrap();
                }
            }
        }
    }

    /// The first bytes of the data object of that name.
    pub(crate) fn get(&self, data: &str, size: usize) -> Vec<u8> {
        match self {
            Runner::Native(engine) => {
                let mut bytes = vec![0; size];
                engine.read_data(data, 0, &mut bytes).unwrap();
                bytes
            }
            Runner::Interpreter(interpreter) => {
                let mut bytes = interpreter.data(data).unwrap();
                assert!(size <= bytes.len());
                bytes.truncate(size);
                bytes
            }
        }
    }
}

fn text(name: &str) -> String {
    let path = format!("{}/examples/{name}.bir", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(path).unwrap()
}
