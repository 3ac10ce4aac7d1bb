//! The rule file: its title, the file to keep, and the link that carries the rules.

use greenwave_picture::escaped;

use super::form::Form;
use crate::own_rules::choices::{CLICKS, Design, TITLE};
use crate::params::encoded;

impl Form<'_> {
    /// What is carried on: the title, the link with the rules, and the rule file.
    pub(super) fn file(&self, text: &str) -> String {
        let words = self.reader.language;
        let rules = Design {
            click: CLICKS[0].0,
            ..self.design.clone()
        };
        let address = self.address(&rules);
        let origin = if self.explorer.in_folder {
            ""
        } else {
            &self.reader.origin
        };
        format!(
            "{}<p><a id=\"carries\" href=\"{}\">{}</a></p><details class=\"file\" id=\"file\"><summary>{}</summary>\
             <p class=\"tools\"><a download=\"my-game.toml\" href=\"data:text/plain;charset=utf-8,{}\">{}</a> \
             <button type=\"button\" data-copy-text=\"{text}\" data-done=\"{}\" hidden>{}</button></p>\
             <pre id=\"rule-file\">{text}</pre><p>{}</p><p>{} <code>greenwave serve my-game.toml</code></p></details>",
            self.titling(),
            escaped(&format!("{origin}{address}")),
            words.text("design-link"),
            words.text("design-text"),
            encoded(text),
            words.text("tables-file"),
            words.text("copied"),
            words.text("copy"),
            words.text("design-text-note"),
            words.text("design-play-note"),
            text = escaped(text)
        )
    }

    /// The field for the title.
    fn titling(&self) -> String {
        let words = self.reader.language;
        let own = self.design.own().into_iter();
        let kept = own
            .filter(|(name, _)| *name != "title")
            .map(|(name, value)| {
                format!(
                    "<input type=\"hidden\" name=\"{name}\" value=\"{}\">",
                    escaped(&value)
                )
            });
        format!(
            "<form class=\"open\" action=\"{}/design\" method=\"get\"><label for=\"title\">{}</label>\
             <input id=\"title\" name=\"title\" value=\"{}\" maxlength=\"{TITLE}\" autocomplete=\"off\">{}{}\
             <button>{}</button></form>",
            escaped(&self.explorer.base),
            words.text("design-title"),
            escaped(&self.design.title),
            kept.collect::<String>(),
            self.reader.hidden_fields(),
            words.text("show")
        )
    }
}
