//! The page of `explore`: its parts name each other, and its keys do what it says.

use std::collections::BTreeSet;
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

use serde_json::Value;

use crate::tool::{SAMPLE, Scratch, brolga, skip};

/// A page, and its parts.
struct Page {
    whole: String,
    style: String,
    /// What a reader sees before the script runs.
    markup: String,
    script: String,
}

/// What stands between two marks, and what behind the second.
fn between<'a>(text: &'a str, before: &str, behind: &str) -> (&'a str, &'a str) {
    let (_, rest) = text.split_once(before).unwrap_or_else(|| panic!("no {before:?}"));
    rest.split_once(behind).unwrap_or_else(|| panic!("no {behind:?} behind {before:?}"))
}

/// All that stands between two such marks.
fn all_between<'a>(text: &'a str, before: &'a str, behind: &'a str) -> Vec<&'a str> {
    let parts = text.split(before).skip(1);
    parts.map(|part| part.split(behind).next().unwrap_or("")).collect()
}

fn page() -> Page {
    let answer = brolga(&["explore", "--no-times", "-O2", "-"], SAMPLE.as_bytes());
    assert_eq!((answer.code, answer.err.as_str()), (0, ""));
    let whole = answer.out;
    let (style, rest) = between(&whole, "<style>", "</style>");
    let (markup, _) = between(rest, "<body>", "<script");
    let (script, _) = between(&whole, "<script>", "</script>");
    let [style, markup, script] = [style, markup, script].map(str::to_owned);
    Page { whole, style, markup, script }
}

/// The names and titles of the tabs, as the script lists them.
fn tabs(page: &Page) -> Vec<(String, String)> {
    let (list, _) = between(&page.script, "const TABS = [[\"", "\"]];");
    let tabs = list.split("\"], [\"").map(|tab| tab.split_once("\", \"").expect("a name, a title"));
    tabs.map(|(name, title)| (name.to_owned(), title.to_owned())).collect()
}

/// The keys that the page tells of, as the browser calls them: those of its help, but for the
/// one that closes it, which is the browser's own, and those of the titles of its buttons.
fn keys_told(page: &Page) -> BTreeSet<String> {
    let (help, _) = between(&page.markup, "<dialog id=\"help\"", "</dialog>");
    let (_, buttons) = page.markup.split_once("<header>").unwrap();
    let titles = all_between(buttons, " title=\"", "\"").into_iter();
    let in_titles = titles.filter_map(|title| title.strip_suffix(')')?.rsplit_once('('));
    let mut told: BTreeSet<String> = in_titles.map(|(_, key)| key.to_owned()).collect();
    for line in help.lines() {
        let keys = all_between(line, "<kbd>", "</kbd>");
        let numbers: Vec<u32> = keys.iter().filter_map(|key| key.parse().ok()).collect();
        match numbers.as_slice() {
            [first, last] if line.contains('…') => {
                told.extend((*first..=*last).map(|it| it.to_string()));
            }
            _ => told.extend(keys.into_iter().map(|key| match key {
                "←" => "ArrowLeft".to_owned(),
                "→" => "ArrowRight".to_owned(),
                "−" => "-".to_owned(),
                key => key.to_owned(),
            })),
        }
    }
    assert!(told.remove("Esc"), "the help says how it is closed");
    told
}

/// The keys that the script knows.
fn keys_known(page: &Page) -> BTreeSet<String> {
    let (table, rest) = between(&page.script, "const KEYS = {", "\n};");
    assert!(rest.trim_start().starts_with("TABS.forEach(([id], index) => { KEYS[index + 1] ="));
    let entries = table.split([',', '\n']).filter_map(|entry| entry.split_once(": "));
    let names = entries.map(|(name, _)| name.trim().trim_matches('"').to_owned());
    let is_key = |name: &String| !name.is_empty() && !name.contains([' ', '{', '(']);
    names.filter(is_key).chain((1..=tabs(page).len()).map(|tab| tab.to_string())).collect()
}

