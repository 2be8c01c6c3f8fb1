package import Bytes

/// A writer of a zip file that is sent while it is written (APPNOTE.TXT 6.3).
///
/// Sizes and checksums follow the content of each entry, so nothing is written twice. The writer is a
/// value without the bytes written, and can continue on another thread.
package struct ZipWriter: Sendable {
    /// A compressor of a piece of an entry.
    ///
    /// It appends blocks of the deflate format (RFC 1951) that end at a byte, none of them the last.
    package typealias Deflate =
        @Sendable (
            _ bytes: borrowing Span<UInt8>,
            _ buffer: inout ByteBuffer
        ) -> Void

    private struct Entry {
        let name: String
        let offset: UInt64
        var checksum = CRC32()
        var size: UInt64 = 0
        var compressedSize: UInt64 = 0
    }

    private let deflate: Deflate
    private var entries: [Entry] = []
    private var offset: UInt64

    package init(at offset: UInt64 = 0, deflate: @escaping Deflate) {
        self.offset = offset
        self.deflate = deflate
    }

    var entrySize: UInt64 { entries.last?.size ?? 0 }

    package mutating func begin(_ name: String, to buffer: inout ByteBuffer) {
        let start = buffer.count
        entries.append(Entry(name: name, offset: offset))
        buffer.append(littleEndian: 0x0403_4B50, bytes: 4)
        Self.describe(to: &buffer)
        buffer.append(littleEndian: 0, bytes: 12)
        buffer.append(littleEndian: UInt64(name.utf8.count), bytes: 2)
        buffer.append(littleEndian: 0, bytes: 2)
        buffer.append(name)
        offset += UInt64(buffer.count - start)
    }

    package mutating func write(_ content: borrowing ByteBuffer, to buffer: inout ByteBuffer) {
        guard !content.isEmpty else { return }
        let start = buffer.count
        content.withBytes { bytes in
            entries[entries.count - 1].checksum.add(bytes)
            deflate(bytes, &buffer)
        }
        entries[entries.count - 1].size += UInt64(content.count)
        count(from: start, in: buffer)
    }

    package mutating func end(to buffer: inout ByteBuffer) {
        let start = buffer.count
        // The last block of the deflate format, without content.
        buffer.append(littleEndian: 0x0003, bytes: 2)
        count(from: start, in: buffer)
        let entry = entries[entries.count - 1]
        precondition(entry.size <= UInt32.max, "\(entry.size) bytes in \(entry.name)")
        let end = buffer.count
        buffer.append(littleEndian: 0x0807_4B50, bytes: 4)
        Self.summarise(entry, to: &buffer)
        offset += UInt64(buffer.count - end)
    }

    package mutating func add(
        _ name: String,
        to buffer: inout ByteBuffer,
        _ write: (inout ByteBuffer) -> Void
    ) {
        var content = ByteBuffer(minimumCapacity: 4096)
        write(&content)
        begin(name, to: &buffer)
        self.write(content, to: &buffer)
        end(to: &buffer)
    }

    package mutating func finish(to buffer: inout ByteBuffer) {
        let start = buffer.count
        for entry in entries {
            buffer.append(littleEndian: 0x0201_4B50, bytes: 4)
            buffer.append(littleEndian: Self.version, bytes: 2)
            Self.describe(to: &buffer)
            Self.summarise(entry, to: &buffer)
            buffer.append(littleEndian: UInt64(entry.name.utf8.count), bytes: 2)
            let isFar = entry.offset >= Self.far
            buffer.append(littleEndian: isFar ? 12 : 0, bytes: 2)
            buffer.append(littleEndian: 0, bytes: 10)
            buffer.append(littleEndian: min(entry.offset, Self.far), bytes: 4)
            buffer.append(entry.name)
            guard isFar else { continue }
            buffer.append(littleEndian: 0x0008_0001, bytes: 4)
            buffer.append(littleEndian: entry.offset, bytes: 8)
        }
        let size = UInt64(buffer.count - start)
        let count = UInt64(entries.count)
        if offset >= Self.far { finishFar(size: size, to: &buffer) }
        buffer.append(littleEndian: 0x0605_4B50, bytes: 4)
        buffer.append(littleEndian: 0, bytes: 4)
        buffer.append(littleEndian: count, bytes: 2)
        buffer.append(littleEndian: count, bytes: 2)
        buffer.append(littleEndian: size, bytes: 4)
        buffer.append(littleEndian: min(offset, Self.far), bytes: 4)
        buffer.append(littleEndian: 0, bytes: 2)
    }

    /// Appends the end of a directory that begins after 4 GiB (zip64).
    private func finishFar(size: UInt64, to buffer: inout ByteBuffer) {
        let count = UInt64(entries.count)
        buffer.append(littleEndian: 0x0606_4B50, bytes: 4)
        buffer.append(littleEndian: 44, bytes: 8)
        buffer.append(littleEndian: Self.version, bytes: 2)
        buffer.append(littleEndian: Self.version, bytes: 2)
        buffer.append(littleEndian: 0, bytes: 8)
        buffer.append(littleEndian: count, bytes: 8)
        buffer.append(littleEndian: count, bytes: 8)
        buffer.append(littleEndian: size, bytes: 8)
        buffer.append(littleEndian: offset, bytes: 8)
        buffer.append(littleEndian: 0x0706_4B50, bytes: 4)
        buffer.append(littleEndian: 0, bytes: 4)
        buffer.append(littleEndian: offset + size, bytes: 8)
        buffer.append(littleEndian: 1, bytes: 4)
    }

    private mutating func count(from start: Int, in buffer: borrowing ByteBuffer) {
        let written = UInt64(buffer.count - start)
        entries[entries.count - 1].compressedSize += written
        offset += written
    }

    /// Appends the version, flags, method and time: deflated, with sizes after the content.
    ///
    /// The time is the first one of the format, so that equal lists make equal files.
    private static func describe(to buffer: inout ByteBuffer) {
        buffer.append(littleEndian: version, bytes: 2)
        buffer.append(littleEndian: 0x0008, bytes: 2)
        buffer.append(littleEndian: 8, bytes: 2)
        buffer.append(littleEndian: 0x0021_0000, bytes: 4)
    }

    private static func summarise(_ entry: Entry, to buffer: inout ByteBuffer) {
        buffer.append(littleEndian: UInt64(entry.checksum.value), bytes: 4)
        buffer.append(littleEndian: entry.compressedSize, bytes: 4)
        buffer.append(littleEndian: entry.size, bytes: 4)
    }

    private static let version: UInt64 = 45
    /// The first offset that four bytes cannot hold.
    private static let far: UInt64 = 0xFFFF_FFFF
}

extension ZipWriter {
    package static let stored: Deflate = { bytes, buffer in
        var start = 0
        while start < bytes.count {
            let count = min(bytes.count - start, 0xFFFF)
            buffer.append(UInt8(0))
            buffer.append(littleEndian: UInt64(count), bytes: 2)
            buffer.append(littleEndian: UInt64(count) ^ 0xFFFF, bytes: 2)
            buffer.append(bytes.extracting(start..<start + count))
            start += count
        }
    }
}

extension ByteBuffer {
    fileprivate mutating func append(littleEndian value: UInt64, bytes count: Int) {
        for index in 0..<count { append(UInt8(truncatingIfNeeded: value >> UInt64(8 * index))) }
    }
}
