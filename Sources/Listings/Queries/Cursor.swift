public import Bytes

/// A position in an order, named by its values.
///
/// It stays valid when its row is changed or deleted.
public struct Cursor: Hashable, Sendable {
    /// The signature of the order: see ``ListQuery/signature(of:schema:)``.
    public let signature: UInt32
    /// The key of the section.
    public let section: SectionKey
    /// The row's position inside the section; nil for the position of the section itself.
    public let row: Row?
    /// The side of the named row or section where a backward page ends.
    public let side: Side
    /// Whether the row has a checksum of the position and its id, because the values are too long.
    package private(set) var isReference = false

    /// A side of the named row or section.
    public enum Side: Hashable, Sendable {
        /// The named row or section follows the page.
        case front
        /// The named row or section is on the page. Nothing followed it when the cursor was made.
        case back
    }

    /// A position inside a section.
    public struct Row: Hashable, Sendable {
        /// The row's values in the query's order, including the id.
        public let values: [CellValue]

        /// Creates a position.
        public init(values: [CellValue]) { self.values = values }
    }

    /// Creates a cursor.
    public init(signature: UInt32, section: SectionKey, row: Row?, side: Side = .front) {
        self.signature = signature
        self.section = section
        self.row = row
        self.side = side
    }

    package var back: Cursor {
        Cursor(signature: signature, section: section, row: row, side: .back)
    }

    /// The row of a reference has a position now.
    ///
    /// Nil if it moved.
    package func completed(by found: Cursor) -> Cursor? {
        guard let id = found.row?.values.last, found.reference(to: id).row == row else {
            return nil
        }
        return Cursor(signature: signature, section: found.section, row: found.row, side: side)
    }

    private func reference(to id: CellValue) -> Cursor {
        var bytes = ByteBuffer(minimumCapacity: 128)
        writePosition(to: &bytes)
        let checksum = CellValue.integer(Int64(bytes.withBytes { Self.checksum(of: $0) }))
        let row = Row(values: [checksum, id])
        var cursor = Cursor(signature: signature, section: .whole, row: row, side: side)
        cursor.isReference = true
        return cursor
    }
}

/// The text of cursors: bytes in base64url (RFC 4648 §5) without padding.
///
/// The order is: format byte, key id, kind, 4 bytes of signature, section key, values of the row,
/// check. The kind is 1 for sections, plus 2 for the back side, plus 4 for a reference. The check is 8
/// bytes of HMAC-SHA-256 with a secret, else a checksum of 4 bytes. The checksum only detects
/// accidents. A forged cursor only reaches positions of a list that its sender may read anyway.
extension Cursor {
    private static let format: UInt8 = 1
    private static let unsigned: UInt8 = 0
    private static let checksumByteCount = 4

    /// In bytes.
    ///
    /// Texts in a request line are shorter.
    package static let maximumLength = 64 * 1024
    /// The bytes of a whole position before the check, so that its text has at most 512 characters.
    private static let wholeByteCount = 512 / 4 * 3 - CursorKeys.signatureByteCount

    /// Appends the cursor's text.
    ///
    /// - Parameters:
    ///   - keys: The signing keys; without a secret, a checksum is used.
    ///   - buffer: The buffer for the text.
    public func write(signedBy keys: CursorKeys = CursorKeys(), to buffer: inout ByteBuffer) {
        var bytes = ByteBuffer(minimumCapacity: 128)
        write(signedBy: keys, using: &bytes, to: &buffer)
    }

    /// Appends the cursor's text.
    ///
    /// Without a secret, a checksum is used. The scratch memory is emptied first.
    package func write(
        signedBy keys: CursorKeys,
        using bytes: inout ByteBuffer,
        to buffer: inout ByteBuffer
    ) {
        bytes.removeAll()
        bytes.append(Self.format)
        bytes.append(keys.signing?.id ?? Self.unsigned)
        bytes.append((row == nil ? 1 : 0) + (side == .back ? 2 : 0) + (isReference ? 4 : 0))
        bytes.append(bigEndian: signature)
        writePosition(to: &bytes)
        if bytes.count > Self.wholeByteCount, !isReference, let id = row?.values.last,
            id.plainText.utf8.count < Self.wholeByteCount - 32
        {
            return reference(to: id).write(signedBy: keys, using: &bytes, to: &buffer)
        }
        if let key = keys.signing {
            bytes.append(Array(bytes.withBytes { key.signature(of: $0) }))
        } else {
            bytes.append(bigEndian: bytes.withBytes { Self.checksum(of: $0) })
        }
        Base64URL.encode(bytes, to: &buffer)
    }

    private func writePosition(to bytes: inout ByteBuffer) {
        switch section {
        case .whole: bytes.append(Tag.whole.rawValue)
        case .named(let id):
            bytes.append(Tag.named.rawValue)
            bytes.append(.text(id.rawValue))
        case .value(let value): bytes.append(value)
        }
        if let row { for value in row.values { bytes.append(value) } }
    }

