package struct IndexTitles {
    private let key: SortKey

    package init(_ key: SortKey) { self.key = key }

    /// Nil if the query has no letters.
    package init?(_ query: __shared ListQuery, _ schema: __shared ListSchema) {
        guard let key = schema.letterKey(of: query) else { return nil }
        self.key = key
    }

    package func isBefore(_ value: CellValue, letter: String) -> Bool {
        guard let own = Self.letter(of: value) else {
            return value.isNull ? key.nulls == .first : key.direction == .descending
        }
        return key.direction == .ascending
            ? TextCollation.isLess(own, than: letter) : TextCollation.isLess(letter, than: own)
    }

    /// Returns the letter of a value: `#` for values before texts, nil for values without a letter.
    package static func letter(of value: CellValue) -> String? {
        switch value.kind {
        case .text: TextCollation.initial(of: value.plainText)
        case .boolean, .number, .time: TextCollation.noLetter
        case .null, .json, .bytes: nil
        }
    }
}
