//! Parsing of the command line.

use std::ffi::{OsStr, OsString};

use clap::Parser;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use super::args::Args;

/// The parsed command line of the process. Prints what is wrong with it, and ends with 2; prints help, and ends with 0.
pub(super) fn parse() -> Args {
    parse_words(std::env::args_os().collect()).unwrap_or_else(|error| error.exit())
}

/// Parses, with one rule besides those of clap: a word of a query may begin with a minus sign (`lopper search cookies -banner`), unless it
/// is an option.
fn parse_words(mut words: Vec<OsString>) -> Result<Args, clap::Error> {
    loop {
        let error = match Args::try_parse_from(&words) {
            Ok(args) => return Ok(args),
            Err(error) => error,
        };
        let Some(place) = excluded_word(&words, &error) else { return Err(error) };
        if !words.iter().any(|word| word == "--") {
            words.push("--".into());
        }
        let word = words.remove(place);
        words.push(word);
    }
}

/// Where the word stands that was taken for an option, if it can be one that a query excludes.
fn excluded_word(words: &[OsString], error: &clap::Error) -> Option<usize> {
    let Some(ContextValue::String(rejected)) = error.get(ContextKind::InvalidArg) else { return None };
    let is_word = |word: &OsStr| {
        let word = word.to_string_lossy();
        !word.starts_with("--") && word.chars().count() > 2 && word.starts_with(rejected.as_str())
    };
    let options = words.iter().take_while(|word| *word != "--");
    let is_search = words.iter().any(|word| word == "search");
    let place = options.into_iter().position(|word| is_word(word))?;
    (error.kind() == ErrorKind::UnknownArgument && is_search && rejected.starts_with('-')).then_some(place)
}

#[cfg(test)]
mod tests {
    use super::super::args::Command;
    use super::*;

    fn parsed(line: &str) -> Result<Args, clap::Error> {
        parse_words(line.split(' ').map(OsString::from).collect())
    }

    #[test]
    fn words_of_a_query_may_begin_with_a_minus_sign() {
        for (line, expected) in [
            ("lopper search data -cookies", ["data", "-cookies"].as_slice()),
            ("lopper search -cookies --data d", &["-cookies"]),
            ("lopper search -cookies data -banner -k 3", &["data", "-cookies", "-banner"]),
            ("lopper search data -- -c", &["data", "-c"]),
            ("lopper search -éa", &["-éa"]),
        ] {
            let Ok(Args { command: Command::Search(args), .. }) = parsed(line) else { panic!("{line}") };
            assert_eq!(args.query, expected, "{line}");
        }
    }

    #[test]
    fn options_that_are_none_are_refused() {
        for line in
            ["lopper search data --formt json", "lopper search data -c", "lopper stats -cookies", "lopper -search"]
        {
            assert_eq!(parsed(line).unwrap_err().kind(), ErrorKind::UnknownArgument, "{line}");
        }
    }
}
