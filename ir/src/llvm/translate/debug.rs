//! Source locations.
