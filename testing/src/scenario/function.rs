//! The functions of a scenario, as text.

use std::fmt::Write;

use super::history::Meaning;
use crate::random::Random;

/// So far away, by their numbers, are the functions that a function calls: none calls itself, by
/// way of whomever.
const REACH: usize = 6;

/// A module to be defined, and what its names mean then.
pub(super) struct Module {
    pub(super) text: String,
    pub(super) meanings: Vec<(usize, Meaning)>,
}

/// More names there are not.
pub(super) const MOST_NAMES: usize = 1 << 16;

/// The stamp of the function of that name in that module, by the count of modules.
pub(super) fn stamp_of(serial: i64, name: usize) -> i64 {
    serial * MOST_NAMES as i64 + name as i64
}

/// The name whose function has a stamp.
pub(super) fn name_of(stamp: i64) -> usize {
    (stamp % MOST_NAMES as i64) as usize
}

/// What a loop tells in the place of whom it has called: that its function begins, and that
/// the function ends.
pub(super) const BEGINS: i64 = -1;
pub(super) const ENDS: i64 = -2;

/// In which of so many libraries each name is defined.
pub(super) const LIBRARIES: usize = 2;

/// The library of a name.
pub(super) fn library_of(name: usize) -> usize {
    name % LIBRARIES
}

/// Whether nobody may take over the function of a name, whatever defines it.
pub(super) fn is_apart(name: usize) -> bool {
    name / LIBRARIES % 2 == 1
}

/// A module that defines the function of a name, and perhaps that of one that it calls. Every
/// function takes how often its loop comes round, and gives its stamp, that of what it called,
/// and that of what this called.
pub(super) fn module(random: &mut Random, name: usize, names: usize, serial: i64) -> Module {
    let mut module = Module { text: String::new(), meanings: Vec::new() };
    let stamp = stamp_of(serial, name);
    let callee = (name + random.between(1, REACH)).min(names);
    let is_together = random.below(2) == 0 && library_of(callee) == library_of(name);
    if callee == names || random.below(4) == 0 {
        let is_broken = random.below(32) == 0;
        module.leaf(name, stamp, if is_broken { Leaf::Broken } else { Leaf::Whole });
        return module;
    }
    match is_together {
        true => module.leaf(callee, stamp_of(serial, callee), Leaf::Whole),
        false => {
            let _ = writeln!(module.text, "import func @f{callee}(i64) -> (i64, i64, i64)");
        }
    }
    if random.below(2) == 0 {
        module.looping(name, callee, stamp);
    } else {
        module.calling(name, callee, stamp);
    }
    module
}

/// What a function is that calls none.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Leaf {
    Whole,
    /// Nobody can compile it.
    Broken,
}

impl Module {
    fn head(&mut self, name: usize) {
        let inline = if is_apart(name) { " inline never" } else { "" };
        let results = "(i64, i64, i64)";
        let _ =
            writeln!(self.text, "export func @f{name}(i64) -> {results}{inline} {{\nb(%n: i64):");
    }

    fn leaf(&mut self, name: usize, stamp: i64, leaf: Leaf) {
        self.head(name);
        // Of two ways one gives no value to what is returned.
        let body = match leaf {
            Leaf::Broken => {
                "    %c = icmp.i64 eq %n, 0\n    branch %c, then, end\nthen:\n    \
                             %x = add.i64 %n, 1\n    jump end\nend:\n    return %x, 0, 0"
            }
            Leaf::Whole => &format!("    return {stamp}, 0, 0"),
        };
        let _ = writeln!(self.text, "{body}\n}}");
        let meaning = match leaf {
            Leaf::Broken => Meaning::Broken,
            Leaf::Whole => Meaning::Function(stamp),
        };
        self.meanings.push((name, meaning));
    }

    fn calling(&mut self, name: usize, callee: usize, stamp: i64) {
        self.head(name);
        let _ = writeln!(
            self.text,
            "    %a, %b, %c = call @f{callee}(%n)\n    return {stamp}, %a, %b\n}}"
        );
        self.meanings.push((name, Meaning::Function(stamp)));
    }

    /// Says when it begins and ends, and after each round what it was given.
    fn looping(&mut self, name: usize, callee: usize, stamp: i64) {
        let _ = writeln!(self.text, "import func @note(i64, i64, i64, i64) -> ()");
        self.head(name);
        let _ = writeln!(
            self.text,
            "    call @note({stamp}, {BEGINS}, 0, 0)\n    jump loop(0)\nloop(%i: i64):\n    \
             %k = and.i64 %i, 2\n    %a, %b, %c = call @f{callee}(%k)\n    call @note({stamp}, {callee}, %a, %b)\n    \
             %j = add.i64 %i, 1\n    %more = icmp.i64 slt %j, %n\n    \
             branch %more, loop(%j), end\nend:\n    call @note({stamp}, {ENDS}, 0, 0)\n    \
             return {stamp}, %a, %b\n}}"
        );
        self.meanings.push((name, Meaning::Function(stamp)));
    }
}
