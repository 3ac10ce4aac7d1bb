//! A family of rules: a rule file, and the keys of it that vary.

use greenwave_game::keyed::Faults;
use greenwave_game::{Fault, Lights, RuleFile, Variant, VariantError};
use toml::de::DeValue;

use crate::DesignError;
use crate::tree::{KeyTable, KeyValue, set, table_of, text};

/// Combinations that a family may have.
pub const MOST: u128 = 100_000;

/// A rule file, and what varies in it.
#[derive(Clone, Debug)]
pub struct RuleFamily {
    /// The name of the file without `.toml`.
    stem: String,
    /// The rules without what varies.
    base: KeyTable,
    varied: Vec<VariedKey>,
}

/// A key with its values; `None` leaves the key out.
#[derive(Clone, Debug)]
struct VariedKey {
    key: String,
    values: Vec<Option<KeyValue>>,
    /// Whether the file says so, and not an option.
    of_file: bool,
}

/// One set of rules.
#[derive(Clone, Debug)]
pub struct Combination {
    /// What it is called: the name of the family with a number.
    pub name: String,
    /// The keys that vary, each with its value as people read it; `-` where the key is left out.
    pub settings: Vec<(String, String)>,
    file: KeyTable,
}

impl Combination {
    /// The text of its rule file.
    #[must_use]
    pub fn text(&self) -> String {
        text(&self.file)
    }

    /// Its game.
    ///
    /// # Errors
    /// When the rules refuse it: every fault.
    pub fn variant(&self) -> Result<Variant, VariantError> {
        Ok(RuleFile::parse(&format!("{}.toml", self.name), &self.text())?.variant)
    }
}

impl RuleFamily {
    /// Reads a rule file; its table `[vary]`, if there is one, says what varies. `file` is the name of the
    /// file without folders.
    ///
    /// # Errors
    /// When it is no rule file's name or text, and when `[vary]` holds something else than lists.
    pub fn read(file: &str, text: &str) -> Result<RuleFamily, DesignError> {
        let stem = RuleFile::stem(file).ok_or_else(|| VariantError::FileName {
            file: file.into(),
            problem:
                "a rule file is named with letters, digits, '-', '_' and '.', begins with a letter \
                      or digit and ends in .toml; rename the file"
                    .into(),
        })?;
        if text.len() > RuleFile::LONGEST {
            return Err(DesignError::Refused(format!(
                "'{file}': found {} bytes, expected at most {}",
                text.len(),
                RuleFile::LONGEST
            )));
        }
        let faults = Faults::new(text);
        let mut family = RuleFamily {
            stem: stem.into(),
            base: KeyTable::new(),
            varied: Vec::new(),
        };
        if let Some(read) = faults.parse() {
            let table = read.get_ref();
            if let Some(vary) = table.get("vary") {
                family.read_varied(&faults, "", vary.get_ref(), vary.span().start);
            }
            family.base = table_of(table);
            // Each combination is named after the file.
            family
                .base
                .retain(|(key, _)| key != "vary" && key != "title");
        }
        if faults.is_empty() {
            Ok(family)
        } else {
            Err(of_file(file, faults.into_list()))
        }
    }

    fn read_varied(&mut self, faults: &Faults<'_>, path: &str, value: &DeValue<'_>, byte: usize) {
        let expected = "expected a list of values, such as [\"none\", \"files\"]";
        match value {
            DeValue::Array(items) if !path.is_empty() => {
                let values = items.iter().map(|item| KeyValue::of(item.get_ref()));
                let values: Vec<Option<KeyValue>> = values.map(unless_empty).collect();
                if values.is_empty() {
                    let key = format!("vary.{path}");
                    faults.add(byte, &key, format!("found no value, {expected}"));
                }
                if let Some(full) = with_its_table(path) {
                    let key = format!("vary.{path}");
                    faults.add(
                        byte,
                        &key,
                        format!("no key '{path}'; write {full} below [vary]"),
                    );
                }
                self.varied.push(VariedKey {
                    key: path.into(),
                    values,
                    of_file: true,
                });
            }
            DeValue::Table(table) => {
                let mut keys: Vec<_> = table.iter().collect();
                keys.sort_by_key(|(key, _)| key.span().start);
                for (key, value) in keys {
                    let path = match path {
                        "" => key.get_ref().to_string(),
                        path => format!("{path}.{}", key.get_ref()),
                    };
                    self.read_varied(faults, &path, value.get_ref(), value.span().start);
                }
            }
            DeValue::Array(_)
            | DeValue::String(_)
            | DeValue::Integer(_)
            | DeValue::Float(_)
            | DeValue::Boolean(_)
            | DeValue::Datetime(_) => {
                let key = match path {
                    "" => "vary".to_string(),
                    path => format!("vary.{path}"),
                };
                let expected = match path {
                    "" => "expected a table, which begins with [vary]",
                    _ => expected,
                };
                let found = value.type_str();
                faults.add(
                    byte,
                    &key,
                    format!("found a value of type {found}, {expected}"),
                );
            }
        }
    }

