//! Lists of targets that one image holds code for, in Julia's notation.

use super::{TargetError, TargetSpec};

/// Which functions get a version of their own for a target.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Cloning {
    /// All of them.
    All,
    /// Those that profit from what the target has beyond its base.
    Relevant,
}

/// What code for a target is tuned for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SizeGoal {
    /// Speed.
    Speed,
    /// Size, where speed does not suffer much.
    Small,
    /// Size above all.
    Smallest,
}

/// One target of an image.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ImageTarget {
    /// What its code is made for.
    pub spec: TargetSpec,
    /// Which functions it has versions of.
    pub cloning: Cloning,
    /// The index of the target whose code stands in for what is not cloned;
    /// the first target's own index for the first.
    pub base: usize,
    /// What its code is tuned for.
    pub size: SizeGoal,
}

/// The targets of an image, at least one. The first holds every function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TargetList(Vec<ImageTarget>);

impl TargetList {
    /// Reads targets separated by `;`, each a name as in [`TargetSpec`] followed
    /// by flags separated by commas: `+feature`, `-feature`, `clone_all`,
    /// `-clone_all`, `opt_size`, `min_size`, `base(N)`. An example:
    /// `x86-64;x86-64-v3,-avx2,clone_all;skylake-avx512,base(1)`.
    ///
    /// # Errors
    /// Any of [`TargetError`]; [`TargetError::Empty`] for a list without a target.
    pub fn parse(text: &str) -> Result<TargetList, TargetError> {
        let entries = text.trim().strip_suffix(';').unwrap_or(text).split(';');
        entries
            .enumerate()
            .map(|(index, entry)| parse_entry(index, entry))
            .collect::<Result<Vec<_>, _>>()
            .map(TargetList)
    }

    /// The targets, the first one being the base of all.
    pub fn targets(&self) -> &[ImageTarget] {
        &self.0
    }
}

fn parse_entry(index: usize, entry: &str) -> Result<ImageTarget, TargetError> {
    let mut words = entry.trim().split(',').map(str::trim);
    let mut target = ImageTarget {
        spec: TargetSpec::parse_name(words.next().unwrap_or(""))?,
        cloning: if index == 0 { Cloning::All } else { Cloning::Relevant },
        base: 0,
        size: SizeGoal::Speed,
    };
    for word in words {
        apply_flag(&mut target, index, word)?;
    }
    Ok(target)
}

fn apply_flag(target: &mut ImageTarget, index: usize, word: &str) -> Result<(), TargetError> {
    match word {
        "clone_all" => target.cloning = Cloning::All,
        // The first target is what all others fall back on, so it stays whole.
        "-clone_all" if index == 0 => {}
        "-clone_all" => target.cloning = Cloning::Relevant,
        "opt_size" => target.size = SizeGoal::Small,
        "min_size" => target.size = SizeGoal::Smallest,
        _ if word.starts_with("base(") => target.base = parse_base(index, word)?,
        _ => {
            if !target.spec.apply_feature(word)? {
                return Err(TargetError::UnknownFlag { flag: word.to_owned() });
            }
        }
    }
    Ok(())
}

fn parse_base(index: usize, word: &str) -> Result<usize, TargetError> {
    word.strip_prefix("base(")
        .and_then(|rest| rest.strip_suffix(')'))
        .and_then(|number| number.parse().ok())
        .filter(|&base: &usize| base < index)
        .ok_or_else(|| TargetError::BadBase { flag: word.to_owned(), index })
}
