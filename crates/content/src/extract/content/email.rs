//! Mailboxes that a server of Cloudflare hides from collectors: hexadecimal, the first byte the key of all others (exclusive or).

use crate::dom::{AttributeName, Dom, DomId};

/// Where the links of such mailboxes lead.
const PLACE: &str = "/cdn-cgi/l/email-protection";

/// Bytes of a mailbox.
const BYTES_MAX: usize = 320;

/// The mailbox that an element stands for.
pub(super) fn of_element(dom: &Dom, element: DomId) -> Option<String> {
    dom.attribute(element, AttributeName::DataCfemail).and_then(decoded)
}

/// The mailbox that a link leads to.
pub(super) fn of_link(dom: &Dom, link: DomId, href: &str) -> Option<String> {
    let (before, code) = href.split_once(PLACE)?;
    let is_own = before.is_empty() || before.starts_with("http");
    let mailbox = code.strip_prefix('#').and_then(decoded).or_else(|| of_element(dom, link));
    mailbox.filter(|_| is_own)
}

fn decoded(code: &str) -> Option<String> {
    let code = code.trim();
    if !code.is_ascii() || code.len() > 2 * BYTES_MAX || !code.len().is_multiple_of(2) {
        return None;
    }
    let byte = |at: usize| u8::from_str_radix(&code[at..at + 2], 16).ok();
    let bytes = (0..code.len()).step_by(2).map(byte).collect::<Option<Vec<u8>>>()?;
    let (key, rest) = bytes.split_first()?;
    let text = String::from_utf8(rest.iter().map(|byte| byte ^ key).collect()).ok()?;
    let is_mailbox = text.contains('@') && !text.contains(char::is_whitespace) && !text.contains(char::is_control);
    is_mailbox.then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_mailboxes() {
        assert_eq!(decoded("422b2c242d022f2b2e2e6c2d3025").as_deref(), Some("info@mill.org"));
        for code in ["", "42", "4", "zz", "4242", "é1"] {
            assert_eq!(decoded(code), None, "{code}");
        }
    }
}
