//! Whole numbers of any size, by their remainders modulo primes.

/// How many bits of a whole number a prime settles.
const PRIME_BITS: u32 = 60;

/// Primes below 2^61, the largest first: as many as numbers below `2^bits` and their signs need.
pub(crate) fn primes(bits: u32) -> Vec<u64> {
    let wanted = (bits / PRIME_BITS + 2) as usize;
    let odd = (0..).map(|step| (1_u64 << 61) - 1 - 2 * step);
    odd.filter(|number| is_prime(*number))
        .take(wanted)
        .collect()
}

pub(crate) fn mul(a: u64, b: u64, prime: u64) -> u64 {
    (u128::from(a) * u128::from(b) % u128::from(prime)) as u64
}

pub(crate) fn add(a: u64, b: u64, prime: u64) -> u64 {
    (a + b) % prime
}

pub(crate) fn sub(a: u64, b: u64, prime: u64) -> u64 {
    (a + prime - b) % prime
}

pub(crate) fn power(base: u64, mut exponent: u64, prime: u64) -> u64 {
    let (mut square, mut product) = (base % prime, 1);
    while exponent > 0 {
        if exponent & 1 == 1 {
            product = mul(product, square, prime);
        }
        square = mul(square, square, prime);
        exponent >>= 1;
    }
    product
}

pub(crate) fn inverse(a: u64, prime: u64) -> u64 {
    power(a, prime - 2, prime)
}

/// Miller and Rabin's test, which these bases make exact below 2^64.
fn is_prime(number: u64) -> bool {
    const BASES: [u64; 12] = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37];
    if BASES.contains(&number) {
        return true;
    }
    if number < 2 || BASES.iter().any(|base| number.is_multiple_of(*base)) {
        return false;
    }
    let twos = (number - 1).trailing_zeros();
    BASES.iter().all(|base| {
        let mut power = power(*base, (number - 1) >> twos, number);
        if power == 1 || power == number - 1 {
            return true;
        }
        (1..twos).any(|_| {
            power = mul(power, power, number);
            power == number - 1
        })
    })
}

/// The whole number of least size with these remainders, in decimal digits.
pub(crate) fn whole(remainders: &[u64], primes: &[u64]) -> String {
    let negated: Vec<u64> = remainders
        .iter()
        .zip(primes)
        .map(|(remainder, prime)| sub(0, *remainder, *prime))
        .collect();
    let (up, down) = (least(remainders, primes), least(&negated, primes));
    let size = |limbs: &[u64]| (limbs.len(), limbs.iter().rev().copied().collect::<Vec<_>>());
    if size(&down) < size(&up) {
        format!("-{}", digits(&down))
    } else {
        digits(&up)
    }
}

/// Nine decimal digits a limb, the last ones first.
const LIMB: u64 = 1_000_000_000;

/// The least number that is not negative with these remainders: mixed radix digits one after another,
/// then Horner's rule.
fn least(remainders: &[u64], primes: &[u64]) -> Vec<u64> {
    let mut mixed: Vec<u64> = Vec::new();
    for (at, prime) in primes.iter().enumerate() {
        let (mut value, mut weight) = (0, 1);
        for (digit, earlier) in mixed.iter().zip(primes) {
            value = add(value, mul(*digit % prime, weight, *prime), *prime);
            weight = mul(weight, *earlier % prime, *prime);
        }
        let missing = sub(remainders[at] % prime, value, *prime);
        mixed.push(mul(missing, inverse(weight, *prime), *prime));
    }
    let mut limbs: Vec<u64> = Vec::new();
    for (digit, prime) in mixed.iter().zip(primes).rev() {
        let mut carry = u128::from(*digit);
        for limb in &mut limbs {
            let sum = u128::from(*limb) * u128::from(*prime) + carry;
            *limb = (sum % u128::from(LIMB)) as u64;
            carry = sum / u128::from(LIMB);
        }
        while carry > 0 {
            limbs.push((carry % u128::from(LIMB)) as u64);
            carry /= u128::from(LIMB);
        }
    }
    limbs
}

fn digits(limbs: &[u64]) -> String {
    let Some((first, rest)) = limbs.split_last() else {
        return "0".into();
    };
    let rest = rest.iter().rev().map(|limb| format!("{limb:09}"));
    std::iter::once(first.to_string()).chain(rest).collect()
}

/// The remainder of a number written in decimal digits.
pub(crate) fn remainder(number: &str, prime: u64) -> u64 {
    let (negative, digits) = match number.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, number),
    };
    let value = digits.bytes().fold(0, |value, digit| {
        add(mul(value, 10, prime), u64::from(digit - b'0'), prime)
    });
    if negative {
        sub(0, value, prime)
    } else {
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back_from_their_remainders() {
        let primes = primes(200);
        assert_eq!(primes[0], (1 << 61) - 1, "a Mersenne prime");
        for number in [
            "0",
            "1",
            "-1",
            "999999999",
            "-1000000000",
            "123456789012345678901234567890123456789",
            "-170141183460469231731687303715884105728",
        ] {
            let remainders: Vec<u64> = primes
                .iter()
                .map(|prime| remainder(number, *prime))
                .collect();
            assert_eq!(whole(&remainders, &primes), number);
        }
    }
}
