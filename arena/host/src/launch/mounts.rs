//! The file systems of a mount namespace, all of them read-only except one folder: for systems whose Landlock is too old.

use std::env;
use std::fs::{self, OpenOptions};
use std::os::fd::AsRawFd;
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use nix::mount::{MsFlags, mount};

const TABLE: &str = "/proc/self/mountinfo";

/// The devices that stay. Others can be written to on a read-only file system, too: disks, terminals.
const DEVICES: [&str; 5] = ["/dev/full", "/dev/null", "/dev/random", "/dev/urandom", "/dev/zero"];

/// Makes everything read-only except what is below `writable`, for all processes of this mount namespace, and removes all
/// devices but harmless ones.
pub fn make_read_only(writable: &Path) -> Result<(), String> {
    let writable = writable.canonicalize().map_err(|error| failed(writable, &error))?;
    // A mount of its own, which keeps its rights.
    mount(Some(&writable), &writable, None::<&str>, MsFlags::MS_BIND, None::<&str>)
        .map_err(|error| failed(&writable, &error))?;
    // The working folder is still the one below the new mount.
    if let Ok(folder) = env::current_dir()
        && folder.starts_with(&writable)
    {
        env::set_current_dir(&folder).map_err(|error| failed(&folder, &error))?;
    }
    for device in DEVICES.iter().filter(|device| Path::new(device).exists()) {
        mount(Some(*device), *device, None::<&str>, MsFlags::MS_BIND, None::<&str>)
            .map_err(|error| failed(Path::new(device), &error))?;
    }
    for mounted in mounts()? {
        if is_device(&mounted.path) || mounted.is_done(&writable) || !mounted.is_reachable() {
            continue;
        }
        let mut flags = mounted.flags | MsFlags::MS_REMOUNT | MsFlags::MS_BIND | MsFlags::MS_NODEV;
        flags.set(MsFlags::MS_RDONLY, mounted.is_read_only() || mounted.path != writable);
        mount(None::<&str>, &mounted.path, None::<&str>, flags, None::<&str>)
            .map_err(|error| failed(&mounted.path, &error))?;
    }
    match mounts()?.iter().find(|it| !is_device(&it.path) && !it.is_done(&writable) && it.is_reachable()) {
        Some(mounted) => Err(format!("`{}` stays writable", mounted.path.display())),
        None => Ok(()),
    }
}

fn is_device(path: &Path) -> bool {
    DEVICES.iter().any(|device| path == Path::new(device))
}

/// A line of the table of mounts.
struct Mounted {
    id: u32,
    path: PathBuf,
    flags: MsFlags,
}

impl Mounted {
    /// Whether a process could get there: another mount at its place or above it may hide it, or its parents may be
    /// private.
    fn is_reachable(&self) -> bool {
        let mut options = OpenOptions::new();
        let Ok(place) = options.read(true).custom_flags(libc::O_PATH | libc::O_NOFOLLOW).open(&self.path)
        else {
            return false;
        };
        let info = fs::read_to_string(format!("/proc/self/fdinfo/{}", place.as_raw_fd())).unwrap_or_default();
        let id = info.lines().find_map(|line| line.strip_prefix("mnt_id:")?.trim().parse().ok());
        id.is_none_or(|id: u32| id == self.id)
    }

    /// Whether it is as it shall be.
    fn is_done(&self, writable: &Path) -> bool {
        self.flags.contains(MsFlags::MS_NODEV) && (self.is_read_only() || self.path == writable)
    }

    const fn is_read_only(&self) -> bool {
        self.flags.contains(MsFlags::MS_RDONLY)
    }

    /// `36 35 98:0 /root /mount/point rw,noatime shared:1 - ext4 /dev/root rw`
    fn parse(line: &str) -> Option<Self> {
        let mut fields = line.split(' ');
        let id = fields.next()?.parse().ok()?;
        let mut fields = fields.skip(3);
        let path = PathBuf::from(std::ffi::OsString::from_vec(unescaped(fields.next()?)));
        let flag = |option: &str| match option {
            "ro" => MsFlags::MS_RDONLY,
            "nosuid" => MsFlags::MS_NOSUID,
            "nodev" => MsFlags::MS_NODEV,
            "noexec" => MsFlags::MS_NOEXEC,
            "noatime" => MsFlags::MS_NOATIME,
            "nodiratime" => MsFlags::MS_NODIRATIME,
            "relatime" => MsFlags::MS_RELATIME,
            _ => MsFlags::empty(),
        };
        Some(Self { id, path, flags: fields.next()?.split(',').map(flag).collect() })
    }
}

fn mounts() -> Result<Vec<Mounted>, String> {
    let table = fs::read_to_string(TABLE).map_err(|error| format!("`{TABLE}`: {error}"))?;
    Ok(table.lines().filter_map(Mounted::parse).collect())
}

/// A path of the table: a space, for example, is `\040`.
fn unescaped(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        let digits = after.get(..3).filter(|_| byte == b'\\');
        let number = digits.and_then(|digits| u8::from_str_radix(std::str::from_utf8(digits).ok()?, 8).ok());
        bytes.push(number.unwrap_or(byte));
        rest = if number.is_some() { &after[3..] } else { after };
    }
    bytes
}

fn failed(path: &Path, error: &dyn std::fmt::Display) -> String {
    format!("`{}` cannot be made read-only: {error}", path.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_the_table() {
        let line =
            "36 35 98:0 /mnt1 /mnt\\040\\134x rw,noatime,nosuid master:1 - ext3 /dev/root rw,errors=continue";
        let mounted = Mounted::parse(line).unwrap();
        assert_eq!((mounted.id, mounted.path.as_path()), (36, Path::new("/mnt \\x")));
        assert_eq!(mounted.flags, MsFlags::MS_NOATIME | MsFlags::MS_NOSUID);
        assert!(Mounted::parse("36 35").is_none() && mounts().is_ok_and(|mounts| !mounts.is_empty()));
    }
}
