/// The encoding of arbitrary bytes in targets: `%` and two hexadecimal digits (RFC 3986 §2.1).
package enum PercentEncoding {
    /// The part of a target that the text is for, which decides about unencoded bytes.
    package enum Location: Sendable {
        /// One segment of a path: `pchar` (RFC 3986 §3.3).
        case pathSegment
        /// A name or value in a query: `unreserved` only, so that forms and links are equal.
        case queryComponent
        /// A name that the script of a page encodes, too, by `encodeURIComponent` of ECMAScript.
        case scriptComponent
    }

    package static func encode(
        _ text: String,
        for location: Location,
        into buffer: inout ByteBuffer
    ) {
        encode(text.utf8.span, for: location, into: &buffer)
    }

    /// The text is UTF-8.
    package static func encode(
        _ text: borrowing Span<UInt8>,
        for location: Location,
        into buffer: inout ByteBuffer
    ) {
        let kept: ByteClass =
            switch location {
            case .pathSegment: .pathSegment
            case .queryComponent: .unreserved
            case .scriptComponent: .scriptComponent
            }
        var start = 0
        for index in 0..<text.count where !kept.contains(text[index]) {
            buffer.append(text.extracting(start..<index))
            buffer.append(UInt8(ascii: "%"))
            buffer.append(hexadecimalDigits[Int(text[index] >> 4)])
            buffer.append(hexadecimalDigits[Int(text[index] & 0xF)])
            start = index + 1
        }
        buffer.append(text.extracting(start..<text.count))
    }

    package static func encode(_ text: String, for location: Location) -> String {
        var buffer = ByteBuffer(minimumCapacity: text.utf8.count)
        encode(text, for: location, into: &buffer)
        return buffer.text()
    }

    /// Decodes once.
    ///
    /// Nil if a `%` is not followed by two hexadecimal digits, or if the bytes are not UTF-8.
    package static func decode(_ text: String) -> String? {
        let bytes = Array(text.utf8)
        guard let decoded = decode(bytes[...], plusIsSpace: false) else { return nil }
        return String(validating: decoded, as: UTF8.self)
    }

    /// Decodes once.
    ///
    /// Nil if a `%` is not followed by two hexadecimal digits.
    package static func decode(_ bytes: ArraySlice<UInt8>, plusIsSpace: Bool) -> [UInt8]? {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count)
        var index = bytes.startIndex
        while index < bytes.endIndex {
            let byte = bytes[index]
            if byte == UInt8(ascii: "%") {
                guard let value = Self.byte(in: bytes.span, at: index - bytes.startIndex) else {
                    return nil
                }
                decoded.append(value)
                index += 3
            } else {
                decoded.append(plusIsSpace && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
                index += 1
            }
        }
        return decoded
    }

    /// Nil if there is no `%` with two digits at the index.
    package static func byte(in bytes: borrowing Span<UInt8>, at index: Int) -> UInt8? {
        guard index + 2 < bytes.count,
            let high = bytes[index + 1].hexadecimalValue,
            let low = bytes[index + 2].hexadecimalValue
        else { return nil }
        return high << 4 | low
    }

    private static let hexadecimalDigits: [UInt8] = Array("0123456789ABCDEF".utf8)
}

extension UInt8 {
    package var hexadecimalValue: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        default: nil
        }
    }

    package var lowercaseHexadecimalValue: UInt8? {
        (UInt8(ascii: "A")...UInt8(ascii: "F")).contains(self) ? nil : hexadecimalValue
    }
}
