//! What typed calls take and give.

use brolga_ir::types::Type;
use brolga_lowering::runtime::VALUE_STRIDE;

use super::data::Plain;
use super::native::{Native, Sealed, for_each_arity};

/// One argument of a typed call: a scalar, or a slice, which is passed as its
/// address and its number of elements.
pub trait Argument: Sealed {
    /// What a call takes, with a lifetime of its own.
    type Value<'a>;

    /// The parameters that it stands for, each of at most 16 bytes.
    #[doc(hidden)]
    const TYPES: &'static [Type];

    /// Puts it into a call's buffer.
    ///
    /// # Safety
    /// A stride for each of its types can be written at `place`.
    #[doc(hidden)]
    unsafe fn put(value: Self::Value<'_>, place: *mut u8);
}

macro_rules! scalar_arguments {
    ($([$($generic:tt)*] $scalar:ty),* $(,)?) => {$(
        impl $($generic)* Argument for $scalar {
            type Value<'a> = $scalar;
            const TYPES: &'static [Type] = &[<$scalar as Native>::TYPE];

            unsafe fn put(value: $scalar, place: *mut u8) {
                // SAFETY: by the caller's promise.
                unsafe { Native::write(value, place) }
            }
        }
    )*};
}

scalar_arguments! {
    [] bool, [] i8, [] u8, [] i16, [] u16, [] i32, [] u32, [] i64, [] u64, [] i128, [] u128,
    [] f32, [] f64, [<T: 'static>] *const T, [<T: 'static>] *mut T,
}

impl<T: Plain> Sealed for &[T] {}

impl<T: Plain> Argument for &[T] {
    type Value<'a> = &'a [T];
    const TYPES: &'static [Type] = &[Type::PTR, Type::I64];

    unsafe fn put(value: Self::Value<'_>, place: *mut u8) {
        // SAFETY: by the caller's promise.
        unsafe {
            Native::write(value.as_ptr(), place);
            Native::write(value.len() as u64, place.add(VALUE_STRIDE as usize));
        }
    }
}

impl<T: Plain> Sealed for &mut [T] {}

impl<T: Plain> Argument for &mut [T] {
    type Value<'a> = &'a mut [T];
    const TYPES: &'static [Type] = &[Type::PTR, Type::I64];

    unsafe fn put(value: Self::Value<'_>, place: *mut u8) {
        // SAFETY: by the caller's promise.
        unsafe {
            Native::write(value.as_mut_ptr(), place);
            Native::write(value.len() as u64, place.add(VALUE_STRIDE as usize));
        }
    }
}

/// The arguments of a typed call: a tuple of up to twelve.
pub trait Arguments: Sealed {
    /// What a call takes, with lifetimes of its own.
    type Values<'a>;

    /// The parameters.
    #[doc(hidden)]
    fn types() -> Vec<Type>;

    /// Puts them into a call's buffer.
    ///
    /// # Safety
    /// A stride for each parameter can be written at `buffer`.
    #[doc(hidden)]
    unsafe fn put(values: Self::Values<'_>, buffer: *mut u8);
}

/// The results of a typed call: nothing, a scalar, or a tuple of up to eight.
pub trait Results: Sealed + Sized {
    /// Their types.
    #[doc(hidden)]
    fn types() -> Vec<Type>;

    /// Takes them out of a call's buffer.
    ///
    /// # Safety
    /// Values of the types stand at `buffer`, one for each stride.
    #[doc(hidden)]
    unsafe fn take(buffer: *const u8) -> Self;

    /// Puts them into a buffer, as a function of the host does.
    ///
    /// # Safety
    /// A stride for each of them can be written at `buffer`.
    #[doc(hidden)]
    unsafe fn give(self, buffer: *mut u8);
}

impl<T: Native> Results for T {
    fn types() -> Vec<Type> {
        vec![T::TYPE]
    }

    unsafe fn take(buffer: *const u8) -> T {
        // SAFETY: by the caller's promise.
        unsafe { T::read(buffer) }
    }

    unsafe fn give(self, buffer: *mut u8) {
        // SAFETY: by the caller's promise.
        unsafe { self.write(buffer) }
    }
}

macro_rules! tuples {
    ($($name:ident)*) => {
        impl<$($name: Sealed),*> Sealed for ($($name,)*) {}

        #[allow(non_snake_case, reason = "type parameters name the fields of the tuple")]
        impl<$($name: Argument),*> Arguments for ($($name,)*) {
            type Values<'a> = ($($name::Value<'a>,)*);

            fn types() -> Vec<Type> {
                let parts: &[&[Type]] = &[$($name::TYPES),*];
                parts.concat()
            }

            unsafe fn put(values: Self::Values<'_>, buffer: *mut u8) {
                let ($($name,)*) = values;
                #[allow(unused_mut, unused_variables, reason = "the empty tuple has no field")]
                let mut place = buffer;
                $(
                    // SAFETY: by the caller's promise there is a stride for each.
                    unsafe {
                        <$name as Argument>::put($name, place);
                        place = place.add($name::TYPES.len() * VALUE_STRIDE as usize);
                    }
                )*
                let _ = place;
            }
        }
    };
}

macro_rules! result_tuples {
    ($($name:ident)*) => {
        #[allow(non_snake_case, reason = "type parameters name the fields of the tuple")]
        impl<$($name: Native),*> Results for ($($name,)*) {
            fn types() -> Vec<Type> {
                vec![$($name::TYPE),*]
            }

            #[allow(clippy::unused_unit, reason = "the empty tuple has no field")]
            unsafe fn take(buffer: *const u8) -> Self {
                #[allow(unused_mut, unused_variables, reason = "the empty tuple has no field")]
                let mut place = buffer;
                $(
                    // SAFETY: by the caller's promise there is a value at each stride.
                    let $name = unsafe { $name::read(place) };
                    place = place.wrapping_add(VALUE_STRIDE as usize);
                )*
                let _ = place;
                ($($name,)*)
            }

            unsafe fn give(self, buffer: *mut u8) {
                let ($($name,)*) = self;
                #[allow(unused_mut, unused_variables, reason = "the empty tuple has no field")]
                let mut place = buffer;
                $(
                    // SAFETY: by the caller's promise there is a stride for each.
                    unsafe { $name.write(place) };
                    place = place.wrapping_add(VALUE_STRIDE as usize);
                )*
                let _ = place;
            }
        }
    };
}

for_each_arity!(tuples: [] A B C D E F G H I J K L);
for_each_arity!(result_tuples: [] A B C D E F G H);
