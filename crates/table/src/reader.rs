//! Reading a table.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::cache::{FrameCache, TableFrames};
use crate::directory::{Directory, Entry};
use crate::error::TableError;
use crate::families;
use crate::frame::DecodedFrame;
use crate::hash::{Hash32, hash_of_leaf};
use crate::header::{FAMILIES_VERSION, PREAMBLE_LEN, Preamble, check_crc};
use crate::layout::Layout;
use crate::leaf::{Leaf, padding_is_zero, payload_len, read_value};
use crate::meta::{IndexScheme, Meta};
use crate::packed::PackedIndices;
use crate::place::TablesFolder;
use crate::signature::SignatureBuilder;
use crate::storage::{DiskStorage, MemoryFile, Storage, StoredFile};

/// An open table. It can be shared between threads.
#[derive(Debug)]
pub struct Table {
    path: PathBuf,
    folder: TablesFolder,
    file: Box<dyn StoredFile>,
    contents: Contents,
    cache: TableFrames,
}

/// All of a file but its frames.
#[derive(Debug)]
struct Contents {
    preamble: Preamble,
    meta: Meta,
    layout: Layout,
    frames: FrameDirectory,
}

/// Where frames are, by format version.
#[derive(Debug)]
enum FrameDirectory {
    Leaves(Directory),
    Families(families::FamilyDirectory),
}

/// The result of [`Table::check`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TableCheck {
    /// Frames with packed positions.
    pub frames: u64,
    /// Leaves with packed positions.
    pub leaves: u64,
    /// Packed positions.
    pub positions: u64,
}

impl Table {
    /// Opens a table on disk: reads preamble, directory and metadata, checks their checksums, that they
    /// agree with each other, and that the file is as long as it should be. Frames are not read.
    ///
    /// # Errors
    /// [`TableError::File`] with what was found, what was expected and the way out.
    pub fn open(path: impl AsRef<Path>) -> Result<Table, TableError> {
        Table::open_in(&DiskStorage, path)
    }

    /// Opens a table in some storage.
    ///
    /// # Errors
    /// As [`Table::open`].
    pub fn open_in(storage: &dyn Storage, path: impl AsRef<Path>) -> Result<Table, TableError> {
        let path = path.as_ref();
        let file = storage
            .open(path)
            .map_err(|error| TableError::io("open")(error).in_file(path, None))?;
        Table::from_file(file, path.to_owned())
    }

    /// Opens a table whose bytes are in memory.
    ///
    /// # Errors
    /// As [`Table::open`]; the file is called `(memory)`.
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Table, TableError> {
        Table::from_file(Box::new(MemoryFile::new(bytes)), "(memory)".into())
    }

    fn from_file(file: Box<dyn StoredFile>, path: PathBuf) -> Result<Table, TableError> {
        let contents = read_contents(&*file, &path)?;
        Ok(Table {
            path,
            folder: TablesFolder::default(),
            file,
            contents,
            cache: TableFrames::default(),
        })
    }

    /// The table with its decoded frames kept in a cache that it shares with others.
    #[must_use]
    pub fn keeping_frames_in(self, frames: &FrameCache) -> Table {
        Table {
            cache: TableFrames::within(frames),
            ..self
        }
    }

    /// The metadata of the table.
    #[must_use]
    pub fn meta(&self) -> &Meta {
        &self.contents.meta
    }

    /// How its index space is cut.
    #[must_use]
    pub fn layout(&self) -> &Layout {
        &self.contents.layout
    }

    /// The table with the folder of tables that its file belongs to, for the messages of its errors.
    #[must_use]
    pub fn in_folder(self, folder: TablesFolder) -> Table {
        Table { folder, ..self }
    }

    /// The folder of tables that its file belongs to.
    #[must_use]
    pub fn folder(&self) -> &TablesFolder {
        &self.folder
    }

