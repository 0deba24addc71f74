use super::*;
use crate::body::Initial;
use crate::types::Layout;

fn heap(memory: &mut Checked, size: u64) -> u64 {
    let layout = Layout { size, align: 8 };
    memory.allocate(&NewObject::zeroed(ObjectKind::Heap, layout, 0)).unwrap()
}

fn fault(result: Result<(), MemoryError>) -> Fault {
    result.unwrap_err().fault
}

#[test]
fn addresses_are_the_same_every_time_and_never_used_twice() {
    let mut seen = Vec::new();
    for _ in 0..2 {
        let mut memory = Checked::new(1 << 20);
        let mut addresses = Vec::new();
        for size in [0, 1, 100, 4096] {
            let address = heap(&mut memory, size);
            memory.free(address, ObjectKind::Heap).unwrap();
            addresses.push(address);
        }
        assert!(addresses.is_sorted() && addresses.iter().all(|address| address % 16 == 0));
        addresses.dedup();
        assert_eq!(addresses.len(), 4);
        seen.push(addresses);
    }
    assert_eq!(seen[0], seen[1]);
}

#[test]
fn every_address_around_an_object_is_red() {
    let mut memory = Checked::new(1 << 20);
    let first = heap(&mut memory, 24);
    let second = heap(&mut memory, 8);
    for address in first..first + 24 {
        assert!(memory.read(address, &mut [0]).is_ok());
    }
    for address in (first - 64..first).chain(first + 24..second) {
        assert!(memory.read(address, &mut [0]).is_err(), "{address:#x}");
        assert!(memory.write(address, &[0]).is_err(), "{address:#x}");
    }
    assert_eq!(fault(memory.read(first + 20, &mut [0; 8])), Fault::OutOfBounds);
    assert_eq!(fault(memory.read(0, &mut [0])), Fault::NoObject);
    assert_eq!(fault(memory.read(u64::MAX, &mut [0; 8])), Fault::NoObject);
    assert_eq!(fault(memory.check(AccessKind::Read, first, u64::MAX)), Fault::OutOfBounds);
}

#[test]
fn a_freed_object_is_known_and_freed_once() {
    let mut memory = Checked::new(1 << 20);
    let address = heap(&mut memory, 24);
    assert_eq!(fault(memory.free(address + 8, ObjectKind::Heap)), Fault::NotAllocated);
    assert_eq!(fault(memory.free(address, ObjectKind::Slot)), Fault::NotAllocated);
    memory.free(address, ObjectKind::Heap).unwrap();
    assert_eq!(fault(memory.read(address + 8, &mut [0])), Fault::Freed);
    assert_eq!(fault(memory.free(address, ObjectKind::Heap)), Fault::Freed);
    assert_eq!(memory.used(), 0);
}

#[test]
fn millions_of_dead_objects_cost_nothing() {
    let mut memory = Checked::new(1 << 20);
    let live = heap(&mut memory, 8);
    for _ in 0..1_000_000 {
        let address = heap(&mut memory, 8);
        memory.free(address, ObjectKind::Heap).unwrap();
    }
    memory.write(live, &[7]).unwrap();
    assert_eq!(memory.objects(ObjectKind::Heap).count(), 1);
}

#[test]
fn the_limit_counts_live_bytes() {
    let mut memory = Checked::new(300);
    let first = heap(&mut memory, 60);
    let layout = Layout { size: 60, align: 8 };
    let second = NewObject::zeroed(ObjectKind::Heap, layout, 0);
    assert_eq!(memory.allocate(&second).unwrap_err().fault, Fault::OutOfMemory);
    memory.free(first, ObjectKind::Heap).unwrap();
    memory.allocate(&second).unwrap();
}

#[test]
fn objects_without_bytes_reach_the_limit_too() {
    let mut memory = Checked::new(1 << 20);
    let empty = NewObject::zeroed(ObjectKind::Heap, Layout { size: 0, align: 1 }, 0);
    let made = (0..1 << 20).take_while(|_| memory.allocate(&empty).is_ok()).count();
    assert_eq!(made, (1 << 20) / 128);
}

