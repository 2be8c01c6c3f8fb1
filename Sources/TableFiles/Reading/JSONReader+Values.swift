internal import Bytes

/// The JSON literals.
enum JSONLiteral {
    case `true`
    case `false`
    case null

    /// The bytes of the literal.
    var bytes: [UInt8] {
        switch self {
        case .true: Self.trueBytes
        case .false: Self.falseBytes
        case .null: Self.nullBytes
        }
    }

    private static let trueBytes = Array("true".utf8)
    private static let falseBytes = Array("false".utf8)
    private static let nullBytes = Array("null".utf8)
}

extension JSONReader {
    mutating func beginName(at place: FileLocation, _ record: inout FileRecord) {
        appendNested(UInt8(ascii: "\""), &record)
        beginText(at: place)
        state = .nameText
    }

    private mutating func beginText(at place: FileLocation) {
        tokenPlace = place
        scratch.removeAll()
        string = JSONString(at: place, into: scratch)
    }

    /// Continues a member name.
    mutating func readName(
        _ chunk: borrowing Span<UInt8>,
        _ index: inout Int,
        _ record: inout FileRecord
    ) throws(FileError) {
        let start = index
        let progress = try string.read(chunk, &index, &position, into: &scratch)
        if !nesting.isEmpty { try append(chunk.extracting(start..<index), &record) }
        guard progress == .complete else { return }
        state = .colon
        guard case .object(var names)? = nesting.popLast() else {
            try findColumn(record)
            return
        }
        guard names.insert(scratch.text()).inserted else {
            throw FileError(.duplicateMember(scratch.text()), at: tokenPlace)
        }
        nesting.append(.object(names))
    }

    /// Finds the column of the current name or appends one.
    private mutating func findColumn(_ record: borrowing FileRecord) throws(FileError) {
        // Objects of a file usually have the same members in the same order.
        let next = column + 1
        if next < columnBytes.count, isScratch(columnBytes[next]) {
            column = next
        } else if let known = columns.position(of: scratch.text()) {
            column = known
        } else {
            column = columns.all.count
            try columns.append(scratch.text(), at: tokenPlace)
            columnBytes.append(scratch.array())
        }
        guard !record.holds(column) else {
            throw FileError(.duplicateMember(columns.all[column]), at: tokenPlace)
        }
    }

    private func isScratch(_ name: [UInt8]) -> Bool {
        guard scratch.count == name.count else { return false }
        for index in name.indices where scratch[index] != name[index] { return false }
        return true
    }

    mutating func beginValue(
        _ byte: UInt8,
        at place: FileLocation,
        _ record: inout FileRecord
    ) throws(FileError) {
        if nesting.isEmpty { record.beginField(column, at: place, as: Self.form(of: byte)) }
        tokenStart = record.byteCount
        switch byte {
        case UInt8(ascii: "\""):
            appendNested(byte, &record)
            if nesting.isEmpty {
                string = record.appendField { buffer in JSONString(at: place, into: buffer) }
            } else {
                beginText(at: place)
            }
            state = .valueText
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            number = JSONNumber()
            _ = number.take(byte)
            record.append(byte)
            state = .number
        case UInt8(ascii: "t"): beginLiteral(.true)
        case UInt8(ascii: "f"): beginLiteral(.false)
        case UInt8(ascii: "n"): beginLiteral(.null)
        case UInt8(ascii: "["): try beginContainer(.array, byte, at: place, &record)
        case UInt8(ascii: "{"): try beginContainer(.object([]), byte, at: place, &record)
        default: throw unexpected(byte, at: place)
        }
        tokenPlace = place
    }

    /// The form of the value that begins with a byte.
    private static func form(of byte: UInt8) -> FieldForm {
        switch byte {
        case UInt8(ascii: "\""): .string
        case UInt8(ascii: "["), UInt8(ascii: "{"): .container
        case UInt8(ascii: "t"), UInt8(ascii: "f"): .boolean
        default: .number
        }
    }

    private mutating func beginLiteral(_ word: JSONLiteral) {
        literal = word
        literalCount = 1
        state = .literal
    }

    /// Continues a text.
    ///
    /// Escapes are resolved only in values of the record, not in nested values.
    mutating func readText(
        _ chunk: borrowing Span<UInt8>,
        _ index: inout Int,
        _ record: inout FileRecord
    ) throws(FileError) {
        let start = index
        let progress: RecordProgress
        if nesting.isEmpty {
            progress = try readFieldText(chunk, &index, &record)
            try checkRecordSize(record)
        } else {
            progress = try string.read(chunk, &index, &position, into: &scratch)
            try append(chunk.extracting(start..<index), &record)
        }
        if progress == .complete { endValue(&record) }
    }

