package import Bytes

/// Reads a JSON string after its opening quote up to the closing one (RFC 8259 §7), across chunks.
@frozen
@usableFromInline
package struct JSONString: Sendable {
    @frozen
    @usableFromInline
    package enum Progress: Sendable {
        case needsMoreBytes
        /// A byte that is not ASCII is next, which the caller checks and copies.
        case nonASCII
        case complete
    }

    @frozen
    @usableFromInline
    enum State: Sendable {
        case plain
        case escape
        case unicode(digits: UInt8, unit: UInt16)
        case lowSurrogateEscape
        case lowSurrogateUnicode
    }

    /// The maximum size of the buffer, including the string.
    @usableFromInline var maximumCount = 0
    @usableFromInline let limit: Int
    /// Whether a NUL character and a surrogate without its counterpart become U+FFFD.
    @usableFromInline package var replacesInvalid = false
    /// The number of NUL characters replaced since the string began.
    @usableFromInline package internal(set) var replacedNULs = 0
    /// The number of surrogates replaced since the string began.
    @usableFromInline package internal(set) var replacedSurrogates = 0
    @usableFromInline var state = State.plain
    @usableFromInline var highSurrogate: UInt16?
    /// The offset of the last escape, which for a surrogate pair is the first of its two.
    @usableFromInline package internal(set) var escapeOffset = 0

    /// The limit is the maximum number of bytes of a text.
    package init(limit: Int) { self.limit = limit }

    /// Starts after an opening quote.
    ///
    /// The previous string must be complete.
    ///
    /// The count is that of the buffer that will receive the text.
    @inlinable
    package mutating func begin(at count: Int) {
        maximumCount = count + limit
        replacedNULs = 0
        replacedSurrogates = 0
    }

    /// Advances the index, at most past the closing quote.
    ///
    /// `chunkStart` is the offset of the chunk in the document. The buffer receives the text with
    /// resolved escapes.
    package mutating func read(
        _ chunk: borrowing Span<UInt8>,
        _ index: inout Int,
        chunkStart: Int,
        into buffer: inout ByteBuffer
    ) throws(JSONSyntaxError) -> Progress {
        while index < chunk.count {
            let byte = chunk[index]
            guard case .plain = state else {
                if try readEscape(byte, at: chunkStart + index, &buffer) { index += 1 }
                try checkSize(buffer, at: chunkStart + index)
                continue
            }
            switch byte {
            case UInt8(ascii: "\""):
                index += 1
                return .complete
            case UInt8(ascii: "\\"):
                escapeOffset = chunkStart + index
                index += 1
                guard index < chunk.count, let resolved = Self.resolve(chunk[index]) else {
                    state = .escape
                    continue
                }
                buffer.append(resolved)
                index += 1
                try checkSize(buffer, at: chunkStart + index)
            case 0..<0x20:
                throw JSONSyntaxError(.controlCharacter, at: chunkStart + index)
            case 0x80...:
                return .nonASCII
            default:
                let start = index
                skipPlain(chunk, &index)
                buffer.append(chunk.extracting(start..<index))
                try checkSize(buffer, at: chunkStart + index)
            }
        }
        return .needsMoreBytes
    }

    package func hasRoom(_ buffer: borrowing ByteBuffer) -> Bool { buffer.count <= maximumCount }

    private func checkSize(
        _ buffer: borrowing ByteBuffer,
        at offset: Int
    ) throws(JSONSyntaxError) {
        guard hasRoom(buffer) else { throw JSONSyntaxError(.stringTooLong, at: offset) }
    }

    private func skipPlain(_ chunk: borrowing Span<UInt8>, _ index: inout Int) {
        while index + 8 <= chunk.count {
            let word = chunk.word(at: index)
            let marks =
                WordSearch.bytes(below: 0x20, in: word) | word & WordSearch.highBits
                | WordSearch.bytes(equalTo: UInt8(ascii: "\""), in: word)
                | WordSearch.bytes(equalTo: UInt8(ascii: "\\"), in: word)
            guard marks == 0 else {
                index += marks.trailingZeroBitCount / 8
                return
            }
            index += 8
        }
        while index < chunk.count, isPlain(chunk[index]) { index += 1 }
    }

    private func isPlain(_ byte: UInt8) -> Bool {
        byte &- 0x20 < 0x60 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }
}

