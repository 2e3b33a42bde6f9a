//! What the engine holds, and what is to go wrong.

use std::collections::{BTreeMap, VecDeque};

use serde_json::Value;

use crate::Kind;
use crate::definition::Definition;
use crate::split::Split;

/// Bytes of a request that engines take.
const BODY_BYTES: usize = 10 << 20;

/// What goes wrong with a request to write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// Nothing.
    None,
    /// The request is answered by this status, and nothing is done.
    Status(u16),
    /// All is done, and the answer gets lost.
    AnswerLost,
    /// The connection breaks before anything is done.
    RequestLost,
    /// Every second document is answered by this status and not taken, under status 200.
    Items(u16),
}

/// What goes wrong with a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SearchFault {
    /// Nothing.
    None,
    /// A part fails: status 500, or 200 without its hits where partial results are allowed.
    PartFails,
    /// The same, but 200 whatever was allowed.
    PartFailsSilently,
    /// Busy.
    Status(u16),
    /// The answer comes after so many milliseconds.
    Late(u64),
}

pub(crate) struct State {
    pub(crate) kind: Kind,
    pub(crate) indexes: BTreeMap<String, Index>,
    pub(crate) faults: VecDeque<Fault>,
    pub(crate) search_faults: VecDeque<SearchFault>,
    /// Documents with this text are refused.
    pub(crate) refused_text: Option<String>,
    pub(crate) split_documents: usize,
    pub(crate) body_bytes: usize,
    pub(crate) requests: Vec<(String, String, String)>,
    pub(crate) are_noted: bool,
    /// Deletions that were asked for; they are carried out some days later.
    pub(crate) delete_tasks: Vec<Value>,
}

pub(crate) struct Index {
    pub(crate) definition: Definition,
    pub(crate) splits: Vec<Split>,
    /// Acknowledged, not committed.
    pub(crate) volatile: Vec<(Option<String>, Value)>,
}

impl State {
    pub(crate) fn new(kind: Kind) -> Self {
        Self {
            kind,
            indexes: BTreeMap::new(),
            faults: VecDeque::new(),
            search_faults: VecDeque::new(),
            refused_text: None,
            split_documents: 50_000,
            body_bytes: BODY_BYTES,
            requests: Vec::new(),
            are_noted: false,
            delete_tasks: Vec::new(),
        }
    }

    pub(crate) fn crash(&mut self) {
        for index in self.indexes.values_mut() {
            index.volatile.clear();
        }
    }
}

impl Index {
    pub(crate) fn new(definition: Definition) -> Self {
        Self { definition, splits: Vec::new(), volatile: Vec::new() }
    }

    pub(crate) fn documents(&self) -> usize {
        self.splits.iter().map(Split::live).sum()
    }

    /// Makes what was acknowledged durable and visible.
    pub(crate) fn commit(&mut self, split_documents: usize) {
        for (id, document) in std::mem::take(&mut self.volatile) {
            if let Some(id) = &id {
                self.splits.iter_mut().for_each(|split| split.remove(id));
            }
            if self.splits.last().is_none_or(|split| split.len() >= split_documents) {
                self.splits.push(Split::new(&self.definition));
            }
            if let Some(split) = self.splits.last_mut() {
                split.add(&self.definition, id, document);
            }
        }
    }
}
