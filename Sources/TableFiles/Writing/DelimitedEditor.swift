package import Listings

/// Edits rows of delimited files, in the dialect in which ``DelimitedReader`` reads them.
package struct DelimitedEditor: RecordEditor {
    private struct Line {
        var fields: [Range<Int>] = []
        /// The position after the line end.
        var next = 0

        var end: Int { fields.last?.upperBound ?? next }
    }

    private let dialect: DelimitedDialect
    private let missing: Set<String>
    private let columnCount: Int
    private let readings: [Int: ColumnReading]

    package init(
        _ dialect: DelimitedDialect,
        missing: [String],
        columnCount: Int,
        readings: [Int: ColumnReading] = [:]
    ) {
        (self.dialect, self.columnCount, self.readings) = (dialect, columnCount, readings)
        self.missing = Set(missing)
    }

    private func line(at start: Int, in text: [UInt8]) -> Line {
        var line = Line()
        var index = start
        while true {
            let first = startOfField(at: index, in: text)
            index = first
            if isQuote(at: index, in: text) { index = endOfQuotes(at: index, in: text) }
            while index < text.count, !isEnd(text[index]) { index += 1 }
            line.fields.append(first..<index)
            guard index < text.count, text[index] == dialect.separator else { break }
            index += 1
        }
        line.next = LineEnd.next(after: index, in: text)
        return line
    }

    /// The position after blanks before a quotation mark.
    private func startOfField(at index: Int, in text: [UInt8]) -> Int {
        guard dialect.hasPaddedQuotes else { return index }
        let start = text[index...].firstIndex { $0 != UInt8(ascii: " ") } ?? index
        return isQuote(at: start, in: text) ? start : index
    }

    private func isComment(at index: Int, in text: [UInt8]) -> Bool {
        dialect.comment != 0 && text[index] == dialect.comment
    }

    private func isQuote(at index: Int, in text: [UInt8]) -> Bool {
        dialect.isQuoting && index < text.count && text[index] == dialect.quote
    }

    private func isEnd(_ byte: UInt8) -> Bool {
        byte == dialect.separator || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
    }

    private func endOfQuotes(at start: Int, in text: [UInt8]) -> Int {
        var index = start + 1
        while index < text.count {
            let isEscape = dialect.hasEscapes && text[index] == UInt8(ascii: "\\")
            let isEscaped = isEscape && text[(index + 1)...].first == UInt8(ascii: "\\")
            if isEscaped || isEscape && isQuote(at: index + 1, in: text) {
                index += 2
            } else if text[index] == dialect.quote {
                guard isQuote(at: index + 1, in: text) else { return index + 1 }
                index += 2
            } else {
                index += 1
            }
        }
        return index
    }

    /// The position after the header.
    private func start(of text: [UInt8]) -> Int {
        var index = text.starts(with: ByteOrderMark.bytes) ? ByteOrderMark.bytes.count : 0
        for _ in 0..<dialect.skippedLines {
            index = text[index...].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? text.count
        }
        while index < text.count {
            if isComment(at: index, in: text) {
                let end = text[index...].firstIndex(of: UInt8(ascii: "\n")) ?? text.count
                index = LineEnd.next(after: end, in: text)
                continue
            }
            let line = line(at: index, in: text)
            index = line.next
            guard line.fields.count == 1, line.fields[0].isEmpty else { break }
        }
        return index
    }

    package func deletion(
        of row: Int,
        in rows: RowPositions,
        isLeading: Bool
    ) -> Range<Int> {
        rows.starts[row]..<line(at: rows.starts[row], in: rows.text).next
    }

    package func insertion(
        of added: [RowEdit],
        after row: Int?,
        in rows: RowPositions
    ) -> TextPatch {
        let (text, starts) = (rows.text, rows.starts)
        let model = starts.last.map { line(at: $0, in: text) }
        let lines = added.map { edit in
            let fields = (0..<columnCount).map { column in
                let isQuoted = model.map { isQuotedByStyle(column, of: $0, in: text) } ?? false
                return spelling(of: edit.values[column] ?? .null, in: column, isQuoted: isQuoted)
            }
            return Array(fields.joined(separator: [dialect.separator]))
        }
        let next = row.map { line(at: starts[$0], in: text).next }
        return LineEnd.add(lines, to: text, at: next ?? starts.first ?? start(of: text))
    }

    private func isFieldQuoted(_ column: Int, of line: Line, in text: [UInt8]) -> Bool {
        column < line.fields.count && isQuote(at: line.fields[column].lowerBound, in: text)
            && !line.fields[column].isEmpty
    }

    /// Whether a field is quoted although it need not be.
    private func isQuotedByStyle(_ column: Int, of line: Line, in text: [UInt8]) -> Bool {
        guard isFieldQuoted(column, of: line, in: text) else { return false }
        let inside = text[line.fields[column]].dropFirst().dropLast()
        return !inside.isEmpty && !inside.contains { isEnd($0) || $0 == dialect.quote }
    }

    package func patches(
        ofRowAt start: Int,
        in text: [UInt8],
        _ edit: RowEdit
    ) -> [TextPatch] {
        let line = line(at: start, in: text)
        var patches: [TextPatch] = []
        var (count, further) = (line.fields.count, [] as [UInt8])
        for (column, value) in edit.values.sorted(by: { $0.key < $1.key }) {
            if column < line.fields.count {
                let isQuoted = isFieldQuoted(column, of: line, in: text)
                let bytes = spelling(of: value, in: column, isQuoted: isQuoted)
                patches.append(TextPatch(line.fields[column], bytes))
            } else if !value.isNull {
                further += [UInt8](repeating: dialect.separator, count: column - count + 1)
                further += spelling(of: value, in: column, isQuoted: false)
                count = column + 1
            }
        }
        if !further.isEmpty { patches.append(TextPatch(line.end..<line.end, further)) }
        return patches
    }

    private func text(of value: CellValue, in column: Int?) -> String {
        let text = column.flatMap { readings[$0] }?.text(of: value) ?? value.plainText
        guard dialect.hasDecimalComma, !text.contains(",") else { return text }
        return switch value {
        case .decimal, .real: text.replacing(".", with: ",")
        case .null, .text, .integer, .boolean, .date, .timestamp, .json, .bytes: text
        }
    }

    private func needsQuotes(_ text: String) -> Bool {
        let isFirst = dialect.isQuoting && text.utf8.contains(dialect.quote)
        let isComment = dialect.comment != 0 && text.utf8.first == dialect.comment
        return text.isEmpty || isFirst || isComment || text.utf8.contains(where: isEnd)
    }

    private func spelling(of value: CellValue, in column: Int, isQuoted: Bool) -> [UInt8] {
        guard !value.isNull else { return [] }
        let text = text(of: value, in: column)
        guard dialect.isQuoting, isQuoted || needsQuotes(text) else { return Array(text.utf8) }
        var bytes = [dialect.quote]
        for byte in text.utf8 {
            if byte == dialect.quote {
                bytes.append(dialect.hasEscapes ? UInt8(ascii: "\\") : dialect.quote)
            } else if dialect.hasEscapes, byte == UInt8(ascii: "\\") {
                bytes.append(byte)
            }
            bytes.append(byte)
        }
        return bytes + [dialect.quote]
    }

    package func obstacle(to value: CellValue, in column: Int?) -> String? {
        guard !value.isNull else { return nil }
        let text = text(of: value, in: column)
        if missing.contains(text) { return "'\(text)' means no value in the file of the list." }
        guard !dialect.isQuoting, needsQuotes(text) else { return nil }
        return text.isEmpty
            ? "The file of the list has no quotation marks for an empty text."
            : "The file of the list has no quotation marks for separators and line breaks."
    }

    package func found(for value: CellValue, in column: Int) -> CellValue {
        let text = text(of: value, in: column)
        let read = dialect.hasDecimalComma ? DecimalComma.number(text) ?? text : text
        return readings[column]?.value(read) ?? FieldValue.value(read.utf8Span.span, .plain)
    }
}
