//! Query strings.

use std::borrow::Cow;
use std::str::FromStr;

use lopper_archive::page::PageId;
use lopper_collection::search::{AsOf, QueryPruning, SearchRequest};
use serde_json::{Map, Value};
use url::form_urlencoded;

use super::asked::{EXPORT, EXPORT_FIELDS, Parameter, Place, SEARCH, SEARCH_FIELDS};
use super::error::{ApiError, ErrorCode};
use crate::export::{ExportFormat, PAGES_MAX};

/// Digits of a page's id.
const PAGE_ID_DIGITS: usize = 32;

/// The parameters of a request, each given at most once, all known.
pub(super) struct Parameters<'a>(Vec<(Cow<'a, str>, Cow<'a, str>)>);

impl<'a> Parameters<'a> {
    /// Reads a query string. What is no UTF-8 in it is replaced.
    pub(super) fn parse(query: &'a str, known: &[&str]) -> Result<Self, ApiError> {
        let mut parameters = Self(Vec::new());
        for (name, value) in form_urlencoded::parse(query.as_bytes()) {
            if !known.contains(&&*name) {
                let name: String = name.chars().take(40).collect();
                return Err(bad(format!("there is no parameter `{name}`: use {}", known.join(", "))));
            }
            if parameters.get(&name).is_some() {
                return Err(bad(format!("the parameter `{name}` is given twice")));
            }
            parameters.0.push((name, value));
        }
        Ok(parameters)
    }

    /// The same from a JSON object, by the types of its fields.
    pub(super) fn from_json(body: &[u8], known: &[Parameter]) -> Result<Parameters<'static>, ApiError> {
        let wrong = |message: String| ApiError::new(ErrorCode::BadBody, message);
        let object: Map<String, Value> =
            serde_json::from_slice(body).map_err(|error| wrong(format!("the body is no JSON object: {error}")))?;
        let fields = || known.iter().filter(|parameter| parameter.place != Place::Query);
        let mut parameters = Parameters(Vec::new());
        for (name, value) in object {
            let Some(parameter) = fields().find(|parameter| parameter.field.name == name) else {
                let names: Vec<&str> = fields().map(|parameter| parameter.field.name).collect();
                return Err(wrong(format!("there is no field `{}`: use {}", shortened(&name), names.join(", "))));
            };
            if value.is_null() && parameter.place == Place::FieldOrNull {
                continue;
            }
            let shape = parameter.field.shape;
            let value = shape.text_of(&value).ok_or_else(|| wrong(format!("`{name}` must be {}", shape.kind())))?;
            parameters.0.push((name.into(), value.into()));
        }
        Ok(parameters)
    }

    /// The same, with texts of their own.
    pub(super) fn into_owned(self) -> Parameters<'static> {
        let owned = |(name, value): (Cow<'a, str>, Cow<'a, str>)| (name.into_owned().into(), value.into_owned().into());
        Parameters(self.0.into_iter().map(owned).collect())
    }

    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(given, _)| given == name).map(|(_, value)| &**value)
    }

    /// A parameter by its name's own reading, which tells what it may be.
    pub(super) fn choice<T: FromStr<Err = String>>(&self, name: &str, default: T) -> Result<T, ApiError> {
        let Some(value) = self.get(name) else { return Ok(default) };
        value.parse().map_err(|error: String| bad(format!("{name}: {}", shortened_to(&error, 200))))
    }

    pub(super) fn switch(&self, name: &str) -> Result<bool, ApiError> {
        match self.get(name) {
            None | Some("false") => Ok(false),
            Some("true") => Ok(true),
            Some(value) => Err(bad(format!("{name} is `{}`; it must be `true` or `false`", shortened(value)))),
        }
    }

    pub(super) fn time(&self, name: &str) -> Result<Option<AsOf>, ApiError> {
        let time = self.get(name).map(str::parse).transpose();
        time.map_err(|error: String| bad(format!("{name}: {error}")))
    }

    fn share(&self, name: &str, default: f32) -> Result<f32, ApiError> {
        let Some(value) = self.get(name) else { return Ok(default) };
        value.parse().map_err(|_| bad(format!("{name} is `{}`; it must be a number from 0 to 1", shortened(value))))
    }

    pub(super) fn number(&self, name: &str, default: usize) -> Result<usize, ApiError> {
        let Some(value) = self.get(name) else { return Ok(default) };
        value.parse().map_err(|_| bad(format!("{name} is `{}`; it must be a whole number", shortened(value))))
    }
}

