//! Search and evaluation shared by the engines.
