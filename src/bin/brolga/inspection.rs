//! What somebody wants to know of the passes: options, and where the answers go.

use std::sync::Arc;

use brolga::Observer;
use brolga::lowering::pipeline::{INSPECTION_WORDS, Inspection, InspectionWord, Inspector};
use clap::{Arg, ArgMatches, Args, Command, FromArgMatches};

use crate::failure::Failure;
use crate::output;

/// Options of the command, one for each word of the library's table.
#[derive(Clone, Debug, Default)]
pub(crate) struct InspectionOptions {
    words: Vec<String>,
}

impl InspectionOptions {
    /// What is asked for: by variables of the environment, and by options, which come first.
    pub(crate) fn inspection(&self) -> Result<Inspection, Failure> {
        let inspection = Inspection::from_environment(std::env::vars_os());
        let mut inspection = inspection.map_err(Failure::usage)?;
        for word in &self.words {
            inspection.set(word).map_err(Failure::usage)?;
        }
        Ok(inspection)
    }

    /// Who finds that out, and shows it on standard error.
    pub(crate) fn inspector(&self) -> Result<Arc<Inspector>, Failure> {
        let console: Arc<dyn Observer> = Arc::new(Console);
        Ok(Arc::new(Inspector::new(self.inspection()?, Some(console))))
    }

    fn read(&mut self, matches: &ArgMatches) {
        for InspectionWord { name, .. } in INSPECTION_WORDS {
            let values = matches.get_many::<String>(name).into_iter().flatten();
            self.words.extend(values.map(|value| format!("--{name}={value}")));
        }
    }
}

/// What is shown of the passes goes to standard error.
pub(crate) fn show(text: &str) {
    output::print_error(text.strip_suffix('\n').unwrap_or(text));
}

/// Who shows it there, and hears of nothing else.
#[derive(Debug)]
struct Console;

impl Observer for Console {
    fn shown(&self, text: &str) {
        show(text);
    }
}

impl FromArgMatches for InspectionOptions {
    fn from_arg_matches(matches: &ArgMatches) -> Result<InspectionOptions, clap::Error> {
        let mut options = InspectionOptions::default();
        options.read(matches);
        Ok(options)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        self.read(matches);
        Ok(())
    }
}

impl Args for InspectionOptions {
    fn augment_args(command: Command) -> Command {
        // A subcommand may have words of its own that say the same.
        let is_new =
            |word: &&InspectionWord| command.get_arguments().all(|it| it.get_id() != word.name);
        let new: Vec<Arg> = INSPECTION_WORDS.iter().filter(is_new).map(option).collect();
        command.args(new)
    }

    fn augment_args_for_update(command: Command) -> Command {
        InspectionOptions::augment_args(command)
    }
}

fn option(word: &'static InspectionWord) -> Arg {
    let option = Arg::new(word.name)
        .long(word.name)
        .value_name(word.value.unwrap_or("on|off"))
        .help(word.help)
        .help_heading("Inspecting the passes")
        .overrides_with(word.name);
    match word.default {
        Some(value) => option.num_args(0..=1).require_equals(true).default_missing_value(value),
        None => option,
    }
}
