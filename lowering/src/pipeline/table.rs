//! The table of passes: pure data.

use brolga_ir::op::Dialect;

use super::row::{Duty, Order, Pass, Stage, numbered};
use crate::analysis::Kept;
use crate::clean_up::{
    block_layout, demote_float16, div_rem_pairs, legalize, mul_add, rematerialize, sanitize,
    shared_edges,
};
use crate::early_optimisation::{
    alloc_opt, constraint_elimination, correlated_values, cpu_features, expand_accesses,
    jump_threading, reassociate,
};
use crate::early_simplification::{
    dce, demote_returns_twice, early_cse, expand_atomic_modify, expand_handlers,
    flatten_aggregates, inline, inst_combine, is_always_open, is_open, lib_calls, lower_expect,
    propagate_address_kinds, simplify_cfg, sroa,
};
use crate::legal_form::ValueForm;
use crate::level::Level;
use crate::loops::{
    bounds_check_elimination, induction, licm, loop_deletion, loop_idiom, loop_rotate,
    loop_simplify, loop_unroll_full, loop_unswitch, managed_licm, simd_loop,
};
use crate::scalars::{bit_dce, dse, gvn, mem_copy, merged_load_store, sccp};
use crate::vectorisation::{
    loop_interchange, loop_unroll, loop_vectorize, slp_vectorize, strength_reduction,
};

/// The pass that an option asks for: [`Sanitizing`](crate::options::Sanitizing).
pub(super) const SANITIZE: &str = "sanitize";

