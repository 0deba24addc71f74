//! Memory by address. Nothing is known of an address but what the access
//! promises.

use super::code::{FunctionWriter, Typed};
use super::function::hidden;
use super::types::{Shape, scalar_suffix};
use crate::attribute::AccessFlags;
use crate::body::MAX_STACK_OBJECT_ALIGN;
use crate::entity::Inst;
use crate::instruction::Access;
use crate::trap::TrapCode;
use crate::types::{Scalar, Type, TypeKind};

/// The name and the text of the function that looks for a byte.
const FIND: (&str, &str) = (
    "brolga.find",
    "define internal i64 @brolga.find(ptr %p, i8 %byte, i64 %n) noinline {
start:
  br label %head
head:
  %i = phi i64 [ 0, %start ], [ %j, %other ]
  %more = icmp ult i64 %i, %n
  br i1 %more, label %look, label %end
look:
  %q = getelementptr i8, ptr %p, i64 %i
  %x = load i8, ptr %q
  %c = icmp eq i8 %x, %byte
  br i1 %c, label %end, label %other
other:
  %j = add i64 %i, 1
  br label %head
end:
  ret i64 %i
}
",
);

/// The name and the text of the function that compares memory byte by byte.
const COMPARE: (&str, &str) = (
    "brolga.compare",
    "define internal i32 @brolga.compare(ptr %a, ptr %b, i64 %n) noinline {
start:
  br label %head
head:
  %i = phi i64 [ 0, %start ], [ %j, %same ]
  %more = icmp ult i64 %i, %n
  br i1 %more, label %look, label %equal
look:
  %p = getelementptr i8, ptr %a, i64 %i
  %q = getelementptr i8, ptr %b, i64 %i
  %x = load i8, ptr %p
  %y = load i8, ptr %q
  %j = add i64 %i, 1
  %c = icmp eq i8 %x, %y
  br i1 %c, label %same, label %differ
same:
  br label %head
differ:
  %below = icmp ult i8 %x, %y
  %r = select i1 %below, i32 -1, i32 1
  ret i32 %r
equal:
  ret i32 0
}
",
);

/// How a value stands in memory.
enum Carrier {
    /// As itself.
    Itself,
    /// As one bit a lane, in an integer of that many bits, of which so many count.
    Bits { memory: u64, counted: u32 },
}

fn carrier(ty: Type) -> Carrier {
    match ty.kind() {
        TypeKind::Scalar(Scalar::I1) => Carrier::Bits { memory: 8, counted: 1 },
        TypeKind::Vector(Scalar::I1, lanes) => {
            Carrier::Bits { memory: u64::from(lanes).next_multiple_of(8), counted: lanes.into() }
        }
        _ => Carrier::Itself,
    }
}

/// What an access says of the instruction: volatile or not.
pub(super) fn volatile(access: &Access) -> &'static str {
    if access.flags.contains(AccessFlags::VOLATILE) { "volatile " } else { "" }
}

impl FunctionWriter<'_, '_> {
    /// The address that the operand of that index and the offset of the
    /// access give, with its type.
    pub(super) fn address(&mut self, inst: Inst, index: usize) -> Typed {
        let mut address = self.typed_arg(inst, index);
        let offset = self.data(inst).access().map_or(0, |access| access.offset);
        if offset != 0 {
            address.text =
                self.temporary(format_args!("getelementptr i8, {address}, i64 {offset}"));
        }
        address
    }

    pub(super) fn access(&self, inst: Inst) -> Access {
        self.data(inst).access().copied().unwrap_or_default()
    }

    /// Loads a value of `ty`, no aggregate, as the first result of `inst`.
    pub(super) fn load(&mut self, inst: Inst, address: &Typed, align: u64, volatile: &str) {
        let ty = self.data(inst).ty;
        let text = self.type_text(ty);
        match carrier(ty) {
            Carrier::Itself => {
                self.give(inst, format_args!("load {volatile}{text}, {address}, align {align}"));
            }
            Carrier::Bits { memory, counted } => {
                let whole = self
                    .temporary(format_args!("load {volatile}i{memory}, {address}, align {align}"));
                let bits = self.cut(&whole, memory, counted);
                self.give(inst, format_args!("bitcast i{counted} {bits} to {text}"));
            }
        }
    }

    fn cut(&mut self, whole: &str, memory: u64, counted: u32) -> String {
        match memory == u64::from(counted) {
            true => whole.to_owned(),
            false => self.temporary(format_args!("trunc i{memory} {whole} to i{counted}")),
        }
    }

