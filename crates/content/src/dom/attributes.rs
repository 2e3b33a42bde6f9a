//! The attributes that the trees and the extractors read; all others are left in the source.

use html5ever::tendril::StrTendril;
use html5ever::{LocalName, local_name};

macro_rules! attributes {
    ($($id:ident $name:literal)*) => {
        /// Name of an attribute that is kept.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[allow(missing_docs)] // Each is what HTML calls so.
        pub enum AttributeName { $($id),* }

        impl AttributeName {
            pub(super) fn of(name: &LocalName) -> Option<Self> {
                // Nearly all are one of these, and to compare names is faster than to compare their letters.
                match *name {
                    local_name!("class") => Some(Self::Class),
                    local_name!("href") => Some(Self::Href),
                    local_name!("id") => Some(Self::Id),
                    local_name!("src") => Some(Self::Src),
                    local_name!("style") => Some(Self::Style),
                    local_name!("title") => Some(Self::Title),
                    local_name!("alt") => Some(Self::Alt),
                    local_name!("type") => Some(Self::Type),
                    _ => Self::of_letters(name),
                }
            }

            fn of_letters(name: &str) -> Option<Self> {
                match name {
                    $($name => Some(Self::$id),)*
                    _ => None,
                }
            }
        }
    };
}

attributes! {
    Alt "alt"
    Alttext "alttext"
    AriaHidden "aria-hidden"
    AriaLabel "aria-label"
    AriaLevel "aria-level"
    Checked "checked"
    Class "class"
    Colspan "colspan"
    Content "content"
    DataCfemail "data-cfemail"
    DataEnlighterLanguage "data-enlighter-language"
    DataLang "data-lang"
    DataLanguage "data-language"
    DataLazySrc "data-lazy-src"
    DataLazySrcset "data-lazy-srcset"
    DataOriginal "data-original"
    DataSrc "data-src"
    DataSrcset "data-srcset"
    DataSyntaxhighlighterParams "data-syntaxhighlighter-params"
    Datetime "datetime"
    Display "display"
    Encoding "encoding"
    Hidden "hidden"
    Href "href"
    HttpEquiv "http-equiv"
    Id "id"
    Itemprop "itemprop"
    Itemtype "itemtype"
    Lang "lang"
    Name "name"
    Open "open"
    Property "property"
    Rel "rel"
    Reversed "reversed"
    Role "role"
    Rowspan "rowspan"
    Src "src"
    Srcset "srcset"
    Start "start"
    Style "style"
    Title "title"
    Type "type"
    Value "value"
}

/// An attribute of an element.
#[derive(Debug, Clone)]
pub struct Attribute {
    /// Which one.
    pub name: AttributeName,
    /// Its value, character references resolved.
    pub value: StrTendril,
}
