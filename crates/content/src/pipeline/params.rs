//! Every tunable of the way from a page to its main blocks.

use serde::{Deserialize, Serialize};

use crate::blocks::BlockParams;
use crate::cst::Profile;
use crate::extract::JudgeChoice;
use crate::prune::PruneRule;
use crate::weigh::WeighParams;

/// Parameters of the extraction. An index is made with one set of them: its digest is stored and checked on open.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ExtractParams {
    /// Block boundaries of the tree. Default `modern`.
    pub profile: Profile,
    /// What goes into the weights. Default texts, links and images (CST paper, sec. VI).
    pub weigh: WeighParams,
    /// Who says what is content. Default the model.
    pub judge: JudgeChoice,
    /// Which blocks are eliminated. Default `balanced`.
    pub prune: PruneRule,
    /// Length of passages, in words. Default 60 to 200.
    pub blocks: BlockParams,
    /// Whether blocks that a host repeats are remembered and eliminated. Default true. It may change from one ingest to the next, and
    /// is no part of the digest.
    #[serde(skip_serializing)]
    pub site_memory: bool,
}

impl Default for ExtractParams {
    fn default() -> Self {
        Self {
            profile: Profile::default(),
            weigh: WeighParams::default(),
            judge: JudgeChoice::default(),
            prune: PruneRule::default(),
            blocks: BlockParams::default(),
            site_memory: true,
        }
    }
}

impl ExtractParams {
    /// A digest of all parameters: 32 hexadecimal digits.
    pub fn digest(&self) -> String {
        let bytes = postcard::to_stdvec(self).expect("parameters are plain data");
        format!("{:032x}", xxhash_rust::xxh3::xxh3_128(&bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_digest_tells_parameters_apart() {
        let other = ExtractParams { prune: PruneRule::Paper, ..ExtractParams::default() };
        assert_eq!(ExtractParams::default().digest(), ExtractParams::default().digest());
        assert_ne!(ExtractParams::default().digest(), other.digest());
        let other = ExtractParams { site_memory: false, ..ExtractParams::default() };
        assert_eq!(ExtractParams::default().digest(), other.digest());
    }
}
