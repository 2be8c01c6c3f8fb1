internal import Bytes

/// Reads delimited files, such as comma-separated (RFC 4180) and tab-separated ones.
///
/// The first line names the columns. Lines end with LF, CRLF or CR, which the last line may omit.
/// An empty field is null, an empty quoted field is an empty text. Irregular rows are corrected
/// where only one reading makes sense, and counted (``FileRepairs``).
package struct DelimitedReader: RecordReader, ~Copyable {
    private enum State {
        case start
        case lineStart
        case fieldStart
        case unquoted
        case quoted
        case quoteInQuoted
        case escapeInQuoted
        case carriageReturn
        case skippedLine
        case preamble
    }

    package private(set) var columns = ColumnNames()
    package private(set) var repairs = FileRepairs()
    private let separator: UInt8
    /// 0 for no quoting.
    private let quote: UInt8
    private let hasEscapes: Bool
    private let hasPaddedQuotes: Bool
    /// 0 for none.
    private let comment: UInt8
    private let hasHeader: Bool
    private let hasRowNames: Bool
    private let hasDecimalComma: Bool
    private let extraValues: ImportOptions.ExtraValues
    private let missing: [[UInt8]]
    private let key: [String]
    private var idFields: [Int] = []
    private var state = State.start
    private var preambleLines: Int
    private var mark = ByteOrderMark()
    private var position = TextPosition()
    private var isHeaderRead = false
    private var isHeaderSound = false
    private var fieldLocation = FileLocation.start
    private var footer: FooterBuffer
    /// Whether the last error belongs to a line that has been read to its end.
    private var isPastError = false

    /// Texts that mean null may be quoted or not.
    package init(_ dialect: DelimitedDialect, options: ImportOptions = ImportOptions()) {
        missing = options.missing.map { Array($0.utf8) }
        key = options.key
        extraValues = options.extraValues
        separator = dialect.separator
        quote = dialect.quote
        hasEscapes = dialect.hasEscapes
        hasPaddedQuotes = dialect.hasPaddedQuotes
        comment = dialect.comment
        hasHeader = dialect.hasHeader
        hasDecimalComma = dialect.hasDecimalComma
        hasRowNames = dialect.hasRowNames
        preambleLines = dialect.skippedLines
        footer = FooterBuffer(count: dialect.footerLines)
    }

    package mutating func read(
        _ chunk: borrowing Span<UInt8>,
        from index: inout Int,
        into record: inout FileRecord
    ) throws(FileError) -> RecordProgress {
        while index < chunk.count {
            if try readWaiting(&record) { return .complete }
            if position.isInsideCharacter {
                try takeCharacter(chunk, &index, &record)
                continue
            }
            switch state {
            case .start:
                try readMark(chunk, &index, &record)
            case .lineStart:
                record.begin(at: position.location(index), offset: position.chunkStart + index)
                state = lineState(chunk[index], record.location)
            case .preamble:
                skipPreamble(chunk[index], &index)
            case .fieldStart:
                beginField(chunk[index], &index, &record)
            case .unquoted:
                if try readUnquoted(chunk, &index, &record) { return .complete }
            case .quoted:
                try readQuoted(chunk, &index, &record)
            case .escapeInQuoted:
                try readEscaped(chunk[index], &index, &record)
            case .quoteInQuoted:
                if try readAfterQuote(chunk[index], &index, &record) { return .complete }
            case .carriageReturn:
                if chunk[index] == UInt8(ascii: "\n") {
                    if try endLine(&index, &record) { return .complete }
                } else {
                    // A carriage return alone ends the line.
                    let isComplete = try endRecord(&record, at: lineEnd(index))
                    position.endLine(index - 1)
                    state = .lineStart
                    if isComplete { return .complete }
                }
            case .skippedLine:
                if chunk[index] == UInt8(ascii: "\n") {
                    position.endLine(index)
                    state = .lineStart
                }
                index += 1
            }
        }
        position.chunkStart += chunk.count
        return .needsMoreBytes
    }

    package mutating func finish(
        into record: inout FileRecord
    ) throws(FileError) -> RecordProgress {
        try position.requireWholeCharacter()
        if try readWaiting(&record) { return .complete }
        let isComplete = try finishLine(&record)
        state = .lineStart
        if isComplete { return .complete }
        if try readWaiting(&record) { return .complete }
        for location in footer.lines { repairs.add(.footerLine, at: location) }
        if let location = footer.totals, footer.lines.isEmpty {
            repairs.add(.totalsRow, at: location)
        }
        return .needsMoreBytes
    }

    private mutating func finishLine(_ record: inout FileRecord) throws(FileError) -> Bool {
        switch state {
        case .start:
            guard mark.matched == 0 else { throw FileError(.invalidUTF8, at: .start) }
            throw FileError(.emptyFile, at: .start)
        case .lineStart:
            guard isHeaderRead else { throw FileError(.emptyFile, at: .start) }
            return false
        case .fieldStart:
            record.beginField(at: position.location(0))
            try endField(&record)
        case .unquoted, .quoteInQuoted:
            try endField(&record)
        case .quoted, .escapeInQuoted:
            throw FileError(.unclosedQuote, at: fieldLocation)
        case .carriageReturn: break
        case .skippedLine:
            guard isHeaderRead else { throw FileError(.emptyFile, at: .start) }
            return false
        case .preamble: throw FileError(.emptyFile, at: .start)
        }
        return try endRecord(&record, at: position.location(0))
    }
}