/// The search that a query string of `/v1/search` asks for.
pub(super) fn search_request(query: &str) -> Result<SearchRequest, ApiError> {
    search_request_of(&Parameters::parse(query, &names(SEARCH))?)
}

/// The search that a JSON object asks for, by the same names.
pub(super) fn search_request_of_json(body: &[u8]) -> Result<SearchRequest, ApiError> {
    search_request_of(&Parameters::from_json(body, SEARCH_FIELDS)?)
}

/// Pages of an export that says nothing of them.
const EXPORT_PAGES_DEFAULT: usize = 1000;

/// The export that a query string of `/v1/export` asks for.
pub(super) fn export_request(query: &str) -> Result<(ExportFormat, SearchRequest), ApiError> {
    export_request_of(Parameters::parse(query, &names(EXPORT))?)
}

/// The export that a JSON object asks for, by the same names.
pub(super) fn export_request_of_json(body: &[u8]) -> Result<(ExportFormat, SearchRequest), ApiError> {
    export_request_of(Parameters::from_json(body, EXPORT_FIELDS)?)
}

fn export_request_of(mut parameters: Parameters<'_>) -> Result<(ExportFormat, SearchRequest), ApiError> {
    let format = parameters.choice("format", ExportFormat::Ndjson)?;
    let pages = parameters.number("pages", EXPORT_PAGES_DEFAULT)?;
    if !(1..=PAGES_MAX).contains(&pages) {
        return Err(bad(format!("pages is {pages}; it must be from 1 to {PAGES_MAX}")));
    }
    parameters.0.retain(|(name, _)| name != "pages");
    Ok((format, SearchRequest { pages, ..search_request_of(&parameters)? }))
}

fn search_request_of(parameters: &Parameters<'_>) -> Result<SearchRequest, ApiError> {
    let like = parameters.get("like").map(str::to_owned);
    let words = match parameters.get("q") {
        None if like.is_none() => return Err(bad("the parameter `q` is missing: ask for /v1/search?q=WORDS")),
        words => words.unwrap_or_default(),
    };
    let default = SearchRequest::new(words);
    let prune = parameters.get("prune").map(|_| parameters.choice("prune", QueryPruning::default())).transpose()?;
    let cursor = parameters
        .get("cursor")
        .map(str::parse)
        .transpose()
        .map_err(|error: String| bad(format!("cursor: {error}")))?;
    if cursor.is_some() && parameters.get("offset").is_some() {
        return Err(bad("`cursor` says where to go on: leave `offset` out"));
    }
    let request = SearchRequest {
        like,
        as_of: parameters.time("as_of")?,
        cursor,
        pages: parameters.number("pages", default.pages)?,
        offset: parameters.number("offset", default.offset)?,
        blocks_per_page: parameters.number("blocks_per_page", default.blocks_per_page)?,
        snippet_chars: parameters.number("snippet_chars", default.snippet_chars)?,
        ranking: parameters.choice("ranking", default.ranking)?,
        documents: parameters.choice("documents", default.documents)?,
        sort: parameters.choice("sort", default.sort)?,
        collapse: parameters.choice("collapse", default.collapse)?,
        coverage_min: parameters.share("min_coverage", default.coverage_min)?,
        facets: parameters.switch("facets")?,
        prune,
        explain: parameters.switch("explain")?,
        ..default
    };
    request.check()?;
    Ok(request)
}

/// Names of parameters in an address.
pub(super) fn names(parameters: &[Parameter]) -> Vec<&'static str> {
    parameters
        .iter()
        .filter(|parameter| parameter.place == Place::Query)
        .map(|parameter| parameter.field.name)
        .collect()
}

/// The value of one parameter, and the query string without it.
pub(super) fn without(query: &str, name: &str) -> Result<(Option<String>, String), ApiError> {
    let mut values = form_urlencoded::parse(query.as_bytes()).filter(|(given, _)| given == name);
    let value = values.next().map(|(_, value)| value.into_owned());
    if values.next().is_some() {
        return Err(bad(format!("the parameter `{name}` is given twice")));
    }
    let others = form_urlencoded::parse(query.as_bytes()).filter(|(given, _)| given != name);
    Ok((value, form_urlencoded::Serializer::new(String::new()).extend_pairs(others).finish()))
}

/// The value of one parameter, whatever else there is.
pub(super) fn value_of(query: &str, name: &str) -> Option<String> {
    form_urlencoded::parse(query.as_bytes()).find(|(given, _)| given == name).map(|(_, value)| value.into_owned())
}

