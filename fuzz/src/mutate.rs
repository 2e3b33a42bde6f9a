//! Changes of an input.

use crate::random::Random;

/// Bytes of a changed input.
const INPUT_BYTES_MAX: usize = 192 << 10;

/// Changes of one input, at most.
const CHANGES_MAX: usize = 12;

/// Times that a part is repeated.
const REPEATS_MAX: usize = 400;

/// Words that the readers act on.
const WORDS: [&[u8]; 72] = [
    b"<",
    b">",
    b"</",
    b"/>",
    b"=\"",
    b"'",
    b"<!--",
    b"-->",
    b"<!",
    b"<?",
    b"<![CDATA[",
    b"]]>",
    b"&",
    b"&#",
    b"&#x110000;",
    b"&notit;",
    b"<div>",
    b"</div>",
    b"<table>",
    b"<tr><td>",
    b"</table>",
    b"<template>",
    b"</template>",
    b"<svg>",
    b"<math>",
    b"<select>",
    b"<option>",
    b"<frameset>",
    b"<noscript>",
    b"</noscript>",
    b"<script>",
    b"</script>",
    b"<style>",
    b"<textarea>",
    b"<title>",
    b"<plaintext>",
    b"<pre>\n",
    b"<a href=x>",
    b"</a>",
    b"<b>",
    b"<i>",
    b"<p>",
    b"</p>",
    b"<li>",
    b"<ul>",
    b"<h1>",
    b"<img alt=x>",
    b"<base href=//>",
    b"<meta charset=utf-16>",
    b"<body>",
    b"<html>",
    b"</body>",
    b"<article>",
    b"<nav>",
    b"<script type=application/ld+json>",
    b"{\"@type\":\"Article\",\"articleBody\":\"",
    b"[",
    b"{",
    b"\0",
    b"\xff\xfe",
    b"\xf0\x9f\x92",
    "\u{200d}\u{202e}\u{fb01}".as_bytes(),
    b"\r\n\r\n",
    b"WARC/1.0\r\n",
    b"Content-Length: 18446744073709551615\r\n",
    b"Content-Length: -1\r\n",
    b"WARC-Type: response\r\n",
    b"HTTP/1.1 200 OK\r\n",
    b"Transfer-Encoding: chunked\r\n",
    b"\x1f\x8b\x08",
    b"PK\x03\x04",
    b"\x28\xb5\x2f\xfd",
];

/// Words of the query language.
const QUERY_WORDS: [&[u8]; 24] = [
    b"\"",
    b"(",
    b")",
    b"+",
    b"-",
    b"*",
    b"?",
    b"~9",
    b":",
    b" AND ",
    b" OR ",
    b" NOT ",
    b" NEAR/3 ",
    b"title:",
    b"site:",
    b"date:",
    b"..",
    b"lang:",
    b"type:",
    b"inurl:",
    b"\\",
    b"a ",
    b"oak",
    "ß東".as_bytes(),
];

/// One of `seeds`, changed a few times.
pub(crate) fn mutate(seeds: &[Vec<u8>], random: &mut Random) -> Vec<u8> {
    let mut input = random.one_of(seeds).clone();
    for _ in 0..=random.below(CHANGES_MAX) {
        change(&mut input, seeds, random);
        input.truncate(INPUT_BYTES_MAX);
    }
    input
}

fn change(input: &mut Vec<u8>, seeds: &[Vec<u8>], random: &mut Random) {
    let at = random.below(input.len() + 1);
    let end = (at + part_len(random)).min(input.len()).max(at);
    match random.below(10) {
        0 if at < input.len() => input[at] ^= 1 << random.below(8),
        1 if at < input.len() => input[at] = random.number() as u8,
        2 => drop(input.drain(at..end)),
        3 => insert(input, at, random.one_of::<&[u8]>(&QUERY_WORDS)),
        4 => {
            let part = input[at..end].to_vec();
            let to = random.below(input.len() + 1);
            insert(input, to, &part);
        }
        5 => {
            let part = input[at..end].repeat(1 + random.below(REPEATS_MAX));
            insert(input, at, &part[..part.len().min(INPUT_BYTES_MAX)]);
        }
        6 => {
            let other = random.one_of(seeds);
            let from = random.below(other.len() + 1);
            let to = (from + part_len(random)).min(other.len());
            insert(input, at, &other[from..to]);
        }
        7 if random.below(4) == 0 => input.truncate(at),
        8 => {
            let word = random.one_of(&WORDS).repeat(1 + random.below(REPEATS_MAX));
            insert(input, at, &word);
        }
        _ => insert(input, at, random.one_of::<&[u8]>(&WORDS)),
    }
}

/// Short parts are as likely as long ones.
fn part_len(random: &mut Random) -> usize {
    let longest = 1 << random.below(14);
    1 + random.below(longest)
}

fn insert(input: &mut Vec<u8>, at: usize, part: &[u8]) {
    input.splice(at..at, part.iter().copied());
}
