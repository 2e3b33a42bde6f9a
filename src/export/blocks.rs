//! Blocks with where they come from, a JSON object a line.

use std::io::{self, Write};

use lopper_collection::search::BlockRecord;

use crate::http::replay_url;

/// Writes blocks, each with its replay by the template.
pub(crate) fn write_blocks(blocks: Vec<BlockRecord>, replay: &str, out: &mut impl Write) -> io::Result<()> {
    for mut block in blocks {
        block.replay_url = replay_url(replay, &block.url, block.captured_at.as_deref());
        serde_json::to_writer(&mut *out, &block)?;
        out.write_all(b"\n")?;
    }
    Ok(())
}
