//! Indistinguishability quotients: found by asking for outcomes, proved by going through every way in
//! which a sum can be made.

use std::collections::{HashMap, HashSet};

use super::{Forms, MisereForm, SumOutcomes, TooMany};

/// Most ways in which sums are made that a proof goes through.
const PROOF_STEPS: usize = 20_000;

/// The quotient of some forms: classes of sums, numbered from 0, the class of no board at all.
#[derive(Clone, Debug)]
pub struct Quotient {
    /// By class, then generator: the class of the sum with that form added.
    added: Vec<Vec<usize>>,
    lost: Vec<bool>,
    generators: HashMap<MisereForm, usize>,
    product: Vec<Vec<usize>>,
}

/// A sum of forms, ascending.
type Word = Vec<MisereForm>;

/// What is learnt of a quotient: sums of different classes, and the sums that tell them apart.
struct QuotientTable<'f> {
    outcomes: SumOutcomes<'f>,
    generators: Vec<MisereForm>,
    classes: Vec<Word>,
    tests: Vec<Word>,
    limit: usize,
}

impl Quotient {
    /// The quotient of `forms` (with each form those that it can become), if it has at most
    /// `elements` classes and at most `sums` outcomes find it. The algorithm learns it like an
    /// automaton (Angluin 1987), then proves it. It makes every class that a sum can have once,
    /// with the set of classes one move on. A class is lost exactly if no move leads to a lost
    /// class (Plambeck and Siegel 2008, section 5).
    ///
    /// # Errors
    /// [`TooMany`] classes, outcomes or steps of the proof.
    pub fn of(
        forms: &Forms,
        closed: &[MisereForm],
        elements: usize,
        sums: usize,
    ) -> Result<Quotient, TooMany> {
        let mut table = QuotientTable {
            outcomes: SumOutcomes::new(forms, sums),
            generators: closed
                .iter()
                .copied()
                .filter(|form| *form != MisereForm::FINISHED)
                .collect(),
            classes: vec![Word::new()],
            tests: vec![Word::new()],
            limit: elements,
        };
        loop {
            let added = table.close()?;
            if let Some(test) = table.inconsistent(&added)? {
                table.tests.push(test);
                continue;
            }
            let quotient = table.quotient(added)?;
            let Some(sum) = quotient.belied(forms)? else {
                return Ok(quotient);
            };
            let test = table.mistaken(&quotient, forms, &sum)?;
            table.tests.push(test);
        }
    }

    /// Number of classes.
    #[must_use]
    pub fn elements(&self) -> usize {
        self.lost.len()
    }

    /// Number of classes that the player to move loses.
    #[must_use]
    pub fn lost_elements(&self) -> usize {
        self.lost.iter().filter(|lost| **lost).count()
    }

    /// The class of a form: what it pretends to be. `None` of a form that the quotient is not of.
    #[must_use]
    pub fn class(&self, form: MisereForm) -> Option<usize> {
        if form == MisereForm::FINISHED {
            return Some(0);
        }
        let generator = self.generators.get(&form)?;
        Some(self.added[0][*generator])
    }

    /// The class of the sum of two classes.
    #[must_use]
    pub fn sum(&self, a: usize, b: usize) -> usize {
        self.product[a][b]
    }

    /// Whether the player to move loses a sum; `None` with a form that the quotient is not of.
    #[must_use]
    pub fn is_lost(&self, sum: &[MisereForm]) -> Option<bool> {
        let mut class = 0;
        for form in sum {
            class = self.sum(class, self.class(*form)?);
        }
        Some(self.lost[class])
    }

    /// The class of a sum added to a class, one form after the other.
    fn read(&self, class: usize, sum: &[MisereForm]) -> usize {
        sum.iter().fold(class, |class, form| {
            self.added[class][self.generators[form]]
        })
    }

    /// A sum whose moves belie its class; `None` where the quotient is proved.
    fn belied(&self, forms: &Forms) -> Result<Option<Word>, TooMany> {
        let mut generators: Vec<(usize, Vec<usize>, MisereForm)> = Vec::new();
        for form in self.generators.keys() {
            let class = |form: &MisereForm| self.class(*form).unwrap_or(0);
            let mut after: Vec<usize> = forms.options(*form).iter().map(class).collect();
            after.sort_unstable();
            after.dedup();
            generators.push((class(form), after, *form));
        }
        generators.sort();
        generators.dedup_by(|a, b| (a.0, &a.1) == (b.0, &b.1));
        let mut seen: HashSet<(usize, Vec<usize>)> = HashSet::from([(0, Vec::new())]);
        let mut open = vec![(0, Vec::new(), Word::new())];
        while let Some((class, after, sum)) = open.pop() {
            for (other, moves, form) in &generators {
                let joined = self.product[class][*other];
                let mut all: Vec<usize> = after
                    .iter()
                    .map(|one: &usize| self.product[*one][*other])
                    .chain(moves.iter().map(|one| self.product[class][*one]))
                    .collect();
                all.sort_unstable();
                all.dedup();
                let lost = !all.iter().any(|one| self.lost[*one]);
                let step = (joined, all);
                if seen.contains(&step) {
                    continue;
                }
                let mut made = sum.clone();
                made.push(*form);
                made.sort_unstable();
                if lost != self.lost[joined] {
                    return Ok(Some(made));
                }
                if seen.len() >= PROOF_STEPS {
                    return Err(TooMany {
                        limit: PROOF_STEPS,
                        of: "ways to make a sum",
                    });
                }
                seen.insert(step.clone());
                open.push((step.0, step.1, made));
            }
        }
        Ok(None)
    }
}

