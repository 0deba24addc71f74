//! How a reservation is divided.

use std::ops::Range;

use super::{Area, MemoryConfig, MemoryError, Shares};

/// Least and most bytes of a reservation. The most is what a signed 32-bit
/// displacement reaches.
const LEAST: usize = 1 << 20;
const MOST: usize = 1 << 31;

/// Bytes that pages are committed and given back in, unless a page is larger. To clear a page
/// costs about what it costs to ask for it, so that there is nothing to gain by asking for more
/// than is needed: with 16 KiB, a small module took 22 us to link instead of 16.
const UNIT: usize = 4 << 10;

/// The offsets of the areas in a reservation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Plan {
    page: u32,
    unit: u32,
    /// Where each area starts, and where the last one ends.
    bounds: [u32; Area::ALL.len() + 1],
}

impl Plan {
    /// Divides a reservation as `config` says, for pages of `page` bytes.
    pub(super) fn new(config: &MemoryConfig, page: usize) -> Result<Self, MemoryError> {
        if !(LEAST..=MOST).contains(&config.reservation) {
            return Err(MemoryError::Config {
                field: "reservation",
                value: config.reservation,
                bounds: "from 1 MiB to 2 GiB",
            });
        }
        check_shares(&config.shares)?;
        let unit = UNIT.max(page);
        let whole = config.reservation / unit * unit;
        let sizes = sizes(&config.shares, whole, unit)?;
        let mut bounds = [0; Area::ALL.len() + 1];
        for (index, size) in sizes.into_iter().enumerate() {
            bounds[index + 1] = bounds[index] + size as u32;
        }
        Ok(Self { page: page as u32, unit: unit as u32, bounds })
    }

    /// Bytes of a page.
    pub(super) fn page(&self) -> u32 {
        self.page
    }

    /// Bytes that are committed at once: a multiple of a page, and a divisor of
    /// every area's size.
    pub(super) fn unit(&self) -> u32 {
        self.unit
    }

    /// Bytes of the reservation.
    pub(super) fn len(&self) -> usize {
        self.bounds[Area::ALL.len()] as usize
    }

    /// Where an area is.
    pub(super) fn range(&self, area: Area) -> Range<u32> {
        self.bounds[area.index()]..self.bounds[area.index() + 1]
    }

    /// The area that an offset of the reservation is in.
    pub(super) fn area_of(&self, offset: u32) -> Area {
        let after = self.bounds[1..Area::ALL.len()].partition_point(|&end| end <= offset);
        Area::ALL[after]
    }
}

fn check_shares(shares: &Shares) -> Result<(), MemoryError> {
    let fields = [
        ("shares.stubs", shares.stubs),
        ("shares.read_only", shares.read_only),
        ("shares.slots", shares.slots),
        ("shares.data", shares.data),
    ];
    let mut sum = 0;
    for (field, value) in fields {
        sum += usize::from(value);
        if value == 0 || sum >= Shares::WHOLE {
            return Err(MemoryError::Config {
                field,
                value: value.into(),
                bounds: "at least 1, and all shares together below 64",
            });
        }
    }
    Ok(())
}

/// The areas' sizes in order, each a multiple of `unit`.
fn sizes(
    shares: &Shares,
    whole: usize,
    unit: usize,
) -> Result<[usize; Area::ALL.len()], MemoryError> {
    let part = |share: u8| (whole / Shares::WHOLE * usize::from(share) / unit * unit).max(unit);
    let [stubs, read_only, slots, data] =
        [shares.stubs, shares.read_only, shares.slots, shares.data].map(part);
    match whole.checked_sub(stubs + read_only + slots + data) {
        Some(text) if text >= unit => Ok([stubs, text, read_only, slots, data]),
        _ => Err(MemoryError::Config {
            field: "reservation",
            value: whole,
            bounds: "large enough for a page of text beside the other shares",
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_plan_keeps_text_and_stubs_within_the_reach_of_an_aarch64_call() {
        let plan = Plan::new(&MemoryConfig::default(), 4096).unwrap();
        assert_eq!(plan.len(), 256 << 20);
        assert_eq!(plan.range(Area::Stubs).start, 0);
        assert_eq!(plan.range(Area::Text).end, 128 << 20);
    }

    #[test]
    fn areas_tile_the_reservation_and_every_offset_finds_its_area() {
        for page in [4 << 10, 16 << 10, 64 << 10] {
            for reservation in [LEAST, 3 * LEAST + 4096, MOST] {
                let config = MemoryConfig { reservation, ..MemoryConfig::default() };
                let plan = Plan::new(&config, page).unwrap();
                let mut at = 0;
                for area in Area::ALL {
                    let range = plan.range(area);
                    assert_eq!(range.start, at);
                    assert_eq!((range.end - range.start) % plan.unit(), 0);
                    assert_eq!(plan.area_of(range.start), area);
                    assert_eq!(plan.area_of(range.end - 1), area);
                    at = range.end;
                }
                assert_eq!(at as usize, plan.len());
                assert!(reservation - plan.len() < plan.unit() as usize);
            }
        }
    }

    #[test]
    fn a_configuration_out_of_bounds_is_an_error_that_names_the_field() {
        let field = |config: MemoryConfig| match Plan::new(&config, 64 << 10) {
            Err(MemoryError::Config { field, .. }) => field,
            other => panic!("{other:?}"),
        };
        let with_reservation =
            |reservation| MemoryConfig { reservation, ..MemoryConfig::default() };
        let with_shares =
            |shares| MemoryConfig { reservation: LEAST, shares, ..MemoryConfig::default() };
        let shares = Shares::default();
        assert_eq!(field(with_reservation(LEAST - 1)), "reservation");
        assert_eq!(field(with_reservation(MOST + 1)), "reservation");
        let none = Shares { slots: 0, ..shares };
        assert_eq!(field(with_shares(none)), "shares.slots");
        let all = Shares { data: 48, ..shares };
        assert_eq!(field(with_shares(all)), "shares.data");
        let tight = Shares { stubs: 1, read_only: 1, slots: 1, data: 58 };
        assert_eq!(field(with_shares(tight)), "reservation");
    }
}
