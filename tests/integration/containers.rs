//! Makes containers for the tests: what is put in is known.

use std::io::Write;

use flate2::Compression;
use flate2::write::{DeflateEncoder, GzEncoder};
use xxhash_rust::xxh32::xxh32;

/// A WARC record of a page.
pub(crate) fn page_record(number: usize) -> Vec<u8> {
    let html =
        format!("<html><title>{number}</title><p>Page {number} has a few words of its own, and some more.</html>");
    let message = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{html}");
    let head = format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.example/{number}\r\n\
         Content-Type: application/http; msgtype=response\r\nContent-Length: {}\r\n\r\n",
        message.len()
    );
    format!("{head}{message}\r\n\r\n").into_bytes()
}

/// An ARC file of pages.
pub(crate) fn arc(pages: usize) -> Vec<u8> {
    let description = "1 0 Tests\nURL IP-address Archive-date Content-type Archive-length\n";
    let head = format!("filedesc://t.arc 0.0.0.0 20240101000000 text/plain {}\n{description}\n", description.len());
    let record = |number: usize| {
        let message = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>Page {number} of an ARC.");
        let length = message.len();
        format!("http://a.example/{number} 10.0.0.1 20240101000000 text/html {length}\n{message}\n")
    };
    let records: String = (0..pages).map(record).collect();
    [head, records].concat().into_bytes()
}

pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

