//! What random calls choose their operands from.

use super::*;

/// Every handle that some function gave so far.
#[derive(Clone, Default)]
pub(super) struct Handles {
    pub(super) values: Vec<Value>,
    pub(super) blocks: Vec<Block>,
    pub(super) slots: Vec<Slot>,
    pub(super) exits: Vec<Exit>,
    pub(super) variables: Vec<Variable>,
    pub(super) types: Vec<Type>,
    pub(super) targets: Vec<Target>,
    pub(super) tables: Vec<SwitchTable>,
    pub(super) lists: Vec<ImmediateList>,
    pub(super) scopes: Vec<ScopeSet>,
    pub(super) classes: Vec<AliasClass>,
    pub(super) locs: Vec<Loc>,
}

impl Handles {
    /// What a new function has, and one of each further thing made in it.
    pub(super) fn of(b: &mut FunctionBuilder<'_>) -> Handles {
        let pair = b.types().structure(&[Type::I64, Type::I1], Packing::Natural).unwrap();
        let reference = Type::function(b.module.function(b.id()).map_or(SigId::new(0), |f| f.sig));
        let blocks = vec![b.create_block("a"), b.create_block(""), b.create_block("b")];
        let target = b.make_target(blocks[0], &[]).unwrap();
        let scope = b.make_scope("scope");
        let class = b.alias_class("class", None);
        b.set_location("a.jl", 1, 0);
        Handles {
            values: vec![b.param(0), b.param(1)],
            slots: vec![b.create_slot(8)],
            exits: vec![b.create_exit(ExitKind::Trap(TrapCode::Bounds), &[Type::I64])],
            variables: vec![b.declare_variable("v", Type::I64), b.declare_variable("w", Type::REF)],
            types: [TYPES.as_slice(), &[pair, reference]].concat(),
            targets: vec![target],
            tables: vec![b.make_switch(vec![], vec![target])],
            lists: vec![b.make_immediates(&[0]), b.make_immediates(&[])],
            scopes: vec![b.make_scope_set(&[scope])],
            classes: vec![class],
            locs: b.loc.expand().into_iter().collect(),
            blocks,
        }
    }

    pub(super) fn extend(&mut self, others: &Handles) {
        self.values.extend(&others.values);
        self.blocks.extend(&others.blocks);
        self.slots.extend(&others.slots);
        self.exits.extend(&others.exits);
        self.variables.extend(&others.variables);
        self.types.extend(&others.types);
        self.targets.extend(&others.targets);
        self.tables.extend(&others.tables);
        self.lists.extend(&others.lists);
        self.scopes.extend(&others.scopes);
        self.classes.extend(&others.classes);
        self.locs.extend(&others.locs);
    }
}

/// A handle of the list; any number names one.
pub(super) fn pick<T: Copy>(list: &[T], number: u8) -> T {
    list[usize::from(number) % list.len()]
}

const TYPES: [Type; 8] =
    [Type::I64, Type::I1, Type::F64, Type::PTR, Type::REF, Type::CALLEE, Type::TOKEN, Type::NONE];
