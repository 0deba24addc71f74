//! Float arithmetic: pure data. Only what holds for every number, infinities and
//! signed zeros among them; bits of a NaN are free.

use super::super::rule::words::C;
use super::super::rule::{condition_of, gain_of, holds_of, node, op_node, rule, rules};

rules! {
    (Fadd X NEGATIVE_ZERO) => X;
    (Fadd X (Fneg Y)) => (Fsub X Y);
    (Fsub X POSITIVE_ZERO) => X;
    (Fsub NEGATIVE_ZERO X) => (Fneg X);
    (Fsub X (Fneg Y)) => (Fadd X Y);
    (Fmul X ONE) => X;
    (Fmul X MINUS_ONE) => (Fneg X);
    (Fmul (Fneg X) (Fneg Y)) => (Fmul X Y);
    (Fmul (Fneg X) C) => (Fmul X (Fneg C));
    (Fmul (Fabs X) (Fabs X)) => (Fmul X X);
    (Fdiv X ONE) => X;
    (Fdiv X MINUS_ONE) => (Fneg X);
    (Fdiv (Fneg X) (Fneg Y)) => (Fdiv X Y);
    (Fdiv (Fneg X) C) => (Fdiv X (Fneg C));
    (Fdiv X C) => (Fmul X (Fdiv ONE C)) if |b| b.has_exact_reciprocal(C);

    (Fneg (Fneg X)) => X;
    (Fneg (Fmul X C)) => (Fmul X (Fneg C));
    (Fneg (Fdiv X C)) => (Fdiv X (Fneg C));
    (Fabs (Fabs X)) => (Fabs X);
    (Fabs (Fneg X)) => (Fabs X);
    (Fabs (Fcopysign X Y)) => (Fabs X);
    (Fcopysign X X) => X;
    (Fcopysign X (Fneg X)) => (Fneg X);
    (Fcopysign X (Fabs Y)) => (Fabs X);
    (Fcopysign (Fneg X) Y) => (Fcopysign X Y);
    (Fcopysign (Fabs X) Y) => (Fcopysign X Y);
    (Fcopysign (Fcopysign X Y) Z) => (Fcopysign X Z);
    (Fcopysign X (Fcopysign Y Z)) => (Fcopysign X Z);

    (Fma X ONE Y) => (Fadd X Y);
    (Fma X MINUS_ONE Y) => (Fsub Y X);
    (Fma (Fneg X) (Fneg Y) Z) => (Fma X Y Z);
    (Fma X Y NEGATIVE_ZERO) => (Fmul X Y);

    (Fmin X X) => X;
    (Fmin X C) => C if |b| b.is_nan(C);
    (Fmin (Fmin X Y) Y) => (Fmin X Y);
    (Fmax X X) => X;
    (Fmax X C) => C if |b| b.is_nan(C);
    (Fmax (Fmax X Y) Y) => (Fmax X Y);
    (FminNum X X) => X;
    (FminNum X C) => X if |b| b.is_nan(C);
    (FmaxNum X X) => X;
    (FmaxNum X C) => X if |b| b.is_nan(C);

    (Ffloor (Ffloor X)) => (Ffloor X);
    (Fceil (Fceil X)) => (Fceil X);
    (Ftrunc (Ftrunc X)) => (Ftrunc X);
    (Fnearest (Fnearest X)) => (Fnearest X);
    (Fround (Fround X)) => (Fround X);
    (Ftrunc (Ffloor X)) => (Ffloor X);
    (Ftrunc (Fceil X)) => (Fceil X);
    (Ffloor (Sitofp[S] X)) => (Sitofp[ROOT] X);
    (Fceil (Sitofp[S] X)) => (Sitofp[ROOT] X);
    (Ftrunc (Sitofp[S] X)) => (Sitofp[ROOT] X);
    (Ffloor (Uitofp[S] X)) => (Uitofp[ROOT] X);
    (Fceil (Uitofp[S] X)) => (Uitofp[ROOT] X);
    (Ftrunc (Uitofp[S] X)) => (Uitofp[ROOT] X);
}
