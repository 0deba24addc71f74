//! Promises and hints that metadata makes.

mod alias;
mod loops;

use rustc_hash::FxHashMap;

use super::Shared;
use super::function::Translator;
use crate::attribute::AccessFlags;
use crate::body::ValueRange;
use crate::constant::mask;
use crate::entity::{AliasClass, Block, Inst, Value};
use crate::instruction::{Access, Payload};
use crate::llvm::parse;
use crate::llvm::syntax::{
    Attachment, Instruction, Kind, MetadataId, MetadataItem, Node, TypeData, TypeId,
};
use crate::op::Op;
use crate::text::Parsed;
use crate::types::Type;

/// What metadata of the module has been found to say.
#[derive(Default)]
pub(super) struct ModuleSays {
    /// The alias class of each access tag, if it is one.
    tags: FxHashMap<MetadataId, Option<AliasClass>>,
    /// The type of each node of the tree of types, and the name of its class.
    types: FxHashMap<MetadataId, Option<AliasClass>>,
}

/// What metadata has been found to say of one function.
#[derive(Default)]
pub(super) struct FunctionSays {
    scopes: alias::Scopes,
    /// Headers of loops, and how often they are to be unrolled.
    unrolled: Vec<(Block, u32)>,
}

impl<'t> Shared<'t> {
    /// What a piece of metadata says.
    pub(super) fn node(&self, id: MetadataId) -> Option<Node<'t>> {
        parse::metadata(self.text, &self.syntax, id)
    }

    /// The items of a tuple.
    pub(super) fn tuple(&self, id: MetadataId) -> Option<Vec<MetadataItem<'t>>> {
        match self.node(id)? {
            Node::Tuple { items, .. } => Some(items),
            Node::Record { .. } => None,
        }
    }
}

impl Translator<'_, '_> {
    /// The metadata of that kind of an instruction.
    pub(super) fn attachment(&self, inst: &Instruction, kind: Attachment) -> Option<MetadataId> {
        let function = self.function;
        let list = &inst.attachments;
        let attachments = &function.attachments[list.start as usize..list.end as usize];
        attachments.iter().find(|(found, _)| *found == kind).map(|&(_, id)| id)
    }

    /// What metadata says of the access of an instruction.
    pub(super) fn access(&mut self, inst: &Instruction) -> Parsed<Access> {
        let mut access = Access::default();
        if inst.attachments.is_empty() {
            return Ok(access);
        }
        let loaded = match inst.kind {
            Kind::Load { ty, .. } => Some(self.ty(ty)?),
            _ => None,
        };
        let says = |kind| self.attachment(inst, kind).is_some();
        access
            .flags
            .set(AccessFlags::INVARIANT, loaded.is_some() && says(Attachment::InvariantLoad));
        // Alone, `!nonnull` makes of null a value that nothing is said of.
        let is_promised = loaded == Some(Type::PTR) && says(Attachment::NoUndef);
        access.flags.set(AccessFlags::NON_NULL, is_promised && says(Attachment::NonNull));
        access.flags.set(AccessFlags::NON_TEMPORAL, says(Attachment::NonTemporal));
        if let Some(tag) = self.attachment(inst, Attachment::Tbaa) {
            access.class = self.shared.class_of_tag(tag).into();
        }
        if let Some(list) = self.attachment(inst, Attachment::AliasScope) {
            access.scopes = self.scopes_belonged_to(list).into();
        }
        // Two loads may overlap in spite of what they say.
        if let Some(list) = self.attachment(inst, Attachment::NoAlias)
            && matches!(inst.kind, Kind::Store { .. })
        {
            access.no_alias = self.scopes_avoided(list).into();
        }
        Ok(access)
    }

    /// Hints what metadata says of what an instruction has loaded or called.
    pub(super) fn hint_result(
        &mut self,
        inst: &Instruction,
        ty: TypeId,
        value: Value,
    ) -> Parsed<()> {
        let Some(range) = self.attachment(inst, Attachment::Range) else { return Ok(()) };
        let &TypeData::Integer(bits @ (8 | 16 | 32 | 64 | 128)) = self.shared.type_data(ty) else {
            return Ok(());
        };
        let made = self.body.value_def(value);
        if let (Some(range), crate::body::ValueDef::Result(made, 0)) =
            (self.range(range, bits), made)
        {
            self.body.set_range(made, range);
        }
        Ok(())
    }

    /// The range that holds all of those that a node lists, unless it goes around.
    fn range(&self, id: MetadataId, bits: u32) -> Option<ValueRange> {
        let items = self.shared.tuple(id)?;
        let number = |item: &MetadataItem<'_>| match item {
            MetadataItem::Integer { value, .. } => Some(value & mask(bits)),
            _ => None,
        };
        // Of several, the gaps between them are not told.
        let (low, high) = (number(items.first()?)?, number(items.last()?)?);
        (low != high && items.len() % 2 == 0).then_some(ValueRange { low, high })
    }

    /// Hints what metadata says of the branch that was appended last.
    pub(super) fn hint_branch(&mut self, inst: &Instruction) -> Parsed<()> {
        if inst.attachments.is_empty() {
            return Ok(());
        }
        let Some(branch) = self.body.layout.last_inst(self.block) else { return Ok(()) };
        if let Some(id) = self.attachment(inst, Attachment::Profile) {
            self.weigh(branch, id);
        }
        if let Some(id) = self.attachment(inst, Attachment::Loop) {
            self.note_loop(inst, id);
        }
        Ok(())
    }

    /// Gives a branch its weights. LLVM lists that of a switch's default first.
    fn weigh(&mut self, branch: Inst, id: MetadataId) {
        let Some(items) = self.shared.tuple(id) else { return };
        let is_weights = matches!(items.first(),
            Some(MetadataItem::String(name)) if &**name == b"branch_weights");
        let mut weights: Vec<u32> = items
            .iter()
            .filter_map(|item| match item {
                MetadataItem::Integer { value, .. } => Some((*value).min(u32::MAX.into()) as u32),
                _ => None,
            })
            .collect();
        let targets = self.body.targets(branch).len();
        if !is_weights || weights.len() != targets || targets < 2 {
            return;
        }
        if matches!(self.body.inst(branch).payload, Payload::Switch(_)) {
            weights.rotate_left(1);
        }
        if self.body.inst(branch).op != Op::Jump {
            self.body.set_weights(branch, &weights);
        }
    }
}
