//! The server of a site: its thread, its connections and their limits.

use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, mpsc};
use std::thread::JoinHandle;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::DefaultBodyLimit;
use axum::http::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpStream;
use tokio::sync::oneshot;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use super::Token;
use super::connection::Connection;
use super::guard::guarded;
use super::strangers::{Newcomer, Strangers};
use crate::assets::nowhere;
use host::machine::{REUSES_ADDRESSES, most_open_files};

/// The maximum number of open connections.
const MOST_CONNECTIONS: usize = 2000;
/// How long a visitor may take for the head of a request.
const HEAD_TIMEOUT: Duration = Duration::from_secs(10);
/// The maximum number of bytes of a request's body.
const BODY_BYTES: usize = 16 * 1024;
/// The buffer of a connection, for a request's head and for what is written.
const BUFFER_BYTES: usize = 32 * 1024;
/// The buffer of the system for what is written: a slow reader must not hold much.
const SEND_BUFFER_BYTES: u32 = 128 * 1024;
/// The maximum number of headers of a request.
const MOST_HEADERS: usize = 64;
/// The threads for what takes long, such as the replay of a match. Engines need threads and processors as well.
const BLOCKING_THREADS: usize = 1;
/// How long the last answers may take when the server ends.
const LAST_ANSWERS: Duration = Duration::from_secs(1);

/// What a site answers.
#[derive(Debug)]
struct Site {
    /// The token in the addresses of the pages.
    token: Token,
    pages: Router,
    open: Option<Open>,
}

/// A path that needs no token, for programs that show otherwise who they are. No browser's guard is in front of it. Each
/// request has the address of the visitor, a `SocketAddr`, in its extensions.
#[derive(Clone, Debug)]
pub struct Open {
    /// The path.
    pub path: &'static str,
    /// What answers there.
    pub router: Router,
}

/// A running server. It ends with this.
#[derive(Debug)]
pub struct Server {
    address: SocketAddr,
    token: Token,
    ending: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

/// The server cannot be started.
#[derive(Debug, thiserror::Error)]
#[error("cannot serve at `{address}`: {error}; give another address, or only a port")]
pub struct CannotServe {
    /// The address.
    pub address: SocketAddr,
    /// The system's error.
    pub error: io::Error,
}

/// Whether a server can be started at `address` now.
///
/// # Errors
/// If it cannot.
pub fn try_address(address: SocketAddr) -> Result<(), CannotServe> {
    std::net::TcpListener::bind(address).map(drop).map_err(|error| CannotServe { address, error })
}

impl Server {
    /// Serves the pages of `router` at `address`, below a secret path. Port 0 is a free one.
    ///
    /// # Errors
    /// If the system does not allow it.
    pub fn start(address: SocketAddr, router: Router) -> Result<Self, CannotServe> {
        let token = Token::random().map_err(|error| CannotServe { address, error })?;
        Self::start_below(address, token, router)
    }

    /// The same below the path of this token.
    ///
    /// # Errors
    /// If the system does not allow it.
    pub fn start_below(address: SocketAddr, token: Token, router: Router) -> Result<Self, CannotServe> {
        Self::start_with(address, token, router, None)
    }

    /// The same with a path that needs no token.
    ///
    /// # Errors
    /// If the system does not allow it.
    pub fn start_with(
        address: SocketAddr,
        token: Token,
        router: Router,
        open: Option<Open>,
    ) -> Result<Self, CannotServe> {
        Self::try_start(address, token, router, open).map_err(|error| CannotServe { address, error })
    }

    fn try_start(address: SocketAddr, token: Token, router: Router, open: Option<Open>) -> io::Result<Self> {
        let pages = router.fallback(nowhere).layer(DefaultBodyLimit::max(BODY_BYTES));
        let site = Arc::new(Site { token: token.clone(), pages, open });
        let (ending, ended) = oneshot::channel();
        let (listens, is_listening) = mpsc::channel();
        let thread = std::thread::Builder::new().name("site".to_owned()).spawn(move || {
            let mut builder = tokio::runtime::Builder::new_current_thread();
            let runtime = match builder.enable_all().max_blocking_threads(BLOCKING_THREADS).build() {
                Ok(runtime) => runtime,
                Err(error) => return drop(listens.send(Err(error))),
            };
            runtime.block_on(async {
                let listener = match listen(address) {
                    Ok(listener) => listener,
                    Err(error) => return drop(listens.send(Err(error))),
                };
                let _ = listens.send(listener.local_addr());
                serve(listener, site, ended).await;
            });
        })?;
        let address = is_listening.recv().map_err(io::Error::other)??;
        Ok(Self { address, token, ending: Some(ending), thread: Some(thread) })
    }

