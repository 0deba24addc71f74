//! What is asked of the allocator, and how requests share pages.

use std::alloc::Layout;
use std::ops::Range;

use smallvec::SmallVec;

use super::area::Access;
use super::plan::Plan;
use super::{Area, MemoryError, STUB_BLOCK, Strategy};

/// One allocation to be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Request {
    /// Where.
    pub area: Area,
    /// Bytes and alignment. Alignments below the area's granule (16, stubs 32,
    /// slots 8) are raised to it; the most is a page.
    pub layout: Layout,
}

impl Request {
    /// The block of one stub.
    pub(crate) const STUB: Self = Self::new(Area::Stubs, Layout::new::<[u8; STUB_BLOCK]>());

    /// `layout` in `area`.
    pub(crate) const fn new(area: Area, layout: Layout) -> Self {
        Self { area, layout }
    }
}

/// A range to be placed as one, for one or several requests of one area.
#[derive(Debug)]
pub(super) struct Parcel {
    /// Where.
    pub area: Area,
    /// Bytes, a multiple of the area's granule.
    pub size: usize,
    /// Alignment in bytes, a page at most.
    pub align: u32,
    /// When its members' bytes can be given to others.
    pub sharing: Sharing,
    /// The requests, in order and without overlap.
    pub members: SmallVec<[Member; 1]>,
}

/// When the bytes of a parcel's freed members can be used again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sharing {
    /// At once.
    Free,
    /// When all members are freed: pages are made writable as a whole, which
    /// must not happen while another member may be running.
    Sealed,
}

impl Sharing {
    fn of(area: Area, strategy: Strategy) -> Self {
        if strategy == Strategy::Protection && area.access() != Access::ReadWrite {
            Self::Sealed
        } else {
            Self::Free
        }
    }
}

/// One request inside a parcel.
#[derive(Clone, Copy, Debug)]
pub(super) struct Member {
    /// The request's place in the batch.
    pub index: u32,
    /// Bytes from the parcel's start. Like the size at most all that can be told: no parcel of so
    /// many bytes is ever placed.
    offset: u32,
    /// Bytes asked for.
    pub size: u32,
    /// Alignment asked for, in bytes.
    align: u32,
}

impl Parcel {
    /// The parcel of a request on its own.
    pub(super) fn single(
        request: &Request,
        plan: &Plan,
        strategy: Strategy,
    ) -> Result<Self, MemoryError> {
        let mut parcel = Self::empty(request.area, Sharing::of(request.area, strategy));
        parcel.append(0, request.layout.size(), alignment(request, plan)?);
        parcel.close(plan);
        Ok(parcel)
    }

    /// The parcels of a batch, one for each area that it asks for, and how many requests these
    /// are.
    pub(super) fn of_batch(
        requests: impl Iterator<Item = Request> + Clone,
        plan: &Plan,
        strategy: Strategy,
    ) -> Result<(Vec<Self>, usize), MemoryError> {
        let mut parcels = Area::ALL.map(|area| Self::empty(area, Sharing::of(area, strategy)));
        let mut counts = [0; Area::ALL.len()];
        requests.clone().for_each(|request| counts[request.area.index()] += 1);
        for (parcel, count) in parcels.iter_mut().zip(counts) {
            parcel.members.reserve_exact(count);
        }
        for (index, request) in (0..).zip(requests) {
            let align = alignment(&request, plan)?;
            parcels[request.area.index()].append(index, request.layout.size(), align);
        }
        let mut parcels = Vec::from(parcels);
        parcels.retain(|parcel| !parcel.members.is_empty());
        for parcel in &mut parcels {
            parcel.close(plan);
        }
        Ok((parcels, counts.iter().sum()))
    }

    /// A parcel for each member, if they need not be together and are several.
    pub(super) fn divided(&self) -> Option<impl Iterator<Item = Self>> {
        let divisible = self.sharing == Sharing::Free && self.members.len() > 1;
        divisible.then(|| {
            self.members.iter().map(|member| {
                let mut parcel = Self::empty(self.area, self.sharing);
                parcel.append(member.index, member.size as usize, member.align);
                parcel
            })
        })
    }

    /// The bytes of a member, once the parcel is placed at `start`.
    pub(super) fn range_of(&self, member: &Member, start: u32) -> Range<u32> {
        let start = start + member.offset;
        start..start + rounded(self.area, member.size as usize) as u32
    }

    /// The bytes between the members, once the parcel is placed at `start`.
    pub(super) fn gaps(&self, start: u32) -> impl Iterator<Item = Range<u32>> {
        let ranges = self.members.iter().map(move |member| self.range_of(member, start));
        let ends = std::iter::once(start).chain(ranges.clone().map(|range| range.end));
        let gaps = ends.zip(ranges).map(|(end, next)| end..next.start);
        gaps.filter(|gap| !gap.is_empty())
    }

    fn empty(area: Area, sharing: Sharing) -> Self {
        let (size, align, members) = (0, area.granule(), SmallVec::new());
        Self { area, size, align, sharing, members }
    }

    fn append(&mut self, index: u32, size: usize, align: u32) {
        let offset = round_up(self.size, align as usize);
        self.align = self.align.max(align);
        self.size = offset.saturating_add(rounded(self.area, size));
        let [offset, size] = [offset, size].map(|it| u32::try_from(it).unwrap_or(u32::MAX));
        self.members.push(Member { index, offset, size, align });
    }

    fn close(&mut self, plan: &Plan) {
        if self.sharing == Sharing::Sealed {
            self.align = plan.page();
            self.size = round_up(self.size, plan.page() as usize);
        }
    }
}

fn alignment(request: &Request, plan: &Plan) -> Result<u32, MemoryError> {
    let (requested, most) = (request.layout.align(), plan.page());
    match u32::try_from(requested) {
        Ok(align) if align <= most => Ok(align),
        _ => Err(MemoryError::Alignment { requested, most: most as usize }),
    }
}

/// Bytes that an allocation of `size` bytes takes in `area`.
pub(super) fn rounded(area: Area, size: usize) -> usize {
    round_up(size.max(1), area.granule() as usize)
}

/// The next multiple of a power of two. Saturates at a size that no area has.
fn round_up(size: usize, align: usize) -> usize {
    size.checked_add(align - 1).map_or(usize::MAX, |last| last & !(align - 1))
}
