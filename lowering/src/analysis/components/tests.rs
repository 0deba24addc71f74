use super::*;
use crate::analysis::tests::graphs::{long_graphs, on_many, reached};

fn components_of(edges: &[Vec<usize>]) -> Components {
    Components::new(edges.len(), |node, index| edges[node as usize].get(index).map(|&to| to as u32))
}

#[test]
fn nodes_share_a_component_when_they_reach_each_other() {
    on_many(|edges| {
        let components = components_of(edges);
        let reach: Vec<Vec<bool>> = (0..edges.len()).map(|at| reached(edges, at, None)).collect();
        let nodes = 0..edges.len();
        let pairs = nodes.clone().flat_map(|one| nodes.clone().map(move |other| (one, other)));
        for (one, other) in pairs {
            let expected = reach[one][other] && reach[other][one];
            let [a, b] = [one, other].map(|node| components.component_of(node as u32));
            assert_eq!(a == b, expected, "{one} and {other} in {edges:?}");
            assert!(!reach[one][other] || b <= a, "{one} leads to {other} in {edges:?}");
        }
        let listed: usize = components.all().map(<[u32]>::len).sum();
        assert_eq!(listed, edges.len());
        for (number, nodes) in components.all().enumerate() {
            assert_eq!(components.nodes(number as u32), nodes);
            assert!(nodes.iter().all(|&n| components.component_of(n) == Some(number as u32)));
        }
    });
}

#[test]
fn a_long_path_needs_no_deep_stack() {
    for (name, edges) in long_graphs(50_000) {
        let components = components_of(&edges);
        assert!(components.all().len() > 0, "{name}");
    }
}
