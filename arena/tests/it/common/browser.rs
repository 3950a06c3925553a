//! A browser without a window, driven as its own developer tools do: the DevTools protocol over a pair of pipes, so that
//! nothing is needed but Chromium.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde_json::{Value, json};
use tempfile::TempDir;

/// What Chromium says of a promise whose document was left before it was kept.
const GONE: [&str; 5] = [
    "Inspected target navigated or closed",
    "Execution context was destroyed",
    "Cannot find context",
    "Cannot find default execution context",
    "Promise was collected",
];

const MINUTE: Duration = Duration::from_secs(60);

/// A browser with one page. It ends with this.
pub struct Browser {
    process: Child,
    requests: ChildStdin,
    answers: Receiver<Vec<u8>>,
    session: Option<String>,
    n_requests: u64,
    /// Errors in the page's scripts and breaches of its policy, in the browser's words.
    pub errors: Vec<String>,
    /// What is being loaded, and what is loaded, by the browser's ids.
    loading: Value,
    loaded: Value,
    _profile: TempDir,
}

impl Browser {
    /// Starts the program that the variable `CHROMIUM` names, else `chromium`.
    pub fn start() -> Self {
        let program = std::env::var("CHROMIUM").unwrap_or_else(|_| "chromium".to_owned());
        let profile = tempfile::tempdir().unwrap();
        // The browser reads requests from descriptor 3 and answers on 4: the shell makes them of its own input and output.
        let mut process = Command::new("sh")
            .args(["-c", "exec \"$@\" 3<&0 4>&1 0</dev/null 1>/dev/null", "sh"])
            .arg(&program)
            .args(["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--hide-scrollbars"])
            .args(["--remote-debugging-pipe", "--disable-background-networking"])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            // Its other temporary folders, which it leaves behind when it is killed.
            .env("TMPDIR", profile.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let requests = process.stdin.take().unwrap();
        let mut output = BufReader::new(process.stdout.take().unwrap());
        let (sender, answers) = mpsc::channel();
        thread::spawn(move || {
            loop {
                let mut bytes = Vec::new();
                if !output.read_until(0, &mut bytes).is_ok_and(|n| 0 < n) || sender.send(bytes).is_err() {
                    return;
                }
            }
        });
        let mut browser = Self {
            process,
            requests,
            answers,
            session: None,
            n_requests: 0,
            errors: Vec::new(),
            loading: json!(null),
            loaded: json!(null),
            _profile: profile,
        };
        let target = browser.call("Target.createTarget", &json!({"url": "about:blank"}));
        let attached =
            browser.call("Target.attachToTarget", &json!({"targetId": target["targetId"], "flatten": true}));
        browser.session = attached["sessionId"].as_str().map(str::to_owned);
        for domain in ["Page", "Runtime", "Log"] {
            browser.call(&format!("{domain}.enable"), &json!({}));
        }
        browser.resize(1280, 900);
        browser
    }

    /// Opens a file from disk, and waits until it is loaded.
    #[allow(dead_code, reason = "one of the tests that share this file does not need it")]
    pub fn open(&mut self, page: &Path) {
        self.visit(&format!("file://{}", page.display()));
    }

    /// Opens an address, and waits until it is loaded.
    pub fn visit(&mut self, url: &str) {
        let answer = self.call("Page.navigate", &json!({ "url": url }));
        assert!(answer.get("errorText").is_none(), "{url}: {answer}");
        // Not the document before, which a link may have led to and which is loaded only now.
        while self.loaded != answer["loaderId"] {
            let message = self.read();
            self.hear(&message);
        }
    }

    /// The value of an expression in the page, once its promise is kept if it is one.
    pub fn evaluate(&mut self, expression: &str) -> Value {
        self.try_evaluate(expression).unwrap_or_else(|error| panic!("{expression}: {error}"))
    }

    fn try_evaluate(&mut self, expression: &str) -> Result<Value, String> {
        let answer = self.try_call(
            "Runtime.evaluate",
            &json!({"expression": expression, "awaitPromise": true, "returnByValue": true}),
        )?;
        assert!(answer.get("exceptionDetails").is_none(), "{expression}: {answer}");
        Ok(answer["result"]["value"].clone())
    }

    /// Waits until an expression is true; the page is given as long as it takes, within a minute.
    pub fn wait_for(&mut self, expression: &str) {
        let held = self.holds_soon(expression);
        assert!(held, "never held: {expression}; errors: {:?}", self.errors);
    }

    /// Whether an expression becomes true within a minute: in this document or, if a link leads to another one, in that.
    pub fn holds_soon(&mut self, expression: &str) -> bool {
        let wait = format!(
            "new Promise((done) => {{
               const started = performance.now();
               const look = () => {{
                 if (document.readyState !== 'loading' && ({expression})) done(true);
                 else if (60000 < performance.now() - started) done(false);
                 else setTimeout(look, 10);
               }};
               look();
             }})"
        );
        let began = Instant::now();
        loop {
            match self.try_evaluate(&wait) {
                Ok(value) => return value == json!(true),
                // The document that was asked is gone, and its promise with it.
                Err(error) if GONE.iter().any(|gone| error.contains(gone)) && began.elapsed() < MINUTE => {}
                Err(error) => panic!("{expression}: {error}"),
            }
        }
    }

    /// Goes to a link within the page.
    #[allow(dead_code, reason = "one of the tests that share this file does not need it")]
    pub fn go(&mut self, hash: &str) {
        self.evaluate(&format!("location.hash = {}", json!(hash)));
    }

    /// Presses and releases a key, by its name in the DOM.
    pub fn press(&mut self, key: &str) {
        let (code, text) = match key {
            "Enter" => (13, Some("\r")),
            " " => (32, Some(" ")),
            "Tab" => (9, None),
            "Home" => (36, None),
            "End" => (35, None),
            "ArrowLeft" => (37, None),
            "ArrowUp" => (38, None),
            "ArrowRight" => (39, None),
            "ArrowDown" => (40, None),
            "Escape" => (27, None),
            "Delete" => (46, None),
            letter => (letter.to_ascii_uppercase().as_bytes()[0].into(), Some(letter)),
        };
        let mut event = json!({"type": "keyDown", "key": key, "windowsVirtualKeyCode": code});
        if let Some(text) = text {
            event["text"] = json!(text);
        }
        self.call("Input.dispatchKeyEvent", &event);
        self.call(
            "Input.dispatchKeyEvent",
            &json!({"type": "keyUp", "key": key, "windowsVirtualKeyCode": code}),
        );
    }

    /// Moves the mouse to the middle of the first element that a selector names.
    #[allow(dead_code, reason = "one of the tests that share this file does not need it")]
    pub fn point(&mut self, selector: &str) {
        let place = self.middle(selector);
        self.call(
            "Input.dispatchMouseEvent",
            &json!({"type": "mouseMoved", "x": place["x"], "y": place["y"]}),
        );
    }

    /// The middle of an element once it stands still: a page that was given another width moves in the frames after that.
    fn middle(&mut self, selector: &str) -> Value {
        let place = self.evaluate(&format!(
            "(async () => {{
               const begun = performance.now();
               let [earlier, place] = [null, ''];
               while (performance.now() - begun < 60000) {{
                 const node = document.querySelector({});
                 node.scrollIntoView({{ block: 'center' }});
                 const box = node.getBoundingClientRect();
                 const now = [box.x, box.y, box.width, box.height].join();
                 if (node === earlier && now === place) return {{ x: box.x + box.width / 2, y: box.y + box.height / 2 }};
                 [earlier, place] = [node, now];
                 await new Promise(requestAnimationFrame);
               }}
               return null; }})()",
            json!(selector)
        ));
        assert!(!place.is_null(), "never still: {selector}");
        place
    }

    /// Clicks the middle of the first element that a selector names, as a mouse does.
    pub fn click(&mut self, selector: &str) {
        self.click_with("left", selector);
    }

    /// The same with a button of the mouse: `left` or `right`.
    pub fn click_with(&mut self, button: &str, selector: &str) {
        let place = self.middle(selector);
        for kind in ["mousePressed", "mouseReleased"] {
            let event =
                json!({"type": kind, "x": place["x"], "y": place["y"], "button": button, "clickCount": 1});
            self.call("Input.dispatchMouseEvent", &event);
        }
    }

    /// Drags from the middle of one element to the middle of another, as a mouse does.
    #[allow(dead_code, reason = "one of the tests that share this file does not need it")]
    pub fn drag(&mut self, from: &str, to: &str) {
        self.drag_and("left", from, to, |_| ());
    }

    /// The same with a button of the mouse, `left` or `right`, and a look before it is released.
    #[allow(dead_code, reason = "one of the tests that share this file does not need it")]
    pub fn drag_and(&mut self, button: &str, from: &str, to: &str, look: impl FnOnce(&mut Self)) {
        let places = self.evaluate(&format!(
            "[{}, {}].map((selector) => {{ const box = document.querySelector(selector).getBoundingClientRect();
               return {{ x: box.x + box.width / 2, y: box.y + box.height / 2 }}; }})",
            json!(from),
            json!(to)
        ));
        let mouse = |browser: &mut Self, kind: &str, place: usize| {
            let place = &places[place];
            let event =
                json!({"type": kind, "x": place["x"], "y": place["y"], "button": button, "clickCount": 1});
            browser.call("Input.dispatchMouseEvent", &event);
        };
        mouse(self, "mousePressed", 0);
        mouse(self, "mouseMoved", 1);
        look(self);
        mouse(self, "mouseReleased", 1);
    }

    /// Waits until the first element that a selector names stands still.
    #[allow(dead_code, reason = "one of the tests that share this file does not need it")]
    pub fn wait_until_still(&mut self, selector: &str) {
        self.middle(selector);
    }

    /// Makes the window so wide and high, in the page's pixels.
    pub fn resize(&mut self, width: u32, height: u32) {
        self.call(
            "Emulation.setDeviceMetricsOverride",
            &json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500}),
        );
        // The page learns it later, and a page wider than a phone never has that width.
        let _ = self.try_evaluate(&format!(
            "(async () => {{
               const frame = () => new Promise(requestAnimationFrame);
               const begun = performance.now();
               while (innerWidth !== {width} && performance.now() - begun < 1000) await frame();
               for (let n = 0; n < 2; n += 1) await frame(); }})()"
        ));
    }

    /// Pages that are loaded from now on are seen on a screen that is touched.
    #[allow(dead_code, reason = "one of the tests that share this file does not need it")]
    pub fn touch(&mut self) {
        self.call("Emulation.setTouchEmulationEnabled", &json!({"enabled": true, "maxTouchPoints": 1}));
    }

    /// Taps the middle of the first element that a selector names, as a finger does.
    #[allow(dead_code, reason = "one of the tests that share this file does not need it")]
    pub fn tap(&mut self, selector: &str) {
        let place = self.middle(selector);
        self.touch();
        for (kind, points) in [("touchStart", json!([place])), ("touchEnd", json!([]))] {
            self.call("Input.dispatchTouchEvent", &json!({"type": kind, "touchPoints": points}));
        }
    }

    /// Makes the system's colours dark or light.
    pub fn prefer(&mut self, scheme: &str) {
        // Nothing is in motion when a picture is taken.
        let features = json!([
            {"name": "prefers-color-scheme", "value": scheme},
            {"name": "prefers-reduced-motion", "value": "reduce"},
        ]);
        self.call("Emulation.setEmulatedMedia", &json!({ "features": features }));
    }

    /// Shows the page as on paper, or as on a screen again.
    #[allow(dead_code, reason = "one of the tests that share this file does not need it")]
    pub fn print_media(&mut self, is_paper: bool) {
        self.call("Emulation.setEmulatedMedia", &json!({"media": if is_paper { "print" } else { "" }}));
    }

    /// Writes what is seen to a file, as WebP.
    pub fn screenshot(&mut self, file: &Path) {
        let answer = self.call("Page.captureScreenshot", &json!({"format": "webp", "quality": 82}));
        fs::write(file, BASE64.decode(answer["data"].as_str().unwrap()).unwrap()).unwrap();
    }

    fn call(&mut self, method: &str, params: &Value) -> Value {
        self.try_call(method, params).unwrap_or_else(|error| panic!("{method}: {error}"))
    }

    /// The result of a request, or the browser's error.
    fn try_call(&mut self, method: &str, params: &Value) -> Result<Value, String> {
        self.n_requests += 1;
        let id = self.n_requests;
        let mut request = json!({"id": id, "method": method, "params": params});
        if let Some(session) = &self.session {
            request["sessionId"] = json!(session);
        }
        let mut bytes = request.to_string().into_bytes();
        bytes.push(0);
        self.requests.write_all(&bytes).unwrap();
        loop {
            let mut message = self.read();
            if message["id"] == id {
                return match message.get("error") {
                    Some(error) => Err(error.to_string()),
                    None => Ok(message["result"].take()),
                };
            }
            self.hear(&message);
        }
    }

    fn read(&mut self) -> Value {
        let mut bytes = self.answers.recv_timeout(3 * MINUTE).expect("the browser says something");
        assert_eq!(bytes.pop(), Some(0), "the browser has ended");
        serde_json::from_slice(&bytes).unwrap()
    }

    fn hear(&mut self, message: &Value) {
        let params = &message["params"];
        match message["method"].as_str() {
            Some("Page.frameNavigated") => self.loading = params["frame"]["loaderId"].clone(),
            Some("Page.loadEventFired") => self.loaded = self.loading.clone(),
            Some("Runtime.exceptionThrown") => self.errors.push(params["exceptionDetails"].to_string()),
            Some("Log.entryAdded") => self.errors.push(params["entry"].to_string()),
            Some("Runtime.consoleAPICalled") => self.errors.push(params["args"].to_string()),
            _ => {}
        }
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
