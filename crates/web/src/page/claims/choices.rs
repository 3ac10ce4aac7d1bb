//! Claims of one's own made of choices: sentences with gaps, from which the text of a claim is made.

use std::fmt::Write;
use std::path::Path;

use greenwave_game::{Game, Luck, Metric, Outcome, Variant};
use greenwave_judge::JudgeError;
use greenwave_judge::claims::{Claim, read_claims, validate};
use greenwave_picture::{MovePlace, escaped, place};
use greenwave_words::Language;

use crate::explorer::Explorer;
use crate::messages;
use crate::page::reader::Reader;
use crate::page::titles;
use crate::page::ways::FIRST_GAMES;
use crate::params::Params;
use crate::problem::Problem;

/// Most plies that a sentence names.
const MOST_PLIES: u64 = 999;

const RESULTS: [Outcome; 3] = [Outcome::Win, Outcome::Loss, Outcome::Draw];

/// A sentence with gaps.
#[derive(Clone, Copy, PartialEq, Eq)]
enum SentenceForm {
    Winner,
    FirstMove,
    BestPlay,
    Longest,
}

/// How a number is compared with another.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Bound {
    Exactly,
    AtLeast,
    AtMost,
}

/// What is chosen for the gaps of a sentence; those that the sentence lacks stay as they are.
pub(super) struct ClaimChoices {
    form: SentenceForm,
    game: &'static str,
    result: Outcome,
    square: String,
    bound: Bound,
    plies: u64,
}

impl SentenceForm {
    const ALL: [SentenceForm; 4] = [
        SentenceForm::Winner,
        SentenceForm::FirstMove,
        SentenceForm::BestPlay,
        SentenceForm::Longest,
    ];

    /// Its name in addresses, and the key of its sentence.
    fn names(self) -> (&'static str, &'static str) {
        match self {
            SentenceForm::Winner => ("winner", "choose-winner"),
            SentenceForm::FirstMove => ("first-move", "choose-first-move"),
            SentenceForm::BestPlay => ("best-play", "choose-best-play"),
            SentenceForm::Longest => ("longest", "choose-longest"),
        }
    }

    /// Whether the sentence can be said of a game.
    fn fits(self, variant: &Variant) -> bool {
        let rules = variant.rules();
        let has_plies = variant.fixed_board().is_some();
        match self {
            SentenceForm::Winner | SentenceForm::FirstMove => rules.properties.luck == Luck::None,
            SentenceForm::BestPlay => has_plies && rules.metrics.contains(&Metric::Distance),
            SentenceForm::Longest => has_plies,
        }
    }

    /// The key of a result in the sentence.
    fn result(self, result: Outcome) -> &'static str {
        match (self, result) {
            (SentenceForm::FirstMove, Outcome::Win) => "choose-move-wins",
            (SentenceForm::FirstMove, Outcome::Loss) => "choose-move-loses",
            (SentenceForm::FirstMove, Outcome::Draw) => "choose-move-draws",
            (_, Outcome::Win) => "choose-first-wins",
            (_, Outcome::Loss) => "choose-second-wins",
            (_, Outcome::Draw) => "choose-draw",
        }
    }
}

impl Bound {
    const ALL: [Bound; 3] = [Bound::Exactly, Bound::AtLeast, Bound::AtMost];

    /// Its name in addresses, and the key of its text.
    fn names(self) -> (&'static str, &'static str) {
        match self {
            Bound::Exactly => ("exactly", "choose-exactly"),
            Bound::AtLeast => ("at-least", "choose-at-least"),
            Bound::AtMost => ("at-most", "choose-at-most"),
        }
    }
}

/// The games of which a sentence can be said.
fn games(explorer: &Explorer, form: SentenceForm) -> impl Iterator<Item = &'static str> {
    FIRST_GAMES.into_iter().filter(move |name| {
        let variant = explorer.variant(name);
        variant.is_ok_and(|variant| form.fits(&variant))
    })
}

impl ClaimChoices {
    /// Choices with which a sentence stands in the form at first.
    fn usual(form: SentenceForm) -> ClaimChoices {
        ClaimChoices {
            form,
            game: FIRST_GAMES[0],
            result: Outcome::Win,
            square: "b2".into(),
            bound: Bound::Exactly,
            plies: 17,
        }
    }

