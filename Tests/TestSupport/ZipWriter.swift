import Bytes
import System

package enum Gzip {
    /// Returns one member (RFC 1952).
    package static func member(_ bytes: [UInt8]) -> [UInt8] {
        guard let encoder = GzipEncoder(level: GzipEncoder.thoroughLevel) else {
            preconditionFailure("there is no memory")
        }
        var buffer = ByteBuffer()
        encoder.compress(bytes.span, into: &buffer)
        return buffer.array()
    }
}

package struct ZipWriter {
    package struct Entry {
        package var name: String
        package var data: [UInt8]
        package var method = 8
        /// The flags; bit 0 is that of encryption.
        package var flags = 1 << 11
        package var checksum: UInt32
        package var bytes: UInt64
        /// The name before the data; nil for the same.
        package var localName: String?
        /// The offset of the header; nil for where it stands.
        package var offset: UInt64?

        package init(_ name: String, _ contents: [UInt8], isCompressed: Bool = true) {
            self.name = name
            let member = Gzip.member(contents)
            // A header of ten bytes, the data, checksum and size.
            data = isCompressed ? Array(member[10..<member.count - 8]) : contents
            if !isCompressed { method = 0 }
            checksum = member[(member.count - 8)..<(member.count - 4)].reversed()
                .reduce(0) { $0 << 8 | UInt32($1) }
            bytes = UInt64(contents.count)
        }

        package init(_ name: String, _ text: String, isCompressed: Bool = true) {
            self.init(name, Array(text.utf8), isCompressed: isCompressed)
        }
    }

    /// The entries, in their order.
    package var entries: [Entry]
    /// Whether sizes and offsets have 64 bits.
    package var isWide = false
    /// The bytes before the archive, as programs have that extract themselves.
    package var prefix: [UInt8] = []
    package var comment: [UInt8] = []

    package init(_ entries: [Entry]) { self.entries = entries }

    package init(_ files: KeyValuePairs<String, String>) {
        entries = files.map { Entry($0.key, $0.value) }
    }

    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        var directory: [UInt8] = []
        for entry in entries {
            let offset = entry.offset ?? UInt64(bytes.count)
            let local = Array((entry.localName ?? entry.name).utf8)
            let common =
                Self.number(20, 2) + Self.number(entry.flags, 2) + Self.number(entry.method, 2)
                + Self.number(0, 4) + Self.number(entry.checksum, 4)
            let sizes = Self.number(entry.data.count, 4) + Self.number(entry.bytes, 4)
            bytes += Self.number(0x0403_4B50, 4) + common + sizes + Self.number(local.count, 2)
            bytes += Self.number(0, 2) + local + entry.data
            let name = Array(entry.name.utf8)
            let wide =
                Self.number(1, 2) + Self.number(24, 2) + Self.number(entry.bytes, 8)
                + Self.number(entry.data.count, 8) + Self.number(offset, 8)
            directory += Self.number(0x0201_4B50, 4) + Self.number(20, 2) + common
            directory += isWide ? Self.number(UInt64.max, 8) : sizes
            directory += Self.number(name.count, 2) + Self.number(isWide ? wide.count : 0, 2)
            directory += Self.number(0, 10)
            directory += isWide ? Self.number(UInt64.max, 4) : Self.number(offset, 4)
            directory += name + (isWide ? wide : [])
        }
        return prefix + bytes + directory + end(of: bytes.count, directory.count)
    }

    private func end(of location: Int, _ directoryBytes: Int) -> [UInt8] {
        var end: [UInt8] = []
        if isWide {
            end += Self.number(0x0606_4B50, 4) + Self.number(44, 8) + Self.number(0x2D_002D, 4)
            end += Self.number(0, 8) + Self.number(entries.count, 8)
            end += Self.number(entries.count, 8) + Self.number(directoryBytes, 8)
            end += Self.number(location, 8)
            end += Self.number(0x0706_4B50, 4) + Self.number(0, 4)
            end += Self.number(prefix.count + location + directoryBytes, 8) + Self.number(1, 4)
        }
        let count = isWide ? 0xFFFF : entries.count
        end += Self.number(0x0605_4B50, 4) + Self.number(0, 4) + Self.number(count, 2)
        end += Self.number(count, 2)
        end += isWide ? Self.number(UInt64.max, 8) : Self.number(directoryBytes, 4)
        end += (isWide ? [] : Self.number(location, 4)) + Self.number(comment.count, 2) + comment
        return end
    }

    private static func number(_ value: some BinaryInteger, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: UInt64(truncatingIfNeeded: value) >> ($0 * 8)) }
    }
}
