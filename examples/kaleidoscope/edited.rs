//! Lines that a person types: with the arrows, what was typed before, and Ctrl-C.

use std::io;
use std::path::PathBuf;

use rustyline::DefaultEditor;
use rustyline::error::ReadlineError;

use super::prompt::Lines;

/// The variable that names the file in which lines are kept from one time to the next.
pub(crate) const HISTORY: &str = "KALEIDOSCOPE_HISTORY";

/// What a person types at a terminal.
pub(crate) struct Edited {
    editor: DefaultEditor,
    history: Option<PathBuf>,
}

impl Edited {
    /// Of this process's terminal.
    pub(crate) fn new() -> io::Result<Edited> {
        let mut editor = DefaultEditor::new().map_err(io::Error::other)?;
        let history = std::env::var_os(HISTORY).map(PathBuf::from);
        if let Some(file) = &history {
            // There is none at the first time.
            let _ = editor.load_history(file);
        }
        Ok(Edited { editor, history })
    }
}

impl Lines for Edited {
    fn next(&mut self, prompt: &str) -> io::Result<Option<String>> {
        match self.editor.readline(prompt) {
            Ok(line) => {
                self.editor.add_history_entry(&line).map_err(io::Error::other)?;
                Ok(Some(line))
            }
            // Gives up what is typed, as an empty line does.
            Err(ReadlineError::Interrupted) => Ok(Some(String::new())),
            Err(ReadlineError::Eof) => Ok(None),
            Err(error) => Err(io::Error::other(error)),
        }
    }
}

impl Drop for Edited {
    fn drop(&mut self) {
        if let Some(file) = &self.history {
            let _ = self.editor.save_history(file);
        }
    }
}