    /// The cursor's text.
    public var text: String {
        var buffer = ByteBuffer(minimumCapacity: 128)
        write(to: &buffer)
        return buffer.text()
    }

    /// Decodes a cursor's text.
    ///
    /// - Parameters:
    ///   - text: The text from a client.
    ///   - signature: The signature of the order of the query.
    ///   - valueCount: The number of values of a row's position in that order; nil if sections are
    ///     paged.
    ///   - keys: The signing keys; without a secret, cursors have a checksum.
    /// - Throws: ``CursorError/invalid`` when the text is malformed, forged or from another order.
    ///   ``CursorError/expired`` when its format or its key is no longer known.
    public init(
        _ text: String,
        signature: UInt32,
        valueCount: Int?,
        keys: CursorKeys = CursorKeys()
    ) throws(CursorError) {
        guard text.utf8.count <= Self.maximumLength, let bytes = Base64URL.decode(text),
            bytes.count >= 11
        else { throw .invalid }
        let check = Self.check(bytes, keys)
        guard check != .fails else { throw .invalid }
        let end =
            bytes.count
            - (bytes[1] == Self.unsigned
                ? Self.checksumByteCount : CursorKeys.signatureByteCount)
        var reader = CursorReader(bytes: bytes, index: 0, end: end)
        guard try reader.byte() == Self.format else {
            throw check == .isUnknown ? .invalid : .expired
        }
        _ = try reader.byte()
        let kind = try reader.byte()
        let isReference = kind & 4 != 0
        guard kind & ~6 == (valueCount == nil ? 1 : 0), try reader.integer() == signature else {
            throw .invalid
        }
        let section = try reader.sectionKey()
        var values: [CellValue] = []
        for _ in 0..<(isReference ? 2 : valueCount ?? 0) { values.append(try reader.value()) }
        guard reader.isAtEnd else { throw .invalid }
        // Without the secret, only the structure shows whether the cursor is malformed.
        guard check == .holds else { throw .expired }
        self.init(
            signature: signature,
            section: section,
            row: valueCount == nil ? nil : Row(values: values),
            side: kind & 2 == 0 ? .front : .back
        )
        self.isReference = isReference
    }

    private enum Check {
        case holds
        case fails
        /// It has a valid checksum from a time without secrets.
        case isPast
        /// It may be signed with a secret that is unknown here.
        case isUnknown
    }

    private static func check(_ bytes: [UInt8], _ keys: CursorKeys) -> Check {
        guard bytes[1] != unsigned else {
            let end = bytes.count - checksumByteCount
            let sum = bytes[end...].reduce(0 as UInt32) { $0 << 8 | UInt32($1) }
            guard checksum(of: bytes.span.extracting(..<end)) == sum else { return .fails }
            // With secrets, a checksum proves nothing, because any client can compute it.
            return keys.signing == nil ? .holds : .isPast
        }
        guard let key = keys.key(bytes[1]) else { return .isUnknown }
        let end = bytes.count - CursorKeys.signatureByteCount
        let isRight = HMACSHA256.areEqual(
            key.signature(of: bytes.span.extracting(..<end)),
            bytes[end...]
        )
        return isRight ? .holds : .fails
    }

    private static func checksum(of bytes: borrowing Span<UInt8>) -> UInt32 {
        var fingerprint = Fingerprint()
        for index in bytes.indices { fingerprint.add(bytes[index]) }
        return fingerprint.value
    }

    fileprivate enum Tag: UInt8 {
        case whole, null, text, integer, real, no, yes, date, named, decimal, timestamp, json, bytes
    }
}

extension ByteBuffer {
    fileprivate mutating func append(bigEndian value: UInt32) {
        append(bigEndian: UInt64(value), bytes: 4)
    }

    fileprivate mutating func append(bigEndian value: UInt64) {
        append(bigEndian: value, bytes: 8)
    }

    fileprivate mutating func append(_ value: CellValue) {
        switch value {
        case .null: append(Cursor.Tag.null.rawValue)
        case .text(let text): append(.text, text)
        case .json(let text): append(.json, text)
        case .decimal(let decimal): append(.decimal, decimal.text)
        // Tables of other programs are ordered by the text of timestamps.
        case .timestamp(let timestamp): append(.timestamp, timestamp.text)
        case .bytes(let value):
            append(Cursor.Tag.bytes.rawValue)
            let bytes = value.bytes ?? []
            append(bigEndian: UInt32(bytes.count))
            append(bytes)
        case .integer(let integer):
            append(Cursor.Tag.integer.rawValue)
            append(bigEndian: UInt64(bitPattern: integer))
        case .real(let real):
            append(Cursor.Tag.real.rawValue)
            append(bigEndian: real.bitPattern)
        case .boolean(let boolean):
            append((boolean ? Cursor.Tag.yes : Cursor.Tag.no).rawValue)
        case .date(let date):
            append(Cursor.Tag.date.rawValue)
            append(bigEndian: UInt64(bitPattern: date.ordinal))
        }
    }