    /// Where the table lies.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Length of the file in bytes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.contents.preamble.file_len
    }

    /// Refuses a table of other rules.
    ///
    /// # Errors
    /// [`TableError::OtherRules`].
    pub fn expect_rules(&self, expected: &Hash32) -> Result<(), TableError> {
        let meta = self.meta();
        if meta.rules_hash == *expected {
            return Ok(());
        }
        Err(self.in_file(TableError::OtherRules {
            found: meta.rules_hash,
            expected: *expected,
            variant: meta.variant.clone(),
        }))
    }

    /// Refuses a table of another metric.
    ///
    /// # Errors
    /// [`TableError::OtherMetric`].
    pub fn expect_metric(&self, expected: &str) -> Result<(), TableError> {
        let found = &self.meta().metric;
        if found == expected {
            return Ok(());
        }
        Err(self.in_file(TableError::OtherMetric {
            found: found.clone(),
            expected: expected.to_string(),
        }))
    }

    /// The values of a leaf: reads and decodes its frame unless that was done lately.
    ///
    /// # Errors
    /// [`TableError::NoSuchLeaf`]; [`TableError::Io`]; when the frame is damaged, what was found and
    /// expected.
    pub fn leaf(&self, leaf_no: u64) -> Result<LeafView, TableError> {
        let layout = self.layout();
        if leaf_no >= layout.leaves() {
            return Err(self.in_file(TableError::NoSuchLeaf {
                found: leaf_no,
                leaves: layout.leaves(),
            }));
        }
        let frame_no = layout.frame_of_leaf(leaf_no);
        let entry = match &self.contents.frames {
            FrameDirectory::Leaves(directory) => directory.entry(frame_no),
            FrameDirectory::Families(_) => {
                return Err(self.in_file(TableError::NoSuchLeaf {
                    found: leaf_no,
                    leaves: 0,
                }));
            }
        };
        let Some(entry) = entry else {
            return Ok(LeafView::empty(layout.value_bits));
        };
        let frame = match self.cache.get(frame_no) {
            Some(frame) => frame,
            None => {
                let frame = self.read_frame(frame_no, entry);
                let frame = Arc::new(frame.map_err(|error| self.in_file(error))?);
                self.cache.put(frame_no, &frame);
                frame
            }
        };
        let nth = (leaf_no - layout.leaves_of_frame(frame_no).start) as usize;
        Ok(LeafView::new(frame, nth, layout.value_bits))
    }

    /// Number of frames that are stored: those with packed positions.
    #[must_use]
    pub fn frames(&self) -> u64 {
        match &self.contents.frames {
            FrameDirectory::Leaves(directory) => directory.stored().count() as u64,
            FrameDirectory::Families(directory) => directory.len(),
        }
    }

    /// The stored frame of a leaf, or of a family in a table of families; `None` where none has it.
    #[must_use]
    pub fn frame_of(&self, number: u64) -> Option<u64> {
        match &self.contents.frames {
            FrameDirectory::Leaves(directory) => {
                let frame = self.layout().frame_of_leaf(number);
                directory.entry(frame).map(|_| frame)
            }
            FrameDirectory::Families(directory) => directory.frame_of(number),
        }
    }

    /// The values of a family: reads and decodes its frame unless that was done lately. Without values
    /// where the table has no such family.
    ///
    /// # Errors
    /// [`TableError::Io`]; when the frame is damaged, what was found and expected.
    pub fn family(&self, key: u64) -> Result<LeafView, TableError> {
        let none = || LeafView::empty(self.layout().value_bits);
        let FrameDirectory::Families(directory) = &self.contents.frames else {
            return Ok(none());
        };
        let Some(number) = directory.frame_of(key) else {
            return Ok(none());
        };
        let frame = match self.cache.get(number) {
            Some(frame) => frame,
            None => {
                let frame = Arc::new(self.families_of(number)?);
                self.cache.put(number, &frame);
                frame
            }
        };
        Ok(match frame.keys.binary_search(&key) {
            Ok(nth) => LeafView::new(frame, nth, self.layout().value_bits),
            Err(_) => none(),
        })
    }

    /// The key of the family that has the stored value with a rank in the whole table, and the rank
    /// of the value in the family. Gives `None` where there is no such value, or the table is not
    /// of families.
    ///
    /// # Errors
    /// [`TableError::Io`]; when the frame is damaged, what was found and expected.
    pub fn stored_at(&self, rank: u64) -> Result<Option<(u64, u32)>, TableError> {
        let FrameDirectory::Families(directory) = &self.contents.frames else {
            return Ok(None);
        };
        let Some(number) = directory.frame_at(rank) else {
            return Ok(None);
        };
        let before = directory.entry(number).map_or(0, |(_, entry)| entry.before);
        let mut left = rank - before;
        for (key, family) in self.families(number)? {
            if left < u64::from(family.count()) {
                return Ok(Some((key, left as u32)));
            }
            left -= u64::from(family.count());
        }
        Ok(None)
    }

    /// The families of a frame, each with its key; none where the table has no such frame, or is not of
    /// families.
    ///
    /// # Errors
    /// [`TableError::Io`]; when the frame is damaged, what was found and expected.
    pub fn families(&self, frame: u64) -> Result<Vec<(u64, LeafView)>, TableError> {
        let FrameDirectory::Families(directory) = &self.contents.frames else {
            return Ok(Vec::new());
        };
        if frame >= directory.len() {
            return Ok(Vec::new());
        }
        let frame = Arc::new(self.families_of(frame)?);
        let bits = self.layout().value_bits;
        let view = |(nth, key): (usize, &u64)| (*key, LeafView::new(Arc::clone(&frame), nth, bits));
        Ok(frame.keys.iter().enumerate().map(view).collect())
    }

    /// The level sum of the families of a frame; `None` as for [`Table::families`].
    #[must_use]
    pub fn wave_of(&self, frame: u64) -> Option<u32> {
        match &self.contents.frames {
            FrameDirectory::Leaves(_) => None,
            FrameDirectory::Families(directory) => Some(directory.entry(frame)?.0),
        }
    }

    // Reads and decodes a frame that is there.
    fn families_of(&self, number: u64) -> Result<DecodedFrame, TableError> {
        let FrameDirectory::Families(directory) = &self.contents.frames else {
            return Ok(DecodedFrame::default());
        };
        let Some((sum, entry)) = directory.entry(number) else {
            return Ok(DecodedFrame::default());
        };
        let places = match &self.meta().index_scheme {
            IndexScheme::Families { near, .. } => 1 << (2 * near),
            IndexScheme::Dense | IndexScheme::Listed { .. } | IndexScheme::Rows { .. } => 0,
        };
        let read = || {
            let stored = self.stored(number, entry.offset, entry.len, entry.crc)?;
            families::decode(self.layout(), number, sum, entry, places, stored)
        };
        read().map_err(|error| self.in_file(error))
    }

    /// Reads the whole file: every checksum, that counts add up, that padding bits are zero, and that
    /// the values have the signature that the metadata states. It does not ask whether the values are
    /// right: that takes the rules.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn check(&self) -> Result<TableCheck, TableError> {
        self.check_with(|_| {})
    }

    /// [`Table::check`], calling `progress` with what has been read so far after each frame.
    ///
    /// # Errors
    /// As [`Table::check`].
    pub fn check_with(&self, progress: impl FnMut(&TableCheck)) -> Result<TableCheck, TableError> {
        // The file may have changed since it was opened.
        let again = read_contents(&*self.file, &self.path)?;
        if again.preamble != self.contents.preamble {
            let error = TableError::inconsistent(
                "the file",
                "another preamble than when it was opened",
                "the same",
            );
            return Err(self.in_file(error));
        }
        match &self.contents.frames {
            FrameDirectory::Leaves(directory) => self
                .check_frames(directory, progress)
                .map_err(|error| self.in_file(error)),
            FrameDirectory::Families(directory) => self.check_families(directory, progress),
        }
    }

    fn check_families(
        &self,
        directory: &families::FamilyDirectory,
        mut progress: impl FnMut(&TableCheck),
    ) -> Result<TableCheck, TableError> {
        let (layout, meta) = (self.layout(), self.meta());
        let mut checked = TableCheck::default();
        let mut waves: Vec<(u32, families::WaveHash)> = Vec::new();
        for (number, sum, _) in directory.frames() {
            if waves.last().is_none_or(|(last, _)| *last != sum) {
                waves.push((sum, families::WaveHash::new(sum)));
            }
            for (key, family) in self.families(number)? {
                if !padding_is_zero(family.payload(), family.count(), layout.value_bits) {
                    let part = format!("family {key}");
                    let error = TableError::inconsistent(part, "set padding bits", "zeros");
                    return Err(self.in_file(error));
                }
                let hash = hash_of_leaf(key, family.count(), family.payload());
                if let Some((_, wave)) = waves.last_mut() {
                    wave.push(&hash);
                }
                checked.leaves += 1;
                checked.positions += u64::from(family.count());
            }
            checked.frames += 1;
            progress(&checked);
        }
        let IndexScheme::Families { squares, near, .. } = &meta.index_scheme else {
            return Ok(checked);
        };
        let waves: Vec<Hash32> = waves.iter().map(|(_, wave)| wave.finish()).collect();
        let found = families::families_signature(layout, &meta.rules_hash, squares, *near, &waves);
        if found != meta.signature {
            return Err(self.in_file(TableError::Signature {
                found,
                expected: meta.signature,
            }));
        }
        Ok(checked)
    }

    fn check_frames(
        &self,
        directory: &Directory,
        mut progress: impl FnMut(&TableCheck),
    ) -> Result<TableCheck, TableError> {
        let layout = self.layout();
        let meta = self.meta();
        let mut checked = TableCheck::default();
        let mut signature = SignatureBuilder::new(layout, &meta.rules_hash);
        for (frame_no, entry) in directory.stored() {
            let frame = Arc::new(self.read_frame(frame_no, entry)?);
            for (nth, leaf_no) in layout.leaves_of_frame(frame_no).enumerate() {
                let leaf = LeafView::new(Arc::clone(&frame), nth, layout.value_bits);
                if leaf.count() == 0 {
                    continue;
                }
                if !padding_is_zero(leaf.payload(), leaf.count(), layout.value_bits) {
                    let part = format!("leaf {leaf_no}");
                    return Err(TableError::inconsistent(part, "set padding bits", "zeros"));
                }
                signature.push(
                    leaf_no,
                    &hash_of_leaf(leaf_no, leaf.count(), leaf.payload()),
                );
                checked.leaves += 1;
                checked.positions += u64::from(leaf.count());
            }
            checked.frames += 1;
            progress(&checked);
        }
        let found = signature.finish();
        if found != meta.signature {
            return Err(TableError::Signature {
                found,
                expected: meta.signature,
            });
        }
        Ok(checked)
    }

    fn read_frame(&self, frame_no: u64, entry: &Entry) -> Result<DecodedFrame, TableError> {
        let stored = self.stored(frame_no, entry.offset, entry.len, entry.crc)?;
        let frame = DecodedFrame::decode(self.layout(), frame_no, entry.packed, entry.raw, stored)?;
        frame.expect_numbers(self.layout().kind, frame_no)?;
        Ok(frame)
    }

    // The stored bytes of a frame, which have the checksum that they should have.
    fn stored(&self, frame: u64, offset: u64, len: u32, crc: u32) -> Result<Vec<u8>, TableError> {
        // The directory has been checked against the length of the file, so this allocates no more
        // than there is to read.
        let mut stored = zeroed(len as usize)?;
        self.file
            .read_exact_at(&mut stored, offset)
            .map_err(TableError::io("read"))?;
        check_crc(&format!("frame {frame}"), &stored, crc)?;
        Ok(stored)
    }

    fn in_file(&self, error: TableError) -> TableError {
        let meta = self.meta();
        error
            .in_file(&self.path, Some((&meta.variant, &meta.metric)))
            .in_folder(self.folder.clone())
    }
}

