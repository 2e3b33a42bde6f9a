//! The steps that upgrade a folder, and how they are run.

use std::path::Path;

use crate::folder::{check_against, write_version};
use crate::{DataLock, MigrationError, State};

/// Whatever makes a step fail.
pub type StepError = Box<dyn std::error::Error + Send + Sync>;

/// One upgrade step: from version `to - 1` to version `to`.
#[derive(Debug, Clone, Copy)]
pub struct Step {
    /// The version that the folder has afterwards.
    pub to: u32,
    /// What the step does, in a few words.
    pub name: &'static str,
    /// Does it to the folder. It may be cut off at any point and run again from the start: the version is written only
    /// after it returns.
    pub run: fn(&Path) -> Result<(), StepError>,
}

/// The chain of steps that leads to a version.
#[derive(Debug, Clone, Copy)]
pub struct Registry {
    /// The version that the last step leads to.
    pub current: u32,
    /// Steps, oldest first, each to the version after the former one's; the last one's `to` is `current`.
    pub steps: &'static [Step],
}

impl Registry {
    /// Upgrades `data` to the current version, step by step, and returns the steps that were run. A fresh or current
    /// folder is left as it is.
    ///
    /// # Errors
    ///
    /// [`MigrationError::Foreign`], [`MigrationError::Newer`], [`MigrationError::InUse`]; [`MigrationError::NoWay`] when
    /// steps are missing, before anything is changed; [`MigrationError::Step`] with the folder at the version before the
    /// failed step; [`MigrationError::Io`].
    pub fn migrate(&self, data: &Path) -> Result<Vec<Step>, MigrationError> {
        match check_against(data, self.current)? {
            State::Fresh | State::Current => Ok(Vec::new()),
            State::Older { .. } => self.run_locked(data),
            State::Newer { found } => {
                Err(MigrationError::Newer { data: data.to_owned(), found, current: self.current })
            }
            State::Foreign => Err(MigrationError::Foreign { data: data.to_owned() }),
        }
    }

    fn run_locked(&self, data: &Path) -> Result<Vec<Step>, MigrationError> {
        let _lock = DataLock::acquire(data)?;
        // Another process may have upgraded the folder before the lock was ours.
        let State::Older { found } = check_against(data, self.current)? else {
            return Ok(Vec::new());
        };
        let steps = self.chain_from(found).ok_or(MigrationError::NoWay { data: data.to_owned(), found })?;
        for step in &steps {
            (step.run)(data).map_err(|source| MigrationError::Step {
                data: data.to_owned(),
                to: step.to,
                name: step.name,
                source,
            })?;
            write_version(data, step.to)?;
        }
        Ok(steps)
    }

    /// The steps from version `found` to the current one, or nothing when one is missing.
    fn chain_from(&self, found: u32) -> Option<Vec<Step>> {
        let steps: Vec<Step> = (self.steps.iter()).filter(|step| step.to > found).copied().collect();
        let wanted = found + 1..=self.current;
        steps.iter().map(|step| step.to).eq(wanted).then_some(steps)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::{MARKER, REGISTRY};

    fn note(data: &Path, text: &str) -> Result<(), StepError> {
        let path = data.join("notes");
        let former = fs::read_to_string(&path).unwrap_or_default();
        Ok(fs::write(path, former + text)?)
    }

    const TWO: Step = Step { to: 2, name: "note two", run: |data| note(data, "two ") };
    const THREE: Step = Step { to: 3, name: "note three", run: |data| note(data, "three ") };
    const BROKEN: Step = Step { to: 3, name: "fail", run: |_| Err("no room".into()) };

    fn folder_of_version(version: &str) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(MARKER), version).unwrap();
        folder
    }

    fn names(steps: &[Step]) -> Vec<&'static str> {
        steps.iter().map(|step| step.name).collect()
    }

    #[test]
    fn steps_run_in_order_and_once() {
        let registry = Registry { current: 3, steps: &[TWO, THREE] };
        let folder = folder_of_version("1\n");
        let run = registry.migrate(folder.path()).unwrap();
        assert_eq!(names(&run), ["note two", "note three"]);
        assert_eq!(check_against(folder.path(), 3).unwrap(), State::Current);
        assert!(registry.migrate(folder.path()).unwrap().is_empty());
        let notes = fs::read_to_string(folder.path().join("notes")).unwrap();
        assert_eq!(notes, "two three ");
    }

    #[test]
    fn later_versions_skip_former_steps() {
        let registry = Registry { current: 3, steps: &[TWO, THREE] };
        let folder = folder_of_version("2\n");
        let run = registry.migrate(folder.path()).unwrap();
        assert_eq!(names(&run), ["note three"]);
    }

    #[test]
    fn a_failed_step_leaves_the_version_before_it() {
        let registry = Registry { current: 3, steps: &[TWO, BROKEN] };
        let folder = folder_of_version("1\n");
        let error = registry.migrate(folder.path()).unwrap_err();
        assert!(matches!(error, MigrationError::Step { to: 3, .. }));
        let state = check_against(folder.path(), 3).unwrap();
        assert_eq!(state, State::Older { found: 2 });
    }

    #[test]
    fn a_missing_step_is_told_before_anything_is_run() {
        let registry = Registry { current: 3, steps: &[THREE] };
        let folder = folder_of_version("1\n");
        let error = registry.migrate(folder.path()).unwrap_err();
        assert!(matches!(error, MigrationError::NoWay { found: 1, .. }));
        assert!(!folder.path().join("notes").exists());
    }

    #[test]
    fn newer_and_foreign_folders_are_refused() {
        let folder = folder_of_version("9\n");
        let error = REGISTRY.migrate(folder.path()).unwrap_err();
        assert!(matches!(error, MigrationError::Newer { found: 9, .. }));
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("thesis.tex"), "words").unwrap();
        let error = REGISTRY.migrate(folder.path()).unwrap_err();
        assert!(matches!(error, MigrationError::Foreign { .. }));
    }

    #[test]
    fn the_real_chain_is_complete() {
        let first = (REGISTRY.steps.first()).map_or(REGISTRY.current, |step| step.to - 1);
        assert!(REGISTRY.chain_from(first).is_some());
    }
}
