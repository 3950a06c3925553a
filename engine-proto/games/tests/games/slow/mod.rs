//! The rules of each game a second time, slow and obvious, and the fast ones compared with them. A new game can do without;
//! its slow version is a file here and a line below.

mod four_towers;
mod push;
mod push_push;
mod tower_of_power;
mod tower_push;
