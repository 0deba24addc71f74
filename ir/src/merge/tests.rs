use std::collections::BTreeSet;

use proptest::strategy::Strategy;

use super::*;

fn merges(arguments: &[Vec<usize>]) -> Vec<Merge> {
    let make = |(i, list): (usize, &Vec<usize>)| Merge {
        value: Value::new(i),
        arguments: list.iter().map(|&value| Value::new(value)).collect(),
    };
    arguments.iter().enumerate().map(make).collect()
}

/// The same by looking at every merge until nothing changes.
fn replace_slowly(merges: &[Merge], value_count: usize) -> Vec<Value> {
    let mut becomes: Vec<Value> = (0..value_count).map(Value::new).collect();
    loop {
        let trivial = merges.iter().find_map(|merge| {
            let own = becomes[merge.value.index()];
            let given = merge.arguments.iter().map(|&value| becomes[value.index()]);
            let others: BTreeSet<Value> = given.filter(|&value| value != own).collect();
            let mut others = others.into_iter();
            let only = others.next()?;
            (own == merge.value && others.next().is_none()).then_some((own, only))
        });
        let Some((own, only)) = trivial else { return becomes };
        becomes.iter_mut().filter(|value| **value == own).for_each(|value| *value = only);
    }
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(5000))]
    #[test]
    fn what_is_left_is_what_a_search_for_trivial_merges_leaves(
        arguments in (1usize..9).prop_flat_map(|n| {
            let given = proptest::collection::vec(0..n + 2, 1..4);
            proptest::collection::vec(given, n)
        })
    ) {
        let merges = merges(&arguments);
        let value_count = merges.len() + 2;
        let mut fast = replace_trivial(&merges, value_count);
        let slow = replace_slowly(&merges, value_count);
        // Which of several equal ones stays may differ where nothing reaches
        // them from outside; what does reach them is the same.
        for i in 0..value_count {
            for k in 0..value_count {
                let equal = fast.resolve(Value::new(i)) == fast.resolve(Value::new(k));
                assert_eq!(equal, slow[i] == slow[k], "{i} and {k} in {arguments:?}");
            }
            if slow[i].index() >= merges.len() {
                assert_eq!(fast.resolve(Value::new(i)), slow[i]);
            }
        }
    }
}

#[test]
fn a_chain_of_merges_goes_in_near_linear_work() {
    for n in [1000usize, 100_000] {
        // Each hangs on the next one, so that nothing is known until the last.
        let chain: Vec<Vec<usize>> = (0..n).map(|i| vec![i + 1, i + 1, i]).collect();
        let ladder: Vec<Vec<usize>> = (0..n).map(|i| vec![i + 1, (i + 2).min(n)]).collect();
        let wide: Vec<Vec<usize>> =
            (0..n).map(|i| if i == 0 { (1..=n).collect() } else { vec![i + 1, i] }).collect();
        for shape in [chain, ladder, wide] {
            let total: usize = shape.iter().map(Vec::len).sum();
            let mut replacements = replace_trivial(&merges(&shape), n + 1);
            assert_eq!(replacements.resolve(Value::new(0)), Value::new(n));
            let log = u64::from(usize::BITS - n.leading_zeros());
            assert!(replacements.work <= 2 * total as u64 * log, "{}", replacements.work);
        }
    }
}
