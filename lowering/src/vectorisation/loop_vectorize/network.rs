//! Bringing the lanes of several vectors into another order, by shuffles of two at a time.
//!
//! What stands in memory element by element of a group, loaded as vectors, is parted into
//! one vector for each place of the group; and what is to be stored so is joined:
//! ```text
//! a0 b0 a1 b1 | a2 b2 a3 b3   ──parted──►   a0 a1 a2 a3 | b0 b1 b2 b3
//!                             ◄──joined──
//! ```
//! There are several ways to do either, of which targets make more or fewer instructions:
//! picking the lanes of each result from those that have them; putting halves of vectors
//! together lane by lane, or undoing that, several times (perfect shuffles: Stone, "Parallel
//! processing with the perfect shuffle", 1971); sorting each vector first, so that whole
//! blocks are put together; and of threes, sorted vectors that are cut and put together
//! twice. All are tried, and what they give is looked at, so that each is right or none.

use brolga_ir::types::{Scalar, Type};
use smallvec::SmallVec;

use crate::target::TargetFacts;

/// The lanes of a vector, or the elements that it has.
pub(super) type Lanes = SmallVec<[u32; 16]>;

/// A shuffle of two vectors.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Shuffle {
    /// Those that came in are counted first, then those that shuffles have made.
    pub(super) of: [usize; 2],
    /// The lanes, counted through both.
    pub(super) order: Lanes,
}

/// Shuffles one behind the other.
#[derive(Clone, Debug, Default)]
pub(super) struct Network {
    pub(super) shuffles: Vec<Shuffle>,
    /// The vectors that come out, counted in the same way.
    pub(super) outputs: Vec<usize>,
}

/// Vectors of a group of elements: how many lanes each has, and elements the group.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Form {
    pub(super) lane: Scalar,
    pub(super) lanes: u32,
    pub(super) stride: u32,
}

impl Form {
    /// The type of the vectors.
    pub(super) fn vector(self) -> Option<Type> {
        Type::vector(self.lane, self.lanes)
    }
}

impl Network {
    /// From vectors as memory has them to one for each of those places of the group.
    pub(super) fn parted(facts: &dyn TargetFacts, form: Form, places: &[u32]) -> Network {
        let Form { lanes, stride, .. } = form;
        let wanted = |&place: &u32| (0..lanes).map(|round| round * stride + place).collect();
        let wanted: Vec<Lanes> = places.iter().map(wanted).collect();
        let ways = [
            Trial::picked(form, &wanted),
            Trial::halved(form, &wanted),
            Trial::zipped(form, &wanted),
            Trial::unzipped(form, &wanted),
            Trial::sorted(form, &wanted),
            Trial::cut(form, &wanted),
        ];
        cheapest(facts, form, ways.into_iter().flatten())
    }

    /// From one vector for each place of the group to vectors as memory has them.
    pub(super) fn joined(facts: &dyn TargetFacts, form: Form) -> Network {
        let Form { lanes, stride, .. } = form;
        let element = |at: u32| at % stride * lanes + at / stride;
        let wanted = |vector: u32| (0..lanes).map(|lane| element(vector * lanes + lane)).collect();
        let wanted: Vec<Lanes> = (0..stride).map(wanted).collect();
        let ways = [
            Trial::picked(form, &wanted),
            Trial::halved(form, &wanted),
            Trial::zipped(form, &wanted),
            Trial::put_together(form, &wanted),
        ];
        cheapest(facts, form, ways.into_iter().flatten())
    }

    /// Whether anything comes from that one of the vectors that came in.
    pub(super) fn needs(&self, input: u32) -> bool {
        let all = self.shuffles.iter().flat_map(|shuffle| &shuffle.of).chain(&self.outputs);
        all.into_iter().any(|&of| of == input as usize)
    }

    /// How many instructions it takes.
    pub(super) fn cost(&self, facts: &dyn TargetFacts, form: Form) -> u32 {
        let Some(ty) = form.vector() else { return 0 };
        self.shuffles.iter().map(|shuffle| facts.order_cost(ty, &shuffle.order)).sum()
    }
}

fn cheapest(facts: &dyn TargetFacts, form: Form, ways: impl Iterator<Item = Network>) -> Network {
    ways.min_by_key(|way| way.cost(facts, form)).unwrap_or_default()
}