    /// Stores a value of `ty`, no aggregate.
    pub(super) fn store(
        &mut self,
        ty: Type,
        operand: &str,
        address: &Typed,
        align: u64,
        volatile: &str,
    ) {
        let text = self.type_text(ty);
        let (text, operand) = match carrier(ty) {
            Carrier::Itself => (text, operand.to_owned()),
            Carrier::Bits { memory, counted } => {
                let bits = self.temporary(format_args!("bitcast {text} {operand} to i{counted}"));
                let whole = match memory == u64::from(counted) {
                    true => bits,
                    false => self.temporary(format_args!("zext i{counted} {bits} to i{memory}")),
                };
                (format!("i{memory}"), whole)
            }
        };
        self.line(format_args!("store {volatile}{text} {operand}, {address}, align {align}"));
    }

    pub(super) fn write_load(&mut self, inst: Inst) {
        let (address, access) = (self.address(inst, 0), self.access(inst));
        self.load(inst, &address, 1 << access.align_log2, volatile(&access));
    }

    pub(super) fn write_store(&mut self, inst: Inst) {
        let (address, access) = (self.address(inst, 1), self.access(inst));
        let (ty, operand) = (self.data(inst).ty, self.arg(inst, 0));
        self.store(ty, &operand, &address, 1 << access.align_log2, volatile(&access));
    }

    /// The names of the vector and of the address in those of intrinsics.
    fn masked_suffix(&self, inst: Inst, address: usize) -> String {
        let suffix = |ty: Type| {
            let lane = ty.lane().map_or("i8", scalar_suffix);
            Shape::from_type(ty).suffix(lane)
        };
        format!("{}.{}", suffix(self.data(inst).ty), suffix(self.arg_type(inst, address)))
    }

    pub(super) fn write_masked_load(&mut self, inst: Inst) {
        let (mask, rest) = (self.typed_arg(inst, 0), self.typed_arg(inst, 2));
        let address = self.address(inst, 1);
        if self.data(inst).ty.lanes() == 1 {
            return self.load_if(inst, &mask, &address, &rest);
        }
        let align = (1u64 << self.access(inst).align_log2).to_string();
        let name = format!("llvm.masked.load.{}", self.masked_suffix(inst, 1));
        let operands = [address.pair(), ("i32", &align), mask.pair(), rest.pair()];
        let call = self.intrinsic(&name, &rest.ty, &operands);
        self.give(inst, format_args!("{call}"));
    }

    pub(super) fn write_masked_store(&mut self, inst: Inst) {
        let (mask, value) = (self.typed_arg(inst, 0), self.typed_arg(inst, 1));
        let address = self.address(inst, 2);
        if self.data(inst).ty.lanes() == 1 {
            return self.store_if(inst, &mask, &value, &address);
        }
        let align = (1u64 << self.access(inst).align_log2).to_string();
        let name = format!("llvm.masked.store.{}", self.masked_suffix(inst, 2));
        let operands = [value.pair(), address.pair(), ("i32", &align), mask.pair()];
        let call = self.intrinsic(&name, "void", &operands);
        self.line(format_args!("{call}"));
    }

    /// One lane, if its mask is true.
    fn load_if(&mut self, inst: Inst, mask: &Typed, address: &Typed, rest: &Typed) {
        let (ty, align) = (&rest.ty, 1u64 << self.access(inst).align_log2);
        let (before, read, on) = (self.label.clone(), self.new_label(), self.new_label());
        self.line(format_args!("br {mask}, label %{read}, label %{on}"));
        self.start(read.clone());
        let loaded = self.temporary(format_args!("load {ty}, {address}, align {align}"));
        self.line(format_args!("br label %{on}"));
        self.start(on);
        let rest = &rest.text;
        self.give(inst, format_args!("phi {ty} [ {loaded}, %{read} ], [ {rest}, %{before} ]"));
    }

    fn store_if(&mut self, inst: Inst, mask: &Typed, value: &Typed, address: &Typed) {
        let align = 1u64 << self.access(inst).align_log2;
        let (write, on) = (self.new_label(), self.new_label());
        self.line(format_args!("br {mask}, label %{write}, label %{on}"));
        self.start(write);
        self.line(format_args!("store {value}, {address}, align {align}"));
        self.line(format_args!("br label %{on}"));
        self.start(on);
    }

    pub(super) fn write_copy(&mut self, inst: Inst) {
        let (to, from) = (self.address(inst, 0), self.typed_arg(inst, 1));
        let spaces = [0, 1].map(|index| self.space_suffix(inst, index));
        let name = format!("llvm.memmove.{}.{}.i64", spaces[0], spaces[1]);
        let note = format!(" align {}", 1u64 << self.access(inst).align_log2);
        self.write_bulk(inst, &name, &[(&to, &note), (&from, &note)]);
    }

    pub(super) fn write_fill(&mut self, inst: Inst) {
        let (to, byte) = (self.address(inst, 0), self.typed_arg(inst, 1));
        let name = format!("llvm.memset.{}.i64", self.space_suffix(inst, 0));
        let note = format!(" align {}", 1u64 << self.access(inst).align_log2);
        self.write_bulk(inst, &name, &[(&to, &note), (&byte, "")]);
    }

