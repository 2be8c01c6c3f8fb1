package import Bytes

/// It decompresses chunk by chunk in bounded memory, and verifies checksum and size at the end.
package final class DecompressingReader {
    enum Coding {
        case stored
        case deflate
        case gzip
    }

    /// Stated by the archive.
    struct Promise {
        let checksum: UInt32
        let bytes: Int64
    }

    private static let inputBytes = 64 << 10
    private static let outputBytes = 256 << 10

    private let source: ByteSource
    private let range: Range<Int64>
    private let coding: Coding
    private let inflater: Inflater?
    private let entry: String?
    private let promise: Promise?
    private let maximumBytes: Int64
    private var input = ByteBuffer(minimumCapacity: 0)
    private var index = 0
    private var offset: Int64
    private var count: Int64 = 0
    private var checksum: UInt32 = 0
    private var isAtEnd = false
    /// Whether a gzip member is complete and the next has not begun.
    private var isBetweenMembers = false

    init(
        _ source: ByteSource,
        range: Range<Int64>,
        coding: Coding,
        entry: String?,
        promise: Promise?,
        maximumBytes: Int64
    ) throws(ArchiveError) {
        self.source = source
        self.range = range
        self.coding = coding
        self.entry = entry
        self.promise = promise
        self.maximumBytes = maximumBytes
        inflater = coding == .stored ? nil : try Inflater(isGzip: coding == .gzip)
        offset = range.lowerBound
    }

    /// Creates a reader of a gzip file with one or several members (RFC 1952).
    package convenience init(
        gzip source: ByteSource,
        limits: ArchiveLimits = ArchiveLimits()
    ) throws(ArchiveError) {
        try self.init(
            source,
            range: 0..<source.count,
            coding: .gzip,
            entry: nil,
            promise: nil,
            maximumBytes: limits.maximumBytes(forFileOf: source.count)
        )
    }

    package static func isGzip(_ beginning: borrowing Span<UInt8>) -> Bool {
        beginning.count > 2 && beginning[0] == 0x1F && beginning[1] == 0x8B && beginning[2] == 8
    }

    package var compressedBytes: Int { Int(range.upperBound - range.lowerBound) }

    package var compressedBytesRead: Int {
        Int(offset - range.lowerBound) - (input.count - index)
    }

    package func rewind() {
        inflater?.reset()
        input.removeAll()
        index = 0
        offset = range.lowerBound
        count = 0
        checksum = 0
        isAtEnd = false
        isBetweenMembers = false
    }

    /// The buffer has at most 256 KiB of decompressed bytes, and none at the end.
    package func read(into buffer: inout ByteBuffer) throws(ArchiveError) {
        buffer.removeAll()
        while !isAtEnd, buffer.count < Self.outputBytes {
            if index == input.count { try fill() }
            try step(into: &buffer)
        }
        count += Int64(buffer.count)
        guard count <= maximumBytes else { throw .expandsTooFar(limit: maximumBytes) }
        guard let promise else { return }
        checksum = Checksum.next(checksum, buffer)
        guard count <= promise.bytes, !isAtEnd || count == promise.bytes else {
            throw damaged(.size)
        }
        guard !isAtEnd || checksum == promise.checksum else { throw damaged(.checksum) }
    }

    private func fill() throws(ArchiveError) {
        input.removeAll()
        index = 0
        let maximum = min(Int64(Self.inputBytes), range.upperBound - offset)
        guard maximum > 0 else { return }
        try source.read(offset, Int(maximum), &input)
        offset += Int64(input.count)
        guard !input.isEmpty else { throw .truncated(entry: entry, offset: offset) }
    }

    private func step(into buffer: inout ByteBuffer) throws(ArchiveError) {
        guard let inflater else {
            buffer.append(input)
            index = input.count
            isAtEnd = offset == range.upperBound
            return
        }
        if isBetweenMembers {
            guard index < input.count else {
                isAtEnd = true
                return
            }
            // Tapes and some tools fill the end of a file with zeros.
            if input[index] == 0 {
                index += 1
                return
            }
            guard input[index] == 0x1F else { throw damaged(.trailingData) }
            inflater.reset()
            isBetweenMembers = false
        }
        let (isInputEmpty, before) = (index == input.count, buffer.count)
        let room = Self.outputBytes - buffer.count
        let progress: Inflater.Progress
        do {
            progress = try inflater.step(input, from: &index, into: &buffer, room: room)
        } catch {
            throw damaged(error)
        }
        guard progress == .complete else {
            // Without input, zlib still writes bytes that had no room before.
            guard !isInputEmpty || buffer.count > before else {
                throw .truncated(entry: entry, offset: offset)
            }
            return
        }
        guard coding == .gzip else {
            guard index == input.count, offset == range.upperBound else { throw damaged(.size) }
            isAtEnd = true
            return
        }
        isBetweenMembers = true
    }

    private func damaged(_ damage: ArchiveError.Damage) -> ArchiveError {
        .damaged(damage, entry: entry, offset: offset - Int64(input.count - index))
    }
}
