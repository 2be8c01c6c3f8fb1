import Bytes
import Listings
import Testing

@testable import Rendering

/// What is asked of sixteen bytes at once, held to the rule of a byte at a time.
@Suite("Blocks of bytes")
struct BlockTests {
    private func expectMarks(
        _ marks: (SIMD16<UInt8>) -> ByteMask,
        _ isMarked: (UInt8) -> Bool
    ) {
        for byte in UInt8.min...UInt8.max {
            for location in 0..<16 {
                for other in [0x61, 0x30, 0x00, 0xFF] as [UInt8] {
                    var block = SIMD16(repeating: other)
                    block[location] = byte
                    let mask = marks(block)
                    let found = (0..<16).map { mask[$0] }
                    let expected = (0..<16).map { isMarked($0 == location ? byte : other) }
                    if found != expected { #expect(found == expected, "\(byte) at \(location)") }
                }
            }
        }
    }

    @Test("in JSON just the bytes are marked that need an escape")
    func json() {
        expectMarks({ JSONEscape.marks(in: $0) }, { JSONEscape.needsEscape($0) })
    }

    @Test(
        "in HTML the bytes are marked that need an escape, and white space that is none of theirs"
    )
    func html() {
        expectMarks(
            { HTMLEscape.marks(in: $0) },
            { HTMLEscape.needsEscape($0) || [0x09, 0x0A, 0x0D].contains($0) }
        )
    }

    @Test("in names just the bytes are marked that are not the same everywhere")
    func names() {
        expectMarks(
            { UnreservedName.marks(in: $0) },
            { byte in
                let letter = byte | 0x20
                return
                    !(0x30...0x39 ~= byte || 0x61...0x7A ~= letter
                    || [0x2D, 0x5F, 0x7E].contains(byte))
            }
        )
    }
}
