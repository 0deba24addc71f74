//! What is asked of the allocator, and how requests share pages.

use std::alloc::Layout;

use smallvec::SmallVec;

use super::area::Access;
use super::plan::Plan;
use super::{Area, MemoryError, Strategy};

/// Size and alignment of a stub.
const STUB: Layout = Layout::new::<StubBytes>();

#[repr(align(32))]
struct StubBytes(#[expect(dead_code, reason = "only its layout is used")] [u8; 32]);

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
    /// One stub: 32 bytes, aligned to 32.
    pub(crate) const STUB: Self = Self::new(Area::Stubs, STUB);

    /// `layout` in `area`.
    pub(crate) const fn new(area: Area, layout: Layout) -> Self {
        Self { area, layout }
    }
}

/// A range to be placed as one, for one or several requests.
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
    /// The requests, in order.
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
#[derive(Debug)]
pub(super) struct Member {
    /// The request's place in the batch.
    pub index: usize,
    /// Bytes from the parcel's start.
    pub offset: usize,
    /// Bytes asked for.
    pub size: usize,
}

impl Parcel {
    /// The parcel of a request on its own.
    pub(super) fn single(
        request: &Request,
        plan: &Plan,
        strategy: Strategy,
    ) -> Result<Self, MemoryError> {
        let mut parcel = Self::empty(request.area, strategy);
        parcel.append(0, request, plan)?;
        Ok(parcel.closed(plan))
    }

    /// The parcels of a batch: one per request, but where pages have to be
    /// sealed one per area.
    pub(super) fn of_batch(
        requests: &[Request],
        plan: &Plan,
        strategy: Strategy,
    ) -> Result<Vec<Self>, MemoryError> {
        let mut parcels = Vec::with_capacity(requests.len());
        let mut sealed = Area::ALL.map(|area| Self::empty(area, strategy));
        for (index, request) in requests.iter().enumerate() {
            let parcel = &mut sealed[request.area.index()];
            parcel.append(index, request, plan)?;
            if parcel.sharing == Sharing::Free {
                let empty = Self::empty(request.area, strategy);
                parcels.push(std::mem::replace(parcel, empty));
            }
        }
        parcels.extend(sealed.into_iter().filter(|parcel| !parcel.members.is_empty()));
        Ok(parcels.into_iter().map(|parcel| parcel.closed(plan)).collect())
    }

    fn empty(area: Area, strategy: Strategy) -> Self {
        Self {
            area,
            size: 0,
            align: area.granule(),
            sharing: Sharing::of(area, strategy),
            members: SmallVec::new(),
        }
    }

    fn append(&mut self, index: usize, request: &Request, plan: &Plan) -> Result<(), MemoryError> {
        let align = request.layout.align();
        if align > plan.page() as usize {
            return Err(MemoryError::Alignment { requested: align, most: plan.page() as usize });
        }
        let size = request.layout.size();
        let offset = round_up(self.size, align);
        self.align = self.align.max(align as u32);
        self.size = offset.saturating_add(rounded(request.area, size));
        self.members.push(Member { index, offset, size });
        Ok(())
    }

    fn closed(mut self, plan: &Plan) -> Self {
        if self.sharing == Sharing::Sealed {
            self.align = plan.page();
            self.size = round_up(self.size, plan.page() as usize);
        }
        self
    }
}

/// Bytes that an allocation of `size` bytes takes in `area`.
pub(super) fn rounded(area: Area, size: usize) -> usize {
    round_up(size.max(1), area.granule() as usize)
}

/// Saturates at a size that no area has.
fn round_up(size: usize, align: usize) -> usize {
    size.checked_next_multiple_of(align).unwrap_or(usize::MAX)
}
