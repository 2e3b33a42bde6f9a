//! Keys of the HTTP service: who may read, take in, delete.
//!
//! A key is shown once, when it is made. The data folder keeps a salted hash of it in `keys.json`, which only its owner may read. Keys are
//! long and random, so a fast hash suffices: there is nothing to guess.

use std::fmt::{self, Write as _};
use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use lopper_faults::disk::put_in_place;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::allowance::Allowance;

/// The file in the data folder.
pub(crate) const FILE_NAME: &str = "keys.json";

/// What every key begins with, so that one that got lost is known as such.
const PREFIX: &str = "lopper";

const ID_BYTES: usize = 4;
const SECRET_BYTES: usize = 32;
const SALT_BYTES: usize = 16;

/// What a key allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// Searching, pages, extraction, state.
    Read,
    /// Taking pages and archives in.
    Ingest,
    /// All of it, and deleting.
    Admin,
}

impl Scope {
    /// The name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Ingest => "ingest",
            Self::Admin => "admin",
        }
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Scope {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let all = [Self::Read, Self::Ingest, Self::Admin];
        let known = all.into_iter().find(|scope| scope.name() == name);
        known.ok_or_else(|| format!("no scope is called `{name}`: use `read`, `ingest` or `admin`"))
    }
}

/// A key as it is kept.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Key {
    /// Part of the key itself, by which it is found.
    pub id: String,
    /// Whose it is, or what for.
    pub name: String,
    /// What it allows.
    pub scopes: Vec<Scope>,
    /// The collections that it is for; all where there is no list.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub collections: Option<Vec<String>>,
    /// What it may ask for; the rest is as the settings say.
    #[serde(default, skip_serializing_if = "is_default")]
    pub allowance: Allowance,
    /// When it was made, seconds since 1970.
    pub made_at: i64,
    /// When it ends, seconds since 1970; never without.
    pub expires_at: Option<i64>,
    salt: String,
    hash: String,
}

impl Key {
    /// Whether it is good for `scope`.
    pub fn allows(&self, scope: Scope) -> bool {
        self.scopes.iter().any(|own| *own == scope || *own == Scope::Admin)
    }

    /// Whether it is for a collection.
    pub(crate) fn is_for(&self, collection: &str) -> bool {
        self.collections.as_ref().is_none_or(|own| own.iter().any(|own| own == collection))
    }
}

/// Why keys cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum KeysError {
    /// The file cannot be read or written.
    #[error("cannot {what} {}", path.display())]
    Io {
        /// What was tried.
        what: &'static str,
        /// The file.
        path: PathBuf,
        /// Cause.
        #[source]
        source: io::Error,
    },
    /// The file is not what was written.
    #[error("{} is damaged; delete it and make the keys anew with `lopper keys add`", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Cause.
        #[source]
        source: serde_json::Error,
    },
    /// The system gives no random bytes.
    #[error("the system gives no random bytes: {0}")]
    Random(getrandom::Error),
}

/// The keys of a data folder.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Keys {
    /// In the order in which they were made.
    pub keys: Vec<Key>,
}

impl Keys {
    /// Reads the keys of the folder; none where there is no file.
    ///
    /// # Errors
    ///
    /// [`KeysError::Io`], [`KeysError::Damaged`].
    pub fn read(data: &Path) -> Result<Self, KeysError> {
        let path = data.join(FILE_NAME);
        match fs::read(&path) {
            Ok(bytes) => serde_json::from_slice(&bytes).map_err(|source| KeysError::Damaged { path, source }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Self::default()),
            Err(source) => Err(KeysError::Io { what: "read", path, source }),
        }
    }

    /// Writes them, so that a crash leaves these or the former ones.
    ///
    /// # Errors
    ///
    /// [`KeysError::Io`].
    pub fn write(&self, data: &Path) -> Result<(), KeysError> {
        let path = data.join(FILE_NAME);
        let part = data.join(format!("{FILE_NAME}.part"));
        let failed = |source| KeysError::Io { what: "write", path: path.clone(), source };
        let bytes = serde_json::to_vec_pretty(self).map_err(|error| failed(error.into()))?;
        let _ = fs::remove_file(&part);
        let mut file = own_file(&part).map_err(failed)?;
        file.write_all(&bytes).and_then(|()| put_in_place(&part, &path)).map_err(failed)
    }

