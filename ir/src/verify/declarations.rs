//! Symbols, signatures, attributes and alias classes.

use std::fmt;

use super::report::{Place, Report};
use super::{MAX_FRAME_SIZE, Options, Rule, safety};
use crate::entity::{EntityRef, FuncId, SigId};
use crate::module::{Function, Module, Returns, Symbol};
use crate::op::Dialect;
use crate::types::{
    Arity, Convention, MAX_BY_VALUE_ALIGN_LOG2, MAX_LEAVES, Param, Passing, Scalar, Signature,
    Type, TypePool,
};

/// The managed kinds that cannot leave a function: what keeps them alive stays behind.
pub(super) const BOUND_KINDS: [Scalar; 3] = [Scalar::Derived, Scalar::Callee, Scalar::Loaded];

pub(super) fn check_module(module: &Module, report: &mut Report<'_>) {
    for (class, data) in module.alias_classes() {
        report.work += 1;
        if let Some(parent) = data.parent.expand()
            && parent.index() >= class.index()
        {
            let message = format_args!("the parent of class `{}` is made behind it", data.name);
            report.push(Rule::AliasClass, Place::Class(class), message);
        }
    }
    for (sig, signature) in module.types.signatures() {
        check_signature(module, sig, signature, report);
    }
}

fn check_signature(module: &Module, sig: SigId, signature: &Signature, report: &mut Report<'_>) {
    report.work += (signature.params.len() + signature.results.len()) as u64;
    let place = Place::Signature(sig);
    judge_signature(&module.types, signature, &mut |rule, message| {
        report.push(rule, place, message);
    });
}

/// Whether functions can have a signature; why not, if they cannot.
pub(crate) fn signature_fault(types: &TypePool, signature: &Signature) -> Option<String> {
    let mut fault = None;
    judge_signature(types, signature, &mut |_, message| {
        fault.get_or_insert_with(|| message.to_string());
    });
    fault
}

fn judge_signature(
    types: &TypePool,
    signature: &Signature,
    fail: &mut dyn FnMut(Rule, fmt::Arguments<'_>),
) {
    let internal = signature.convention == Convention::Internal;
    if internal && signature.arity == Arity::Variadic {
        fail(
            Rule::Signature,
            format_args!("the internal convention has no variable number of arguments"),
        );
    }
    for (what, list) in [("parameters", &signature.params), ("results", &signature.results)] {
        let leaves = list.iter().map(|param| types.leaf_count(param.ty));
        let leaves = leaves.fold(0, u64::saturating_add);
        if leaves > MAX_LEAVES {
            let message = format_args!(
                "the {what} consist of {leaves} scalars, the limit is {MAX_LEAVES}; pass a pointer"
            );
            fail(Rule::AggregateSize, message);
        }
        for param in list {
            if let Some(wanted) = unfit_passing(param) {
                let (ty, passing) = (types.display(param.ty), param.passing);
                fail(Rule::Signature, format_args!("`{ty}` cannot be `{passing}`: only {wanted}"));
            }
        }
    }
    let rooms = signature.by_value().into_iter().map(|p| u64::from(p.size) + u64::from(p.align));
    let room: u64 = rooms.sum();
    if room > MAX_FRAME_SIZE {
        let message = format_args!(
            "{room} bytes are passed `byval`, the limit is {MAX_FRAME_SIZE}; pass a pointer"
        );
        fail(Rule::Signature, message);
    }
    let by_address =
        |param: &&Param| matches!(param.passing, Passing::StructReturn | Passing::ByValue { .. });
    if let Some(result) = signature.results.iter().find(by_address) {
        let message = format_args!("a result cannot be `{}`: only a parameter can", result.passing);
        fail(Rule::Signature, message);
    }
    let returned = |param: &&Param| param.passing == Passing::StructReturn;
    let returned = signature.params.iter().filter(returned).count();
    if returned > 0 && returned + signature.results.len() > 1 {
        let message = format_args!("what is returned by `sret` is the only result");
        fail(Rule::Signature, message);
    }
    for param in &signature.results {
        if BOUND_KINDS.iter().any(|&kind| types.holds(param.ty, kind)) {
            let message = format_args!(
                "a result is `{}`; of the managed kinds only `ref` can be returned",
                types.display(param.ty)
            );
            fail(Rule::Signature, message);
        }
    }
}

/// What can be passed as the parameter or result says, if that cannot.
fn unfit_passing(param: &Param) -> Option<&'static str> {
    let is_narrow = |s: Scalar| s == Scalar::I1 || s.is_int() && s.bits() < Scalar::I64.bits();
    let (fits, wanted) = match param.passing {
        Passing::Plain => return None,
        Passing::SignExtended | Passing::ZeroExtended => {
            (param.ty.as_scalar().is_some_and(is_narrow), "integers of less than 64 bits can")
        }
        Passing::ByValue { align_log2, .. } => (
            param.ty == Type::PTR && align_log2 <= MAX_BY_VALUE_ALIGN_LOG2,
            "a `ptr` can, aligned to at most 4096 bytes",
        ),
        Passing::StructReturn => (param.ty == Type::PTR, "a `ptr` can"),
        Passing::PieceOf(bytes) => {
            let bits = param.ty.lane().map_or(0, Scalar::bits) * param.ty.lanes();
            let is_piece = bits == 128 || param.ty.lane() == Some(Scalar::I1);
            let size = 1..=Type::MAX_VECTOR_BITS / 8;
            (is_piece && size.contains(&bytes.into()), "vectors of 128 bits can, of 1 to 64 bytes")
        }
    };
    (!fits).then_some(wanted)
}

