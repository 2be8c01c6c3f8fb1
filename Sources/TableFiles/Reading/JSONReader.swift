internal import Bytes
internal import JSON

/// Reads a JSON array of objects (RFC 8259), or one object per line (NDJSON).
///
/// Each object is a record. Its members are the columns, in the order of their first appearance. An
/// omitted member is null. A nested array or object is stored as its JSON text without white space,
/// unless the members of the object are columns themselves (``NestedColumns``).
package struct JSONReader: RecordReader, ~Copyable {
    package enum Layout: Hashable, Sendable {
        case array
        /// Each object is a line that ends with LF or CRLF, which the last line may omit.
        case lines
    }

    enum State {
        case start
        case elementOrEnd
        case element
        case afterElement
        case end
        case lineStart
        case lineEnd
        case skippedLine
        case record
        case nameText
        case valueText
        case number
        case literal
    }

    package internal(set) var columns = ColumnNames()
    package private(set) var repairs = FileRepairs()
    let layout: Layout
    var state = State.start
    var position = TextPosition()
    private var mark = ByteOrderMark()
    var grammar = JSONReader.recordGrammar
    /// Of each open object within the record, outermost first.
    var names: [Set<String>] = []
    /// -1 before the first member.
    var column = -1
    private let nested: NestedColumns
    /// The names of the open objects whose members are columns, outermost first.
    private var prefixes: [String] = []
    /// The current name, if its value may be an object whose members are columns.
    private var nestedName: String?
    private var hasRawReplacements = false
    /// The names of the columns as bytes, so that the expected name is compared without creating a
    /// text.
    var columnBytes: [[UInt8]] = []
    var scratch = ByteBuffer()
    var string = JSONReader.fieldString
    var number = JSONNumber()
    var literal = JSONLiteral.null
    var literalCount = 0
    var tokenLocation = FileLocation.start
    var tokenStart = 0

    package init(_ layout: Layout, nested: NestedColumns = NestedColumns()) {
        self.layout = layout
        self.nested = nested
    }

    private static var fieldString: JSONString {
        var string = JSONString(limit: FileLimits.maximumFieldBytes)
        string.replacesInvalid = true
        return string
    }

    /// The state before a record, which is one container itself.
    private static var recordGrammar: JSONGrammar {
        JSONGrammar(maximumDepth: FileLimits.maximumDepth + 1)
    }

    package mutating func read(
        _ chunk: borrowing Span<UInt8>,
        from index: inout Int,
        into record: inout FileRecord
    ) throws(FileError) -> RecordProgress {
        while index < chunk.count {
            switch state {
            case .nameText: try readName(chunk, &index, &record)
            case .valueText: try readText(chunk, &index, &record)
            case .number: try readNumber(chunk, &index, &record)
            case .literal: try readLiteral(chunk, &index, &record)
            case .skippedLine:
                if chunk[index] == UInt8(ascii: "\n") {
                    position.endLine(index)
                    state = .lineStart
                }
                index += 1
            case .record where chunk[index] > UInt8(ascii: " "):
                let byte = chunk[index]
                index += 1
                if try readToken(of: byte, at: index - 1, &record) { return .complete }
            case .record where chunk[index] == UInt8(ascii: " "):
                repeat { index += 1 } while index < chunk.count && chunk[index] == UInt8(ascii: " ")
            case .record where chunk[index] == UInt8(ascii: "\n"):
                // The line break is read even if it ends an incomplete record.
                index += 1
                try endLine(index - 1)
            case .start, .elementOrEnd, .element, .afterElement, .end, .lineStart, .lineEnd,
                .record:
                if try readToken(chunk[index], &index, &record) { return .complete }
            }
        }
        position.chunkStart += chunk.count
        return .needsMoreBytes
    }

    package mutating func finish(
        into record: inout FileRecord
    ) throws(FileError) -> RecordProgress {
        // The line of a writer may end within a character.
        let isUnfinished = layout == .lines && (state == .nameText || state == .valueText)
        if !isUnfinished { try position.requireWholeCharacter() }
        switch state {
        case .end, .lineStart, .lineEnd, .skippedLine:
            return .needsMoreBytes
        case .start:
            guard mark.matched == 0 || mark.isComplete else {
                throw FileError(.invalidUTF8, at: .start)
            }
            // A file of lines may be empty. An array has at least its brackets.
            guard layout == .lines else { throw FileError(.emptyFile, at: .start) }
            return .needsMoreBytes
        case .elementOrEnd, .element, .afterElement, .record, .nameText, .valueText, .number,
            .literal:
            throw FileError(.unexpectedEnd(expected: expectation), at: position.location(0))
        }
    }
}

