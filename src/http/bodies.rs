//! Bodies of requests on their way in: each holds as much of the memory for all of them as has arrived, so that one that comes slowly holds
//! little and keeps nobody waiting.

use std::mem;
use std::sync::Arc;
use std::time::Duration;

use actix_web::http::header::CONTENT_LENGTH;
use actix_web::rt::time::timeout;
use actix_web::web::{Bytes, BytesMut, Payload};
use actix_web::{HttpRequest, web};
use futures_util::StreamExt;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, TryAcquireError};

use super::ServeOptions;
use super::error::{ApiError, ErrorCode};
use super::media::refuse_compressed;
use super::state::State;

/// Unit of the memory.
const KIB: usize = 1 << 10;

/// The memory for bodies: that of `uploads_max` of the largest.
pub(super) fn memory(options: &ServeOptions) -> Arc<Semaphore> {
    let kib = options.uploads_max.saturating_mul(options.upload_bytes_max.div_ceil(KIB));
    Arc::new(Semaphore::new(kib.min(Semaphore::MAX_PERMITS)))
}

/// What a body holds of the memory; given back on drop.
pub(super) struct Room {
    all: Arc<Semaphore>,
    held: Option<OwnedSemaphorePermit>,
}

impl Room {
    pub(super) fn new(state: &State) -> Self {
        Self { all: Arc::clone(state.bodies()), held: None }
    }

    /// Holds room for `bytes` in all, if there is any.
    pub(super) fn try_hold(&mut self, bytes: usize) -> Result<(), ApiError> {
        let Some(more) = self.lacking(bytes) else { return Ok(()) };
        match Arc::clone(&self.all).try_acquire_many_owned(more) {
            Ok(permit) => self.add(permit),
            Err(TryAcquireError::NoPermits) => return Err(busy()),
            Err(closed @ TryAcquireError::Closed) => return Err(ApiError::internal(&closed)),
        }
        Ok(())
    }

    /// Holds room for `bytes` in all, once there is any.
    pub(super) async fn hold(&mut self, bytes: usize, wait_max: Duration) -> Result<(), ApiError> {
        let Some(more) = self.lacking(bytes) else { return Ok(()) };
        let permit = timeout(wait_max, Arc::clone(&self.all).acquire_many_owned(more)).await;
        self.add(permit.map_err(|_| busy())?.map_err(|closed| ApiError::internal(&closed))?);
        Ok(())
    }

    /// What is held, apart from what comes next.
    pub(super) fn split(&mut self) -> Self {
        mem::replace(self, Self { all: Arc::clone(&self.all), held: None })
    }

    /// KiB that are not yet held of `bytes`.
    fn lacking(&self, bytes: usize) -> Option<u32> {
        let held = self.held.as_ref().map_or(0, OwnedSemaphorePermit::num_permits);
        let more = bytes.div_ceil(KIB).checked_sub(held).filter(|more| *more > 0)?;
        Some(u32::try_from(more).unwrap_or(u32::MAX))
    }

    fn add(&mut self, permit: OwnedSemaphorePermit) {
        match &mut self.held {
            Some(held) => held.merge(permit),
            none => *none = Some(permit),
        }
    }
}

fn busy() -> ApiError {
    ApiError::new(ErrorCode::Busy, "the bodies that are being received take all the memory for that; try again")
}

/// Receives a body of at most `max` bytes, within the time for that.
pub(super) async fn receive(
    request: &HttpRequest,
    payload: web::Payload,
    state: &State,
    max: usize,
) -> Result<(Bytes, Room), ApiError> {
    refuse_compressed(request)?;
    let declared = request.headers().get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.trim().parse().ok());
    if declared.is_some_and(|length: u64| length > max as u64) {
        return Err(too_large(max));
    }
    let received = timeout(state.options().upload_duration_max, whole(payload, Room::new(state), max)).await;
    received.unwrap_or_else(|_| Err(ApiError::new(ErrorCode::BodyTooSlow, "the body did not arrive in time")))
}

async fn whole(mut payload: Payload, mut room: Room, max: usize) -> Result<(Bytes, Room), ApiError> {
    let mut body = BytesMut::new();
    while let Some(chunk) = payload.next().await {
        let chunk = chunk.map_err(|error| ApiError::new(ErrorCode::BadBody, format!("the body broke off: {error}")))?;
        let length = body.len() + chunk.len();
        if length > max {
            return Err(too_large(max));
        }
        room.try_hold(length)?;
        body.extend_from_slice(&chunk);
    }
    Ok((body.freeze(), room))
}

fn too_large(max: usize) -> ApiError {
    let message = format!("the body is larger than {max} bytes; use `lopper ingest` for large pages and archives");
    ApiError::new(ErrorCode::TooLarge, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn room_grows_with_what_arrived_and_is_given_back() {
        let options = ServeOptions { uploads_max: 2, upload_bytes_max: 3 * KIB, ..ServeOptions::default() };
        let all = memory(&options);
        let room = || Room { all: Arc::clone(&all), held: None };
        let (mut first, mut second) = (room(), room());
        first.try_hold(1).unwrap();
        first.try_hold(KIB).unwrap();
        assert_eq!(all.available_permits(), 5);
        second.try_hold(5 * KIB).unwrap();
        assert_eq!(first.try_hold(KIB + 1).unwrap_err().code, ErrorCode::Busy);
        let line = second.split();
        assert_eq!((all.available_permits(), second.lacking(1)), (0, Some(1)));
        drop(line);
        first.try_hold(3 * KIB).unwrap();
        drop(first);
        assert_eq!(all.available_permits(), 6);
    }
}
