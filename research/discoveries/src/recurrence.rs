//! Recurrences with constant coefficients, proved where a bound on their order is known.
//!
//! Numbers that a matrix of size D counts satisfy a recurrence of an order up to D (Cayley and
//! Hamilton), and so does what any other recurrence leaves over when it is applied to them. If what
//! is left over vanishes D times running, it vanishes for ever. So the shortest recurrence of the
//! first 2D terms, with D further ones that it fits, is proved. The search runs modulo primes
//! (Berlekamp and Massey). The remainder is smaller than the product of the primes, so where it
//! vanishes modulo all of them it is 0.

use serde::{Deserialize, Serialize};

use crate::exact::{add, inverse, mul, primes, remainder, sub, whole};

/// A recurrence: each term is the sum of the coefficients times the terms before it, the last first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recurrence {
    /// Number of terms before it that a term needs.
    pub order: usize,
    /// Their factors, the one of the term just before first.
    pub coefficients: Vec<String>,
    /// The numerator of the generating function, from the first power of x on; the denominator is one
    /// less the coefficients times the powers of x.
    pub numerator: Vec<String>,
    /// The order that a matrix bounds it by.
    pub bound: usize,
    /// Terms that were compared.
    pub terms: usize,
}

/// Numbers for 1, 2, …, known modulo any prime.
pub(crate) trait Terms {
    /// The first terms modulo a prime.
    fn modulo(&self, count: usize, prime: u64) -> Vec<u64>;

    /// The binary logarithm of a bound on the size of the last of this many terms.
    fn bits(&self, count: usize) -> u32;
}

/// The first terms as decimal digits.
pub(crate) fn digits(terms: &dyn Terms, count: usize) -> Vec<String> {
    let primes = primes(terms.bits(count) + 1);
    let columns: Vec<Vec<u64>> = primes
        .iter()
        .map(|prime| terms.modulo(count, *prime))
        .collect();
    (0..count)
        .map(|at| {
            let remainders: Vec<u64> = columns.iter().map(|column| column[at]).collect();
            whole(&remainders, &primes)
        })
        .collect()
}

/// The shortest recurrence of terms that satisfy one of an order up to `bound`: proved.
pub(crate) fn proved(terms: &dyn Terms, bound: usize) -> Recurrence {
    let found = shortest(&terms.modulo(2 * bound, primes(1)[0]), primes(1)[0]);
    let order = found.len();
    let count = (2 * bound).max(bound + order) + order;
    // The coefficients are not known to be small before they are found; where they do not fit the
    // primes, what the recurrence leaves over does not vanish modulo further ones.
    let mut bits = 120;
    loop {
        let few = primes(bits);
        let modular: Vec<Vec<u64>> = few
            .iter()
            .map(|prime| shortest(&terms.modulo(2 * bound, *prime), *prime))
            .collect();
        if modular
            .iter()
            .any(|coefficients| coefficients.len() != order)
        {
            // A prime that divides a determinant; with more of them around it, the first order may
            // have been the wrong one.
            bits += 60;
            continue;
        }
        let column =
            |at: usize, of: &[Vec<u64>]| -> Vec<u64> { of.iter().map(|row| row[at]).collect() };
        let coefficients: Vec<String> = (0..order)
            .map(|at| whole(&column(at, &modular), &few))
            .collect();
        let longest = coefficients.iter().map(String::len).max().unwrap_or(1) as u32;
        // Four bits a digit, the sum over the order, and the terms.
        let size = 4 * longest + usize::BITS - order.leading_zeros() + terms.bits(count) + 1;
        let all = primes(size);
        let columns: Vec<Vec<u64>> = all
            .iter()
            .map(|prime| terms.modulo(count, *prime))
            .collect();
        let fits = all.iter().zip(&columns).all(|(prime, terms)| {
            let own: Vec<u64> = coefficients
                .iter()
                .map(|number| remainder(number, *prime))
                .collect();
            (order..count).all(|at| expected(&own, terms, at, *prime) == terms[at])
        });
        if !fits {
            bits *= 2;
            continue;
        }
        let numerators: Vec<Vec<u64>> = all
            .iter()
            .zip(&columns)
            .map(|(prime, terms)| {
                let own: Vec<u64> = coefficients
                    .iter()
                    .map(|number| remainder(number, *prime))
                    .collect();
                let left = |at| sub(terms[at], expected(&own[..at], terms, at, *prime), *prime);
                (0..order).map(left).collect()
            })
            .collect();
        let mut numerator: Vec<String> = (0..order)
            .map(|at| whole(&column(at, &numerators), &all))
            .collect();
        while numerator.last().is_some_and(|number| number == "0") {
            numerator.pop();
        }
        return Recurrence {
            order,
            coefficients,
            numerator,
            bound,
            terms: count,
        };
    }
}