    /// The choices of a request, if there are any.
    pub(super) fn read(
        explorer: &Explorer,
        params: &Params,
    ) -> Result<Option<ClaimChoices>, Problem> {
        let names = SentenceForm::ALL.map(|form| (form.names().0, form));
        let Some(form) = params.one_of("says", &names)? else {
            return Ok(None);
        };
        let usual = ClaimChoices::usual(form);
        let games: Vec<_> = games(explorer, form).map(|game| (game, game)).collect();
        let results = RESULTS.map(|result| (result.name(), result));
        let bounds = Bound::ALL.map(|bound| (bound.names().0, bound));
        let square = params.text("square").map(|square| square.to_lowercase());
        Ok(Some(ClaimChoices {
            form,
            game: params.one_of("game", &games)?.unwrap_or(usual.game),
            result: params.one_of("result", &results)?.unwrap_or(usual.result),
            square: square.unwrap_or(usual.square),
            bound: params.one_of("bound", &bounds)?.unwrap_or(usual.bound),
            plies: params.number("plies", MOST_PLIES)?.unwrap_or(usual.plies),
        }))
    }

    /// The parameters of an address with these choices.
    pub(super) fn parameters(&self) -> Vec<(&'static str, String)> {
        let mut own = vec![
            ("says", self.form.names().0.to_string()),
            ("game", self.game.into()),
        ];
        match self.form {
            SentenceForm::Winner => own.push(("result", self.result.name().into())),
            SentenceForm::FirstMove => {
                own.push(("square", self.square.clone()));
                own.push(("result", self.result.name().into()));
            }
            SentenceForm::BestPlay | SentenceForm::Longest => {
                own.push(("bound", self.bound.names().0.into()));
                own.push(("plies", self.plies.to_string()));
            }
        }
        own
    }

    /// The sentence, its gaps filled.
    pub(super) fn sentence(&self, explorer: &Explorer, words: Language) -> String {
        let game = titles::title(explorer, words, self.game);
        words.filled(
            self.form.names().1,
            &[
                ("game", &game),
                ("result", words.text(self.form.result(self.result))),
                ("square", &self.square),
                ("bound", words.text(self.bound.names().1)),
                ("plies", &self.plies.to_string()),
            ],
        )
    }

    /// The claim, and its test as a claims file has it.
    pub(super) fn claim(
        &self,
        explorer: &Explorer,
        reader: &Reader,
    ) -> Result<(Claim, String), Problem> {
        let test = self.test(explorer, reader)?;
        let file = format!(
            "[[claim]]\nid = \"own\"\ntext = '{}'\nsource = \"\"\n[[claim.test]]\n{test}",
            test.trim_end().replace('\n', ", ")
        );
        let claims = read_claims("own", &file)?;
        validate("own", &claims, Path::new(""))?;
        let own = claims
            .into_iter()
            .next()
            .ok_or_else(|| Problem::not_found(messages::claim_unknown("own")))?;
        Ok((own, format!("[[claim.test]]\n{test}")))
    }

    /// The lines of the test.
    fn test(&self, explorer: &Explorer, reader: &Reader) -> Result<String, Problem> {
        let named = explorer.variant(self.game)?;
        let lights = reader.lights.filter(|_| named.rules().lights.is_some());
        let variant = (*named)
            .clone()
            .with_chosen_lights(lights)
            .map_err(JudgeError::from)?;
        let mut lines = String::new();
        let mut line = |key: &str, value: String| {
            let _ = writeln!(lines, "{key} = {value}");
        };
        let quoted = |text: &str| format!("\"{text}\"");
        line("variant", quoted(self.game));
        if let Some(lights) = lights {
            line("lights", quoted(lights.name()));
        }
        match self.form {
            SentenceForm::Winner => {
                line("kind", quoted("value"));
                line("value", quoted(self.result.name()));
            }
            SentenceForm::FirstMove => {
                line("kind", quoted("play"));
                line("moves", format!("[\"{}\"]", self.first_move(&variant)?));
                line("value", quoted(self.result.negated().name()));
            }
            SentenceForm::BestPlay => {
                let key = match self.bound {
                    Bound::Exactly => "distance",
                    Bound::AtLeast => "distance-at-least",
                    Bound::AtMost => "distance-at-most",
                };
                line("kind", quoted("value"));
                line(key, self.plies.to_string());
            }
            SentenceForm::Longest => {
                let key = match self.bound {
                    Bound::Exactly => "plies",
                    Bound::AtLeast => "at-least",
                    Bound::AtMost => "at-most",
                };
                line("kind", quoted("longest"));
                line("of", quoted("game"));
                line(key, self.plies.to_string());
            }
        }
        Ok(lines)
    }

