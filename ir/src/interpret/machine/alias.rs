//! What accesses promise of each other: alias classes and no-alias scopes.

use rustc_hash::FxHashMap;

use super::{Machine, Site, Stop};
use crate::entity::{AliasClass, PackedOption, ScopeSet};
use crate::instruction::Access;
use crate::interpret::code::Code;

/// How many bytes of the program, and accesses of an activation, are remembered.
const REMEMBERED_BYTES: usize = 1 << 20;
const REMEMBERED_ACCESSES: usize = 512;

/// Of a larger access, only so many bytes are remembered.
const LARGEST: u64 = 4096;

/// The deepest class by which each byte was accessed, with its module. All
/// classes of a byte are on one path of the tree, or a promise was broken.
#[derive(Debug, Default)]
pub(in crate::interpret) struct ByteClasses(FxHashMap<u64, (usize, AliasClass)>);

/// An access that says something of scopes.
#[derive(Debug)]
pub(in crate::interpret) struct ScopedAccess {
    start: u64,
    end: u64,
    scopes: PackedOption<ScopeSet>,
    no_alias: PackedOption<ScopeSet>,
}

impl<'m> Machine<'m> {
    /// Compares an access with the earlier ones that overlap it.
    pub(super) fn check_alias(
        &mut self,
        site: Site<'_, 'm>,
        address: u64,
        size: u64,
    ) -> Result<(), Stop> {
        let Some(access) = site.step.data.access() else { return Ok(()) };
        if let Some(class) = access.class.expand() {
            self.check_class(site.code, class, address, size)?;
        }
        if access.scopes.is_some() || access.no_alias.is_some() {
            self.check_scopes(site.code, access, address, size)?;
        }
        Ok(())
    }

    fn check_class(
        &mut self,
        code: &Code<'m>,
        class: AliasClass,
        address: u64,
        size: u64,
    ) -> Result<(), Stop> {
        // Where addresses are used again, a byte is not what it was.
        if !self.memory.has_lasting_addresses() {
            return Ok(());
        }
        let module = self.program.modules[code.module].module;
        let is_below = |below: AliasClass, above: AliasClass| {
            let parent = |&class: &AliasClass| module.class(class)?.parent.expand();
            std::iter::successors(Some(below), parent).any(|class| class == above)
        };
        for byte in (0..size.min(LARGEST)).map(|offset| address.wrapping_add(offset)) {
            let known = self.classes.0.get(&byte).copied();
            match known.filter(|(known_module, _)| *known_module == code.module) {
                Some((_, before)) if is_below(before, class) => {}
                Some((_, before)) if !is_below(class, before) => {
                    let name = |class| module.class(class).map_or("", |data| &data.name);
                    let detail = format!(
                        "{byte:#x} is accessed as class !{} and as !{}",
                        name(before),
                        name(class)
                    );
                    return Err(Stop::broken_promise(detail));
                }
                _ if known.is_some() || self.classes.0.len() < REMEMBERED_BYTES => {
                    self.classes.0.insert(byte, (code.module, class));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Forgets by which classes a slot was accessed: another use of it begins.
    pub(super) fn forget_classes(&mut self, address: u64, size: u64) {
        let classes = &mut self.classes.0;
        if size < classes.len() as u64 {
            for offset in 0..size {
                classes.remove(&address.wrapping_add(offset));
            }
        } else {
            classes.retain(|&byte, _| byte.wrapping_sub(address) >= size);
        }
    }

    fn check_scopes(
        &mut self,
        code: &Code<'m>,
        access: &Access,
        address: u64,
        size: u64,
    ) -> Result<(), Stop> {
        let members = |set: PackedOption<ScopeSet>| {
            set.expand().map_or(&[][..], |set| code.body.scope_set_members(set))
        };
        let meet = |a: PackedOption<ScopeSet>, b: PackedOption<ScopeSet>| {
            members(a).iter().any(|scope| members(b).contains(scope))
        };
        let Access { scopes, no_alias, .. } = *access;
        let new =
            ScopedAccess { start: address, end: address.saturating_add(size), scopes, no_alias };
        let known = &mut self.top()?.scoped;
        let breaks = |old: &ScopedAccess| {
            old.start < new.end
                && new.start < old.end
                && (meet(new.no_alias, old.scopes) || meet(old.no_alias, new.scopes))
        };
        if known.iter().any(breaks) {
            let detail = format!("accesses at {address:#x} overlap, and one says `noalias`");
            return Err(Stop::broken_promise(detail));
        }
        if known.len() < REMEMBERED_ACCESSES {
            known.push(new);
        }
        Ok(())
    }
}