extension JSONString {
    /// True if the byte belongs to the escape.
    private mutating func readEscape(
        _ byte: UInt8,
        at offset: Int,
        _ buffer: inout ByteBuffer
    ) throws(JSONSyntaxError) -> Bool {
        switch state {
        case .plain:
            preconditionFailure("\(byte) is no byte of an escape")
        case .escape:
            if byte == UInt8(ascii: "u") {
                state = .unicode(digits: 0, unit: 0)
            } else {
                guard let resolved = Self.resolve(byte) else {
                    throw JSONSyntaxError(.invalidEscape, at: offset)
                }
                buffer.append(resolved)
                state = .plain
            }
        case .unicode(let digits, let unit):
            guard let digit = byte.hexadecimalValue else {
                throw JSONSyntaxError(.invalidEscape, at: offset)
            }
            let unit = unit << 4 | UInt16(digit)
            if digits == 3 {
                try endUnit(unit, &buffer)
            } else {
                state = .unicode(digits: digits + 1, unit: unit)
            }
        case .lowSurrogateEscape:
            guard byte == UInt8(ascii: "\\") else {
                try replaceSurrogate(orThrow: .missingSurrogate, at: offset, &buffer)
                state = .plain
                return false
            }
            state = .lowSurrogateUnicode
        case .lowSurrogateUnicode:
            guard byte == UInt8(ascii: "u") else {
                try replaceSurrogate(orThrow: .missingSurrogate, at: offset, &buffer)
                state = .escape
                return false
            }
            state = .unicode(digits: 0, unit: 0)
        }
        return true
    }

    /// Appends a UTF-16 code unit, which is a character or half of one.
    private mutating func endUnit(
        _ unit: UInt16,
        _ buffer: inout ByteBuffer
    ) throws(JSONSyntaxError) {
        // The digits follow the backslash and the `u`.
        let digits = escapeOffset + 2
        if let high = highSurrogate {
            if 0xDC00...0xDFFF ~= unit {
                let value = 0x10000 + (UInt32(high) - 0xD800) << 10 + (UInt32(unit) - 0xDC00)
                highSurrogate = nil
                return append(Unicode.Scalar(value), &buffer)
            }
            try replaceSurrogate(orThrow: .loneSurrogate, at: digits, &buffer)
        }
        switch unit {
        case 0xD800...0xDBFF:
            highSurrogate = unit
            state = .lowSurrogateEscape
        case 0xDC00...0xDFFF:
            try replaceSurrogate(orThrow: .loneSurrogate, at: digits, &buffer)
            state = .plain
        case 0 where replacesInvalid:
            replacedNULs += 1
            append(nil, &buffer)
        default:
            append(Unicode.Scalar(unit), &buffer)
        }
    }

    /// Replaces a surrogate without its counterpart, or throws an error.
    private mutating func replaceSurrogate(
        orThrow reason: JSONSyntaxError.Reason,
        at offset: Int,
        _ buffer: inout ByteBuffer
    ) throws(JSONSyntaxError) {
        guard replacesInvalid else { throw JSONSyntaxError(reason, at: offset) }
        replacedSurrogates += 1
        highSurrogate = nil
        append(nil, &buffer)
    }

    /// Appends U+FFFD for nil.
    private mutating func append(_ scalar: Unicode.Scalar?, _ buffer: inout ByteBuffer) {
        state = .plain
        let character = scalar ?? "\u{FFFD}"
        for byte in UTF8.encode(character) ?? UTF8.encodedReplacementCharacter {
            buffer.append(byte)
        }
    }

    private static func resolve(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): byte
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0C
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "r"): 0x0D
        case UInt8(ascii: "t"): 0x09
        default: nil
        }
    }
}