    /// The first move on the square.
    fn first_move(&self, variant: &Variant) -> Result<String, Problem> {
        let start = variant.start();
        let diagram = variant.diagram(&start);
        let mut moves = Vec::new();
        variant.moves(&start, &mut moves);
        let named = diagram.names.iter().position(|name| *name == self.square);
        let mut texts = moves.iter().map(|mv| variant.move_text(&start, *mv));
        let found = texts.find(|text| match place(&diagram, text) {
            MovePlace::Square(at) => Some(at) == named,
            MovePlace::Step(..) | MovePlace::Elsewhere => false,
        });
        found.ok_or_else(|| {
            let example = diagram.names.first().map_or("a1", String::as_str);
            Problem::wrong(
                "square",
                messages::found_board_square(&self.square, example),
            )
        })
    }
}

/// A sentence each with its gaps to be filled in; `chosen` are the choices of the claim shown.
pub(super) fn forms(explorer: &Explorer, reader: &Reader, chosen: Option<&ClaimChoices>) -> String {
    let words = reader.language;
    let mut html = String::from("<ul class=\"choices\">");
    for form in SentenceForm::ALL {
        let usual = ClaimChoices::usual(form);
        let filled = chosen
            .filter(|chosen| chosen.form == form)
            .unwrap_or(&usual);
        let label = |key: &'static str| escaped(words.text(key)).to_string();
        let games = games(explorer, form).map(|game| {
            let title = titles::title(explorer, words, game);
            (game, title, game == filled.game)
        });
        let results = RESULTS.into_iter().map(|result| {
            let text = words.text(form.result(result)).to_string();
            (result.name(), text, result == filled.result)
        });
        let bounds = Bound::ALL.into_iter().map(|bound| {
            let (name, key) = bound.names();
            (name, words.text(key).to_string(), bound == filled.bound)
        });
        let (name, sentence) = form.names();
        let gaps = words.filled(
            sentence,
            &[
                ("game", &select("game", &label("game-choice"), games)),
                ("result", &select("result", &label("choose-result"), results)),
                ("bound", &select("bound", &label("choose-bound"), bounds)),
                (
                    "square",
                    &format!(
                        "<input name=\"square\" size=\"3\" required maxlength=\"3\" value=\"{}\" aria-label=\"{}\" \
                         autocomplete=\"off\" autocapitalize=\"none\" spellcheck=\"false\">",
                        escaped(&filled.square),
                        label("choose-square")
                    ),
                ),
                (
                    "plies",
                    &format!(
                        "<input name=\"plies\" type=\"number\" min=\"0\" max=\"{MOST_PLIES}\" required value=\"{}\" \
                         aria-label=\"{}\">",
                        filled.plies,
                        label("choose-plies")
                    ),
                ),
            ],
        );
        let _ = write!(
            html,
            "<li><form action=\"{}/claims/own\" method=\"get\"><input type=\"hidden\" name=\"says\" value=\"{name}\">\
             <p>{gaps} {}<button>{}</button></p></form></li>",
            escaped(&explorer.base),
            reader.hidden_fields(),
            words.text("own-claim-ask")
        );
    }
    html + "</ul>"
}

/// A list of which one is chosen: the value of each, its text, and whether it is the one.
fn select(
    name: &str,
    label: &str,
    options: impl Iterator<Item = (&'static str, String, bool)>,
) -> String {
    let mut html = format!("<select name=\"{name}\" aria-label=\"{label}\">");
    for (value, text, is_chosen) in options {
        let selected = if is_chosen { " selected" } else { "" };
        let _ = write!(
            html,
            "<option value=\"{value}\"{selected}>{}</option>",
            escaped(&text)
        );
    }
    html + "</select>"
}
