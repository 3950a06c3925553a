//! How strong the engines are: pure functions over results. No file, no clock.