/// The shortest recurrence that fits some numbers.
pub(crate) struct Fit {
    /// Its order.
    pub(crate) order: usize,
    /// The numbers beyond those that any numbers at all would leave free: 0 where it says nothing.
    pub(crate) support: usize,
}

/// Fits a recurrence; modulo a large prime, where no shorter one than over the fractions fits but by a
/// chance of about one in 10¹⁸.
pub(crate) fn fit(terms: &[u64]) -> Fit {
    let prime = primes(1)[0];
    let terms: Vec<u64> = terms.iter().map(|term| term % prime).collect();
    let order = shortest(&terms, prime).len();
    Fit {
        order,
        support: terms.len().saturating_sub(2 * order),
    }
}

/// What a recurrence says of a term.
fn expected(coefficients: &[u64], terms: &[u64], at: usize, prime: u64) -> u64 {
    let before = terms[..at].iter().rev();
    coefficients
        .iter()
        .zip(before)
        .fold(0, |sum, (factor, term)| {
            add(sum, mul(*factor, *term, prime), prime)
        })
}

/// The shortest recurrence of some terms modulo a prime (Berlekamp and Massey).
fn shortest(terms: &[u64], prime: u64) -> Vec<u64> {
    // Connection polynomials: 1 − Σ cᵢ xⁱ.
    let (mut current, mut before) = (vec![1_u64], vec![1_u64]);
    let (mut length, mut gap, mut last) = (0, 1, 1_u64);
    for at in 0..terms.len() {
        let known = |i: usize| current.get(i).copied().unwrap_or(0);
        let left = (0..=length.min(at)).fold(0, |sum, i| {
            add(sum, mul(known(i), terms[at - i], prime), prime)
        });
        if left == 0 {
            gap += 1;
            continue;
        }
        let factor = mul(left, inverse(last, prime), prime);
        let mut next = current.clone();
        next.resize(next.len().max(before.len() + gap), 0);
        for (i, coefficient) in before.iter().enumerate() {
            next[i + gap] = sub(next[i + gap], mul(factor, *coefficient, prime), prime);
        }
        if 2 * length <= at {
            before = std::mem::replace(&mut current, next);
            length = at + 1 - length;
            (last, gap) = (left, 1);
        } else {
            current = next;
            gap += 1;
        }
    }
    current.resize(length + 1, 0);
    current[1..]
        .iter()
        .map(|number| sub(0, *number, prime))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Fibonacci;

    impl Terms for Fibonacci {
        fn modulo(&self, count: usize, prime: u64) -> Vec<u64> {
            let mut terms = vec![1, 1];
            while terms.len() < count {
                terms.push(add(terms[terms.len() - 1], terms[terms.len() - 2], prime));
            }
            terms.truncate(count);
            terms
        }

        fn bits(&self, count: usize) -> u32 {
            count as u32
        }
    }

    #[test]
    fn the_recurrence_of_fibonacci_is_found() {
        let found = proved(&Fibonacci, 5);
        assert_eq!(found.order, 2);
        assert_eq!(found.coefficients, ["1", "1"]);
        assert_eq!(found.numerator, ["1"]);
        assert_eq!(digits(&Fibonacci, 100)[99], "354224848179261915075");
    }
}
