//! Names, locations and hints.

use super::error::Fault;
use super::function::FunctionBuilder;
use super::handle::Value;
use crate::attribute::InstFlags;
use crate::body::{LocData, ValueRange};
use crate::entity::{Inst, Loc};

impl FunctionBuilder<'_> {
    /// Names a value. Where several have one name, the first keeps it.
    pub fn name_value(&mut self, value: Value, name: &str) {
        if let Some(value) = self.own(value) {
            self.body.set_value_name(value, name);
        }
    }

    /// Says that the following instructions come from that place; line and
    /// column count from 1, and column 0 is unknown.
    pub fn set_location(&mut self, file: &str, line: u32, column: u32) {
        let file = self.module.intern(file);
        let data = LocData { file, line, column, function: None, inlined_at: None.into() };
        let same = self.loc.expand().and_then(|loc| self.body.loc_data(loc)) == Some(&data);
        if !same {
            self.loc = self.body.make_loc(data).into();
        }
    }

    /// Makes a location, for one that was inlined.
    pub fn create_loc(&mut self, data: LocData) -> Loc {
        self.body.make_loc(data)
    }

    /// Says that the following instructions come from `loc`, or from nowhere.
    pub fn set_loc(&mut self, loc: Option<Loc>) {
        self.loc = loc.into();
    }

    /// The index of a string, for a [`LocData`].
    pub fn intern(&mut self, string: &str) -> u32 {
        self.module.intern(string)
    }

    /// Adds hints and permissions to the last instruction.
    pub fn hint(&mut self, flags: InstFlags) {
        if let Some(inst) = self.last_inst("a hint") {
            self.body.inst_mut(inst).flags |= flags;
        }
    }

    /// Gives the targets of the last instruction, a branch or switch, their weights in order.
    pub fn weights(&mut self, weights: &[u32]) {
        if let Some(inst) = self.last_inst("weights") {
            self.body.set_weights(inst, weights);
        }
    }

    /// Hints that the first result of the last instruction lies in `low..high`.
    pub fn range(&mut self, low: u128, high: u128) {
        if let Some(inst) = self.last_inst("a range") {
            self.body.set_range(inst, ValueRange { low, high });
        }
    }

    fn last_inst(&mut self, what: &str) -> Option<Inst> {
        if self.last.is_none() && self.errors.is_empty() {
            self.fail(
                Fault::Place,
                format_args!("there is no instruction that {what} could be for"),
            );
        }
        self.last
    }
}
