//! lopper
fn main() {}