extension JSONReader {
    /// An array cannot be recovered.
    ///
    /// An unexpected end is that of a line whose writer may still write.
    package mutating func recover(from error: FileError) -> Bool {
        guard layout == .lines else { return false }
        position.forgetCharacter()
        names = []
        prefixes = []
        nestedName = nil
        string = Self.fieldString
        switch error.reason {
        // The reader is already past the line break.
        case .lineBreakInObject: state = .lineStart
        case .unexpectedEnd:
            state = .lineStart
            repairs.add(.unfinishedLine, at: FileLocation(line: error.location.line, column: 1))
        default: state = .skippedLine
        }
        return true
    }

    private mutating func readToken(
        _ byte: UInt8,
        _ index: inout Int,
        _ record: inout FileRecord
    ) throws(FileError) -> Bool {
        // Only the first bytes of the file can be a byte order mark.
        let isMarkPossible = !mark.isComplete && position.chunkStart + index == mark.matched
        if isMarkPossible, try readMark(byte, index) {
            index += 1
            return false
        }
        defer { index += 1 }
        switch byte {
        case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"):
            return false
        case UInt8(ascii: "\n"):
            try endLine(index)
            return false
        default:
            return try readSign(byte, index, &record)
        }
    }

    private mutating func readMark(_ byte: UInt8, _ index: Int) throws(FileError) -> Bool {
        switch mark.take(byte) {
        case .needsMoreBytes:
            return true
        case .complete:
            position.skipByteOrderMark()
            return true
        case .absent:
            guard mark.matched == 0 else { throw unexpected(ByteOrderMark.bytes[0], at: .start) }
            return false
        }
    }

    private mutating func endLine(_ index: Int) throws(FileError) {
        let location = position.location(index)
        position.endLine(index)
        guard layout == .lines else { return }
        switch state {
        case .lineEnd: state = .lineStart
        case .start, .lineStart:
            repairs.add(.blankLine, at: FileLocation(line: location.line, column: 1))
        case .elementOrEnd, .element, .afterElement, .end, .record, .nameText, .valueText,
            .number, .literal, .skippedLine:
            throw FileError(.lineBreakInObject, at: location)
        }
    }

    private mutating func readSign(
        _ byte: UInt8,
        _ index: Int,
        _ record: inout FileRecord
    ) throws(FileError) -> Bool {
        switch (state, byte) {
        case (.record, _):
            return try readToken(of: byte, at: index, &record)
        case (.start, UInt8(ascii: "[")) where layout == .array:
            state = .elementOrEnd
        case (.start, UInt8(ascii: "{")) where layout == .lines,
            (.lineStart, UInt8(ascii: "{")),
            (.elementOrEnd, UInt8(ascii: "{")), (.element, UInt8(ascii: "{")):
            record.begin(at: position.location(index), offset: position.chunkStart + index)
            column = -1
            prefixes.removeAll(keepingCapacity: true)
            grammar = Self.recordGrammar
            state = .record
            return try readToken(of: byte, at: index, &record)
        case (.elementOrEnd, UInt8(ascii: "]")), (.afterElement, UInt8(ascii: "]")):
            state = .end
        case (.afterElement, UInt8(ascii: ",")):
            state = .element
        default:
            throw unexpected(byte, at: position.location(index))
        }
        return false
    }

    func unexpected(_ byte: UInt8, at location: FileLocation) -> FileError {
        FileError(.unexpectedByte(byte, expected: expectation), at: location)
    }

    private var expectation: JSONExpectation {
        switch state {
        case .start: layout == .array ? .arrayOfObjects : .objectOnLine
        case .elementOrEnd: .objectOrEndOfArray
        case .element: .object
        case .afterElement: .commaOrEndOfArray
        case .end: .endOfFile
        case .lineStart: .objectOnLine
        case .lineEnd, .skippedLine: .lineBreak
        case .nameText, .valueText: .endOfString
        case .number where !number.isComplete: .digit
        case .literal: .literal
        case .number, .record: grammar.expectation
        }
    }
}