/// A network in the making.
#[derive(Debug)]
struct Trial {
    lanes: usize,
    inputs: usize,
    /// The elements that each vector has, counted through those that came in.
    contents: Vec<Lanes>,
    shuffles: Vec<Shuffle>,
}

impl Trial {
    fn new(form: Form) -> Trial {
        let Form { lanes, stride, .. } = form;
        let contents = (0..stride).map(|vector| (vector * lanes..(vector + 1) * lanes).collect());
        let (lanes, inputs) = (lanes as usize, stride as usize);
        Trial { lanes, inputs, contents: contents.collect(), shuffles: Vec::new() }
    }

    /// Each result from the vectors that have its lanes, one behind the other.
    fn picked(form: Form, wanted: &[Lanes]) -> Option<Network> {
        let mut trial = Trial::new(form);
        for wanted in wanted {
            let sources = trial.sources(wanted);
            // Of more than two, those that share shuffles are better, where there are any.
            if sources.len() > 2 && form.stride.is_power_of_two() {
                return None;
            }
            let mut sources = sources.into_iter();
            let first = sources.next()?;
            let mut made = trial.pick([first, sources.next().unwrap_or(first)], wanted);
            for next in sources {
                made = trial.pick([made, next], wanted);
            }
        }
        trial.finish(wanted)
    }

    /// The halves of each result, of two lanes each, from at most two vectors, then the whole.
    fn halved(form: Form, wanted: &[Lanes]) -> Option<Network> {
        if form.lanes != 4 {
            return None;
        }
        let mut trial = Trial::new(form);
        for wanted in wanted {
            let mut half = |elements: &[u32]| {
                let [one, other] = [elements[0], elements[1]].map(|element| trial.source(element));
                if one == other {
                    return one;
                }
                // Two lanes of one and two of the other are what some targets take.
                let lanes = [elements[0] % 4, elements[1] % 4 + 4];
                trial.shuffle(
                    [one, other],
                    Lanes::from_slice(&[lanes[0], lanes[0], lanes[1], lanes[1]]),
                )
            };
            let (low, high) = wanted.split_at(2);
            let halves = [half(low), half(high)];
            trial.pick(halves, wanted);
        }
        trial.finish(wanted)
    }

    /// Halves of all vectors put together lane by lane, again and again.
    fn zipped(form: Form, wanted: &[Lanes]) -> Option<Network> {
        let trial = Trial::new(form);
        let list = (0..trial.inputs).collect();
        trial.zip_until(list, 1, wanted)
    }

    /// Lanes of vectors taken apart by turns, again and again.
    fn unzipped(form: Form, wanted: &[Lanes]) -> Option<Network> {
        if !form.stride.is_power_of_two() {
            return None;
        }
        let mut trial = Trial::new(form);
        let mut list: Vec<usize> = (0..trial.inputs).collect();
        while !trial.has_all(wanted) {
            if trial.shuffles.len() > MOST_STAGES * trial.inputs {
                return None;
            }
            let mut next = Vec::with_capacity(list.len());
            for odd in [0, 1] {
                let order: Lanes = (0..form.lanes).map(|lane| 2 * lane + odd).collect();
                for pair in list.chunks_exact(2) {
                    next.push(trial.shuffle([pair[0], pair[1]], order.clone()));
                }
            }
            list = next;
        }
        trial.finish(wanted)
    }

    /// Each vector sorted by places, then whole blocks of those put together.
    fn sorted(form: Form, wanted: &[Lanes]) -> Option<Network> {
        let Form { lanes, stride, .. } = form;
        if lanes % stride != 0 {
            return None;
        }
        let mut trial = Trial::new(form);
        let by_place = |place: u32| (place..lanes).step_by(stride as usize);
        let order: Lanes = (0..stride).flat_map(by_place).collect();
        let sort = |vector| trial.shuffle([vector; 2], order.clone());
        let list = (0..stride as usize).map(sort).collect();
        trial.zip_until(list, (lanes / stride) as usize, wanted)
    }

