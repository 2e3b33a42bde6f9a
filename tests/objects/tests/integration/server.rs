//! An S3 server on a free port, on a folder, which notes requests and fails where it is told to.

use std::convert::Infallible;
use std::fs;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use bytes::Bytes;
use futures_util::{StreamExt, stream};
use http_body_util::{BodyExt, BodyStream, StreamBody, combinators::UnsyncBoxBody};
use hyper::body::{Frame, Incoming};
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use lopper_objects::{Bucket, BucketAddress, Settings};
use s3s::auth::SimpleAuth;
use s3s::service::{S3Service, S3ServiceBuilder};
use s3s_fs::FileSystem;
use tempfile::TempDir;
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::{Builder, Runtime};

/// The bucket that is there.
pub(crate) const BUCKET: &str = "crawls";

pub(crate) const KEY: &str = "ann";

/// Told nowhere.
pub(crate) const SECRET: &str = "hidden-secret";

type Body = UnsyncBoxBody<Bytes, std::io::Error>;

/// What goes wrong with the next requests of a method whose path has a text.
pub(crate) struct Fault {
    pub(crate) method: Method,
    pub(crate) path: &'static str,
    pub(crate) times: usize,
    pub(crate) harm: Harm,
}

#[derive(Clone)]
pub(crate) enum Harm {
    /// The request is not done; the answer is this.
    Status(StatusCode, &'static str),
    /// The connection breaks behind so many bytes of the answer.
    CutAfter(usize),
    /// The request is done, and the answer is lost.
    Lost,
    /// Before the request is done, this happens.
    First(Arc<dyn Fn() + Send + Sync>),
}

#[derive(Default)]
struct Shared {
    faults: Mutex<Vec<Fault>>,
    /// Method, path and range of each request.
    requests: Mutex<Vec<String>>,
    /// The server of the folder looks and then writes: one after the other, a condition holds.
    writing: tokio::sync::Mutex<()>,
}

/// The server; it ends with this.
pub(crate) struct Server {
    folder: TempDir,
    address: SocketAddr,
    shared: Arc<Shared>,
    _runtime: Runtime,
}

impl Server {
    /// A server that wants signed requests.
    pub(crate) fn start() -> Self {
        Self::start_with(true)
    }

    /// A server that anybody may ask, as one of the web.
    pub(crate) fn open() -> Self {
        Self::start_with(false)
    }

    fn start_with(is_signed: bool) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join(BUCKET)).unwrap();
        let mut builder = S3ServiceBuilder::new(FileSystem::new(folder.path()).unwrap());
        if is_signed {
            builder.set_auth(SimpleAuth::from_single(KEY, SECRET));
        }
        let service = builder.build();
        let runtime = Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).unwrap();
        let address = listener.local_addr().unwrap();
        let shared = Arc::new(Shared::default());
        runtime.spawn(accept(listener, service, shared.clone()));
        Self { folder, address, shared, _runtime: runtime }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// What a program is to know of it.
    pub(crate) fn variables(&self) -> [(&'static str, String); 4] {
        [
            ("AWS_ACCESS_KEY_ID", KEY.to_owned()),
            ("AWS_SECRET_ACCESS_KEY", SECRET.to_owned()),
            ("AWS_REGION", "us-east-1".to_owned()),
            ("AWS_ENDPOINT_URL", self.url()),
        ]
    }

    pub(crate) fn settings(&self) -> Settings {
        Settings::of(self.variables())
    }

    pub(crate) fn bucket(&self, prefix: &str) -> Bucket {
        let address = BucketAddress::parse(&format!("s3://{BUCKET}/{prefix}")).unwrap();
        Bucket::open(&address, &self.settings()).unwrap()
    }

    /// Where an object lies.
    pub(crate) fn file(&self, key: &str) -> PathBuf {
        self.folder.path().join(BUCKET).join(key)
    }

    pub(crate) fn fail(&self, method: Method, path: &'static str, times: usize, harm: Harm) {
        self.shared.faults.lock().unwrap().push(Fault { method, path, times, harm });
    }

    pub(crate) fn heal(&self) {
        self.shared.faults.lock().unwrap().clear();
    }

    /// The requests since this was asked last, as `METHOD path range`.
    pub(crate) fn requests(&self) -> Vec<String> {
        std::mem::take(&mut *self.shared.requests.lock().unwrap())
    }
}

