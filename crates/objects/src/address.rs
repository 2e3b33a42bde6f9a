//! Addresses of buckets and files.

use std::fmt;

use url::Url;

use crate::ObjectError;

/// How addresses of object storage begin.
const SCHEME: &str = "s3://";

/// Whether `text` is an address of object storage.
pub fn is_s3(text: &str) -> bool {
    text.starts_with(SCHEME)
}

/// Whether `text` is a URL of the web.
pub fn is_web(text: &str) -> bool {
    text.starts_with("https://") || text.starts_with("http://")
}

/// A URL without what a signed one has in its query, and without name and password: to be shown, and to name what is there.
///
/// ```
/// use lopper_objects::without_secrets;
///
/// assert_eq!(without_secrets("https://e.org/a?v=2&X-Amz-Signature=abc"), "https://e.org/a?v=2");
/// assert_eq!(without_secrets("https://ann:pw@e.org/a"), "https://e.org/a");
/// ```
pub fn without_secrets(text: &str) -> String {
    let Ok(mut url) = Url::parse(text) else { return text.to_owned() };
    if !is_web(text) {
        return text.to_owned();
    }
    // Only a URL that cannot have them refuses that.
    let _ = url.set_username("");
    let _ = url.set_password(None);
    let kept: Vec<(String, String)> = url.query_pairs().into_owned().filter(|(name, _)| !is_signature(name)).collect();
    if url.query_pairs().count() > kept.len() {
        url.set_query(None);
        if !kept.is_empty() {
            url.query_pairs_mut().extend_pairs(kept);
        }
    }
    url.into()
}

/// Of the signed URLs of S3, of CloudFront and of Google's and Azure's storage.
fn is_signature(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let prefixes = ["x-amz-", "x-goog-"];
    let names = ["signature", "sig", "expires", "key-pair-id", "policy", "awsaccesskeyid", "googleaccessid", "token"];
    prefixes.iter().any(|prefix| name.starts_with(prefix)) || names.contains(&name.as_str())
}

/// A bucket, and what the names of objects in it begin with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BucketAddress {
    /// The bucket.
    pub bucket: String,
    /// What comes before each name, without `/` at its ends; empty for the whole bucket.
    pub prefix: String,
}

impl BucketAddress {
    /// Reads `s3://bucket/prefix`.
    ///
    /// ```
    /// use lopper_objects::BucketAddress;
    ///
    /// let address = BucketAddress::parse("s3://crawls/2026/parts/").unwrap();
    /// assert_eq!((address.bucket.as_str(), address.prefix.as_str()), ("crawls", "2026/parts"));
    /// assert_eq!(address.key("one"), "2026/parts/one");
    /// ```
    ///
    /// # Errors
    ///
    /// [`ObjectError::Address`].
    pub fn parse(text: &str) -> Result<Self, ObjectError> {
        let refused = |reason: &str| ObjectError::Address { address: text.to_owned(), reason: reason.to_owned() };
        let place = text.strip_prefix(SCHEME).ok_or_else(|| refused("it does not begin with s3://"))?;
        let (bucket, prefix) = place.split_once('/').unwrap_or((place, ""));
        let is_name = |c: char| c.is_ascii_alphanumeric() || "-._".contains(c);
        if bucket.is_empty() || !bucket.chars().all(is_name) {
            return Err(refused("it has no name of a bucket behind s3://"));
        }
        let prefix = prefix.trim_end_matches('/');
        let is_part = |part: &str| !part.is_empty() && part != "." && part != "..";
        if !prefix.is_empty() && !prefix.split('/').all(is_part) {
            return Err(refused("its parts may not be empty, . or .."));
        }
        Ok(Self { bucket: bucket.to_owned(), prefix: prefix.to_owned() })
    }

    /// Reads the address of one object: the bucket with what leads to it, and its name.
    ///
    /// # Errors
    ///
    /// [`ObjectError::Address`].
    pub fn parse_object(text: &str) -> Result<(Self, String), ObjectError> {
        let Self { bucket, prefix } = Self::parse(text)?;
        if prefix.is_empty() || text.ends_with('/') {
            let reason = "it has no name of an object behind the bucket's".to_owned();
            return Err(ObjectError::Address { address: text.to_owned(), reason });
        }
        let (folder, name) = prefix.rsplit_once('/').unwrap_or(("", &prefix));
        Ok((Self { bucket, prefix: folder.to_owned() }, name.to_owned()))
    }

    /// The key of the object `name`.
    pub fn key(&self, name: &str) -> String {
        if self.prefix.is_empty() { name.to_owned() } else { format!("{}/{name}", self.prefix) }
    }

    /// The address of the object `name`.
    pub fn of(&self, name: &str) -> String {
        format!("{SCHEME}{}/{}", self.bucket, self.key(name))
    }
}

impl fmt::Display for BucketAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{SCHEME}{}", self.bucket)?;
        if self.prefix.is_empty() { Ok(()) } else { write!(f, "/{}", self.prefix) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read_or_refused() {
        for text in ["s3://b", "s3://b/", "s3://my-bucket.1/a/b"] {
            let address = BucketAddress::parse(text).unwrap();
            assert_eq!(address.to_string(), text.trim_end_matches('/'));
        }
        for text in ["s3://", "s3:///a", "b/a", "s3://b//a", "s3://b/../a", "s3://b d/a", "https://b/a"] {
            let refused = BucketAddress::parse(text).unwrap_err().to_string();
            assert!(refused.contains("s3://bucket/prefix") && refused.contains(text), "{refused}");
        }
        let (address, name) = BucketAddress::parse_object("s3://b/a/c.warc.gz").unwrap();
        assert_eq!((address.to_string().as_str(), name.as_str()), ("s3://b/a", "c.warc.gz"));
        assert_eq!(address.of(&name), "s3://b/a/c.warc.gz");
        assert!(BucketAddress::parse_object("s3://b").is_err() && BucketAddress::parse_object("s3://b/a/").is_err());
    }

    #[test]
    fn signatures_are_not_shown() {
        let signed = "https://b.s3.amazonaws.com/a?X-Amz-Credential=AKIA&X-Amz-Security-Token=t&X-Amz-Signature=f";
        assert_eq!(without_secrets(signed), "https://b.s3.amazonaws.com/a");
        assert_eq!(without_secrets("https://e.org/a?page=2&q=%C3%A4"), "https://e.org/a?page=2&q=%C3%A4");
        assert_eq!(without_secrets("s3://b/a"), "s3://b/a");
    }
}
