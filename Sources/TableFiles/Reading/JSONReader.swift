internal import Bytes
internal import JSON

/// Reads a JSON array of objects (RFC 8259), or one object per line (NDJSON).
///
/// Each object is a record. Its members are the columns, in the order of their first appearance. An
/// omitted member is null. A nested array or object is stored as its JSON text without white space.
/// Errors are not repaired.
package struct JSONReader: RecordReader, ~Copyable {
    /// The arrangement of the objects in a file.
    package enum Layout: Hashable, Sendable {
        /// The objects are the elements of one array.
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

    /// The columns of the records so far.
    package internal(set) var columns = ColumnNames()
    let layout: Layout
    var state = State.start
    var position = TextPosition()
    private var mark = ByteOrderMark()
    /// The structure of the record, which is an object.
    var grammar = JSONReader.recordGrammar
    /// The names of the members of each open object within the record, outermost first.
    var names: [Set<String>] = []
    /// The column of the current member.
    ///
    /// -1 before the first one.
    var column = -1
    /// The names of the columns as bytes, so that the expected name is compared without creating a
    /// text.
    var columnBytes: [[UInt8]] = []
    /// The current name, or a text inside a nested value.
    var scratch = ByteBuffer()
    var string = JSONReader.fieldString
    var number = JSONNumber()
    var literal = JSONLiteral.null
    var literalCount = 0
    /// The place where the current name or value begins.
    var tokenPlace = FileLocation.start
    /// The offset of the current value in the bytes of the record.
    var tokenStart = 0

    /// Creates a reader at the beginning of a file.
    package init(_ layout: Layout) {
        self.layout = layout
    }

    /// A reader of strings that values may be.
    private static var fieldString: JSONString {
        var string = JSONString(limit: FileLimits.maximumFieldBytes)
        string.refusesNUL = true
        return string
    }

    /// The state before a record, which is one container itself.
    private static var recordGrammar: JSONGrammar {
        JSONGrammar(maximumDepth: FileLimits.maximumDepth + 1)
    }

    /// Reads up to the end of the next record.
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

    /// Reports the end of the file.
    package mutating func finish(
        into record: inout FileRecord
    ) throws(FileError) -> RecordProgress {
        try position.requireWholeCharacter()
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
            throw FileError(.unexpectedEnd(expected: expectation), at: position.place(0))
        }
    }
}

extension JSONReader {
    /// Continues with the next line.
    ///
    /// An array cannot be recovered.
    package mutating func recover(from error: FileError) -> Bool {
        guard layout == .lines else { return false }
        position.forgetCharacter()
        names = []
        string = Self.fieldString
        switch error.reason {
        // The reader is already past the line break.
        case .lineBreakInObject, .blankLine: state = .lineStart
        default: state = .skippedLine
        }
        return true
    }

    /// Reads a byte between values and returns whether it completes a record.
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

    /// Reads a byte of the byte order mark and returns whether it belongs to the mark.
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
        let place = position.place(index)
        position.endLine(index)
        guard layout == .lines else { return }
        switch state {
        case .lineEnd: state = .lineStart
        case .start, .lineStart:
            throw FileError(.blankLine, at: FileLocation(line: place.line, column: 1))
        case .elementOrEnd, .element, .afterElement, .end, .record, .nameText, .valueText,
            .number, .literal, .skippedLine:
            throw FileError(.lineBreakInObject, at: place)
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
            record.begin(at: position.place(index))
            column = -1
            grammar = Self.recordGrammar
            state = .record
            return try readToken(of: byte, at: index, &record)
        case (.elementOrEnd, UInt8(ascii: "]")), (.afterElement, UInt8(ascii: "]")):
            state = .end
        case (.afterElement, UInt8(ascii: ",")):
            state = .element
        default:
            throw unexpected(byte, at: position.place(index))
        }
        return false
    }

    func unexpected(_ byte: UInt8, at place: FileLocation) -> FileError {
        FileError(.unexpectedByte(byte, expected: expectation), at: place)
    }

    /// The tokens that are allowed at the current place.
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
