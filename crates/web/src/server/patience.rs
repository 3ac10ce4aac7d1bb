//! A connection whose other end has to read: one that takes too little in too long a time is ended.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};

use super::connections::{Activity, ActivityGuard};
use super::targets::RequestLines;

/// How slowly a client may read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pace {
    /// Bytes that have to be taken.
    pub(super) bytes: usize,
    /// The time to do so, once nothing more can be sent for the moment.
    pub(super) time: Duration,
}

/// A connection to a client that has to keep the pace.
pub(super) struct PacedStream<S> {
    stream: S,
    pace: Pace,
    /// Set while the client is waited for.
    deadline: Option<ReadDeadline>,
    activity: Activity,
    lines: RequestLines,
}

/// The time by which a client that is waited for has to have taken enough.
struct ReadDeadline {
    /// When it has to have taken enough.
    over: Pin<Box<Sleep>>,
    /// Bytes that it has taken.
    taken: usize,
    /// Data on its way to the client is part of an answer.
    _busy: ActivityGuard,
}

impl<S> PacedStream<S> {
    pub(super) fn new(stream: S, pace: Pace, activity: Activity) -> PacedStream<S> {
        PacedStream {
            stream,
            pace,
            deadline: None,
            activity,
            lines: RequestLines::default(),
        }
    }

    /// Passes on what came of sending this many bytes, or of waiting until that can be done.
    fn paced(
        &mut self,
        cx: &mut Context<'_>,
        sent: Poll<io::Result<usize>>,
    ) -> Poll<io::Result<usize>> {
        match &sent {
            Poll::Ready(Ok(bytes)) => {
                if let Some(deadline) = &mut self.deadline {
                    deadline.taken += bytes;
                    if deadline.taken >= self.pace.bytes {
                        self.deadline = None;
                    }
                }
            }
            Poll::Ready(Err(_)) => {}
            Poll::Pending => {
                let time = self.pace.time;
                let deadline = self.deadline.get_or_insert_with(|| ReadDeadline {
                    over: Box::pin(sleep(time)),
                    taken: 0,
                    _busy: self.activity.begin(),
                });
                if deadline.over.as_mut().poll(cx).is_ready() {
                    return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
                }
            }
        }
        sent
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for PacedStream<S> {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let before = buffer.filled().len();
        let read = Pin::new(&mut this.stream).poll_read(cx, buffer);
        let is_end = buffer.filled().len() == before;
        let kept = this.lines.checked(&mut buffer.filled_mut()[before..]);
        buffer.set_filled(before + kept);
        if kept == 0 && !is_end {
            // Nothing read would mean the end; who waits may look at the clock first.
            cx.waker().wake_by_ref();
            return Poll::Pending;
        }
        read
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for PacedStream<S> {
    fn poll_write(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let sent = Pin::new(&mut this.stream).poll_write(cx, bytes);
        this.paced(cx, sent)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let sent = Pin::new(&mut this.stream).poll_write_vectored(cx, slices);
        this.paced(cx, sent)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_flush(cx)
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_shutdown(cx)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};

    use super::*;

    const PACE: Pace = Pace {
        bytes: 100,
        time: Duration::from_millis(60),
    };

    fn run(test: impl Future<Output = ()>) {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .build();
        runtime.unwrap().block_on(test);
    }

    #[test]
    fn who_does_not_read_is_not_waited_for() {
        run(async {
            let (near, _far) = duplex(64);
            let sent = PacedStream::new(near, PACE, Activity::default())
                .write_all(&[0; 1000])
                .await;
            assert_eq!(sent.unwrap_err().kind(), io::ErrorKind::TimedOut);
        });
    }

    #[test]
    fn who_reads_a_byte_now_and_then_is_not_waited_for_either() {
        run(async {
            let (near, mut far) = duplex(64);
            let mut near = PacedStream::new(near, PACE, Activity::default());
            let reading = async {
                while far.read_u8().await.is_ok() {
                    sleep(Duration::from_millis(5)).await;
                }
            };
            let sent = tokio::select! {
                sent = near.write_all(&[0; 1000]) => sent,
                () = reading => Ok(()),
            };
            assert_eq!(sent.unwrap_err().kind(), io::ErrorKind::TimedOut);
        });
    }

    #[test]
    fn who_keeps_the_pace_is_sent_everything() {
        run(async {
            let (near, mut far) = duplex(64);
            let mut near = PacedStream::new(near, PACE, Activity::default());
            let mut piece = [0; 50];
            let reading = async {
                for _ in 0..12 {
                    far.read_exact(&mut piece).await.unwrap();
                    sleep(Duration::from_millis(10)).await;
                }
            };
            let (sent, ()) = tokio::join!(near.write_all(&[0; 600]), reading);
            sent.unwrap();
        });
    }
}
