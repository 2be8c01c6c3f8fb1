import Bytes

/// A parser of one chunk-size line with its extensions, byte by byte (RFC 9112 §7.1).
///
/// `1*HEXDIG *( BWS ";" BWS token [ BWS "=" BWS ( token / quoted-string ) ] ) CRLF`. The extensions
/// are checked and ignored.
struct ChunkLineParser: Sendable {
    private enum Phase: Sendable {
        case size
        /// Blanks after the size or a value: only `;` may follow.
        case beforeSemicolon
        case beforeName
        case name
        /// Blanks after a name: `;` or `=` may follow.
        case afterName
        case beforeValue
        case tokenValue
        case quotedValue
        case quotedPair
        case afterQuotedValue
        case lineFeed
    }

    private static let maximumDigits = 15

    private var phase: Phase = .size
    private var digits = 0
    private var lineBytes = 0
    private var size = 0

    private(set) var extensionBytes = 0

    init() {}

    /// The limit is that of the line without its end.
    ///
    /// Nil unless the byte ends the line. Throws the rule that the byte breaks.
    mutating func accept(_ byte: UInt8, limit: Int) throws(ParseError) -> Int? {
        if phase == .lineFeed {
            guard byte == .lineFeed else { throw .bareCarriageReturn }
            return size
        }
        guard byte != .carriageReturn else {
            try endLine()
            return nil
        }
        guard byte != .lineFeed else { throw .bareLineFeed }
        lineBytes += 1
        guard lineBytes <= limit else { throw .chunkLineTooLong(limit: limit) }
        if phase == .size, let digit = byte.hexadecimalValue {
            digits += 1
            guard digits <= Self.maximumDigits else { throw .malformedChunk }
            size = size << 4 | Int(digit)
        } else {
            extensionBytes += 1
            phase = try phase(after: byte)
        }
        return nil
    }

    private mutating func endLine() throws(ParseError) {
        switch phase {
        case .size where digits > 0, .name, .tokenValue, .afterQuotedValue:
            phase = .lineFeed
        case .size, .beforeSemicolon, .beforeName, .afterName, .beforeValue, .quotedValue,
            .quotedPair, .lineFeed:
            throw .malformedChunk
        }
    }

    private func phase(after byte: UInt8) throws(ParseError) -> Phase {
        switch phase {
        case .size where digits > 0, .beforeSemicolon, .afterQuotedValue:
            if byte == UInt8(ascii: ";") { return .beforeName }
            if byte.isBlank { return .beforeSemicolon }
        case .beforeName:
            if byte.isBlank { return .beforeName }
            if ByteClass.token.contains(byte) { return .name }
        case .name:
            if ByteClass.token.contains(byte) { return .name }
            if let next = phase(afterName: byte) { return next }
        case .afterName:
            if let next = phase(afterName: byte) { return next }
        case .beforeValue:
            if byte.isBlank { return .beforeValue }
            if byte == UInt8(ascii: "\"") { return .quotedValue }
            if ByteClass.token.contains(byte) { return .tokenValue }
        case .tokenValue:
            if ByteClass.token.contains(byte) { return .tokenValue }
            if byte == UInt8(ascii: ";") { return .beforeName }
            if byte.isBlank { return .beforeSemicolon }
        case .quotedValue:
            if byte == UInt8(ascii: "\"") { return .afterQuotedValue }
            if byte == UInt8(ascii: "\\") { return .quotedPair }
            if ByteClass.fieldValue.contains(byte) { return .quotedValue }
        case .quotedPair:
            if ByteClass.fieldValue.contains(byte) { return .quotedValue }
        case .size, .lineFeed:
            break
        }
        throw .malformedChunk
    }

    private func phase(afterName byte: UInt8) -> Phase? {
        switch byte {
        case UInt8(ascii: ";"): .beforeName
        case UInt8(ascii: "="): .beforeValue
        case .space, .tab: .afterName
        default: nil
        }
    }
}