    /// Adds a key and gives it: this is the only time that it is seen.
    ///
    /// # Errors
    ///
    /// [`KeysError::Random`].
    pub fn add(
        &mut self,
        name: &str,
        scopes: &[Scope],
        made_at: i64,
        expires_at: Option<i64>,
    ) -> Result<String, KeysError> {
        let (id, secret, salt) = (random(ID_BYTES)?, random(SECRET_BYTES)?, random(SALT_BYTES)?);
        let key = format!("{PREFIX}_{id}_{secret}");
        let hash = hash(&salt, &key);
        let (name, scopes) = (name.to_owned(), scopes.to_vec());
        let allowance = Allowance::default();
        self.keys.push(Key { id, name, scopes, collections: None, allowance, made_at, expires_at, salt, hash });
        Ok(key)
    }

    /// Leaves the key that was added last to these collections.
    pub fn bind_last(&mut self, collections: Vec<String>) {
        if let Some(key) = self.keys.last_mut() {
            key.collections = Some(collections);
        }
    }

    /// Says what the key with that id may ask for; `false` where there is none.
    pub fn limit(&mut self, id: &str, allowance: Allowance) -> bool {
        let key = self.keys.iter_mut().find(|key| key.id == id);
        key.map(|key| key.allowance = allowance).is_some()
    }

    /// Takes the key with that id out; `false` where there is none.
    pub fn remove(&mut self, id: &str) -> bool {
        let before = self.keys.len();
        self.keys.retain(|key| key.id != id);
        self.keys.len() < before
    }

    /// The key that was given, if it is known and has not ended by `now`.
    pub fn known(&self, given: &str, now: i64) -> Option<&Key> {
        let mut parts = given.splitn(3, '_');
        let (prefix, id) = (parts.next()?, parts.next()?);
        let named = self.keys.iter().filter(|key| prefix == PREFIX && key.id == id);
        let mut good = named.filter(|key| is_same(&hash(&key.salt, given), &key.hash));
        good.find(|key| key.expires_at.is_none_or(|end| now < end))
    }
}

fn is_default(allowance: &Allowance) -> bool {
    *allowance == Allowance::default()
}

/// A new file that only its owner can read.
fn own_file(path: &Path) -> io::Result<fs::File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

fn random(len: usize) -> Result<String, KeysError> {
    let mut bytes = vec![0; len];
    getrandom::fill(&mut bytes).map_err(KeysError::Random)?;
    Ok(hex(&bytes))
}

fn hash(salt: &str, key: &str) -> String {
    hex(&Sha256::digest(format!("{salt}{key}")))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

/// Compares in a time that does not tell where the two differ.
fn is_same(one: &str, other: &str) -> bool {
    let differing = one.bytes().zip(other.bytes()).fold(0, |differing, (one, other)| differing | (one ^ other));
    one.len() == other.len() && differing == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_known_until_they_end_or_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        let mut keys = Keys::default();
        let first = keys.add("reader", &[Scope::Read], 100, Some(200)).unwrap();
        let second = keys.add("admin", &[Scope::Admin], 100, None).unwrap();
        keys.write(folder.path()).unwrap();
        let written = fs::read_to_string(folder.path().join(FILE_NAME)).unwrap();
        assert!(!written.contains(&first) && !written.contains(first.rsplit('_').next().unwrap()), "{written}");
        let mut keys = Keys::read(folder.path()).unwrap();
        assert_eq!(keys.known(&first, 199).unwrap().name, "reader");
        assert_eq!(keys.known(&first, 200), None);
        let admin = keys.known(&second, i64::MAX).unwrap();
        assert!(admin.allows(Scope::Read) && admin.allows(Scope::Ingest) && admin.allows(Scope::Admin));
        let reader = &keys.keys[0];
        assert!(reader.allows(Scope::Read) && !reader.allows(Scope::Ingest) && !reader.allows(Scope::Admin));
        for wrong in ["", "lopper", &first[..20], &format!("{first}0"), &first.replace("lopper", "Lopper")] {
            assert_eq!(keys.known(wrong, 0), None, "{wrong}");
        }
        let id = admin.id.clone();
        assert!(keys.remove(&id) && !keys.remove(&id));
        assert_eq!(keys.known(&second, 0), None);
    }

    #[cfg(unix)]
    #[test]
    fn the_file_is_its_owners_alone() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(Keys::read(folder.path()).unwrap(), Keys::default());
        Keys::default().write(folder.path()).unwrap();
        let file = folder.path().join(FILE_NAME);
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
        fs::write(&file, "{").unwrap();
        assert!(matches!(Keys::read(folder.path()), Err(KeysError::Damaged { .. })));
    }
}
