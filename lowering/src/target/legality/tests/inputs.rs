//! Operands for trials: the edges of each type, and some at random.

use crate::target::MachineType;

/// Values of `ty`, as bits. Vectors hold the edges in turning order.
pub(super) fn values(ty: MachineType, random: &mut Random) -> Vec<u128> {
    let edges = lane_edges(ty.lane());
    let mut values: Vec<u128> = (0..edges.len())
        .map(|start| {
            let lanes =
                (0..ty.lanes() as usize).map(|lane| edges[(start + 5 * lane) % edges.len()]);
            pack(ty, lanes)
        })
        .collect();
    values.extend((0..6).map(|_| random.bits() & mask(ty.bits())));
    values
}

fn lane_edges(lane: MachineType) -> Vec<u128> {
    let bits = lane.lane_bits();
    match lane {
        MachineType::F32 => F32_EDGES.iter().map(|x| u128::from(x.to_bits())).collect(),
        MachineType::F64 => F64_EDGES.iter().map(|x| u128::from(x.to_bits())).collect(),
        _ => {
            let half = mask(bits) >> 1;
            let mixed =
                [0, 1, 2, 3, 0x55, 0x7f, 0x80, 0xff, u128::from(bits), u128::from(bits - 1)];
            let ends = [mask(bits), mask(bits) - 1, half, half - 1, half + 1, half + 2];
            let middle = [1 << (bits / 2), (1 << (bits / 2)) - 1, u128::from(bits + 1)];
            mixed.iter().chain(&ends).chain(&middle).map(|x| x & mask(bits)).collect()
        }
    }
}

const F32_EDGES: [f32; 28] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    -0.5,
    1.5,
    2.5,
    -2.5,
    -0.9,
    0.499_999_97,
    8_388_609.5,
    127.9,
    128.0,
    -129.0,
    65_535.9,
    2_147_483_520.0,
    2_147_483_648.0,
    -2_147_483_648.0,
    4_294_967_296.0,
    9.223_372e18,
    -9.223_372e18,
    1.844_674_4e19,
    f32::MAX,
    f32::MIN_POSITIVE,
    f32::INFINITY,
    f32::NEG_INFINITY,
    f32::NAN,
];

const F64_EDGES: [f64; 32] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    -0.5,
    1.5,
    2.5,
    -2.5,
    -0.9,
    0.499_999_999_999_999_94,
    4_503_599_627_370_497.5,
    127.9,
    -129.0,
    65_535.9,
    2_147_483_647.0,
    2_147_483_648.0,
    -2_147_483_649.0,
    4_294_967_295.5,
    4_294_967_296.0,
    9.223_372_036_854_775e18,
    9.223_372_036_854_776e18,
    -9.223_372_036_854_776e18,
    1.844_674_407_370_955_2e19,
    3.402_823_567_797_336_6e38,
    f64::MAX,
    f64::MIN,
    f64::MIN_POSITIVE,
    5e-324,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
];

/// The lowest `bits` bits.
pub(super) fn mask(bits: u32) -> u128 {
    u128::MAX >> (128 - bits)
}

/// The lanes of a value, lowest first.
pub(super) fn lanes(ty: MachineType, value: u128) -> Vec<u128> {
    let bits = ty.lane_bits();
    (0..ty.lanes()).map(|lane| (value >> (lane * bits)) & mask(bits)).collect()
}

/// The value with those lanes, lowest first.
pub(super) fn pack(ty: MachineType, lanes: impl IntoIterator<Item = u128>) -> u128 {
    let bits = ty.lane_bits();
    let place = |(lane, index): (u128, u32)| (lane & mask(bits)) << (index * bits);
    lanes.into_iter().zip(0..).map(place).fold(0, |all, lane| all | lane)
}

/// A xorshift generator, the same values on every run.
pub(super) struct Random(pub(super) u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn bits(&mut self) -> u128 {
        u128::from(self.next()) << 64 | u128::from(self.next())
    }
}