extension JSONReader {
    private var isNested: Bool { grammar.depth > 1 + prefixes.count }

    mutating func readToken(
        of byte: UInt8,
        at index: Int,
        _ record: inout FileRecord
    ) throws(FileError) -> Bool {
        var taken = grammar.take(byte)
        if taken == nil { taken = grammar.takeNonFinite(byte) }
        guard let token = taken else {
            let location = position.location(index)
            throw FileError(grammar.error(of: byte, at: position.chunkStart + index), at: location)
        }
        switch token {
        case .comma, .colon:
            if isNested { record.append(byte) }
        case .name:
            if isNested { record.append(byte) }
            beginText(at: index)
            state = .nameText
        case .string, .number, .literal:
            if nestedName != nil, case .literal(let literal) = token, literal.isMissing {
                nestedName = nil
                column = -1
            }
            try endNestedName(record)
            beginValue(token, byte, at: position.location(index), &record)
        case .beginObject:
            // The record itself is not a value.
            guard grammar.depth > 1 else { return false }
            if let name = nestedName {
                nestedName = nil
                prefixes.append(name)
                return false
            }
            names.append([])
            beginContainer(byte, at: position.location(index), &record)
        case .beginArray:
            try endNestedName(record)
            beginContainer(byte, at: position.location(index), &record)
        case .endObject:
            guard grammar.depth > 0 else {
                state = layout == .array ? .afterElement : .lineEnd
                return true
            }
            guard grammar.depth > prefixes.count else {
                prefixes.removeLast()
                return false
            }
            names.removeLast()
            record.append(byte)
            endValue(&record)
        case .endArray:
            record.append(byte)
            endValue(&record)
        }
        return false
    }

    private mutating func beginText(at index: Int) {
        tokenLocation = position.location(index)
        scratch.removeAll()
        if !isNested, let prefix = prefixes.last {
            scratch.append(prefix)
            scratch.append(UInt8(ascii: "."))
        }
        string.begin(at: scratch.count)
    }

    private mutating func beginContainer(
        _ byte: UInt8,
        at location: FileLocation,
        _ record: inout FileRecord
    ) {
        if grammar.depth == 2 + prefixes.count {
            record.beginField(column, at: location, as: .container)
        }
        record.append(byte)
    }

    mutating func readName(
        _ chunk: borrowing Span<UInt8>,
        _ index: inout Int,
        _ record: inout FileRecord
    ) throws(FileError) {
        let start = index
        let isComplete = try string.read(
            chunk,
            &index,
            &position,
            from: tokenLocation,
            into: &scratch
        )
        if isNested { try append(chunk.extracting(start..<index), &record) }
        guard isComplete else { return }
        state = .record
        guard isNested else {
            countReplacements()
            guard !nested.isEmpty, nested.contains(scratch.text()) else {
                return try findColumn(record)
            }
            nestedName = scratch.text()
            return
        }
        countReplacements()
        guard names[names.count - 1].insert(scratch.text()).inserted else {
            throw FileError(.duplicateMember(scratch.text()), at: tokenLocation)
        }
    }

    private mutating func endNestedName(_ record: borrowing FileRecord) throws(FileError) {
        guard nestedName != nil else { return }
        nestedName = nil
        try findColumn(record)
    }

    private mutating func findColumn(_ record: borrowing FileRecord) throws(FileError) {
        // Objects of a file usually have the same members in the same order.
        let next = column + 1
        if next < columnBytes.count, isScratch(columnBytes[next]) {
            column = next
        } else if let known = columns.position(of: scratch.text()) {
            column = known
        } else {
            column = columns.all.count
            try columns.append(scratch.text(), at: tokenLocation)
            columnBytes.append(scratch.array())
        }
        guard !record.holds(column) else {
            throw FileError(.duplicateMember(columns.all[column]), at: tokenLocation)
        }
    }

    private func isScratch(_ name: [UInt8]) -> Bool {
        guard scratch.count == name.count else { return false }
        for index in name.indices where scratch[index] != name[index] { return false }
        return true
    }

