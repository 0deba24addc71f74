//! Alias classes and data objects.

use std::fmt;

use super::write_linkage;
use crate::entity::AliasClass;
use crate::module::{Content, DataItem, DataObject, Module, Storage, Symbol};
use crate::text::literal::write_scalar;
use crate::text::quote::{write_name, write_quoted_bytes};
use crate::types::Scalar;

/// Lines of data are broken at this width.
const WIDTH: usize = 100;

pub(crate) fn write_class(
    f: &mut dyn fmt::Write,
    module: &Module,
    class: AliasClass,
) -> fmt::Result {
    f.write_str("class ")?;
    write_class_name(f, module, class)?;
    if let Some(parent) = module.class(class).and_then(|data| data.parent.expand()) {
        f.write_str(" in ")?;
        write_class_name(f, module, parent)?;
    }
    f.write_str("\n")
}

pub(super) fn write_class_name(
    f: &mut dyn fmt::Write,
    module: &Module,
    class: AliasClass,
) -> fmt::Result {
    f.write_char('!')?;
    match module.class(class) {
        Some(data) => write_name(f, &data.name),
        None => write!(f, "\"?{class}\""),
    }
}

pub(super) fn write_symbol(f: &mut dyn fmt::Write, module: &Module, symbol: Symbol) -> fmt::Result {
    let known = match symbol {
        Symbol::Function(id) => module.function(id).map(|function| &function.name),
        Symbol::Data(id) => module.data(id).map(|object| &object.name),
    };
    f.write_char('@')?;
    match (known, symbol) {
        (Some(name), _) => write_name(f, name),
        (None, Symbol::Function(id)) => write!(f, "\"?{id}\""),
        (None, Symbol::Data(id)) => write!(f, "\"?{id}\""),
    }
}

pub(super) fn write_data(
    f: &mut dyn fmt::Write,
    module: &Module,
    object: &DataObject,
) -> fmt::Result {
    let defined = object.linkage.is_defined_here();
    write_linkage(f, object.linkage)?;
    f.write_str("data @")?;
    write_name(f, &object.name)?;
    let size = object.items.iter().map(DataItem::size).fold(0, u64::saturating_add);
    if !defined || object.size != size {
        write!(f, " size {}", object.size)?;
    }
    if object.align_log2 != DataObject::default_align_log2(object.size) {
        write!(f, " align {}", 1_u64 << object.align_log2.min(63))?;
    }
    if object.content == Content::Constant {
        f.write_str(" const")?;
    }
    if object.storage == Storage::ThreadLocal {
        f.write_str(" thread_local")?;
    }
    if defined || !object.items.is_empty() {
        f.write_str(" = ")?;
        write_items(f, module, &object.items)?;
    }
    f.write_str("\n")
}

fn write_items(f: &mut dyn fmt::Write, module: &Module, items: &[DataItem]) -> fmt::Result {
    if let [] | [_] = items {
        f.write_str("{")?;
        for item in items {
            f.write_str(" ")?;
            write_item(f, module, item)?;
        }
        return f.write_str(" }");
    }
    f.write_str("{\n")?;
    for item in items {
        f.write_str("    ")?;
        write_item(f, module, item)?;
        f.write_str(",\n")?;
    }
    f.write_str("}")
}

fn write_item(f: &mut dyn fmt::Write, module: &Module, item: &DataItem) -> fmt::Result {
    match item {
        DataItem::Numbers { scalar, values } => write_numbers(f, *scalar, values),
        DataItem::Bytes(bytes) => {
            f.write_str("bytes ")?;
            write_quoted_bytes(f, bytes)
        }
        DataItem::Zero(count) => write!(f, "zero {count}"),
        DataItem::Address { symbol, addend } => {
            f.write_str("ptr ")?;
            write_symbol(f, module, *symbol)?;
            match addend {
                0 => Ok(()),
                addend => write!(f, "{addend:+}"),
            }
        }
    }
}

fn write_numbers(f: &mut dyn fmt::Write, scalar: Scalar, values: &[u128]) -> fmt::Result {
    write!(f, "{} ", scalar.name())?;
    if let [value] = values {
        return write_scalar(f, *value, scalar);
    }
    f.write_str("[")?;
    let mut column = 0;
    let mut number = String::new();
    for (i, &value) in values.iter().enumerate() {
        number.clear();
        write_scalar(&mut number, value, scalar)?;
        let breaks = column + number.len() > WIDTH;
        match i {
            0 => {}
            _ if breaks => f.write_str(",\n        ")?,
            _ => f.write_str(", ")?,
        }
        column = if breaks { 0 } else { column } + number.len() + 2;
        f.write_str(&number)?;
    }
    f.write_str("]")
}
