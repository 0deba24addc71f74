use super::*;

fn code(emit: impl FnOnce(&mut Assembler)) -> Vec<u8> {
    let mut assembler = Assembler::default();
    emit(&mut assembler);
    assert!(assembler.resolve());
    assembler.code().to_vec()
}

/// An instruction, as GNU's assembler spells it, and its bytes.
macro_rules! encodes {
    ($($text:literal: $emit:expr => [$($byte:literal),*];)*) => {
        $(assert_eq!(code($emit), [$($byte),*], $text);)*
    };
}

#[test]
fn moves_are_encoded_as_the_manual_says() {
    use Register::*;
    encodes! {
        "mov rdi, [rbp-8]": |it| it.load(Place::Integer(Rdi), Word::Frame(-8)) => [0x48, 0x8b, 0x7d, 0xf8];
        "mov r9, [rbp-0x1000]": |it| it.load(Place::Integer(R9), Word::Frame(-0x1000))
            => [0x4c, 0x8b, 0x8d, 0, 0xf0, 0xff, 0xff];
        "mov [rsp+8], r11": |it| it.store(Place::Integer(R11), Word::Stack(8))
            => [0x4c, 0x89, 0x9c, 0x24, 8, 0, 0, 0];
        "movsd xmm7, [rbp-16]": |it| it.load(Place::Float(7), Word::Frame(-16))
            => [0xf2, 0x0f, 0x10, 0x7d, 0xf0];
        "movsd [rbp-16], xmm1": |it| it.store(Place::Float(1), Word::Frame(-16))
            => [0xf2, 0x0f, 0x11, 0x4d, 0xf0];
        "mov rdi, rax": |it| it.transfer(Place::Integer(Rdi), Place::Integer(Rax)) => [0x48, 0x89, 0xc7];
        "mov r10, r8": |it| it.transfer(Place::Integer(R10), Place::Integer(R8)) => [0x4d, 0x89, 0xc2];
        "movaps xmm2, xmm0": |it| it.transfer(Place::Float(2), Place::Float(0)) => [0x0f, 0x28, 0xd0];
        "movaps xmm9, xmm0": |it| it.transfer(Place::Float(9), Place::Float(0)) => [0x44, 0x0f, 0x28, 0xc8];
        "movaps xmm1, xmm15": |it| it.transfer(Place::Float(1), Place::Float(15)) => [0x41, 0x0f, 0x28, 0xcf];
        "movaps xmm8, xmm15": |it| it.transfer(Place::Float(8), Place::Float(15)) => [0x45, 0x0f, 0x28, 0xc7];
        "movsd xmm9, [rbp-16]": |it| it.load(Place::Float(9), Word::Frame(-16))
            => [0xf2, 0x44, 0x0f, 0x10, 0x4d, 0xf0];
        "movsd [rbp-0x1000], xmm8": |it| it.store(Place::Float(8), Word::Frame(-0x1000))
            => [0xf2, 0x44, 0x0f, 0x11, 0x85, 0, 0xf0, 0xff, 0xff];
        "mov rbx, r12": |it| it.transfer(Place::Integer(Rbx), Place::Integer(R12)) => [0x4c, 0x89, 0xe3];
        "": |it| it.transfer(Place::Float(2), Place::Float(2)) => [];
        "lea rsi, [rbp-0x40]": |it| it.address(Rsi, Word::Frame(-0x40)) => [0x48, 0x8d, 0x75, 0xc0];
        "lea rax, [rip+0]": |it| { it.address_of_symbol(Rax); } => [0x48, 0x8d, 0x05, 0, 0, 0, 0];
        "mov rsi, [rip+0]": |it| { it.load_of_symbol(Rsi); } => [0x48, 0x8b, 0x35, 0, 0, 0, 0];
        "mov rax, [r15+80]": |it| it.load_record(Rax, 80) => [0x49, 0x8b, 0x47, 80];
    }
}

#[test]
fn numbers_take_the_shortest_instruction() {
    use Register::*;
    encodes! {
        "xor edi, edi": |it| it.number(Rdi, 0) => [0x31, 0xff];
        "xor r9d, r9d": |it| it.number(R9, 0) => [0x45, 0x31, 0xc9];
        "mov esi, 7": |it| it.number(Rsi, 7) => [0xbe, 7, 0, 0, 0];
        "mov r8d, -1": |it| it.number(R8, 0xffff_ffff) => [0x41, 0xb8, 0xff, 0xff, 0xff, 0xff];
        "mov rax, -2": |it| it.number(Rax, -2_i64 as u64) => [0x48, 0xc7, 0xc0, 0xfe, 0xff, 0xff, 0xff];
        "mov r11, 0x123456789": |it| it.number(R11, 0x1_2345_6789)
            => [0x49, 0xbb, 0x89, 0x67, 0x45, 0x23, 1, 0, 0, 0];
        "xorps xmm3, xmm3": |it| it.float(3, 0) => [0x0f, 0x57, 0xdb];
        "xorps xmm12, xmm12": |it| it.float(12, 0) => [0x45, 0x0f, 0x57, 0xe4];
        "mov r11d, 1; movq xmm10, r11": |it| it.float(10, 1)
            => [0x41, 0xbb, 1, 0, 0, 0, 0x66, 0x4d, 0x0f, 0x6e, 0xd3];
        "mov r11d, 1; movq xmm0, r11": |it| it.float(0, 1)
            => [0x41, 0xbb, 1, 0, 0, 0, 0x66, 0x49, 0x0f, 0x6e, 0xc3];
    }
}

