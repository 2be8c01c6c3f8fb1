package import Bytes

/// Names that need no escaping in JSON, HTML, tags and URLs.
package enum UnreservedName {
    /// Whether a name is not empty and contains only ASCII letters and digits, `-`, `_` and `~`.
    package static func holds(_ utf8: borrowing Span<UInt8>) -> Bool {
        for index in 0..<utf8.count {
            let byte = utf8[index]
            guard
                byte &- UInt8(ascii: "0") < 10 || (byte | 0x20) &- UInt8(ascii: "a") < 26
                    || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
                    || byte == UInt8(ascii: "~")
            else { return false }
        }
        return !utf8.isEmpty
    }

    /// Returns a mask of the bytes that such names cannot contain.
    @inlinable
    @inline(__always)
    package static func marks(in block: SIMD16<UInt8>) -> ByteMask {
        let noDigit: ByteMask = block &- SIMD16(repeating: 0x30) .> SIMD16(repeating: 9)
        let noUpper: ByteMask = block &- SIMD16(repeating: 0x41) .> SIMD16(repeating: 25)
        let noLower: ByteMask = block &- SIMD16(repeating: 0x61) .> SIMD16(repeating: 25)
        let noSign: ByteMask =
            (block .!= SIMD16(repeating: 0x2D)) .& (block .!= SIMD16(repeating: 0x5F))
            .& (block .!= SIMD16(repeating: 0x7E))
        return noDigit .& noUpper .& noLower .& noSign
    }
}
