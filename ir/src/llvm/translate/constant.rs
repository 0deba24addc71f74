//! Constants that instructions take.

use smallvec::SmallVec;

use super::Resolved;
use super::function::Translator;
use super::pieces::PIECE;
use super::wide::{all_words, word_count};
use crate::attribute::InstFlags;
use crate::constant::Constant;
use crate::entity::Value;
use crate::instruction::Payload;
use crate::llvm::syntax::{
    self, ConstantData, ConstantId, Flags, GlobalId, Operand, TypeId, Typed,
};
use crate::module::Symbol;
use crate::op::Op;
use crate::text::Parsed;
use crate::types::Type;

impl<'a, 't> Translator<'a, 't> {
    /// The value of a constant.
    pub(super) fn constant(&mut self, id: ConstantId) -> Parsed<Value> {
        let held;
        let constant = match self.function_constant(id) {
            Some(constant) => constant,
            None => {
                held = self.shared.syntax.constants[id.index()].clone();
                &held
            }
        };
        let ty = constant.ty;
        match &constant.data {
            ConstantData::Integer(bits) | ConstantData::Float(bits) => {
                let carrier = self.ty(ty)?;
                Ok(self.number(carrier, *bits))
            }
            ConstantData::Zero | ConstantData::Undef | ConstantData::Poison => self.zero(ty),
            data => self.make_constant(ty, data),
        }
    }

    /// The constant, if it is one of the function's own.
    fn function_constant(&self, id: ConstantId) -> Option<&'a syntax::Constant<'t>> {
        let function = self.function;
        let index = id.index().checked_sub(self.shared.syntax.constants.len())?;
        function.constants.get(index)
    }