async fn accept(listener: TcpListener, service: S3Service, shared: Arc<Shared>) {
    while let Ok((socket, _)) = listener.accept().await {
        tokio::spawn(serve(socket, service.clone(), shared.clone()));
    }
}

async fn serve(socket: TcpStream, service: S3Service, shared: Arc<Shared>) {
    let answer = service_fn(move |request| answer(request, service.clone(), shared.clone()));
    // A connection that breaks is what some tests want.
    let _ = hyper::server::conn::http1::Builder::new().serve_connection(TokioIo::new(socket), answer).await;
}

async fn answer(
    request: Request<Incoming>,
    service: S3Service,
    shared: Arc<Shared>,
) -> Result<Response<Body>, std::io::Error> {
    let harm = shared.note(&request);
    // The server of the folder makes a bucket that is not there.
    if !request.uri().path().trim_start_matches('/').starts_with(BUCKET) {
        let _ = request.into_body().collect().await;
        return Ok(error(StatusCode::NOT_FOUND, "NoSuchBucket"));
    }
    match &harm {
        Some(Harm::Status(status, code)) => {
            // Taken first: where an answer comes before, the connection breaks.
            let _ = request.into_body().collect().await;
            return Ok(error(*status, code));
        }
        Some(Harm::First(first)) => {
            let first = first.clone();
            tokio::task::spawn_blocking(move || first()).await.unwrap();
        }
        _ => {}
    }
    let _one = match *request.method() {
        Method::GET | Method::HEAD => None,
        _ => Some(shared.writing.lock().await),
    };
    let answer = hyper::service::Service::call(&service, request).await;
    let (head, body) = answer.map_err(|error| std::io::Error::other(format!("{error:?}")))?.into_parts();
    let body = body.map_err(|error| std::io::Error::other(error.to_string()));
    let body = match harm {
        Some(Harm::Lost) => return Err(std::io::Error::other("lost")),
        Some(Harm::CutAfter(bytes)) => cut(body, bytes).await,
        _ => body.boxed_unsync(),
    };
    Ok(Response::from_parts(head, body))
}

impl Shared {
    fn note(&self, request: &Request<Incoming>) -> Option<Harm> {
        let (method, path) = (request.method(), request.uri().to_string());
        let range = request.headers().get("range").map_or("", |range| range.to_str().unwrap());
        self.requests.lock().unwrap().push(format!("{method} {path} {range}").trim().to_owned());
        let mut faults = self.faults.lock().unwrap();
        let fault =
            faults.iter_mut().find(|fault| fault.times > 0 && fault.method == method && path.contains(fault.path))?;
        fault.times -= 1;
        Some(fault.harm.clone())
    }
}

fn error(status: StatusCode, code: &str) -> Response<Body> {
    let text = format!("<Error><Code>{code}</Code><Message>as the test says</Message></Error>");
    let body = http_body_util::Full::new(Bytes::from(text)).map_err(|never: Infallible| match never {});
    Response::builder().status(status).body(body.boxed_unsync()).unwrap()
}

/// The first bytes of a body, and then an error, with which the connection is closed.
async fn cut<B>(body: B, bytes: usize) -> Body
where
    B: hyper::body::Body<Data = Bytes, Error = std::io::Error> + Unpin,
{
    let mut body = BodyStream::new(body);
    let mut first = Vec::new();
    while first.len() < bytes
        && let Some(Ok(frame)) = body.next().await
    {
        first.extend_from_slice(&frame.into_data().unwrap_or_default());
    }
    first.truncate(bytes);
    let frames = [Ok(Frame::data(Bytes::from(first))), Err(std::io::Error::other("cut"))];
    // Time for the first bytes to be sent.
    let frames = stream::iter(frames).then(|frame| async move {
        if frame.is_err() {
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
        frame
    });
    StreamBody::new(frames).boxed_unsync()
}