/// Reads and checks preamble, metadata and directory.
fn read_contents(file: &dyn StoredFile, path: &Path) -> Result<Contents, TableError> {
    let (preamble, meta) = read_head(file).map_err(|error| error.in_file(path, None))?;
    let rest = || -> Result<(Layout, FrameDirectory), TableError> {
        let of_families = matches!(meta.index_scheme, IndexScheme::Families { .. });
        if of_families != (preamble.version == FAMILIES_VERSION) {
            let found = format!("a numbering of another version than {}", preamble.version);
            return Err(TableError::inconsistent(
                "the metadata",
                found,
                "families in version 2",
            ));
        }
        let layout = meta.layout()?;
        let start = PREAMBLE_LEN as u64;
        let bytes = read_part(file, preamble.directory_at, preamble.directory_len)?;
        check_crc("the directory", &bytes, preamble.directory_crc)?;
        let end = preamble.directory_at;
        let frames = if of_families {
            FrameDirectory::Families(families::FamilyDirectory::parse(
                &bytes,
                meta.packed,
                start,
                end,
            )?)
        } else {
            FrameDirectory::Leaves(Directory::parse(&bytes, &layout, meta.packed, start, end)?)
        };
        Ok((layout, frames))
    };
    let (layout, frames) =
        rest().map_err(|error| error.in_file(path, Some((&meta.variant, &meta.metric))))?;
    Ok(Contents {
        preamble,
        meta,
        layout,
        frames,
    })
}

