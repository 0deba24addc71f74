//! What a module holds beside functions: its types, and its data.

use brolga_ir::entity::DataId;
use brolga_ir::module::{Content, DataItem, DataObject, Linkage, Storage, Symbol};
use brolga_ir::types::{Packing, Scalar};

use super::operand::lane_bits;
use super::program::{DataFacts, Program};
use super::shapes::{COLUMNS, PITCH, REALS, ROOM, ROWS};

/// Room for all slots of a function.
const REMAINS_SIZE: u64 = 600;

impl Program {
    pub(super) fn make_aggregates(&mut self) {
        for _ in 0..self.random.between(2, 4) {
            let mut parts = Vec::new();
            for _ in 0..self.random.between(1, 4) {
                let nested = !self.aggregates.is_empty() && self.random.percent(20);
                parts.push(match nested {
                    true => self.random.pick(&self.aggregates.clone()),
                    false => self.with_writer(|writer| writer.number_type()),
                });
            }
            let types = &mut self.module.types;
            let made = match self.random.below(3) {
                0 => types.array(parts[0], self.random.between(1, 4) as u64),
                1 => types.structure(&parts, Packing::Packed),
                _ => types.structure(&parts, Packing::Natural),
            };
            self.aggregates.push(made.unwrap_or_else(|error| panic!("{error}")));
        }
    }

    pub(super) fn declare_data(&mut self) {
        let mut objects = Vec::new();
        for (name, content) in
            [("bytes", Content::Mutable), ("state", Content::Mutable), ("table", Content::Constant)]
        {
            let items = self.draw_items();
            let linkage = self.random.pick(&[Linkage::Export, Linkage::Export, Linkage::Weak]);
            objects.push(DataObject {
                content,
                linkage,
                ..DataObject::new(&self.own(name), items)
            });
        }
        let items = self.draw_items();
        let remains = DataObject::new(&self.own("remains"), vec![DataItem::Zero(REMAINS_SIZE)]);
        self.remains = self.module.declare_data(remains).ok();
        let storage = Storage::ThreadLocal;
        objects.push(DataObject { storage, ..DataObject::new(&self.own("local"), items) });
        for object in objects {
            let facts = DataFacts {
                id: DataId::from_u32(0),
                size: object.size,
                align_log2: object.align_log2.into(),
                is_constant: object.content == Content::Constant,
            };
            let id = self.module.declare_data(object).unwrap_or_else(|error| panic!("{error}"));
            self.data.push(DataFacts { id, ..facts });
        }
    }

    /// At least 64 bytes of every kind of item.
    fn draw_items(&mut self) -> Vec<DataItem> {
        let scalar = self.random.pick(&[
            Scalar::I8,
            Scalar::I16,
            Scalar::I32,
            Scalar::I64,
            Scalar::I128,
            Scalar::F16,
            Scalar::Bf16,
            Scalar::F32,
            Scalar::F64,
        ]);
        let count = 64 / scalar.layout().size;
        let values = (0..count).map(|_| lane_bits(&mut self.random, scalar)).collect();
        let mut items = vec![DataItem::Numbers { scalar, values }];
        if self.random.percent(50) {
            let count = self.random.between(1, 40);
            items.push(DataItem::Bytes((0..count).map(|_| self.random.bits() as u8).collect()));
        }
        items.push(DataItem::Zero(self.random.between(1, 100) as u64));
        items
    }

    pub(super) fn declare_addresses(&mut self) {
        let mutable: Vec<DataId> =
            self.data.iter().filter(|data| !data.is_constant).map(|data| data.id).collect();
        let address = |symbol| DataItem::Address { symbol, addend: 0 };
        let items = vec![
            address(Symbol::Data(mutable[0])),
            address(Symbol::Data(mutable[1])),
            address(Symbol::Function(self.callables[0].id)),
        ];
        let content = Content::Constant;
        let object = DataObject { content, ..DataObject::new(&self.own("addresses"), items) };
        self.addresses = self.module.declare_data(object).ok();
    }

    /// Matrices, in few programs, as they are large.
    fn declare_matrices(&mut self) {
        if self.random.percent(12) {
            self.matrices = Some([0, 1].map(|number| self.declare_matrix(number)));
        }
    }

    fn declare_matrix(&mut self, number: usize) -> DataId {
        let mut items = Vec::new();
        for _ in 0..ROWS {
            let values = (0..COLUMNS).map(|_| lane_bits(&mut self.random, Scalar::I64)).collect();
            items.push(DataItem::Numbers { scalar: Scalar::I64, values });
            items.push(DataItem::Zero(PITCH - COLUMNS * 8));
        }
        let object = DataObject::new(&self.own(&format!("matrix{number}")), items);
        self.module.declare_data(object).unwrap_or_else(|error| panic!("{error}"))
    }

    pub(super) fn declare_fields(&mut self) {
        self.declare_matrices();
        for number in 0..2 {
            let items = vec![DataItem::Zero(ROOM)];
            let name = self.own(&format!("field{number}"));
            let field = DataObject { align_log2: 4, ..DataObject::new(&name, items) };
            self.fields.extend(self.module.declare_data(field));
        }
        for (index, scalar, one) in
            [(0, Scalar::F32, 0x3f80_0000), (1, Scalar::F64, 0x3ff0_0000_0000_0000)]
        {
            // Nothing, one, and two: the next power of two is the next exponent.
            let two = if index == 0 { one + (1 << 23) } else { one + (1 << 52) };
            let values = (0..REALS).map(|_| self.random.pick(&[0, one, one, two])).collect();
            let items = vec![DataItem::Numbers { scalar, values }];
            let object = DataObject::new(&self.own(&format!("reals{index}")), items);
            self.reals[index] =
                self.module.declare_data(object).unwrap_or_else(|error| panic!("{error}"));
        }
    }
}