impl QuotientTable<'_> {
    fn outcome(&mut self, parts: [&[MisereForm]; 3]) -> Result<bool, TooMany> {
        self.outcomes.is_lost(&parts.concat())
    }

    /// How a sum ends with each of the tests added.
    fn row(&mut self, sum: &[MisereForm]) -> Result<Vec<bool>, TooMany> {
        (0..self.tests.len())
            .map(|test| {
                let test = self.tests[test].clone();
                self.outcome([sum, &test, &[]])
            })
            .collect()
    }

    /// Adds classes until each class with one more form is one of them; by class and form, which.
    fn close(&mut self) -> Result<Vec<Vec<usize>>, TooMany> {
        let mut by_row = HashMap::new();
        for class in 0..self.classes.len() {
            let row = self.row(&self.classes[class].clone())?;
            by_row.entry(row).or_insert(class);
        }
        let mut added = Vec::new();
        while added.len() < self.classes.len() {
            let class = self.classes[added.len()].clone();
            let mut row = Vec::with_capacity(self.generators.len());
            for generator in 0..self.generators.len() {
                let mut sum = class.clone();
                sum.push(self.generators[generator]);
                sum.sort_unstable();
                let ends = self.row(&sum)?;
                let next = self.classes.len();
                let found = *by_row.entry(ends).or_insert(next);
                if found == next {
                    if next >= self.limit {
                        return Err(TooMany {
                            limit: self.limit,
                            of: "classes",
                        });
                    }
                    self.classes.push(sum);
                }
                row.push(found);
            }
            added.push(row);
        }
        Ok(added)
    }

    /// A test that is missing: where adding two forms in either order, or a class's own forms, leads to
    /// different classes.
    fn inconsistent(&mut self, added: &[Vec<usize>]) -> Result<Option<Word>, TooMany> {
        let place: HashMap<MisereForm, usize> = self.places();
        for class in 0..added.len() {
            let word = self.classes[class].clone();
            let mut reached = 0;
            for form in &word {
                reached = added[reached][place[form]];
            }
            if reached != class {
                return self.telling(added, &word).map(Some);
            }
            for (a, one) in added[class].iter().enumerate() {
                for (b, other) in added[class].iter().enumerate().skip(a + 1) {
                    if added[*one][b] == added[*other][a] {
                        continue;
                    }
                    for pair in [[a, b], [b, a]] {
                        let pair = pair.map(|at| self.generators[at]);
                        let sum = [&word[..], &pair].concat();
                        if let Some(test) = self.first_apart(added, &sum)? {
                            return Ok(Some(test));
                        }
                    }
                }
            }
        }
        Ok(None)
    }

    fn places(&self) -> HashMap<MisereForm, usize> {
        let numbered = self.generators.iter().enumerate();
        numbered.map(|(at, form)| (*form, at)).collect()
    }

    /// A test under which a sum and its class end differently, which there is.
    fn telling(&mut self, added: &[Vec<usize>], sum: &[MisereForm]) -> Result<Word, TooMany> {
        let found = self.first_apart(added, sum)?;
        Ok(found.unwrap_or_else(|| unreachable!("{sum:?} is told from its class by some test")))
    }

    /// Reads a sum form by form, each time as the class that it has come to, and gives the rest and the
    /// test with which that first ends differently; `None` where it never does.
    fn first_apart(
        &mut self,
        added: &[Vec<usize>],
        sum: &[MisereForm],
    ) -> Result<Option<Word>, TooMany> {
        let place = self.places();
        let mut class = 0;
        for (at, form) in sum.iter().enumerate() {
            let next = added[class][place[form]];
            let rest = &sum[at + 1..];
            let (before, after) = (self.classes[class].clone(), self.classes[next].clone());
            for test in 0..self.tests.len() {
                let test = [rest, &self.tests[test]].concat();
                let read = self.outcome([&before, &[*form], &test])?;
                if read != self.outcome([&after, &[], &test])? {
                    let mut test = test;
                    test.sort_unstable();
                    return Ok(Some(test));
                }
            }
            class = next;
        }
        Ok(None)
    }

    fn quotient(&mut self, added: Vec<Vec<usize>>) -> Result<Quotient, TooMany> {
        let generators = self.places();
        let words = self.classes.clone();
        let mut lost = Vec::with_capacity(words.len());
        for word in &words {
            lost.push(self.outcome([word, &[], &[]])?);
        }
        let mut quotient = Quotient {
            added,
            lost,
            generators,
            product: Vec::new(),
        };
        let product = (0..words.len())
            .map(|from| words.iter().map(|word| quotient.read(from, word)).collect())
            .collect();
        quotient.product = product;
        Ok(quotient)
    }

    /// The test that a sum whose moves belie its class teaches: the sum or one after a move was read
    /// into a wrong class.
    fn mistaken(
        &mut self,
        quotient: &Quotient,
        forms: &Forms,
        sum: &[MisereForm],
    ) -> Result<Word, TooMany> {
        let mut read = vec![sum.to_vec()];
        for (at, form) in sum.iter().enumerate() {
            for option in forms.options(*form) {
                let mut after = sum.to_vec();
                after[at] = *option;
                after.retain(|form| *form != MisereForm::FINISHED);
                read.push(after);
            }
        }
        for sum in read {
            let wrong = quotient.lost[quotient.read(0, &sum)] != self.outcome([&sum, &[], &[]])?;
            if wrong {
                return self.telling(&quotient.added, &sum);
            }
        }
        unreachable!("a sum and all after a move of it cannot have the outcomes of their classes")
    }
}
