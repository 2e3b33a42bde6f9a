//! `GET /v1/blocks`: all blocks as a file.

use actix_web::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use actix_web::web::Bytes;
use actix_web::{HttpRequest, HttpResponse, web};
use lopper_collection::search::AllBlocks;

use super::export::in_parts;
use super::ledger::with_ledger;
use crate::export::write_blocks;
use crate::http::asked::BLOCKS;
use crate::http::error::ApiError;
use crate::http::parameters::{Parameters, names};
use crate::http::state::{State, reading};

/// Bytes of a part; the last page of a part may go beyond that.
const PART_BYTES: usize = 1 << 20;

/// Sends the blocks page by page as the client takes them. Each part waits for its turn as a search does.
pub(in crate::http) async fn blocks(request: HttpRequest, state: web::Data<State>) -> Result<HttpResponse, ApiError> {
    let parameters = Parameters::parse(request.query_string(), &names(BLOCKS))?;
    let host = parameters.get("host").map(str::to_owned);
    with_ledger(&state)?;
    let all = reading(state.clone(), move |state, _| Ok(AllBlocks::new(&state.engine(), host.as_deref())?)).await?;
    let (first, all) = part(state.clone(), all).await?;
    let mut response = HttpResponse::Ok();
    response.insert_header((CONTENT_TYPE, "application/x-ndjson"));
    response.insert_header((CONTENT_DISPOSITION, "attachment; filename=\"lopper-blocks.ndjson\""));
    Ok(response.streaming(in_parts(first, all, move |all| part(state.clone(), all))))
}

async fn part(state: web::Data<State>, mut all: AllBlocks) -> Result<(Option<Bytes>, AllBlocks), ApiError> {
    reading(state, move |state, _| {
        let engine = state.engine();
        let mut bytes = Vec::new();
        while bytes.len() < PART_BYTES {
            let Some(blocks) = all.next_page(&engine)? else { break };
            let written = write_blocks(blocks, &state.options().replay_url, &mut bytes);
            written.map_err(|error| ApiError::internal(&error))?;
        }
        Ok(((!bytes.is_empty()).then(|| Bytes::from(bytes)), all))
    })
    .await
}
