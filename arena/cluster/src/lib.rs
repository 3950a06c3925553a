//! Matches on many machines. A coordinator schedules and keeps the journal, workers play; a NATS server with JetStream
//! is between them. The coordinator's journal is the only truth: what the server loses is published again.
//!
//! | message | from | as |
//! |---|---|---|
//! | [`Announcement`](message::Announcement) | coordinator | message every second |
//! | [`Invitation`](message::Invitation) | coordinator | reply to a worker |
//! | [`Order`](message::Order): a pair to play | coordinator | message to a worker with a free place |
//! | [`State`](message::State) | worker | message every second, or less often if there are many workers |
//! | [`Outcome`](message::Outcome): the pair's matches | worker | message of the stream |
//! | [`Moves`](message::Moves) | worker | message, if somebody watches |
//! | [`Receipt`](message::Receipt): the journal has them | coordinator | message |
//!
//! The coordinator knows which worker has which order, because the worker says so in its state. If it is silent, or does not
//! say so, another worker gets the order. A worker repeats an outcome until it gets the receipt.

mod access;
mod audit;
mod both;
mod check;
mod intake;
mod ledger;
mod link;
pub mod message;
pub mod parcels;
mod pool;
mod pull;
mod quota;
mod reception;
mod referees;
mod rival;
mod roster;
mod scale;
mod server_config;
mod sizes;
mod store;
mod stream;
pub mod subject;
pub mod worker;

pub use access::{Access, AccessError, LINK_LOST, LINK_RESTORED, new_key};
pub use audit::wrong_audit;
pub use both::BothPools;
pub use pool::{Known, NatsPool};
pub use referees::referee_files;
pub use scale::{Scale, local_scale, set_reference_speed};
pub use server_config::{Machine, server_config};
