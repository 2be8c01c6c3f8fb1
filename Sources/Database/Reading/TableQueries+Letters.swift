import Listings

/// Finds the index letters with one index look-up per letter.
extension TableQueries {
    /// The letters of the first step of an order, in its direction.
    ///
    /// - Parameters:
    ///   - plan: An order whose first step is a text in the order of lists.
    ///   - direction: The direction of the step.
    /// - Returns: The letters without duplicates.
    /// - Throws: ``ReadingError``.
    func letters(
        _ plan: KeysetPlan,
        _ direction: SortKey.Direction
    ) throws(ReadingError) -> [String] {
        var letters: [String] = []
        var value = try firstText(plan, .isNotNull, .text(""))
        while let letter = value.flatMap(IndexTitles.letter) {
            letters.append(letter)
            switch direction {
            case .ascending:
                guard let next = TextCollation.letter(after: letter) else { return letters }
                value = try firstText(plan, atLetter: next, direction)
            case .descending:
                // Texts without a letter sort before all letters, possibly even before `#` itself.
                guard letter != TextCollation.noLetter else { return letters }
                value = try firstText(plan, .behind, .text(TextCollation.firstText(of: letter)))
            }
        }
        return letters
    }

    /// The first text of an order whose letter is at or after the given one.
    func firstText(
        _ plan: KeysetPlan,
        atLetter letter: String,
        _ direction: SortKey.Direction
    ) throws(ReadingError) -> CellValue? {
        switch direction {
        case .ascending:
            // Every value is at or after `#`.
            guard letter != TextCollation.noLetter else {
                return try firstText(plan, .isNotNull, .text(""))
            }
            let own = TextCollation.firstText(of: letter)
            if let exact = try firstText(plan, .equal, .text(own)) { return exact }
            return try firstText(plan, .behind, .text(own))
        case .descending:
            guard let next = TextCollation.letter(after: letter) else {
                return try firstText(plan, .isNotNull, .text(""))
            }
            return try firstText(plan, .behind, .text(TextCollation.firstText(of: next)))
        }
    }

    private func firstText(
        _ plan: KeysetPlan,
        _ bound: KeysetRange.Bound,
        _ value: CellValue
    ) throws(ReadingError) -> CellValue? {
        let range = KeysetRange([bound])
        return try values([value], of: [range], plan, .forwards, term: 0, limit: 1).first
    }
}
