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
    var cellClass: StaticString? { isNumber ? "num" : isAddress ? "url" : nil }
}