#[test]
fn tests_and_compares_look_at_the_width_of_the_class() {
    use Register::*;
    encodes! {
        "test al, 1": |it| it.test_truth(Rax) => [0x40, 0xf6, 0xc0, 1];
        "test r11b, 1": |it| it.test_truth(R11) => [0x41, 0xf6, 0xc3, 1];
        "cmp al, -1": |it| it.compare_number(Class::I8, Rax, -1) => [0x40, 0x80, 0xf8, 0xff];
        "cmp ax, 258": |it| it.compare_number(Class::I16, Rax, 258) => [0x66, 0x40, 0x81, 0xf8, 2, 1];
        "cmp eax, 3": |it| it.compare_number(Class::I32, Rax, 3) => [0x40, 0x81, 0xf8, 3, 0, 0, 0];
        "cmp rdx, 3": |it| it.compare_number(Class::I64, Rdx, 3) => [0x48, 0x81, 0xfa, 3, 0, 0, 0];
        "cmp rax, r11": Assembler::compare_scratch => [0x4c, 0x39, 0xd8];
        "test r10, r10": Assembler::test_reference => [0x4d, 0x85, 0xd2];
        "cmp qword ptr [r15+64], 0": |it| it.test_record(64) => [0x49, 0x83, 0x7f, 64, 0];
        "sub qword ptr [r15+72], 1": |it| it.count_down_record(72) => [0x49, 0x83, 0x6f, 72, 1];
        "lea r11, [rsp+0]; cmp r11, [r15]": |it| { it.compare_stack(0); }
            => [0x4c, 0x8d, 0x9c, 0x24, 0, 0, 0, 0, 0x4d, 0x3b, 0x5f, 0];
        "movzx esi, sil": |it| it.extend_byte(Rsi) => [0x40, 0x0f, 0xb6, 0xf6];
        "shl rdx, 3": |it| it.scale_index(3) => [0x48, 0xc1, 0xe2, 3];
        "add rsi, rdx": |it| it.add_index(Rsi) => [0x48, 0x01, 0xd6];
        "and rax, -64": |it| it.round_down(Rax, 64) => [0x48, 0x81, 0xe0, 0xc0, 0xff, 0xff, 0xff];
    }
}

#[test]
fn calls_and_returns_leave_room_for_what_is_linked() {
    encodes! {
        "push rbp; mov rbp, rsp; sub rsp, 0": |it| { it.enter(); }
            => [0x55, 0x48, 0x89, 0xe5, 0x48, 0x81, 0xec, 0, 0, 0, 0];
        "leave": Assembler::leave => [0xc9];
        "ret": |it| it.ret(0) => [0xc3];
        "ret 16": |it| it.ret(16) => [0xc2, 16, 0];
        "sub rsp, 32": |it| it.grow_stack(32) => [0x48, 0x81, 0xec, 32, 0, 0, 0];
        "call": |it| { it.call(); } => [0xe8, 0, 0, 0, 0];
        "jmp": |it| { it.jump_out(); } => [0xe9, 0, 0, 0, 0];
        "call [rip + 0]": |it| { it.call_through(); } => [0xff, 0x15, 0, 0, 0, 0];
        "jmp [rip + 0]": |it| { it.jump_through(); } => [0xff, 0x25, 0, 0, 0, 0];
        "mov [r15 + 168], r10": |it| it.store_reference(168) => [0x4d, 0x89, 0x97, 168, 0, 0, 0];
        "add r10, 8; call r10": |it| it.call_reference(8) => [0x49, 0x83, 0xc2, 8, 0x41, 0xff, 0xd2];
        "add r10, 8; jmp r10": |it| it.jump_reference(8) => [0x49, 0x83, 0xc2, 8, 0x41, 0xff, 0xe2];
        "ud2": Assembler::never => [0x0f, 0x0b];
    }
}

#[test]
fn jumps_lead_to_their_labels_wherever_these_stand() {
    let forward = code(|it| {
        let label = it.label();
        it.jump_if(0x4, label);
        it.never();
        it.bind(label);
    });
    assert_eq!(forward, [0x0f, 0x84, 2, 0, 0, 0, 0x0f, 0x0b]);
    let back = code(|it| {
        let label = it.label();
        it.bind(label);
        it.jump(label);
    });
    assert_eq!(back, [0xe9, 0xfb, 0xff, 0xff, 0xff]);
}

#[test]
fn a_jump_to_nowhere_is_told() {
    let mut assembler = Assembler::default();
    let label = assembler.label();
    assembler.jump(label);
    assert!(!assembler.resolve());
}
