//! Games with one light that are octal games, against what is published of these.

use greenwave_game::{Metric, RuleFile};
use greenwave_solver::{Product, Task, sweep::Kernel};
use greenwave_table::Outcome;
use greenwave_values::Silent;

/// Nimbers of heaps of an octal game whose code has these digits behind the point, by the definition.
fn octal(digits: &[u32], heaps: usize) -> Vec<u32> {
    let mut nimbers: Vec<u32> = vec![0];
    for heap in 1..heaps {
        let mut met = Vec::new();
        for (digit, taken) in digits.iter().zip(1..=heap) {
            let left = heap - taken;
            if digit & 1 > 0 && left == 0 {
                met.push(0);
            }
            if digit & 2 > 0 && left > 0 {
                met.push(nimbers[left]);
            }
            if digit & 4 > 0 {
                met.extend((1..left).map(|part| nimbers[part] ^ nimbers[left - part]));
            }
        }
        let least = (0..).find(|nimber| !met.contains(nimber));
        nimbers.push(least.unwrap());
    }
    nimbers
}

fn first_wins(rules: &str) -> bool {
    let file = RuleFile::parse("octal.toml", rules).unwrap();
    let task = Task {
        variant: &file.variant,
        metric: Metric::Value,
        kernel: Kernel::best(),
        memory: 1 << 30,
        wanted: Product::Counts,
        checkpoint: None,
        scratch: None,
        quick: false,
    };
    let summary = task.plan().unwrap().run(&Silent).unwrap().summary;
    summary.start.value == Some(Outcome::Win)
}

/// Terms of A002187, Dawson's Chess, from n = 0 on (N. J. A. Sloane and others, The On-Line Encyclopedia
/// of Integer Sequences).
const A002187: [u32; 36] = [
    0, 1, 1, 2, 0, 3, 1, 1, 0, 3, 3, 2, 2, 4, 0, 5, 2, 2, 3, 3, 0, 1, 1, 3, 0, 2, 1, 1, 0, 4, 5, 2,
    7, 4, 0, 1,
];

#[test]
fn dawsons_chess_has_the_published_nimbers_and_winners() {
    let nimbers = octal(&[1, 3, 7], A002187.len());
    assert_eq!(nimbers, A002187);
    for (n, nimber) in nimbers.iter().enumerate().take(13).skip(3) {
        let rules = format!(
            "title = \"Dawson\"\nsource = \"test\"\npatterns = [\"11\"]\nplay = \"misere\"\n\
             [board]\nsize = \"1x{n}\"\nlevels = 1\nline-length = 2\n"
        );
        assert_eq!(first_wins(&rules), *nimber != 0, "{n}");
    }
}

#[test]
fn treblecross_is_won_where_its_octal_game_is() {
    let nimbers = octal(&[0, 0, 7], 20);
    for n in 3..=12 {
        let rules = format!(
            "title = \"Treblecross\"\nsource = \"test\"\npatterns = [\"111\"]\n\
             [board]\nsize = \"1x{n}\"\nlevels = 1\n"
        );
        assert_eq!(first_wins(&rules), nimbers[n + 2] != 0, "{n}");
    }
}
