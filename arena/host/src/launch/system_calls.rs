//! The system calls that a sandbox denies, enforced by the kernel's seccomp: those that namespaces and Landlock do not
//! cover, and those that make attacks on the kernel easier. A denied call fails; it does not end the engine.

use std::collections::BTreeMap;

use libc::c_long;
use seccompiler::{
    BackendError, BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, TargetArch,
};

/// Denied with any arguments.
const DENIED: &[c_long] = &[
    // Sockets: those with a name in the file system are not bound to a network namespace. io_uring hides calls.
    libc::SYS_socket,
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    // Access to other processes.
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_process_madvise,
    libc::SYS_pidfd_getfd,
    libc::SYS_kcmp,
    // Metadata of files, which Landlock does not cover.
    libc::SYS_fchmod,
    libc::SYS_fchmodat,
    libc::SYS_fchown,
    libc::SYS_fchownat,
    libc::SYS_utimensat,
    libc::SYS_setxattr,
    libc::SYS_lsetxattr,
    libc::SYS_fsetxattr,
    libc::SYS_removexattr,
    libc::SYS_lremovexattr,
    libc::SYS_fremovexattr,
    FCHMODAT2,
    SETXATTRAT,
    REMOVEXATTRAT,
    FILE_SETATTR,
    // Names in folders that may not be read.
    libc::SYS_inotify_init1,
    libc::SYS_inotify_add_watch,
    libc::SYS_fanotify_init,
    libc::SYS_fanotify_mark,
    // What is left of sockets needs no options, and larger buffers are memory of the kernel.
    libc::SYS_setsockopt,
    // Memory that belongs to no process, so that no limit applies.
    libc::SYS_landlock_create_ruleset,
    libc::SYS_landlock_add_rule,
    libc::SYS_landlock_restrict_self,
    libc::SYS_timer_create,
    libc::SYS_memfd_create,
    libc::SYS_memfd_secret,
    libc::SYS_shmget,
    libc::SYS_semget,
    libc::SYS_msgget,
    libc::SYS_mq_open,
    libc::SYS_vmsplice,
    libc::SYS_io_setup,
    // Processors of other matches.
    libc::SYS_sched_setaffinity,
    SESSIONS,
    // Other namespaces, mounts, roots.
    libc::SYS_unshare,
    libc::SYS_setns,
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_open_tree,
    libc::SYS_move_mount,
    libc::SYS_fsopen,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fspick,
    libc::SYS_mount_setattr,
    libc::SYS_name_to_handle_at,
    libc::SYS_open_by_handle_at,
    // Parts of the kernel that an engine does not need.
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_keyctl,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_kexec_load,
    libc::SYS_reboot,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_syslog,
    libc::SYS_acct,
    libc::SYS_quotactl,
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_adjtimex,
    libc::SYS_clock_adjtime,
    libc::SYS_sethostname,
    libc::SYS_setdomainname,
];

/// Many systems divide the processors between sessions: an engine that has many could take them from the arena.
const SESSIONS: c_long = libc::SYS_setsid;

/// Newer than the C library's list of names; the numbers are the same on all architectures.
const FCHMODAT2: c_long = 452;
const SETXATTRAT: c_long = 463;
const REMOVEXATTRAT: c_long = 466;
const FILE_SETATTR: c_long = 469;

/// Older calls that exist only on some architectures.
#[cfg(target_arch = "x86_64")]
const DENIED_HERE: &[c_long] = &[
    libc::SYS_chmod,
    libc::SYS_chown,
    libc::SYS_lchown,
    libc::SYS_utime,
    libc::SYS_utimes,
    libc::SYS_futimesat,
    libc::SYS_inotify_init,
    libc::SYS_iopl,
    libc::SYS_ioperm,
    libc::SYS_kexec_file_load,
    // The same calls with the numbers of the x32 interface, if they differ.
    521, // ptrace
    528, // kexec_load
    539, // process_vm_readv
    540, // process_vm_writev
];
#[cfg(not(target_arch = "x86_64"))]
const DENIED_HERE: &[c_long] = &[];

/// x32 programs use the usual numbers with this bit.
#[cfg(target_arch = "x86_64")]
const ALIASES: &[c_long] = &[0, 0x4000_0000];
#[cfg(not(target_arch = "x86_64"))]
const ALIASES: &[c_long] = &[0];

/// Restricts this process and all processes that it starts. They can no longer gain privileges. With `network`, they can
/// use the internet.
pub fn restrict(network: bool) -> Result<(), String> {
    apply("sandbox", denied(network))?;
    // seccomp cannot see its arguments. It is reported as missing, so that libraries use `clone`.
    apply("sandbox", filter(BTreeMap::from([(libc::SYS_clone3, Vec::new())]), libc::ENOSYS))
}