#[test]
fn each_key_that_the_page_tells_of_has_a_handler() {
    let page = page();
    let (told, known) = (keys_told(&page), keys_known(&page));
    assert!(told.len() > 15, "{told:?}");
    let unknown: Vec<&String> = told.difference(&known).collect();
    assert!(unknown.is_empty(), "the script knows nothing of {unknown:?}, but of {known:?}");
    // A plus is one with and without its shift key.
    let untold: Vec<&String> = known.difference(&told).filter(|key| *key != "=").collect();
    assert!(untold.is_empty(), "the page tells nothing of {untold:?}");
}

#[test]
fn each_element_that_the_script_asks_for_is_in_the_page() {
    let page = page();
    let asked: BTreeSet<&str> = all_between(&page.script, "at(\"", "\")").into_iter().collect();
    assert!(asked.contains("slider") && asked.contains("tabs") && asked.len() > 20, "{asked:?}");
    for id in asked {
        assert_eq!(page.markup.matches(&format!(" id=\"{id}\"")).count(), 1, "{id}");
    }
    assert!(page.markup.contains("<input id=\"slider\" type=\"range\""), "{}", page.markup);
    for id in ["slider", "ticks", "back", "on", "pick", "keys"] {
        let listens = format!("at(\"{id}\").addEventListener(\"");
        assert!(page.script.contains(&listens), "nothing happens at {id}");
    }
}

#[test]
fn each_tab_has_a_pane_that_it_shows_and_each_pane_a_tab() {
    let page = page();
    let tabs = tabs(&page);
    let panes = all_between(&page.markup, "<section id=\"pane-", "\"");
    assert_eq!(tabs.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), panes);
    for (name, _) in &tabs {
        let shown = format!("body[data-tab={name}] #pane-{name}");
        assert!(page.style.contains(&shown), "{shown}");
        assert!(page.markup.contains(&format!("<div id=\"{name}\"")), "{name} is filled");
    }
    let (help, _) = between(&page.markup, "<dialog id=\"help\"", "</dialog>");
    let titles: Vec<String> = tabs.iter().map(|(_, title)| title.to_lowercase()).collect();
    assert!(help.to_lowercase().contains(&titles.join(", ")), "in the order of their keys");
}

#[test]
fn style_and_script_agree_on_what_is_narrow() {
    let page = page();
    let (asked, _) = between(&page.script, "const isNarrow = () => matchMedia(\"", "\")");
    assert!(asked.starts_with("(max-width: "), "{asked}");
    let (rules, _) = between(&page.style, &format!("@media {asked} {{"), "\n}");
    for rule in ["main {", "#tab-ir { display: block; }", "body[data-tab=ir] #pane-cfg {"] {
        assert!(rules.contains(rule), "{rule}");
    }
    assert!(page.whole.contains("<meta name=\"viewport\" content=\"width=device-width"));
}

/// What the script makes of a page of a browser so wide, at first and behind each of the keys,
/// by `browser.js`; nothing where there is no Node to run it.
fn behind(width: u32, keys: &[&str]) -> Option<Vec<Value>> {
    let example = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/nqueens.bir");
    static PAGES: AtomicU32 = AtomicU32::new(0);
    let number = PAGES.fetch_add(1, Ordering::Relaxed);
    let file = Scratch::new(&format!("page-{number}.html"), "");
    let answer = brolga(&["explore", "-O2", example, "--out", file.path()], b"");
    assert_eq!(answer.text(), "exit code 0\n--- out\n--- err\n");
    let browser = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/command/browser.js");
    let width = width.to_string();
    let run = Command::new("node").args([browser, file.path(), &width]).args(keys).output();
    let Ok(output) = run else {
        skip("there is no Node to run the page's script");
        return None;
    };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let lines = String::from_utf8(output.stdout).unwrap();
    Some(lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect())
}

