//! What can go wrong, with what to do about it and without anything secret.

use std::error::Error;

use object_store::client::{HttpError, HttpErrorKind};

use crate::bucket::READ_BYTES_MAX;

/// Why an object could not be read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ObjectError {
    /// It is no address.
    #[error("{address} is no address such as s3://bucket/prefix: {reason}")]
    Address {
        /// What was given.
        address: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The variables do not say how to reach the server.
    #[error("cannot reach object storage: {reason}")]
    Settings {
        /// Which, and what to do.
        reason: String,
    },
    /// There are no credentials.
    #[error(
        "there are no credentials for object storage: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_SKIP_SIGNATURE=true where anyone may read"
    )]
    NoCredentials,
    /// The object is not there.
    #[error("{what} is not there")]
    Missing {
        /// Its address.
        what: String,
    },
    /// There is no such bucket.
    #[error("there is no bucket {bucket} at {endpoint}: make it, or check its name, AWS_REGION and AWS_ENDPOINT_URL")]
    NoBucket {
        /// The bucket.
        bucket: String,
        /// The server.
        endpoint: String,
    },
    /// The server does not let these credentials do that.
    #[error(
        "may not {action} {what}: check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and what they are allowed to do there"
    )]
    Denied {
        /// What was tried.
        action: &'static str,
        /// The object's address.
        what: String,
        /// What the server said.
        #[source]
        source: Reason,
    },
    /// Another content is there than at first.
    #[error("{what} is another one than it was before ({expected}); begin anew with what is there now")]
    Changed {
        /// The object's address.
        what: String,
        /// The version that was expected.
        expected: String,
    },
    /// It is larger than what can be taken at once.
    #[error("{what} has {bytes} bytes, more than {READ_BYTES_MAX} at once")]
    TooLarge {
        /// The object's address.
        what: String,
        /// Its size.
        bytes: u64,
    },
    /// Nothing answers at the server's address.
    #[error("cannot {action} {what}: nothing answers at {endpoint}; check AWS_ENDPOINT_URL, or the network")]
    Unreachable {
        /// What was tried.
        action: &'static str,
        /// The object's address.
        what: String,
        /// The server.
        endpoint: String,
        /// What the system said.
        #[source]
        source: Reason,
    },
    /// Anything else, after it was tried several times where that may help.
    #[error("cannot {action} {what}")]
    Failed {
        /// What was tried.
        action: &'static str,
        /// The object's address.
        what: String,
        /// What the server or the system said.
        #[source]
        source: Reason,
    },
    /// A file of this machine cannot be read.
    #[error("cannot read {}", path.display())]
    File {
        /// The file.
        path: std::path::PathBuf,
        /// Cause.
        #[source]
        source: std::io::Error,
    },
    /// No thread for requests.
    #[error("cannot wait for object storage: {reason}")]
    Runtime {
        /// What the system said.
        reason: String,
    },
}

/// What a server or the system said: a code and a message, and nothing of what was sent.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Reason(pub String);

impl ObjectError {
    /// The error with all its causes.
    pub fn in_full(&self) -> String {
        let first: &dyn Error = self;
        let told: Vec<String> =
            std::iter::successors(Some(first), |error| (*error).source()).map(ToString::to_string).collect();
        told.join(": ")
    }

    /// A stable name of the kind of error.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Address { .. } => "object_address",
            Self::Settings { .. } | Self::NoCredentials => "object_settings",
            Self::Missing { .. } => "object_missing",
            Self::NoBucket { .. } => "object_no_bucket",
            Self::Denied { .. } => "object_denied",
            Self::Changed { .. } => "object_changed",
            Self::TooLarge { .. } => "object_too_large",
            Self::Unreachable { .. } => "object_unreachable",
            Self::Failed { .. } | Self::Runtime { .. } => "object_failed",
            Self::File { .. } => "io",
        }
    }
}

impl From<ObjectError> for std::io::Error {
    fn from(error: ObjectError) -> Self {
        let kind = match &error {
            ObjectError::Missing { .. } => std::io::ErrorKind::NotFound,
            ObjectError::Denied { .. } | ObjectError::NoCredentials => std::io::ErrorKind::PermissionDenied,
            _ => std::io::ErrorKind::Other,
        };
        Self::new(kind, error)
    }
}

