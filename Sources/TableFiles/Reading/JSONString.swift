internal import Bytes

/// Reads a JSON string after its opening quote up to the closing one (RFC 8259 §7), across chunks.
struct JSONString {
    private enum State {
        case plain
        case escape
        case unicode(digits: Int, unit: UInt16)
        case lowSurrogateEscape
        case lowSurrogateUnicode
    }

    /// The place of the opening quote.
    private let start: FileLocation
    /// The maximum size of the buffer, including the string.
    private let maximumCount: Int
    private var state = State.plain
    private var highSurrogate: UInt16?
    private var escapePlace = FileLocation.start

    /// Creates a reader that starts after an opening quote.
    ///
    /// - Parameters:
    ///   - start: The place of the quote.
    ///   - buffer: The buffer that will receive the text.
    init(at start: FileLocation, into buffer: borrowing ByteBuffer) {
        self.start = start
        maximumCount = buffer.count + FileLimits.maximumFieldBytes
    }

    /// Continues the string.
    ///
    /// - Parameters:
    ///   - chunk: The next bytes of the file.
    ///   - index: The first unread byte. It is advanced, at most past the closing quote.
    ///   - position: Counts lines and characters, and checks UTF-8.
    ///   - buffer: Receives the text with resolved escapes.
    /// - Returns: Whether the closing quote was read or more bytes are needed.
    /// - Throws: ``FileError``.
    mutating func read(
        _ chunk: borrowing Span<UInt8>,
        _ index: inout Int,
        _ position: inout TextPosition,
        into buffer: inout ByteBuffer
    ) throws(FileError) -> RecordProgress {
        while index < chunk.count {
            let byte = chunk[index]
            guard case .plain = state, !position.isInsideCharacter else {
                if position.isInsideCharacter {
                    try copyCharacter(chunk, &index, &position, &buffer)
                } else {
                    try readEscape(byte, &buffer)
                    index += 1
                    try checkSize(buffer)
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""):
                index += 1
                return .complete
            case UInt8(ascii: "\\"):
                escapePlace = position.place(index)
                state = .escape
                index += 1
            case 0..<0x20:
                throw FileError(.controlCharacterInString, at: position.place(index))
            case 0x80...:
                try copyCharacter(chunk, &index, &position, &buffer)
            default:
                try copyPlain(chunk, &index, &buffer)
            }
        }
        return .needsMoreBytes
    }

    private func copyPlain(
        _ chunk: borrowing Span<UInt8>,
        _ index: inout Int,
        _ buffer: inout ByteBuffer
    ) throws(FileError) {
        let start = index
        while index < chunk.count, isPlain(chunk[index]) { index += 1 }
        let run = chunk.extracting(start..<index)
        buffer.append(run)
        try checkSize(buffer)
    }

    private func checkSize(_ buffer: borrowing ByteBuffer) throws(FileError) {
        guard buffer.count <= maximumCount else {
            throw FileError(.fieldTooLarge(limit: FileLimits.maximumFieldBytes), at: start)
        }
    }

    private func isPlain(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte < 0x80 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }

    private func copyCharacter(
        _ chunk: borrowing Span<UInt8>,
        _ index: inout Int,
        _ position: inout TextPosition,
        _ buffer: inout ByteBuffer
    ) throws(FileError) {
        let start = index
        try position.takeCharacter(chunk, &index)
        let run = chunk.extracting(start..<index)
        buffer.append(run)
        try checkSize(buffer)
    }
}

extension JSONString {
    /// Reads a byte of an escape.
    private mutating func readEscape(
        _ byte: UInt8,
        _ buffer: inout ByteBuffer
    ) throws(FileError) {
        switch state {
        case .plain:
            preconditionFailure("\(byte) is no byte of an escape")
        case .escape:
            if byte == UInt8(ascii: "u") {
                state = .unicode(digits: 0, unit: 0)
            } else {
                guard let resolved = Self.resolve(byte) else {
                    throw FileError(.invalidEscape, at: escapePlace)
                }
                buffer.append(resolved)
                state = .plain
            }
        case .unicode(let digits, let unit):
            guard let digit = Self.hexadecimal(byte) else {
                throw FileError(.invalidEscape, at: escapePlace)
            }
            let unit = unit << 4 | digit
            guard digits == 3 else {
                state = .unicode(digits: digits + 1, unit: unit)
                return
            }
            try endUnit(unit, &buffer)
        case .lowSurrogateEscape:
            guard byte == UInt8(ascii: "\\") else {
                throw FileError(.loneSurrogate, at: escapePlace)
            }
            state = .lowSurrogateUnicode
        case .lowSurrogateUnicode:
            guard byte == UInt8(ascii: "u") else {
                throw FileError(.loneSurrogate, at: escapePlace)
            }
            state = .unicode(digits: 0, unit: 0)
        }
    }

    /// Appends a UTF-16 code unit, which is a character or half of one.
    private mutating func endUnit(
        _ unit: UInt16,
        _ buffer: inout ByteBuffer
    ) throws(FileError) {
        let scalar: Unicode.Scalar?
        switch (highSurrogate, unit) {
        case (nil, 0xD800...0xDBFF):
            highSurrogate = unit
            state = .lowSurrogateEscape
            return
        case (nil, _):
            scalar = Unicode.Scalar(unit)
        case (let high?, 0xDC00...0xDFFF):
            let value = 0x10000 + (UInt32(high) - 0xD800) << 10 + (UInt32(unit) - 0xDC00)
            scalar = Unicode.Scalar(value)
        case (_?, _):
            scalar = nil
        }
        guard let scalar else { throw FileError(.loneSurrogate, at: escapePlace) }
        guard scalar != "\0" else { throw FileError(.nulCharacter, at: escapePlace) }
        highSurrogate = nil
        state = .plain
        for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter { buffer.append(byte) }
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

    private static func hexadecimal(_ byte: UInt8) -> UInt16? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt16(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt16(byte - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt16(byte - UInt8(ascii: "A") + 10)
        default: nil
        }
    }
}
