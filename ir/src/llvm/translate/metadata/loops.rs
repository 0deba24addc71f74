//! Wishes about loops.

use crate::attribute::LoopFlags;
use crate::dominators::Dominators;
use crate::flow::FlowGraph;
use crate::instruction::{InstData, MAX_UNROLL, Payload};
use crate::llvm::syntax::{BlockId, Instruction, Kind, MetadataId, MetadataItem};
use crate::llvm::translate::function::Translator;
use crate::op::Op;
use crate::types::Type;

impl Translator<'_, '_> {
    /// Notes what is wished of the loop that a branch goes back in.
    pub(super) fn note_loop(&mut self, inst: &Instruction, id: MetadataId) {
        let Some(unroll) = self.unroll_count(id) else { return };
        let headers: [Option<BlockId>; 2] = match inst.kind {
            Kind::Branch(to) => [Some(to), None],
            Kind::ConditionalBranch { yes, no, .. } => [Some(yes), Some(no)],
            _ => return,
        };
        for header in headers.into_iter().flatten() {
            if let Some(block) = self.graph.block(header) {
                self.says.unrolled.push((block, unroll));
            }
        }
    }

    /// How often a loop is to be unrolled: once if it is not to be.
    fn unroll_count(&self, id: MetadataId) -> Option<u32> {
        /// A loop has fewer wishes than this.
        const MAX_WISHES: usize = 32;
        let items = self.shared.tuple(id)?;
        items.iter().take(MAX_WISHES).find_map(|item| {
            let &MetadataItem::Node(wish) = item else { return None };
            if wish == id {
                return None;
            }
            let parts = self.shared.tuple(wish)?;
            let Some(MetadataItem::String(name)) = parts.first() else { return None };
            match (&**name, parts.get(1)) {
                (b"llvm.loop.unroll.disable", _) => Some(1),
                (b"llvm.loop.unroll.count", Some(MetadataItem::Integer { value, .. })) => {
                    let count = u32::try_from(*value).ok();
                    count.filter(|count| (1..=MAX_UNROLL).contains(count))
                }
                _ => None,
            }
        })
    }

    /// Marks the headers of the loops of which something is wished.
    pub(in crate::llvm::translate) fn mark_loops(&mut self) {
        let mut wishes = std::mem::take(&mut self.says.unrolled);
        if wishes.is_empty() {
            return;
        }
        wishes.sort_by_key(|&(block, _)| block);
        wishes.dedup_by_key(|&mut (block, _)| block);
        let graph = FlowGraph::new(&self.body);
        let dominators = Dominators::new(&graph);
        for (header, unroll) in wishes {
            let goes_back = |&from: &_| dominators.dominates(header, from);
            let Some(first) = self.body.layout.first_inst(header) else { continue };
            if graph.predecessors(header).iter().any(goes_back) {
                let args = self.body.list(&[]);
                let payload = Payload::LoopMark { flags: LoopFlags::empty(), unroll };
                let mark = InstData::new(Op::LoopMark, Type::NONE, args, payload);
                let mark = InstData { loc: self.body.loc(first), ..mark };
                self.body.insert_inst(first, mark, &[]);
            }
        }
    }
}
