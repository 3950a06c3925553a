//! The connection to the server: its address, and files with secrets and certificates. It never shows a secret.

use std::collections::HashSet;
use std::future::{Ready, ready};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use async_nats::{Client, ConnectErrorKind, ConnectOptions, Event, ServerError};

use super::roster::in_short;
use super::subject;

/// The longest pause between two attempts to connect.
const MOST_PAUSE: Duration = Duration::from_secs(2);
/// The most refusals of the server that are shown.
const MOST_REFUSALS: usize = 20;

/// What the user is told about the connection.
pub const LINK_LOST: &str = "the connection to the NATS server is lost; trying again until it is restored";
/// See [`LINK_LOST`].
pub const LINK_RESTORED: &str = "the connection to the NATS server is restored";

/// How to reach the server.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Access {
    /// The addresses of the server, separated by commas: `nats://host`, `tls://host:4222`.
    pub url: String,
    /// A credentials file: a JWT and its key.
    pub credentials: Option<PathBuf>,
    /// A file with the seed of an NKey.
    pub nkey: Option<PathBuf>,
    /// A file with the certificates of the authorities that are trusted in addition to those of the system.
    pub authorities: Option<PathBuf>,
    /// Files with the client's certificate and its key.
    pub certificate: Option<[PathBuf; 2]>,
}

/// Why there is no connection, and why to try again is useless.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct AccessError(String);

impl AccessError {
    fn address(url: &str, why: &str) -> Self {
        Self(format!(
            "`{url}` is not the address of a NATS server: {why}; write it as `nats://host` or `tls://host:4222`"
        ))
    }

    fn file(path: &Path, why: impl std::fmt::Display) -> Self {
        Self(format!("cannot use `{}`: {why}", path.display()))
    }

    fn refused(url: &str, why: &str) -> Self {
        Self(format!(
            "the NATS server `{url}` refuses the connection: {why}; check `--creds`, `--nkey` and the server's configuration"
        ))
    }

    fn tls(url: &str, why: &str) -> Self {
        Self(format!(
            "no secure connection to the NATS server `{url}`: {why}; check `--ca`, `--cert`, and the host's name in the certificate of the server"
        ))
    }
}

impl Access {
    /// Connects as the client `name`, and tries again until the server can be reached. Later the connection restores
    /// itself. `say` shows what is waited for; `on_link` hears when the connection is lost (`false`) and restored.
    ///
    /// # Errors
    /// If the server refuses, or the files cannot be used.
    pub async fn connect(
        &self,
        name: &str,
        say: impl Fn(&str) + Clone + Send + Sync + 'static,
        on_link: impl Fn(bool) + Clone + Send + Sync + 'static,
    ) -> Result<Client, AccessError> {
        self.check()?;
        let mut pause = Duration::from_millis(100);
        let mut is_said = false;
        loop {
            let options = self.options(name).await?.event_callback(news(say.clone(), on_link.clone()));
            let error = match options.connect(self.url.as_str()).await {
                Ok(client) => return Ok(client),
                Err(error) => error,
            };
            let (url, why) = (&self.url, in_words(&error));
            let in_lowercase = why.to_lowercase();
            match error.kind() {
                ConnectErrorKind::ServerParse => return Err(AccessError::address(url, &why)),
                ConnectErrorKind::Authentication | ConnectErrorKind::AuthorizationViolation => {
                    return Err(AccessError::refused(url, &why));
                }
                ConnectErrorKind::Tls => return Err(AccessError::tls(url, &why)),
                // A certificate that is missing or not trusted, and a server without TLS, are reported as errors of the
                // connection.
                ConnectErrorKind::Io
                    if ["certificate", "corrupt message"]
                        .iter()
                        .any(|words| in_lowercase.contains(words)) =>
                {
                    return Err(AccessError::tls(url, &why));
                }
                ConnectErrorKind::Dns
                | ConnectErrorKind::TimedOut
                | ConnectErrorKind::Io
                | ConnectErrorKind::MaxReconnects => {}
            }
            if !is_said {
                say(&format!("the NATS server `{url}` cannot be reached ({why}); trying again until it can"));
                is_said = true;
            }
            tokio::time::sleep(pause).await;
            pause = (pause * 2).min(MOST_PAUSE);
        }
    }

    /// The files that nobody else may read, as canonical paths: keys, credentials and certificates.
    pub fn secrets(&self) -> Vec<PathBuf> {
        let certificate = self.certificate.iter().flatten();
        let files =
            [&self.credentials, &self.nkey, &self.authorities].into_iter().flatten().chain(certificate);
        files.map(|path| path.canonicalize().unwrap_or_else(|_| path.clone())).collect()
    }

