use super::*;

/// A layout that knows that many blocks and instructions.
fn layout_of(blocks: usize, insts: usize) -> Layout {
    let mut layout = Layout::default();
    (0..blocks).for_each(|block| layout.admit_block(Block::new(block)));
    (0..insts).for_each(|inst| layout.admit_inst(Inst::new(inst)));
    layout
}

fn order(layout: &Layout, block: Block) -> Vec<usize> {
    layout.insts(block).map(Inst::index).collect()
}

#[test]
fn instructions_keep_their_order_through_insertion_and_removal() {
    let (mut layout, block) = (layout_of(1, 4), Block::new(0));
    layout.append_block(block);
    let inst: Vec<Inst> = (0..4).map(Inst::new).collect();
    layout.append_inst(inst[0], block);
    layout.append_inst(inst[2], block);
    layout.insert_inst_before(inst[1], inst[2]);
    layout.insert_inst_before(inst[3], inst[0]);
    assert_eq!(order(&layout, block), [3, 0, 1, 2]);
    layout.remove_inst(inst[3]);
    layout.remove_inst(inst[2]);
    assert_eq!(order(&layout, block), [0, 1]);
    assert_eq!(layout.last_inst(block), Some(inst[1]));
    assert_eq!(layout.block_of(inst[2]), None);
}

#[test]
fn a_tail_moves_to_another_block() {
    let mut layout = layout_of(2, 4);
    let (a, b) = (Block::new(0), Block::new(1));
    layout.append_block(a);
    layout.insert_block_after(b, a);
    for i in 0..4 {
        layout.append_inst(Inst::new(i), a);
    }
    layout.move_tail(Inst::new(2), b);
    assert_eq!(order(&layout, a), [0, 1]);
    assert_eq!(order(&layout, b), [2, 3]);
}

#[test]
fn blocks_keep_their_order() {
    let mut layout = layout_of(3, 0);
    let blocks: Vec<Block> = (0..3).map(Block::new).collect();
    layout.append_block(blocks[0]);
    layout.append_block(blocks[2]);
    layout.insert_block_after(blocks[1], blocks[0]);
    layout.append_block(blocks[1]);
    assert_eq!(layout.blocks().collect::<Vec<_>>(), blocks);
    layout.remove_block(blocks[0]);
    assert_eq!(layout.entry(), Some(blocks[1]));
    layout.remove_block(blocks[2]);
    assert_eq!(layout.last_block(), Some(blocks[1]));
}

#[test]
fn made_up_numbers_change_nothing_and_take_no_memory() {
    let (mut layout, block, inst) = (layout_of(1, 1), Block::new(0), Inst::new(0));
    let (no_block, no_inst) = (Block::from_u32(u32::MAX - 1), Inst::from_u32(u32::MAX - 1));
    layout.append_block(no_block);
    layout.append_block(block);
    layout.append_inst(inst, block);
    let before = layout.clone();
    layout.append_block(no_block);
    layout.insert_block_after(no_block, block);
    layout.insert_block_after(block, no_block);
    layout.remove_block(no_block);
    layout.append_inst(no_inst, block);
    layout.append_inst(inst, no_block);
    layout.insert_inst_before(no_inst, inst);
    layout.insert_inst_before(inst, no_inst);
    layout.remove_inst(no_inst);
    layout.move_tail(inst, no_block);
    layout.move_tail(no_inst, block);
    assert_eq!(layout, before);
    assert!(!layout.is_placed(no_block));
    assert_eq!(layout.block_of(no_inst), None);
}
