import Listings

extension Page {
    /// Draws rows in their order: as many at once as follow a pattern, and every other one by itself.
    ///
    /// - Parameters:
    ///   - rows: The rows.
    ///   - alike: Draws rows as far as they follow the pattern of the first of them, and returns the
    ///     first that does not.
    ///   - other: Draws one.
    borrowing func draw(
        _ rows: Range<Int>,
        alike: (Range<Int>) -> Int,
        other: (Int) -> Void
    ) {
        var row = rows.lowerBound
        while true {
            let start = row
            row = alike(row..<rows.upperBound)
            guard row < rows.upperBound else { return }
            if hasLentRows {
                // Those behind are of another kind, and follow its pattern.
                precondition(row > start, "rows are lent to who cannot draw them")
            } else {
                other(row)
                row += 1
            }
        }
    }
}
