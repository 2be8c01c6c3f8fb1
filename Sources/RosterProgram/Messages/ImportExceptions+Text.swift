import Listings
import TableFiles

extension ImportPlan.LeadingZeros {
    /// The note: `plz: 2 of 300 numbers begin with 0, as '01067' does; --types plz=text reads texts`.
    var text: String {
        "\(column): \(ImportPlan.Exceptions.grouped(count)) of "
            + "\(ImportPlan.Exceptions.grouped(total)) numbers begin with 0, as '\(example)' does; "
            + "--types \(column)=text reads texts"
    }
}

extension ImportPlan.Exceptions {
    private static let markers: Set<String> = [
        "NA", "N/A", "n/a", "null", "NULL", "None", "-", "--", ".", "?",
    ]

    /// Returns a note for the operator: `n: 12 of 9,000 values are not numbers: 'NA' (11), '?' (1);
    /// --missing NA,? reads them as missing`.
    ///
    /// - Returns: The note, which names `--missing` where markers are among the texts.
    func text(of format: FileFormat?) -> String {
        let found = examples.map(\.text).filter(Self.markers.contains)
        guard format == .csv || format == .tsv, !found.isEmpty else { return text }
        return text + "; --missing \(found.joined(separator: ",")) reads them as missing"
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