#[test]
fn keys_go_to_steps_functions_and_dialogs() {
    let keys =
        ["End", "Home", "ArrowRight", "ArrowLeft", "j", "k", "]", "[", "f", "/", "?", "slider:5"];
    let Some(shown) = behind(1200, &keys) else { return };
    let all = |what: &str| -> Vec<&Value> { shown.iter().map(|it| &it[what]).collect() };
    let last = shown[0]["steps"].as_u64().unwrap();
    assert!(last > 40, "{last}");
    let steps: Vec<u64> = shown.iter().map(|it| it["step"].as_u64().unwrap()).collect();
    let changed = steps[5];
    assert_eq!(steps[..5], [0, last, 0, 1, 0]);
    assert!((1..last).contains(&changed), "{changed}");
    assert_eq!(steps[6..], [0, 0, 0, 0, 0, 0, 5]);
    assert_eq!(shown[5]["marked"].as_u64().map(|marked| marked > 0), Some(true), "lines that came");
    let functions = all("function");
    assert_ne!(functions[7], functions[6]);
    assert_eq!(functions[8], functions[6]);
    assert_eq!(all("dialog")[8..], ["", "picker", "picker", "help", ""]);
}

#[test]
fn numbers_choose_tabs_at_any_width_and_the_picture_has_blocks() {
    let page = page();
    let names: Vec<String> = tabs(&page).into_iter().map(|(name, _)| name).collect();
    let numbers: Vec<String> = (1..=names.len()).map(|number| number.to_string()).collect();
    let keys: Vec<&str> = numbers.iter().map(String::as_str).chain(["["]).collect();
    for (width, first) in [(1200, "cfg"), (400, "ir")] {
        let Some(shown) = behind(width, &keys) else { return };
        let (at_first, shown) = shown.split_first().unwrap();
        let (behind_all, shown) = shown.split_last().unwrap();
        let tabs: Vec<&Value> = shown.iter().map(|it| &it["tab"]).collect();
        assert_eq!(tabs, names.iter().collect::<Vec<_>>());
        let selected: Vec<&Value> = shown.iter().map(|it| &it["selected"]).collect();
        let first = format!("tab-{first}");
        assert_eq!(*selected[0], first, "beside the text the picture, or the text alone");
        let others: Vec<String> = names[1..].iter().map(|name| format!("tab-{name}")).collect();
        assert_eq!(selected[1..], others.iter().collect::<Vec<_>>());
        let blocks = [at_first, behind_all].map(|it| it["blocks"].as_u64().unwrap());
        assert!(
            blocks[0] == 1 && blocks[1] > 1,
            "of the first function, and of the last one: {blocks:?}"
        );
    }
}

#[test]
fn each_pane_says_what_its_tab_is_called() {
    let Some(shown) = behind(1200, &["[", "slider:5"]) else { return };
    let pane = |index: usize, name: &str| shown[index]["panes"][name].as_str().unwrap().to_owned();
    // The last function, before any pass.
    assert!(pane(1, "ir").contains("func @") && pane(1, "ir").contains("branch"), "{shown:?}");
    assert!(pane(1, "source").contains("func @"), "{}", pane(1, "source"));
    let clif = pane(1, "clif");
    assert!(clif.starts_with("function ") && clif.contains("brif"), "{clif}");
    let assembly = pane(1, "assembly");
    assert!(assembly.lines().count() > 20 && assembly.contains("ret"), "{assembly}");
    let remarks = pane(1, "remarks");
    assert!(remarks.contains("Of this step: input\nnone\nOf other steps"), "{remarks}");
    let passes = pane(1, "passes");
    for said in ["early simplification", "licm", "clean up", " µs"] {
        assert!(passes.contains(said), "{said}: {passes}");
    }
    // The loop is tinted, and what stands around it is not.
    let tints: BTreeSet<&str> =
        shown[1]["tints"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    assert!(tints.contains("0") && tints.contains("12"), "{tints:?}");
    // What is of a step changes with it; what is made in the end does not.
    assert_ne!(pane(2, "remarks"), remarks);
    assert_eq!(pane(2, "assembly"), assembly);
}

#[test]
fn lines_that_went_are_hidden_by_a_key() {
    let Some(shown) = behind(1200, &["j", "d", "d"]) else { return };
    let lines: Vec<u64> = shown.iter().map(|it| it["lines"].as_u64().unwrap()).collect();
    assert!(lines[1] > lines[2] && lines[1] == lines[3], "{lines:?}");
}