fn read_head(file: &dyn StoredFile) -> Result<(Preamble, Meta), TableError> {
    let len = file.size().map_err(TableError::io("measure"))?;
    let start = read_part(file, 0, len.min(PREAMBLE_LEN as u64))?;
    let preamble = Preamble::parse(&start, len)?;
    let bytes = read_part(file, preamble.metadata_at, preamble.metadata_len)?;
    check_crc("the metadata", &bytes, preamble.metadata_crc)?;
    Ok((preamble, Meta::decode(&bytes)?))
}

/// Reads bytes that are known to lie inside the file.
fn read_part(file: &dyn StoredFile, offset: u64, len: u64) -> Result<Vec<u8>, TableError> {
    let len = usize::try_from(len).map_err(|_| {
        TableError::inconsistent(
            "the file",
            format!("a part of {len} bytes"),
            "less than memory",
        )
    })?;
    let mut bytes = zeroed(len)?;
    file.read_exact_at(&mut bytes, offset)
        .map_err(TableError::io("read"))?;
    Ok(bytes)
}

/// Zeroed bytes, where the system gives them.
fn zeroed(len: usize) -> Result<Vec<u8>, TableError> {
    let mut bytes = Vec::new();
    bytes
        .try_reserve_exact(len)
        .map_err(|_| TableError::io("read")(io::ErrorKind::OutOfMemory.into()))?;
    bytes.resize(len, 0);
    Ok(bytes)
}

