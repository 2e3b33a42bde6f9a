//! The signs of formulas and their names in TeX (LaTeX with amsmath and amssymb; KaTeX and MathJax know them all).

/// Names of functions that have a command of their own.
const FUNCTIONS: &[&str] = &[
    "Pr", "arccos", "arcsin", "arctan", "arg", "cos", "cosh", "cot", "coth", "csc", "deg", "det", "dim", "exp", "gcd",
    "hom", "inf", "ker", "lg", "lim", "liminf", "limsup", "ln", "log", "max", "min", "sec", "sin", "sinh", "sup",
    "tan", "tanh",
];

/// Commands whose scripts stand below and above them in a display.
const BIG: &[&str] = &[
    "sum",
    "prod",
    "coprod",
    "int",
    "iint",
    "iiint",
    "oint",
    "bigcup",
    "bigcap",
    "bigoplus",
    "bigotimes",
    "bigvee",
    "bigwedge",
    "lim",
    "liminf",
    "limsup",
    "max",
    "min",
    "sup",
    "inf",
    "det",
    "gcd",
    "Pr",
];

const RELATIONS: &[&str] = &[
    "approx",
    "cong",
    "equiv",
    "ge",
    "gg",
    "iff",
    "implies",
    "in",
    "le",
    "leftarrow",
    "leftrightarrow",
    "ll",
    "mapsto",
    "mid",
    "ne",
    "ni",
    "notin",
    "parallel",
    "perp",
    "prec",
    "preceq",
    "propto",
    "Leftarrow",
    "Leftrightarrow",
    "Rightarrow",
    "sim",
    "simeq",
    "subset",
    "subseteq",
    "succ",
    "succeq",
    "supset",
    "supseteq",
    "to",
    "models",
    "vdash",
];

/// In the order of the characters.
const SIGNS: &[(char, &str)] = &[
    ('¬', "neg"),
    ('°', "circ"),
    ('±', "pm"),
    ('·', "cdot"),
    ('×', "times"),
    ('÷', "div"),
    ('Γ', "Gamma"),
    ('Δ', "Delta"),
    ('Θ', "Theta"),
    ('Λ', "Lambda"),
    ('Ξ', "Xi"),
    ('Π', "Pi"),
    ('Σ', "Sigma"),
    ('Υ', "Upsilon"),
    ('Φ', "Phi"),
    ('Ψ', "Psi"),
    ('Ω', "Omega"),
    ('α', "alpha"),
    ('β', "beta"),
    ('γ', "gamma"),
    ('δ', "delta"),
    ('ε', "varepsilon"),
    ('ζ', "zeta"),
    ('η', "eta"),
    ('θ', "theta"),
    ('ι', "iota"),
    ('κ', "kappa"),
    ('λ', "lambda"),
    ('μ', "mu"),
    ('ν', "nu"),
    ('ξ', "xi"),
    ('π', "pi"),
    ('ρ', "rho"),
    ('ς', "varsigma"),
    ('σ', "sigma"),
    ('τ', "tau"),
    ('υ', "upsilon"),
    ('φ', "varphi"),
    ('χ', "chi"),
    ('ψ', "psi"),
    ('ω', "omega"),
    ('ϑ', "vartheta"),
    ('ϕ', "phi"),
    ('ϖ', "varpi"),
    ('ϱ', "varrho"),
    ('ϵ', "epsilon"),
    ('†', "dagger"),
    ('‡', "ddagger"),
    ('…', "dots"),
    ('′', "prime"),
    ('ℏ', "hbar"),
    ('ℓ', "ell"),
    ('ℕ', "mathbb{N}"),
    ('ℚ', "mathbb{Q}"),
    ('ℝ', "mathbb{R}"),
    ('ℤ', "mathbb{Z}"),
    ('ℵ', "aleph"),
    ('ℂ', "mathbb{C}"),
    ('←', "leftarrow"),
    ('↑', "uparrow"),
    ('→', "to"),
    ('↓', "downarrow"),
    ('↔', "leftrightarrow"),
    ('↦', "mapsto"),
    ('⇐', "Leftarrow"),
    ('⇒', "Rightarrow"),
    ('⇔', "Leftrightarrow"),
    ('∀', "forall"),
    ('∂', "partial"),
    ('∃', "exists"),
    ('∄', "nexists"),
    ('∅', "emptyset"),
    ('∆', "Delta"),
    ('∇', "nabla"),
    ('∈', "in"),
    ('∉', "notin"),
    ('∋', "ni"),
    ('∏', "prod"),
    ('∐', "coprod"),
    ('∑', "sum"),
    ('∓', "mp"),
    ('∖', "setminus"),
    ('∗', "ast"),
    ('∘', "circ"),
    ('√', "surd"),
    ('∝', "propto"),
    ('∞', "infty"),
    ('∠', "angle"),
    ('∣', "mid"),
    ('∥', "parallel"),
    ('∧', "wedge"),
    ('∨', "vee"),
    ('∩', "cap"),
    ('∪', "cup"),
    ('∫', "int"),
    ('∬', "iint"),
    ('∭', "iiint"),
    ('∮', "oint"),
    ('∴', "therefore"),
    ('∼', "sim"),
    ('≃', "simeq"),
    ('≅', "cong"),
    ('≈', "approx"),
    ('≠', "ne"),
    ('≡', "equiv"),
    ('≤', "le"),
    ('≥', "ge"),
    ('≪', "ll"),
    ('≫', "gg"),
    ('≺', "prec"),
    ('≻', "succ"),
    ('⊂', "subset"),
    ('⊃', "supset"),
    ('⊆', "subseteq"),
    ('⊇', "supseteq"),
    ('⊕', "oplus"),
    ('⊗', "otimes"),
    ('⊢', "vdash"),
    ('⊤', "top"),
    ('⊥', "perp"),
    ('⊨', "models"),
    ('⋀', "bigwedge"),
    ('⋁', "bigvee"),
    ('⋂', "bigcap"),
    ('⋃', "bigcup"),
    ('⋅', "cdot"),
    ('⋆', "star"),
    ('⋮', "vdots"),
    ('⋯', "cdots"),
    ('⋱', "ddots"),
    ('⌈', "lceil"),
    ('⌉', "rceil"),
    ('⌊', "lfloor"),
    ('⌋', "rfloor"),
    ('⟨', "langle"),
    ('⟩', "rangle"),
    ('⟵', "longleftarrow"),
    ('⟶', "longrightarrow"),
    ('⟹', "implies"),
    ('⟺', "iff"),
    ('⨁', "bigoplus"),
    ('⨂', "bigotimes"),
    ('⪯', "preceq"),
    ('⪰', "succeq"),
];

