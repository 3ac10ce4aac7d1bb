//! The preamble: the fixed first bytes of a file.
//!
//! ```text
//!  0  8 bytes  magic 89 47 57 54 0d 0a 1a 0a (\x89 G W T \r \n \x1a \n)
//!  8  u32      format version
//! 12  u32      CRC-32 of the directory
//! 16  u64      length of the file in bytes
//! 24  u64      offset of the directory (frames lie between the preamble and it)
//! 32  u64      length of the directory
//! 40  u64      offset of the metadata
//! 48  u64      length of the metadata
//! 56  u32      CRC-32 of the metadata
//! 60  u32      CRC-32 of the 60 bytes before
//! ```

use crate::error::TableError;

/// First bytes of every table: not text, and spoilt by the usual conversions of line ends.
pub(crate) const MAGIC: [u8; 8] = *b"\x89GWT\r\n\x1a\n";

/// The format version of tables that are cut into leaves by index, or by place in a list.
pub const FORMAT_VERSION: u32 = 1;

/// The format version of tables of families; no later one is known.
pub const FAMILIES_VERSION: u32 = 2;

/// Length of the preamble in bytes.
pub(crate) const PREAMBLE_LEN: usize = 64;

/// Longest directory in bytes: some five million frames, twenty times as many as a layout asks for.
pub(crate) const MOST_DIRECTORY: u64 = 1 << 26;

/// Longest metadata in bytes.
pub(crate) const MOST_METADATA: u64 = 1 << 24;

/// A checked preamble.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Preamble {
    pub(crate) version: u32,
    pub(crate) file_len: u64,
    pub(crate) directory_at: u64,
    pub(crate) directory_len: u64,
    pub(crate) metadata_at: u64,
    pub(crate) metadata_len: u64,
    pub(crate) directory_crc: u32,
    pub(crate) metadata_crc: u32,
}

impl Preamble {
    /// The bytes of the preamble.
    pub(crate) fn encode(&self) -> [u8; PREAMBLE_LEN] {
        let mut bytes = [0; PREAMBLE_LEN];
        bytes[..8].copy_from_slice(&MAGIC);
        bytes[8..12].copy_from_slice(&self.version.to_le_bytes());
        bytes[12..16].copy_from_slice(&self.directory_crc.to_le_bytes());
        let longs = [
            self.file_len,
            self.directory_at,
            self.directory_len,
            self.metadata_at,
            self.metadata_len,
        ];
        for (at, long) in (16..).step_by(8).zip(longs) {
            bytes[at..at + 8].copy_from_slice(&long.to_le_bytes());
        }
        bytes[56..60].copy_from_slice(&self.metadata_crc.to_le_bytes());
        let crc = crc32fast::hash(&bytes[..60]);
        bytes[60..].copy_from_slice(&crc.to_le_bytes());
        bytes
    }

    /// Reads and checks the first bytes of a file of `file_len` bytes. `start` holds
    /// [`PREAMBLE_LEN`] bytes, or all there are.
    pub(crate) fn parse(start: &[u8], file_len: u64) -> Result<Preamble, TableError> {
        let magic = &start[..start.len().min(MAGIC.len())];
        if magic != &MAGIC[..magic.len()] {
            return Err(TableError::NotATable {
                found: magic.to_vec(),
                expected: MAGIC,
            });
        }
        let Some(bytes) = start.first_chunk::<PREAMBLE_LEN>() else {
            return Err(TableError::Length {
                found: file_len,
                expected: PREAMBLE_LEN as u64,
            });
        };
        let int = |at: usize| {
            u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
        };
        let long = |at: usize| u64::from(int(at)) | u64::from(int(at + 4)) << 32;
        if !(FORMAT_VERSION..=FAMILIES_VERSION).contains(&int(8)) {
            return Err(TableError::Version {
                found: int(8),
                newest: FAMILIES_VERSION,
            });
        }
        check_crc("the preamble", &bytes[..60], int(60))?;
        let preamble = Preamble {
            version: int(8),
            directory_crc: int(12),
            file_len: long(16),
            directory_at: long(24),
            directory_len: long(32),
            metadata_at: long(40),
            metadata_len: long(48),
            metadata_crc: int(56),
        };
        if preamble.file_len != file_len {
            return Err(TableError::Length {
                found: file_len,
                expected: preamble.file_len,
            });
        }
        let frames_end = preamble.directory_at;
        let directory_end = frames_end.checked_add(preamble.directory_len);
        let metadata_end = preamble.metadata_at.checked_add(preamble.metadata_len);
        if frames_end < PREAMBLE_LEN as u64
            || directory_end != Some(preamble.metadata_at)
            || metadata_end != Some(file_len)
        {
            let found = format!("{preamble:?}");
            let expected = "frames, directory and metadata one after another up to the end";
            return Err(TableError::inconsistent("the preamble", found, expected));
        }
        // Nothing has been allocated yet, and a file can be long without taking room on the disk.
        let parts = [
            ("the directory", preamble.directory_len, MOST_DIRECTORY),
            ("the metadata", preamble.metadata_len, MOST_METADATA),
        ];
        for (part, found, most) in parts {
            if found > most {
                let expected = format!("at most {most}");
                return Err(TableError::inconsistent(
                    part,
                    format!("a length of {found} bytes"),
                    expected,
                ));
            }
        }
        Ok(preamble)
    }
}

/// Compares the CRC-32 of some bytes with the one that the file states.
pub(crate) fn check_crc(part: &str, bytes: &[u8], expected: u32) -> Result<(), TableError> {
    let found = crc32fast::hash(bytes);
    if found == expected {
        return Ok(());
    }
    Err(TableError::Checksum {
        part: part.to_owned(),
        found,
        expected,
    })
}