    /// Lets a key vary, as `KEY=A,B,…` says, in place of what the file says of it.
    ///
    /// # Errors
    /// When there is no `=`, no key, the key belongs to another table, or it varies already by an earlier
    /// option.
    pub fn vary(&mut self, option: &str) -> Result<(), DesignError> {
        let refused = |problem: String| Err(DesignError::Refused(format!("--vary: {problem}")));
        let Some((key, values)) = option.split_once('=') else {
            return refused(format!(
                "found '{option}', expected KEY=A,B,…, for example board.wrap=none,files"
            ));
        };
        let key = key.trim();
        if key.is_empty() || key.split('.').any(|part| part.trim().is_empty()) {
            return refused(format!(
                "found no key in '{option}', expected KEY=A,B,…, for example board.wrap=none,files"
            ));
        }
        if let Some(full) = with_its_table(key) {
            return refused(format!("no key '{key}'; say --vary {full}={values}"));
        }
        let values: Vec<Option<KeyValue>> = split(values)
            .into_iter()
            .map(|value| unless_empty(KeyValue::typed(value.trim())))
            .collect();
        let varied = VariedKey {
            key: key.into(),
            values,
            of_file: false,
        };
        match self.varied.iter_mut().find(|known| known.key == key) {
            Some(known) if !known.of_file => {
                return refused(format!(
                    "'{key}' is given twice; write all its values into one option"
                ));
            }
            Some(known) => *known = varied,
            None => self.varied.push(varied),
        }
        Ok(())
    }

    /// Writes every set of rules in an order of the lights, positions at the start included.
    ///
    /// # Errors
    /// When the lights themselves vary.
    pub fn set_lights(&mut self, lights: Lights) -> Result<(), DesignError> {
        if self.varied.iter().any(|varied| varied.key == "lights") {
            return Err(DesignError::Refused(format!(
                "found lights among the keys that vary, and {lights} for all; leave one of them out"
            )));
        }
        let is_lights = |(key, _): &&(String, KeyValue)| key == "lights";
        let own = self.base.iter().find(is_lights);
        let own = own.and_then(|(_, value)| Lights::named(&value.shown()));
        if own.unwrap_or_default() == lights {
            return Ok(());
        }
        let written = KeyValue::Text(lights.to_string());
        self.base.retain(|(key, _)| key != "lights");
        self.base.push(("lights".into(), written));
        let base = self.base.iter_mut().map(|(key, value)| (&*key, value));
        let varied = self.varied.iter_mut().flat_map(|varied| {
            let values = varied.values.iter_mut().flatten();
            values.map(|value| (&varied.key, value))
        });
        for (key, value) in base.chain(varied) {
            if let ("start", KeyValue::Text(text)) = (&**key, value) {
                *text = Lights::Gyr.exchanged(&text.to_ascii_uppercase());
            }
        }
        Ok(())
    }

    /// What the family follows from: the rules and what varies, as a text.
    #[must_use]
    pub fn described(&self) -> String {
        let mut described = text(&self.base);
        for varied in &self.varied {
            let values: Vec<String> = varied
                .values
                .iter()
                .map(|value| value.as_ref().map_or(String::new(), KeyValue::written))
                .collect();
            described.push_str(&format!("{}={}\n", varied.key, values.join(";")));
        }
        described
    }

    /// The name of the file without `.toml`.
    #[must_use]
    pub fn stem(&self) -> &str {
        &self.stem
    }

    /// The keys that vary.
    #[must_use]
    pub fn keys(&self) -> Vec<&str> {
        self.varied.iter().map(|varied| &*varied.key).collect()
    }