/// The command of a character, without its backslash.
pub(super) fn sign(c: char) -> Option<&'static str> {
    if c.is_ascii() {
        return None;
    }
    SIGNS.iter().find(|(known, _)| *known == c).map(|(_, command)| *command)
}

pub(super) fn is_function(name: &str) -> bool {
    FUNCTIONS.binary_search(&name).is_ok()
}

/// Whether TeX sets its scripts as limits.
pub(super) fn is_big(tex: &str) -> bool {
    tex.strip_prefix('\\').is_some_and(|name| BIG.contains(&name))
}

pub(super) fn is_relation(tex: &str) -> bool {
    matches!(tex, "=" | "<" | ">" | ":=") || tex.strip_prefix('\\').is_some_and(|name| RELATIONS.contains(&name))
}

/// The command of what stands above a base, `is_wide` over several letters.
pub(super) fn accent(above: &str, is_wide: bool) -> Option<&'static str> {
    Some(match (above, is_wide) {
        ("^" | "ˆ" | "\u{302}", false) => "hat",
        ("^" | "ˆ" | "\u{302}", true) => "widehat",
        ("~" | "˜" | "\u{303}" | "\\sim", false) => "tilde",
        ("~" | "˜" | "\u{303}" | "\\sim", true) => "widetilde",
        ("¯" | "‾" | "―" | "\\_" | "_" | "\u{304}" | "\u{305}" | "-" | "−", false) => "bar",
        ("¯" | "‾" | "―" | "\\_" | "_" | "\u{304}" | "\u{305}" | "-" | "−", true) => "overline",
        ("\\to" | "\u{20d7}" | "⇀", false) => "vec",
        ("\\to" | "\u{20d7}" | "⇀", true) => "overrightarrow",
        ("˙" | "." | "\u{307}", _) => "dot",
        ("¨" | ".." | "\u{308}", _) => "ddot",
        ("ˇ" | "\u{30c}", _) => "check",
        ("˘" | "\u{306}", _) => "breve",
        ("⏞", _) => "overbrace",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_in_order() {
        assert!(FUNCTIONS.is_sorted());
        assert!(SIGNS.iter().all(|(c, _)| SIGNS.iter().filter(|(other, _)| other == c).count() == 1), "each once");
        assert_eq!((sign('α'), sign('a'), sign('⪰')), (Some("alpha"), None, Some("succeq")));
    }
}
