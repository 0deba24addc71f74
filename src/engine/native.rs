//! Types of the host that stand for types of the IR.

use brolga_ir::types::Type;

/// Invokes a macro with no name, with the first one, with the first two, and so on.
macro_rules! for_each_arity {
    ($make:ident: [$($name:ident)*]) => {
        $make!($($name)*);
    };
    ($make:ident: [$($name:ident)*] $next:ident $($rest:ident)*) => {
        $make!($($name)*);
        for_each_arity!($make: [$($name)* $next] $($rest)*);
    };
}

pub(super) use for_each_arity;

mod sealed {
    /// Keeps the traits to the types that compiled code knows.
    pub trait Sealed {}

    /// Keeps functions of the host to closures whose signature says what they do to a buffer;
    /// `M` tells those of different signatures apart.
    pub trait SealedFunction<M> {}
}

pub(super) use sealed::{Sealed, SealedFunction};

/// A value that is passed as one scalar.
pub trait Native: Sealed + Copy {
    /// Its type in the IR.
    const TYPE: Type;

    /// Reads it out of a call's buffer.
    ///
    /// # Safety
    /// A value of the type stands at `place`, aligned to 16.
    #[doc(hidden)]
    unsafe fn read(place: *const u8) -> Self;

    /// Puts it into a call's buffer.
    ///
    /// # Safety
    /// 16 bytes, aligned to 16, can be written at `place`.
    #[doc(hidden)]
    unsafe fn write(self, place: *mut u8);
}

macro_rules! native {
    ($($native:ty = $ty:ident),* $(,)?) => {$(
        impl Sealed for $native {}

        impl Native for $native {
            const TYPE: Type = Type::$ty;

            unsafe fn read(place: *const u8) -> Self {
                // SAFETY: by the caller's promise.
                unsafe { place.cast::<$native>().read() }
            }

            unsafe fn write(self, place: *mut u8) {
                // SAFETY: by the caller's promise.
                unsafe { place.cast::<$native>().write(self) }
            }
        }
    )*};
}

native! {
    i8 = I8, u8 = I8, i16 = I16, u16 = I16, i32 = I32, u32 = I32, i64 = I64, u64 = I64,
    i128 = I128, u128 = I128, f32 = F32, f64 = F64,
}

impl Sealed for bool {}

impl Native for bool {
    const TYPE: Type = Type::I1;

    unsafe fn read(place: *const u8) -> Self {
        // SAFETY: by the caller's promise; of the byte only bit 0 counts.
        unsafe { place.read() & 1 != 0 }
    }

    unsafe fn write(self, place: *mut u8) {
        // SAFETY: by the caller's promise.
        unsafe { place.write(self.into()) }
    }
}

macro_rules! pointers {
    ($($pointer:ty),*) => {$(
        impl<T> Sealed for $pointer {}

        impl<T> Native for $pointer {
            const TYPE: Type = Type::PTR;

            unsafe fn read(place: *const u8) -> Self {
                // SAFETY: by the caller's promise.
                unsafe { place.cast::<$pointer>().read() }
            }

            unsafe fn write(self, place: *mut u8) {
                // SAFETY: by the caller's promise.
                unsafe { place.cast::<$pointer>().write(self) }
            }
        }
    )*};
}

pointers!(*const T, *mut T);