    /// Puts blocks of halves together until all is there that is wanted.
    fn zip_until(
        mut self,
        mut list: Vec<usize>,
        block: usize,
        wanted: &[Lanes],
    ) -> Option<Network> {
        let (lanes, half) = (self.lanes, self.lanes / 2);
        let most = self.shuffles.len() + MOST_STAGES * self.inputs;
        while !self.has_all(wanted) {
            let is_whole = half.is_multiple_of(block) && list.len().is_multiple_of(2);
            if !is_whole || self.shuffles.len() > most {
                return None;
            }
            let (first, second) = list.split_at(list.len() / 2);
            let mut next = Vec::with_capacity(list.len());
            for (&one, &other) in first.iter().zip(second) {
                for start in [0, half] {
                    let blocks = (start..start + half).step_by(block);
                    let both = blocks
                        .flat_map(|at| (at..at + block).chain(lanes + at..lanes + at + block));
                    let order = both.map(|lane| lane as u32).collect();
                    next.push(self.shuffle([one, other], order));
                }
            }
            list = next;
        }
        self.finish(wanted)
    }

    /// Threes: sorted, cut and put together twice, and turned into place.
    fn cut(form: Form, wanted: &[Lanes]) -> Option<Network> {
        let (trial, _) = Trial::cut_twice(form)?;
        trial.finish(wanted)
    }

    /// Three vectors, of which each has elements of one place only, but not from the first on.
    fn cut_twice(form: Form) -> Option<(Trial, [usize; 3])> {
        let thirds = Thirds::of(form)?;
        let mut trial = Trial::new(form);
        let sorted = [0, 1, 2].map(|vector| trial.shuffle([vector; 2], thirds.order.clone()));
        let around = |at: usize| at % 3;
        let cut = thirds.cuts.map(|cut| form.lanes - cut);
        let once = [0, 1, 2].map(|at| trial.window([sorted[around(at + 2)], sorted[at]], cut[1]));
        let twice = [0, 1, 2].map(|at| trial.window([once[around(at + 1)], once[at]], cut[0]));
        Some((trial, twice))
    }

    /// Threes: all that `cut` does, backwards.
    fn put_together(form: Form, wanted: &[Lanes]) -> Option<Network> {
        let thirds = Thirds::of(form)?;
        let (forward, twice) = Trial::cut_twice(form)?;
        let mut trial = Trial::new(form);
        let turned = twice.map(|vector| {
            let elements = &forward.contents[vector];
            let place = (elements[0] % 3) as usize;
            trial.shuffle([place; 2], elements.iter().map(|element| element / 3).collect())
        });
        let around = |at: usize| at % 3;
        let once =
            [0, 1, 2].map(|at| trial.window([turned[at], turned[around(at + 2)]], thirds.cuts[0]));
        let sorted =
            [0, 1, 2].map(|at| trial.window([once[at], once[around(at + 1)]], thirds.cuts[1]));
        let mut back = Lanes::from_elem(0, thirds.order.len());
        for (&from, to) in thirds.order.iter().zip(0..) {
            back[from as usize] = to;
        }
        for vector in sorted {
            trial.shuffle([vector; 2], back.clone());
        }
        trial.finish(wanted)
    }

    /// As many lanes as a vector has, from one of the two on.
    fn window(&mut self, of: [usize; 2], from: u32) -> usize {
        self.shuffle(of, (from..from + self.lanes as u32).collect())
    }

    /// The vector that came in that has an element.
    fn source(&self, element: u32) -> usize {
        element as usize / self.lanes
    }

    /// All that have elements that are wanted.
    fn sources(&self, wanted: &[u32]) -> Vec<usize> {
        let mut sources = Vec::new();
        for &element in wanted {
            let source = self.source(element);
            if !sources.contains(&source) {
                sources.push(source);
            }
        }
        sources
    }

    /// Puts what two vectors have of what is wanted in its place.
    fn pick(&mut self, of: [usize; 2], wanted: &[u32]) -> usize {
        let find = |vector: usize, element: u32, place: usize| {
            let contents = &self.contents[vector];
            // What has been put in place stays there.
            let place = Some(place).filter(|&place| contents[place] == element);
            place.or_else(|| contents.iter().position(|&it| it == element))
        };
        let lanes = self.lanes;
        let lane = |(place, &element): (usize, &u32)| {
            let first = find(of[0], element, place);
            let lane = first.or_else(|| Some(find(of[1], element, place)? + lanes));
            lane.unwrap_or(place) as u32
        };
        let order = wanted.iter().enumerate().map(lane).collect();
        self.shuffle(of, order)
    }