    private mutating func readFieldText(
        _ chunk: borrowing Span<UInt8>,
        _ index: inout Int,
        _ record: inout FileRecord
    ) throws(FileError) -> RecordProgress {
        var (string, position, next) = (string, position, index)
        defer { (self.string, self.position, index) = (string, position, next) }
        return try record.appendField { (buffer) throws(FileError) -> RecordProgress in
            try string.read(chunk, &next, &position, into: &buffer)
        }
    }

    mutating func readNumber(
        _ chunk: borrowing Span<UInt8>,
        _ index: inout Int,
        _ record: inout FileRecord
    ) throws(FileError) {
        let start = index
        while index < chunk.count, number.take(chunk[index]) { index += 1 }
        try append(chunk.extracting(start..<index), &record)
        guard index < chunk.count else { return }
        guard number.isComplete, !isNumberByte(chunk[index]) else {
            throw FileError(.invalidNumber, at: tokenPlace)
        }
        try checkNumber(record)
        endValue(&record)
    }

    private func isNumberByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "e"),
            UInt8(ascii: "E"), UInt8(ascii: "+"), UInt8(ascii: "-"):
            true
        default: false
        }
    }

    /// Rejects a number beyond double precision.
    ///
    /// One beyond 64-bit integers is stored as text.
    private func checkNumber(_ record: borrowing FileRecord) throws(FileError) {
        // A number of fewer digits without an exponent cannot reach 1.8e308.
        guard number.hasExponent || record.byteCount - tokenStart > 300 else { return }
        let value = record.withBytes(from: tokenStart) { utf8 in Double(utf8.text) }
        guard value?.isFinite == true else { throw FileError(.numberTooLarge, at: tokenPlace) }
    }

    mutating func readLiteral(
        _ byte: UInt8,
        _ index: inout Int,
        _ record: inout FileRecord
    ) throws(FileError) {
        let word = literal.bytes
        guard byte == word[literalCount] else { throw unexpected(byte, at: position.place(index)) }
        index += 1
        literalCount += 1
        guard literalCount == word.count else { return }
        if literal == .null, nesting.isEmpty {
            state = .afterValue
        } else {
            try append(word.span, &record)
            endValue(&record)
        }
    }

    private mutating func beginContainer(
        _ container: Nesting,
        _ byte: UInt8,
        at place: FileLocation,
        _ record: inout FileRecord
    ) throws(FileError) {
        guard nesting.count < FileLimits.maximumDepth else {
            throw FileError(.tooDeep(limit: FileLimits.maximumDepth), at: place)
        }
        nesting.append(container)
        appendNested(byte, &record)
        state = isInArray ? .valueOrEnd : .nameOrEnd
    }

    /// Ends an array, an object or the record, and returns whether it was the record.
    mutating func endContainer(
        _ byte: UInt8,
        _ record: inout FileRecord
    ) throws(FileError) -> Bool {
        guard !nesting.isEmpty else {
            state = layout == .array ? .afterElement : .lineEnd
            return true
        }
        appendNested(byte, &record)
        nesting.removeLast()
        endValue(&record)
        return false
    }

    private mutating func endValue(_ record: inout FileRecord) {
        if nesting.isEmpty { record.endField(column) }
        state = .afterValue
    }

    /// Appends a byte of a nested value.
    func appendNested(_ byte: UInt8, _ record: inout FileRecord) {
        if !nesting.isEmpty { record.append(byte) }
    }

    private func append(
        _ run: borrowing Span<UInt8>,
        _ record: inout FileRecord
    ) throws(FileError) {
        record.append(run)
        guard record.openFieldCount(column) <= FileLimits.maximumFieldBytes else {
            let limit = FileLimits.maximumFieldBytes
            throw FileError(.fieldTooLarge(limit: limit), at: record.place(of: column))
        }
        try checkRecordSize(record)
    }

    private func checkRecordSize(_ record: borrowing FileRecord) throws(FileError) {
        guard record.byteCount <= FileLimits.maximumRecordBytes else {
            let limit = FileLimits.maximumRecordBytes
            throw FileError(.recordTooLarge(limit: limit), at: record.place)
        }
    }
}
