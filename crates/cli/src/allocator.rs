//! The system's allocator, for a command that answers many questions one after another on many threads.
//!
//! Left to itself the allocator of glibc gives every few threads an arena of their own and keeps in
//! each what was freed. It also takes a freed piece for a sign that pieces of this size are better
//! kept: after a solve of 16 MiB all pieces up to that come from the arenas, and stay there. The
//! process then still holds memory that is free according to the limit.

/// Begins the program anew, as the same process, with other settings of the allocator. It then
/// gives freed pieces of more than 128 KiB back to the system, whatever their size, and all threads
/// share smaller ones. It reads its settings when a process begins, so this comes before anything
/// else is done. Nothing is done where the allocator is another one, or has such settings already;
/// where it fails the program goes on.
pub(crate) fn give_back() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    begin_anew();
}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn begin_anew() {
    use std::ffi::OsString;
    use std::os::unix::process::CommandExt;

    const NAME: &str = "GLIBC_TUNABLES";
    const SETTINGS: &str = "glibc.malloc.arena_max=2:glibc.malloc.mmap_threshold=131072";
    let mut settings = std::env::var_os(NAME).unwrap_or_default();
    if settings.to_string_lossy().contains("glibc.malloc.") {
        return;
    }
    if !settings.is_empty() {
        settings.push(":");
    }
    settings.push(SETTINGS);
    let mut args: Vec<OsString> = std::env::args_os().collect();
    if args.is_empty() {
        return;
    }
    let mut anew = std::process::Command::new("/proc/self/exe");
    anew.arg0(args.remove(0)).args(args).env(NAME, settings);
    // It comes back only where it failed: the answers are the same with the usual settings.
    drop(anew.exec());
}