#[test]
fn bytes_that_were_not_stored_cannot_be_read_where_that_was_promised() {
    let mut memory = Checked::new(1 << 20);
    let layout = Layout { size: 8, align: 8 };
    let mut slot = NewObject::zeroed(ObjectKind::Slot, layout, 0);
    slot.initial = Initial::Uninit;
    let address = memory.allocate(&slot).unwrap();
    memory.write(address + 2, &[1, 2]).unwrap();
    memory.read(address + 2, &mut [0; 2]).unwrap();
    assert_eq!(fault(memory.read(address + 2, &mut [0; 3])), Fault::Uninitialised);
    memory.fill(address, 0, 8).unwrap();
    memory.read(address, &mut [0; 8]).unwrap();
    memory.reset(address).unwrap();
    assert_eq!(fault(memory.read(address, &mut [0])), Fault::Uninitialised);
}

#[test]
fn copies_overlap_as_if_through_a_buffer() {
    let mut memory = Checked::new(1 << 20);
    let address = heap(&mut memory, 8);
    memory.write(address, &[1, 2, 3, 4, 5, 6, 7, 8]).unwrap();
    memory.copy(address + 2, address, 6).unwrap();
    let mut bytes = [0; 8];
    memory.read(address, &mut bytes).unwrap();
    assert_eq!(bytes, [1, 2, 1, 2, 3, 4, 5, 6]);
}

#[test]
fn a_stray_access_says_what_it_missed() {
    let slot = "
func @f() -> ptr {
  ss0 = slot 8
entry:
    %p = slot_addr ss0
    return %p
}
func @main() -> i64 {
  ss0 = slot 8
  ss1 = slot 16
entry:
    %p = slot_addr ss1
    %x = load.i64 %p+12
    return %x
}";
    let trap_of_slot = trap(slot);
    assert_eq!(trap_of_slot.code, TrapCode::InvalidAccess);
    assert!(
        detail(&trap_of_slot)
            .ends_with("offset 12 of slot ss1 of @main of 16 bytes, out of its bounds"),
        "{trap_of_slot}"
    );
    let dangling = slot.replace("%p = slot_addr ss1", "%p = call @f()");
    let trap_of_dead_slot = trap(&dangling);
    assert_eq!(trap_of_dead_slot.code, TrapCode::InvalidAccess);
    assert!(
        detail(&trap_of_dead_slot)
            .ends_with("offset 12 of slot ss0 of @f of 8 bytes, which was freed"),
        "{trap_of_dead_slot}"
    );
    let data = "
data @d const = { i64 1 }
func @main() {
entry:
    %p = data_addr @d
    store.i64 7, %p
    return
}";
    assert!(
        detail(&trap(data)).ends_with("offset 0 of data object @d of 8 bytes, which is constant")
    );
    let code = "
func @main() {
entry:
    %f = function_addr.fn() @main
    %p = function_to_ptr.fn() %f
    store.i8 7, %p
    return
}";
    assert!(detail(&trap(code)).ends_with("function @main of 16 bytes, which has no bytes"));
    let null = "func @main() {\nentry:\n    store.i8 7, ptr:null\n    return\n}";
    assert_eq!(detail(&trap(null)), "writing 1 bytes at 0x0: no live object is there");
}

#[test]
fn slots_are_zero_at_every_entry_and_apart_in_every_activation() {
    let text = "
func @f(i64) -> i64 {
  ss0 = slot 8
entry(%n: i64):
    %old = slot_load.i64 ss0, 0
    slot_store.i64 %n, ss0, 0
    %zero = icmp.i64 eq %n, 0
    branch %zero, done(0), more
more:
    %m = sub.i64 %n, 1
    %r = call @f(%m)
    jump done(%r)
done(%r2: i64):
    %now = slot_load.i64 ss0, 0
    %ten = mul.i64 %r2, 10
    %sum = add.i64 %ten, %now
    %all = add.i64 %sum, %old
    return %all
}
func @main() -> i64 {
entry:
    %r = call @f(4)
    return %r
}";
    assert_eq!(run_int(text), 1234);
}