/// Keeps this process and all processes that it starts in their session, as [`restrict`] does. They can no longer gain
/// privileges.
pub fn keep_session() -> Result<(), String> {
    apply("processes", filter(BTreeMap::from([(SESSIONS, Vec::new())]), libc::EPERM))
}

fn apply(key: &str, filter: Result<BpfProgram, BackendError>) -> Result<(), String> {
    let needs = |error: &dyn std::fmt::Display| {
        format!("`{key}` needs the seccomp filters of the kernel, but they cannot be used: {error}")
    };
    let filter = filter.map_err(|error| needs(&error))?;
    seccompiler::apply_filter(&filter).map_err(|error| needs(&error))
}

/// Answers these calls with `error`.
fn filter(rules: BTreeMap<c_long, Vec<SeccompRule>>, error: i32) -> Result<BpfProgram, BackendError> {
    let architecture: TargetArch = std::env::consts::ARCH.try_into()?;
    let error = SeccompAction::Errno(error.unsigned_abs());
    SeccompFilter::new(with_aliases(rules), SeccompAction::Allow, error, architecture)?.try_into()
}

fn denied(network: bool) -> Result<BpfProgram, BackendError> {
    let mut denied: BTreeMap<c_long, Vec<SeccompRule>> =
        DENIED.iter().chain(DENIED_HERE).map(|call| (*call, Vec::new())).collect();
    denied.insert(libc::SYS_socketpair, socket_pairs()?);
    denied.insert(libc::SYS_ioctl, flags_of_files()?);
    denied.insert(libc::SYS_fcntl, larger_pipes()?);
    denied.insert(libc::SYS_clone, new_namespaces()?);
    if network {
        denied.insert(libc::SYS_socket, other_sockets()?);
        denied.remove(&libc::SYS_setsockopt);
    }
    filter(denied, libc::EPERM)
}

fn with_aliases(rules: BTreeMap<c_long, Vec<SeccompRule>>) -> BTreeMap<i64, Vec<SeccompRule>> {
    rules
        .into_iter()
        .flat_map(|(call, rules)| ALIASES.iter().map(move |alias| (call | alias, rules.clone())))
        .collect()
}

/// Socket pairs other than local streams: other local ones can be connected to a name in the file system afterwards, and
/// other families are parts of the kernel that an engine does not need.
fn socket_pairs() -> Result<Vec<SeccompRule>, BackendError> {
    const KIND: u64 = 0xf;
    let other_family = SeccompCondition::new(
        0,
        SeccompCmpArgLen::Dword,
        SeccompCmpOp::Ne,
        u64::from(libc::AF_UNIX.unsigned_abs()),
    )?;
    (0..=KIND)
        .filter(|kind| *kind != u64::from(libc::SOCK_STREAM.unsigned_abs()))
        .map(|kind| masked_argument(1, KIND, kind))
        .chain([SeccompRule::new(vec![other_family])])
        .collect()
}

/// Sockets other than those of the internet: local ones lead to services of this machine that trust whoever reaches them.
fn other_sockets() -> Result<Vec<SeccompRule>, BackendError> {
    let is_other = |family: i32| {
        let family = u64::from(family.unsigned_abs());
        SeccompCondition::new(0, SeccompCmpArgLen::Dword, SeccompCmpOp::Ne, family)
    };
    Ok(vec![SeccompRule::new(vec![is_other(libc::AF_INET)?, is_other(libc::AF_INET6)?])?])
}

/// Pipes that hold more than the usual 64 KiB.
fn larger_pipes() -> Result<Vec<SeccompRule>, BackendError> {
    Ok(vec![masked_argument(1, u32::MAX.into(), u64::from(libc::F_SETPIPE_SZ.unsigned_abs()))?])
}

/// Other metadata of files.
fn flags_of_files() -> Result<Vec<SeccompRule>, BackendError> {
    // FS_IOC_SETFLAGS, FS_IOC_FSSETXATTR.
    [0x4008_6602, 0x401c_5820].into_iter().map(|call| masked_argument(1, u32::MAX.into(), call)).collect()
}

fn new_namespaces() -> Result<Vec<SeccompRule>, BackendError> {
    [
        libc::CLONE_NEWUSER,
        libc::CLONE_NEWPID,
        libc::CLONE_NEWNET,
        libc::CLONE_NEWNS,
        libc::CLONE_NEWIPC,
        libc::CLONE_NEWUTS,
        libc::CLONE_NEWCGROUP,
    ]
    .into_iter()
    .map(|flag| u64::from(flag.unsigned_abs()))
    .map(|flag| masked_argument(0, flag, flag))
    .collect()
}

/// True if the bits of an argument in `mask` equal `value`.
fn masked_argument(idx: u8, mask: u64, value: u64) -> Result<SeccompRule, BackendError> {
    let is_equal = SeccompCmpOp::MaskedEq(mask);
    SeccompRule::new(vec![SeccompCondition::new(idx, SeccompCmpArgLen::Dword, is_equal, value)?])
}
