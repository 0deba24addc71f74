//! The words by which inspection is asked for: one table for the options of the command, the
//! variables of an environment, and the documentation.

use super::{Inspection, Remarks, Selection, Switch};
use crate::pipeline::PassList;
use crate::pipeline::text::names_in;

/// A word by which inspection is asked for.
#[derive(Debug)]
pub struct InspectionWord {
    /// The option, without dashes.
    pub name: &'static str,
    /// What stands behind the equals sign; none for a switch, behind which `on` or `off`
    /// may stand.
    pub value: Option<&'static str>,
    /// The value where there is no equals sign; none if there must be one.
    pub default: Option<&'static str>,
    /// What it asks for, as a sentence without period.
    pub help: &'static str,
    set: fn(&mut Inspection, &str) -> Result<(), String>,
}

/// All of them.
pub static WORDS: &[InspectionWord] = &[
    InspectionWord {
        name: "passes",
        value: Some("PASS,…"),
        default: None,
        help: "Run these passes in this order in the place of those of a level: names with \
               commas between, `NAME(OPTION)` where a pass has options, `O0` to `O3` for those \
               of a level. What code cannot be emitted without runs among them",
        set: |inspection, value| {
            let list = PassList::parse(value).map_err(|error| error.to_string())?;
            inspection.passes = Some(list);
            Ok(())
        },
    },
    InspectionWord {
        name: "print-before",
        value: Some("PASS,…|all|changed"),
        default: None,
        help: "Show the text of each function before these passes, before all, or before those \
               that change it",
        set: |inspection, value| {
            inspection.print_before = selection(value, Changes::Allowed)?;
            Ok(())
        },
    },
    InspectionWord {
        name: "print-after",
        value: Some("PASS,…|all|changed"),
        default: None,
        help: "Show the text of each function behind these passes, behind all, or behind those \
               that change it",
        set: |inspection, value| {
            inspection.print_after = selection(value, Changes::Allowed)?;
            Ok(())
        },
    },
    InspectionWord {
        name: "print-only",
        value: Some("FUNCTION,…"),
        default: None,
        help: "Of texts show only those of these functions",
        set: |inspection, value| {
            let names = value.split(',').map(|name| name.trim().trim_start_matches('@'));
            inspection.print_only = names.filter(|name| !name.is_empty()).map(Into::into).collect();
            match inspection.print_only.is_empty() {
                true => Err("name a function".to_owned()),
                false => Ok(()),
            }
        },
    },
    InspectionWord {
        name: "debug-only",
        value: Some("PASS,…|all"),
        default: None,
        help: "Show the steps of these passes, and what they count in each function",
        set: |inspection, value| {
            inspection.debug_only = selection(value, Changes::Refused)?;
            Ok(())
        },
    },
    InspectionWord {
        name: "time-passes",
        value: None,
        default: Some("on"),
        help: "Show at the end how long each pass took, and how many instructions it left",
        set: |inspection, value| {
            inspection.time_passes = switch(value)?;
            Ok(())
        },
    },
    InspectionWord {
        name: "stats",
        value: None,
        default: Some("on"),
        help: "Show at the end what the passes have counted",
        set: |inspection, value| {
            inspection.statistics = switch(value)?;
            Ok(())
        },
    },
    InspectionWord {
        name: "remarks",
        value: Some("text|json"),
        default: Some("text"),
        help: "Show what passes did where, and what they could not do, with source lines",
        set: |inspection, value| {
            inspection.remarks = match value {
                "text" | "1" | "on" => Remarks::Text,
                "json" => Remarks::Json,
                "0" | "off" => Remarks::Off,
                _ => return Err("there is `text`, a line for each, and `json`".to_owned()),
            };
            Ok(())
        },
    },
    InspectionWord {
        name: "bisect-limit",
        value: Some("N"),
        default: None,
        help: "Make the first N runs of passes that code does without, and none behind them; \
               shows each with its number",
        set: |inspection, value| {
            let number = value.replace('_', "").parse();
            inspection.bisect_limit =
                Some(number.map_err(|_| "the limit is a number, such as 12".to_owned())?);
            Ok(())
        },
    },
    InspectionWord {
        name: "verify-each",
        value: None,
        default: Some("on"),
        help: "Verify what each pass leaves, and name the pass that leaves what it must not",
        set: |inspection, value| {
            inspection.verify_each = switch(value)?;
            Ok(())
        },
    },
];

impl InspectionWord {
    /// The variable of an environment that asks for the same: `BROLGA_PRINT_AFTER`.
    pub fn variable(&self) -> String {
        format!("BROLGA_{}", self.name.replace('-', "_").to_ascii_uppercase())
    }

    /// Takes it into account, with what stands behind the equals sign.
    pub(super) fn apply(
        &self,
        inspection: &mut Inspection,
        value: Option<&str>,
    ) -> Result<(), String> {
        let value = value.or(self.default);
        let value = value
            .ok_or_else(|| format!("write `{}={}`", self.name, self.value.unwrap_or_default()))?;
        (self.set)(inspection, value)
    }
}

/// Whether a selection may be that of the runs that change anything.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Changes {
    Allowed,
    Refused,
}

fn selection(value: &str, changes: Changes) -> Result<Selection, String> {
    match value.trim() {
        "all" | "*" => Ok(Selection::All),
        "changed" if changes == Changes::Allowed => Ok(Selection::Changed),
        _ => names_in(value).map(Selection::Passes).map_err(|error| error.to_string()),
    }
}

fn switch(value: &str) -> Result<Switch, String> {
    match value {
        "on" | "1" => Ok(Switch::On),
        "off" | "0" => Ok(Switch::Off),
        _ => Err("it is `on` or `off`".to_owned()),
    }
}
