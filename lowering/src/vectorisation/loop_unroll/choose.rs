//! Which loops are unrolled, and how often.

use brolga_ir::body::Body;
use brolga_ir::entity::{Block, Inst};
use brolga_ir::op::{Form, Op};

use super::round::Round;
use crate::analysis::scalar_evolution::Expr;
use crate::analysis::{FlowGraph, Frequencies, Loop, Loops};
use crate::pass::{Uses, wished_rounds};
use crate::target::TargetFacts;
use crate::vectorisation::loop_vectorize::guard::{Before, Rounds};
use crate::vectorisation::loop_vectorize::shape::Shape;

/// The most instructions that all copies of a loop come to whose mark asks for them.
const MOST_MARKED: usize = 2048;

/// The same, of a loop without a mark.
const MOST: usize = 32;

/// How many rounds follow each other where no mark says it, the most first.
const ROUNDS: [u32; 2] = [4, 2];

/// How often a loop runs at least for each time that it is entered, and that the function
/// is: else it is not worth the room.
const HOT: u64 = 16;

/// What a trip takes for its own count, test and branch.
const OWN: u32 = 3;

/// How a loop is unrolled.
#[derive(Debug)]
pub(super) enum Way {
    /// The number of rounds is a multiple.
    Even(Shape),
    /// Copies have a count, and the loop does the rest.
    Counted(Shape, Expr),
    /// Copies have all the exits that the loop has.
    AnyExit,
}

/// A loop that is unrolled.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) of: Loop,
    pub(super) header: Block,
    pub(super) blocks: Vec<Block>,
    /// The jump that enters it.
    pub(super) entering: Inst,
    /// How many rounds follow each other.
    pub(super) rounds: u32,
    pub(super) way: Way,
    /// The instruction by which it is named.
    pub(super) place: Inst,
}

impl Plan {
    /// How its rounds are counted, if they are.
    pub(super) fn counted(&self) -> Option<Rounds<'_>> {
        let &Way::Counted(ref shape, again) = &self.way else { return None };
        let at_once = self.rounds.into();
        Some(Rounds { shape, again, at_once, keeps_last: true, tests: &[] })
    }
}

/// A loop that asks for it is not unrolled: which, and why.
type Refused = (Inst, &'static str);

/// What plans are made with.
pub(super) struct Chooser<'a> {
    pub(super) body: &'a Body,
    pub(super) graph: &'a FlowGraph,
    pub(super) loops: &'a Loops,
    pub(super) frequencies: &'a Frequencies,
    pub(super) uses: &'a Uses,
    pub(super) facts: &'a dyn TargetFacts,
    pub(super) before: Before<'a>,
}

/// Whether a loop may be unrolled, as far as its look tells.
pub(super) fn is_candidate(body: &Body, loops: &Loops, of: Loop) -> bool {
    match loops.get(of).and_then(|data| wished_rounds(body, data.header)) {
        Some(rounds) => rounds > 1,
        None => is_small(body, loops.blocks(of)),
    }
}

/// Whether rounds of a loop are a few instructions one behind the other, all of them in each
/// round, without a call, so that there may be several.
fn is_small(body: &Body, blocks: &[Block]) -> bool {
    let is_jump = |&last: &Inst| body.inst(last).op == Op::Jump;
    let jumps = blocks.iter().filter_map(|&block| body.layout.last_inst(block)).filter(is_jump);
    let [.., fewest] = ROUNDS;
    blocks.len() <= MOST
        && jumps.count() + 1 == blocks.len()
        && size(body, blocks) * fewest as usize <= MOST
        && !insts_of(body, blocks).any(|inst| is_kept_alone(body.inst(inst).op))
}

/// Whether what an op does takes so long, or is so large, that nothing is won around it.
fn is_kept_alone(op: Op) -> bool {
    op.is_call() || op.info().form == Form::Bulk || op == Op::LoopMark
}

pub(super) fn insts_of(body: &Body, blocks: &[Block]) -> impl Iterator<Item = Inst> {
    blocks.iter().flat_map(|&block| body.layout.insts(block))
}

/// How many instructions there are, but for jumps from one block to the next.
fn size(body: &Body, blocks: &[Block]) -> usize {
    insts_of(body, blocks).filter(|&inst| body.inst(inst).op != Op::Jump).count()
}

