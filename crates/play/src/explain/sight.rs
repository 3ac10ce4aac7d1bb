//! What a position shows by a few plies, whatever is known of its value: before a game is solved that is all there is.

use greenwave_game::{AnyPosition, Game, Luck, Turn, Variant};
use greenwave_tablebase::{Answer, CopyProof, MoveFigures, Value, wins_by_theorem};

use super::fact::Fact;
use super::line::completed;
use super::safe::{is_of_strip, safe_there, strip_alone};
use super::threats::{fork_at_sight, threat};

/// Facts about a move of which nothing is known: what the replies to it do at once.
pub(super) fn at_sight(variant: &Variant, mv: &MoveFigures) -> Vec<Fact> {
    let properties = &variant.rules().properties;
    let alternates = properties.turn == Turn::Alternates && properties.luck == Luck::None;
    let Some(to) = mv.after.filter(|_| alternates && !mv.ends) else {
        return Vec::new();
    };
    if let Some(decided) = refuted_at_once(variant, &to).or_else(|| fork_at_sight(variant, &to)) {
        return vec![decided];
    }
    let mut facts = Vec::new();
    let scored = properties.scores;
    let mut replies = Vec::new();
    variant.moves(&to, &mut replies);
    // Where play goes on after a line, one may score and not end the game.
    let mut after = replies.iter().map(|reply| variant.play(&to, *reply).to);
    let scores = scored && after.any(|after| completed(variant, &to, &after).is_some());
    if !scores && !variant.has_winning_move(&to, &mut Vec::new()) {
        facts.push(Fact::NoneAtOnce { scored });
    }
    facts.extend(threat(variant, &to));
    let safe = || safe_there(variant, &to, None);
    facts.extend(strip_alone(variant, &to).or_else(safe));
    facts
}

/// The reply that wins at once by a line.
pub(super) fn refuted_at_once(variant: &Variant, to: &AnyPosition) -> Option<Fact> {
    let mut moves = Vec::new();
    variant.moves(to, &mut moves);
    moves.iter().find_map(|reply| {
        let edge = variant.play(to, *reply);
        Some(Fact::RefutedAtOnce {
            line: completed(variant, to, &edge.to).filter(|_| variant.is_win(&edge))?,
            reply: variant.move_text(to, *reply),
        })
    })
}

/// The reply after which a theorem proves that the move loses.
pub(super) fn copied(variant: &Variant, mv: &MoveFigures, to: &AnyPosition) -> Option<Fact> {
    if mv.value != Some(Value::Loss) || mv.points.is_some() {
        return None;
    }
    let (reply, proof) = wins_by_theorem(variant, to)?;
    Some(Fact::Copied { reply, proof })
}

/// The reply that brings back the position before a move of the strip.
pub(super) fn slides_back(
    variant: &Variant,
    from: &Answer,
    mv: &MoveFigures,
    to: &AnyPosition,
) -> Option<Fact> {
    let made = variant.parse_move(&from.at, &mv.mv).ok()?;
    // Where the position has a better move, its return is no good reply.
    let is_kept = mv.value == Some(from.value) && mv.points.is_none();
    if !is_kept || !matches!(from.value, Value::Draw | Value::Loss) || !is_of_strip(variant, &made)
    {
        return None;
    }
    let mut moves = Vec::new();
    variant.moves(to, &mut moves);
    let back = moves
        .iter()
        .find(|reply| variant.play(to, **reply).to == from.at)?;
    Some(Fact::SlidesBack {
        reply: variant.move_text(to, *back),
        draws: mv.value == Some(Value::Draw),
    })
}

/// Whether a move puts the first light on the square that is its own image, and copying begins with it.
pub(super) fn takes_centre(variant: &Variant, proof: &CopyProof, mv: &str) -> bool {
    let centre = proof.centre.as_deref().zip(variant.rules().lights);
    centre.is_some_and(|(square, lights)| mv == format!("{square}{}", lights.letter(1)))
}
