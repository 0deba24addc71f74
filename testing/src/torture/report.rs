//! What a run over the suite comes to: rates by category, and the misses.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use brolga_lowering::pipeline::Level;

use super::category::Category;
use super::explained::explanation;
use super::reference::Optimisation;
use super::verdict::{Reason, Verdict};

/// The least share of builds that agree, in percent.
pub const LEAST: usize = 97;

/// What all builds come to.
#[derive(Debug, Default)]
pub struct Report {
    categories: BTreeMap<Category, Counts>,
    /// Whether all builds of a program agree, where clang's are sound.
    programs: BTreeMap<String, bool>,
    /// By the name of the program, level and optimisation.
    misses: BTreeMap<(String, Option<Level>, Optimisation), Reason>,
    not_c: usize,
    not_sound: usize,
}

#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    agreed: usize,
    all: usize,
}

impl Counts {
    /// In hundredths of a percent.
    fn rate(self) -> usize {
        self.agreed * 10_000 / self.all.max(1)
    }

    fn line(self, name: &str) -> String {
        let (Counts { agreed, all }, rate) = (self, self.rate());
        format!("{name:36} {agreed:5} of {all:5}  {:3}.{:02} %\n", rate / 100, rate % 100)
    }
}

impl Report {
    /// Adds a build.
    pub fn add(
        &mut self,
        name: &str,
        category: Category,
        (level, optimisation): (Option<Level>, Optimisation),
        verdict: Verdict,
    ) {
        let agreed = match verdict {
            Verdict::NotC => {
                self.not_c += 1;
                return;
            }
            Verdict::NotSound => {
                self.not_sound += 1;
                return;
            }
            Verdict::Agrees => 1,
            Verdict::Misses(reason) => {
                self.misses.insert((name.to_owned(), level, optimisation), reason);
                0
            }
        };
        *self.programs.entry(name.to_owned()).or_insert(true) &= agreed == 1;
        let counts = self.categories.entry(category).or_default();
        counts.agreed += agreed;
        counts.all += 1;
    }

    fn total(&self) -> Counts {
        self.categories.values().fold(Counts::default(), |sum, counts| Counts {
            agreed: sum.agreed + counts.agreed,
            all: sum.all + counts.all,
        })
    }

    /// Whether there was something to run and as much of it agrees as must.
    pub fn is_good(&self) -> bool {
        let total = self.total();
        total.all > 0 && total.agreed * 100 >= total.all * LEAST
    }

    /// As it is printed.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for ((name, level, optimisation), reason) in &self.misses {
            let level = level.map(|level| format!(" at {}", level.name())).unwrap_or_default();
            // Writing to a string does not fail.
            let _ = write!(text, "{name} {}{level}: {reason}", optimisation.option());
            let why = explanation(name).map(|why| format!("\n    ({why})")).unwrap_or_default();
            let _ = writeln!(text, "{why}");
        }
        if !self.misses.is_empty() {
            text.push('\n');
        }
        for (category, counts) in &self.categories {
            text += &counts.line(category.name());
        }
        text += &self.total().line("all builds");
        let agreed = self.programs.values().filter(|&&agrees| agrees).count();
        text += &Counts { agreed, all: self.programs.len() }.line("programs in all their builds");
        let _ = writeln!(
            text,
            "builds left out: {} that clang refuses, {} that do not exit with 0",
            self.not_c, self.not_sound
        );
        text
    }
}
