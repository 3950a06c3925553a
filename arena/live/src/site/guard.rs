//! What stands before every page: who may ask, and what the browser may do with the answer. A web page of somebody else
//! must neither read this site nor act on it, even if its name is made to lead to this machine (DNS rebinding).

use std::net::IpAddr;

use axum::Router;
use axum::body::Body;
use axum::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use axum::http::{Method, Request, StatusCode, Uri};
use axum::response::{IntoResponse, Redirect, Response};
use hyper::service::Service;
use hyper_util::service::TowerToHyperService;

use super::Token;

/// Only scripts, styles and data of the site itself; text never becomes markup.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'none'; \
                      require-trusted-types-for 'script'; trusted-types 'none'";

const HEADERS: [(HeaderName, &str); 7] = [
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::X_FRAME_OPTIONS, "DENY"),
    // The address contains the token.
    (header::REFERRER_POLICY, "no-referrer"),
    (header::CACHE_CONTROL, "no-store"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// The answer of `router` to a request that is allowed, with the headers that limit what a browser does. The router sees
/// the address without the token.
pub async fn guarded(token: &Token, mut request: Request<Body>, router: Router) -> Response {
    let refused = refusal(token, &request).map(IntoResponse::into_response);
    let answer = match refused.or_else(|| without_token(token, &mut request)) {
        Some(response) => Ok(response),
        None => TowerToHyperService::new(router).call(request).await,
    };
    let Ok(mut response) = answer;
    for (name, value) in HEADERS {
        // A page may have a policy of its own.
        response.headers_mut().entry(name).or_insert(HeaderValue::from_static(value));
    }
    response
}

/// Removes the token from the address. One that ends with it leads to the page, whose links need the slash.
fn without_token(token: &Token, request: &mut Request<Body>) -> Option<Response> {
    let path = request.uri().path_and_query().map_or("", |path| path.as_str());
    let rest = path.get(1 + token.text().len()..).unwrap_or_default();
    match rest.parse::<Uri>() {
        Ok(uri) if rest.starts_with('/') => {
            *request.uri_mut() = uri;
            None
        }
        _ => Some(Redirect::to(&format!("/{}/{rest}", token.text())).into_response()),
    }
}

fn refusal(token: &Token, request: &Request<Body>) -> Option<(StatusCode, &'static str)> {
    let headers = request.headers();
    let Some(host) = only(headers, &header::HOST).filter(|host| is_address(host)) else {
        return Some((
            StatusCode::MISDIRECTED_REQUEST,
            "this site answers only at its IP address and at `localhost`\n",
        ));
    };
    let is_reading = matches!(*request.method(), Method::GET | Method::HEAD);
    let is_foreign = match headers.get(header::ORIGIN) {
        Some(_) => {
            only(headers, &header::ORIGIN).and_then(|origin| origin.strip_prefix("http://")) != Some(host)
        }
        // Browsers send it with every request that changes something.
        None => !is_reading,
    };
    let is_cross_site = match only(headers, &HeaderName::from_static("sec-fetch-site")) {
        // A link on another site may open a page.
        Some("cross-site" | "same-site") => {
            only(headers, &HeaderName::from_static("sec-fetch-mode")) != Some("navigate") || !is_reading
        }
        _ => false,
    };
    if is_foreign || is_cross_site {
        return Some((StatusCode::FORBIDDEN, "requests of other sites are refused\n"));
    }
    let is_json = || only(headers, &header::CONTENT_TYPE) == Some("application/json");
    if !is_reading && !is_json() {
        return Some((StatusCode::UNSUPPORTED_MEDIA_TYPE, "send JSON\n"));
    }
    if !token.is_in(request.uri().path()) {
        return Some((
            StatusCode::FORBIDDEN,
            "the address is not complete: open the whole address that `arena` printed\n",
        ));
    }
    None
}

/// The value of a header that is there once.
fn only<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    let mut values = headers.get_all(name).iter();
    let value = values.next()?.to_str().ok()?;
    values.next().is_none().then_some(value)
}

