/// How the index letters of an order follow one another.
package struct LetterOrder {
    private let key: SortKey

    /// The letters of an order that begins with a key, which is a text.
    package init(_ key: SortKey) { self.key = key }

    /// The letters of a question; nil where it has none.
    init?(_ query: __shared ListQuery, _ schema: __shared ListSchema) {
        guard let key = schema.letterKey(of: query) else { return nil }
        self.key = key
    }

    /// Whether a row with a value stands before the first row of a letter.
    package func isBefore(_ value: CellValue, letter: String) -> Bool {
        guard let own = Self.letter(of: value) else {
            return value.isNull ? key.nulls == .first : key.direction == .descending
        }
        return key.direction == .ascending
            ? TextCollation.isLess(own, than: letter) : TextCollation.isLess(letter, than: own)
    }

    /// The letter of a value: that of a text, `#` for what stands before texts, nil for none.
    package static func letter(of value: CellValue) -> String? {
        switch value.kind {
        case .text: TextCollation.initial(of: value.plainText)
        case .boolean, .number, .time: TextCollation.noLetter
        case .null, .json, .bytes: nil
        }
    }
}

extension RowSequence {
    /// The first row that has a letter or stands behind it; the count when there is none.
    func firstRow(at letter: String, _ order: LetterOrder) -> Int {
        Self.first(of: count) { !order.isBefore(leadingValue(ofRow: $0), letter: letter) }
    }

    /// The first section that has a letter or stands behind it; the section count when there is
    /// none.
    func firstSection(at letter: String, _ order: LetterOrder) throws(SourceError) -> Int {
        let row = firstRow(at: letter, order)
        return row == count ? sectionCount : sectionIndex(ofRow: row)
    }

    var letters: [String] { foundLetters() }

    /// The letters there are, looked for.
    func foundLetters() -> [String] {
        var letters: [String] = []
        var row = 0
        while row < count {
            let letter = LetterOrder.letter(of: leadingValue(ofRow: row))
            if let letter { letters.append(letter) }
            let rest = row
            row +=
                Self.first(of: count - rest) {
                    LetterOrder.letter(of: leadingValue(ofRow: rest + $0)) != letter
                }
        }
        return letters
    }

    /// The first of some positions for which a condition holds that holds for all behind it.
    static func first(of count: Int, where holds: (Int) -> Bool) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if holds(middle) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
