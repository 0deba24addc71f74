//! What a dump needs of the system: its clock, its numbers, and a file that perf finds.

#[cfg(target_os = "linux")]
pub(super) use linux::{DumpFile, elf_machine, now, thread};
#[cfg(not(target_os = "linux"))]
pub(super) use nowhere::{DumpFile, elf_machine, now, thread};

#[cfg(target_os = "linux")]
mod linux {
    use std::ffi::c_void;
    use std::fs::File;
    use std::io;
    use std::os::unix::fs::FileExt;
    use std::path::Path;

    use brolga_lowering::target::Architecture;
    use rustix::mm::{MapFlags, ProtFlags, mmap, munmap};
    use rustix::time::{ClockId, clock_gettime};

    use crate::perf_map::create_anew;

    /// The number of the machine in ELF, if code is made for it.
    pub(in super::super) fn elf_machine() -> Option<u32> {
        Architecture::host().map(|architecture| match architecture {
            Architecture::X86_64 => u32::from(object::elf::EM_X86_64),
            Architecture::Aarch64 => u32::from(object::elf::EM_AARCH64),
        })
    }

    /// Nanoseconds of the clock that `perf record -k 1` uses.
    pub(in super::super) fn now() -> u64 {
        let time = clock_gettime(ClockId::Monotonic);
        // The clock starts at the boot: neither part is negative.
        time.tv_sec.unsigned_abs() * 1_000_000_000 + time.tv_nsec.unsigned_abs()
    }

    /// The number of this thread.
    pub(in super::super) fn thread() -> u32 {
        rustix::thread::gettid().as_raw_nonzero().get().unsigned_abs()
    }

    /// A file whose first page is mapped.
    #[derive(Debug)]
    pub(in super::super) struct DumpFile {
        file: File,
        length: u64,
        is_open: bool,
        /// Mapped for as long as there may be a reader.
        _page: Page,
    }

    impl DumpFile {
        /// Makes the file, with what it begins with.
        pub(in super::super) fn create(path: &Path, header: &[u8]) -> io::Result<DumpFile> {
            let file = create_anew(path)?;
            let _page = Page::map(&file)?;
            let mut dump = DumpFile { file, length: 0, is_open: true, _page };
            dump.append(header)?;
            Ok(dump)
        }

        /// Adds bytes: all, or none that a reader would come to.
        pub(in super::super) fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
            if let Err(error) = self.file.write_all_at(bytes, self.length) {
                // If this fails, too, the next record overwrites what there is of this one.
                let _ = self.file.set_len(self.length);
                return Err(error);
            }
            self.length += bytes.len() as u64;
            Ok(())
        }

        /// Writes to another file from now on; gives back the one before.
        #[cfg(test)]
        pub(in super::super) fn replace(&mut self, file: File) -> File {
            std::mem::replace(&mut self.file, file)
        }

        /// Adds the last bytes, once.
        pub(in super::super) fn end(&mut self, bytes: &[u8]) -> io::Result<()> {
            match std::mem::replace(&mut self.is_open, false) {
                true => self.append(bytes),
                false => Ok(()),
            }
        }
    }

    /// A mapping that nobody reads: the kernel tells perf of it, and so of the file.
    #[derive(Debug)]
    struct Page(*mut c_void);

    impl Page {
        fn map(file: &File) -> io::Result<Page> {
            let protection = ProtFlags::READ | ProtFlags::EXEC;
            let (null, size) = (std::ptr::null_mut(), rustix::param::page_size());
            // SAFETY: a new mapping, of nothing that is in use.
            let start = unsafe { mmap(null, size, protection, MapFlags::PRIVATE, file, 0) }?;
            Ok(Page(start))
        }
    }

    impl Drop for Page {
        fn drop(&mut self) {
            // SAFETY: the mapping is ours, and nobody has its address.
            let _ = unsafe { munmap(self.0, rustix::param::page_size()) };
        }
    }

    // SAFETY: the address is only kept to give the mapping back, which any thread can.
    unsafe impl Send for Page {}
}

#[cfg(not(target_os = "linux"))]
mod nowhere {
    use std::io;
    use std::path::Path;

    pub(in super::super) fn elf_machine() -> Option<u32> {
        None
    }

    pub(in super::super) fn now() -> u64 {
        0
    }

    pub(in super::super) fn thread() -> u32 {
        0
    }

    /// There is none: nobody would read it.
    #[derive(Debug)]
    pub(in super::super) enum DumpFile {}

    impl DumpFile {
        pub(in super::super) fn create(_path: &Path, _header: &[u8]) -> io::Result<DumpFile> {
            Err(io::ErrorKind::Unsupported.into())
        }

        pub(in super::super) fn append(&mut self, _bytes: &[u8]) -> io::Result<()> {
            match *self {}
        }

        pub(in super::super) fn end(&mut self, _bytes: &[u8]) -> io::Result<()> {
            match *self {}
        }
    }
}