pub(crate) fn bzip2(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

pub(crate) fn xz(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = lzma_rust2::XzWriter::new(Vec::new(), lzma_rust2::XzOptions::with_preset(1)).unwrap();
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

pub(crate) fn zstd(bytes: &[u8]) -> Vec<u8> {
    zstd::stream::encode_all(bytes, 3).unwrap()
}

/// Frames that need `dictionary`, behind the frame that holds it, itself compressed or not.
pub(crate) fn zstd_with_dictionary(records: &[Vec<u8>], dictionary: &[u8], compress: bool) -> Vec<u8> {
    let content = if compress { zstd(dictionary) } else { dictionary.to_vec() };
    let mut bytes = vec![0x5d, 0x2a, 0x4d, 0x18];
    bytes.extend((content.len() as u32).to_le_bytes());
    bytes.extend(content);
    for record in records {
        let mut encoder = zstd::stream::Encoder::with_dictionary(Vec::new(), 3, dictionary).unwrap();
        encoder.write_all(record).unwrap();
        bytes.extend(encoder.finish().unwrap());
    }
    bytes
}

/// An LZ4 frame with a checksum of each block and of the content.
pub(crate) fn lz4(bytes: &[u8]) -> Vec<u8> {
    let descriptor = [0b0111_0100, 0x40];
    let mut frame = vec![0x04, 0x22, 0x4d, 0x18];
    frame.extend(descriptor);
    frame.push((xxh32(&descriptor, 0) >> 8) as u8);
    for block in bytes.chunks(1000) {
        let block = lz4_flex::block::compress(block);
        frame.extend((block.len() as u32).to_le_bytes());
        frame.extend(&block);
        frame.extend(xxh32(&block, 0).to_le_bytes());
    }
    frame.extend(0u32.to_le_bytes());
    frame.extend(xxh32(bytes, 0).to_le_bytes());
    frame
}

pub(crate) fn tar(files: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (name, content) in files {
        let mut head = [0u8; 512];
        head[..name.len()].copy_from_slice(name.as_bytes());
        head[124..135].copy_from_slice(format!("{:011o}", content.len()).as_bytes());
        head[156] = b'0';
        head[257..263].copy_from_slice(b"ustar\0");
        head[148..156].fill(b' ');
        let sum: u32 = head.iter().map(|&byte| u32::from(byte)).sum();
        head[148..155].copy_from_slice(format!("{sum:06o}\0").as_bytes());
        bytes.extend(head);
        bytes.extend(content);
        bytes.resize(bytes.len().next_multiple_of(512), 0);
    }
    bytes.resize(bytes.len() + 1024, 0);
    bytes
}

/// A zip, its files stored or deflated.
pub(crate) fn zip(files: &[(&str, Vec<u8>)], deflated: bool) -> Vec<u8> {
    let (mut bytes, mut directory) = (Vec::new(), Vec::new());
    for (name, content) in files {
        let stored = if deflated { deflate(content) } else { content.clone() };
        let offset = bytes.len() as u32;
        let mut fields = vec![20, 0, 0, 0, if deflated { 8 } else { 0 }, 0, 0, 0, 0, 0, 0, 0, 0, 0];
        fields.extend((stored.len() as u32).to_le_bytes());
        fields.extend((content.len() as u32).to_le_bytes());
        fields.extend((name.len() as u16).to_le_bytes());
        fields.extend([0, 0]);
        bytes.extend(b"PK\x03\x04");
        bytes.extend(&fields);
        bytes.extend(name.as_bytes());
        bytes.extend(stored);
        directory.extend(b"PK\x01\x02\x14\0");
        directory.extend(fields);
        directory.extend([0; 10]);
        directory.extend(offset.to_le_bytes());
        directory.extend(name.as_bytes());
    }
    let offset = bytes.len() as u32;
    let count = (files.len() as u16).to_le_bytes();
    bytes.extend(&directory);
    bytes.extend(b"PK\x05\x06\0\0\0\0");
    bytes.extend([count, count].concat());
    bytes.extend((directory.len() as u32).to_le_bytes());
    bytes.extend(offset.to_le_bytes());
    bytes.extend([0, 0]);
    bytes
}

pub(crate) fn deflate(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// A ZIM with these pages in one cluster, an image, and a redirect.
pub(crate) fn zim(pages: &[&str], compressed: bool) -> Vec<u8> {
    zim_of_types(pages, compressed, b"text/html\0image/png\0\0")
}

/// As [`zim`], with this list of media types.
pub(crate) fn zim_of_types(pages: &[&str], compressed: bool, media_types: &[u8]) -> Vec<u8> {
    let blobs = pages.len() + 1;
    let mut cluster = Vec::new();
    let mut at = 4 * (blobs as u32 + 1);
    let contents: Vec<&[u8]> = pages.iter().map(|page| page.as_bytes()).chain([&b"\x89PNG"[..]]).collect();
    for content in &contents {
        cluster.extend(at.to_le_bytes());
        at += content.len() as u32;
    }
    cluster.extend(at.to_le_bytes());
    cluster.extend(contents.concat());
    let cluster = if compressed { [vec![5], zstd(&cluster)].concat() } else { [vec![1], cluster].concat() };

    let mut dirents: Vec<Vec<u8>> = Vec::new();
    for blob in 0..blobs {
        let media_type = u16::from(blob == pages.len());
        let mut dirent = [media_type.to_le_bytes().to_vec(), vec![0, b'C'], vec![0; 8]].concat();
        dirent.extend((blob as u32).to_le_bytes());
        dirent.extend(format!("entry {blob}\0\0").into_bytes());
        dirents.push(dirent);
    }
    dirents.push([vec![0xff, 0xff, 0, b'W'], vec![0; 8], b"main\0\0".to_vec()].concat());

    let mut offset = 80 + media_types.len() as u64;
    let mut pointers = Vec::new();
    for dirent in &dirents {
        pointers.extend(offset.to_le_bytes());
        offset += dirent.len() as u64;
    }
    let (entries_at, clusters_at) = (offset, offset + pointers.len() as u64);
    let header = [
        b"ZIM\x04\x06\0\x01\0".to_vec(),
        vec![0; 16],
        (dirents.len() as u32).to_le_bytes().to_vec(),
        1u32.to_le_bytes().to_vec(),
        entries_at.to_le_bytes().to_vec(),
        0u64.to_le_bytes().to_vec(),
        clusters_at.to_le_bytes().to_vec(),
        80u64.to_le_bytes().to_vec(),
        vec![0; 16],
    ];
    let cluster_pointer = (clusters_at + 8).to_le_bytes().to_vec();
    [header.concat(), media_types.to_vec(), dirents.concat(), pointers, cluster_pointer, cluster].concat()
}

/// A WACZ with one WARC and a list of its first page.
pub(crate) fn wacz(warc: Vec<u8>) -> Vec<u8> {
    let list = "{\"format\":\"json-pages-1.0\"}\n{\"url\":\"http://a.example/0\",\"title\":\"The first\"}\n";
    let files = [
        (
            "datapackage.json",
            b"{\"resources\":[{\"path\":\"archive/data.warc.gz\"},{\"path\":\"other.wacz\"}]}".to_vec(),
        ),
        ("pages/pages.jsonl", list.as_bytes().to_vec()),
        ("indexes/index.cdx", b"nothing to read".to_vec()),
        ("archive/data.warc.gz", warc),
    ];
    zip(&files, true)
}
