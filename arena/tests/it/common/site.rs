//! A visitor of the arena's pages without a browser: requests as bytes, so that they can be wrong.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, ChildStderr, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

/// How long a page may show nothing of what is waited for.
pub const LONGEST_WAIT: Duration = Duration::from_secs(60);

/// A running program with a site. It ends with this.
pub struct Site {
    pub process: Child,
    /// Where it listens: `127.0.0.1:4321`.
    pub host: String,
    /// The secret path, with a slash at both ends.
    pub path: String,
    #[allow(dead_code, reason = "it is kept open")]
    pub stdout: Option<BufReader<ChildStdout>>,
    #[allow(dead_code, reason = "it is kept open")]
    pub stderr: Option<BufReader<ChildStderr>>,
}

impl Site {
    /// Starts the command and waits for the line with the address, on standard error if the command has `--serve`.
    pub fn start(command: &mut Command) -> Self {
        let mut process =
            command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut stdout = BufReader::new(process.stdout.take().unwrap());
        let mut stderr = BufReader::new(process.stderr.take().unwrap());
        let is_run =
            command.get_args().any(|word| word.to_str().is_some_and(|word| word.starts_with("--serve")));
        let mut said = String::new();
        let url = loop {
            let mut line = String::new();
            let n = if is_run { stderr.read_line(&mut line) } else { stdout.read_line(&mut line) }.unwrap();
            if n == 0 {
                stderr.read_to_string(&mut said).unwrap();
                panic!("it ended without an address: {said}");
            }
            said += &line;
            if let Some(start) = line.find("http://") {
                break line[start..].trim().to_owned();
            }
        };
        let (host, path) = url["http://".len()..].split_once('/').unwrap();
        let (host, path) = (host.to_owned(), format!("/{path}"));
        Self { process, host, path, stdout: Some(stdout), stderr: Some(stderr) }
    }

    /// The address of a page.
    #[allow(dead_code, reason = "one of the tests that share this file does not need it")]
    pub fn url(&self, page: &str) -> String {
        format!("http://{}{}{page}", self.host, self.path)
    }

    /// Opens a connection.
    #[allow(dead_code, reason = "one of the tests that share this file does not need it")]
    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.host).unwrap();
        stream.set_read_timeout(Some(LONGEST_WAIT)).unwrap();
        stream
    }

    /// The answer to a `GET` with these additional headers: status and body.
    #[allow(dead_code, reason = "one of the tests that share this file does not need it")]
    pub fn get(&self, page: &str, headers: &[(&str, &str)]) -> (u16, String) {
        self.ask("GET", &format!("{}{page}", self.path), headers, "")
    }

    /// The answer to a request; a `Host` in `headers` replaces the right one.
    #[allow(dead_code, reason = "one of the tests that share this file does not need it")]
    pub fn ask(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> (u16, String) {
        let mut stream = self.connect();
        let head = self.head(method, path, headers);
        // A server may refuse what it has not read to the end: then writing fails, and the answer may be lost.
        let _ = write!(stream, "{head}Connection: close\r\nContent-Length: {}\r\n\r\n{body}", body.len());
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        let answer = String::from_utf8_lossy(&answer).into_owned();
        let status = answer.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or_default();
        (status, answer)
    }

    /// A stream of events, after its head. `last` is the id of the last event of an earlier one.
    #[allow(dead_code, reason = "one of the tests that share this file does not need it")]
    pub fn events(&self, last: Option<&str>) -> Events {
        let mut stream = self.connect();
        let headers: Vec<_> = last.iter().map(|id| ("Last-Event-ID", *id)).collect();
        let head = self.head("GET", &format!("{}events", self.path), &headers);
        write!(stream, "{head}\r\n").unwrap();
        Events::of(stream)
    }

    /// The first lines of a request.
    #[allow(dead_code, reason = "one of the tests that share this file does not need it")]
    pub fn head(&self, method: &str, path: &str, headers: &[(&str, &str)]) -> String {
        let mut head = format!("{method} {path} HTTP/1.1\r\n");
        if headers.iter().all(|(name, _)| !name.eq_ignore_ascii_case("host")) {
            head += &format!("Host: {}\r\n", self.host);
        }
        for (name, value) in headers {
            head += &format!("{name}: {value}\r\n");
        }
        head
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A stream of events.
#[allow(dead_code, reason = "one of the tests that share this file does not need it")]
pub struct Events {
    lines: BufReader<TcpStream>,
}

impl Events {
    /// The events that come by a connection.
    #[allow(dead_code, reason = "one of the tests that share this file does not need it")]
    pub fn of(stream: TcpStream) -> Self {
        Self { lines: BufReader::new(stream) }
    }

    /// The next event: its id, its kind, and its data.
    #[allow(dead_code, reason = "one of the tests that share this file does not need it")]
    pub fn next(&mut self) -> Option<(String, String, serde_json::Value)> {
        let (mut id, mut kind) = (String::new(), String::new());
        let since = Instant::now();
        loop {
            // The empty lines that show that the connection lives are no events.
            assert!(since.elapsed() < LONGEST_WAIT, "no event for {LONGEST_WAIT:?}");
            let mut line = String::new();
            match self.lines.read_line(&mut line) {
                Ok(0) => return None,
                Ok(_) => {}
                Err(error) => panic!("no event for {:?}: {error}", since.elapsed()),
            }
            if let Some(text) = line.strip_prefix("id: ") {
                text.trim().clone_into(&mut id);
            } else if let Some(text) = line.strip_prefix("event: ") {
                text.trim().clone_into(&mut kind);
                if kind == "end" {
                    return None;
                }
            } else if let Some(text) = line.strip_prefix("data: ")
                && !matches!(kind.as_str(), "time" | "viewers")
            {
                return Some((id, kind, serde_json::from_str(text).unwrap()));
            }
        }
    }
}
