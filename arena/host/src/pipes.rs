//! The pipes of a child process, read and written by this thread itself, where the system can do that without waiting.

use std::time::Duration;

use tokio::process::{ChildStdin, ChildStdout};

/// Reads what there is, at most as much as `buffer` has room for. Returns the number of bytes, which is 0 at the end of the pipe;
/// `None` if nothing is there yet.
#[cfg(unix)]
pub fn read_now(pipe: &mut ChildStdout, buffer: &mut Vec<u8>) -> Option<usize> {
    use rustix::io::Errno;
    match rustix::io::read(&*pipe, rustix::buffer::spare_capacity(buffer)) {
        Err(Errno::AGAIN | Errno::INTR) => None,
        read => Some(read.unwrap_or_default()),
    }
}

/// Reads what the runtime knows of. Returns the number of bytes, which is 0 at the end of the pipe; `None` if nothing is there yet.
#[cfg(not(unix))]
pub fn read_now(pipe: &mut ChildStdout, buffer: &mut Vec<u8>) -> Option<usize> {
    use std::pin::pin;
    use std::task::{Context, Poll, Waker};
    use tokio::io::AsyncReadExt;
    match pin!(pipe.read_buf(buffer)).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(read) => Some(read.unwrap_or_default()),
        Poll::Pending => None,
    }
}

/// Waits until there is something to read, at most for `limit`, while this thread does nothing else. Returns whether there is.
/// Where only the runtime can wait, this is never so.
pub fn wait_here(pipe: &ChildStdout, limit: Duration) -> bool {
    #[cfg(unix)]
    {
        use rustix::event::{PollFd, PollFlags, Timespec, poll};
        let limit = Timespec { tv_sec: limit.as_secs().cast_signed(), tv_nsec: limit.subsec_nanos().into() };
        poll(&mut [PollFd::new(pipe, PollFlags::IN)], Some(&limit)) == Ok(1)
    }
    #[cfg(not(unix))]
    {
        let _ = (pipe, limit);
        false
    }
}

/// Writes as much as the pipe takes. Returns how much that is: nothing, where only the runtime can write.
pub fn write_now(pipe: &ChildStdin, text: &[u8]) -> usize {
    #[cfg(unix)]
    return rustix::io::write(pipe, text).unwrap_or_default();
    #[cfg(not(unix))]
    {
        let _ = (pipe, text);
        0
    }
}
