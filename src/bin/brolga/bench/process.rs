//! What the system knows of this process and of time; zero where it does not tell.

/// The clock that processes have in common, in nanoseconds.
#[cfg(unix)]
pub(super) fn monotonic_now() -> u64 {
    let mut now = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `now` can be written.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &raw mut now) };
    now.tv_sec as u64 * 1_000_000_000 + now.tv_nsec as u64
}

#[cfg(not(unix))]
pub(super) fn monotonic_now() -> u64 {
    0
}

/// The most resident memory that the process has had, in KiB. What `getrusage` says is no
/// less than the parent had when it started this process.
#[cfg(any(target_os = "linux", target_os = "android"))]
pub(super) fn most_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let most = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    most.and_then(|most| most.split_whitespace().next()?.parse().ok()).unwrap_or_default()
}

/// The most resident memory that the process has had, in KiB.
#[cfg(all(unix, not(any(target_os = "linux", target_os = "android"))))]
pub(super) fn most_memory() -> u64 {
    // SAFETY: all zeros are a value of it, and it can be written.
    let usage = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_SELF, &raw mut usage);
        usage
    };
    // Apple counts bytes.
    usage.ru_maxrss as u64 / if cfg!(target_vendor = "apple") { 1024 } else { 1 }
}

#[cfg(not(unix))]
pub(super) fn most_memory() -> u64 {
    0
}