#[test]
fn thread_locals_stay_from_call_to_call() {
    let module = module(
        "
data @counter thread_local = { i64 5 }
func @next() -> i64 {
entry:
    %x = data_load.i64 @counter, 0
    %y = add.i64 %x, 1
    data_store.i64 %y, @counter, 0
    return %y
}",
    );
    let mut interpreter = Interpreter::new(&[&module]).unwrap();
    interpreter.call("next", &[]).unwrap();
    assert_eq!(interpreter.call("next", &[]).unwrap(), ints(&[7]));
}

#[test]
fn a_masked_store_that_traps_stores_nothing() {
    let module = module(
        "
data @d = { zero 8 }
func @main() {
entry:
    %p = data_addr @d
    %q = ptr_add %p, 4
    masked_store.i32x2 <1, 1>, <5, 6>, %q
    return
}",
    );
    let mut interpreter = Interpreter::new(&[&module]).unwrap();
    assert_eq!(trap_of(interpreter.call("main", &[])).code, TrapCode::InvalidAccess);
    assert_eq!(interpreter.data("d").unwrap(), [0; 8]);
}

#[test]
fn bulk_ops_of_no_bytes_touch_nothing_and_of_too_many_trap() {
    let text = |count: &str| {
        format!(
            "
func @main() -> i32 {{
  ss0 = slot 8
entry:
    mem_copy ptr:null, ptr:null, 0
    mem_fill ptr:8, 1, 0
    %e = mem_compare ptr:null, ptr:8, 0
    %p = slot_addr ss0
    mem_fill %p, 1, {count}
    return %e
}}"
        )
    };
    assert_eq!(run_int(&text("8")), 0);
    assert_eq!(trap(&text("9")).code, TrapCode::InvalidAccess);
    assert_eq!(trap(&text("-1")).code, TrapCode::InvalidAccess);
}

#[test]
fn managed_objects_carry_their_type_and_arrays_their_kind() {
    let text = "
func @main() -> (i64, i64, i1) {
entry:
    %t = alloc_object null, 0
    %a = array_new.i16 %t, 3
    array_set.i16 %a, 2, 9
    %d = address_cast.derived %a
    %length = load.i64 %d
    %last = load.i16 %d+20
    %wide = zext.i64 %last
    %u = typeof %a
    %same = icmp.ref eq %t, %u
    return %length, %wide, %same
}";
    assert_eq!(run(text).unwrap(), [3i64.into(), 9i64.into(), true.into()]);
    let wrong = |ops: &str| {
        trap(&format!(
            "func @main() {{\nentry:\n    %t = alloc_object null, 64\n{ops}\n    return\n}}"
        ))
        .code
    };
    assert_eq!(wrong("    %n = array_len %t"), TrapCode::TypeMismatch);
    assert_eq!(
        wrong("    %a = array_new.i16 %t, 3\n    %x = array_get.f16 %a, 0"),
        TrapCode::TypeMismatch
    );
    assert_eq!(
        wrong("    %a = array_new.i16 %t, 3\n    %x = array_get.i16 %a, -1"),
        TrapCode::Bounds
    );
    assert_eq!(wrong("    %a = array_new.i16 %t, -3"), TrapCode::OutOfMemory);
    assert_eq!(wrong("    %a = array_new.i64 %t, 0x4000000000000000"), TrapCode::OutOfMemory);
    assert_eq!(wrong("    %o = alloc_object %t, -8"), TrapCode::OutOfMemory);
    assert_eq!(wrong("    %o = alloc_object %t, 0x7fffffffffffffff"), TrapCode::OutOfMemory);
}