    /// The vector that a shuffle makes.
    fn shuffle(&mut self, of: [usize; 2], order: Lanes) -> usize {
        if order.iter().zip(0..).all(|(&lane, place)| lane == place) {
            return of[0];
        }
        let shuffle = Shuffle { of, order };
        if let Some(known) = self.shuffles.iter().position(|known| *known == shuffle) {
            return self.inputs + known;
        }
        let element = |&lane: &u32| {
            let lane = lane as usize;
            self.contents[of[lane / self.lanes]][lane % self.lanes]
        };
        let contents = shuffle.order.iter().map(element).collect();
        self.contents.push(contents);
        self.shuffles.push(shuffle);
        self.contents.len() - 1
    }

    fn has_all(&self, wanted: &[Lanes]) -> bool {
        wanted.iter().all(|wanted| self.contents.contains(wanted))
    }

    /// What there is of what is wanted, turned round into its place if need be.
    fn find(&mut self, wanted: &[u32]) -> Option<usize> {
        if let Some(known) = self.contents.iter().position(|it| it.as_slice() == wanted) {
            return Some(known);
        }
        let lanes = self.lanes;
        let turn = |contents: &Lanes| {
            let first = contents.iter().position(|it| Some(it) == wanted.first())?;
            let is_turned = |place: usize| contents[(first + place) % lanes] == wanted[place];
            (0..lanes).all(is_turned).then_some(first)
        };
        let turns = self.contents.iter().enumerate();
        let (vector, by) = turns.rev().find_map(|(at, it)| Some((at, turn(it)?)))?;
        Some(self.window([vector; 2], by as u32))
    }

    /// The network, without what no result needs.
    fn finish(mut self, wanted: &[Lanes]) -> Option<Network> {
        let outputs: Option<Vec<usize>> = wanted.iter().map(|it| self.find(it)).collect();
        let mut outputs = outputs?;
        let mut is_used = vec![false; self.contents.len()];
        outputs.iter().for_each(|&output| is_used[output] = true);
        for (at, shuffle) in self.shuffles.iter().enumerate().rev() {
            if is_used[self.inputs + at] {
                shuffle.of.iter().for_each(|&of| is_used[of] = true);
            }
        }
        // Those that came in stay where they are.
        let mut number: Vec<usize> = (0..self.inputs).collect();
        let mut next = self.inputs;
        for &is_used in &is_used[self.inputs..] {
            number.push(next);
            next += usize::from(is_used);
        }
        let mut used = is_used[self.inputs..].iter();
        self.shuffles.retain(|_| used.next() == Some(&true));
        for shuffle in &mut self.shuffles {
            shuffle.of = shuffle.of.map(|of| number[of]);
        }
        outputs.iter_mut().for_each(|output| *output = number[*output]);
        Some(Network { shuffles: self.shuffles, outputs })
    }
}

/// How often all vectors are put together at most: as often as the numbers of elements of
/// four vectors of bytes have bits.
const MOST_STAGES: usize = 6;

/// How a vector of threes is sorted by places.
#[derive(Debug)]
struct Thirds {
    order: Lanes,
    /// How many lanes the second and the third place have then.
    cuts: [u32; 2],
}

impl Thirds {
    /// Every third lane, round and round: places come one behind the other, since no power
    /// of two is a multiple of three.
    fn of(form: Form) -> Option<Thirds> {
        let lanes = form.lanes;
        if form.stride != 3 || lanes < 4 || !lanes.is_power_of_two() {
            return None;
        }
        let order: Lanes = (0..lanes).map(|lane| 3 * lane % lanes).collect();
        let run = |first: u32| (lanes - first).div_ceil(3);
        // The second run begins with what the first one has gone past the end by.
        let second = 3 * run(0) - lanes;
        let third = second + 3 * run(second) - lanes;
        Some(Thirds { order, cuts: [run(second), run(third)] })
    }
}

#[cfg(test)]
mod tests;
