//! The page around the data: one file, which asks the network for nothing.

use super::data::Page;
use crate::cfg::svg::escaped;
use crate::failure::Failure;

const FRAME: &str = include_str!("page.html");
const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");

/// The page.
pub(super) fn html(page: &Page) -> Result<String, Failure> {
    let data = json(page)?;
    let title = escaped(&page.file);
    let parts = [("{{title}}", &*title), ("{{style}}", STYLE), ("{{data}}", &*data)];
    let mut text = String::new();
    let mut rest = FRAME;
    // Front to back, so that nothing that was put in is looked at again.
    for (mark, part) in parts.into_iter().chain([("{{script}}", SCRIPT)]) {
        let (before, behind) = rest.split_once(mark).unwrap_or((rest, ""));
        text.push_str(before);
        text.push_str(part);
        rest = behind;
    }
    text.push_str(rest);
    Ok(text)
}

/// The data as JSON that can stand in a script: no `<` that could end it, and no line ends
/// that are none in JSON. All these stand in strings only, where an escape means the same.
fn json(page: &Page) -> Result<String, Failure> {
    let plain = serde_json::to_string(page).map_err(Failure::usage)?;
    let mut text = String::with_capacity(plain.len());
    for character in plain.chars() {
        match character {
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => {
                text.push_str(&format!("\\u{:04x}", character as u32));
            }
            _ => text.push(character),
        }
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_the_data_ends_the_script() {
        let file = "</script><!--<script>\u{2028}&{{script}}".to_owned();
        let page = Page { file: file.clone(), ..Page::default() };
        let data = json(&page).unwrap();
        assert!(!data.contains(['<', '>', '&', '\u{2028}']), "{data}");
        let read: serde_json::Value = serde_json::from_str(&data).unwrap();
        assert_eq!(read["file"], file);
        let html = html(&page).unwrap();
        assert_eq!(html.matches("</script>").count(), FRAME.matches("</script>").count());
        assert!(html.contains("<title>&lt;/script&gt;"), "{html}");
    }

    #[test]
    fn a_page_names_nothing_outside() {
        let html = html(&Page::default()).unwrap();
        let namespace = "http://www.w3.org/2000/svg";
        assert_eq!(html.replace(namespace, "").matches("http").count(), 1, "the policy itself");
        for mark in ["{{title}}", "{{style}}", "{{data}}", "{{script}}", "@import", "url("] {
            assert!(!html.contains(mark), "{mark}");
        }
    }
}
