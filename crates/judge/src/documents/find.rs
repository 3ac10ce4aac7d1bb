//! Matches of an expression as documents.

use greenwave_game::{Squares, Variant, with_game};
use greenwave_solver::grouped;
use greenwave_tablebase::{SCHEMA, Tablebase};
use serde::ser::{Serialize, SerializeMap, Serializer};

use crate::expr::{BoundExpression, FieldsError, KnownValues, MoveLists, Output};
use crate::find::has_to_draw;
use crate::sources::MetricSources;
use crate::{Among, JudgeError, ReachedPositions, SampleSize, Selection, find, find_drawn};

/// An expression that has been read for a variant: nothing is solved yet.
#[derive(Clone, Debug)]
pub struct Finding<'v> {
    variant: &'v Variant,
    bound: BoundExpression,
}

/// A position that matches, with what the expression names or the fields asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct Match {
    /// The variant.
    pub variant: String,
    /// The order of its lights, `ryg` or `gyr`; `None` where it has none.
    pub lights: Option<&'static str>,
    /// The position.
    pub position: String,
    /// Fields, as they were written, and what they come to.
    pub fields: Vec<(String, Output)>,
}

/// How many positions match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct MatchCount {
    /// Version of the document.
    pub schema: u32,
    /// All matches, unwanted ones included; `None` where the positions are too many to visit and a
    /// random sample was drawn.
    pub count: Option<u64>,
    /// What was drawn then.
    #[serde(flatten)]
    pub drawn: Option<DrawnCount>,
}

/// How many positions match of those that were drawn at random.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct DrawnCount {
    /// Different ones that match.
    pub matching: u64,
    /// Draws, up to the one with which there were enough.
    pub drawn: u64,
}

impl MatchCount {
    /// All matches.
    fn all(count: u64) -> MatchCount {
        MatchCount {
            schema: SCHEMA,
            count: Some(count),
            drawn: None,
        }
    }

    /// Those of a sample.
    fn of_drawn(SampleSize { matching, drawn }: SampleSize) -> MatchCount {
        MatchCount {
            schema: SCHEMA,
            count: None,
            drawn: Some(DrawnCount { matching, drawn }),
        }
    }

    /// Whether nothing was found.
    #[must_use]
    pub fn is_none(&self) -> bool {
        match self.drawn {
            Some(drawn) => drawn.matching == 0,
            None => self.count == Some(0),
        }
    }
}

impl Serialize for Match {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.fields.len() + 4))?;
        map.serialize_entry("schema", &SCHEMA)?;
        map.serialize_entry("variant", &self.variant)?;
        map.serialize_entry("lights", &self.lights)?;
        map.serialize_entry("position", &self.position)?;
        for (name, output) in &self.fields {
            map.serialize_entry(name, output)?;
        }
        map.end()
    }
}

/// What a field comes to.
#[cfg(feature = "schemas")]
#[derive(schemars::JsonSchema)]
#[schemars(untagged, rename = "FieldValue")]
#[expect(dead_code, reason = "only its description is asked for")]
enum OutputShown {
    /// True or false.
    Truth(bool),
    /// A number.
    Number(i64),
    /// A value, or the letter of what a square shows.
    Word(String),
    /// The position does not have it.
    Nothing(()),
}

/// A position that matches, with what the expression names or the fields asked for.
#[cfg(feature = "schemas")]
#[derive(schemars::JsonSchema)]
#[schemars(rename = "Match")]
#[expect(dead_code, reason = "only its description is asked for")]
struct MatchShown {
    /// Version of the document.
    schema: u32,
    /// The variant.
    variant: String,
    /// The order of its lights; `None` where it has none.
    lights: Option<String>,
    /// The position.
    position: String,
    /// Fields, as they were written, and what they come to.
    #[schemars(flatten)]
    fields: std::collections::BTreeMap<String, OutputShown>,
}

#[cfg(feature = "schemas")]
impl schemars::JsonSchema for Match {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        MatchShown::schema_name()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        MatchShown::json_schema(generator)
    }
}

impl Serialize for Output {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Output::Nothing => serializer.serialize_none(),
            Output::Truth(truth) => serializer.serialize_bool(*truth),
            Output::Number(number) => serializer.serialize_i64(*number),
            Output::Word(word) => serializer.serialize_str(word),
            Output::Light(light) => serializer.serialize_char(*light),
        }
    }
}

/// Bytes that a drawn position takes among those that are kept in order.
const DRAWN_BYTES: u128 = 64;

impl<'v> Finding<'v> {
    /// Reads an expression for a variant, and the fields that matches are to be shown with instead of
    /// those that it names.
    ///
    /// # Errors
    /// What does not parse, what the game lacks, and kinds that do not go together, with the place.
    pub fn new(
        variant: &'v Variant,
        expression: &str,
        fields: Option<&str>,
    ) -> Result<Finding<'v>, FieldsError> {
        let bound = BoundExpression::with_fields(variant, expression, fields)?;
        Ok(Finding { variant, bound })
    }

    /// The names of the fields that matches are shown with.
    pub fn fields(&self) -> impl Iterator<Item = &str> {
        self.bound.named().iter().map(|named| named.name.as_str())
    }

    /// Hands every wanted match to `emit`, and returns the number of all matches. If the positions
    /// of a board are too many to visit, it draws a sample ([`find_drawn`]), and the number is
    /// unknown.
    ///
    /// # Errors
    /// When values cannot be had, the work is cancelled, and what `emit` fails with.
    pub fn search(
        &self,
        tablebase: &Tablebase,
        wanted: Selection,
        emit: &mut (dyn FnMut(&Match) -> Result<(), JudgeError> + Send),
    ) -> Result<MatchCount, JudgeError> {
        let sources = MetricSources::of(tablebase, self.variant, self.bound.metrics())?;
        sources.check()?;
        with_game!(self.variant, game => {
            let reached = self.bound.reached(tablebase, game)?;
            sources.ask(game, reached.as_ref().map(ReachedPositions::set), |known| {
                self.matches(tablebase, known, wanted, emit)
            })
        })
    }

    fn matches<G: Squares>(
        &self,
        tablebase: &Tablebase,
        known: &KnownValues<'_, G>,
        wanted: Selection,
        emit: &mut (dyn FnMut(&Match) -> Result<(), JudgeError> + Send),
    ) -> Result<MatchCount, JudgeError> {
        let mut spare = MoveLists::default();
        let rules = known.game().rules();
        let mut emit = |position: &G::Position| {
            let named = self.bound.named().iter();
            emit(&Match {
                variant: rules.title().to_string(),
                lights: rules.lights_name(),
                position: known.game().position_text(position),
                fields: named
                    .map(|named| {
                        let output = known.output(named, position, &mut spare);
                        (named.name.clone(), output)
                    })
                    .collect(),
            })
        };
        let (bound, progress) = (&self.bound, tablebase.progress());
        tablebase.on_threads(|| match wanted.sample {
            Some(size) if has_to_draw(known)? => {
                let what = format!("drawing {} positions of {}", grouped(size), rules.title());
                let bytes = u128::from(size) * DRAWN_BYTES;
                let _reserved = tablebase.reserve(bytes, &what, ", or draw fewer with --sample")?;
                let drawn = find_drawn(known, bound, wanted, progress, &mut emit)?;
                Ok(MatchCount::of_drawn(drawn))
            }
            _ => {
                let all = find(known, bound, Among::Legal, wanted, progress, &mut emit)?;
                Ok(MatchCount::all(all))
            }
        })
    }
}
