//! The functions that whoever links a text defines.

use super::Shared;
use super::code::FunctionWriter;
use crate::types::{Signature, Type};

struct Row {
    name: &'static str,
    params: &'static [Type],
    results: &'static [Type],
    text: &'static str,
}

const TRAP: Row = Row {
    name: "brolga.trap",
    params: &[Type::I32],
    results: &[],
    text: "declare void @brolga.trap(i32) cold noreturn nounwind\n",
};

const EXIT: Row = Row {
    name: "brolga.exit",
    params: &[Type::I32, Type::I32, Type::PTR, Type::I64],
    results: &[],
    text: "declare void @brolga.exit(i32, i32, ptr, i64) cold noreturn nounwind\n",
};

const THROW: Row = Row {
    name: "brolga.throw",
    params: &[Type::REF],
    results: &[],
    text: "declare void @brolga.throw(ptr addrspace(10)) cold noreturn\n",
};

const CURRENT_EXCEPTION: Row = Row {
    name: "brolga.current_exception",
    params: &[],
    results: &[Type::REF],
    text: "declare ptr addrspace(10) @brolga.current_exception() nounwind\n",
};

/// What catches: the one of C++, which takes exceptions of any language.
const PERSONALITY: Row = Row {
    name: "__gxx_personality_v0",
    params: &[],
    results: &[Type::I32],
    text: "declare i32 @__gxx_personality_v0(...)\n",
};

const ROWS: &[&Row] = &[&TRAP, &EXIT, &THROW, &CURRENT_EXCEPTION, &PERSONALITY];

/// Whether a function of that name is what the text takes it for.
pub(super) fn is_declared_as(name: &str, signature: &Signature) -> bool {
    ROWS.iter().find(|row| row.name == name).is_some_and(|row| {
        signature.param_types().eq(row.params.iter().copied())
            && signature.result_types().eq(row.results.iter().copied())
    })
}

impl Shared<'_> {
    fn require_row(&mut self, row: &Row) {
        self.require(row.name, || row.text.to_owned());
    }
}

impl FunctionWriter<'_, '_> {
    pub(super) fn require_trap(&mut self) {
        self.shared.require_row(&TRAP);
    }

    pub(super) fn require_exit(&mut self) {
        self.shared.require_row(&EXIT);
    }

    pub(super) fn require_throw(&mut self) {
        self.shared.require_row(&THROW);
    }

    pub(super) fn require_current_exception(&mut self) {
        self.shared.require_row(&CURRENT_EXCEPTION);
    }

    pub(super) fn require_personality(&mut self) {
        self.shared.require_row(&PERSONALITY);
    }
}
