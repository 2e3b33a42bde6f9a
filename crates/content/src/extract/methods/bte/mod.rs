//! Body Text Extraction: Finn's original, and the version improved by Phan & Ha ("Automatic Main Text Extraction from Web
//! Pages", sec. 3).
//!
//! A page is a stream of tokens, tags (+1) and words (-1). Wanted are two points `i`, `j` with as many words between them and as
//! many tags outside of them as can be. The tags outside are all tags less those inside, so the sum of `binary_tokens[i..j]` is to be as low
//! as can be: a minimum-sum (with the sign turned, maximum-sum) subarray.
//!
//! Three searches find it: [`search_cubic`], the original's, over tokens; [`search_quadratic`], Algorithm 2, over the
//! run lengths `encode[]`; [`search_linear`], the one in use, over the same run lengths. All give the first of the best intervals,
//! so they agree in the place as well as in the sum.

mod search;
mod tokens;
mod verdict;

pub use search::{Interval, search_cubic, search_linear, search_quadratic};
pub use tokens::{TokenStream, encode};
pub(super) use verdict::{decide, decide_original};

/// Longest stream that [`search_cubic`] is run on by `bte-original`, in tokens: about a tenth of a second. Longer ones go to
/// [`search_linear`], which gives the same interval.
pub const ORIGINAL_TOKENS_MAX: usize = 1000;
