use super::*;
use crate::op::Op;
use crate::text::{example_module, parse_module};

mod accepted;