    fn space_suffix(&self, inst: Inst, index: usize) -> &'static str {
        self.arg_type(inst, index).as_scalar().map_or("p0", scalar_suffix)
    }

    /// A call of `memmove` or `memset`: two operands with what is said of
    /// them, then the size.
    fn write_bulk(&mut self, inst: Inst, name: &str, operands: &[(&Typed, &str); 2]) {
        let size = self.arg(inst, 2);
        let is_volatile = !volatile(&self.access(inst)).is_empty();
        let [(first, first_note), (second, second_note)] = operands;
        self.shared.require(name, || {
            format!("declare void @{name}({}, {}, i64, i1)\n", first.ty, second.ty)
        });
        let first = format!("{}{first_note} {}", first.ty, first.text);
        let second = format!("{}{second_note} {}", second.ty, second.text);
        self.line(format_args!(
            "call void @{name}({first}, {second}, i64 {size}, i1 {is_volatile})"
        ));
    }

    pub(super) fn write_compare(&mut self, inst: Inst) {
        let operands = [0, 1].map(|index| self.plain_address(inst, index));
        let [a, b] = operands;
        let size = self.arg(inst, 2);
        self.shared.require(COMPARE.0, || COMPARE.1.to_owned());
        self.give(inst, format_args!("call i32 @{}(ptr {a}, ptr {b}, i64 {size})", COMPARE.0));
    }

    pub(super) fn write_find(&mut self, inst: Inst) {
        let from = self.plain_address(inst, 0);
        let (byte, size) = (self.arg(inst, 1), self.arg(inst, 2));
        self.shared.require(FIND.0, || FIND.1.to_owned());
        self.give(inst, format_args!("call i64 @{}(ptr {from}, i8 {byte}, i64 {size})", FIND.0));
    }

    /// An address as one of the plain kind.
    fn plain_address(&mut self, inst: Inst, index: usize) -> String {
        let address = self.typed_arg(inst, index);
        match address.ty == "ptr" {
            true => address.text,
            false => self.temporary(format_args!("addrspacecast {address} to ptr")),
        }
    }

    pub(super) fn write_prefetch(&mut self, inst: Inst) {
        let address = self.typed_arg(inst, 0);
        let name = format!("llvm.prefetch.{}", self.space_suffix(inst, 0));
        // A read, of data that is used again, from the data cache.
        let operands = [address.pair(), ("i32", "0"), ("i32", "3"), ("i32", "1")];
        let call = self.intrinsic(&name, "void", &operands);
        self.line(format_args!("{call}"));
    }

    /// `ptr_add` and `derived_add`.
    pub(super) fn write_add(&mut self, inst: Inst) {
        let (base, distance) = (self.typed_arg(inst, 0), self.arg(inst, 1));
        self.give(inst, format_args!("getelementptr i8, {base}, i64 {distance}"));
    }

    /// As much as a stack may hold, at an address that suits every alignment.
    pub(super) fn write_stack_alloc(&mut self, inst: Inst) {
        const MOST: u64 = 1 << 20;
        let size = self.arg(inst, 0);
        let fits = self.temporary(format_args!("icmp ule i64 {size}, {MOST}"));
        self.require(&fits, TrapCode::StackOverflow.number());
        let align = MAX_STACK_OBJECT_ALIGN;
        self.give(inst, format_args!("alloca i8, i64 {size}, align {align}"));
        if let (true, &[space]) = (self.returns_again, self.body.results(inst)) {
            let line = hidden(&self.operand(space));
            self.line(format_args!("{line}"));
        }
    }

    pub(super) fn write_stack_save(&mut self, inst: Inst) {
        let call = self.intrinsic("llvm.stacksave", "ptr", &[]);
        self.give(inst, format_args!("{call}"));
    }

    pub(super) fn write_stack_restore(&mut self, inst: Inst) {
        let mark = self.typed_arg(inst, 0);
        let call = self.intrinsic("llvm.stackrestore", "void", &[mark.pair()]);
        self.line(format_args!("{call}"));
    }

    /// A value that goes through memory that nothing may look into.
    pub(super) fn write_opaque(&mut self, inst: Inst) {
        let ty = self.data(inst).ty;
        let (text, operand) = (self.type_text(ty), self.arg(inst, 0));
        let is_word = ty == Type::PTR
            || ty.signature().is_some()
            || ty.as_scalar().is_some_and(|scalar| scalar.is_int() && scalar.bits() <= 64);
        if is_word {
            return self.give(
                inst,
                format_args!("call {text} asm sideeffect \"\", \"=r,0\"({text} {operand})"),
            );
        }
        let place = self.places.len();
        self.places.push(text.clone());
        self.line(format_args!("store volatile {text} {operand}, ptr %place{place}"));
        self.give(inst, format_args!("load volatile {text}, ptr %place{place}"));
    }
}