extension DelimitedReader {
    /// Without a valid header, recovery is impossible.
    package mutating func recover(from error: FileError) -> Bool {
        guard isHeaderSound else { return false }
        guard !isPastError else { return true }
        position.forgetCharacter()
        state = .skippedLine
        return true
    }

    /// False if no record has waited for a row after it.
    private mutating func readWaiting(_ record: inout FileRecord) throws(FileError) -> Bool {
        isPastError = false
        guard let waiting = footer.release() else { return false }
        record.take(waiting.record)
        isPastError = true
        try endRow(&record, at: waiting.end)
        return true
    }

    /// Bytes that match only its beginning are read as text.
    private mutating func readMark(
        _ chunk: borrowing Span<UInt8>,
        _ index: inout Int,
        _ record: inout FileRecord
    ) throws(FileError) {
        switch mark.take(chunk[index]) {
        case .needsMoreBytes:
            index += 1
        case .complete:
            index += 1
            position.skipByteOrderMark()
            state = .lineStart
        case .absent:
            state = .lineStart
            guard mark.matched > 0 else { return }
            position.chunkStart = 0
            var replayed = 0
            let matched = Array(ByteOrderMark.bytes[..<mark.matched])
            _ = try read(matched.span, from: &replayed, into: &record)
            position.chunkStart = mark.matched - index
        }
    }

    private mutating func lineState(
        _ first: UInt8,
        _ location: FileLocation
    ) -> State {
        guard preambleLines == 0 else { return .preamble }
        guard comment != 0, first == comment else { return .fieldStart }
        repairs.add(.commentLine, at: location)
        return .skippedLine
    }

    private mutating func beginField(
        _ byte: UInt8,
        _ index: inout Int,
        _ record: inout FileRecord
    ) {
        fieldLocation = position.location(index)
        record.beginField(at: fieldLocation)
        state = .unquoted
        guard byte == quote, quote != 0 else { return }
        state = .quoted
        index += 1
    }