    /// Every combination of the values, the last key fastest; the rules alone where nothing varies.
    ///
    /// # Errors
    /// When there are more than [`MOST`], and when a key stands inside something that is no
    /// table.
    pub fn combinations(&self) -> Result<Vec<Combination>, DesignError> {
        let count =
            |product: u128, varied: &VariedKey| product.saturating_mul(varied.values.len() as u128);
        let count = self.varied.iter().fold(1, count);
        if count > MOST {
            return Err(DesignError::Refused(format!(
                "found {} combinations, expected at most {}; vary fewer keys, or give them fewer values",
                grouped(count),
                grouped(MOST)
            )));
        }
        let digits = count.to_string().len();
        let mut combinations = Vec::new();
        for number in 0..count as usize {
            let mut file = self.base.clone();
            let mut settings = Vec::new();
            let mut left = number;
            let mut chosen = Vec::new();
            for varied in self.varied.iter().rev() {
                chosen.push((varied, &varied.values[left % varied.values.len()]));
                left /= varied.values.len();
            }
            for (varied, value) in chosen.into_iter().rev() {
                set(&mut file, &varied.key, value.as_ref()).map_err(|table| {
                    DesignError::Refused(format!(
                        "'{}' cannot vary: '{table}' is no table in '{}.toml'",
                        varied.key, self.stem
                    ))
                })?;
                let shown = value.as_ref().map_or_else(|| "-".into(), KeyValue::shown);
                settings.push((varied.key.clone(), shown));
            }
            combinations.push(Combination {
                name: if self.varied.is_empty() {
                    self.stem.clone()
                } else {
                    format!("{}-{:0digits$}", self.stem, number + 1)
                },
                settings,
                file,
            });
        }
        Ok(combinations)
    }
}

/// The path of a key that stands in another table than its path says: `board.levels` for `levels`.
fn with_its_table(path: &str) -> Option<String> {
    let (table, name) = path.rsplit_once('.').unwrap_or(("", path));
    match RuleFile::table_of(name).filter(|home| *home != table)? {
        "" => Some(name.into()),
        home => Some(format!("{home}.{name}")),
    }
}

fn grouped(number: u128) -> String {
    u64::try_from(number).map_or_else(|_| "too many".into(), greenwave_solver::grouped)
}

fn of_file(file: &str, faults: Vec<Fault>) -> DesignError {
    DesignError::Variant(VariantError::File {
        file: file.into(),
        faults,
    })
}

/// The empty text leaves a key out.
fn unless_empty(value: KeyValue) -> Option<KeyValue> {
    Some(value).filter(|value| *value != KeyValue::Text(String::new()))
}

