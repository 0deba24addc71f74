use super::*;
use crate::target::{Feature, TargetSpec};

const LANES: [Scalar; 4] = [Scalar::I8, Scalar::I16, Scalar::F32, Scalar::F64];

fn target(text: &str) -> TargetSpec {
    TargetSpec::parse(text).unwrap()
}

/// What comes out for vectors that came in.
fn run(network: &Network, mut vectors: Vec<Vec<u32>>) -> Vec<Vec<u32>> {
    for Shuffle { of, order } in &network.shuffles {
        let both = [vectors[of[0]].clone(), vectors[of[1]].clone()].concat();
        vectors.push(order.iter().map(|&lane| both[lane as usize]).collect());
    }
    network.outputs.iter().map(|&output| vectors[output].clone()).collect()
}

fn forms() -> impl Iterator<Item = Form> {
    let form = |(lane, lanes, stride)| Form { lane, lanes, stride };
    let lengths = |lane| [2, 4, 8, 16].map(|lanes| (lane, lanes));
    let strides = |(lane, lanes)| [2, 3, 4].map(|stride| (lane, lanes, stride));
    LANES.into_iter().flat_map(lengths).flat_map(strides).map(form)
}

fn all_targets() -> [TargetSpec; 4] {
    ["x86_64-linux/x86-64", "x86_64-linux/x86-64-v3", "x86_64-linux/znver4", "aarch64-linux"]
        .map(target)
}

#[test]
fn parting_and_joining_bring_every_element_to_its_place() {
    for form in forms().filter(|form| form.vector().is_some()) {
        let Form { lanes, stride, .. } = form;
        let memory: Vec<u32> = (0..lanes * stride).collect();
        let vectors = |all: &[u32]| all.chunks(lanes as usize).map(<[u32]>::to_vec).collect();
        let of_place = |place: u32| (0..lanes).map(|round| round * stride + place).collect();
        let parted: Vec<Vec<u32>> = (0..stride).map(of_place).collect();
        let places: Vec<u32> = (0..stride).collect();
        for facts in &all_targets() {
            let network = Network::parted(facts, form, &places);
            assert_eq!(run(&network, vectors(&memory)), parted, "{form:?}");
            let network = Network::joined(facts, form);
            assert_eq!(run(&network, parted.clone()).concat(), memory, "{form:?}");
            for place in places.iter().copied() {
                let network = Network::parted(facts, form, &[place]);
                let given = run(&network, vectors(&memory));
                assert_eq!(given, [parted[place as usize].clone()], "{form:?}");
            }
        }
    }
}

/// The instructions for full registers of each lane, parted and joined.
fn costs(facts: &TargetSpec, stride: u32) -> [[u32; 2]; 4] {
    let places: Vec<u32> = (0..stride).collect();
    LANES.map(|lane| {
        let form = Form { lane, lanes: 128 / lane.bits(), stride };
        let parted = Network::parted(facts, form, &places).cost(facts, form);
        [parted, Network::joined(facts, form).cost(facts, form)]
    })
}

#[test]
fn targets_get_the_shuffles_that_they_make_the_fewest_instructions_of() {
    let facts = target("x86_64-linux/x86-64-v3");
    assert_eq!(costs(&facts, 2), [[4, 2], [4, 2], [2, 2], [2, 2]]);
    assert_eq!(costs(&facts, 3), [[11, 11], [11, 11], [7, 9], [3, 3]]);
    assert_eq!(costs(&facts, 4), [[12, 8], [12, 8], [8, 8], [4, 4]]);
    let facts = target("aarch64-linux");
    assert_eq!(costs(&facts, 2), [[2, 2]; 4]);
    assert_eq!(costs(&facts, 4), [[8, 8], [8, 8], [8, 8], [4, 4]]);
}

#[test]
fn what_no_result_needs_is_not_done() {
    let facts = target("x86_64-linux").with_feature(Feature::Ssse3);
    let form = Form { lane: Scalar::F32, lanes: 4, stride: 4 };
    let one = Network::parted(&facts, form, &[1]);
    let all = Network::parted(&facts, form, &[0, 1, 2, 3]);
    assert_eq!(one.outputs.len(), 1);
    assert!(one.shuffles.len() <= 3, "{one:?}");
    assert_eq!(all.shuffles.len(), 8);
}
