import HTTP

/// The `traceparent` field of a request (W3C Trace Context §3.2).
struct TraceParent: Equatable {
    private static let name: FieldName = "traceparent"

    let traceID: String

    init?(_ request: borrowing HTTPRequest) {
        guard let value = request.field(Self.name) else { return nil }
        self.init(value)
    }

    /// Reads a value; nil for an invalid one, which is ignored (§4.3).
    init?(_ value: String) {
        // version "-" trace-id "-" parent-id "-" trace-flags
        let bytes = Array(value.utf8)
        guard bytes.count >= 55, bytes[2] == Self.dash, bytes[35] == Self.dash,
            bytes[52] == Self.dash
        else { return nil }
        let version = bytes[0..<2]
        let (trace, parent, flags) = (bytes[3..<35], bytes[36..<52], bytes[53..<55])
        guard [version, trace, parent, flags].allSatisfy({ $0.allSatisfy(Self.isDigit) }),
            !version.elementsEqual("ff".utf8), trace.contains(where: { $0 != Self.zero }),
            parent.contains(where: { $0 != Self.zero })
        else { return nil }
        // Later versions may continue after another dash, but version 00 may not.
        if bytes.count > 55 {
            guard !version.elementsEqual("00".utf8), bytes[55] == Self.dash else { return nil }
        }
        traceID = String(decoding: trace, as: UTF8.self)
    }

    private static let dash = UInt8(ascii: "-")
    private static let zero = UInt8(ascii: "0")

    private static func isDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case zero...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): true
        default: false
        }
    }
}
