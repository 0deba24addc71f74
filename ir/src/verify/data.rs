//! Data objects.

use std::fmt;

use super::declarations::check_name;
use super::report::{Place, Report};
use super::{Rule, safety};
use crate::constant::mask;
use crate::entity::DataId;
use crate::module::{DataItem, DataObject, Linkage, MAX_DATA_ALIGN_LOG2, Module, Storage, Symbol};
use crate::op::TypeClass;
use crate::types::{MAX_AGGREGATE_SIZE, Type};

/// The largest data object, in bytes.
pub const MAX_DATA_SIZE: u64 = MAX_AGGREGATE_SIZE;

pub(super) fn check(module: &Module, id: DataId, object: &DataObject, report: &mut Report<'_>) {
    let symbol = Symbol::Data(id);
    check_name(module, symbol, report);
    report.work += 1;
    report.note(safety::of_data(object));
    for item in &object.items {
        check_item(module, symbol, item, report);
    }
    let place = Place::Symbol(symbol);
    let mut fail = |message: fmt::Arguments<'_>| report.push(Rule::DataLayout, place, message);
    let sum = object.items.iter().map(DataItem::size).fold(0, u64::saturating_add);
    match object.linkage {
        linkage if !linkage.is_defined_here() && !object.items.is_empty() => {
            fail(format_args!(
                "the object has items, but another module or the process defines it"
            ));
        }
        linkage if linkage.is_defined_here() && sum != object.size => {
            fail(format_args!("the items have {sum} bytes, the object says {}", object.size));
        }
        _ => {}
    }
    if object.size > MAX_DATA_SIZE {
        fail(format_args!("{} bytes are more than the limit of {MAX_DATA_SIZE}", object.size));
    }
    if object.align_log2 > MAX_DATA_ALIGN_LOG2 {
        let (align, limit) = (object.align_log2, 1 << MAX_DATA_ALIGN_LOG2);
        fail(format_args!("an alignment of 2^{align} bytes is more than {limit}"));
    }
    if object.linkage == Linkage::ForeignWeak && object.size != 0 {
        fail(format_args!(
            "an object that may not be there has no size here: it is accessed by its address"
        ));
    }
    if object.linkage.is_foreign() && object.storage == Storage::ThreadLocal {
        fail(format_args!(
            "foreign data cannot be thread-local; get its address by a foreign call"
        ));
    }
}

fn check_item(module: &Module, owner: Symbol, item: &DataItem, report: &mut Report<'_>) {
    report.work += 1;
    let place = Place::Symbol(owner);
    let mut fail = |rule, message: fmt::Arguments<'_>| report.push(rule, place, message);
    match item {
        DataItem::Numbers { scalar, values } => {
            if !TypeClass::Number.contains(Type::scalar(*scalar)) {
                let message = format_args!("`{}` has no numbers to list", scalar.name());
                return fail(Rule::DataItem, message);
            }
            let wide = values.iter().position(|&value| value > mask(scalar.bits()));
            if let Some(index) = wide {
                let message = format_args!(
                    "number {index} has bits {:#x}, more than `{}` has",
                    values[index],
                    scalar.name()
                );
                fail(Rule::DataItem, message);
            }
            report.work += values.len() as u64;
        }
        DataItem::Address { symbol: Symbol::Function(id), .. } => {
            if module.function(*id).is_none() {
                fail(Rule::UnknownHandle, format_args!("{id} is no function of the module"));
            }
        }
        DataItem::Address { symbol: Symbol::Data(id), .. } => match module.data(*id) {
            None => fail(Rule::UnknownHandle, format_args!("{id} is no data object of the module")),
            Some(target) if target.storage == Storage::ThreadLocal => {
                let message = format_args!("`@{}` has an address in each thread", target.name);
                fail(Rule::DataItem, message);
            }
            Some(_) => {}
        },
        DataItem::Bytes(_) | DataItem::Zero(_) => {}
    }
}