/// Tells errors of the client for requests to one bucket.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Teller<'a> {
    pub(crate) action: &'static str,
    pub(crate) what: &'a str,
    pub(crate) bucket: &'a str,
    pub(crate) endpoint: &'a str,
}

impl Teller<'_> {
    pub(crate) fn tell(self, error: &object_store::Error) -> ObjectError {
        use object_store::Error as Client;
        let (action, what) = (self.action, self.what.to_owned());
        let said = Said::of(error);
        let source = said.reason();
        match (error, said.code.as_deref()) {
            (_, Some("NoSuchBucket")) => {
                ObjectError::NoBucket { bucket: self.bucket.to_owned(), endpoint: self.endpoint.to_owned() }
            }
            _ if said.is_about_credentials => ObjectError::NoCredentials,
            (Client::NotFound { .. }, _) => ObjectError::Missing { what },
            (Client::PermissionDenied { .. } | Client::Unauthenticated { .. }, _) => {
                ObjectError::Denied { action, what, source }
            }
            _ if said.is_connection => {
                ObjectError::Unreachable { action, what, endpoint: self.endpoint.to_owned(), source }
            }
            _ => ObjectError::Failed { action, what, source },
        }
    }
}

/// What can be told of an error of the client.
struct Said {
    code: Option<String>,
    message: Option<String>,
    status: Option<String>,
    innermost: String,
    is_connection: bool,
    is_about_credentials: bool,
}

impl Said {
    fn of(error: &object_store::Error) -> Self {
        let text = error.to_string();
        let first: &(dyn Error + 'static) = error;
        let chain: Vec<_> = std::iter::successors(Some(first), |error| (*error).source()).collect();
        let kind = chain.iter().find_map(|error| error.downcast_ref::<HttpError>()).map(HttpError::kind);
        Self {
            code: element(&text, "Code"),
            message: element(&text, "Message"),
            status: text.split("status code: ").nth(1).and_then(|rest| rest.split(':').next()).map(str::to_owned),
            innermost: if kind.is_some() {
                chain.last().map(ToString::to_string).unwrap_or_default()
            } else {
                String::new()
            },
            is_connection: matches!(kind, Some(HttpErrorKind::Connect)),
            // Where Amazon's machines tell their own.
            is_about_credentials: text.contains("169.254.169.254") || text.contains("/latest/api/token"),
        }
    }

    fn reason(&self) -> Reason {
        let said = [self.code.as_ref(), self.message.as_ref()];
        let said: Vec<&str> = said.into_iter().flatten().map(String::as_str).collect();
        let status = self.status.as_deref().map(|status| format!("the server answered {}", status.trim()));
        Reason(match (said.is_empty(), status) {
            (false, _) => said.join(": "),
            (true, Some(status)) => status,
            (true, None) if !self.innermost.is_empty() => self.innermost.clone(),
            (true, None) => "the server's answer is not one of S3".to_owned(),
        })
    }
}

/// The text of the first element of that name; of some hundred characters at most, and of one line.
fn element(text: &str, name: &str) -> Option<String> {
    let (_, rest) = text.split_once(&format!("<{name}>"))?;
    let (content, _) = rest.split_once(&format!("</{name}>"))?;
    Some(content.chars().filter(|c| !c.is_control()).take(300).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(body: &str) -> ObjectError {
        let error = object_store::Error::Generic { store: "S3", source: body.to_owned().into() };
        Teller { action: "write", what: "s3://b/a", bucket: "b", endpoint: "https://e.org" }.tell(&error)
    }

    #[test]
    fn a_servers_answer_is_told_by_code_and_message_alone() {
        let body = "Server returned non-2xx status code: 403 Forbidden: <Error><Code>InvalidToken</Code>\
                    <Message>The token is malformed</Message><Token-0>hidden</Token-0></Error>";
        let error = told(body);
        let text = format!("{error}: {}", error.source().unwrap());
        assert_eq!(text, "cannot write s3://b/a: InvalidToken: The token is malformed");
        assert!(matches!(told("<Code>NoSuchBucket</Code>"), ObjectError::NoBucket { .. }));
        let text = told("status code: 503 Service Unavailable: <html>").source().unwrap().to_string();
        assert_eq!(text, "the server answered 503 Service Unavailable");
    }
}
