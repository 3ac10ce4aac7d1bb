//! Questions about positions that no values and no sweep answer, asked one by one: together they get a limit, too.

use std::sync::Arc;
use std::time::Duration;

use greenwave_game::AnyPosition;
use greenwave_tablebase::{Answer, Budget, Error, Queries};
use greenwave_values::Instant;

/// How long they take together, unless one may take longer.
const TOGETHER: Duration = Duration::from_secs(60);

/// Questions that share their time: whatever is left when it is over is answered at once, or stays unknown.
pub(crate) struct SharedTime<'a> {
    queries: &'a Queries<'a>,
    /// For those that get no time any more.
    hurried: Queries<'a>,
    /// Where positions are counted the answers are the same on every machine.
    until: Option<Instant>,
}

impl<'a> SharedTime<'a> {
    /// The time begins now.
    pub(crate) fn of(queries: &'a Queries<'a>) -> SharedTime<'a> {
        let time = match queries.budget() {
            None => Some(TOGETHER),
            Some(Budget::Time(time)) => Some(time.max(TOGETHER)),
            Some(Budget::Nodes(_)) => None,
        };
        SharedTime {
            queries,
            hurried: queries.hurried(),
            until: time.and_then(|time| Instant::now().checked_add(time)),
        }
    }

    /// As [`Queries::answer`].
    pub(crate) fn answer(&self, position: &AnyPosition) -> Result<Arc<Answer>, Error> {
        if self.until.is_some_and(|until| Instant::now() >= until) {
            self.hurried.answer(position)
        } else {
            self.queries.answer(position)
        }
    }
}
