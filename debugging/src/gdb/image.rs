//! The object in memory that debuggers read.
//!
//! A relocatable ELF object with nothing to relocate: its section `.text` has the address that
//! the code stands at and no bytes, since the debugger reads code from the process. Debuggers take
//! the addresses of such sections as they are.

use gimli::write::Writer as _;
use object::elf;
use object::write::StringId;
use object::write::elf::{FileHeader, SectionHeader, SectionIndex, Sym, Writer};
use thiserror::Error;

use super::dwarf::{self, Bytes};
use crate::PlacedUnit;
use crate::names::zero_free;

/// Why there is no object.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum ImageError {
    /// There is no code to tell of, or 4 GiB or more.
    #[error("@{name} has {size} bytes of code, of 1 to {most}; leave it out", most = u32::MAX)]
    Size {
        /// The unit.
        name: Box<str>,
        /// Bytes.
        size: u64,
    },
    /// The code would reach beyond the last address.
    #[error(
        "@{name} does not end within memory at address {address:#x}; give the address that it stands at"
    )]
    Address {
        /// The unit.
        name: Box<str>,
        /// The address.
        address: u64,
    },
    /// The format cannot hold what is known of the unit.
    #[error("the debugging information of @{name} cannot be written: {reason}; leave it out")]
    Format {
        /// The unit.
        name: Box<str>,
        /// What it cannot hold.
        reason: Box<str>,
    },
}

/// A section of debugging information.
struct Section<'a> {
    name: &'static str,
    bytes: &'a [u8],
}

/// The object of a unit for x86-64: the same for the same unit, address and text. Zeros in names
/// become `?`.
///
/// # Errors
/// Any [`ImageError`].
pub fn image(placed: &PlacedUnit<'_>) -> Result<Vec<u8>, ImageError> {
    let name = || Box::<str>::from(&*placed.unit.name);
    let size = placed.size();
    let length = u32::try_from(size).ok().filter(|length| *length > 0);
    let length = length.ok_or_else(|| ImageError::Size { name: name(), size })?;
    let address = placed.address;
    if address.checked_add(size).is_none() {
        return Err(ImageError::Address { name: name(), address });
    }
    let format = |reason: String| ImageError::Format { name: name(), reason: reason.into() };
    let dwarf = dwarf::sections(placed, length).map_err(|error| format(error.to_string()))?;
    let mut sections = Vec::new();
    let collect = |id: gimli::SectionId, bytes: &Bytes| {
        if bytes.len() > 0 {
            sections.push((id.name(), bytes.slice().to_vec()));
        }
        Ok(())
    };
    dwarf.for_each(collect).map_err(|error: std::convert::Infallible| match error {})?;
    let sections: Vec<Section<'_>> =
        sections.iter().map(|(name, bytes)| Section { name, bytes }).collect();
    write(placed, &sections).map_err(|error| format(error.to_string()))
}

/// Where a section will be.
struct Reserved {
    name: StringId,
    offset: usize,
}

fn write(placed: &PlacedUnit<'_>, sections: &[Section<'_>]) -> object::write::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let symbol = zero_free(&placed.unit.name);
    let mut writer = Writer::new(object::Endianness::Little, true, &mut bytes);
    writer.reserve_file_header();
    writer.reserve_null_section_index();
    let text_name = writer.add_section_name(b".text");
    let text = writer.reserve_section_index();
    let reserved: Vec<Reserved> = sections
        .iter()
        .map(|section| {
            let name = writer.add_section_name(section.name.as_bytes());
            writer.reserve_section_index();
            Reserved { name, offset: writer.reserve(section.bytes.len(), 1) }
        })
        .collect();
    writer.reserve_null_symbol_index();
    let symbol_name = writer.add_string(symbol.as_bytes());
    writer.reserve_symbol_index(Some(text));
    writer.reserve_symtab_section_index();
    writer.reserve_symtab();
    writer.reserve_strtab_section_index();
    writer.reserve_strtab();
    writer.reserve_shstrtab_section_index();
    writer.reserve_shstrtab();
    writer.reserve_section_headers();

    writer.write_file_header(&FILE)?;
    sections.iter().for_each(|section| writer.write(section.bytes));
    writer.write_null_symbol();
    writer.write_symbol(&function_symbol(placed, symbol_name, text));
    writer.write_strtab();
    writer.write_shstrtab();
    writer.write_null_section_header();
    writer.write_section_header(&text_header(placed, text_name));
    for (section, reserved) in sections.iter().zip(&reserved) {
        writer.write_section_header(&debug_header(section, reserved));
    }
    // The null symbol is the only one that is local.
    writer.write_symtab_section_header(1);
    writer.write_strtab_section_header();
    writer.write_shstrtab_section_header();
    Ok(bytes)
}

const FILE: FileHeader = FileHeader {
    os_abi: elf::ELFOSABI_NONE,
    abi_version: 0,
    e_type: elf::ET_REL,
    e_machine: elf::EM_X86_64,
    e_entry: 0,
    e_flags: 0,
};

/// The function, from the start of its section.
fn function_symbol(placed: &PlacedUnit<'_>, name: StringId, text: SectionIndex) -> Sym {
    Sym {
        name: Some(name),
        section: Some(text),
        st_info: (elf::STB_GLOBAL << 4) | elf::STT_FUNC,
        st_other: elf::STV_DEFAULT,
        st_shndx: 0,
        st_value: 0,
        st_size: placed.size(),
    }
}

fn text_header(placed: &PlacedUnit<'_>, name: StringId) -> SectionHeader {
    SectionHeader {
        name: Some(name),
        sh_type: elf::SHT_NOBITS,
        sh_flags: u64::from(elf::SHF_ALLOC | elf::SHF_EXECINSTR),
        sh_addr: placed.address,
        sh_offset: 0,
        sh_size: placed.size(),
        sh_link: 0,
        sh_info: 0,
        sh_addralign: 1,
        sh_entsize: 0,
    }
}

fn debug_header(section: &Section<'_>, reserved: &Reserved) -> SectionHeader {
    SectionHeader {
        name: Some(reserved.name),
        sh_type: elf::SHT_PROGBITS,
        sh_flags: 0,
        sh_addr: 0,
        sh_offset: reserved.offset as u64,
        sh_size: section.bytes.len() as u64,
        sh_link: 0,
        sh_info: 0,
        sh_addralign: 1,
        sh_entsize: 0,
    }
}
