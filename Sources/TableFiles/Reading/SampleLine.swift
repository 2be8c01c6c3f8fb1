/// A line of a delimited file, whose form is not known yet.
struct SampleLine {
    private static let maximumCount = 200
    /// A shorter sample is a whole file, whose last line is not cut off.
    private static let wholeBytes = 64 << 10
    private static let quote = UInt8(ascii: "\"")

    /// 0 for a blank line.
    private(set) var fields = 0
    private(set) var isComment = false

    static func lines(
        of sample: borrowing Span<UInt8>,
        _ separator: UInt8,
        comment: UInt8
    ) -> [SampleLine] {
        let isPadded = areFieldsQuoted(in: sample, separator, isAfterBlanks: true)
        let start = ByteOrderMark.length(in: sample)
        var lines: [SampleLine] = []
        var line = SampleLine()
        var isQuoted = false
        var isFieldStart = true
        for index in start..<sample.count {
            let byte = sample[index]
            if byte == comment, comment != 0, line.fields == 0 { line.isComment = true }
            if byte == quote, isQuoted || isFieldStart, !line.isComment {
                isQuoted.toggle()
                line.fields = max(line.fields, 1)
                // A doubled quotation mark opens the field again.
                isFieldStart = !isQuoted
                continue
            }
            guard !isQuoted else { continue }
            switch byte {
            case separator:
                line.fields = max(line.fields, 1) + 1
                isFieldStart = true
            case UInt8(ascii: "\r"), UInt8(ascii: "\n"):
                isFieldStart = true
                // The line feed after a carriage return ends no second line.
                let isSecond = index > 0 && sample[index - 1] == UInt8(ascii: "\r")
                if byte == UInt8(ascii: "\n"), isSecond { continue }
                lines.append(line)
                line = SampleLine()
                if lines.count == maximumCount { return lines }
            default:
                line.fields = max(line.fields, 1)
                isFieldStart = isFieldStart && isPadded && byte == UInt8(ascii: " ")
            }
        }
        let isWhole = sample.count < wholeBytes && !isQuoted
        if line.fields > 0, isWhole || lines.isEmpty { lines.append(line) }
        return lines
    }

    static func haveSeparators(_ sample: borrowing Span<UInt8>, _ separator: UInt8) -> Bool {
        sample.indices.contains { sample[$0] == separator }
    }

    /// Whether texts begin at one position of all lines, after two blanks in some of them.
    static func haveFixedWidth(_ sample: borrowing Span<UInt8>) -> Bool {
        var starts: Set<Int>?
        var padded: Set<Int> = []
        var (count, length, blanks, own) = (0, 0, 0, Set<Int>())
        for index in ByteOrderMark.length(in: sample)..<sample.count {
            let byte = sample[index]
            guard byte != UInt8(ascii: "\n") else {
                if !own.isEmpty || length > blanks {
                    starts = starts?.intersection(own) ?? own
                    count += 1
                }
                (length, blanks, own) = (0, 0, [])
                if count == maximumCount || starts?.isEmpty == true { break }
                continue
            }
            // Bytes within a character take no column.
            guard byte & 0xC0 != 0x80 else { continue }
            if byte == UInt8(ascii: " ") {
                blanks += 1
            } else {
                if blanks > 0, length > blanks { own.insert(length) }
                if blanks > 1, length > blanks { padded.insert(length) }
                blanks = 0
            }
            length += 1
        }
        return count > 2 && !(starts ?? []).isDisjoint(with: padded)
    }

    static func begins(_ sample: borrowing Span<UInt8>, with sign: UInt8) -> Bool {
        let start = ByteOrderMark.length(in: sample)
        return sample.count > start && sample[start] == sign
    }

    /// Whether lines that begin like the first one are comments: from the line before the header
    /// on, none has the form of a row.
    static func areComments(in lines: [SampleLine]) -> Bool {
        guard let header = lines.firstIndex(where: { $0.fields > 0 && !$0.isComment }),
            header > 0, lines[header].fields > 1
        else { return false }
        let further = lines[(header - 1)...]
        return !further.contains { $0.isComment && $0.fields == lines[header].fields }
    }

    /// The line of a header that begins like the comments before it, as in `# id,name`.
    static func headerLikeComments(in lines: [SampleLine]) -> Int? {
        guard let row = lines.firstIndex(where: { !$0.isComment }), row > 1,
            lines[row].fields > 1, lines[row - 1].fields == lines[row].fields
        else { return nil }
        return row - 1
    }

    /// Whether every field that begins with a quotation mark ends with one, and some do.
    ///
    /// `isAfterBlanks` considers the fields that begin with blanks and a quotation mark.
    static func areFieldsQuoted(
        in sample: borrowing Span<UInt8>,
        _ separator: UInt8,
        isAfterBlanks: Bool = false
    ) -> Bool {
        var (index, quoted) = (0, 0)
        var (isFieldStart, blanks) = (true, 0)
        func isEnd(_ byte: UInt8) -> Bool {
            byte == separator || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
        }
        while index < sample.count {
            let byte = sample[index]
            index += 1
            guard isFieldStart, byte == quote else {
                let isBlank =
                    isFieldStart && isAfterBlanks && byte == UInt8(ascii: " ")
                    && byte != separator
                blanks = isBlank ? blanks + 1 : 0
                isFieldStart = isBlank || isEnd(byte)
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
            // The sample may end inside the field, or with it.
            guard index < sample.count else { break }
            index += 1
            let isConsidered = !isAfterBlanks || blanks > 0
            (isFieldStart, blanks) = (false, 0)
            guard isConsidered else { continue }
            guard index == sample.count || isEnd(sample[index]) else { return false }
            quoted += 1
        }
        return quoted > 0
    }

    /// Whether quotes inside fields follow a backslash, and none is doubled.
    static func hasEscapedQuotes(_ sample: borrowing Span<UInt8>, _ quote: UInt8) -> Bool {
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
