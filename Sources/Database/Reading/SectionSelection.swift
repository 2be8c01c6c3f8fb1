import Listings

struct SectionSelection {
    private let query: ListQuery
    private let reading: TableQueries

    init(_ query: ListQuery, _ reading: TableQueries) {
        self.query = query
        self.reading = reading
    }

    /// Without duplicates, in the order of the list.
    ///
    /// Nil means all.
    ///
    /// - Throws: ``ReadingError/unknownSection(_:)`` when one of them has no rows.
    func keys(_ plan: KeysetPlan) throws(ReadingError) -> [CellValue]? {
        guard let sections = query.sections else { return nil }
        var keys: Set<CellValue> = []
        for section in sections {
            guard try isKnown(section, plan) else {
                throw .unknownSection(reading.schema.id(of: section, in: query.grouping))
            }
            if case .value(let key) = section { keys.insert(key) }
        }
        guard plan.grouping != nil else { return nil }
        return keys.sorted { reading.isBehind($1, $0, plan, .forwards) }
    }

    private func isKnown(_ section: SectionKey, _ plan: KeysetPlan) throws(ReadingError) -> Bool {
        do {
            switch (section, plan.grouping) {
            case (.whole, nil): return try reading.isSection(nil, plan)
            case (.value(let key), .some): return try reading.isSection(key, plan)
            default: return false
            }
        } catch .strangePosition {
            // A value that the column's type cannot represent is not a section.
            return false
        } catch {
            throw error
        }
    }
}
