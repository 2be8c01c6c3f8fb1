package import Bytes

package struct ByteSource {
    package let count: Int64
    /// See ``init(count:read:)``.
    let read: (Int64, Int, inout ByteBuffer) throws(ArchiveError) -> Void

    /// `read` appends at least one byte and at most the given number from an offset on, and none at
    /// the end.
    package init(
        count: Int64,
        read: @escaping (Int64, Int, inout ByteBuffer) throws(ArchiveError) -> Void
    ) {
        self.count = count
        self.read = read
    }

    package init(_ bytes: [UInt8]) {
        self.init(count: Int64(bytes.count)) { offset, maximum, buffer in
            let start = min(bytes.count, Int(offset))
            buffer.append(Array(bytes[start..<min(bytes.count, start + maximum)]))
        }
    }

    /// May be fewer.
    package func firstBytes(_ maximum: Int) throws(ArchiveError) -> [UInt8] {
        try bytes(from: 0, count: Int(min(count, Int64(maximum))))
    }

    func bytes(from offset: Int64, count: Int, entry: String? = nil) throws(ArchiveError) -> [UInt8]
    {
        guard offset >= 0, Int64(count) <= self.count, offset <= self.count - Int64(count) else {
            throw .truncated(entry: entry, offset: self.count)
        }
        var buffer = ByteBuffer(minimumCapacity: count)
        while buffer.count < count {
            let before = buffer.count
            try read(offset + Int64(before), count - before, &buffer)
            guard buffer.count > before else {
                throw .truncated(entry: entry, offset: offset + Int64(before))
            }
        }
        return buffer.array()
    }
}
