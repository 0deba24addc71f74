//! Vectors of every number of lanes, whole, odd or wide, through an op of every
//! way that the legaliser has with them.

use std::fmt::Write;

use brolga_ir::types::{Scalar, Type};

use super::*;

/// A line of code for values `%a` and `%b` of the vector type `V`, the mask
/// `%m` of its lanes, `%s` of its lane type `S`, an address and an index; with
/// the type of what it gives as `%r`.
type Line = (&'static str, &'static str);

const ALL: &[Line] = &[
    ("%r = vec_select.V %m, %a, %b", "V"),
    ("%r = extract_lane.V %a, %i", "S"),
    ("%r = insert_lane.V %a, %s, %i", "V"),
    ("%r = splat.V %s", "V"),
    ("%r = shuffle.V %a, %b, [ORDER]", "V"),
    ("%r = load.V %p", "V"),
    ("store.V %a, %p", ""),
];

const DATA: &[Line] = &[("%r = masked_load.V %m, %p, %b", "V"), ("masked_store.V %m, %a, %p", "")];

const MASKS: &[Line] = &[("%r = xor.V %a, %b", "V"), ("%r = reduce_or.S %a", "S")];

const INTEGERS: &[Line] = &[
    ("%r = add.V %a, %b", "V"),
    ("%r = mul.V %a, %b", "V"),
    ("%r = shl.V %a, %b", "V"),
    ("%r = umax.V %a, %b", "V"),
    ("%r = popcount.V %a", "V"),
    ("%r = bitreverse.V %a", "V"),
    ("%r = icmp.V slt %a, %b", "M"),
    ("%r = reduce_add.S %a", "S"),
    ("%r = sitofp.f16xN %a", "f16xN"),
];

const FLOATS: &[Line] = &[
    ("%r = fadd.V %a, %b", "V"),
    ("%r = fma.V %a, %b, %a", "V"),
    ("%r = ffloor.V %a", "V"),
    ("%r = fcmp.V olt %a, %b", "M"),
    ("%r = reduce_fmax.S %a", "S"),
    ("%r = fptosi_sat.i8xN %a", "i8xN"),
];

const LANES: &[(Scalar, &[&[Line]])] = &[
    (Scalar::I1, &[ALL, MASKS]),
    (Scalar::I8, &[ALL, DATA, INTEGERS]),
    (Scalar::I16, &[ALL, DATA, INTEGERS]),
    (Scalar::I32, &[ALL, DATA, INTEGERS]),
    (Scalar::I64, &[ALL, DATA, INTEGERS]),
    (Scalar::I128, &[ALL, DATA, INTEGERS]),
    (Scalar::F16, &[ALL, DATA, FLOATS]),
    (Scalar::Bf16, &[ALL, DATA, FLOATS]),
    (Scalar::F32, &[ALL, DATA, FLOATS]),
    (Scalar::F64, &[ALL, DATA, FLOATS]),
    (Scalar::Ptr, &[ALL, DATA]),
];

/// A function for each line that may be asked of vectors of so many lanes.
fn functions(lanes: u32) -> String {
    let order: Vec<String> = (0..lanes).map(|i| ((i * 3 + 1) % (2 * lanes)).to_string()).collect();
    let mut text = String::new();
    for &(scalar, groups) in LANES {
        let (Some(vector), lane) = (Type::vector(scalar, lanes), Type::scalar(scalar)) else {
            continue;
        };
        let has_halves = Type::vector(Scalar::F16, lanes).is_some();
        let spell = |line: &str| {
            let line = line.replace("ORDER", &order.join(", ")).replace('N', &lanes.to_string());
            let line = line.replace('V', &vector.to_string());
            line.replace('S', &lane.to_string()).replace('M', &format!("i1x{lanes}"))
        };
        for (index, (code, result)) in groups.iter().copied().flatten().enumerate() {
            if code.contains("f16") && !has_halves {
                continue;
            }
            let returned = if result.is_empty() { "" } else { "%r" };
            let text_of = format!(
                "func @{lane}_{index}(V, V, M, S, ptr, i64) -> ({result}) {{\n\
                 start(%a: V, %b: V, %m: M, %s: S, %p: ptr, %i: i64):\n    {code}\n    \
                 return {returned}\n}}\n"
            );
            text.write_str(&spell(&text_of)).unwrap();
        }
    }
    text
}

#[test]
fn vectors_of_every_width_compile() {
    let mut targets: Vec<Isa> = [TARGETS[0], TARGETS[2]].map(isa).into();
    targets.push(Isa::host(IsaOptions::default()).unwrap());
    let mut compiler = Compiler::new();
    for lanes in 1..=64 {
        let module = module(&functions(lanes));
        assert!(module.functions().count() >= 15, "{lanes}");
        for (id, function) in module.functions() {
            // In turn, since all of them for each would take minutes.
            let isa = &targets[(id.as_u32() + lanes) as usize % targets.len()];
            compiler
                .lower_function(&module, id, isa, &LowerOptions::default())
                .unwrap_or_else(|error| panic!("{lanes}: @{}: {error}", function.name));
        }
    }
}
