//! Accesses of a round that are made together.
//!
//! ```text
//! round i          a[3*i]  a[3*i+1]  a[3*i+2]
//! round i+1                                    a[3*i+3]  a[3*i+4]  a[3*i+5]
//! ```
//! An address that goes on by several elements leaves places between for others. Where loads
//! or stores of one round come to all of these, what several rounds touch has no gaps: it is
//! loaded or stored as vectors, and `network` brings lanes to their places (Rosen, Nuzman and
//! Zaks, "Loop-aware SLP in GCC", 2007, call them interleaved accesses).
//!
//! No byte is stored that the round does not store: stores must be there for each place. A
//! load may have gaps that other accesses of the round touch; or any, as long as the last
//! round is left over: in all others, the next round touches what is behind the gap, and no
//! page is so small that it ends between.

use brolga_ir::attribute::AccessFlags;
use brolga_ir::body::Body;
use brolga_ir::entity::{Inst, Value};
use brolga_ir::instruction::Access;
use brolga_ir::op::Op;
use brolga_ir::types::Scalar;

use super::memory::{MOST_OFFSET, Moved, Part, Way};
use super::refusal::Refusal;
use crate::analysis::ScalarEvolution;
use crate::analysis::scalar_evolution::Expr;

/// The most elements that a group has.
const MOST_STRIDE: u128 = 4;

/// Loads or stores of neighbouring elements in each round.
#[derive(Clone, Debug)]
pub(super) struct Group {
    pub(super) op: Op,
    /// How many elements it has, and addresses go on by.
    pub(super) stride: u32,
    pub(super) lane: Scalar,
    pub(super) way: Way,
    /// The access in whose place all are made: the first load, or the last store.
    pub(super) at: Inst,
    /// Its address, and the access that begins with the first element of the group.
    pub(super) address: Value,
    pub(super) access: Access,
    /// The accesses, and of which place of the group each is.
    pub(super) members: Vec<(Inst, u32)>,
    /// The accesses of the lowest and of the highest address.
    pub(super) ends: [Inst; 2],
}

impl Group {
    /// Its accesses by places.
    pub(super) fn by_place(&self) -> Vec<Inst> {
        let mut members = self.members.clone();
        members.sort_by_key(|&(_, place)| place);
        members.into_iter().map(|(inst, _)| inst).collect()
    }
}

/// How the address of an access goes on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Walk {
    /// What it is in the first round, with the offset of the access.
    pub(super) first: Expr,
    /// What is added from round to round.
    pub(super) step: i128,
}

/// All groups of a loop.
#[derive(Debug, Default)]
pub(super) struct Groups {
    pub(super) all: Vec<Group>,
    /// Whether any reads places that nothing touches in the last round.
    pub(super) has_gaps: bool,
}

/// How many elements of so many bytes addresses go on by, and which way, if there are so few.
pub(super) fn stride_of(step: i128, size: i128) -> Option<(u32, Way)> {
    let way = if step < 0 { Way::Down } else { Way::Up };
    let (length, size) = (step.unsigned_abs(), size.unsigned_abs());
    let stride = length.checked_div(size).filter(|stride| stride * size == length)?;
    (1..=MOST_STRIDE).contains(&stride).then_some((stride as u32, way))
}

/// One of the accesses that go on by as much, from places of which it is known how far apart
/// they are.
#[derive(Clone, Copy, Debug)]
struct Member {
    /// Which of all accesses it is.
    index: usize,
    inst: Inst,
    op: Op,
    /// How many bytes behind the first of its class, and how many it touches.
    place: i64,
    size: i64,
    stride: u32,
    way: Way,
    /// Whether each round makes it.
    is_always: bool,
}

impl Member {
    /// The bytes that all elements of its group have.
    fn span(&self) -> i64 {
        self.size * i64::from(self.stride)
    }

    /// Whether the two may be of one group that begins at a place.
    fn is_beside(&self, other: &Member, start: i64) -> bool {
        let way = self.place - start;
        let is_alike = (self.op, self.size) == (other.op, other.size);
        is_alike && (0..self.span()).contains(&way) && way % self.size == 0
    }
}

/// Puts all accesses that leave places out into groups.
pub(super) fn grouped(
    body: &Body,
    evolution: &mut ScalarEvolution,
    moved: &mut [Moved],
    walks: &[Walk],
) -> Result<Groups, Refusal> {
    let mut groups = Groups::default();
    if moved.iter().all(|moved| moved.stride == 1) {
        return Ok(groups);
    }
    let masked = moved.iter().find(|moved| moved.stride > 1 && moved.mask.is_some());
    if let Some(masked) = masked {
        return Err(Refusal::Conditional(body.inst(masked.inst).op));
    }
    for class in classes(body, evolution, moved, walks) {
        let mut left: Vec<Member> =
            class.iter().copied().filter(|member| member.stride > 1).collect();
        while let Some(&first) = left.first() {
            let window = Window::of(&class, &left, &first)?;
            groups.has_gaps |= matches!(window, Window::WithGaps(_));
            let (taken, rest) =
                left.into_iter().partition(|member| member.is_beside(&first, window.start()));
            left = rest;
            let group = group(body, moved, taken, window)?;
            for &(inst, place) in &group.members {
                let part = Part { group: groups.all.len(), place };
                moved.iter_mut().filter(|moved| moved.inst == inst).for_each(|moved| {
                    moved.part = Some(part);
                });
            }
            groups.all.push(group);
        }
    }
    Ok(groups)
}

