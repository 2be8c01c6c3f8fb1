package import Bytes

package enum TextEncoding: Hashable, Sendable {
    /// UTF-8 (RFC 3629).
    case utf8
    /// UTF-16 with the low byte first (RFC 2781).
    case utf16LittleEndian
    /// UTF-16 with the high byte first (RFC 2781).
    case utf16BigEndian
    /// Windows-1252, of which Latin-1 texts without control characters are a part.
    case windows1252
    /// An encoding that iconv(3) of the C library converts.
    case named(String)

    package var name: String {
        switch self {
        case .utf8: "UTF-8"
        case .utf16LittleEndian: "UTF-16LE"
        case .utf16BigEndian: "UTF-16BE"
        case .windows1252: "Windows-1252"
        case .named(let name): name
        }
    }

    /// Case and punctuation have no meaning.
    package init(named name: String) {
        let letters = name.lowercased().filter { $0.isLetter || $0.isNumber }
        self =
            switch letters {
            case "utf8": .utf8
            case "utf16le": .utf16LittleEndian
            case "utf16be": .utf16BigEndian
            case "windows1252", "cp1252", "latin1", "iso88591": .windows1252
            default: .named(name)
            }
    }

    /// UTF-16 by its byte order mark or by the zeros of its letters, otherwise UTF-8.
    package init(unitsOf beginning: borrowing Span<UInt8>) {
        self = .utf8
        guard beginning.count >= 2 else { return }
        if beginning[0] == 0xFF, beginning[1] == 0xFE { self = .utf16LittleEndian }
        if beginning[0] == 0xFE, beginning[1] == 0xFF { self = .utf16BigEndian }
        let count = min(beginning.count / 2, 1_000)
        var (even, odd) = (0, 0)
        for unit in 0..<count {
            if beginning[2 * unit] == 0 { even += 1 }
            if beginning[2 * unit + 1] == 0 { odd += 1 }
        }
        // In every text, commas and line feeds have a zero, in the same place.
        guard self == .utf8, count >= 4, 10 * max(even, odd) >= count, min(even, odd) == 0 else {
            return
        }
        self = odd > 0 ? .utf16LittleEndian : .utf16BigEndian
    }
}

/// Decodes a text in chunks to UTF-8; whatever is no character becomes U+FFFD.
package struct TextDecoder: Sendable {
    package let encoding: TextEncoding
    /// The first byte of a UTF-16 code unit whose second one is in the next chunk.
    private var pendingByte: UInt8?
    /// The high surrogate that the next code unit continues.
    private var pendingSurrogate: UInt16?

    package init(_ encoding: TextEncoding) { self.encoding = encoding }

    /// An empty chunk is the end of the text.
    package mutating func decode(
        _ chunk: borrowing Span<UInt8>,
        into buffer: inout ByteBuffer
    ) {
        switch encoding {
        case .utf8, .named: buffer.append(chunk)
        case .windows1252:
            for index in 0..<chunk.count {
                let byte = chunk[index]
                if byte < 0x80 {
                    buffer.append(byte)
                } else {
                    append(byte < 0xA0 ? Self.controls[Int(byte) - 0x80] : UInt32(byte), &buffer)
                }
            }
        case .utf16LittleEndian, .utf16BigEndian:
            for index in 0..<chunk.count {
                guard let first = pendingByte else {
                    pendingByte = chunk[index]
                    continue
                }
                pendingByte = nil
                let (low, high) =
                    encoding == .utf16LittleEndian ? (first, chunk[index]) : (chunk[index], first)
                take(UInt16(high) << 8 | UInt16(low), &buffer)
            }
            if chunk.isEmpty, pendingByte != nil || pendingSurrogate != nil {
                pendingByte = nil
                pendingSurrogate = nil
                append(0xFFFD, &buffer)
            }
        }
    }

    private mutating func take(_ unit: UInt16, _ buffer: inout ByteBuffer) {
        if let high = pendingSurrogate {
            pendingSurrogate = nil
            if 0xDC00...0xDFFF ~= unit {
                let scalar = 0x10000 + (UInt32(high) - 0xD800) << 10 + (UInt32(unit) - 0xDC00)
                return append(scalar, &buffer)
            }
            append(0xFFFD, &buffer)
        }
        switch unit {
        case 0xD800...0xDBFF: pendingSurrogate = unit
        case 0xDC00...0xDFFF: append(0xFFFD, &buffer)
        default: append(UInt32(unit), &buffer)
        }
    }

    private func append(_ scalar: UInt32, _ buffer: inout ByteBuffer) {
        let character = Unicode.Scalar(scalar) ?? "\u{FFFD}"
        for byte in UTF8.encode(character) ?? UTF8.encodedReplacementCharacter {
            buffer.append(byte)
        }
    }

    /// Nil if the encoding has no such character.
    package static func windows1252(_ scalar: Unicode.Scalar) -> UInt8? {
        switch scalar.value {
        case 0xFFFD: nil
        case 0..<0x80, 0xA0...0xFF: UInt8(scalar.value)
        default: controls.firstIndex(of: scalar.value).map { UInt8($0 + 0x80) }
        }
    }

    private static let controls: [UInt32] = [
        0x20AC, 0xFFFD, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
        0x2039, 0x0152, 0xFFFD, 0x017D, 0xFFFD, 0xFFFD, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
        0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0xFFFD, 0x017E, 0x0178,
    ]
}
