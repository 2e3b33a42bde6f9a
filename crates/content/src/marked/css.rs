//! Style sheets without what loads, and without what could end the element that they are put into.

/// Functions that load, or run.
const FUNCTIONS: &[&str] = &[
    "url",
    "src",
    "image",
    "image-set",
    "-webkit-image-set",
    "cross-fade",
    "-webkit-cross-fade",
    "element",
    "-moz-element",
    "expression",
    "paint",
];

/// Rules that load, or change how others are read.
const RULES: &[&str] = &["import", "font-face", "namespace", "charset", "document", "-moz-document"];

/// A style sheet, or a list of declarations, without functions and rules that load; comments are emptied. What is left says the same. It can be
/// put between `<style>` and `</style>`: no `<` is followed by anything that HTML would read as a tag.
///
/// ```
/// use lopper_content::marked::harmless_css;
///
/// let css = "@import 'x.css'; p { color: red; background: URL( \"//e.org/(x)\" ) } /* </style> */ a::before { content: '</style>' }";
/// assert_eq!(harmless_css(css), "  p { color: red; background: none } /**/ a::before { content: ' /style>' }");
/// ```
pub fn harmless_css(css: &str) -> String {
    let mut reader = Reader { css, at: 0, out: String::with_capacity(css.len()) };
    while reader.at < css.len() {
        reader.step();
    }
    reader.out
}

struct Reader<'a> {
    css: &'a str,
    at: usize,
    out: String,
}

impl Reader<'_> {
    fn rest(&self) -> &str {
        &self.css[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn step(&mut self) {
        let Some(char) = self.peek() else { return };
        match char {
            '/' if self.rest().starts_with("/*") => self.comment(),
            '"' | '\'' => self.string(true),
            '@' => self.rule(),
            char if is_name(char) || char == '\\' => self.name(),
            char => {
                self.at += char.len_utf8();
                self.push(char);
            }
        }
    }

    fn comment(&mut self) {
        self.at += self.rest()[2..].find("*/").map_or(self.rest().len(), |end| end + 4);
        // What stood apart stays apart: `u/**/rl(x)` must not become `url(x)`.
        self.out.push_str("/**/");
    }

    /// A `<` is written only before a space, `=` or a digit, as in a range of widths.
    fn push(&mut self, char: char) {
        let is_plain =
            char != '<' || self.rest().starts_with([' ', '=', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9']);
        self.out.push(if is_plain { char } else { ' ' });
    }

    /// A string, up to its quote or the line's end.
    fn string(&mut self, is_written: bool) {
        let Some(quote) = self.peek() else { return };
        let mut is_escaped = false;
        let mut is_open = false;
        while let Some(char) = self.peek() {
            self.at += char.len_utf8();
            if is_written {
                self.push(char);
            }
            if is_open && !is_escaped && (char == quote || char == '\n') {
                return;
            }
            is_escaped = is_open && !is_escaped && char == '\\';
            is_open = true;
        }
    }

    /// Reads a name with its escapes; gives it as it stands for.
    fn read_name(&mut self) -> String {
        let mut name = String::new();
        while let Some(char) = self.peek() {
            if char == '\\' {
                self.at += 1;
                name.push(self.escaped());
            } else if is_name(char) {
                self.at += char.len_utf8();
                name.push(char.to_ascii_lowercase());
            } else {
                break;
            }
        }
        name
    }

    /// What an escape stands for, behind its backslash.
    fn escaped(&mut self) -> char {
        let digits = self.rest().bytes().take(6).take_while(u8::is_ascii_hexdigit).count();
        if digits == 0 {
            let Some(char) = self.peek() else { return '\u{fffd}' };
            self.at += char.len_utf8();
            return char.to_ascii_lowercase();
        }
        let code = u32::from_str_radix(&self.rest()[..digits], 16).unwrap_or(0);
        self.at += digits;
        if self.peek().is_some_and(|char| char.is_ascii_whitespace()) {
            self.at += 1;
        }
        char::from_u32(code).unwrap_or('\u{fffd}').to_ascii_lowercase()
    }

    fn name(&mut self) {
        let start = self.at;
        let name = self.read_name();
        if self.peek() == Some('(') && FUNCTIONS.contains(&&*name) {
            self.skip_brackets();
            self.out.push_str("none");
        } else {
            self.push_name(start);
        }
    }

    /// Writes the name that began at `start` with its escapes; an escaped `<` is none any more.
    fn push_name(&mut self, start: usize) {
        self.out.push_str(&self.css[start..self.at].replace('<', "_"));
    }

    fn rule(&mut self) {
        let start = self.at;
        self.at += 1;
        let name = self.read_name();
        if RULES.contains(&&*name) {
            self.skip_statement();
            self.out.push(' ');
        } else {
            self.push_name(start);
        }
    }

    /// Passes over brackets with all that is in them.
    fn skip_brackets(&mut self) {
        self.skip_nested('(', ')', |_| true);
    }

    /// Passes over a rule, up to its `;` or with its block.
    fn skip_statement(&mut self) {
        self.skip_nested('{', '}', |char| matches!(char, ';' | '}'));
    }

    /// Passes over what follows, up to and with the first character outside of `open` and `close` that `ends` it. Strings count as one.
    fn skip_nested(&mut self, open: char, close: char, ends: impl Fn(char) -> bool) {
        let mut depth = 0usize;
        while let Some(char) = self.peek() {
            match char {
                '"' | '\'' => {
                    self.string(false);
                    continue;
                }
                '\\' => self.at += 1,
                _ if char == open => depth += 1,
                _ if char == close => depth = depth.saturating_sub(1),
                _ => {}
            }
            self.at += self.peek().map_or(0, char::len_utf8);
            if depth == 0 && ends(char) {
                return;
            }
        }
    }
}

fn is_name(char: char) -> bool {
    char.is_ascii_alphanumeric() || matches!(char, '-' | '_') || !char.is_ascii()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_loads_goes() {
        for (css, expected) in [
            ("a{background:url(x)}", "a{background:none}"),
            ("a{b:u\\72 l(x) c}", "a{b:none c}"),
            ("a{b:\\75\\000072l( 'a)b' )}", "a{b:none}"),
            ("@\\69mport url(x);a{}", " a{}"),
            ("@font-face{src:url(x)}a{}", " a{}"),
            ("a{b:u/**/rl(x) u<rl(x) u\\<rl(x)}", "a{b:u/**/rl(x) u rl(x) u\\_rl(x)}"),
            ("@media (width <= 600px){a{}}", "@media (width <= 600px){a{}}"),
            (".w-1\\/2{w:calc(1px + 2px)}", ".w-1\\/2{w:calc(1px + 2px)}"),
            ("a{b:image-set('x' 1x)}", "a{b:none}"),
            ("a{b:url(x", "a{b:none"),
            ("a{}<!-- b{} -->", "a{} !-- b{} -->"),
            ("a{b:'\n;c:url(x)}", "a{b:'\n;c:none}"),
        ] {
            assert_eq!(harmless_css(css), expected, "{css}");
        }
    }

    proptest! {
        #[test]
        fn nothing_loads_and_nothing_ends_the_element(
            css in "(url\\(|u\\\\72l\\(|\\\\|'|\"|\\(|\\)|;|\\{|\\}|/\\*|\\*/|</style>|<|@import|a|\n| |é){0,40}"
        ) {
            let harmless = harmless_css(&css);
            prop_assert!(!harmless.contains("</") && !harmless.contains("<!"), "{}", harmless);
            prop_assert_eq!(harmless_css(&harmless), harmless.as_str(), "nothing is left to take out");
        }
    }
}