/// The values of one leaf, in index order. It keeps its frame in memory.
#[derive(Clone, Debug)]
pub struct LeafView {
    frame: Option<Arc<DecodedFrame>>,
    // Among the leaves of the frame.
    nth: usize,
    start: usize,
    len: usize,
    count: u32,
    value_bits: u32,
}

impl LeafView {
    fn empty(value_bits: u32) -> LeafView {
        LeafView {
            frame: None,
            nth: 0,
            start: 0,
            len: 0,
            count: 0,
            value_bits,
        }
    }

    fn new(frame: Arc<DecodedFrame>, nth: usize, value_bits: u32) -> LeafView {
        let Some(&(count, start)) = frame.leaves.get(nth) else {
            return LeafView::empty(value_bits);
        };
        LeafView {
            frame: Some(frame),
            nth,
            start,
            len: payload_len(count, value_bits) as usize,
            count,
            value_bits,
        }
    }

    /// Number of packed positions.
    #[must_use]
    pub fn count(&self) -> u32 {
        self.count
    }

    /// Which indices of the leaf are packed, as `make` says: it is called once as long as the frame
    /// stays in memory. `None` in a frame without packed positions, and for a family.
    pub fn packed(&self, make: impl FnOnce() -> PackedIndices) -> Option<&PackedIndices> {
        let slot = self.frame.as_ref()?.packed.get(self.nth)?;
        Some(slot.get_or_init(make))
    }

    /// Their packed values, as in [`Leaf::payload`].
    #[must_use]
    pub fn payload(&self) -> &[u8] {
        self.frame
            .as_ref()
            .and_then(|frame| frame.bytes.get(self.start..self.start + self.len))
            .unwrap_or_default()
    }

    /// The raw code of the packed position with this rank (the number of packed positions before it in
    /// the leaf); `None` from [`LeafView::count`] on.
    #[must_use]
    pub fn value(&self, rank: u32) -> Option<u64> {
        if rank >= self.count {
            return None;
        }
        read_value(self.payload(), self.value_bits, rank)
    }

    /// The value as a two's-complement number.
    #[must_use]
    pub fn signed(&self, rank: u32) -> Option<i64> {
        let shift = u64::BITS - self.value_bits;
        self.value(rank).map(|code| (code << shift) as i64 >> shift)
    }

    /// The value as a binary32 number.
    #[must_use]
    pub fn f32(&self, rank: u32) -> Option<f32> {
        self.value(rank).map(|code| f32::from_bits(code as u32))
    }

    /// The value as a binary64 number.
    #[must_use]
    pub fn f64(&self, rank: u32) -> Option<f64> {
        self.value(rank).map(f64::from_bits)
    }

    /// All raw codes, in index order.
    pub fn values(&self) -> impl Iterator<Item = u64> + '_ {
        (0..self.count).filter_map(|rank| self.value(rank))
    }

    /// A copy of the leaf.
    #[must_use]
    pub fn to_leaf(&self) -> Leaf {
        Leaf {
            count: self.count,
            payload: self.payload().to_vec(),
        }
    }
}
