//! The rule file: its title, the file to keep, and the link that carries the rules.

use greenwave_game::Fault;
use greenwave_picture::escaped;

use super::form::Form;
use crate::own_rules::choices::{CLICKS, Design, TITLE};
use crate::own_rules::opened::OpenedRules;
use crate::page::notices::in_words;
use crate::params::{CODED, SENT, encoded};

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

    /// The field into which a rule file is pasted or loaded; open with one that the form cannot show, and why.
    pub(super) fn open_file(&self, opened: Option<&(OpenedRules, String)>) -> String {
        let words = self.reader.language;
        let problem = |key| {
            format!(
                "<p class=\"problem\" role=\"alert\">{}</p>",
                escaped(words.text(key))
            )
        };
        let problem = match opened {
            None | Some((OpenedRules::Design(_), _)) => String::new(),
            Some((OpenedRules::Faulty(error), _)) => {
                problem("design-wrong") + &self.faults_listed(error, |fault| self.placed(fault))
            }
            Some((OpenedRules::BeyondForm, _)) => problem("design-beyond"),
        };
        let text = opened.map_or("", |(_, text)| text);
        format!(
            "<details class=\"file\" id=\"open-file\"{}><summary>{}</summary>{problem}<form action=\"{}/design\" \
             method=\"get\" data-longest=\"{CODED}\">{}<p><label for=\"rules\">{}</label><textarea id=\"rules\" name=\"file\" \
             rows=\"6\" maxlength=\"{SENT}\" required spellcheck=\"false\">{}</textarea></p><p class=\"problem\" hidden>{}</p>\
             <p class=\"scripted\" hidden><label>{}<input type=\"file\" accept=\".toml\" data-fills=\"rules\"></label></p>\
             <button>{}</button></form></details>",
            if opened.is_some() { " open" } else { "" },
            words.text("design-open"),
            escaped(&self.explorer.base),
            self.reader.hidden_fields(),
            escaped(&words.with("design-open-note", SENT)),
            escaped(text),
            escaped(&words.with("design-long", SENT)),
            words.text("design-open-file"),
            words.text("show")
        )
    }

    /// A fault of the file that was opened, with its line and key.
    fn placed(&self, fault: &Fault) -> String {
        let words = self.reader.language;
        let place = words.filling(&fault.place);
        let place = place.unwrap_or_else(|| fault.place.to_string());
        let problem = in_words(words, &fault.problem, str::to_string);
        format!(">{}: <span{problem}</span>", escaped(&place))
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
