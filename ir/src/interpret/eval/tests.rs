use super::*;

mod conversions;
mod floats;
mod integers;
mod structures;

/// A sequence of numbers that look random: splitmix64.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Of 128 bits, of which often most are equal.
    fn wide(&mut self) -> u128 {
        let bits = u128::from(self.next()) << 64 | u128::from(self.next());
        let kept = bits >> (self.next() % 128);
        if self.next().is_multiple_of(2) { kept } else { !kept }
    }
}

/// What an op gives for scalars of one type.
fn fold_at(op: Op, ty: Type, operands: &[u128]) -> Result<Vec<u128>, TrapCode> {
    fold_from(op, ty, ty, operands)
}

/// What an op gives for scalars of another type.
fn fold_from(op: Op, ty: Type, from: Type, operands: &[u128]) -> Result<Vec<u128>, TrapCode> {
    let operation = Operation { op, ty, operand: from, payload: &Payload::None, immediates: &[] };
    let operands: Vec<Datum> = operands.iter().map(|&bits| Datum::Scalar(bits)).collect();
    let operands: Vec<&Datum> = operands.iter().collect();
    let results = fold(&operation, &operands).expect("the op is pure")?;
    Ok(results.iter().map(Datum::bits).collect())
}
