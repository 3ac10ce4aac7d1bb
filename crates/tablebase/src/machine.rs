//! How much memory there is, how much of it the process may have, and how much it has had.

use std::path::{Path, PathBuf};

/// More memory than machines have, in bytes.
pub(crate) const NO_MACHINE: u128 = 1 << 43;

/// Memory of the machine, or of what confines the process: a control group above it, or a limit of
/// its address space; in bytes.
#[must_use]
pub fn machine_memory() -> Option<u64> {
    let mut system = sysinfo::System::new();
    system.refresh_memory();
    let machine = Some(system.total_memory()).filter(|bytes| *bytes > 0);
    if !cfg!(target_os = "linux") {
        return machine;
    }
    let read = |path: &str| std::fs::read_to_string(path).unwrap_or_default();
    let groups = of_groups(&read("/proc/self/cgroup"), Path::new("/sys/fs/cgroup"));
    let space = of_space(&read("/proc/self/limits"));
    machine.into_iter().chain(groups).chain(space).min()
}

/// The least limit of the control groups that a process is in, given its `/proc/self/cgroup` and where
/// their hierarchies are: each limits everything below it.
fn of_groups(own: &str, root: &Path) -> Option<u64> {
    let limits = own.lines().filter_map(|line| {
        // Number, controllers (none in version 2), path.
        let mut fields = line.splitn(3, ':');
        let (_, controllers, path) = (fields.next()?, fields.next()?, fields.next()?);
        if controllers.is_empty() {
            let unified = root.join("unified");
            let root = if unified.is_dir() {
                unified
            } else {
                root.into()
            };
            return least(root, path, "memory.max");
        }
        let memory = controllers.split(',').any(|name| name == "memory");
        memory.then(|| least(root.join("memory"), path, "memory.limit_in_bytes"))?
    });
    limits.min()
}

// The least number in the files of a name from a folder down along a path. In a container the path may
// be that of the host, of which only the end is to be seen, or nothing but the root.
fn least(root: PathBuf, path: &str, name: &str) -> Option<u64> {
    let mut folder = root;
    let mut folders = vec![folder.clone()];
    for part in path
        .split('/')
        .filter(|part| !matches!(*part, "" | "." | ".."))
    {
        folder.push(part);
        folders.push(folder.clone());
    }
    let limit = |folder: PathBuf| -> Option<u64> {
        let text = std::fs::read_to_string(folder.join(name)).ok()?;
        text.trim().parse().ok()
    };
    folders.into_iter().filter_map(limit).min()
}

// The limit of the address space in a text such as `/proc/self/limits`.
fn of_space(limits: &str) -> Option<u64> {
    let line = limits
        .lines()
        .find_map(|line| line.strip_prefix("Max address space"))?;
    line.split_whitespace().next()?.parse().ok()
}

/// Begins a new measurement of [`peak_memory`], where the system allows it.
pub fn reset_peak_memory() {
    // 5 resets the high-water mark of the process.
    if cfg!(target_os = "linux") {
        let _ = std::fs::write("/proc/self/clear_refs", "5");
    }
}

/// Most memory that the process has had so far, in bytes; `None` where the system does not tell. Elsewhere
/// than on Linux a file of that name speaks of another process, if there is one.
#[must_use]
pub fn peak_memory() -> Option<u64> {
    if !cfg!(target_os = "linux") {
        return None;
    }
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_limit_on_the_way_down_counts() {
        let root = tempfile::tempdir().unwrap();
        let put = |path: &str, text: &str| {
            let path = root.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        let found = |own: &str| of_groups(own, root.path());
        put("a/memory.max", "max\n");
        put("a/b/memory.max", "4096\n");
        put("a/b/c/memory.max", "8192\n");
        assert_eq!(found("0::/a\n"), None);
        assert_eq!(found("0::/a/b\n"), Some(4096));
        assert_eq!(found("0::/a/b/c\n"), Some(4096), "nested");
        // A container sees its own group as the root.
        put("memory.max", "1024\n");
        assert_eq!(found("0::/\n"), Some(1024));
        assert_eq!(found("0::/../elsewhere\n"), Some(1024));
        // Version 1, and both at once.
        put("memory/x/memory.limit_in_bytes", "700\n");
        put("memory/x/y/memory.limit_in_bytes", "9223372036854771712\n");
        assert_eq!(found("12:cpu,memory:/x/y\n3:pids:/x\n"), Some(700));
        put("unified/a/memory.max", "600\n");
        assert_eq!(found("5:memory:/x\n0::/a\n"), Some(600));
        assert_eq!(found("5:cpu:/x\n"), None);
        assert_eq!(found("nonsense"), None);
    }

    #[test]
    fn the_limit_of_the_address_space_is_read() {
        let text = "Limit  Soft Limit  Hard Limit  Units\n\
                    Max file size             unlimited            unlimited            bytes\n\
                    Max address space         1073741824           unlimited            bytes\n";
        assert_eq!(of_space(text), Some(1 << 30));
        assert_eq!(
            of_space("Max address space  unlimited  unlimited  bytes"),
            None
        );
    }
}
