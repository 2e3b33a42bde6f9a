//! Files behind `http(s)://` URLs.

use std::sync::OnceLock;
use std::thread::sleep;
use std::time::Duration;

use futures_util::StreamExt;
use reqwest::header::{
    ACCEPT_ENCODING, CONTENT_RANGE, ETAG, HeaderMap, HeaderName, IF_MATCH, LAST_MODIFIED, RANGE, RETRY_AFTER,
};
use reqwest::redirect::Policy;
use reqwest::{Client, Response, StatusCode, Url};

use crate::address::without_secrets;
use crate::bucket::{CONNECT_DURATION_MAX, PAUSE_MAX, RETRIES_MAX, SILENCE_MAX, USER_AGENT};
use crate::error::Reason;
use crate::reader::{Answer, Ranged, pause};
use crate::runtime::wait;
use crate::{Expected, ObjectError, ObjectReader};

/// Redirections that are followed.
const REDIRECTIONS_MAX: usize = 5;

/// The client that follows redirections, and the one that does not.
static CLIENTS: [OnceLock<Result<Client, String>>; 2] = [OnceLock::new(), OnceLock::new()];

/// A file behind a URL.
#[derive(Debug, Clone)]
pub struct WebFile {
    url: Url,
    follows: bool,
}

/// What a try gives: an answer, an error, or what may pass and the pause that the server asks for.
enum Tried {
    Answer(Answer),
    Passing(ObjectError, Option<Duration>),
}

impl WebFile {
    /// A file by its URL; nothing is sent.
    ///
    /// # Errors
    ///
    /// [`ObjectError::Address`].
    pub fn new(url: &str) -> Result<Self, ObjectError> {
        let parsed = Url::parse(url).ok().filter(|url| ["http", "https"].contains(&url.scheme()) && url.has_host());
        let reason = "it is no URL of the web, either".to_owned();
        parsed
            .map(|url| Self { url, follows: true })
            .ok_or_else(|| ObjectError::Address { address: without_secrets(url), reason })
    }

    /// The same, where a redirection is an error: of a URL that others chose.
    #[must_use]
    pub fn without_redirections(self) -> Self {
        Self { follows: false, ..self }
    }

    /// Its bytes as a stream from `start` on, which is checked to be of the version that is `expected`, if any is.
    ///
    /// # Errors
    ///
    /// [`ObjectError`]; what goes wrong later is an error of reading.
    pub fn stream(&self, start: u64, expected: Option<&str>) -> Result<ObjectReader, ObjectError> {
        ObjectReader::open(self.clone(), start, expected)
    }

    fn try_once(&self, start: u64, expected: &Expected) -> Result<Tried, ObjectError> {
        let mut request = client(self.follows)?.get(self.url.clone()).header(ACCEPT_ENCODING, "identity");
        if start > 0 {
            request = request.header(RANGE, format!("bytes={start}-"));
        }
        // A time of change is compared by who reads.
        if let Some(tag) = expected.condition().filter(|version| version.starts_with('"')) {
            request = request.header(IF_MATCH, tag);
        }
        match wait(async { request.send().await })? {
            Ok(response) => self.answer(response, start, expected),
            Err(error) => Ok(Tried::Passing(self.unreachable(error), None)),
        }
    }

