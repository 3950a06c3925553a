//! Both tree searches on a small game: true to their limits, the same every time, and stopped at once.

use std::thread;
use std::time::{Duration, Instant};

use crate::common::sprint::{Points, Sprint};
use crate::common::{is_legal, random_play, small, think};
use engine_proto::proto::Limits;
use engine_proto::sdk::{Engine, Search};
use engines::search::{AlphaBeta, Mcts, Settings};

/// Does this for both searches, which are made with some settings.
fn for_both(test: impl Fn(&dyn Fn(Settings) -> Box<dyn Engine<Sprint>>)) {
    test(&|settings| Box::new(AlphaBeta::new(Points, settings)));
    test(&|settings| Box::new(Mcts::new(Points, settings)));
}

#[test]
fn they_answer_however_short_the_time() {
    let play = random_play::<Sprint>(2, 0);
    for_both(|search| {
        for ms in [0, 1, 20] {
            let begun = Instant::now();
            let limits = Limits { move_time: Some(Duration::from_millis(ms)), ..Limits::default() };
            let (mv, _) = think(&mut *search(small(1)), &play, Search::with(limits));
            assert!(is_legal(&play, mv));
            assert!(begun.elapsed() < Duration::from_millis(ms + 1_000));
        }
    });
}

#[test]
fn stop_ends_any_number_of_threads() {
    let play = random_play::<Sprint>(5, 0);
    for_both(|search| {
        for threads in [1, 2, 3] {
            let endless = Search::with(Limits { infinite: true, ..Limits::default() });
            let stop = endless.stop();
            let stopper = thread::spawn(move || {
                thread::sleep(Duration::from_millis(30));
                stop.raise();
            });
            let (mv, _) = think(&mut *search(Settings { threads, ..small(1) }), &play, endless);
            assert!(is_legal(&play, mv));
            stopper.join().unwrap();
        }
    });
}