/// Accesses that go on by as much, and of which it is known how far apart they are, by places.
fn classes(
    body: &Body,
    evolution: &mut ScalarEvolution,
    moved: &[Moved],
    walks: &[Walk],
) -> Vec<Vec<Member>> {
    let mut classes: Vec<(Walk, Vec<Member>)> = Vec::new();
    for (index, (moved, walk)) in moved.iter().zip(walks).enumerate() {
        let mut member = Member {
            index,
            inst: moved.inst,
            op: body.inst(moved.inst).op,
            place: 0,
            size: i64::from(moved.size()),
            stride: moved.stride,
            way: moved.way,
            is_always: moved.mask.is_none(),
        };
        let known = classes.iter_mut().find_map(|(first, members)| {
            let apart = evolution.sub(walk.first, first.first);
            let apart = evolution.as_signed(apart).filter(|_| walk.step == first.step)?;
            let is_near = apart.unsigned_abs() < u128::from(MOST_OFFSET);
            is_near.then_some((apart as i64, members))
        });
        match known {
            Some((apart, members)) => {
                member.place = apart;
                members.push(member);
            }
            None => classes.push((*walk, vec![member])),
        }
    }
    let by_place = |(_, mut members): (Walk, Vec<Member>)| {
        members.sort_by_key(|member| (member.place, member.index));
        members
    };
    classes.into_iter().map(by_place).collect()
}

/// Where a group begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Window {
    /// Each round touches all of it.
    Whole(i64),
    /// Some only the next round comes past.
    WithGaps(i64),
}

impl Window {
    fn start(self) -> i64 {
        match self {
            Window::Whole(start) | Window::WithGaps(start) => start,
        }
    }

    /// Where the group of the first of those that are left begins.
    fn of(class: &[Member], left: &[Member], first: &Member) -> Result<Window, Refusal> {
        let of_one_op = |start: i64| left.iter().filter(move |it| it.is_beside(first, start));
        if first.op == Op::Store {
            let mut places: Vec<i64> = of_one_op(first.place).map(|it| it.place).collect();
            let count = places.len();
            places.dedup();
            let is_whole = count == first.stride as usize && count == places.len();
            return is_whole.then_some(Window::Whole(first.place)).ok_or(Refusal::Gaps);
        }
        let starts = (0..i64::from(first.stride)).map(|back| first.place - back * first.size);
        let mut whole = starts.filter(|&start| is_touched(class, start, start + first.span()));
        if let Some(start) = whole.next() {
            return Ok(Window::Whole(start));
        }
        // What the next round touches must lie beyond the gap.
        let last = of_one_op(first.place).map(|it| it.place).max().unwrap_or(first.place);
        Ok(Window::WithGaps(match first.way {
            Way::Up => first.place,
            Way::Down => last + first.size - first.span(),
        }))
    }
}

/// Whether each round touches all bytes between two places.
fn is_touched(class: &[Member], low: i64, high: i64) -> bool {
    let mut so_far = low;
    for member in class.iter().filter(|member| member.is_always) {
        if member.place <= so_far {
            so_far = so_far.max(member.place + member.size);
        }
    }
    so_far >= high
}

fn group(
    body: &Body,
    moved: &[Moved],
    mut taken: Vec<Member>,
    window: Window,
) -> Result<Group, Refusal> {
    let (Some(&low), Some(&high)) = (taken.first(), taken.last()) else {
        return Err(Refusal::Form);
    };
    let mut places: Vec<i64> = taken.iter().map(|member| member.place).collect();
    places.dedup();
    let is_whole = places.len() == low.stride as usize;
    taken.sort_by_key(|member| member.index);
    let at = if low.op == Op::Store { taken.last() } else { taken.first() };
    let &at = at.ok_or(Refusal::Form)?;
    let access = |member: &Member| body.inst(member.inst).access().copied().unwrap_or_default();
    let offset = i64::from(access(&at).offset) + window.start() - at.place;
    let offset = i32::try_from(offset).map_err(|_| Refusal::Large)?;
    let all = taken.iter().map(access).reduce(together).unwrap_or_default();
    let is_conditional = taken.iter().any(|member| moved[member.index].is_conditional);
    let all = match (is_conditional, is_whole) {
        (true, _) => of_some_rounds(all),
        (false, true) => all,
        (false, false) => without_promises(all),
    };
    let align_log2 = all.align_log2.min(low.size.trailing_zeros() as u8);
    let place = |member: &Member| ((member.place - window.start()) / member.size) as u32;
    Ok(Group {
        op: low.op,
        stride: low.stride,
        lane: moved[at.index].ty.as_scalar().ok_or(Refusal::Form)?,
        way: low.way,
        at: at.inst,
        address: moved[at.index].address,
        access: Access { offset, align_log2, ..all },
        members: taken.iter().map(|member| (member.inst, place(member))).collect(),
        ends: [low.inst, high.inst],
    })
}

/// What is said of both of two accesses.
fn together(one: Access, other: Access) -> Access {
    Access {
        offset: one.offset,
        align_log2: one.align_log2.min(other.align_log2),
        flags: one.flags & other.flags,
        class: if one.class == other.class { one.class } else { None.into() },
        scopes: if one.scopes == other.scopes { one.scopes } else { None.into() },
        no_alias: if one.no_alias == other.no_alias { one.no_alias } else { None.into() },
    }
}

/// Of an access that is made for rounds that do without it, nothing is promised, nor where it is.
pub(super) fn of_some_rounds(access: Access) -> Access {
    Access { align_log2: 0, ..without_promises(access) }
}

/// Of an access that goes past its own bytes, nothing is promised.
fn without_promises(access: Access) -> Access {
    Access {
        flags: access.flags - AccessFlags::INVARIANT,
        class: None.into(),
        scopes: None.into(),
        no_alias: None.into(),
        ..access
    }
}
