/// The checksum of zip and gzip files (RFC 1952 §8).
package struct CRC32: Hashable, Sendable {
    private var state: UInt32 = 0xFFFF_FFFF

    package init() {}

    package var value: UInt32 { ~state }

    package mutating func add(_ bytes: borrowing Span<UInt8>) {
        let table = Self.table.span
        var state = state
        for index in bytes.indices {
            state = table[Int(truncatingIfNeeded: state & 0xFF) ^ Int(bytes[index])] ^ state >> 8
        }
        self.state = state
    }

    private static let table: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte)) { value, _ in
            value & 1 == 0 ? value >> 1 : value >> 1 ^ 0xEDB8_8320
        }
    }
}