/// The values of an option: between semicolons where there are any, else between commas. Text in
/// quotes or brackets is one value.
fn split(text: &str) -> Vec<&str> {
    let parts = |separator: char| {
        let (mut parts, mut begin, mut depth, mut quote) = (Vec::new(), 0, 0_u32, None);
        for (byte, letter) in text.char_indices() {
            match (quote, letter) {
                (Some(open), letter) if open == letter => quote = None,
                (Some(_), _) => {}
                (None, '"' | '\'') => quote = Some(letter),
                (None, '[' | '{') => depth += 1,
                (None, ']' | '}') => depth = depth.saturating_sub(1),
                (None, letter) if letter == separator && depth == 0 => {
                    parts.push(&text[begin..byte]);
                    begin = byte + letter.len_utf8();
                }
                (None, _) => {}
            }
        }
        parts.push(&text[begin..]);
        parts
    };
    let by_semicolons = parts(';');
    if by_semicolons.len() > 1 {
        by_semicolons
    } else {
        parts(',')
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROW: &str = "patterns = ['111']\nboard.size = '1x3'\n";

    fn refused(family: &Result<RuleFamily, DesignError>, words: &[&str]) {
        let error = family.as_ref().unwrap_err().to_string();
        for word in words {
            assert!(error.contains(word), "{word} in {error}");
        }
    }

    #[test]
    fn values_are_split_outside_of_brackets_and_quotes() {
        assert_eq!(split("none,files"), ["none", "files"]);
        assert_eq!(split("a,b;c,d"), ["a,b", "c,d"]);
        assert_eq!(split("[\"a\", \"b\"],[]"), ["[\"a\", \"b\"]", "[]"]);
        assert_eq!(split("'a;b','c'"), ["'a;b'", "'c'"]);
        assert_eq!(split(""), [""]);
    }

    #[test]
    fn every_combination_is_there_once_and_named_in_order() {
        let mut family = RuleFamily::read("row.toml", ROW).unwrap();
        family.vary("play=normal,misere").unwrap();
        family.vary("stalemate=;draw;loss").unwrap();
        let all = family.combinations().unwrap();
        let names: Vec<&str> = all.iter().map(|one| &*one.name).collect();
        assert_eq!(
            names,
            ["row-1", "row-2", "row-3", "row-4", "row-5", "row-6"]
        );
        let settings = |number: usize| {
            let settings = all[number].settings.iter();
            settings.map(|(_, value)| &**value).collect::<Vec<_>>()
        };
        assert_eq!(settings(0), ["normal", "-"]);
        assert_eq!(settings(5), ["misere", "loss"]);
        let texts: std::collections::BTreeSet<String> = all.iter().map(|one| one.text()).collect();
        assert_eq!(texts.len(), 6);
        assert!(all.iter().all(|one| one.variant().is_ok()));
    }

    #[test]
    fn rules_of_which_nothing_varies_are_one_set() {
        let family = RuleFamily::read("row.toml", ROW).unwrap();
        let all = family.combinations().unwrap();
        assert_eq!((all.len(), &*all[0].name), (1, "row"));
        assert!(all[0].variant().is_ok());
    }

    #[test]
    fn an_order_of_the_lights_changes_no_rules() {
        let text = "start = 'r..y'\nboard.size = '1x4'\npatterns = ['111', '222', '333']\n[vary]\nplay = ['normal', \
                    'misere']\n";
        let red = RuleFamily::read("row.toml", text).unwrap();
        for vary in [None, Some("start=R..Y,G.1.")] {
            let mut red = red.clone();
            vary.into_iter().for_each(|vary| red.vary(vary).unwrap());
            let mut green = red.clone();
            green.set_lights(Lights::Gyr).unwrap();
            let mut back = green.clone();
            back.set_lights(Lights::Ryg).unwrap();
            let rules = |family: &RuleFamily| -> Vec<_> {
                let all = family.combinations().unwrap().into_iter();
                all.map(|one| one.variant().unwrap().rules().clone())
                    .collect()
            };
            for ((red, green), back) in rules(&red).iter().zip(rules(&green)).zip(rules(&back)) {
                assert_eq!((red.hash, red.lights), (back.hash, back.lights));
                assert_eq!((red.hash, Some(Lights::Gyr)), (green.hash, green.lights));
            }
        }
        let mut both = red.clone();
        both.vary("lights=ryg,gyr").unwrap();
        assert!(both.set_lights(Lights::Gyr).is_err());
    }

    #[test]
    fn options_take_the_place_of_what_the_file_says() {
        let text = format!("{ROW}[vary]\nboard.levels = [1, 2]\nplay = ['normal', '']\n");
        let mut family = RuleFamily::read("row.toml", &text).unwrap();
        assert_eq!(family.keys(), ["board.levels", "play"]);
        assert_eq!(family.combinations().unwrap().len(), 4);
        family.vary("board.levels=3").unwrap();
        assert_eq!(family.combinations().unwrap().len(), 2);
        assert!(family.vary("board.levels=1").is_err(), "twice");
    }

    #[test]
    fn wrong_files_and_options_are_refused_with_a_way_out() {
        refused(&RuleFamily::read("row.txt", ROW), &["row.txt", "rename"]);
        refused(
            &RuleFamily::read("row.toml", "a = = 1"),
            &["line 1", "not TOML"],
        );
        let vary = |text: &str| RuleFamily::read("row.toml", &format!("{ROW}{text}"));
        refused(
            &vary("[vary]\nplay = 'misere'"),
            &["line 4", "vary.play", "a list of values"],
        );
        refused(&vary("[vary]\nplay = []"), &["vary.play", "no value"]);
        refused(&vary("vary = [1]"), &["key 'vary'", "[vary]"]);
        refused(
            &vary("[vary]\nlevels = [2, 3]"),
            &["key 'vary.levels'", "write board.levels below [vary]"],
        );
        let mut family = RuleFamily::read("row.toml", ROW).unwrap();
        for wrong in ["play", "=1", "board..size=1"] {
            assert!(family.vary(wrong).is_err(), "{wrong}");
        }
        for key in ["a", "b", "c", "d", "e", "f"] {
            family.vary(&format!("{key}=1,2,3,4,5,6,7,8,9,10")).unwrap();
        }
        let error = family.combinations().unwrap_err().to_string();
        assert!(
            error.contains("1,000,000") && error.contains("100,000"),
            "{error}"
        );
        let mut family = RuleFamily::read("row.toml", ROW).unwrap();
        family.vary("patterns.x=1").unwrap();
        let error = family.combinations().unwrap_err().to_string();
        assert!(error.contains("'patterns' is no table"), "{error}");
    }
}
