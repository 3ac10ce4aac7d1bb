//! Parts of a checkpoint: files whose length and hash the state tells.

use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use greenwave_table::{Hash32, create_file, open_file};
use greenwave_values::room;

use super::damaged;
use crate::SolveError;

// Bytes that are hashed and written at a time.
const CHUNK: usize = 1 << 20;

/// Length in bytes and hash of a part: each chunk hashed together with the hash before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PartDigest {
    pub(super) bytes: u64,
    pub(super) hash: Hash32,
}

impl PartDigest {
    /// Of a part that another process wrote.
    pub fn new(bytes: u64, hash: Hash32) -> PartDigest {
        PartDigest { bytes, hash }
    }

    /// Length in bytes.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Hash of all bytes.
    pub fn hash(&self) -> Hash32 {
        self.hash
    }

    fn add(&mut self, chunk: &mut Vec<u8>) {
        self.bytes += chunk.len() as u64;
        chunk.extend_from_slice(&self.hash.0);
        self.hash = Hash32::of(chunk);
        chunk.clear();
    }
}

/// A part being written, synced when it is finished; removed when it is not.
#[derive(Debug)]
pub struct PartWriter {
    path: PathBuf,
    file: File,
    finished: bool,
    record: PartDigest,
    open: Vec<u8>,
}

impl PartWriter {
    pub(super) fn create(path: PathBuf) -> Result<PartWriter, SolveError> {
        let file = create_file(&path).map_err(|error| refused(&path, "write", error))?;
        Ok(PartWriter {
            path,
            file,
            finished: false,
            record: PartDigest::default(),
            open: Vec::with_capacity(CHUNK + size_of::<Hash32>()),
        })
    }

    /// Appends bytes.
    pub fn put(&mut self, mut bytes: &[u8]) -> Result<(), SolveError> {
        while !bytes.is_empty() {
            let (part, rest) = bytes.split_at(bytes.len().min(CHUNK - self.open.len()));
            self.open.extend_from_slice(part);
            bytes = rest;
            if self.open.len() == CHUNK {
                self.flush_chunk()?;
            }
        }
        Ok(())
    }

    /// Appends numbers of some bytes each.
    pub fn put_all<const N: usize>(
        &mut self,
        numbers: impl IntoIterator<Item = [u8; N]>,
    ) -> Result<(), SolveError> {
        numbers.into_iter().try_for_each(|number| self.put(&number))
    }

    fn flush_chunk(&mut self) -> Result<(), SolveError> {
        self.file
            .write_all(&self.open)
            .map_err(|error| refused(&self.path, "write", error))?;
        self.record.add(&mut self.open);
        Ok(())
    }

    /// Makes it safe; the part belongs to nothing until a state lists it.
    pub fn finish(mut self) -> Result<PartDigest, SolveError> {
        if !self.open.is_empty() {
            self.flush_chunk()?;
        }
        let synced = self.file.sync_all();
        synced.map_err(|error| refused(&self.path, "write", error))?;
        self.finished = true;
        Ok(self.record)
    }
}

impl Drop for PartWriter {
    fn drop(&mut self) {
        if !self.finished {
            // The next solve removes a file that stays.
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

/// A part being read; its hash is checked at the end.
#[derive(Debug)]
pub struct PartReader {
    path: PathBuf,
    file: BufReader<File>,
    expected: PartDigest,
    found: PartDigest,
    open: Vec<u8>,
    at: usize,
}

impl PartReader {
    pub(super) fn open(path: PathBuf, expected: PartDigest) -> Result<PartReader, SolveError> {
        let file = open_file(&path).map_err(|error| refused(&path, "read", error))?;
        let found = file
            .metadata()
            .map_err(|error| refused(&path, "read", error))?;
        expect_length(&path, found.len(), expected)?;
        let (file, found) = (BufReader::new(file), PartDigest::default());
        Ok(PartReader {
            path,
            file,
            expected,
            found,
            open: Vec::new(),
            at: 0,
        })
    }

    /// Bytes of the part.
    pub fn bytes(&self) -> u64 {
        self.expected.bytes
    }

    /// Fills a buffer with the next bytes.
    pub fn fill(&mut self, mut buffer: &mut [u8]) -> Result<(), SolveError> {
        while !buffer.is_empty() {
            if self.at == self.open.len() {
                self.refill()?;
            }
            let here = &self.open[self.at..];
            if here.is_empty() {
                return Err(self.damaged("ends too early"));
            }
            let len = here.len().min(buffer.len());
            buffer[..len].copy_from_slice(&here[..len]);
            self.at += len;
            buffer = &mut buffer[len..];
        }
        Ok(())
    }

    /// The next bytes of a number.
    pub fn take<const N: usize>(&mut self) -> Result<[u8; N], SolveError> {
        let mut bytes = [0; N];
        self.fill(&mut bytes)?;
        Ok(bytes)
    }

    /// All of it as numbers of `N` bytes, with the hash checked.
    ///
    /// # Errors
    /// When there are not `count` of them, and when there is no memory for them.
    pub fn numbers<const N: usize, T>(
        mut self,
        count: usize,
        mut number: impl FnMut([u8; N]) -> T,
    ) -> Result<Vec<T>, SolveError> {
        let needed = (count as u64).saturating_mul(N as u64);
        if self.bytes() != needed {
            return Err(self.damaged(&format!("found {} bytes, expected {needed}", self.bytes())));
        }
        let mut numbers = room::reserved(count)?;
        for _ in 0..count {
            numbers.push(number(self.take()?));
        }
        self.finish()?;
        Ok(numbers)
    }

    fn refill(&mut self) -> Result<(), SolveError> {
        if !self.open.is_empty() {
            self.found.add(&mut self.open);
        }
        self.at = 0;
        let left = (self.expected.bytes - self.found.bytes).min(CHUNK as u64) as usize;
        self.open.resize(left, 0);
        self.file
            .read_exact(&mut self.open)
            .map_err(|error| refused(&self.path, "read", error))
    }

    /// Checks that all of the part was read and that it is what was written.
    pub fn finish(mut self) -> Result<(), SolveError> {
        if self.at < self.open.len() || self.found.bytes + (self.at as u64) < self.expected.bytes {
            return Err(self.damaged("found more than expected"));
        }
        if !self.open.is_empty() {
            self.found.add(&mut self.open);
        }
        if self.found != self.expected {
            return Err(self.damaged("found other contents than were written"));
        }
        Ok(())
    }

    /// The error of a part that does not fit the solve.
    pub fn damaged(&self, problem: &str) -> SolveError {
        damaged(&self.path, problem)
    }
}

pub(super) fn expect_length(
    path: &Path,
    found: u64,
    expected: PartDigest,
) -> Result<(), SolveError> {
    if found == expected.bytes {
        return Ok(());
    }
    let problem = format!("found {found} bytes, expected {}", expected.bytes);
    Err(damaged(path, &problem))
}

pub(super) fn refused(path: &Path, doing: &'static str, source: io::Error) -> SolveError {
    SolveError::CheckpointIo {
        file: path.to_owned(),
        doing,
        source,
    }
}
