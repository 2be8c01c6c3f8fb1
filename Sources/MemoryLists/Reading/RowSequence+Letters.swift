import Listings

extension RowSequence {
    /// Returns the first row at or after a letter, or the row count if there is none.
    func firstRow(at letter: String, _ order: IndexTitles) -> Int {
        Self.first(of: count) { !order.isBefore(leadingValue(ofRow: $0), letter: letter) }
    }

    /// Returns the first section at or after a letter, or the section count if there is none.
    func firstSection(at letter: String, _ order: IndexTitles) throws(SourceError) -> Int {
        let row = firstRow(at: letter, order)
        return row == count ? sectionCount : sectionIndex(ofRow: row)
    }

    var letters: [String] { foundLetters() }

    /// Finds the letters of the rows.
    func foundLetters() -> [String] {
        var letters: [String] = []
        var row = 0
        while row < count {
            let letter = IndexTitles.letter(of: leadingValue(ofRow: row))
            if let letter { letters.append(letter) }
            let rest = row
            row +=
                Self.first(of: count - rest) {
                    IndexTitles.letter(of: leadingValue(ofRow: rest + $0)) != letter
                }
        }
        return letters
    }

    /// Returns the first position at which a condition holds, which holds for all later ones too.
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