    fn answer(&self, response: Response, start: u64, expected: &Expected) -> Result<Tried, ObjectError> {
        let (action, what, status) = ("read", self.address(), response.status());
        let source = Reason(format!("the server answered {status}"));
        let after = response.headers().get(RETRY_AFTER).and_then(|seconds| seconds.to_str().ok()?.parse().ok());
        match status {
            StatusCode::OK if start == 0 => {}
            StatusCode::PARTIAL_CONTENT if start > 0 => {}
            StatusCode::OK => {
                let source = Reason("the server gives no ranges; fetch the whole file, and use a path".to_owned());
                return Err(ObjectError::Failed { action, what, source });
            }
            StatusCode::NOT_FOUND | StatusCode::GONE => return Err(ObjectError::Missing { what }),
            StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => {
                return Err(ObjectError::Denied { action, what, source });
            }
            // Nothing is behind a place that was within the file.
            StatusCode::PRECONDITION_FAILED | StatusCode::RANGE_NOT_SATISFIABLE => {
                let expected = expected.version.clone().unwrap_or_default();
                return Err(ObjectError::Changed { what, expected });
            }
            StatusCode::TOO_MANY_REQUESTS | StatusCode::REQUEST_TIMEOUT => {
                return Ok(Tried::Passing(
                    ObjectError::Failed { action, what, source },
                    after.map(Duration::from_secs),
                ));
            }
            _ if status.is_server_error() => {
                return Ok(Tried::Passing(
                    ObjectError::Failed { action, what, source },
                    after.map(Duration::from_secs),
                ));
            }
            _ => return Err(ObjectError::Failed { action, what, source }),
        }
        let Some(found) = found(&response, start) else {
            let source = Reason("the server's answer is not for the range that was asked for".to_owned());
            return Err(ObjectError::Failed { action, what, source });
        };
        let chunks = response.bytes_stream().map(|chunk| chunk.map_err(|error| reason(&error.without_url()))).boxed();
        Ok(Tried::Answer(Answer { found, chunks }))
    }

    fn unreachable(&self, error: reqwest::Error) -> ObjectError {
        let (action, what, is_connection) = ("read", self.address(), error.is_connect());
        let source = reason(&error.without_url());
        if is_connection {
            let endpoint = self.url.host_str().unwrap_or_default().to_owned();
            ObjectError::Unreachable { action, what, endpoint, source }
        } else {
            ObjectError::Failed { action, what, source }
        }
    }
}

impl Ranged for WebFile {
    fn ask(&self, start: u64, expected: &Expected) -> Result<Answer, ObjectError> {
        let mut tries = 0;
        loop {
            match self.try_once(start, expected)? {
                Tried::Answer(answer) => return Ok(answer),
                Tried::Passing(error, _) if tries == RETRIES_MAX => return Err(error),
                Tried::Passing(_, after) => {
                    tries += 1;
                    sleep(after.unwrap_or_default().min(PAUSE_MAX).max(pause(tries)));
                }
            }
        }
    }

    fn address(&self) -> String {
        without_secrets(self.url.as_str())
    }
}

/// What an answer tells of the file; `None` where it is for another range.
fn found(response: &Response, start: u64) -> Option<Expected> {
    let headers = response.headers();
    let version = text(headers, ETAG).or_else(|| text(headers, LAST_MODIFIED)).map(str::to_owned);
    if start == 0 {
        return Some(Expected { version, bytes: response.content_length() });
    }
    let range = text(headers, CONTENT_RANGE)?.trim().strip_prefix("bytes ")?;
    let (bytes, whole) = range.split_once('/')?;
    let (first, _) = bytes.split_once('-')?;
    (first.parse() == Ok(start)).then(|| Expected { version, bytes: whole.parse().ok() })
}

fn text(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    headers.get(name)?.to_str().ok()
}

/// The innermost cause, which says most.
fn reason(error: &reqwest::Error) -> Reason {
    let error: &dyn std::error::Error = error;
    let last = std::iter::successors(Some(error), |error| (*error).source()).last();
    Reason(last.map(ToString::to_string).unwrap_or_default())
}

fn client(follows: bool) -> Result<&'static Client, ObjectError> {
    let made = CLIENTS[usize::from(!follows)].get_or_init(|| {
        let policy = Policy::custom(move |attempt| {
            let is_safer = attempt.previous().last().is_none_or(|from| from.scheme() == "https");
            if !follows {
                attempt.stop()
            } else if attempt.previous().len() > REDIRECTIONS_MAX {
                attempt.error("too many redirections")
            } else if is_safer && attempt.url().scheme() != "https" {
                attempt.error("a redirection to a URL that is not encrypted")
            } else {
                attempt.follow()
            }
        });
        let builder = Client::builder().user_agent(USER_AGENT).connect_timeout(CONNECT_DURATION_MAX);
        let builder = builder.read_timeout(SILENCE_MAX).redirect(policy).http1_only();
        let made = wait(async { builder.build() }).map_err(|error| error.to_string())?;
        made.map_err(|error| reason(&error).0)
    });
    made.as_ref().map_err(|reason| ObjectError::Settings { reason: reason.clone() })
}
