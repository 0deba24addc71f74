//! What is known of a body: facts that passes stand on, computed when one asks and
//! kept as long as they hold.
//!
//! An analysis is a pure function of a body, and of the declarations around it where
//! they matter; its file says what it computes, how, at what cost, and what it does
//! not try. [`Analyses`] is the cache. It does not see changes: a pass says in its row
//! of the table what holds behind it, and in between, by [`Analyses::keep`], what it
//! has not changed so far.

pub mod access;
pub mod addresses;
pub mod call_graph;
pub mod components;
pub mod conditions;
pub mod dependence;
pub mod effects;
pub mod escape;
mod extreme;
pub mod frequencies;
pub mod frontier;
pub mod liveness;
pub mod loops;
pub mod memory_ssa;
pub mod ops;
mod post_dominators;
pub mod scalar_evolution;
pub mod value_facts;

use std::rc::Rc;

use bitflags::bitflags;
use brolga_ir::body::Body;
use brolga_ir::module::Module;

pub use access::Accesses;
pub use brolga_ir::dominators::Dominators;
pub use brolga_ir::flow::FlowGraph;
pub use call_graph::CallGraph;
pub use conditions::Conditions;
pub use effects::FunctionEffects;
pub use escape::Escapes;
pub(crate) use extreme::compare_of_extreme;
pub use frequencies::Frequencies;
pub use frontier::Frontier;
pub use liveness::Liveness;
pub use loops::{Loop, Loops};
pub use memory_ssa::MemorySsa;
pub use ops::Ops;
pub use post_dominators::PostDominators;
pub use scalar_evolution::ScalarEvolution;
pub use value_facts::{Fact, ValueFacts};

/// The table: how each analysis is named, what it is, and what it is computed from.
/// Those that look at the module as well name it behind the body.
macro_rules! analyses {
    ($(
        $(#[doc = $doc:literal])*
        $flag:ident = $bit:literal, $name:ident($analyses:ident, $body:ident $(, $module:ident)?)
            -> $analysis:ty $compute:block
    )*) => {
        bitflags! {
            /// A set of analyses.
            #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
            pub struct Kept: u32 {
                $($(#[doc = $doc])* const $flag = 1 << $bit;)*
            }
        }

        /// The analyses of one body that are known.
        #[derive(Clone, Debug, Default)]
        pub struct Analyses {
            $($name: Option<Rc<$analysis>>,)*
        }

        impl Analyses {
            $(
                $(#[doc = $doc])*
                pub fn $name(&mut self, $body: &Body $(, $module: &Module)?) -> Rc<$analysis> {
                    if let Some(known) = &self.$name {
                        return Rc::clone(known);
                    }
                    let $analyses = &mut *self;
                    let computed = Rc::new($compute);
                    self.$name = Some(Rc::clone(&computed));
                    computed
                }
            )*

            /// Drops what is not among `kept`: the body has changed.
            pub fn keep(&mut self, kept: Kept) {
                $(if !kept.contains(Kept::$flag) {
                    self.$name = None;
                })*
            }

            /// The name of the first analysis that is known and would be another one if it
            /// were computed now.
            pub fn stale(&self, body: &Body, module: &Module) -> Option<&'static str> {
                let mut now = Analyses::default();
                $(if let Some(known) = &self.$name {
                    $(let $module = module;)?
                    if *now.$name(body $(, $module)?) != **known {
                        return Some(stringify!($name));
                    }
                })*
                None
            }
        }
    };
}

analyses! {
    /// Which blocks lead to which.
    FLOW = 0, flow(_analyses, body) -> FlowGraph { FlowGraph::new(body) }

    /// Which blocks stand on every path from the entry to which.
    DOMINATORS = 1, dominators(analyses, body) -> Dominators {
        Dominators::new(&analyses.flow(body))
    }

    /// Which blocks stand on every path to an end from which.
    POST_DOMINATORS = 2, post_dominators(analyses, body) -> PostDominators {
        PostDominators::new(&analyses.flow(body))
    }

    /// The loops, and which stands in which.
    LOOPS = 3, loops(analyses, body) -> Loops {
        Loops::new(&analyses.flow(body), &analyses.dominators(body))
    }

    /// How often blocks run.
    FREQUENCIES = 4, frequencies(analyses, body) -> Frequencies {
        Frequencies::new(body, &analyses.flow(body), &analyses.loops(body))
    }

    /// Which values are live where blocks begin.
    LIVENESS = 5, liveness(analyses, body) -> Liveness {
        Liveness::new(body, &analyses.flow(body))
    }

    /// Which addresses get out.
    ESCAPES = 6, escapes(_analyses, body) -> Escapes { Escapes::new(body) }

    /// What instructions read and write.
    ACCESSES = 7, accesses(analyses, body, module) -> Accesses {
        Accesses::new(body, &analyses.flow(body), module)
    }

    /// Which state of memory instructions find.
    MEMORY_SSA = 8, memory_ssa(analyses, body, module) -> MemorySsa {
        let (graph, dominators) = (analyses.flow(body), analyses.dominators(body));
        MemorySsa::new(body, &graph, &dominators, &analyses.accesses(body, module))
    }

    /// What is known of numbers.
    VALUE_FACTS = 9, value_facts(analyses, body, module) -> ValueFacts {
        ValueFacts::new(body, &analyses.flow(body), module)
    }

    /// What branches and checks say of values.
    CONDITIONS = 10, conditions(analyses, body) -> Conditions {
        Conditions::new(body, &analyses.flow(body), &analyses.dominators(body))
    }

    /// What values are in each round of loops, and how often these go round.
    SCALAR_EVOLUTION = 11, scalar_evolution(analyses, body, module) -> ScalarEvolution {
        let known = scalar_evolution::Known {
            graph: &analyses.flow(body),
            dominators: &analyses.dominators(body),
            loops: &analyses.loops(body),
            facts: &analyses.value_facts(body, module),
            conditions: &analyses.conditions(body),
        };
        ScalarEvolution::new(body, known)
    }

    /// Which ops stand in the body.
    OPS = 12, ops(_analyses, body) -> Ops { Ops::new(body) }
}

impl Kept {
    /// What follows from the blocks and their edges alone.
    pub const GRAPH: Kept =
        Kept::FLOW.union(Kept::DOMINATORS).union(Kept::POST_DOMINATORS).union(Kept::LOOPS);
}

impl Analyses {
    /// Drops all: the body has changed in some way or other.
    pub fn drop_all(&mut self) {
        self.keep(Kept::empty());
    }
}

#[cfg(test)]
pub(crate) mod tests;
