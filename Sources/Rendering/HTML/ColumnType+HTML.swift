import Listings

extension Column {
    /// Whether large numbers of the column have marks between groups of digits, which names of
    /// things do not: ids, codes, years and telephone numbers.
    var groupsDigits: Bool {
        guard type.isNumber, let word = label.lowercased().split(separator: " ").last else {
            return false
        }
        return !Self.namingWords.contains(String(word))
    }

    private static let namingWords: Set = [
        "id", "ids", "key", "code", "number", "no", "nr", "nummer", "numeric", "year", "jahr",
        "zip",
        "postcode", "plz", "phone", "telephone", "telefon", "fax", "fips", "isbn", "ean", "index",
    ]
}

extension ColumnType {
    enum FormControl {
        case area
        case choice
        case input(StaticString)
    }

    var cellClass: StaticString? { isNumber ? "num" : isAddress ? "url" : nil }

    func formControl(of text: String) -> FormControl {
        // Browsers trim spaces around addresses, and change the spelling of host names.
        let isPlain = text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
        return switch self {
        case .boolean where ["", "true", "false"].contains(text): .choice
        case .email where isPlain: .input("<input type=\"email\"")
        case .link where isPlain: .input("<input type=\"url\"")
        case .date where text.isEmpty || CalendarDate(text) != nil: .input("<input type=\"date\"")
        case .integer, .real: .input("<input inputmode=\"decimal\"")
        case .json: .area
        default: .input("<input")
        }
    }
}