/// Whether a host is an IP address or `localhost`: names that nobody else can make lead here.
fn is_address(host: &str) -> bool {
    let (name, port) = match host.rsplit_once(':') {
        Some((name, port)) if !port.ends_with(']') => (name, port),
        _ => (host, "80"),
    };
    let address = match name.strip_prefix('[') {
        Some(rest) => rest.strip_suffix(']').is_some_and(|inner| inner.parse::<std::net::Ipv6Addr>().is_ok()),
        None => name.parse::<IpAddr>().is_ok_and(|address| address.is_ipv4()),
    };
    port.parse::<u16>().is_ok() && (address || name.eq_ignore_ascii_case("localhost"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_that_cannot_be_rebound() {
        for host in
            ["127.0.0.1:80", "127.0.0.1", "[::1]:8080", "[::1]", "localhost:1", "LOCALHOST:9", "10.0.0.7:8"]
        {
            assert!(is_address(host), "{host}");
        }
        for host in [
            "",
            "evil.example",
            "evil.example:80",
            "localhost.evil.example:80",
            "127.0.0.1.evil.example:1",
            "127.0.0.1:80:80",
            "::1",
            "::1:80",
            "[::1]evil:80",
            "localhost:",
            "localhost:x",
        ] {
            assert!(!is_address(host), "{host}");
        }
    }

    #[test]
    fn an_address_without_its_last_slash_leads_to_the_page() {
        let token = Token("s3cret".to_owned());
        for (path, expected) in [
            ("/s3cret", Some("/s3cret/")),
            ("/s3cret?game=push", Some("/s3cret/?game=push")),
            ("/s3cret/events", None),
        ] {
            let mut request = Request::builder().uri(path).body(Body::empty()).expect("a request");
            let response = without_token(&token, &mut request);
            let location =
                response.as_ref().map(|it| it.headers()[header::LOCATION].to_str().expect("an address"));
            assert_eq!(location, expected, "{path}");
        }
    }

    #[test]
    fn who_is_refused() {
        let token = Token("s3cret".to_owned());
        let check = |method: &str, path: &str, headers: &[(&str, &str)], expected: Option<StatusCode>| {
            let mut request = Request::builder().method(method).uri(path);
            for (name, value) in headers {
                request = request.header(*name, *value);
            }
            let request = request.body(Body::empty()).expect("a request");
            let refused = refusal(&token, &request).map(|(status, _)| status);
            assert_eq!(refused, expected, "{method} {path} {headers:?}");
        };
        let host = ("host", "127.0.0.1:8000");
        let own = ("origin", "http://127.0.0.1:8000");
        let json = ("content-type", "application/json");
        let forbidden = Some(StatusCode::FORBIDDEN);
        check("GET", "/s3cret/", &[host], None);
        check("GET", "/s3cret/events", &[host, own], None);
        check("POST", "/s3cret/move", &[host, own, json], None);
        check("GET", "/", &[host], forbidden);
        check("GET", "/s3cre/", &[host], forbidden);
        check("GET", "/x/s3cret/", &[host], forbidden);
        // DNS rebinding: the name of another site leads here.
        let rebound = Some(StatusCode::MISDIRECTED_REQUEST);
        check("GET", "/s3cret/", &[("host", "evil.example:8000")], rebound);
        check("GET", "/s3cret/", &[], rebound);
        check("GET", "/s3cret/", &[host, ("host", "evil.example")], rebound);
        // Another site, another port, no site, and an old browser's form.
        for origin in ["http://evil.example", "http://127.0.0.1:8001", "null", "https://127.0.0.1:8000"] {
            check("POST", "/s3cret/move", &[host, ("origin", origin), json], forbidden);
            check("GET", "/s3cret/events", &[host, ("origin", origin)], forbidden);
        }
        check("POST", "/s3cret/move", &[host, json], forbidden);
        let form = ("content-type", "text/plain");
        check("POST", "/s3cret/move", &[host, own, form], Some(StatusCode::UNSUPPORTED_MEDIA_TYPE));
        let cross = ("sec-fetch-site", "cross-site");
        check("GET", "/s3cret/events", &[host, cross, ("sec-fetch-mode", "cors")], forbidden);
        check("GET", "/s3cret/", &[host, cross, ("sec-fetch-mode", "navigate")], None);
    }
}