    private mutating func readUnquoted(
        _ chunk: borrowing Span<UInt8>,
        _ index: inout Int,
        _ record: inout FileRecord
    ) throws(FileError) -> Bool {
        let start = index
        while index < chunk.count, isPlain(chunk[index]) { index += 1 }
        try append(chunk.extracting(start..<index), &record)
        guard index < chunk.count else { return false }
        let byte = chunk[index]
        switch byte {
        case separator:
            try endField(&record)
            state = .fieldStart
            index += 1
        case UInt8(ascii: "\n"):
            try endField(&record)
            return try endLine(&index, &record)
        case UInt8(ascii: "\r"):
            try endField(&record)
            state = .carriageReturn
            index += 1
        case 0: try replaceNUL(&index, &record)
        case quote where hasPaddedQuotes && record.dropBlanks(ofOpenField: record.count - 1):
            state = .quoted
            index += 1
        case quote:
            repairs.add(.strayQuote, at: position.location(index))
            record.append(byte)
            index += 1
        default:
            try takeCharacter(chunk, &index, &record)
        }
        return false
    }

    private mutating func replaceNUL(
        _ index: inout Int,
        _ record: inout FileRecord
    ) throws(FileError) {
        repairs.add(.nulCharacter, at: position.location(index))
        let replacement: [UInt8] = [0xEF, 0xBF, 0xBD]
        try append(replacement.span, &record)
        index += 1
    }

    private mutating func skipPreamble(_ byte: UInt8, _ index: inout Int) {
        if byte == UInt8(ascii: "\n") {
            position.endLine(index)
            preambleLines -= 1
            state = .lineStart
        }
        index += 1
    }

    private func isPlain(_ byte: UInt8) -> Bool {
        if byte > UInt8(ascii: ",") { return byte < 0x80 && byte != separator }
        return byte != separator && byte != UInt8(ascii: "\n") && byte != UInt8(ascii: "\r")
            && byte != 0 && byte != quote
    }

    private mutating func readQuoted(
        _ chunk: borrowing Span<UInt8>,
        _ index: inout Int,
        _ record: inout FileRecord
    ) throws(FileError) {
        let start = index
        while index < chunk.count {
            let byte = chunk[index]
            guard byte != quote, byte != 0, byte < 0x80 else { break }
            if hasEscapes, byte == UInt8(ascii: "\\") { break }
            if byte == UInt8(ascii: "\n") { position.endLine(index) }
            index += 1
        }
        try append(chunk.extracting(start..<index), &record)
        guard index < chunk.count else { return }
        switch chunk[index] {
        case quote:
            state = .quoteInQuoted
            index += 1
        case UInt8(ascii: "\\"):
            state = .escapeInQuoted
            index += 1
        case 0: try replaceNUL(&index, &record)
        default:
            try takeCharacter(chunk, &index, &record)
        }
    }

    /// Reads the byte after a backslash, which escapes a quote and itself.
    private mutating func readEscaped(
        _ byte: UInt8,
        _ index: inout Int,
        _ record: inout FileRecord
    ) throws(FileError) {
        state = .quoted
        let isEscape = byte == quote || byte == UInt8(ascii: "\\")
        if isEscape { index += 1 }
        record.append(isEscape ? byte : UInt8(ascii: "\\"))
        try record.checkSize(of: record.count - 1)
    }

    private mutating func readAfterQuote(
        _ byte: UInt8,
        _ index: inout Int,
        _ record: inout FileRecord
    ) throws(FileError) -> Bool {
        switch byte {
        case quote:
            record.append(byte)
            try record.checkSize(of: record.count - 1)
            state = .quoted
        case separator:
            try endField(&record)
            state = .fieldStart
        case UInt8(ascii: "\n"):
            try endField(&record)
            return try endLine(&index, &record)
        case UInt8(ascii: "\r"):
            try endField(&record)
            state = .carriageReturn
        default:
            // The rest of the field is text, as most readers take it.
            repairs.add(.strayQuote, at: position.location(index))
            state = .unquoted
            return false
        }
        index += 1
        return false
    }

