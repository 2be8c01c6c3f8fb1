import Listings
import TableFiles

extension ImportPlan.Spelling {
    /// The note, such as `born: 300 of 300 values are dates in the order day, month, year, as
    /// '14.03.2024'; --types born=text keeps texts`.
    func text(of list: String) -> String {
        let numbers = ImportPlan.Exceptions.grouped(count)
        let part = "\(column): \(numbers) of \(ImportPlan.Exceptions.grouped(total))"
        let named = column == list ? "\(list)=\(column)" : column
        let texts =
            isExcluded
            ? "the given --dates, --thousands or --decimal keeps texts"
            : "--types \("\(named)=text".shellWord) keeps texts"
        switch reading {
        case nil:
            return "\(column): the order of day and month is open, as in '\(example)'; "
                + "--dates dmy or --dates mdy reads dates"
        case .usual:
            return
                "\(column): empty texts among other values: \(numbers), read as missing; \(texts)"
        case .text:
            return
                "\(part) numbers begin with 0 or +, as '\(example)', so that all are texts; "
                + "--types \("\(named)=integer".shellWord) reads numbers"
        case .spelled(.number(let spelling)), .converted(.number(let spelling)):
            return "\(part) values are numbers \(spelling.note), as '\(example)'; \(texts)"
        case .spelled(.time(let spelling)), .converted(.time(let spelling)):
            return "\(part) values are dates in the order \(spelling.order.text), as '\(example)'; "
                + texts
        case .spelled(.boolean), .converted(.boolean):
            return "\(part) values are true or false, as '\(example)'; \(texts)"
        }
    }
}

extension NumberSpelling {
    fileprivate var note: String {
        var parts: [String] = []
        if thousands != nil { parts.append("with thousands") }
        if allowsPowers { parts.append("with exponents") }
        if let unit { parts.append("with \(unit.text)") }
        return parts.isEmpty ? "in another spelling" : parts.joined(separator: " and ")
    }
}

extension ImportPlan.Exceptions {
    /// Returns a note for the operator: `n: 12 of 9,000 values are not numbers: 'NA' (11), '?' (1);
    /// --missing 'NA,?' reads them as missing`.
    ///
    /// - Returns: The note, which names `--missing` where markers are among the texts.
    func text(of format: FileFormat?) -> String {
        let found = examples.map(\.text).filter(ImportOptions.markers.contains)
        guard format?.isDelimited == true, !found.isEmpty else { return text }
        let marks = found.joined(separator: ",")
        return text + "; --missing \(marks.shellWord) reads them as missing"
    }

    private var text: String {
        let named = examples.map { "'\($0.text)' (\($0.count))" }.joined(separator: ", ")
        let note =
            "\(column): \(Self.grouped(count)) of \(Self.grouped(total)) values are not \(nouns)"
        return named.isEmpty ? note : note + ": " + named
    }

    private var nouns: String {
        switch type.form {
        case .integer, .real: "numbers"
        case .boolean: "true or false"
        case .date: "dates"
        case .timestamp: "dates or times"
        case .text: "texts"
        case .json: "JSON"
        case .bytes: "bytes"
        }
    }

    fileprivate static func grouped(_ number: Int) -> String {
        var text = ""
        for (index, digit) in "\(number)".reversed().enumerated() {
            if index > 0, index % 3 == 0 { text.append(",") }
            text.append(digit)
        }
        return String(text.reversed())
    }
}
