//! Data objects.

use std::fmt::Write as _;

use super::constant::scalar_constant;
use super::name::{push_quoted, symbol};
use super::types::scalar_text;
use crate::module::{Content, DataItem, DataObject, Linkage, Module, Storage};
use crate::types::Scalar;

/// Writes a data object: a packed struct of its pieces.
pub(super) fn write_object(text: &mut String, module: &Module, object: &DataObject) {
    text.push_str(&symbol(&object.name));
    let is_outer = !object.linkage.is_defined_here();
    let linkage = match object.linkage {
        Linkage::Export => "",
        Linkage::Weak => "weak ",
        Linkage::Local => "internal ",
        Linkage::ForeignWeak => "extern_weak ",
        Linkage::Import | Linkage::Foreign => "external ",
    };
    let storage = match object.storage {
        Storage::Shared => "",
        Storage::ThreadLocal => "thread_local ",
    };
    let content = match object.content {
        Content::Mutable => "global",
        Content::Constant => "constant",
    };
    let _ = write!(text, " = {linkage}{storage}{content} ");
    match is_outer {
        true => drop(write!(text, "[{} x i8]", object.size)),
        false => push_items(text, module, &object.items),
    }
    let _ = writeln!(text, ", align {}", object.layout().align);
}

/// Writes type and value of the pieces.
fn push_items(text: &mut String, module: &Module, items: &[DataItem]) {
    let types: Vec<String> = items.iter().map(item_type).collect();
    let _ = write!(text, "<{{{}}}> <{{", types.join(", "));
    for (index, (item, ty)) in items.iter().zip(&types).enumerate() {
        let comma = if index == 0 { "" } else { ", " };
        let _ = write!(text, "{comma}{ty} ");
        push_value(text, module, item);
    }
    text.push_str("}>");
}

fn item_type(item: &DataItem) -> String {
    match item {
        // One behind the other, they stand at multiples of 16 bytes in an array.
        DataItem::Numbers { scalar: Scalar::X86Fp80, .. }
        | DataItem::Numbers { scalar: Scalar::I1, .. } => format!("[{} x i8]", item.size()),
        DataItem::Numbers { scalar, values } => {
            format!("[{} x {}]", values.len(), scalar_text(*scalar))
        }
        DataItem::Bytes(bytes) => format!("[{} x i8]", bytes.len()),
        DataItem::Zero(count) => format!("[{count} x i8]"),
        DataItem::Address { .. } => "ptr".to_owned(),
    }
}

fn push_value(text: &mut String, module: &Module, item: &DataItem) {
    match item {
        DataItem::Numbers { scalar: scalar @ (Scalar::X86Fp80 | Scalar::I1), values } => {
            let size = scalar.layout().size as usize;
            let bytes = values.iter().flat_map(|value| value.to_le_bytes()[..size].to_vec());
            push_bytes(text, &bytes.collect::<Vec<u8>>());
        }
        DataItem::Numbers { scalar, values } => push_numbers(text, *scalar, values),
        DataItem::Bytes(bytes) => push_bytes(text, bytes),
        DataItem::Zero(_) => text.push_str("zeroinitializer"),
        DataItem::Address { symbol: target, addend } => {
            let name = symbol(module.symbol_name(*target));
            let _ = match addend {
                0 => write!(text, "{name}"),
                addend => write!(text, "getelementptr (i8, ptr {name}, i64 {addend})"),
            };
        }
    }
}

fn push_numbers(text: &mut String, scalar: Scalar, values: &[u128]) {
    if values.is_empty() {
        return text.push_str("zeroinitializer");
    }
    for (index, &value) in values.iter().enumerate() {
        let before = if index == 0 { "[" } else { ", " };
        let number = scalar_constant(scalar, value);
        let _ = write!(text, "{before}{} {number}", scalar_text(scalar));
    }
    text.push(']');
}

fn push_bytes(text: &mut String, bytes: &[u8]) {
    match bytes.is_empty() {
        true => text.push_str("zeroinitializer"),
        false => {
            text.push('c');
            push_quoted(text, bytes);
        }
    }
}
