//! Requests and answers.

use std::sync::Arc;
use std::time::{Duration, Instant};

use lopper_index::Budget;
use serde_json::Value;
use ureq::Agent;
use ureq::http::Request;
use ureq::tls::{RootCerts, TlsConfig};

use crate::error::RemoteError;
use crate::settings::RemoteSettings;

/// Times that a request is repeated after which it has failed.
const TRIES_MAX: u32 = 8;

/// The first wait before a request is repeated; each further one is twice as long at most.
const FIRST_WAIT: Duration = Duration::from_millis(50);

/// The longest wait.
const WAIT_MAX: Duration = Duration::from_secs(10);

/// Bytes of an answer that are read.
const ANSWER_BYTES_MAX: u64 = 512 << 20;

/// Characters of an engine's message that are told on.
const MESSAGE_CHARS_MAX: usize = 300;

/// Speaks to one engine. Clones share its connections.
#[derive(Debug, Clone)]
pub(crate) struct Client {
    agent: Agent,
    pub(crate) settings: RemoteSettings,
    /// Of the query that asks.
    budget: Budget,
}

/// An answer of any status.
#[derive(Debug, Clone)]
pub(crate) struct Answer {
    pub(crate) url: String,
    pub(crate) status: u16,
    pub(crate) body: Value,
}

impl Client {
    pub(crate) fn new(settings: RemoteSettings) -> Self {
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .user_agent(concat!("lopper/", env!("CARGO_PKG_VERSION")))
            .tls_config(tls())
            .build();
        Self { agent: config.into(), settings, budget: Budget::unlimited() }
    }

    /// The same, which waits no longer than a query may take.
    pub(crate) fn within(&self, budget: &Budget) -> Self {
        Self { budget: budget.clone(), ..self.clone() }
    }

    /// How long an answer is waited for from now on.
    fn wait_max(&self) -> Duration {
        self.budget.time_left().map_or(self.settings.wait_max, |left| left.min(self.settings.wait_max))
    }

    /// Asks until somebody answers: busy and unreachable engines are asked again, with growing waits.
    pub(crate) fn ask(&self, method: &str, path: &str, body: &Asked) -> Result<Answer, RemoteError> {
        let (mut tries, begun) = (0, Instant::now());
        loop {
            tries += 1;
            if !self.budget.has_time() {
                return Err(RemoteError::OutOfTime { url: self.settings.url.clone() });
            }
            let answer = self.ask_once(method, path, body);
            if answer.is_err() && !self.budget.has_time() {
                continue;
            }
            let is_over = tries >= TRIES_MAX || begun.elapsed() > self.settings.wait_max;
            match &answer {
                Ok(answer) if is_busy(answer.status) && !is_over => {}
                Err(_) if !is_over => {}
                _ => return answer,
            }
            let told = answer.as_ref().map_or(0, |answer| answer.status);
            tracing::debug!(path, status = told, tries, "the engine is asked again");
            std::thread::sleep(wait_before(tries).min(self.wait_max()));
        }
    }

    /// Asks for what must be there: a status of failure is an error.
    pub(crate) fn get(&self, method: &str, path: &str, body: &Asked) -> Result<Value, RemoteError> {
        let Answer { url, status, body } = self.ask(method, path, body)?;
        if (200..300).contains(&status) { Ok(body) } else { Err(refused(url, status, &body)) }
    }

    fn ask_once(&self, method: &str, path: &str, body: &Asked) -> Result<Answer, RemoteError> {
        let url = format!("{}{path}", self.settings.url);
        let (kind, bytes): (_, &[u8]) = match body {
            Asked::Nothing => ("application/json", &[]),
            Asked::Json(bytes) => ("application/json", bytes),
            Asked::Lines(bytes) => ("application/x-ndjson", bytes),
        };
        let unreachable = |error: ureq::Error| RemoteError::Unreachable { url: url.clone(), source: Box::new(error) };
        let mut request = Request::builder().method(method).uri(&url).header("content-type", kind);
        if let Some(authorization) = &self.settings.authorization {
            request = request.header("authorization", authorization);
        }
        let request = request.body(bytes).map_err(|error| unreachable(error.into()))?;
        let request = self.agent.configure_request(request).timeout_global(Some(self.wait_max())).build();
        let mut response = self.agent.run(request).map_err(unreachable)?;
        let status = response.status().as_u16();
        let read = response.body_mut().with_config().limit(ANSWER_BYTES_MAX).read_to_vec().map_err(unreachable)?;
        let text = || Value::String(String::from_utf8_lossy(&read).into_owned());
        let body = serde_json::from_slice(&read).unwrap_or_else(|_| text());
        Ok(Answer { url, status, body })
    }
}

/// TLS with those whom the system trusts.
fn tls() -> TlsConfig {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = TlsConfig::builder().root_certs(RootCerts::PlatformVerifier);
    builder.unversioned_rustls_crypto_provider(provider).build()
}

/// What is sent.
#[derive(Debug, Clone)]
pub(crate) enum Asked {
    Nothing,
    Json(Vec<u8>),
    /// A JSON object a line.
    Lines(Vec<u8>),
}

impl Asked {
    pub(crate) fn json(value: &Value) -> Self {
        Self::Json(value.to_string().into_bytes())
    }
}

/// Whether the same request may do in a while.
pub(crate) fn is_busy(status: u16) -> bool {
    matches!(status, 408 | 429 | 502 | 503 | 504)
}

/// Between nothing and twice the wait before, by chance, so that many who wait do not come back together.
pub(crate) fn wait_before(tries: u32) -> Duration {
    let most = FIRST_WAIT.saturating_mul(1 << tries.min(16)).min(WAIT_MAX);
    most.mul_f64(f64::from(random() as u32) / f64::from(u32::MAX))
}

/// A number that nobody knows before.
pub(crate) fn random() -> u64 {
    getrandom::u64().unwrap_or_else(|_| u64::from(std::process::id()))
}

pub(crate) fn refused(url: String, status: u16, body: &Value) -> RemoteError {
    RemoteError::Refused { url, status, message: message(body) }
}

/// What an engine says of an error, of which there are two forms.
pub(crate) fn message(body: &Value) -> String {
    let told = [&body["message"], &body["error"]["reason"], &body["error"]];
    let text = told.into_iter().find_map(Value::as_str).map_or_else(|| body.to_string(), str::to_owned);
    text.chars().take(MESSAGE_CHARS_MAX).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn errors_have_two_forms() {
        assert_eq!(message(&json!({"message": "Route not found"})), "Route not found");
        assert_eq!(message(&json!({"status": 404, "error": {"reason": "no such index"}})), "no such index");
        assert_eq!(message(&json!("Bad Gateway")), "\"Bad Gateway\"");
    }

    #[test]
    fn waits_grow_and_are_bounded() {
        for tries in 1..100 {
            let most = Duration::from_millis(50 << tries.min(8));
            assert!(wait_before(tries) <= most.min(WAIT_MAX), "{tries}");
        }
    }
}