    private mutating func append(_ tag: Cursor.Tag, _ text: String) {
        append(tag.rawValue)
        append(bigEndian: UInt32(text.utf8.count))
        append(text)
    }
}

private struct CursorReader {
    let bytes: [UInt8]
    var index: Int
    let end: Int

    var isAtEnd: Bool { index == end }

    mutating func byte() throws(CursorError) -> UInt8 {
        guard index < end else { throw .invalid }
        defer { index += 1 }
        return bytes[index]
    }

    mutating func integer() throws(CursorError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 { value = value << 8 | UInt32(try byte()) }
        return value
    }

    mutating func longInteger() throws(CursorError) -> UInt64 {
        UInt64(try integer()) << 32 | UInt64(try integer())
    }

    mutating func sectionKey() throws(CursorError) -> SectionKey {
        switch index < end ? Cursor.Tag(rawValue: bytes[index]) : nil {
        case .whole:
            index += 1
            return .whole
        case .named:
            index += 1
            guard case .text(let id) = try value() else { throw .invalid }
            return .named(SectionID(id))
        default: return .value(try value())
        }
    }

    mutating func value() throws(CursorError) -> CellValue {
        switch Cursor.Tag(rawValue: try byte()) {
        case .null: return .null
        case .text: return .text(try text())
        case .integer: return .integer(Int64(bitPattern: try longInteger()))
        case .real:
            return .real(Double(bitPattern: try longInteger()))
        case .decimal:
            guard let decimal = ExactDecimal(json: try text()) else {
                throw .invalid
            }
            return .decimal(decimal)
        case .timestamp:
            guard let timestamp = Timestamp(try text()) else { throw .invalid }
            return .timestamp(timestamp)
        case .json: return .json(try text())
        case .bytes: return .bytes(ByteValue(try run()))
        case .no: return .boolean(false)
        case .yes: return .boolean(true)
        case .date:
            let ordinal = Int64(bitPattern: try longInteger())
            guard let date = CalendarDate(ordinal: ordinal), date.ordinal == ordinal else {
                throw .invalid
            }
            return .date(date)
        case .whole, .named, nil: throw .invalid
        }
    }

    private mutating func text() throws(CursorError) -> String {
        guard let text = String(validating: try run(), as: UTF8.self) else { throw .invalid }
        return text
    }

    private mutating func run() throws(CursorError) -> [UInt8] {
        let count = Int(try integer())
        guard count <= end - index else { throw .invalid }
        defer { index += count }
        return Array(bytes[index..<index + count])
    }
}

/// The secrets that sign cursors, so that only the service can make cursors.
///
/// All processes with the same secrets accept each other's cursors.
public struct CursorKeys: Sendable, Equatable {
    struct Key: Sendable, Equatable {
        /// The secret's id in cursors, 1...255, which depends only on the secret.
        let id: UInt8
        private let code: HMACSHA256

        init(_ secret: [UInt8]) {
            code = HMACSHA256(key: secret)
            id = max(1, code.code(of: Array("cursor key id".utf8).span)[0])
        }

        func signature(of bytes: borrowing Span<UInt8>) -> ArraySlice<UInt8> {
            code.code(of: bytes).prefix(CursorKeys.signatureByteCount)
        }

        static func == (first: Key, second: Key) -> Bool {
            let text = Array("equal keys".utf8)
            return first.code.code(of: text.span) == second.code.code(of: text.span)
        }
    }

    static let signatureByteCount = 8
    /// The minimum number of bytes of a secret.
    public static let minimumSecretBytes = 32

    private let keys: [Key]

    /// Creates keys without secrets, so that cursors have a checksum against accidents.
    public init() { keys = [] }

    /// Creates keys from secrets.
    ///
    /// The result is nil when two of them have the same id, which happens to one pair in 255.
    ///
    /// - Parameter secrets: The signing secret, then earlier ones that are still accepted. Each has
    ///   at least ``minimumSecretBytes``.
    public init?(_ secrets: [[UInt8]]) {
        precondition(
            secrets.allSatisfy { $0.count >= Self.minimumSecretBytes },
            "a secret of fewer than \(Self.minimumSecretBytes) bytes"
        )
        keys = secrets.map(Key.init)
        guard Set(keys.map(\.id)).count == keys.count else { return nil }
    }

    var signing: Key? { keys.first }

    func key(_ id: UInt8) -> Key? { keys.first { $0.id == id } }
}

/// The reason why a cursor's text was refused.
public enum CursorError: Error, Hashable, Sendable {
    /// The service did not make it, or made it for another order.
    case invalid
    /// It was valid once and is no longer accepted.
    case expired
}