/// Every pass, in the order in which they run.
pub static PASSES: &[Pass] = &numbered([
    Pass {
        from: Level::O0,
        duty: Duty::Required,
        reason: "emission knows operations and compare-exchanges only; before `expand_handlers`, which gives \
                 the calls their edges, and `inline`, which takes them over",
        after: &[],
        border: Dialect::Front,
        form: ValueForm::Declared,
        ..Pass::optional("expand_atomic_modify", Stage::EarlySimplification, expand_atomic_modify)
    },
    Pass {
        from: Level::O0,
        duty: Duty::Required,
        reason: "no later pass meets flow that its graph does not show",
        after: &["expand_atomic_modify"],
        border: Dialect::Front,
        form: ValueForm::Declared,
        ..Pass::optional("expand_handlers", Stage::EarlySimplification, expand_handlers)
    },
    Pass {
        from: Level::O0,
        duty: Duty::Required,
        reason: "later passes and the back end know scalars and vectors only; \
                 behind `expand_handlers`, so that unwind edges are flattened as all edges are",
        after: &["expand_handlers"],
        border: Dialect::Front,
        ..Pass::optional("flatten_aggregates", Stage::EarlySimplification, flatten_aggregates)
    },
    Pass {
        from: Level::O0,
        duty: Duty::Required,
        reason: "a second return finds memory as it is, and no register or spilled value; \
                 before any pass that moves values, which then sees the loads",
        after: &["expand_handlers", "flatten_aggregates"],
        border: Dialect::Front,
        ..Pass::optional("demote_returns_twice", Stage::EarlySimplification, demote_returns_twice)
    },
    Pass {
        from: Level::O0,
        duty: Duty::Required,
        reason: "hints become weights before anything moves the branches that they are about",
        after: &["flatten_aggregates"],
        ..Pass::optional("lower_expect", Stage::EarlySimplification, lower_expect)
    },
    Pass {
        reason: "what keeps no object alive is an address like any other, before passes that know \
                 plain addresses best",
        keeps: Kept::GRAPH,
        ..Pass::optional(
            "propagate_address_kinds",
            Stage::EarlySimplification,
            propagate_address_kinds,
        )
    },
    Pass {
        option: "always",
        order: Order::BottomUp(is_always_open),
        from: Level::O0,
        reason: "what is always to be taken over is, at every level; behind the passes that know \
                 bodies as they were declared",
        after: &["expand_handlers", "flatten_aggregates", "demote_returns_twice", "lower_expect"],
        ..Pass::optional("inline", Stage::EarlySimplification, inline)
    },
    Pass {
        reason: "calls of C's library that an op does, which passes see through; before `sroa`, from which \
                 a call hides what it is given the address of",
        keeps: Kept::GRAPH,
        ..Pass::optional("lib_calls", Stage::EarlySimplification, lib_calls)
    },
    Pass {
        from: Level::O1,
        reason: "front ends and the passes before leave values that nobody uses: later passes \
                 need not look at them; at `O0` it took 4 % more time to compile, for a thousandth \
                 of the code",
        ..Pass::optional("dce", Stage::EarlySimplification, dce)
    },
    Pass {
        from: Level::O1,
        reason: "few blocks and decided branches, so that what follows sees straight lines; behind \
                 `dce`, which leaves blocks empty; at `O0` it took 9 % more time to compile, for a \
                 hundredth of the code",
        ..Pass::optional("simplify_cfg", Stage::EarlySimplification, simplify_cfg)
    },
    Pass {
        from: Level::O1,
        reason: "later passes see values and not what stands in memory; behind \
                 `demote_returns_twice`, whose slots stay",
        ..Pass::optional("sroa", Stage::EarlySimplification, sroa)
    },
    Pass {
        reason: "front ends compute the same again and again: later passes need not look at \
                 it; behind `sroa`, which shows what is the same",
        ..Pass::optional("early_cse", Stage::EarlySimplification, early_cse)
    },
    Pass {
        order: Order::BottomUp(is_open),
        from: Level::O1,
        reason: "what a callee does is known to its caller from here on; behind the passes \
                 that make callees small, and before those that make use of arguments",
        after: &["expand_handlers", "flatten_aggregates", "demote_returns_twice", "lower_expect"],
        ..Pass::optional("inline", Stage::EarlySimplification, inline)
    },
    Pass {
        from: Level::O1,
        reason: "what callees were handed in memory and keep there is values now; behind `inline`, which \
                 shows who reads it",
        ..Pass::optional("sroa", Stage::EarlySimplification, sroa)
    },
    Pass {
        from: Level::O1,
        reason: "what callees compute that their callers have, or each other",
        ..Pass::optional("early_cse", Stage::EarlySimplification, early_cse)
    },
    Pass {
        from: Level::O1,
        reason: "one form for each thing that code can say; behind `simplify_cfg`, whose selects \
                 and compares it takes further",
        keeps: Kept::GRAPH,
        ..Pass::optional("inst_combine", Stage::EarlySimplification, inst_combine)
    },
    Pass {
        option: "recognise",
        from: Level::O1,
        reason: "a loop that one operation of the machine does; behind `inline`, which shows what is asked \
                 for, and `inst_combine`, which has one form for it, and before passes that change loops",
        after: &["expand_handlers", "flatten_aggregates", "lower_expect"],
        ..Pass::optional("expand_atomic_modify", Stage::EarlySimplification, expand_atomic_modify)
    },
    Pass {
        option: "recursive",
        reason: "one call does what several did; behind `inst_combine`, so that what is copied is small",
        after: &["expand_handlers", "flatten_aggregates", "demote_returns_twice", "lower_expect"],
        ..Pass::optional("inline", Stage::EarlySimplification, inline)
    },
    Pass {
        from: Level::O1,
        reason: "objects that nobody else sees cost nothing; behind `inline`, which shows who sees \
                 them, and before the passes that go on with their fields as values",
        ..Pass::optional("alloc_opt", Stage::EarlyOptimisation, alloc_opt)
    },
    Pass {
        from: Level::O0,
        duty: Duty::Required,
        reason: "emission knows no questions to the processor; at every level, so that \
                 code for others is never compiled",
        after: &["flatten_aggregates"],
        ..Pass::optional("cpu_features", Stage::EarlyOptimisation, cpu_features)
    },
    Pass {
        from: Level::O1,
        reason: "branches that arguments, constants and the processor decide; behind `inst_combine`, which shows \
                 them",
        ..Pass::optional("simplify_cfg", Stage::EarlyOptimisation, simplify_cfg)
    },
    Pass {
        reason: "checks that accesses of objects make by themselves, as code of their own; behind \
                 `simplify_cfg`, which shows the loops, and before the passes that take checks out",
        after: &["flatten_aggregates"],
        keeps: Kept::GRAPH,
        ..Pass::optional("expand_accesses", Stage::EarlyOptimisation, expand_accesses)
    },
    Pass {
        reason: "branches that the way to them decides, as in iterators that were taken over; before \
                 `correlated_values`, which sees the longer ways",
        ..Pass::optional("jump_threading", Stage::EarlyOptimisation, jump_threading)
    },
    Pass {
        reason: "what branches ask for in one form, now that there are fewer ways to them; before \
                 `correlated_values`, which goes by it",
        keeps: Kept::GRAPH,
        ..Pass::optional("inst_combine", Stage::EarlyOptimisation, inst_combine)
    },
    Pass {
        reason: "compares and traps that branches on the way decide; before `reassociate`, which \
                 hides what sums are made of",
        keeps: Kept::GRAPH,
        ..Pass::optional("correlated_values", Stage::EarlyOptimisation, correlated_values)
    },
    Pass {
        reason: "compares that follow from several; behind `correlated_values`, which is cheaper \
                 and takes traps out of sums",
        keeps: Kept::GRAPH,
        ..Pass::optional("constraint_elimination", Stage::EarlyOptimisation, constraint_elimination)
    },
    Pass {
        option: "assumptions",
        reason: "what was promised has been gone by; behind `correlated_values` and \
                 `constraint_elimination`, which read it, and before the passes over loops, to \
                 which it is work",
        keeps: Kept::GRAPH,
        ..Pass::optional("lower_expect", Stage::EarlyOptimisation, lower_expect)
    },
    Pass {
        reason: "straight lines again, where branches were decided since",
        ..Pass::optional("simplify_cfg", Stage::EarlyOptimisation, simplify_cfg)
    },
    Pass {
        reason: "sums in one order, so that equal parts are found and constants come together",
        keeps: Kept::GRAPH,
        ..Pass::optional("reassociate", Stage::EarlyOptimisation, reassociate)
    },
    Pass {
        from: Level::O0,
        reason: "what marks of loops permit stands on the ops; at every level, as `mul_add` goes by \
                 it, and before the passes over loops, which take their values apart",
        keeps: Kept::all(),
        ..Pass::optional("simd_loop", Stage::Loops, simd_loop)
    },
    Pass {
        reason: "one form of loops, so that no pass over loops makes places for its own code",
        ..Pass::optional("loop_simplify", Stage::Loops, loop_simplify)
    },
    Pass {
        reason: "what stands in a loop then runs whenever the loop does, which is what `licm` asks; \
                 behind `loop_simplify`, whose form it needs",
        ..Pass::optional("loop_rotate", Stage::Loops, loop_rotate)
    },
    Pass {
        reason: "what every round would do again; behind `loop_rotate`, which lets it take out what a \
                 test at the top keeps in",
        keeps: Kept::GRAPH,
        ..Pass::optional("licm", Stage::Loops, licm)
    },
    Pass {
        reason: "what every round would tell the collector again, and objects that every round would \
                 make; behind `licm`, which brings what these are made of before the loop",
        keeps: Kept::GRAPH,
        ..Pass::optional("managed_licm", Stage::Loops, managed_licm)
    },
    Pass {
        option: "proofs",
        reason: "checks that no round fails; behind `licm`, which brings the lengths before the \
                 loop, and before `induction`, which finds formulas for loops without traps; no loop is \
                 split yet, as `gvn` finds more lengths to be the same",
        ..Pass::optional("bounds_check_elimination", Stage::Loops, bounds_check_elimination)
    },
    Pass {
        reason: "what the library does with wide stores is a loop no more, and one that goes by bits \
                 counts; before `induction`, which finds the formula then, and `loop_unroll_full`, \
                 which would write short ones out",
        keeps: Kept::GRAPH,
        ..Pass::optional("loop_idiom", Stage::Loops, loop_idiom)
    },
    Pass {
        reason: "a loop that counts or adds up has a formula; before `loop_deletion`, which takes out \
                 what then has no use",
        keeps: Kept::GRAPH,
        ..Pass::optional("induction", Stage::Loops, induction)
    },
    Pass {
        reason: "loops that the passes before have left without work; behind `licm`, which takes out \
                 what is used behind them",
        ..Pass::optional("loop_deletion", Stage::Loops, loop_deletion)
    },
    Pass {
        reason: "branches that every round would take again; behind `licm`, which brings their \
                 conditions before the loop, and `loop_deletion`, so that no copy is made of nothing",
        ..Pass::optional("loop_unswitch", Stage::Loops, loop_unswitch)
    },
    Pass {
        reason: "rounds that are known by number become straight code, which the passes over scalars \
                 see through; behind `induction`, which leaves loops that have formulas without use",
        ..Pass::optional("loop_unroll_full", Stage::Loops, loop_unroll_full)
    },
    Pass {
        reason: "what is computed or loaded twice, also on different paths; before `sccp`, which \
                 goes on with what branches said",
        keeps: Kept::GRAPH,
        ..Pass::optional("gvn", Stage::Scalars, gvn)
    },
    Pass {
        reason: "constants that go around loops, which single instructions do not show; from `O2` on: at \
                 `O1` this, `dse` and `bit_dce` took a tenth of the time to compile, and one kernel of the \
                 suite ran faster by them",
        keeps: Kept::GRAPH,
        ..Pass::optional("sccp", Stage::Scalars, sccp)
    },
    Pass {
        reason: "checks that some rounds may fail; behind `gvn` and `sccp`, which find lengths that are \
                 loaded again, and behind passes that take whole loops by their formulas, which are \
                 longer for a part",
        ..Pass::optional("bounds_check_elimination", Stage::Scalars, bounds_check_elimination)
    },
    Pass {
        reason: "objects that the passes since have left to this function alone; behind \
                 `bounds_check_elimination` and `gvn`, which take out what saw them, and before \
                 `licm`, which moves what is no object",
        ..Pass::optional("alloc_opt", Stage::Scalars, alloc_opt)
    },
    Pass {
        reason: "slots whose places only loops told apart, which are whole now, and objects that are \
                 slots now; behind `sccp`, which takes out the ways to what was left of the loops",
        ..Pass::optional("sroa", Stage::Scalars, sroa)
    },
    Pass {
        reason: "what stood behind checks, above all addresses of arrays; behind \
                 `bounds_check_elimination`, which takes these out of loops",
        keeps: Kept::GRAPH,
        ..Pass::optional("licm", Stage::Scalars, licm)
    },
    Pass {
        from: Level::O1,
        reason: "bytes are read where they come from, and few bytes move without a call; before \
                 `dse`, which takes out the copies that nobody reads then",
        keeps: Kept::GRAPH,
        ..Pass::optional("mem_copy", Stage::Scalars, mem_copy)
    },
    Pass {
        reason: "stores that later ones overwrite, or that nothing reads before their object is \
                 gone; behind what finds loads to be constant; from `O2` on, as `sccp`",
        keeps: Kept::GRAPH,
        ..Pass::optional("dse", Stage::Scalars, dse)
    },
    Pass {
        reason: "loads and stores that both arms of a branch have; behind `dse`, so that those left \
                 are needed",
        keeps: Kept::GRAPH,
        ..Pass::optional("merged_load_store", Stage::Scalars, merged_load_store)
    },
    Pass {
        reason: "masks and extensions whose bits nobody reads; behind `sccp`, which leaves \
                 constants as masks; from `O2` on, as `sccp`",
        keeps: Kept::GRAPH,
        ..Pass::optional("bit_dce", Stage::Scalars, bit_dce)
    },
    Pass {
        reason: "memory is gone through line by line; behind `bounds_check_elimination` and what takes \
                 out what nobody needs, so that nothing stands between the loops, and before \
                 `loop_vectorize`, for which accesses follow each other then",
        ..Pass::optional("loop_interchange", Stage::Vectorisation, loop_interchange)
    },
    Pass {
        reason: "several rounds of a loop at once; behind all that makes loops smaller or takes them \
                 out, and before what makes one block of several",
        ..Pass::optional("loop_vectorize", Stage::Vectorisation, loop_vectorize)
    },
    Pass {
        option: "carried",
        reason: "rounds wait for no more than they must; behind all that shows what a round hands \
                 to the next one, and before `loop_unroll`, whose copies wait for each other",
        keeps: Kept::GRAPH,
        ..Pass::optional("reassociate", Stage::Vectorisation, reassociate)
    },
    Pass {
        reason: "rounds add instead of multiplying; behind `loop_vectorize`, for which products do, and \
                 before `loop_unroll`, which takes loops that are shorter then",
        keeps: Kept::GRAPH,
        ..Pass::optional("strength_reduction", Stage::Vectorisation, strength_reduction)
    },
    Pass {
        reason: "small loops that spend their time on their tests, and those whose marks ask for it; \
                 behind `loop_vectorize`, which does several rounds at once where it can",
        ..Pass::optional("loop_unroll", Stage::Vectorisation, loop_unroll)
    },
    Pass {
        option: "counters",
        reason: "counts of their own that `loop_vectorize` and `loop_unroll` have given to loops which had \
                 such, and counters of few bits, of which vectors hold more as they are",
        keeps: Kept::GRAPH,
        ..Pass::optional("induction", Stage::Vectorisation, induction)
    },
    Pass {
        reason: "what stands side by side in straight lines; behind the passes over loops, which take \
                 more at once, and whose copies of rounds it may put together",
        keeps: Kept::GRAPH,
        ..Pass::optional("slp_vectorize", Stage::Vectorisation, slp_vectorize)
    },
    Pass {
        reason: "branches that were shown since to follow from others; behind all passes over loops, \
                 whose exits it does not keep",
        ..Pass::optional("jump_threading", Stage::IntrinsicLowering, jump_threading)
    },
    Pass {
        option: "aggressive",
        from: Level::O1,
        reason: "what two ways have in common stands once; behind all that knows more on one \
                 way than before it, and what the passes since have made empty or known goes",
        ..Pass::optional("simplify_cfg", Stage::IntrinsicLowering, simplify_cfg)
    },
    Pass {
        option: "rounds",
        reason: "addresses that vectors and written-out rounds have in common, and what these store and \
                 load again: a kernel of spheres takes three quarters of the time. `gvn`, `sccp`, `dse` \
                 and `dce` in its place took 7 % more time to compile, and nothing ran faster than by \
                 this, which took 1 %",
        ..Pass::optional("early_cse", Stage::IntrinsicLowering, early_cse)
    },
    Pass {
        from: Level::O1,
        reason: "what constants, copies and selects since have made simple; before the passes that \
                 choose instructions",
        keeps: Kept::GRAPH,
        ..Pass::optional("inst_combine", Stage::CleanUp, inst_combine)
    },
    Pass {
        from: Level::O1,
        reason: "what nobody uses any more; the back end would compute it",
        ..Pass::optional("dce", Stage::CleanUp, dce)
    },
    Pass {
        from: Level::O1,
        reason: "what a call would have stored and loaded again, where computing it is one instruction; \
                 behind all that makes one of equal values",
        keeps: Kept::GRAPH,
        ..Pass::optional("rematerialize", Stage::CleanUp, rematerialize)
    },
    Pass {
        reason: "one division for quotient and rest; late, so that no rule on divisions misses \
                 one, and before `legalize`, which calls for wide ones",
        after: &["flatten_aggregates", "demote_returns_twice"],
        keeps: Kept::GRAPH,
        ..Pass::optional("div_rem_pairs", Stage::CleanUp, div_rem_pairs)
    },
    Pass {
        from: Level::O0,
        duty: Duty::OnRequest,
        reason: "who debugs a program sees where it leaves its objects; behind all that makes \
                 accesses go, and before `legalize`, which makes several of wide ones",
        after: &["flatten_aggregates"],
        keeps: Kept::GRAPH,
        ..Pass::optional(SANITIZE, Stage::CleanUp, sanitize)
    },
    Pass {
        from: Level::O0,
        reason: "one instruction and one rounding for two; late, so that rules on products \
                 and sums see both",
        after: &["flatten_aggregates", "lower_expect"],
        keeps: Kept::GRAPH,
        ..Pass::optional("mul_add", Stage::CleanUp, mul_add)
    },
    Pass {
        from: Level::O1,
        reason: "constants of ways out are put into registers on these alone; behind all that leads \
                 edges past empty blocks, and before `block_layout`, which says where these stand",
        ..Pass::optional("shared_edges", Stage::CleanUp, shared_edges)
    },
    Pass {
        from: Level::O1,
        reason: "what runs is close together, and what next to never does is not fetched with it; behind \
                 all that goes by weights or changes branches",
        keeps: Kept::GRAPH,
        ..Pass::optional("block_layout", Stage::CleanUp, block_layout)
    },
    Pass {
        from: Level::O0,
        duty: Duty::Required,
        reason: "the back end computes with no float of 16 bits; before `legalize`, which \
                 then splits the vectors of 32 bits that come out",
        after: &["flatten_aggregates"],
        keeps: Kept::GRAPH,
        ..Pass::optional("demote_float16", Stage::CleanUp, demote_float16)
    },
    Pass {
        from: Level::O0,
        duty: Duty::Required,
        reason: "emission takes the types and ops of the target only; last, so that no \
                 pass undoes it",
        after: &["flatten_aggregates", "demote_float16", SANITIZE],
        form: ValueForm::Legal,
        ..Pass::optional("legalize", Stage::CleanUp, legalize)
    },
]);