    /// The port that it listens to.
    pub const fn port(&self) -> u16 {
        self.address.port()
    }

    /// The address for a browser.
    pub fn url(&self) -> String {
        // A browser on this machine finds the wildcard address at its loopback one.
        let mut address = self.address;
        if address.ip().is_unspecified() {
            address.set_ip(if address.is_ipv4() {
                [127, 0, 0, 1].into()
            } else {
                std::net::Ipv6Addr::LOCALHOST.into()
            });
        }
        format!("http://{address}/{}/", self.token.text())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if let Some(ending) = self.ending.take() {
            let _ = ending.send(());
        }
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn listen(address: SocketAddr) -> io::Result<tokio::net::TcpListener> {
    const BACKLOG: u32 = 1024;
    let socket =
        if address.is_ipv4() { tokio::net::TcpSocket::new_v4() } else { tokio::net::TcpSocket::new_v6() }?;
    if REUSES_ADDRESSES {
        socket.set_reuseaddr(true)?;
    }
    socket.set_send_buffer_size(SEND_BUFFER_BYTES)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

async fn serve(listener: tokio::net::TcpListener, site: Arc<Site>, mut ended: oneshot::Receiver<()>) {
    let most = most_connections();
    let mut strangers = Strangers::default();
    let mut connections = JoinSet::new();
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            _ = &mut ended => break,
        };
        while connections.try_join_next().is_some() {}
        // No file descriptor is free, or the visitor has gone: the next one may have more luck.
        let Ok((stream, peer)) = accepted else {
            strangers.turn_one_away();
            sleep(Duration::from_millis(50)).await;
            continue;
        };
        if most <= connections.len() {
            strangers.turn_one_away();
            tokio::select! {
                _ = connections.join_next() => {}
                _ = &mut ended => break,
            }
        }
        let newcomer = Newcomer::default();
        let connection = connections.spawn(answer(stream, peer, newcomer.clone(), Arc::clone(&site)));
        strangers.add(newcomer, connection);
    }
    drop(listener);
    while strangers.turn_one_away() {}
    // What is shown last reaches those who are there.
    let _ = timeout(LAST_ANSWERS, async { while connections.join_next().await.is_some() {} }).await;
}

/// The tournament must be able to start engines and to write, whoever connects.
fn most_connections() -> usize {
    let allowed = most_open_files().and_then(|most| usize::try_from(most / 2).ok());
    allowed.map_or(MOST_CONNECTIONS, |allowed| allowed.clamp(1, MOST_CONNECTIONS))
}

async fn answer(stream: TcpStream, peer: SocketAddr, visitor: Newcomer, site: Arc<Site>) {
    let _ = stream.set_nodelay(true);
    let service = service_fn(move |request: Request<Incoming>| {
        let site = Arc::clone(&site);
        if site.token.is_in(request.uri().path()) {
            visitor.has_shown_the_token();
        }
        async move {
            let mut request = request.map(Body::new);
            match site.open.as_ref().filter(|open| open.path == request.uri().path()) {
                Some(open) => {
                    request.extensions_mut().insert(peer);
                    TowerToHyperService::new(open.router.clone()).call(request).await
                }
                None => Ok::<_, Infallible>(guarded(&site.token, request, site.pages.clone()).await),
            }
        }
    });
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIMEOUT)
        .max_headers(MOST_HEADERS)
        .max_buf_size(BUFFER_BYTES);
    // Ignore dropped or non-HTTP connections.
    let _ = http.serve_connection(TokioIo::new(Connection::new(stream)), service).await;
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;

    use super::*;

    #[test]
    fn a_port_that_is_taken_is_an_error() {
        let taken = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = taken.local_addr().expect("an address");
        let error = Server::start(address, Router::new()).expect_err("it is taken").to_string();
        assert!(error.starts_with(&format!("cannot serve at `{address}`: ")), "{error}");
    }

    #[test]
    fn the_address_has_a_secret() {
        let server = Server::start(([0, 0, 0, 0], 0).into(), Router::new()).expect("a server");
        let url = server.url();
        let rest = url.strip_prefix("http://127.0.0.1:").expect("a browser on this machine can open it");
        assert!(rest.ends_with(&format!("/{}/", server.token.text())), "{url}");
    }
}
