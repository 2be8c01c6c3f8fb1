/// The form of a delimited file: its separator, its quotes, and the line of its header.
package struct DelimitedDialect: Hashable, Sendable {
    package var separator: UInt8
    /// The byte around quoted fields; 0 for no quoting.
    package var quote: UInt8
    /// Whether a backslash in a quoted field makes a quote part of the text.
    package var hasEscapes = false
    package var skippedLines = 0
    package var hasHeader = true
    /// Whether rows begin with a field that the header has no name for, as R writes them.
    package var hasRowNames = false
    /// Whether numbers are spelled like `1.234,5`.
    package var hasDecimalComma = false

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

    /// The separator of texts in one column: U+001F, which they do not have.
    package static let noSeparator: UInt8 = 0x1F

    private static let separators = [",", ";", "\t", "|"].flatMap { Array($0.utf8) }
    private static let maximumSkippedLines = 20
    private static let maximumLines = 200

    /// The usual dialect wins wherever it fits: its separator stands in the first line, and nine of
    /// ten lines have as many fields as that line.
    package static func detect(
        in sample: borrowing Span<UInt8>,
        usual: DelimitedDialect,
        options: ImportOptions = ImportOptions()
    ) -> DelimitedDialect {
        var dialect = usual
        var candidates = [usual.separator] + separators.filter { $0 != usual.separator }
        if let delimiter = options.delimiter {
            candidates = [delimiter]
            dialect.separator = delimiter
        }
        if let separator = separatorLine(of: sample) {
            // The first line `sep=;` is an instruction of Excel.
            dialect = DelimitedDialect(separator: separator, quote: doubleQuote)
            dialect.skippedLines = 1
        } else if options.skippedLines == nil {
            dialect = bestFit(sample, dialect, candidates)
        } else if options.delimiter == nil {
            let lines = fieldCountsOfAll(candidates, in: sample, skipping: options.skippedLines)
            if let best = lines.max(by: { $0.fields < $1.fields }), best.fields > 1 {
                dialect.separator = best.separator
            }
        }
        if let skipped = options.skippedLines { dialect.skippedLines = skipped }
        if let delimiter = options.delimiter { dialect.separator = delimiter }
        let isText = dialect.separator == noSeparator
        if dialect.separator != UInt8(ascii: "\t"), !isText, usual.isQuoting || dialect != usual {
            dialect.quote = doubleQuote
        }
        if !dialect.isQuoting, !isText, areFieldsQuoted(in: sample, dialect.separator) {
            dialect.quote = doubleQuote
        }
        if let quote = options.quote { dialect.quote = quote }
        dialect.hasEscapes = dialect.isQuoting && hasEscapedQuotes(sample, dialect.quote)
        let records = SampleRecords(sample, dialect)
        dialect.hasHeader = options.hasHeader ?? (dialect.hasRowNames || !records.isHeaderData)
        if !dialect.hasHeader { dialect.hasRowNames = false }
        dialect.hasDecimalComma =
            options.hasDecimalComma
            ?? (dialect.separator != UInt8(ascii: ",") && records.haveDecimalCommas)
        return dialect
    }

    private static func separatorLine(of sample: borrowing Span<UInt8>) -> UInt8? {
        let start = sample.count >= 3 && sample[0] == 0xEF ? 3 : 0
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
        skipping lines: Int?
    ) -> [(separator: UInt8, fields: Int)] {
        var found: [(separator: UInt8, fields: Int)] = []
        for separator in separators {
            let counts = fieldCounts(in: sample, separator).dropFirst(lines ?? 0)
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
            let counts = fieldCounts(in: sample, separator)
            let lines = counts.indices.dropFirst().prefix(maximumSkippedLines)
            // A header of several columns may have no rows.
            for line in lines
            where counts[line] > 2 || counts[line] > 1 && counts.count - line >= 2 {
                guard counts[..<line].allSatisfy({ $0 <= 1 }),
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

    /// Whether the text is made of sentences: a space follows each comma, and no part is a number.
    private static func isProse(_ sample: borrowing Span<UInt8>) -> Bool {
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

    /// 0 for a blank line.
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

    /// Whether quotes inside fields follow a backslash, and none is doubled.
    private static func hasEscapedQuotes(_ sample: borrowing Span<UInt8>, _ quote: UInt8) -> Bool {
        var escaped = 0
        for index in 0..<max(0, sample.count - 2) where sample[index + 1] == quote {
            let isEnd = ",;\t|\r\n".utf8.contains(sample[index + 2])
            if sample[index] == UInt8(ascii: "\\"), !isEnd { escaped += 1 }
            // Three quotes are a doubled one at the end of a field or at its start.
            if sample[index] == quote, sample[index + 2] == quote { return false }
            let isText = index > 0 && sample[index - 1].isWordByte && sample[index + 2].isWordByte
            if sample[index] == quote, isText { return false }
        }
        return escaped > 0
    }
}

extension UInt8 {
    fileprivate var isWordByte: Bool {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"), 0x80...:
            true
        default: false
        }
    }
}

/// They tell whether the file has a header and decimal commas.
private struct SampleRecords {
    private static let maximumRecords = 200

    private var header: [String] = []
    private var records: [[String?]] = []

    init(_ sample: borrowing Span<UInt8>, _ dialect: DelimitedDialect) {
        var reader = DelimitedReader(dialect)
        var record = FileRecord()
        var index = 0
        do throws(FileError) {
            while records.count < Self.maximumRecords,
                try reader.read(sample, from: &index, into: &record) == .complete
            {
                records.append((0..<record.count).map { record.text($0) })
            }
            if records.isEmpty, try reader.finish(into: &record) == .complete {
                records.append((0..<record.count).map { record.text($0) })
            }
        } catch {
            // The records before an error are enough to tell.
        }
        header = reader.columns.written
    }

    /// Years and other whole numbers in ascending order may be names of columns, but fractions may
    /// not.
    var isHeaderData: Bool {
        guard !records.isEmpty, !header.isEmpty else { return false }
        let numbers = header.indices.filter { column in
            let values = records.compactMap { column < $0.count ? $0[column] : nil }
            guard Double(header[column]) != nil, !values.isEmpty else { return false }
            return values.count { Double($0) != nil } * 10 >= values.count * 9
        }
        if numbers.contains(where: { header[$0].contains(".") }) { return true }
        let values = numbers.compactMap { Double(header[$0]) }
        let isAscending = zip(values, values.dropFirst()).allSatisfy { $0 < $1 }
        return numbers.count == header.count && header.count > 1 && !isAscending
    }

    /// `1,186` may be either, so that it is no evidence.
    var haveDecimalCommas: Bool {
        var hasComma = false
        for case let field? in records.joined() {
            let utf8 = Array(field.utf8)
            switch DecimalComma.number(utf8.span) {
            case nil:
                if utf8.contains(UInt8(ascii: ".")), Double(field) != nil { return false }
                if DecimalComma.hasGroups(field) { return false }
            case .some:
                if utf8.contains(UInt8(ascii: ",")), !DecimalComma.hasGroups(field) {
                    hasComma = true
                }
            }
        }
        return hasComma
    }
}
