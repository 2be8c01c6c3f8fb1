import Bytes
import HTTP

/// The ID of a request in the response, in problems and in the log.
enum RequestID {
    /// Creates a random prefix for a loop's request IDs.
    ///
    /// It makes them differ from those of other loops and of earlier runs.
    static func makePrefix() -> [UInt8] {
        var prefix = ByteBuffer(minimumCapacity: 16)
        prefix.append("req-" as StaticString)
        prefix.append(hexadecimal: UInt64.random(in: 1...UInt64(UInt32.max)))
        prefix.append(UInt8(ascii: "-"))
        return prefix.array()
    }

    /// Returns the ID that a client or proxy sent.
    ///
    /// Returns nil without one, and for one that is not 1 to 64 letters, digits, `.`, `_` and `-`.
    static func sent(with request: borrowing HTTPRequest) -> String? {
        guard let value = request.field(.xRequestID), (1...64).contains(value.utf8.count),
            value.utf8.allSatisfy(isAllowed)
        else { return nil }
        return value
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "-"):
            true
        default: false
        }
    }
}
