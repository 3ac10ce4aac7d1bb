//! Bodies of answers: a text that is there, or a part of a file that is read as it is sent.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use http_body_util::Full;
use hyper::body::{Body, Bytes, Frame, SizeHint};
use tokio::task::JoinHandle;

use super::connections::ActivityGuard;

/// Bytes of a file that are read at once.
const PIECE: u64 = 32 << 10;

/// The body of an answer.
pub(crate) enum ResponseBody {
    Whole(Full<Bytes>),
    Part(FilePart),
}

/// A body whose connection is busy until it is sent.
pub(crate) struct BusyBody {
    body: ResponseBody,
    _busy: ActivityGuard,
}

impl ResponseBody {
    pub(crate) fn text(text: impl Into<Bytes>) -> ResponseBody {
        ResponseBody::Whole(Full::new(text.into()))
    }

    pub(crate) fn nothing() -> ResponseBody {
        ResponseBody::Whole(Full::default())
    }

    /// The same, which keeps its connection busy.
    pub(crate) fn until_sent(self, busy: ActivityGuard) -> BusyBody {
        BusyBody {
            body: self,
            _busy: busy,
        }
    }

    /// Its length in bytes.
    pub(crate) fn length(&self) -> u64 {
        self.size_hint().exact().unwrap_or(0)
    }
}

/// A part of a file, read piece by piece on threads that may wait for the disk.
pub(crate) struct FilePart {
    left: u64,
    state: FilePartState,
}

enum FilePartState {
    Idle(File),
    Reading(JoinHandle<io::Result<(File, Bytes)>>),
    Over,
}

impl FilePart {
    /// The bytes of a file from a place on, this many of them.
    pub(crate) fn new(mut file: File, from: u64, length: u64) -> io::Result<FilePart> {
        file.seek(SeekFrom::Start(from))?;
        Ok(FilePart {
            left: length,
            state: FilePartState::Idle(file),
        })
    }

    fn next(&mut self, cx: &mut Context<'_>) -> Poll<Option<io::Result<Bytes>>> {
        loop {
            match &mut self.state {
                FilePartState::Reading(reading) => {
                    let read = ready!(Pin::new(reading).poll(cx));
                    self.state = FilePartState::Over;
                    return Poll::Ready(match read.map_err(io::Error::other).flatten() {
                        Ok((file, bytes)) if !bytes.is_empty() => {
                            self.left -= (bytes.len() as u64).min(self.left);
                            self.state = FilePartState::Idle(file);
                            Some(Ok(bytes))
                        }
                        // The file has become shorter than it was.
                        Ok(_) => Some(Err(io::ErrorKind::UnexpectedEof.into())),
                        Err(error) => Some(Err(error)),
                    });
                }
                FilePartState::Idle(_) if self.left > 0 => {
                    let FilePartState::Idle(file) =
                        std::mem::replace(&mut self.state, FilePartState::Over)
                    else {
                        return Poll::Ready(None);
                    };
                    let length = self.left.min(PIECE);
                    self.state = FilePartState::Reading(tokio::task::spawn_blocking(move || {
                        piece(file, length)
                    }));
                }
                FilePartState::Idle(_) | FilePartState::Over => return Poll::Ready(None),
            }
        }
    }
}

fn piece(mut file: File, length: u64) -> io::Result<(File, Bytes)> {
    let mut bytes = Vec::with_capacity(length as usize);
    file.by_ref().take(length).read_to_end(&mut bytes)?;
    Ok((file, bytes.into()))
}

impl Body for ResponseBody {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, io::Error>>> {
        match self.get_mut() {
            ResponseBody::Whole(whole) => Pin::new(whole)
                .poll_frame(cx)
                .map_err(|never| match never {}),
            ResponseBody::Part(part) => part
                .next(cx)
                .map(|read| read.map(|read| read.map(Frame::data))),
        }
    }

    fn is_end_stream(&self) -> bool {
        match self {
            ResponseBody::Whole(whole) => whole.is_end_stream(),
            ResponseBody::Part(part) => part.left == 0,
        }
    }

    fn size_hint(&self) -> SizeHint {
        match self {
            ResponseBody::Whole(whole) => whole.size_hint(),
            ResponseBody::Part(part) => SizeHint::with_exact(part.left),
        }
    }
}

impl Body for BusyBody {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, io::Error>>> {
        Pin::new(&mut self.get_mut().body).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
