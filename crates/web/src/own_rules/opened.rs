//! A rule file read back into the choices of the form.

use greenwave_game::{RuleFile, VariantError, file_name};

use super::choices::{Design, SIDE, digit};
use crate::params::{Params, encoded};

/// A rule file as the form takes it.
pub(crate) enum OpenedRules {
    /// The choices that make its rules.
    Design(Design),
    /// It is no rule file.
    Faulty(VariantError),
    /// It has rules that the form has not.
    BeyondForm,
}

impl OpenedRules {
    /// Reads the text of a rule file. Whatever of it is not understood here makes another game, and is noticed by that.
    pub(crate) fn of(text: &str) -> OpenedRules {
        let hash = |text: &str| Ok(RuleFile::parse("own.toml", text)?.variant.rules().hash);
        let wanted = match hash(text) {
            Ok(wanted) => wanted,
            Err(error) => return OpenedRules::Faulty(error),
        };
        let design = FileSettings::of(text).design();
        match design.filter(|design| hash(&design.text()).is_ok_and(|made| made == wanted)) {
            Some(design) => OpenedRules::Design(design),
            None => OpenedRules::BeyondForm,
        }
    }
}

/// The keys of a file with what stands behind them.
struct FileSettings(Vec<(String, String)>);

impl FileSettings {
    /// Reads lines `key = value`, the brackets of a value on one line or several.
    fn of(text: &str) -> FileSettings {
        let mut settings = Vec::new();
        let mut lines = text.lines().map(without_comment);
        while let Some(line) = lines.next() {
            let Some((key, value)) = line.split_once('=') else {
                continue;
            };
            let mut value = value.to_string();
            let open =
                |value: &str| value.matches(['[', '{']).count() > value.matches([']', '}']).count();
            while open(&value) {
                let Some(more) = lines.next() else { break };
                value.push_str(more);
            }
            settings.push((key.trim().to_string(), value));
        }
        FileSettings(settings)
    }

    fn get(&self, key: &str) -> Option<&str> {
        let mut settings = self.0.iter();
        let (_, value) = settings.find(|(known, _)| known == key)?;
        Some(value)
    }

    /// The choices that the keys make; `None` where they are none of the form.
    fn design(&self) -> Option<Design> {
        let mut query: Vec<(&str, String)> = Vec::new();
        let list = |value: &str| items(value).join(",");
        for (key, name) in [
            ("title", "title"),
            ("patterns", "goals"),
            ("last-square", "last"),
            ("pass", "pass"),
            ("moves-a-turn", "turns"),
            ("win-lines", "lines"),
            ("line-length", "length"),
            ("levels", "levels"),
            ("top", "top"),
            ("wrap", "wrap"),
            ("grid", "grid"),
        ] {
            query.extend(self.get(key).map(|value| (name, list(value))));
        }
        for (key, yes, name) in [("play", "misere", "lose"), ("swap", "true", "swap")] {
            let is_chosen = self.get(key).is_some_and(|value| list(value) == yes);
            query.extend(is_chosen.then(|| (name, "1".to_string())));
        }
        if let Some((first, second)) = self
            .get("goal")
            .and_then(|value| value.split_once("second"))
        {
            query.extend([("goals", list(first)), ("second", list(second))]);
        }
        if let Some((first, second)) = self.get("may").and_then(|value| value.split_once("second"))
        {
            let digits = |value: &str| items(value).concat();
            query.push(("may", format!("{}-{}", digits(first), digits(second))));
        }
        if let Some(directions) = self.get("directions") {
            let letters = items(directions);
            let letters = letters.iter().filter_map(|name| name.chars().next());
            query.push(("along", letters.collect()));
        }
        if let Some(start) = self.get("start") {
            let level = |letter: char| match letter {
                'R' => digit(1),
                'Y' => digit(2),
                'G' => digit(3),
                '.' => digit(0),
                other => other,
            };
            query.push(("start", list(start).chars().map(level).collect()));
        }
        let outline = self.get("outline").map(|rows| list(rows).replace(',', "/"));
        let sized = || {
            let (ranks, files) = self.get("size")?.trim().trim_matches('"').split_once('x')?;
            let [ranks, files] =
                [ranks, files].map(|side| side.parse().ok().filter(|side| *side <= SIDE));
            Some(vec!["o".repeat(files?); ranks?].join("/"))
        };
        query.push(("board", outline.or_else(sized)?));
        let mut design = read(&query)?;
        if let Some(barred) = self.get("not-first") {
            let barred = items(barred);
            for (rank, row) in design.board.iter_mut().rev().enumerate() {
                for (file, spot) in row.iter_mut().enumerate() {
                    let name = format!("{}{}", file_name(file as u8), rank + 1);
                    spot.barred = barred.contains(&name);
                }
            }
        }
        Some(design)
    }
}

/// The choices of parameters.
fn read(query: &[(&str, String)]) -> Option<Design> {
    let pairs = query
        .iter()
        .map(|(name, value)| format!("{name}={}", encoded(value)));
    Design::read(&Params::read(&pairs.collect::<Vec<_>>().join("&")).ok()?).ok()
}

/// The texts in quotation marks of a value; where it has none, its words and numbers.
fn items(value: &str) -> Vec<String> {
    let quoted: Vec<String> = value
        .split('"')
        .skip(1)
        .step_by(2)
        .map(str::to_string)
        .collect();
    if !quoted.is_empty() {
        return quoted;
    }
    let parts = value.split(|letter: char| !letter.is_alphanumeric());
    parts
        .filter(|part| !part.is_empty() && *part != "first")
        .map(str::to_string)
        .collect()
}

/// A line without what stands behind a `#` that is in no quotation marks.
fn without_comment(line: &str) -> &str {
    let mut is_quoted = false;
    let end = line.find(|letter| {
        is_quoted ^= letter == '"';
        letter == '#' && !is_quoted
    });
    &line[..end.unwrap_or(line.len())]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whatever the form writes it reads again.
    #[test]
    fn the_form_reads_its_own_files() {
        for query in [
            "",
            "title=Zwei Lichter-Spiel&lose=1",
            "board=ooo/o-o/ooo&lose=1",
            "along=rd&length=2&goals=11,12",
            "grid=hex&levels=2&board=oooo/oooo",
            "start=010/000/020&top=333/313/333&barred=ooo/oxo/ooo",
            "swap=1&last=neighbours&pass=once",
            "turns=1-2-2&may=12-3&lines=2",
            "goals=111&second=222,333&lose=1",
        ] {
            let design = Design::read(&Params::read(query).unwrap()).unwrap();
            let text = design.text();
            let OpenedRules::Design(opened) = OpenedRules::of(&text) else {
                panic!("{text}");
            };
            assert_eq!(opened, design, "{text}");
        }
    }

    #[test]
    fn a_file_of_other_rules_is_not_taken_for_one_of_the_form() {
        let other = "patterns = [\"111\"]\nsupply = \"cap6\"\n[board]\nsize = \"3x3\"";
        assert!(matches!(OpenedRules::of(other), OpenedRules::BeyondForm));
        assert!(matches!(
            OpenedRules::of("patterns = 1"),
            OpenedRules::Faulty(_)
        ));
        let spread = "patterns = [ # comment\n  \"111\",\n  \"222\" ]\n[board]\nsize = \"3x4\"";
        let OpenedRules::Design(spread) = OpenedRules::of(spread) else {
            panic!("{spread}");
        };
        assert_eq!(spread.goals, ["111", "222"]);
        assert_eq!(spread.rows('o'), "oooo/oooo/oooo");
    }
}
