//! A place in a site for pages that change while the site is shown.

use std::sync::{Arc, Mutex, PoisonError};

use axum::Router;
use axum::extract::Request;
use hyper::service::Service;
use hyper_util::service::TowerToHyperService;

/// A place for pages. Clones are the same place.
#[derive(Clone, Debug, Default)]
pub struct Slot(Arc<Mutex<Router>>);

impl Slot {
    /// Shows these pages from now on.
    pub fn set(&self, router: Router) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = router;
    }

    /// The addresses of the place.
    pub fn routes(&self) -> Router {
        let Self(place) = self.clone();
        Router::new().fallback(async move |request: Request| {
            let router = place.lock().unwrap_or_else(PoisonError::into_inner).clone();
            TowerToHyperService::new(router).call(request).await
        })
    }
}
