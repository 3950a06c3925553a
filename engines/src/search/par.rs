//! TEMP
use std::sync::LazyLock;
pub struct Par { pub rfp: i32, pub rfpd: i32, pub fut: i32, pub counter: bool, pub lmr: f32, pub raz: i32, pub lmrh: i32, pub asp: i32, pub c: f32, pub s: f32, pub lmpa: i32, pub qd: i32 , pub cont: bool}
fn v(n: &str, d: f32) -> f32 { std::env::var(n).ok().and_then(|t| t.parse().ok()).unwrap_or(d) }
pub static PAR: LazyLock<Par> = LazyLock::new(|| Par {
  rfp: v("RFP",0.) as i32, rfpd: v("RFPD",5.) as i32, fut: v("FUT",0.) as i32, counter: v("CM",0.)!=0., lmr: v("LMR",2.0), raz: v("RAZ",0.) as i32, lmrh: v("LMRH",0.) as i32, asp: v("ASP",4.) as i32, c: v("C",0.6), s: v("S",2.), lmpa: v("LMPA",3.) as i32, qd: v("QD",8.) as i32, cont: v("CONT",0.)!=0.});