/// A page's id as it stands in a path.
pub(super) fn page_id(text: &str) -> Result<PageId, ApiError> {
    let is_id = text.len() == PAGE_ID_DIGITS && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    PageId::from_str(text).ok().filter(|_| is_id).ok_or_else(|| {
        let message = format!("`{}` is no page id: it has {PAGE_ID_DIGITS} hexadecimal digits", shortened(text));
        ApiError::new(ErrorCode::BadPageId, message)
    })
}

/// That there is no page with this id.
pub(super) fn page_not_found(id: PageId) -> ApiError {
    ApiError::new(ErrorCode::PageNotFound, format!("there is no page {id}"))
}

pub(super) fn bad(message: impl Into<String>) -> ApiError {
    ApiError::new(ErrorCode::BadParameter, message)
}

/// The beginning of what a client sent, for a message.
pub(super) fn shortened(text: &str) -> String {
    shortened_to(text, 80)
}

fn shortened_to(text: &str, chars: usize) -> String {
    let mut short: String = text.chars().take(chars).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;
    use lopper_collection::search::Documents;
    use lopper_content::prune::PruneRule;

    fn message(query: &str) -> String {
        search_request(query).unwrap_err().message
    }

    #[test]
    fn figures_are_read_and_checked() {
        let request = search_request("q=old+mills%21&pages=3").unwrap();
        assert_eq!((&*request.query, request.pages, request.snippet_chars), ("old mills!", 3, 240));
        assert_eq!(message("q=a&pages=0"), "pages is 0; it must be from 1 to 1000");
        let asked = "like=b1&offset=7&ranking=cosine&documents=sum:3&sort=date&collapse=none&facets=true&prune=paper";
        let request = search_request(asked).unwrap();
        assert_eq!(
            (request.like.as_deref(), request.offset, request.prune),
            (Some("b1"), 7, Some(QueryPruning::Tree(PruneRule::Paper)))
        );
        assert_eq!((request.documents, request.facets, request.explain), (Documents::Sum(3), true, false));
        assert!(message("q=a&ranking=best").starts_with("ranking: no ranking is called `best`"));
        assert_eq!(message("q=a&facets=1"), "facets is `1`; it must be `true` or `false`");
        assert_eq!(message("q=a&pages=x"), "pages is `x`; it must be a whole number");
    }

    #[test]
    fn json_asks_for_the_same() {
        let body = br#"{"q": "old mills", "pages": 3, "facets": true, "like": null, "ranking": "bm25"}"#;
        let asked = search_request("q=old+mills&pages=3&facets=true&ranking=bm25").unwrap();
        assert_eq!(search_request_of_json(body).unwrap(), asked);
        let whole = search_request_of_json(br#"{"q": "old mills", "pages": 3.0}"#).unwrap();
        assert_eq!(whole.pages, 3);
        for wrong in [&br#"{"q": 1}"#[..], br#"{"q": "a", "pages": "3"}"#, br#"{"q": "a", "facets": "true"}"#] {
            assert!(search_request_of_json(wrong).is_err(), "{}", String::from_utf8_lossy(wrong));
        }
        for wrong in [&b"[]"[..], b"{\"q\": [1]}", b"{\"limit\": 1}", b"", b"{\"q\": \"a\", \"pages\": 1.5}"] {
            assert!(search_request_of_json(wrong).is_err(), "{}", String::from_utf8_lossy(wrong));
        }
    }

    #[test]
    fn exports_have_more_pages_and_no_cursor() {
        let (format, request) = export_request("q=mill&format=csv&pages=10000").unwrap();
        assert_eq!((format, request.pages), (ExportFormat::Csv, 10_000));
        assert_eq!(export_request_of_json(br#"{"q": "mill"}"#).unwrap().1.pages, EXPORT_PAGES_DEFAULT);
        for wrong in ["q=mill&pages=10001", "q=mill&pages=0", "q=mill&format=pdf", "format=csv", "q=mill&cursor=1"] {
            assert_eq!(export_request(wrong).unwrap_err().code, ErrorCode::BadParameter, "{wrong}");
        }
    }

    #[test]
    fn parameters_are_known_and_given_once() {
        assert!(message("pages=3").starts_with("the parameter `q` is missing"));
        assert!(message("q=a&limit=3").starts_with("there is no parameter `limit`"));
        assert_eq!(message("q=a&q=b"), "the parameter `q` is given twice");
    }

    #[test]
    fn page_ids_have_their_digits() {
        assert!(page_id("0123456789abcdef0123456789abcdef").is_ok());
        for id in ["", "12", "+123456789abcdef0123456789abcdef", "0123456789abcdef0123456789abcdeg"] {
            assert_eq!(page_id(id).unwrap_err().code, ErrorCode::BadPageId, "{id}");
        }
    }
}
