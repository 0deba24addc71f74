//! Whole numbers.

use super::{Args, Model};
use crate::datum::Datum;
use crate::interpret::host::{HostCall, HostError};

type Done = Result<Datum, HostError>;

pub(super) const MODELS: &[(&str, Model)] =
    &[("abs", abs), ("labs", labs), ("llabs", labs), ("rand", rand), ("srand", srand)];

fn abs(_: &mut HostCall<'_, '_>, args: &Args<'_>) -> Done {
    Ok(args.int(0).wrapping_abs().into())
}

fn labs(_: &mut HostCall<'_, '_>, args: &Args<'_>) -> Done {
    Ok(args.long(0).wrapping_abs().into())
}

/// The generator that the C standard shows as an example, with more bits.
fn rand(call: &mut HostCall<'_, '_>, _: &Args<'_>) -> Done {
    let state = &mut call.machine().c_state.random;
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    Ok(((*state >> 33) as i32).into())
}

fn srand(call: &mut HostCall<'_, '_>, args: &Args<'_>) -> Done {
    call.machine().c_state.random = args.bits(0) as u32 as u64;
    Ok(Datum::Scalar(0))
}