#[test]
fn host_memory_is_the_memory_of_the_process() {
    let module = module(
        "
import data @shared size 16 align 8
data @own = { i64 40 }
func @main() -> i64 {
  ss0 = slot 8
entry:
    %x = data_load.i64 @shared, 8
    %y = data_load.i64 @own, 0
    %sum = add.i64 %x, %y
    slot_store.i64 %sum, ss0, 0
    data_store.i64 %sum, @shared, 0
    %o = alloc_object null, 64
    %z = slot_load.i64 ss0, 0
    return %z
}",
    );
    let mut shared = [0u64, 2];
    // SAFETY: the program accesses its own objects and `shared`, which
    // nobody else accesses meanwhile.
    let memory = unsafe {
        let mut memory = Host::new(1 << 20);
        memory.share("shared", shared.as_mut_ptr() as usize as u64);
        memory
    };
    let setup = Interpreter::setup().module(&module).data("shared", &[0; 16]);
    let mut interpreter = setup.memory(Box::new(memory)).build().unwrap();
    assert_eq!(interpreter.call("main", &[]).unwrap(), ints(&[42]));
    drop(interpreter);
    assert_eq!(shared, [42, 2]);
}

/// Memory of the process in which a test makes its own objects.
fn host(limit: u64) -> Host {
    // SAFETY: each test accesses only what it has allocated, or what is refused.
    unsafe { Host::new(limit) }
}

#[test]
fn host_memory_refuses_what_is_near_null_and_what_wraps() {
    let mut memory = host(1 << 20);
    for address in [0, 8, 0xffff] {
        assert_eq!(fault(memory.read(address, &mut [0])), Fault::NoObject);
        assert_eq!(fault(memory.write(address, &[0])), Fault::NoObject);
        assert_eq!(fault(memory.fill(address, 0, 1)), Fault::NoObject);
        assert_eq!(fault(memory.copy(address, 1 << 20, 1)), Fault::NoObject);
        assert_eq!(fault(memory.copy(1 << 20, address, 1)), Fault::NoObject);
        assert_eq!(fault(memory.reset(address)), Fault::NoObject);
    }
    assert_eq!(fault(memory.check(AccessKind::Read, 1 << 20, u64::MAX)), Fault::NoObject);
}

#[test]
fn host_memory_frees_what_it_allocated_once() {
    let mut memory = host(100);
    let layout = Layout { size: 60, align: 64 };
    let object = NewObject::zeroed(ObjectKind::Heap, layout, 0);
    let address = memory.allocate(&object).unwrap();
    assert!(address.is_multiple_of(64));
    assert_eq!(memory.allocate(&object).unwrap_err().fault, Fault::OutOfMemory);
    assert_eq!(fault(memory.free(address + 16, ObjectKind::Heap)), Fault::NotAllocated);
    assert_eq!(fault(memory.free(address, ObjectKind::Slot)), Fault::NotAllocated);
    memory.free(address, ObjectKind::Heap).unwrap();
    assert_eq!(fault(memory.free(address, ObjectKind::Heap)), Fault::NotAllocated);
    memory.allocate(&object).unwrap();
}

#[test]
fn host_memory_reads_what_was_written_at_every_size_and_place() {
    let mut memory = host(1 << 10);
    let layout = Layout { size: 64, align: 16 };
    let address = memory.allocate(&NewObject::zeroed(ObjectKind::Heap, layout, 0)).unwrap();
    let bytes: Vec<u8> = (1..=16).collect();
    for (offset, size) in (0..16).flat_map(|offset| (0..=16).map(move |size| (offset, size))) {
        memory.reset(address).unwrap();
        memory.write(address + offset, &bytes[..size]).unwrap();
        let mut read = vec![0; size];
        memory.read(address + offset, &mut read).unwrap();
        assert_eq!(read, bytes[..size]);
        let mut whole = [0; 64];
        memory.read(address, &mut whole).unwrap();
        assert_eq!(whole.iter().filter(|&&byte| byte != 0).count(), size);
    }
    memory.write(address, &bytes).unwrap();
    memory.copy(address + 1, address, 15).unwrap();
    memory.fill(address + 16, 9, 2).unwrap();
    let mut read = [0; 18];
    memory.read(address, &mut read).unwrap();
    assert_eq!(read, [1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 9, 9]);
}