    /// The constant.
    pub(super) fn constant_of(&self, id: ConstantId) -> &syntax::Constant<'t> {
        let own = self.function_constant(id);
        own.unwrap_or_else(|| &self.shared.syntax.constants[id.index()])
    }

    /// The bits of an operand that is an integer constant.
    pub(super) fn as_number(&self, operand: Operand) -> Option<u128> {
        let Operand::Constant(id) = operand else { return None };
        self.number_of(id)
    }

    /// The bits of a constant that is an integer, or the same integer in every lane.
    pub(super) fn number_of(&self, id: ConstantId) -> Option<u128> {
        match self.constant_of(id).data {
            ConstantData::Integer(bits) => Some(bits),
            ConstantData::Zero | ConstantData::Undef | ConstantData::Poison => Some(0),
            ConstantData::Splat(lane) => self.number_of(lane),
            ConstantData::Numbers(ref lanes) => {
                lanes.iter().all(|lane| lane == &lanes[0]).then(|| lanes[0].into())
            }
            _ => None,
        }
    }

    /// The value of `ty` whose bits are all zero.
    pub(super) fn zero(&mut self, ty: TypeId) -> Parsed<Value> {
        let carrier = self.ty(ty)?;
        match Constant::zero(carrier) {
            Some(constant) => Ok(self.body.constant(constant)),
            None => Err(self.unsupported("such a type has no zero")),
        }
    }

    fn make_constant(&mut self, ty: TypeId, data: &ConstantData<'t>) -> Parsed<Value> {
        match data {
            // What is but one number has been dealt with.
            ConstantData::Integer(_)
            | ConstantData::Float(_)
            | ConstantData::Zero
            | ConstantData::Undef
            | ConstantData::Poison => self.zero(ty),
            ConstantData::WideInteger(pairs) => {
                let carrier = self.shared.carrier(ty, self.at)?;
                let words = all_words(pairs).take(word_count(carrier.bits));
                let words = words.map(|word| self.word(word)).collect();
                Ok(self.of_words(carrier, words))
            }
            ConstantData::Bytes(bytes) => self.numbers(ty, bytes.iter().map(|&byte| byte.into())),
            ConstantData::Numbers(numbers) => {
                self.numbers(ty, numbers.iter().map(|&number| number.into()))
            }
            ConstantData::Aggregate(parts) => self.aggregate(ty, parts),
            ConstantData::Splat(lane) => {
                let (lane, carrier) = (self.constant(*lane)?, self.ty(ty)?);
                match self.pieced(ty)? {
                    None => Ok(self.splat(carrier, lane)),
                    Some(pieced) => {
                        let piece = self.splat(pieced.piece.ty, lane);
                        let count = pieced.lanes.div_ceil(PIECE) as usize;
                        self.join(&vec![piece; count], pieced.lanes)
                    }
                }
            }
            ConstantData::Global(global) => self.global(*global),
            ConstantData::BlockAddress { function, block } => {
                if self.ty(ty)? != Type::PTR {
                    return Err(self.invalid("the address of a block is a plain pointer"));
                }
                let number = self.shared.block_number(*function, (**block).clone());
                Ok(self.number(Type::PTR, number.into()))
            }
            ConstantData::Asm { .. } | ConstantData::Metadata(_) => {
                Err(self.invalid("only calls take inline assembly and metadata"))
            }
            _ => self.expression(ty, data),
        }
    }

    /// What an expression comes to: the ops that it names.
    fn expression(&mut self, ty: TypeId, data: &ConstantData<'t>) -> Parsed<Value> {
        match data {
            ConstantData::Cast { op, value } => {
                let from = self.constant_of(*value).ty;
                let value = self.constant(*value)?;
                self.cast(*op, value, (from, ty), Flags::empty())
            }
            ConstantData::Binary { op, left, right } => {
                let (left, right) = (self.constant(*left)?, self.constant(*right)?);
                self.binary(*op, ty, (left, right), Flags::empty())
            }
            ConstantData::GetElementPointer { element, base, indices } => {
                let base = self.typed(*base);
                let indices: SmallVec<[Typed; 4]> =
                    indices.iter().map(|&index| self.typed(index)).collect();
                self.element_pointer(*element, base, &indices, InstFlags::empty())
            }
            ConstantData::ExtractElement { vector, index } => {
                let (vector, index) = (self.typed(*vector), self.typed(*index));
                self.extract_element(vector, index)
            }
            ConstantData::InsertElement { vector, value, index } => {
                let (vector, value) = (self.typed(*vector), self.typed(*value));
                let index = self.typed(*index);
                self.insert_element(vector, value, index)
            }
            ConstantData::Shuffle { left, right, mask } => {
                let (left, mask) = (self.typed(*left), self.typed(*mask));
                self.shuffle(left, Operand::Constant(*right), mask)
            }
            ConstantData::ICmp { condition, left, right } => {
                let of = self.constant_of(*left).ty;
                let operands = (self.constant(*left)?, self.constant(*right)?);
                self.compare(*condition, of, operands)
            }
            ConstantData::FCmp { condition, left, right } => {
                let of = self.constant_of(*left).ty;
                let operands = (self.constant(*left)?, self.constant(*right)?);
                self.compare_floats(*condition, of, operands)
            }
            ConstantData::Select { condition, yes, no } => {
                let (condition, yes) = (self.typed(*condition), self.typed(*yes));
                self.select(condition, yes, Operand::Constant(*no))
            }
            // All others are no expressions.
            _ => self.zero(ty),
        }
    }

    fn typed(&self, id: ConstantId) -> Typed {
        Typed { ty: self.constant_of(id).ty, value: Operand::Constant(id) }
    }

    /// An array or vector of numbers.
    fn numbers(
        &mut self,
        ty: TypeId,
        numbers: impl ExactSizeIterator<Item = u128>,
    ) -> Parsed<Value> {
        let carrier = self.ty(ty)?;
        self.shared.charge(numbers.len() as u64, self.at)?;
        if let Some(pieced) = self.pieced(ty)? {
            let lane = pieced.piece.ty.lane_type();
            let lanes: Vec<Value> = numbers.map(|number| self.number(lane, number)).collect();
            return self.pieces_of_lanes(pieced, &lanes);
        }
        if carrier.is_vector() {
            let constant = Constant::vector(carrier, numbers);
            return match constant.or_else(|| Constant::zero(carrier)) {
                Some(constant) => Ok(self.body.constant(constant)),
                None => self.zero(ty),
            };
        }
        let part = self.shared.module.types.field(carrier, 0).unwrap_or(Type::I8);
        let parts: Vec<Value> = numbers.map(|number| self.number(part, number)).collect();
        Ok(self.op(Op::MakeAggregate, carrier, &parts))
    }

    /// A struct, array or vector of those parts.
    fn aggregate(&mut self, ty: TypeId, parts: &[ConstantId]) -> Parsed<Value> {
        let carrier = self.ty(ty)?;
        let values: Vec<Value> =
            parts.iter().map(|&part| self.constant(part)).collect::<Parsed<_>>()?;
        match self.pieced(ty)? {
            Some(pieced) => self.pieces_of_lanes(pieced, &values),
            None if carrier.is_vector() => Ok(self.vector_of(carrier, &values)),
            None => Ok(self.op(Op::MakeAggregate, carrier, &values)),
        }
    }

    /// The vector of those lanes.
    pub(super) fn vector_of(&mut self, ty: Type, values: &[Value]) -> Value {
        let lanes: Option<Vec<u128>> =
            values.iter().map(|&value| self.body.as_scalar_constant(value)).collect();
        match lanes.and_then(|lanes| Constant::vector(ty, lanes)) {
            Some(constant) => self.body.constant(constant),
            None => self.op(Op::MakeVector, ty, values),
        }
    }

    /// The address of a global: taken once in each block, so that it neither stands in
    /// the way of other blocks' values nor is taken for each use.
    pub(super) fn global(&mut self, global: GlobalId) -> Parsed<Value> {
        if let Some(&address) = self.addresses.get(&global) {
            return Ok(address);
        }
        let address = self.make_address(global)?;
        self.addresses.insert(global, address);
        Ok(address)
    }

    fn make_address(&mut self, global: GlobalId) -> Parsed<Value> {
        let (symbol, offset) = match self.shared.resolve(global, self.at)? {
            Resolved::Address { symbol, offset } => (symbol, offset),
            Resolved::Null | Resolved::Relative(_) => return Ok(self.number(Type::PTR, 0)),
        };
        self.shared.check_address(symbol, self.at)?;
        let address = match symbol {
            Symbol::Data(data) => {
                self.emit_one(Op::DataAddr, Type::NONE, &[], Payload::Data(data), Type::PTR)
            }
            Symbol::Function(id) => {
                let ty = self.shared.module.function(id).map(|function| function.sig);
                let ty = ty.map_or(Type::NONE, Type::function);
                let payload = Payload::Function(id);
                let reference = self.emit_one(Op::FunctionAddr, ty, &[], payload, ty);
                self.emit_one(Op::FunctionToPtr, ty, &[reference], Payload::None, Type::PTR)
            }
        };
        match offset {
            0 => Ok(address),
            offset => {
                let offset = self.number(Type::I64, offset as u128);
                Ok(self.emit_one(
                    Op::PtrAdd,
                    Type::NONE,
                    &[address, offset],
                    Payload::None,
                    Type::PTR,
                ))
            }
        }
    }

    /// The lane in every lane of a vector.
    pub(super) fn splat(&mut self, vector: Type, lane: Value) -> Value {
        match self.body.as_scalar_constant(lane) {
            Some(bits) => self.number(vector, bits),
            None => self.op(Op::Splat, vector, &[lane]),
        }
    }
}
