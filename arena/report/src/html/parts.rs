//! The parts of the report that other pages use: drawings, tables, scripts and styles. Nothing is made here.

pub use super::answer_view::limits_of;
pub use super::assets::{ERRORS, STYLE, for_script_element, joined, modules_until, policy_of};
pub use super::board::{Board, Boards, SceneChange, Shown, heights};
pub use super::copied_command::Readers;
pub use super::match_table::Score;
pub use super::played_game::PlayedGame;
pub use super::reasons::{because, explain as meaning, in_words as reason_in_words, outcome};
pub use super::rule_pictures::without_pictures;
pub use super::rules_view::{RulesView, about, pages as rules};
pub use super::single::Single;
pub use super::standings_view::{ScopeView, scopes, title_of};
pub use super::stop_view::StopView;
pub use super::words::typeset;
