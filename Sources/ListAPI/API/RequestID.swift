import Bytes
import HTTP

struct RequestID: Sendable {
    private let given: String?
    private let prefix: [UInt8]
    private let number: UInt64

    /// Nil without an ID, and for one that is not 1 to 64 letters, digits, `.`, `_` and `-`.
    init?(of request: borrowing HTTPRequest) {
        guard let value = request.field(.xRequestID), (1...64).contains(value.utf8.count),
            value.utf8.allSatisfy(Self.isAllowed)
        else { return nil }
        self.init(value)
    }

    init(_ text: String) { (given, prefix, number) = (text, [], 0) }

    private init(_ prefix: [UInt8], _ number: UInt64) {
        (given, self.prefix, self.number) = (nil, prefix, number)
    }

    var text: String {
        var buffer = ByteBuffer(minimumCapacity: 64)
        write(to: &buffer)
        return buffer.text()
    }

    func write(to buffer: inout ByteBuffer) {
        if let given { return buffer.append(given) }
        buffer.append(prefix.span)
        buffer.append(hexadecimal: number)
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

    /// A random prefix makes the IDs differ from those of other loops and of earlier runs.
    struct Sequence {
        private let prefix: [UInt8]
        private var count: UInt64 = 0

        init() {
            var prefix = ByteBuffer(minimumCapacity: 16)
            prefix.append("req-" as StaticString)
            prefix.append(hexadecimal: UInt64.random(in: 1...UInt64(UInt32.max)))
            prefix.append(UInt8(ascii: "-"))
            self.prefix = prefix.array()
        }

        mutating func next() -> RequestID {
            count += 1
            return RequestID(prefix, count)
        }
    }
}
