import Testing

@testable import HTTP

@Suite("Looking for bytes")
struct ByteSearchTests {
    @Test("a byte is found where it stands first, wherever that is", arguments: 0..<40)
    func first(_ count: Int) {
        for location in 0...count {
            // Bytes that differ from the wanted one in their lowest bit or in their highest.
            var bytes = (0..<count).map { $0 % 2 == 0 ? UInt8(0x0C) : UInt8(0x8D) }
            for index in stride(from: location, to: count, by: 3) { bytes[index] = 0x0D }
            for start in 0...count {
                let expected = bytes.indices.first { $0 >= start && bytes[$0] == 0x0D }
                let found = bytes.span.firstIndex(of: 0x0D, from: start)
                #expect(found == expected, "\(bytes) from \(start)")
            }
        }
    }
}
