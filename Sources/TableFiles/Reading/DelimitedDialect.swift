/// The form of a delimited file: its separator, its quotes, and the line of its header.
package struct DelimitedDialect: Hashable, Sendable {
    package var separator: UInt8
    /// The byte around quoted fields; 0 for no quoting.
    package var quote: UInt8
    /// Whether a backslash in a quoted field makes a quote part of the text.
    package var hasEscapes = false
    /// Whether a quote after blanks opens a field too, as in `0, "a, b"`.
    package var hasPaddedQuotes = false
    /// The byte at the beginning of lines that are no rows; 0 for none.
    package var comment: UInt8 = 0
    package var skippedLines = 0
    package var hasHeader = true
    /// The reason why the first line may be a row.
    package var headerDoubt: HeaderDoubt?
    /// Whether rows begin with a field that the header has no name for, as R writes them.
    package var hasRowNames = false
    /// Whether numbers are spelled like `1.234,5`.
    package var hasDecimalComma = false

    /// Whether lines without a separator look like columns of fixed width.
    package var hasFixedWidth = false
    /// Lines after the data that are no rows; nil detects them.
    package var footerLines: Int? = 0

    package var isQuoting: Bool { quote != 0 }

    /// Fields are separated by commas and may be quoted (RFC 4180).
    package static let commaSeparated = DelimitedDialect(
        separator: UInt8(ascii: ","),
        quote: doubleQuote
    )
    /// Fields are separated by tabs; quotes have no meaning (IANA `text/tab-separated-values`).
    package static let tabSeparated = DelimitedDialect(
        separator: UInt8(ascii: "\t"),
        quote: 0
    )

    private static let doubleQuote = UInt8(ascii: "\"")
    private static let hash = UInt8(ascii: "#")

    /// The separator of texts in one column: U+001F, which they do not have.
    package static let noSeparator: UInt8 = 0x1F

    private static let separators = [",", ";", "\t", "|"].flatMap { Array($0.utf8) }
    private static let maximumSkippedLines = 20

    /// The usual dialect wins wherever it fits: its separator stands in the first line, and nine of
    /// ten lines have as many fields as that line.
    package static func detect(
        in sample: borrowing Span<UInt8>,
        usual: DelimitedDialect,
        options: ImportOptions = ImportOptions()
    ) -> DelimitedDialect {
        var dialect = commented(sample, usual, options)
        let isText = dialect.separator == noSeparator
        if dialect.separator != UInt8(ascii: "\t"), !isText, usual.isQuoting || dialect != usual {
            dialect.quote = doubleQuote
        }
        if !dialect.isQuoting, !isText, SampleLine.areFieldsQuoted(in: sample, dialect.separator) {
            dialect.quote = doubleQuote
        }
        if let quote = options.quote { dialect.quote = quote }
        dialect.hasEscapes = dialect.isQuoting && SampleLine.hasEscapedQuotes(sample, dialect.quote)
        dialect.hasPaddedQuotes =
            dialect.quote == doubleQuote
            && SampleLine.areFieldsQuoted(in: sample, dialect.separator, isAfterBlanks: true)
        dialect.hasFixedWidth =
            options.delimiter == nil && !SampleLine.haveSeparators(sample, dialect.separator)
            && SampleLine.haveFixedWidth(sample)
        let records = SampleRecords(sample, dialect, options)
        if let hasHeader = options.hasHeader {
            dialect.hasHeader = hasHeader
        } else if !dialect.hasRowNames {
            (dialect.hasHeader, dialect.headerDoubt) = records.header()
        }
        if !dialect.hasHeader { dialect.hasRowNames = false }
        dialect.hasDecimalComma =
            options.hasDecimalComma
            ?? (dialect.separator != UInt8(ascii: ",") && records.haveDecimalCommas)
        return dialect
    }

    private static func commented(
        _ sample: borrowing Span<UInt8>,
        _ usual: DelimitedDialect,
        _ options: ImportOptions
    ) -> DelimitedDialect {
        let isFound = options.comment == nil && options.skippedLines == nil
        guard isFound, SampleLine.begins(sample, with: hash) else {
            return separated(sample, usual, options, options.comment ?? 0)
        }
        var dialect = separated(sample, usual, options, hash)
        let lines = SampleLine.lines(of: sample, dialect.separator, comment: hash)
        guard let header = SampleLine.headerLikeComments(in: lines) else {
            let areComments = SampleLine.areComments(in: lines)
            return areComments ? dialect : separated(sample, usual, options, 0)
        }
        (dialect.skippedLines, dialect.comment) = (header, 0)
        return dialect
    }

    /// The separator and the line of the header, if a byte begins comments.
    private static func separated(
        _ sample: borrowing Span<UInt8>,
        _ usual: DelimitedDialect,
        _ options: ImportOptions,
        _ comment: UInt8
    ) -> DelimitedDialect {
        var dialect = usual
        dialect.comment = comment
        var candidates = [usual.separator] + separators.filter { $0 != usual.separator }
        if let delimiter = options.delimiter {
            candidates = [delimiter]
            dialect.separator = delimiter
        }
        if let separator = separatorLine(of: sample) {
            // The first line `sep=;` is an instruction of Excel.
            dialect = DelimitedDialect(separator: separator, quote: doubleQuote, comment: comment)
            dialect.skippedLines = 1
        } else if options.skippedLines == nil {
            dialect = bestFit(sample, dialect, candidates)
        } else if options.delimiter == nil {
            let lines = fieldCountsOfAll(candidates, in: sample, comment, options.skippedLines)
            if let best = lines.max(by: { $0.fields < $1.fields }), best.fields > 1 {
                dialect.separator = best.separator
            }
        }
        if let skipped = options.skippedLines { dialect.skippedLines = skipped }
        if let delimiter = options.delimiter { dialect.separator = delimiter }
        return dialect
    }

    private static func separatorLine(of sample: borrowing Span<UInt8>) -> UInt8? {
        let start = ByteOrderMark.length(in: sample)
        guard sample.count >= start + 6 else { return nil }
        for (index, byte) in "sep=".utf8.enumerated()
        where sample[start + index] | 0x20 != byte | 0x20 {
            return nil
        }
        let end = sample[start + 5]
        return end == UInt8(ascii: "\n") || end == UInt8(ascii: "\r") ? sample[start + 4] : nil
    }

    private static func fieldCountsOfAll(
        _ separators: [UInt8],
        in sample: borrowing Span<UInt8>,
        _ comment: UInt8,
        _ skipped: Int?
    ) -> [(separator: UInt8, fields: Int)] {
        var found: [(separator: UInt8, fields: Int)] = []
        for separator in separators {
            let counts = fieldCounts(in: sample, separator, comment).dropFirst(skipped ?? 0)
            found.append((separator, counts.first { $0 > 0 } ?? 1))
        }
        return found
    }

    private static func bestFit(
        _ sample: borrowing Span<UInt8>,
        _ usual: DelimitedDialect,
        _ candidates: [UInt8]
    ) -> DelimitedDialect {
        var best = (dialect: usual, agreement: 0.0, fields: 1)
        for separator in candidates {
            let counts = fieldCounts(in: sample, separator, usual.comment)
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
            }
        }
        if best.agreement < 0.5, let found = withPreamble(sample, usual, candidates) {
            return found
        }
        if best.agreement < 0.9, isProse(sample) {
            best.dialect.separator = noSeparator
            best.dialect.quote = 0
        }
        return best.dialect
    }

    private static func withPreamble(
        _ sample: borrowing Span<UInt8>,
        _ usual: DelimitedDialect,
        _ separators: [UInt8]
    ) -> DelimitedDialect? {
        for separator in separators {
            let counts = fieldCounts(in: sample, separator, usual.comment)
            let lines = counts.indices.dropFirst().prefix(maximumSkippedLines)
            // A header of several columns may have no rows, if it has the usual separator.
            let isUsual = separator == usual.separator
            for line in lines
            where counts[line] > 2 && isUsual || counts[line] > 1 && counts.count - line >= 2 {
                guard
                    counts[..<line].allSatisfy({ $0 <= 1 })
                        || line == 1 && isSummary(sample, counts),
                    share(of: counts[line], in: counts[line...]) >= (counts[line] > 2 ? 0.9 : 1),
                    !isProse(sample)
                else { continue }
                var found = usual
                found.separator = separator
                found.skippedLines = line
                return found
            }
        }
        return nil
    }

    /// Whether the first line has less fields than all others and begins with a number, which is
    /// that of the rows.
    private static func isSummary(_ sample: borrowing Span<UInt8>, _ counts: [Int]) -> Bool {
        let start = ByteOrderMark.length(in: sample)
        guard counts.count > 3, sample[start] &- UInt8(ascii: "0") < 10 else { return false }
        return counts.dropFirst().allSatisfy { $0 == counts[1] } && counts[0] + 1 < counts[1]
    }

    /// Whether the text is made of sentences: a space follows each comma, and no part is a number.
    private static func isProse(_ sample: borrowing Span<UInt8>) -> Bool {
        guard !SampleLine.areFieldsQuoted(in: sample, UInt8(ascii: ",")) else { return false }
        var hasComma = false
        var part: [UInt8] = []
        for index in 0..<sample.count {
            let byte = sample[index]
            let isComma = byte == UInt8(ascii: ",")
            guard isComma || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: ";") else {
                if byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "|") { return false }
                if byte > 0x20 || !part.isEmpty { part.append(byte) }
                continue
            }
            while let last = part.last, last <= 0x20 { part.removeLast() }
            if Double(String(decoding: part, as: UTF8.self)) != nil { return false }
            part = []
            guard byte != UInt8(ascii: "\n"), index + 1 < sample.count else { continue }
            hasComma = true
            guard sample[index + 1] <= 0x20 else { return false }
        }
        return hasComma
    }

    private static func share(of fields: Int, in counts: ArraySlice<Int>) -> Double {
        let lines = counts.filter { $0 > 0 }
        return Double(lines.count { $0 == fields }) / Double(max(1, lines.count))
    }

    /// 0 for a blank line or a comment.
    private static func fieldCounts(
        in sample: borrowing Span<UInt8>,
        _ separator: UInt8,
        _ comment: UInt8
    ) -> [Int] {
        SampleLine.lines(of: sample, separator, comment: comment).map {
            $0.isComment ? 0 : $0.fields
        }
    }
}
