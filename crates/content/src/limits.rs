//! Named maxima for everything that a hostile page or archive could make large.

use serde::{Deserialize, Serialize};

/// Limits on one record and one page. Units are in the names; every walk and buffer is bounded by one of these.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Limits {
    /// Bytes of a record's header block (WARC headers, HTTP headers each). Default 64 KiB.
    pub header_bytes_max: usize,
    /// Bytes of a record's payload as stored in the archive, after the archive's own compression. Default 64 MiB.
    pub payload_bytes_max: usize,
    /// Bytes of a body after its content codings are undone. Default 64 MiB.
    pub body_bytes_max: usize,
    /// Bytes of a zip or ZIM that comes as a stream or compressed, and is put into a temporary file. Default 16 GiB.
    pub spool_bytes_max: u64,
    /// Steps that the analysis of one page may take; a page that takes more fails, on any machine. A step is a byte parsed, a node or
    /// run looked at, a byte of text weighed, an entry of a vector added: some nanoseconds. Default 1,000,000,000.
    pub page_steps_max: u64,
    /// Ratio of decoded to encoded bytes of a body, above 1 MiB of decoded bytes. Default 1000.
    pub body_ratio_max: usize,
    /// Depth of the element tree; deeper start tags are ignored. Default 512, as browsers do.
    pub depth_max: u16,
    /// Nodes of the element tree; the rest of the page is left unread. Default 500,000.
    pub nodes_max: usize,
    /// Bytes of a page's HTML that are parsed; the rest is left unread. Default 32 MiB.
    pub html_bytes_max: usize,
    /// Bytes of visible text that a content structure tree holds. Default 16 MiB.
    pub text_bytes_max: usize,
    /// Distinct terms of a page; one that has more is no text, and fails. Default 500,000.
    pub terms_max: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            header_bytes_max: 64 << 10,
            payload_bytes_max: 64 << 20,
            body_bytes_max: 64 << 20,
            spool_bytes_max: 16 << 30,
            page_steps_max: 1_000_000_000,
            body_ratio_max: 1000,
            depth_max: 512,
            nodes_max: 500_000,
            html_bytes_max: 32 << 20,
            text_bytes_max: 16 << 20,
            terms_max: 500_000,
        }
    }
}
