/// The form of a delimited file: its separator, its quotes, and the line of its header.
package struct DelimitedDialect: Hashable, Sendable {
    /// The byte between fields.
    package var separator: UInt8
    /// Whether fields may stand in quotation marks.
    package var isQuoting: Bool
    /// The number of lines before the header, which are skipped.
    package var skippedLines = 0
    /// Whether rows begin with a field that the header has no name for, as R writes them.
    package var hasRowNames = false

    /// Fields are separated by commas and may be quoted (RFC 4180).
    package static let commaSeparated = DelimitedDialect(
        separator: UInt8(ascii: ","),
        isQuoting: true
    )
    /// Fields are separated by tabs; quotes have no meaning (IANA `text/tab-separated-values`).
    package static let tabSeparated = DelimitedDialect(
        separator: UInt8(ascii: "\t"),
        isQuoting: false
    )

    /// The separators that are detected, the most frequent one first.
    private static let separators = [",", ";", "\t", "|"].flatMap { Array($0.utf8) }
    /// The maximum number of lines before a header that are detected.
    private static let maximumSkippedLines = 20
    /// The maximum number of lines that are compared.
    private static let maximumLines = 200

    /// Detects the form of a file.
    ///
    /// The usual dialect wins wherever it fits: its separator stands in the first line, and nine of
    /// ten lines have as many fields as that line.
    ///
    /// - Parameters:
    ///   - sample: The beginning of the file in UTF-8.
    ///   - usual: The dialect that the name of the file stands for.
    /// - Returns: The dialect that fits best; the usual one where none does.
    package static func detect(
        in sample: borrowing Span<UInt8>,
        usual: DelimitedDialect
    ) -> DelimitedDialect {
        var best = (dialect: usual, agreement: 0.0, fields: 1)
        let others = separators.filter { $0 != usual.separator }
        for separator in [usual.separator] + others {
            let counts = fieldCounts(in: sample, separator)
            guard let header = counts.first(where: { $0 > 0 }), header > 1 else { continue }
            let rows = counts.drop { $0 == 0 }.dropFirst()
            let agreement = share(of: header, in: counts[...])
            if rows.count > 1, share(of: header + 1, in: rows) >= 0.9 {
                best = (usual, 1, header)
                best.dialect.separator = separator
                best.dialect.hasRowNames = true
                break
            }
            if separator == usual.separator, agreement >= 0.9 {
                best = (usual, 1, header)
                break
            }
            if (agreement, header) > (best.agreement, best.fields), agreement >= 0.5 {
                best.agreement = agreement
                best.fields = header
                best.dialect.separator = separator
                best.dialect.isQuoting = true
            }
        }
        if best.agreement < 0.5, let found = withPreamble(sample, usual) { best.dialect = found }
        if !best.dialect.isQuoting, areFieldsQuoted(in: sample, best.dialect.separator) {
            best.dialect.isQuoting = true
        }
        return best.dialect
    }

    /// Finds the first line from which on all lines have the same number of fields.
    private static func withPreamble(
        _ sample: borrowing Span<UInt8>,
        _ usual: DelimitedDialect
    ) -> DelimitedDialect? {
        for separator in [usual.separator] + separators.filter({ $0 != usual.separator }) {
            let counts = fieldCounts(in: sample, separator)
            let candidates = counts.indices.dropFirst().prefix(maximumSkippedLines)
            for line in candidates where counts[line] > 2 && counts.count - line >= 3 {
                guard counts[..<line].allSatisfy({ $0 <= 1 }),
                    share(of: counts[line], in: counts[line...]) >= 0.9
                else { continue }
                var found = usual
                found.separator = separator
                found.isQuoting = separator != UInt8(ascii: "\t") || usual.isQuoting
                found.skippedLines = line
                return found
            }
        }
        return nil
    }

    /// Returns the share of lines that have a number of fields; blank lines do not count.
    private static func share(of fields: Int, in counts: ArraySlice<Int>) -> Double {
        let lines = counts.filter { $0 > 0 }
        return Double(lines.count { $0 == fields }) / Double(max(1, lines.count))
    }

    /// Returns the number of fields of each whole line; 0 for a blank line.
    private static func fieldCounts(
        in sample: borrowing Span<UInt8>,
        _ separator: UInt8
    ) -> [Int] {
        var counts: [Int] = []
        var (fields, length) = (1, 0)
        var isQuoted = false
        var isFieldStart = true
        for index in 0..<sample.count {
            let byte = sample[index]
            if byte == UInt8(ascii: "\""), isQuoted || isFieldStart {
                isQuoted.toggle()
                length += 1
                // A doubled quotation mark opens the field again.
                isFieldStart = !isQuoted
                continue
            }
            guard !isQuoted else { continue }
            isFieldStart = false
            switch byte {
            case separator:
                fields += 1
                length += 1
                isFieldStart = true
            case UInt8(ascii: "\r"), UInt8(ascii: "\n"):
                // The line feed after a carriage return ends no second line.
                if byte == UInt8(ascii: "\n"), index > 0, sample[index - 1] == UInt8(ascii: "\r") {
                    isFieldStart = true
                    continue
                }
                counts.append(length == 0 ? 0 : fields)
                (fields, length, isFieldStart) = (1, 0, true)
                if counts.count == maximumLines { return counts }
            default: length += 1
            }
        }
        // The last line may be cut off, unless it is the only one.
        if counts.isEmpty, length > 0 { counts.append(fields) }
        return counts
    }

    /// Whether every field that begins with a quotation mark ends with one, and some do.
    private static func areFieldsQuoted(
        in sample: borrowing Span<UInt8>,
        _ separator: UInt8
    ) -> Bool {
        let quote = UInt8(ascii: "\"")
        var (index, quoted) = (0, 0)
        var isFieldStart = true
        while index < sample.count {
            let byte = sample[index]
            index += 1
            guard isFieldStart, byte == quote else {
                isFieldStart =
                    byte == separator || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
                continue
            }
            // A doubled quotation mark stands for one.
            while index < sample.count {
                guard sample[index] == quote else {
                    index += 1
                    continue
                }
                guard index + 1 < sample.count, sample[index + 1] == quote else { break }
                index += 2
            }
            // The sample may end inside the field.
            guard index + 1 < sample.count else { break }
            index += 1
            let next = sample[index]
            guard next == separator || next == UInt8(ascii: "\n") || next == UInt8(ascii: "\r")
            else { return false }
            quoted += 1
            isFieldStart = false
        }
        return quoted > 0
    }
}