    fn check(&self) -> Result<(), AccessError> {
        if self.url.contains('@') {
            return Err(AccessError(
                "the address of the NATS server contains a user or a password, which every user of this machine can read; use `--creds` or `--nkey` with a file".to_owned(),
            ));
        }
        if self.url.trim().is_empty() {
            return Err(AccessError::address(&self.url, "it is empty"));
        }
        let wrong = |path: &Path, why: &str| Err(AccessError::file(path, why));
        if let Some(path) = &self.credentials {
            read(path)?;
        }
        if let Some(path) = &self.nkey
            && nkeys::KeyPair::from_seed(read(path)?.trim()).is_err()
        {
            return wrong(path, "it is not the seed of an NKey; make one with `arena worker --new-key`");
        }
        let [certificate, key] =
            self.certificate.as_ref().map_or([None, None], |both| both.each_ref().map(Some));
        for path in [self.authorities.as_ref(), certificate].into_iter().flatten() {
            if !read(path)?.contains("-----BEGIN CERTIFICATE-----") {
                return wrong(path, "it has no certificate in PEM format");
            }
        }
        if let Some(path) = key
            && !read(path)?.contains("PRIVATE KEY-----")
        {
            return wrong(path, "it has no private key in PEM format");
        }
        Ok(())
    }

    async fn options(&self, name: &str) -> Result<ConnectOptions, AccessError> {
        let mut options = ConnectOptions::new()
            .name(format!("arena {name}"))
            .custom_inbox_prefix(subject::inbox_prefix(name))
            .request_timeout(Some(Duration::from_secs(5)))
            .ping_interval(Duration::from_secs(5))
            .reconnect_delay_callback(|attempts| {
                MOST_PAUSE.min(Duration::from_millis(50 << attempts.min(8)))
            });
        if let Some(path) = &self.credentials {
            options = options.credentials_file(path).await.map_err(|error| AccessError::file(path, error))?;
        }
        if let Some(path) = &self.nkey {
            options = options.nkey(read(path)?.trim().to_owned());
        }
        if let Some(path) = &self.authorities {
            options = options.add_root_certificates(path.clone()).require_tls(true);
        }
        if let Some([certificate, key]) = &self.certificate {
            options = options.add_client_certificate(certificate.clone(), key.clone());
        }
        Ok(options)
    }
}

/// Writes the seed of a new NKey to `path`, readable only by its owner. Returns the public key, for the server.
///
/// # Errors
/// If the file exists or cannot be written.
pub fn new_key(path: &Path) -> std::io::Result<String> {
    use std::io::Write;
    let key = nkeys::KeyPair::new_user();
    let seed = key.seed().map_err(std::io::Error::other)?;
    writeln!(host::files::create_new(path, 0o600)?, "{seed}")?;
    Ok(key.public_key())
}

/// Says what the server does not allow this user, each thing once, and hears whether there is a connection.
fn news(
    say: impl Fn(&str) + Send + Sync + 'static,
    on_link: impl Fn(bool) + Send + Sync + 'static,
) -> impl Fn(Event) -> Ready<()> + Send + Sync + 'static {
    let said: Mutex<HashSet<String>> = Mutex::default();
    let was_lost = AtomicBool::default();
    move |event| {
        match event {
            Event::Disconnected => {
                was_lost.store(true, Relaxed);
                on_link(false);
            }
            Event::Connected if was_lost.load(Relaxed) => on_link(true),
            Event::ServerError(ServerError::Other(why))
                if why.to_lowercase().contains("permissions violation") =>
            {
                if let Ok(mut said) = said.lock()
                    && said.len() < MOST_REFUSALS
                    && said.insert(why.clone())
                {
                    let why = in_short(&why).replace('"', "`");
                    say(&format!(
                        "warning: the NATS server refuses a message: {why}; check `--name`, the key, and the permissions in its configuration"
                    ));
                }
            }
            _ => {}
        }
        ready(())
    }
}

fn read(path: &Path) -> Result<String, AccessError> {
    let bytes = std::fs::read(path).map_err(|error| AccessError::file(path, error))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The error with its causes.
pub fn in_words(error: &dyn std::error::Error) -> String {
    let mut words = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let text = error.to_string();
        if text.contains(&words) {
            words = text;
        } else if !words.contains(&text) {
            words.push_str(&format!(": {text}"));
        }
        cause = error.source();
    }
    words
}
