//! How a bucket is reached: the environment variables that programs for S3 share.

use std::collections::BTreeMap;
use std::fmt;
use std::net::IpAddr;

use object_store::aws::{AmazonS3Builder, AmazonS3ConfigKey};
use object_store::{ClientConfigKey, ClientOptions};
use url::{Host, Url};

use crate::ObjectError;

/// Variables called `AWS_…`, by their names. Their values are not shown.
#[derive(Clone, Default)]
pub struct Settings {
    variables: BTreeMap<String, String>,
}

impl Settings {
    /// Those of this process: `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`, `AWS_SESSION_TOKEN`, `AWS_REGION`, `AWS_ENDPOINT_URL` and
    /// further ones.
    pub fn from_env() -> Self {
        Self::of(
            std::env::vars_os().filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?))),
        )
    }

    /// The given ones; what is not called `AWS_…`, or is empty, is left out.
    pub fn of(variables: impl IntoIterator<Item = (impl Into<String>, impl Into<String>)>) -> Self {
        let variables = variables.into_iter().map(|(name, value)| (name.into(), value.into()));
        Self { variables: variables.filter(|(name, value)| name.starts_with("AWS_") && !value.is_empty()).collect() }
    }

    fn get(&self, name: &str) -> Option<&str> {
        self.variables.get(name).map(String::as_str)
    }

    fn is_true(&self, name: &str) -> bool {
        self.get(name).is_some_and(|value| ["1", "true", "yes", "on"].contains(&value.to_ascii_lowercase().as_str()))
    }

    /// Where the server is, if it is not the one of Amazon.
    pub(crate) fn endpoint(&self) -> Option<&str> {
        ["AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL", "AWS_ENDPOINT"].iter().find_map(|name| self.get(name))
    }

    /// Whether the endpoint speaks HTTP without TLS.
    pub(crate) fn is_plain(&self) -> bool {
        self.endpoint().is_some_and(|endpoint| endpoint.starts_with("http://"))
    }

    /// A builder that has taken all of them.
    pub(crate) fn builder(&self, options: ClientOptions) -> Result<AmazonS3Builder, ObjectError> {
        self.check_endpoint()?;
        self.check_credentials()?;
        let mut builder = AmazonS3Builder::new().with_client_options(options);
        for (name, value) in &self.variables {
            // Others are of other programs.
            if let Ok(key) = name.to_ascii_lowercase().parse::<AmazonS3ConfigKey>() {
                builder = builder.with_config(key, value);
            }
        }
        // Checked above, whatever the variable says.
        Ok(builder.with_config(AmazonS3ConfigKey::Client(ClientConfigKey::AllowHttp), self.is_plain().to_string()))
    }

    fn check_endpoint(&self) -> Result<(), ObjectError> {
        let Some(endpoint) = self.endpoint() else { return Ok(()) };
        let refused = |why: &str| Err(ObjectError::Settings { reason: format!("AWS_ENDPOINT_URL {why}") });
        let Some(url) = Url::parse(endpoint).ok().filter(Url::has_host) else {
            return refused("is no URL such as https://s3.example.org");
        };
        if !url.username().is_empty() || url.password().is_some() {
            return refused("has a name or password; they belong into AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY");
        }
        match url.scheme() {
            "https" => Ok(()),
            "http" if is_loopback(&url) || self.is_true("AWS_ALLOW_HTTP") => Ok(()),
            "http" => {
                refused("is not encrypted; use https, or set AWS_ALLOW_HTTP=true for a network that is yours alone")
            }
            _ => refused("does not begin with https://"),
        }
    }

    /// Elsewhere than at Amazon no machine has credentials of itself.
    fn check_credentials(&self) -> Result<(), ObjectError> {
        let has = |name| self.get(name).is_some();
        match (has("AWS_ACCESS_KEY_ID"), has("AWS_SECRET_ACCESS_KEY")) {
            (true, false) => Err(ObjectError::Settings { reason: "AWS_SECRET_ACCESS_KEY is not set".to_owned() }),
            (false, true) => Err(ObjectError::Settings { reason: "AWS_ACCESS_KEY_ID is not set".to_owned() }),
            (false, false) if self.endpoint().is_some() && !self.is_true("AWS_SKIP_SIGNATURE") => {
                Err(ObjectError::NoCredentials)
            }
            _ => Ok(()),
        }
    }
}

impl fmt::Debug for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.variables.keys()).finish()
    }
}

fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        Some(Host::Ipv4(address)) => IpAddr::from(address).is_loopback(),
        Some(Host::Ipv6(address)) => IpAddr::from(address).is_loopback(),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(variables: &[(&str, &str)]) -> Option<String> {
        Settings::of(variables.iter().copied()).builder(ClientOptions::new()).err().map(|error| error.to_string())
    }

    #[test]
    fn what_is_wrong_is_said_without_the_secret() {
        let keys = [("AWS_ACCESS_KEY_ID", "ann"), ("AWS_SECRET_ACCESS_KEY", "hidden")];
        let with = |more: &[(&'static str, &'static str)]| [&keys[..], more].concat();
        assert_eq!(refused(&with(&[("AWS_ENDPOINT_URL", "https://s3.example.org")])), None);
        assert_eq!(refused(&with(&[("AWS_ENDPOINT_URL", "http://127.0.0.1:9000")])), None);
        assert_eq!(refused(&with(&[("AWS_ENDPOINT_URL", "http://10.0.0.1:1"), ("AWS_ALLOW_HTTP", "true")])), None);
        let told = refused(&with(&[("AWS_ENDPOINT_URL", "http://10.0.0.1:9000")])).unwrap();
        assert!(told.contains("not encrypted") && told.contains("AWS_ALLOW_HTTP"), "{told}");
        let told = refused(&with(&[("AWS_ENDPOINT_URL", "https://ann:hidden@e.org")])).unwrap();
        assert!(told.contains("name or password") && !told.contains("hidden"), "{told}");
        assert!(refused(&with(&[("AWS_ENDPOINT_URL", "e.org")])).is_some());
        assert!(refused(&keys[..1]).unwrap().contains("AWS_SECRET_ACCESS_KEY is not set"));
        assert!(refused(&[("AWS_ENDPOINT_URL", "https://e.org")]).unwrap().contains("no credentials"));
        assert_eq!(refused(&[("AWS_ENDPOINT_URL", "https://e.org"), ("AWS_SKIP_SIGNATURE", "true")]), None);
        assert!(!format!("{:?}", Settings::of(keys)).contains("hidden"));
    }
}
