//! Constants.

use super::error::Fault;
use super::function::FunctionBuilder;
use super::handle::{Local, Value};
use crate::constant::{Constant, mask};
use crate::float::{f64_to_bf16, f64_to_f16};
use crate::types::{Scalar, Type};

impl FunctionBuilder<'_> {
    /// The integer, truth value or address `number`, which fits the type as
    /// signed or as unsigned.
    pub fn iconst(&mut self, ty: Type, number: impl Into<i128>) -> Value {
        let number = number.into();
        let bits = ty.as_scalar().filter(|&s| s.is_int() || s == Scalar::I1 || s == Scalar::Ptr);
        let fits = bits.is_some_and(|scalar| {
            let (sign, width) = (128 - scalar.bits(), mask(scalar.bits()));
            number << sign >> sign == number || number >= 0 && number as u128 <= width
        });
        let constant = fits.then(|| Constant::scalar(ty, number as u128)).flatten();
        self.constant(constant, ty, &number)
    }

    /// The float nearest to `number`.
    pub fn fconst(&mut self, ty: Type, number: f64) -> Value {
        let bits = match ty.as_scalar() {
            Some(Scalar::F64) => Some(u128::from(number.to_bits())),
            Some(Scalar::F32) => Some(u128::from((number as f32).to_bits())),
            Some(Scalar::F16) => Some(u128::from(f64_to_f16(number))),
            Some(Scalar::Bf16) => Some(u128::from(f64_to_bf16(number))),
            _ => None,
        };
        self.constant(bits.and_then(|bits| Constant::scalar(ty, bits)), ty, &number)
    }

    /// The scalar with those bits, which are no more than the type has.
    pub fn bits(&mut self, ty: Type, bits: u128) -> Value {
        let constant =
            Constant::scalar(ty, bits).filter(|constant| constant.as_scalar() == Some(bits));
        self.constant(constant, ty, &format_args!("{bits:#x}"))
    }

    /// The vector with the bits of those lanes, no more than a lane has.
    pub fn vconst(&mut self, ty: Type, lanes: &[u128]) -> Value {
        let width = mask(ty.lane().map_or(0, Scalar::bits));
        let fits = lanes.iter().all(|&lane| lane <= width);
        let constant = fits.then(|| Constant::vector(ty, lanes.iter().copied())).flatten();
        self.constant(constant, ty, &format_args!("{lanes:x?}"))
    }

    /// The value of any type but `token` whose bits are all zero: also null,
    /// and an aggregate of zeros.
    pub fn zero(&mut self, ty: Type) -> Value {
        self.constant(Constant::zero(ty), ty, &"zero")
    }

    fn constant(
        &mut self,
        constant: Option<Constant>,
        ty: Type,
        what: &dyn std::fmt::Display,
    ) -> Value {
        match constant {
            Some(constant) => {
                let value = self.body.constant(constant);
                self.local(value)
            }
            None => {
                let ty = self.module.types.display(ty).to_string();
                self.fail(Fault::Type, format_args!("`{ty}` has no constant {what}"));
                Local::missing(self.id)
            }
        }
    }
}