/// Whether the module knows `symbol` by its name.
pub(super) fn check_name(module: &Module, symbol: Symbol, report: &mut Report<'_>) {
    let name = module.symbol_name(symbol);
    let place = Place::Symbol(symbol);
    if name.is_empty() {
        report.push(Rule::SymbolName, place, format_args!("the symbol has no name"));
    } else if name.contains('\0') {
        report.push(Rule::SymbolName, place, format_args!("the name {name:?} holds a NUL"));
    } else if module.symbol(name) != Some(symbol) {
        let message = format_args!("the module knows another symbol, or none, by this name");
        report.push(Rule::SymbolName, place, message);
    }
}

pub(super) fn check_function(
    module: &Module,
    id: FuncId,
    function: &Function,
    options: &Options<'_>,
    report: &mut Report<'_>,
) {
    check_name(module, Symbol::Function(id), report);
    report.work += 1;
    report.note(safety::of_declaration(function));
    let place = Place::Symbol(Symbol::Function(id));
    let mut fail = |rule, message: fmt::Arguments<'_>| report.push(rule, place, message);
    let defined = function.linkage.is_defined_here();
    match &function.body {
        None if defined => fail(
            Rule::FunctionBody,
            format_args!("the function has no body; declare it `import` if another module has it"),
        ),
        Some(_) if !defined => {
            fail(Rule::FunctionBody, format_args!("the function is declared as defined elsewhere"));
        }
        Some(body) if body.layout.entry().is_none() => {
            fail(Rule::FunctionBody, format_args!("the function has no blocks"));
        }
        _ => {}
    }
    if let Some(level) = function.attributes.opt_level.filter(|&level| level > 3) {
        let message = format_args!("optimisation level {level} is not 0 to 3");
        fail(Rule::Attribute, message);
    }
    if function.attributes.targets.iter().any(|target| target.is_empty()) {
        fail(Rule::Attribute, format_args!("a target string is empty"));
    }
    if function.attributes.returns == Returns::Twice && !function.linkage.is_foreign() {
        fail(Rule::Attribute, format_args!("only a foreign function returns twice"));
    }
    if !module.types.contains_sig(function.sig) {
        fail(Rule::UnknownHandle, format_args!("{} is no signature of the module", function.sig));
        return;
    }
    let signature = module.types.sig(function.sig);
    let foreign = function.linkage.is_foreign();
    let by_platform = foreign || signature.arity == Arity::Variadic;
    if by_platform != (signature.convention == Convention::Platform) {
        let message = match by_platform {
            true => "a foreign function has the internal convention",
            false => {
                "only foreign functions and those of variable arguments can have the platform's \
                 convention"
            }
        };
        fail(Rule::Convention, format_args!("{message}"));
    }
    let mut types = signature.param_types().chain(signature.result_types());
    if options.border > Dialect::Front
        && let Some(aggregate) = types.find(|ty| ty.is_aggregate())
    {
        let message = format_args!(
            "`{}` in the signature must be flattened before this border",
            module.types.display(aggregate)
        );
        fail(Rule::Dialect, message);
    }
}
