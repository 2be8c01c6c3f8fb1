import Bytes
import Testing

@testable import HTTP

@Suite("Byte sets")
struct ByteClassTests {
    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }

    @Test("each set holds the bytes its grammar names and no other")
    func sets() {
        for byte in UInt8.min...UInt8.max {
            let isVisible = (0x21...0x7E).contains(byte)
            let delimiters = Array(#""(),/:;<=>?@[\]{}"#.utf8)
            #expect(ByteClass.token.contains(byte) == (isVisible && !delimiters.contains(byte)))
            let isControl = byte < 0x20 || byte == 0x7F
            #expect(ByteClass.fieldValue.contains(byte) == (byte == 0x09 || !isControl))
            let isInTarget = isVisible && !"#<>\"".utf8.contains(byte) || byte >= 0x80
            #expect(ByteClass.query.contains(byte) == isInTarget)
            let isInPath = isInTarget && !"?\\^`{|}".utf8.contains(byte)
            #expect(ByteClass.path.contains(byte) == isInPath)
            let isUnreserved = Self.isAlphanumeric(byte) || "-._~".utf8.contains(byte)
            #expect(ByteClass.unreserved.contains(byte) == isUnreserved)
            let isPathByte = isUnreserved || "!$&'()*+,;=:@".utf8.contains(byte)
            #expect(ByteClass.pathSegment.contains(byte) == isPathByte)
            let isHostByte = isUnreserved || "!$&'()*+;=".utf8.contains(byte)
            #expect(ByteClass.host.contains(byte) == isHostByte)
        }
    }

    @Test("hexadecimal digits have their value, other bytes none")
    func hexadecimal() {
        for byte in UInt8.min...UInt8.max {
            let text = String(Unicode.Scalar(byte))
            let expected = byte < 0x80 && Character(text).isHexDigit ? UInt8(text, radix: 16) : nil
            #expect(byte.hexadecimalValue == expected)
        }
    }

    @Test("only A to Z change their case")
    func lowercase() {
        for byte in UInt8.min...UInt8.max {
            let isUpper = (0x41...0x5A).contains(byte)
            #expect(byte.lowercasedASCII == (isUpper ? byte + 0x20 : byte))
        }
    }
}
