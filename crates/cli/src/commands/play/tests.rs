use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use clap::Parser;
use greenwave_values::{Progress, Unit};
use greenwave_words::Language;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{KeyModifiers, MouseButton, MouseEvent, MouseEventKind};

use super::command::given;
use super::keys::Key;
use super::screen::{Screen, SidePanel};
use super::unheard::QuietListener;
use super::*;
use crate::args::{Cli, Command};

/// Does something with a game that was started by a command line.
fn playing(arguments: &[&str], test: impl FnOnce(&mut PlaySession<'_>)) {
    heard(arguments, None, test);
}

fn heard(
    arguments: &[&str],
    listener: Option<Arc<CallCount>>,
    test: impl FnOnce(&mut PlaySession<'_>),
) {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path().to_str().unwrap();
    let start = ["greenwave", "--dir", dir, "play", "--seed", "1"];
    let cli = Cli::parse_from(start.iter().chain(arguments));
    let mut session = Session::new(&cli.global, true).unwrap();
    if let Some(listener) = listener {
        session.tablebase = session.tablebase.watched_by(listener);
    }
    let Some(Command::Play(args)) = &cli.command else {
        unreachable!("the command line says play");
    };
    let variant = session.variant(&args.variant).unwrap();
    let given = given(&session, args, &variant).unwrap();
    test(&mut PlaySession::begin(&session, args, &variant, given.as_ref()).unwrap());
}

/// What a window shows.
fn window(screen: &mut Screen<'_, '_>, shown: &SidePanel, width: u16, height: u16) -> Buffer {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    terminal.draw(|frame| screen.draw(frame, shown)).unwrap();
    terminal.backend().buffer().clone()
}

/// The letters of a part of a window, without what is between them.
fn letters(buffer: &Buffer, from: (u16, u16)) -> String {
    let area = buffer.area;
    let cells = (from.1..area.height).flat_map(|y| (from.0..area.width).map(move |x| (x, y)));
    let text: String = cells.map(|at| buffer[at].symbol()).collect();
    text.split_whitespace().collect()
}

fn squeezed(text: &str) -> String {
    text.split_whitespace().collect()
}

const FAMILIES: [&str; 10] = [
    "classic-3x4",
    "classic-3x3:supply=cap4",
    "signal-3x3",
    "green-3x3",
    "points-3x3",
    "bag-classic-2x3",
    "slider",
    "strip",
    "ampel",
    "noughts-3x3",
];

#[test]
fn every_counter_and_note_is_shown_at_any_width() {
    for variant in FAMILIES {
        playing(&[variant, "--as", "both"], |play| {
            for _ in 0..6 {
                if play.record.end().is_none() {
                    let moves = play.record.legal();
                    play.human_move(moves.last().unwrap()).unwrap();
                }
            }
            let mut screen = Screen::new(play);
            for (width, height) in [(120, 40), (80, 24), (20, 24)] {
                let buffer = window(&mut screen, &SidePanel::default(), width, height);
                let view = screen.view;
                let beside = letters(&buffer, (view.right(), 0));
                let below = letters(&buffer, (0, view.bottom()));
                let rows = screen.diagram.rows.iter().map(|(title, levels)| {
                    let counters: String =
                        levels.iter().map(|l| screen.diagram.letter(*l)).collect();
                    format!("{}:{counters}", squeezed(title))
                });
                let notes = Language::English.sentences(&screen.diagram.notes);
                let notes = notes.iter().map(|note| squeezed(note));
                for text in rows.chain(notes) {
                    assert!(
                        beside.contains(&text) || below.contains(&text),
                        "{variant} in {width} by {height} lacks '{text}': {buffer:?}"
                    );
                }
            }
        });
    }
}

/// Counts its calls.
#[derive(Default)]
struct CallCount(AtomicUsize);

impl Progress for CallCount {
    fn begin(&self, _stage: &str, _total: u64, _unit: Unit) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    fn advance(&self, _amount: u64) {}
}

#[test]
fn nothing_is_told_of_searches_behind_the_screen() {
    for behind in [false, true] {
        let listener = Arc::new(CallCount::default());
        heard(&["ampel"], Some(Arc::clone(&listener)), |play| {
            play.thinking = Budget::Nodes(100);
            play.prepare().unwrap();
            if behind {
                let unheard = Arc::new(QuietListener::new(&play.session.tablebase));
                play.tablebase = play.tablebase.watched_by(unheard);
            }
            play.answer().unwrap();
        });
        assert_eq!(listener.0.load(Ordering::Relaxed) == 0, behind);
    }
}

#[test]
fn what_nobody_has_proven_is_played_as_an_opinion() {
    playing(&["ampel", "--as", "second"], |play| {
        play.thinking = Budget::Nodes(100);
        assert!(!play.humans_turn());
        let made = play.machine_move().unwrap();
        let ply = serde_json::to_value(lines::ply(play, &made).unwrap()).unwrap();
        assert_eq!(ply["by"], "machine");
        assert_eq!(ply["opinion"], true);
        assert!(play.humans_turn());
    });
}

#[test]
fn the_reply_is_worked_out_while_a_person_thinks() {
    let position = "R..Y./....R/.Y.../G..YG/YYG.G";
    playing(&["classic-5x5", position], |play| {
        // Too little for any search.
        play.thinking = Budget::Nodes(1);
        play.think_ahead();
        while play.reply_share().is_some() {
            std::thread::sleep(Duration::from_millis(1));
        }
        let made = play.human_move("e4Y").unwrap();
        // Line by line, the ply is told before the reply.
        lines::ply(play, &made).unwrap();
        let made = play.machine_move().unwrap();
        assert!(!made.opinion, "{}", made.mv);
        let ply = serde_json::to_value(lines::ply(play, &made).unwrap()).unwrap();
        assert_ne!(ply["value"], "unknown");
    });
}

#[test]
fn a_reply_that_nobody_waits_for_is_stopped() {
    playing(&["classic-5x5"], |play| {
        play.think_ahead();
        // No machine sweeps the whole board in this time, and the next game waits for the thread.
        assert!(play.reply.is_some());
        play.begin_again();
        assert!(play.reply.is_none());
    });
}

#[test]
fn the_board_is_drawn_before_a_hint_is_searched_for() {
    playing(&["classic-4x5", "--hints"], |play| {
        play.thinking = Budget::Nodes(100);
        let mut screen = Screen::new(play);
        let mut frames = Vec::new();
        let show = |screen: &mut Screen<'_, '_>, shown: &SidePanel| {
            frames.push((shown.thinking, screen.play.answer.is_some()));
            Ok(())
        };
        screen.go_on(show).unwrap();
        assert_eq!(frames, [(true, false), (false, true)]);
    });
}

#[test]
fn small_windows_show_the_cursor_or_say_what_they_lack() {
    playing(&["ampel"], |play| {
        let mut screen = Screen::new(play);
        for (width, height) in [(20, 20), (80, 24), (18, 10), (30, 12), (120, 10)] {
            for mark in 0..screen.diagram.marks.len() {
                screen.cursor = mark;
                let buffer = window(&mut screen, &SidePanel::default(), width, height);
                let shown = letters(&buffer, (0, 0));
                assert!(
                    shown.contains("[.]"),
                    "{mark} in {width} by {height}: {buffer:?}"
                );
            }
        }
        for (width, height) in [(20, 20), (18, 10), (30, 12), (120, 10)] {
            let cut = letters(
                &window(&mut screen, &SidePanel::default(), width, height),
                (0, 0),
            );
            assert!(cut.contains("Cut:needs"), "{width} by {height}: {cut}");
        }
        screen.help = true;
        let keys = letters(&window(&mut screen, &SidePanel::default(), 20, 20), (0, 0));
        assert!(keys.contains("arrows,Enter:play"), "{keys}");
    });
    playing(&["classic-3x3"], |play| {
        let mut screen = Screen::new(play);
        for (width, height) in [(12, 6), (5, 3)] {
            let said = letters(
                &window(&mut screen, &SidePanel::default(), width, height),
                (0, 0),
            );
            assert!(said.contains("15by10"), "{said}");
            assert!(!said.contains("[.]"), "{said}");
        }
        for (width, height) in [(1, 1), (1, 9), (16, 1)] {
            window(&mut screen, &SidePanel::default(), width, height);
        }
        let whole = letters(&window(&mut screen, &SidePanel::default(), 20, 20), (0, 0));
        assert!(whole.contains("[.]") && !whole.contains("Cut"), "{whole}");
    });
}

#[test]
fn squares_grow_with_the_window_and_can_be_clicked() {
    playing(&["classic-3x3", "--as", "both"], |play| {
        let mut screen = Screen::new(play);
        for (width, height, square) in [(120, 40, (7, 3)), (80, 14, (5, 1)), (20, 16, (3, 1))] {
            screen.play.undo().unwrap();
            window(&mut screen, &SidePanel::default(), width, height);
            let place = screen.places[0];
            assert_eq!((place.width, place.height), square, "{width} by {height}");
            let (x, y) = (
                screen.view.x + place.right() - 1,
                screen.view.y + place.bottom() - 1,
            );
            let click = MouseEvent {
                kind: MouseEventKind::Down(MouseButton::Left),
                column: x,
                row: y,
                modifiers: KeyModifiers::NONE,
            };
            screen.mouse(click).unwrap();
            assert_eq!(screen.cursor, 0);
            assert_eq!(screen.play.record.turns().len(), 1);
        }
    });
}

#[test]
fn the_record_stays_beside_values_hints_and_keys() {
    playing(&["classic-3x3", "--as", "both", "--hints"], |play| {
        let mut screen = Screen::new(play);
        for mv in ["b2R", "a1R"] {
            screen.play_move(mv).unwrap();
        }
        screen.values = true;
        screen.help = true;
        let shown = screen.shown().unwrap();
        assert!(shown.values.len() > 8 && !shown.hint.is_empty());
        for (width, height) in [(120, 40), (80, 24), (40, 24), (20, 24)] {
            let text = letters(&window(&mut screen, &shown, width, height), (0, 0));
            for words in ["Played:", "2.a1R", "Hint:", "Youplaya1R", "arrows"] {
                assert!(
                    text.contains(words),
                    "no {words} in {width} by {height}: {text}"
                );
            }
        }
    });
}

#[test]
fn keys_begin_a_new_game_and_review_the_last() {
    let keys = |screen: &mut Screen<'_, '_>, keys: &[Key]| {
        for key in keys {
            screen.pressed(*key).unwrap();
        }
    };
    playing(&["classic-1x3", "--as", "both", "--hints"], |play| {
        let mut screen = Screen::new(play);
        assert_eq!(screen.hints, 1, "hints begin with the first step");
        keys(&mut screen, &[Key::Char('?')]);
        assert!(screen.help);
        keys(&mut screen, &[Key::Escape]);
        assert!(!screen.help && !screen.has_left());
        screen.play_move("b1R").unwrap();
        keys(
            &mut screen,
            &[Key::Char('n'), Key::Char('v'), Key::Char('n')],
        );
        assert_eq!(screen.play.record.turns().len(), 1, "{}", screen.message);
        keys(&mut screen, &[Key::Char('n')]);
        assert_eq!(screen.play.record.turns().len(), 0);
        for mv in ["a1R", "b1R", "c1R"] {
            screen.play_move(mv).unwrap();
        }
        keys(&mut screen, &[Key::Char('n')]);
        assert_eq!(
            screen.play.record.turns().len(),
            0,
            "a game that is over needs no asking"
        );
        for mv in ["a1R", "b1R", "c1R"] {
            screen.play_move(mv).unwrap();
        }
        keys(&mut screen, &[Key::Char('r')]);
        assert!(screen.has_left());
        let play = &*screen.play;
        let told = super::super::review::of_record(
            play.session,
            &play.tablebase,
            play.variant,
            &play.record,
            THINKING,
        );
        let told = told.unwrap();
        assert!(told.contains("c1R"), "{told}");
    });
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("game.txt");
    let record = record.to_str().unwrap();
    playing(
        &["classic-1x3", "--as", "both", "--record", record],
        |play| {
            let mut screen = Screen::new(play);
            screen.play_move("b1R").unwrap();
            keys(&mut screen, &[Key::Char('n'), Key::Char('n')]);
            assert_eq!(
                screen.play.record.turns().len(),
                1,
                "the record would be lost"
            );
        },
    );
}
