//! From the recipe of an op to its instruction.

use brolga_ir::instruction::Payload;
use brolga_ir::op::Op;
use brolga_ir::types::Type;

use super::recipe::{Recipe, recipe_of};
use super::writer::Writer;

impl Writer<'_> {
    /// An instruction of `op`, with what it needs; nothing where none can be made.
    pub(super) fn emit(&mut self, op: Op, nest: usize) -> Option<()> {
        match recipe_of(op) {
            Recipe::Row => self.emit_row(op),
            Recipe::Guarded => self.emit_guarded(op),
            Recipe::Permitted => self.emit_permitted(op),
            Recipe::IntCompare => self.emit_int_compare(),
            Recipe::FloatCompare => self.emit_float_compare(),
            Recipe::Shuffle => self.emit_shuffle(),
            Recipe::MakeVector => self.emit_make_vector(),
            Recipe::ExtractLane => self.emit_extract_lane(),
            Recipe::InsertLane => self.emit_insert_lane(),
            Recipe::MakeAggregate => self.emit_make_aggregate(),
            Recipe::ExtractValue => self.emit_extract_value(),
            Recipe::InsertValue => self.emit_insert_value(),
            Recipe::SlotLoad => self.emit_slot_load(),
            Recipe::SlotStore => self.emit_slot_store(),
            Recipe::SlotReset => self.emit_slot_reset(op),
            Recipe::DataLoad => self.emit_data_load(),
            Recipe::DataStore => self.emit_data_store(),
            Recipe::FunctionAddr => self.emit_function_addr(),
            Recipe::FunctionToPtr | Recipe::PtrToFunction => self.emit_function_to_ptr(),
            Recipe::Call => self.emit_call(),
            Recipe::CallIndirect | Recipe::CallPtr => self.emit_call_indirect(op),
            Recipe::TryCall => self.emit_try_call(op, nest),
            Recipe::Check => self.emit_check(),
            Recipe::Poll => {
                self.push(op, Type::NONE, &[], Payload::None);
                Some(())
            }
            Recipe::Flow => None,
            Recipe::CurrentException => self.emit_current_exception(),
            Recipe::Prefetch => self.emit_prefetch(),
            Recipe::Fence => self.emit_fence(),
            Recipe::Assume => self.emit_assume(),
            raw_or_managed => self.emit_by_address(op, raw_or_managed),
        }
    }

    fn emit_by_address(&mut self, op: Op, recipe: Recipe) -> Option<()> {
        match recipe {
            Recipe::SlotAddr => {
                self.slot_pointer();
                Some(())
            }
            Recipe::DataAddr => {
                self.lasting_pointer();
                Some(())
            }
            Recipe::PtrAdd => self.emit_ptr_add(),
            Recipe::PtrToInt => self.emit_ptr_to_int(),
            Recipe::IntToPtr => self.emit_int_to_ptr(),
            Recipe::Load => self.emit_load(),
            Recipe::Store => self.emit_store(),
            Recipe::MaskedLoad => self.emit_masked_load(),
            Recipe::MaskedStore => self.emit_masked_store(),
            Recipe::Bulk => self.emit_bulk(op),
            Recipe::Stack => self.emit_stack(),
            Recipe::AtomicLoad => self.emit_atomic_load(),
            Recipe::AtomicStore => self.emit_atomic_store(),
            Recipe::AtomicRmw => self.emit_atomic_rmw(),
            Recipe::AtomicCas => self.emit_atomic_cas(),
            Recipe::AtomicModify => self.emit_atomic_modify(),
            Recipe::CallForeign => self.emit_call_foreign(),
            managed => self.emit_managed(op, managed),
        }
    }

    fn emit_managed(&mut self, op: Op, recipe: Recipe) -> Option<()> {
        match recipe {
            Recipe::AllocObject => self.emit_alloc_object(),
            Recipe::TypeOf => self.emit_typeof(),
            Recipe::Preserve => self.emit_preserve(),
            Recipe::WriteBarrier => self.emit_write_barrier(),
            Recipe::Safepoint => self.emit_safepoint(),
            Recipe::PointerFromRef => self.emit_pointer_from_ref(),
            Recipe::AddressCast => self.emit_address_cast(),
            Recipe::DerivedAdd => self.emit_derived_add(),
            Recipe::ArrayNew => self.emit_array_new(),
            Recipe::ArrayLen => self.emit_array_len(),
            Recipe::ArrayGet => self.emit_array_get(),
            Recipe::ArraySet => self.emit_array_set(),
            Recipe::BoxedCall => self.emit_boxed_call(),
            Recipe::Feature => self.emit_feature(op),
            other => unreachable!("{other:?} has its arm elsewhere"),
        }
    }

    /// A promise that is true: a number cut to seven is below eight.
    fn emit_assume(&mut self) -> Option<()> {
        let (small, limit) = (self.small(Type::I32, 7), self.number_of(Type::I32, 8));
        let payload = Payload::IntCond(brolga_ir::attribute::IntCond::Ult);
        let holds = self.compute_with(Op::Icmp, Type::I32, &[small, limit], payload);
        self.push(Op::Assume, Type::NONE, &[holds], Payload::None);
        Some(())
    }
}
