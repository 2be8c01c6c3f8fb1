import Listings

/// Reads the sections of first letters by an index of the texts.
///
/// An index in the order of bytes has the texts of a letter in a few blocks: those with the
/// capital, those with the small letter, and some of those that do not begin with ASCII.
extension KeysetPlan {
    private struct Block {
        var lower: String?
        var upper: String?

        static let others = Block(lower: "\u{7F}")

        static func all(of letter: String) -> [Block] {
            // A letter of a client can be any text.
            let letter = TextCollation.initial(of: letter).unicodeScalars.first ?? "#"
            guard letter != "#" else {
                return [Block(upper: "A"), Block(lower: "[", upper: "a")]
                    + [Block(lower: "{", upper: others.lower), others]
            }
            guard letter.isASCII else { return [others] }
            return [letter.value, letter.value | 0x20].map { value in
                Block(
                    lower: Unicode.Scalar(value).map(String.init),
                    upper: Unicode.Scalar(value + 1).map(String.init)
                )
            } + [others]
        }

        func condition(on text: String) -> String {
            let bounds = [
                lower.map { "\(text) >= '\($0)'" }, upper.map { "\(text) < '\($0)'" },
            ]
            return bounds.compactMap { $0 }.joined(separator: " AND ")
        }
    }

    /// Nil if sections are no letters, or their index is better.
    func byLetter(on connection: any EngineConnection) throws(ReadingError) -> KeysetPlan? {
        guard let grouping, grouping.part == .initial, !accessPath.leavesOrder, !passesSections,
            order.first?.field == .column(grouping.column),
            terms(.forwards)[1].comparand.comparesBytes
        else { return nil }
        let plan = passing ?? makePassing()
        (passing, plan.operands) = (plan, operands)
        if let readsByLetter { return readsByLetter ? plan : nil }
        let texts = KeysetRange([.equal, .behind])
        let other = try plan.explain(.records, of: texts, .forwards, on: connection)
        var reads = other.sorting != .everything
        if reads { reads = try !findsSections(on: connection) }
        if reads, !dialect.knowsSelectivity {
            // The bytes of UTF-16 have another order, in which letters have no blocks.
            reads = try connection.prepareReading("SELECT 'A' < '\u{101}'").count([]) == 1
        }
        readsByLetter = reads
        return reads ? plan : nil
    }

    var otherTexts: String { Block.others.condition(on: terms(.forwards)[1].expression) }

    func ranges(
        ofLetter values: [CellValue],
        fixed: Int,
        _ direction: Direction,
        _ beginning: Beginning
    ) -> [KeysetRange] {
        guard case .text(let letter) = values[0] else {
            let values = values.count == 1 ? [.null, .null] : values
            return ranges(values, fixed: max(fixed, 2), direction, beginning)
        }
        let text = terms(direction)[1]
        let isAscending = text.direction == .ascending
        let blocks = Block.all(of: letter)
        return ranges(values, fixed: fixed, direction, beginning).flatMap { range in
            // A row with a letter has a text.
            if range.bounds.dropFirst().first == .isNull { return [KeysetRange]() }
            guard range.openTerm == 1 else { return [range] }
            let isBounded = range.boundTerms.count > 1
            return (isAscending ? blocks : blocks.reversed()).compactMap { block in
                let condition = block.condition(on: text.expression)
                guard isBounded else { return KeysetRange([.equal]).within(condition) }
                let isBefore = block.lower.map { values[1].isLess(than: $0) } ?? false
                let isPassed = block.upper.map { !values[1].isLess(than: $0) } ?? false
                if isAscending ? isPassed : isBefore { return nil }
                let isWhole = isAscending ? isBefore : isPassed
                return (isWhole ? KeysetRange([.equal]) : range).within(condition)
            }
        }
    }
}

extension CellValue {
    fileprivate func isLess(than text: String) -> Bool {
        // Bytes that are no text sort after all texts.
        guard case .text(let own) = self else { return false }
        let bytes = EncodedKey.read(own) ?? Array(own.utf8)
        return bytes.lexicographicallyPrecedes(text.utf8)
    }
}