    private mutating func takeCharacter(
        _ chunk: borrowing Span<UInt8>,
        _ index: inout Int,
        _ record: inout FileRecord
    ) throws(FileError) {
        let start = index
        try position.takeCharacter(chunk, &index)
        try append(chunk.extracting(start..<index), &record)
    }

    private func append(
        _ run: borrowing Span<UInt8>,
        _ record: inout FileRecord
    ) throws(FileError) {
        record.append(run)
        try record.checkSize(of: record.count - 1)
    }

    private func lineEnd(_ index: Int) -> FileLocation {
        let location = position.location(index)
        guard state == .carriageReturn else { return location }
        return FileLocation(line: location.line, column: location.column - 1)
    }

    /// An unquoted empty field is null, as is a field whose text means null.
    private func endField(_ record: inout FileRecord) throws(FileError) {
        let field = record.count - 1
        guard field < FileLimits.maximumColumns else {
            throw FileError(.tooManyColumns(limit: FileLimits.maximumColumns), at: fieldLocation)
        }
        guard state == .quoteInQuoted || record.openFieldCount(field) > 0 else { return }
        if isMissing(field, of: record) { return }
        if hasDecimalComma, isHeaderRead { record.readDecimalComma(field) }
        record.endField(field)
    }

    private func isMissing(_ field: Int, of record: borrowing FileRecord) -> Bool {
        guard !missing.isEmpty, isHeaderRead, !idFields.contains(field) else { return false }
        return record.withBytes(from: record.byteCount - record.openFieldCount(field)) { utf8 in
            missing.contains { utf8.equals($0.span) }
        }
    }

    private mutating func endLine(
        _ index: inout Int,
        _ record: inout FileRecord
    ) throws(FileError) -> Bool {
        let isComplete = try endRecord(&record, at: lineEnd(index))
        position.endLine(index)
        state = .lineStart
        index += 1
        return isComplete
    }

    /// True after a record, false after the header.
    private mutating func endRecord(
        _ record: inout FileRecord,
        at end: FileLocation
    ) throws(FileError) -> Bool {
        let isBlank = record.count == 1 && record.isNull(0) && record.byteCount == 0
        guard isHeaderRead else {
            if isBlank {
                repairs.add(.blankLine, at: record.location)
            } else {
                try readHeader(record)
            }
            return !isBlank && !hasHeader
        }
        let expected = columns.all.count
        if isBlank, expected > 1 {
            repairs.add(.blankLine, at: record.location)
            footer.addBlankLine()
            return false
        }
        guard !footer.takes(record, at: end, columnCount: expected) else { return false }
        try endRow(&record, at: end)
        return true
    }

    private mutating func endRow(
        _ record: inout FileRecord,
        at end: FileLocation
    ) throws(FileError) {
        let (expected, found) = (columns.all.count, record.count)
        if found < expected { repairs.add(.shortRow, at: end) }
        guard found > expected else { return }
        let location = record.location(of: expected)
        if (expected..<found).allSatisfy({ record.isNull($0) }) {
            repairs.add(.emptyExtraField, at: location)
            return record.removeFields(from: expected)
        }
        switch extraValues {
        case .error: throw FileError(.fieldCount(expected: expected, found: found), at: location)
        case .drop:
            repairs.add(.droppedValue, at: location)
            record.removeFields(from: expected)
        case .column:
            repairs.add(.extraColumn, at: location)
            for field in expected..<found { try columns.append("", at: record.location(of: field)) }
        }
    }

    private mutating func readHeader(_ record: borrowing FileRecord) throws(FileError) {
        isHeaderRead = true
        if hasRowNames { try columns.append("", at: record.location) }
        for field in 0..<record.count {
            let name = hasHeader ? record.text(field) ?? "" : ""
            try columns.append(name, at: record.location(of: field))
        }
        isHeaderSound = true
        idFields = key.compactMap(columns.position(of:))
        if key.isEmpty, let id = ImportPlan.idColumn(of: columns) { idFields = [id] }
    }
}