    private mutating func beginValue(
        _ token: JSONGrammar.Token,
        _ byte: UInt8,
        at location: FileLocation,
        _ record: inout FileRecord
    ) {
        if !isNested, column >= 0 {
            record.beginField(column, at: location, as: Self.form(of: byte))
        }
        tokenStart = record.byteCount
        tokenLocation = location
        switch token {
        case .number:
            number = JSONNumber(byte)
            record.append(byte)
            state = .number
        case .literal(let word):
            literal = word
            literalCount = 1
            state = .literal
        default:
            if isNested {
                record.append(byte)
                scratch.removeAll()
                string.begin(at: 0)
            } else {
                string.begin(at: record.byteCount)
            }
            state = .valueText
        }
    }

    private static func form(of byte: UInt8) -> FieldForm {
        switch byte {
        case UInt8(ascii: "\""): .string
        case UInt8(ascii: "t"), UInt8(ascii: "f"): .boolean
        default: .number
        }
    }

    /// Escapes are resolved only in values of the record, not in nested values.
    mutating func readText(
        _ chunk: borrowing Span<UInt8>,
        _ index: inout Int,
        _ record: inout FileRecord
    ) throws(FileError) {
        let start = index
        let isComplete: Bool
        if isNested {
            isComplete = try string.read(
                chunk,
                &index,
                &position,
                from: tokenLocation,
                into: &scratch
            )
            try append(chunk.extracting(start..<index), &record)
        } else {
            isComplete = try string.read(
                chunk,
                &index,
                &position,
                from: tokenLocation,
                into: &record.bytes
            )
            try record.checkSize()
        }
        guard isComplete else { return }
        countReplacements()
        endValue(&record)
    }

    private mutating func countReplacements() {
        if string.replacedNULs > 0 { repairs.add(.nulCharacter, at: tokenLocation) }
        if string.replacedSurrogates > 0 { repairs.add(.loneSurrogate, at: tokenLocation) }
        guard isNested, string.replacedNULs + string.replacedSurrogates > 0 else { return }
        hasRawReplacements = true
    }

    mutating func readNumber(
        _ chunk: borrowing Span<UInt8>,
        _ index: inout Int,
        _ record: inout FileRecord
    ) throws(FileError) {
        let start = index
        number.read(chunk, &index)
        try append(chunk.extracting(start..<index), &record)
        guard index < chunk.count else { return }
        guard number.isComplete, !isNumberByte(chunk[index]) else {
            if record.byteCount == tokenStart + 1, chunk[index] == UInt8(ascii: "I") {
                // The sign of `-Infinity` is no part of a value.
                record.bytes.truncate(to: tokenStart)
                (literal, literalCount, state) = (.infinity, 0, .literal)
                return
            }
            throw FileError(.invalidNumber, at: tokenLocation)
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

    /// One beyond 64-bit integers is stored as text.
    private func checkNumber(_ record: borrowing FileRecord) throws(FileError) {
        // A number of fewer digits without an exponent cannot reach 1.8e308.
        guard number.hasExponent || record.byteCount - tokenStart > 300 else { return }
        let value = record.withBytes(from: tokenStart) { utf8 in Double(utf8.text) }
        guard value?.isFinite == true else { throw FileError(.numberTooLarge, at: tokenLocation) }
    }

    mutating func readLiteral(
        _ chunk: borrowing Span<UInt8>,
        _ index: inout Int,
        _ record: inout FileRecord
    ) throws(FileError) {
        let word = literal.bytes
        while literalCount < word.count {
            guard index < chunk.count else { return }
            guard chunk[index] == word[literalCount] else {
                throw unexpected(chunk[index], at: position.location(index))
            }
            index += 1
            literalCount += 1
        }
        if !literal.isFinite { repairs.add(.nonFinite, at: tokenLocation) }
        if literal.isMissing, !isNested {
            state = .record
        } else {
            try append((literal.isMissing ? JSONLiteral.null : literal).bytes.span, &record)
            endValue(&record)
        }
    }

    private mutating func endValue(_ record: inout FileRecord) {
        if !isNested, column >= 0 {
            if hasRawReplacements {
                record.replaceInvalidEscapes(of: column)
                hasRawReplacements = false
            }
            record.endField(column)
        }
        state = .record
    }

    private func append(
        _ run: borrowing Span<UInt8>,
        _ record: inout FileRecord
    ) throws(FileError) {
        record.append(run)
        try record.checkSize(of: column)
    }
}

extension JSONLiteral {
    /// Whether the value is missing, as `NaN` is.
    fileprivate var isMissing: Bool { self == .null || !isFinite }
}
