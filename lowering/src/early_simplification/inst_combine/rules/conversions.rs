//! Conversions: pure data.

use super::super::bound::{bits_of, is_address, mask};
use super::super::rule::words::{C, X, Y};
use super::super::rule::{condition_of, gain_of, holds_of, node, op_node, rule, rules};

rules! {
    (Trunc (Zext X)) => X if |b| b.is_root_type(X);
    (Trunc (Sext X)) => X if |b| b.is_root_type(X);
    (Trunc (Trunc X)) -> (Trunc[ROOT] X);
    (Trunc (Select X C D)) => (Select X (Trunc[ROOT] C) (Trunc[ROOT] D));
    (Trunc (Zext X)) -> (Trunc[ROOT] X) if |b| b.width(X) > bits_of(b.binding.root);
    (Trunc (Sext X)) -> (Trunc[ROOT] X) if |b| b.width(X) > bits_of(b.binding.root);
    (Trunc (Zext X)) => (Zext[ROOT] X) if |b| b.width(X) < bits_of(b.binding.root);
    (Trunc (Sext X)) => (Sext[ROOT] X) if |b| b.width(X) < bits_of(b.binding.root);
    (Trunc (And X C)) -> (Trunc[ROOT] X) if |b| {
        let all = mask(bits_of(b.binding.root));
        b.each(C, |c| c & all == all)
    };
    (Trunc (Or X C)) -> (Trunc[ROOT] X) if |b| {
        let all = mask(bits_of(b.binding.root));
        b.each(C, |c| c & all == 0)
    };
    (Trunc (Add (Zext X) (Zext Y))) => (Add X Y) if |b| b.is_root_type(X) && b.is_root_type(Y);
    (Trunc (Sub (Zext X) (Zext Y))) => (Sub X Y) if |b| b.is_root_type(X) && b.is_root_type(Y);
    (Trunc (Mul (Zext X) (Zext Y))) => (Mul X Y) if |b| b.is_root_type(X) && b.is_root_type(Y);
    (Trunc (Add (Sext X) (Sext Y))) => (Add X Y) if |b| b.is_root_type(X) && b.is_root_type(Y);
    (Trunc (Sub (Sext X) (Sext Y))) => (Sub X Y) if |b| b.is_root_type(X) && b.is_root_type(Y);
    (Trunc (Mul (Sext X) (Sext Y))) => (Mul X Y) if |b| b.is_root_type(X) && b.is_root_type(Y);
    (Trunc (Add (Zext X) C)) => (Add X (Trunc[X] C)) if |b| b.is_root_type(X);
    (Trunc (Add (Sext X) C)) => (Add X (Trunc[X] C)) if |b| b.is_root_type(X);
    (Trunc (Mul (Zext X) C)) => (Mul X (Trunc[X] C)) if |b| b.is_root_type(X);
    (Trunc (Mul (Sext X) C)) => (Mul X (Trunc[X] C)) if |b| b.is_root_type(X);
    (Trunc (Sub C (Zext X))) => (Sub (Trunc[X] C) X) if |b| b.is_root_type(X);
    (Trunc (Sub C (Sext X))) => (Sub (Trunc[X] C) X) if |b| b.is_root_type(X);

    (Zext (Zext X)) -> (Zext[ROOT] X);
    (Zext (Trunc[S] X)) -> (And X (Zext[ROOT] ONES_OF_S)) if |b| b.is_root_type(X);
    (Sext (Sext X)) -> (Sext[ROOT] X);
    (Sext (Zext X)) -> (Zext[ROOT] X);
    (Sext (Lshr X C)) -> (Zext[ROOT] (Lshr X C)) if |b| b.is_shift(C) && b.each(C, |c| c > 0);
    (And (Zext X) C) => (Zext[ROOT] X) if |b| {
        let all = mask(b.width(X));
        b.each(C, |c| c & all == all)
    };
    (And (Zext X) C) => 0 if |b| b.each(C, |c| c & mask(b.width(X)) == 0);
    (And (Zext X) (Zext Y)) => (Zext[ROOT] (And X Y)) if |b| b.ty(X) == b.ty(Y);
    (Or (Zext X) (Zext Y)) => (Zext[ROOT] (Or X Y)) if |b| b.ty(X) == b.ty(Y);
    (Xor (Zext X) (Zext Y)) => (Zext[ROOT] (Xor X Y)) if |b| b.ty(X) == b.ty(Y);
    (And (Sext X) C) -> (And (Zext[ROOT] X) C) if |b| {
        let all = mask(b.width(X));
        b.each(C, |c| c & !all == 0)
    };

    (Bitcast X) => X if |b| b.is_root_type(X);
    // What is an address by way of a number leads to any object, and not to one alone.
    (Bitcast (Bitcast X)) => X if |b| b.is_root_type(X) && !is_address(b.binding.root);
    (Bitcast (Bitcast X)) -> (Bitcast[ROOT] X) if |b| !is_address(b.binding.root);
    (PtrToInt (IntToPtr X)) => X;

    (Sitofp (Sext X)) => (Sitofp[ROOT] X) if |b| b.width(X) > 1;
    (Uitofp (Zext X)) => (Uitofp[ROOT] X) if |b| b.width(X) > 1;
    (Sitofp (Zext X)) => (Uitofp[ROOT] X) if |b| b.width(X) > 1;
    (FptosiSat (Sitofp[S] X)) => X if |b| b.is_root_type(X) && b.is_exact_in_bound_float(X);
    (FptouiSat (Uitofp[S] X)) => X if |b| b.is_root_type(X) && b.is_exact_in_bound_float(X);
    (Fptrunc (Fpext X)) => X if |b| b.is_root_type(X);
    (Fpext (Fpext X)) -> (Fpext[ROOT] X);
    (StruncTrap (Sext X)) => X if |b| b.is_root_type(X);
    (UtruncTrap (Zext X)) => X if |b| b.is_root_type(X);
    (StruncSat (Sext X)) => X if |b| b.is_root_type(X);
    (UtruncSat (Zext X)) => X if |b| b.is_root_type(X);
}