impl Chooser<'_> {
    /// What becomes of an innermost loop; nothing if it neither asks for anything nor would
    /// gain.
    pub(super) fn plan(&mut self, of: Loop) -> Result<Option<Plan>, Refused> {
        let Some((header, place)) = self.named(of) else { return Ok(None) };
        let shape = Shape::of(self.body, self.graph, self.loops, of).ok();
        let shape = shape.and_then(|shape| {
            let again = shape.again(self.before.evolution).ok()?;
            Some((shape, again))
        });
        let (rounds, is_wished) = match (wished_rounds(self.body, header), &shape) {
            (Some(1), _) | (None, None) => return Ok(None),
            (Some(wish), _) => (wish, true),
            (None, Some((shape, _))) => match self.worthwhile(shape) {
                Some(rounds) => (rounds, false),
                None => return Ok(None),
            },
        };
        match self.with(of, header, place, rounds, shape) {
            Err(reason) if is_wished => Err((place, reason)),
            Ok(plan) if is_wished || !matches!(plan.way, Way::AnyExit) => Ok(Some(plan)),
            _ => Ok(None),
        }
    }

    fn named(&self, of: Loop) -> Option<(Block, Inst)> {
        let data = self.loops.get(of)?;
        let block = data.latches.first().copied().unwrap_or(data.header);
        Some((data.header, self.body.layout.last_inst(block)?))
    }

    fn with(
        &mut self,
        of: Loop,
        header: Block,
        place: Inst,
        rounds: u32,
        shape: Option<(Shape, Expr)>,
    ) -> Result<Plan, &'static str> {
        let body = self.body;
        let blocks = self.loops.blocks(of).to_vec();
        if insts_of(body, &blocks).count().saturating_mul(rounds as usize) > MOST_MARKED {
            return Err("the copies are too large");
        }
        if blocks.iter().any(|&block| self.loops.is_irreducible(block)) {
            return Err("a cycle in it is entered at several blocks");
        }
        let preheader = self.loops.preheader(of, self.graph);
        let entering = preheader.and_then(|preheader| body.layout.last_inst(preheader));
        let entering = entering.filter(|&entering| body.inst(entering).op == Op::Jump);
        let entering = entering.ok_or("it has no preheader")?;
        let way = match shape {
            Some((shape, again)) => self.way(shape, again, rounds)?,
            None => Way::AnyExit,
        };
        Ok(Plan { of, header, blocks, entering, rounds, way, place })
    }

    fn way(&mut self, shape: Shape, again: Expr, rounds: u32) -> Result<Way, &'static str> {
        let evolution = &mut *self.before.evolution;
        let most = evolution.trips(shape.of).and_then(|trips| trips.most);
        if most.is_some_and(|most| most < u128::from(rounds)) {
            return Err("it runs fewer rounds than that, or just as many");
        }
        if let Some(again) = evolution.as_constant(again)
            && (again + 1) % u128::from(rounds) == 0
        {
            return Ok(Way::Even(shape));
        }
        // Two to its width, where it wraps, is a multiple as well.
        let all = evolution.add_constant(again, 1);
        let zeros = evolution.fact(all).trailing_zeros().min(evolution.width(all));
        if rounds.is_power_of_two() && zeros >= rounds.ilog2() {
            return Ok(Way::Even(shape));
        }
        let at_once = rounds.into();
        let counted = Rounds { shape: &shape, again, at_once, keeps_last: true, tests: &[] };
        match self.before.is_cheap(self.body, &counted) {
            true => Ok(Way::Counted(shape, again)),
            false => Ok(Way::AnyExit),
        }
    }

    /// How many rounds of a loop that does not ask for it are to follow each other.
    fn worthwhile(&self, shape: &Shape) -> Option<u32> {
        let body = self.body;
        let runs = self.frequencies.of(shape.header);
        let entered = self.frequencies.of(shape.preheader).max(Frequencies::ENTRY);
        let most = self.before.evolution.trips(shape.of).and_then(|trips| trips.most);
        if !is_small(body, &shape.blocks) || runs < entered.saturating_mul(HOT) {
            return None;
        }
        let size = size(body, &shape.blocks);
        let round = Round { body, uses: self.uses, facts: self.facts, shape };
        let (cost, latency) = (round.cost(), round.latency(self.before.evolution));
        ROUNDS.into_iter().find(|&rounds| {
            let trip = rounds * cost.kept + OWN;
            // A fifth of the time, at least.
            let pays = trip * 5 <= rounds * (cost.kept + cost.saved) * 4;
            let waits = rounds * latency * self.facts.width() > trip;
            let is_long = most.is_none_or(|most| most >= u128::from(4 * rounds));
            pays && !waits && is_long && size * rounds as usize <= MOST
        })
    }
}
