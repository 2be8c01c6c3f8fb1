import Listings

/// Reads pages of sections with their first rows.
struct SectionPages {
    let reading: TableQueries

    /// A query for a page of sections.
    struct Request {
        let plan: KeysetPlan
        /// The keys of the requested sections in order, or nil for all.
        let keys: [CellValue]?
        /// The maximum number of sections on a page.
        let limit: Int
        /// The maximum number of rows of a section.
        let rows: Int
        let start: ListQuery.Start
        /// The sort key of the index letters, or nil if there are none.
        var letterKey: SortKey?
        /// Whether requested sections may be empty because of conditions.
        var isNarrowed = false
        /// The limit for reading sections one by one if no index finds their rows.
        var trial: () throws(ReadingError) -> Duration = { .zero }
    }

    /// Reads a page of sections with the first rows of each.
    func peek(_ question: Request) throws(ReadingError) -> PagePlan {
        guard question.plan.grouping != nil else { return try peekAtWhole(question) }
        let found = try keys(question)
        var outline = try outline(found.keys, question)
        if found.hasPrevious, let first = found.keys.first {
            outline.previous = PagePlan.Place(section: .value(first), row: nil)
        }
        if found.hasNext, let last = found.keys.last {
            outline.next = PagePlan.Place(section: .value(last), row: nil)
        }
        if found.keys.isEmpty, question.start != .beginning,
            let last = try keys(question, behind: nil, .backwards, limit: 1).first
        {
            // An empty page after the last section links back to it.
            outline.previous = PagePlan.Place(section: .value(last), row: nil, side: .back)
        }
        return outline
    }

    private struct FoundKeys {
        let keys: [CellValue]
        let hasPrevious: Bool
        let hasNext: Bool
    }

    private func keys(_ question: Request) throws(ReadingError) -> FoundKeys {
        switch question.start {
        case .beginning: return try keys(question, behind: nil)
        case .letter(let letter): return try keys(question, atLetter: letter)
        case .offset(let count): return try keys(question, behind: nil, skipping: count)
        case .after(let cursor): return try keys(question, behind: value(of: cursor))
        case .before(let cursor):
            guard let key = value(of: cursor) else { return try keys(question, behind: nil) }
            let limit = question.limit
            var found: [CellValue] = []
            if cursor.side == .back, question.keys?.contains(key) ?? true,
                try reading.isSection(key, question.plan)
            {
                found.append(key)
            }
            let rest = limit + 1 - found.count
            found += try keys(question, behind: key, .backwards, limit: rest)
            guard found.count >= limit, let last = found.first else {
                return try keys(question, behind: nil)
            }
            let following = try keys(question, behind: last, .forwards, limit: 1)
            return FoundKeys(
                keys: found.prefix(limit).reversed(),
                hasPrevious: found.count > limit,
                hasNext: !following.isEmpty
            )
        }
    }

    private func keys(
        _ question: Request,
        behind key: CellValue?,
        skipping skip: Int = 0
    ) throws(ReadingError) -> FoundKeys {
        let limit = question.limit
        let found = try keys(question, behind: key, .forwards, limit: skip + limit + 1)
            .dropFirst(skip)
        let shown = Array(found.prefix(limit))
        var hasPrevious = skip > 0
        if key != nil, let first = shown.first {
            hasPrevious = try !keys(question, behind: first, .backwards, limit: 1).isEmpty
        }
        return FoundKeys(keys: shown, hasPrevious: hasPrevious, hasNext: found.count > limit)
    }

    /// The keys from the first one whose index letter is at or after the given one.
    private func keys(
        _ question: Request,
        atLetter letter: String
    ) throws(ReadingError) -> FoundKeys {
        var first: CellValue?
        if let keys = question.keys {
            let order = IndexTitles(SortKey(.id))
            first = keys.first { !order.isBefore($0, letter: letter) }
        } else {
            first = try reading.firstText(question.plan, atLetter: letter, .ascending)
        }
        // The section of rows without a value comes after all letters.
        let last = try first == nil ? keys(question, behind: nil, .backwards, limit: 1).first : nil
        guard let start = first ?? last, first != nil || start.isNull else {
            return FoundKeys(keys: [], hasPrevious: false, hasNext: false)
        }
        let previous = try keys(question, behind: start, .backwards, limit: 1)
        return try keys(question, behind: previous.first)
    }

    /// The keys after the given one, among the requested keys or all keys.
    private func keys(
        _ question: Request,
        behind key: CellValue?,
        _ direction: KeysetPlan.Direction,
        limit: Int
    ) throws(ReadingError) -> [CellValue] {
        if let keys = question.keys {
            var found: [CellValue] = []
            for other in direction == .forwards ? keys : keys.reversed() where found.count < limit {
                guard key.map({ reading.isBehind(other, $0, question.plan, direction) }) ?? true
                else {
                    continue
                }
                if question.isNarrowed, try !reading.isSection(other, question.plan) { continue }
                found.append(other)
            }
            return found
        }
        guard try question.plan.findsSections(on: reading.connection) else {
            return try reading.sectionKeys(behind: key, question.plan, direction, limit: limit)
        }
        return try reading.sectionKeysOneByOne(behind: key, question.plan, direction, limit: limit)
    }

    private func value(of cursor: Cursor) -> CellValue? {
        if case .value(let key) = cursor.section { key } else { nil }
    }

    private func outline(
        _ keys: [CellValue],
        _ question: Request
    ) throws(ReadingError) -> PagePlan {
        guard question.rows > 0, try !findsRows(keys, question) else {
            return try outlineOneByOne(keys, question)
        }
        let trial = try question.plan.leadership.leavesOrder ? .zero : question.trial()
        guard trial > .zero else { return try outlineTogether(keys, question) }
        do {
            return try reading.connection.within(trial) { () throws(ReadingError) in
                try outlineOneByOne(keys, question)
            }
        } catch {
            let hasTime = reading.connection.deadline.map { $0 > .now } ?? true
            guard error.isOutOfTime, hasTime else { throw error }
            return try outlineTogether(keys, question)
        }
    }

    /// Whether an index finds the first rows of each section.
    private func findsRows(
        _ keys: [CellValue],
        _ question: Request
    ) throws(ReadingError) -> Bool {
        guard keys.count > 1 else { return true }
        if try question.plan.byLetter(on: reading.connection) != nil { return true }
        guard !reading.connection.dialect.knowsSelectivity, !question.plan.leadership.leavesOrder
        else {
            return false
        }
        return try question.plan.findsRows(on: reading.connection)
    }

    private func outlineOneByOne(
        _ keys: [CellValue],
        _ question: Request
    ) throws(ReadingError) -> PagePlan {
        var collector = RecordCollector(question.plan.layout)
        var sections: [PagePlan.Section] = []
        for key in keys {
            sections.append(try section(.value(key), [key], question, into: &collector))
        }
        return PagePlan(batch: collector.batch(), sections: sections)
    }

    /// Reads the first rows of all sections by one statement.
    private func outlineTogether(
        _ keys: [CellValue],
        _ question: Request
    ) throws(ReadingError) -> PagePlan {
        let plan = question.plan
        var collector = RecordCollector(plan.layout)
        var bound = plan.operands + keys.filter { !$0.isNull }.map { plan.bound($0, to: 0) }
        bound.append(.integer(Int64(question.rows + 1)))
        _ = try reading.statement(plan.firstRecords(of: keys)).collect(bound, into: &collector)
        var found: [(key: CellValue, records: Range<Int>)] = []
        for record in 0..<collector.count {
            guard case .value(let key) = collector.section(of: record) else { continue }
            if let last = found.last, isSame(last.key, key) {
                found[found.count - 1].records = last.records.lowerBound..<record + 1
            } else {
                found.append((key, record..<record + 1))
            }
        }
        found.reverse()
        var sections: [PagePlan.Section] = []
        for key in keys {
            let place = found.lastIndex { isSame($0.key, key) }
            let records = place.map { found.remove(at: $0).records } ?? 0..<0
            sections.append(section(.value(key), records, question, collector))
        }
        return PagePlan(batch: collector.batch(), sections: sections)
    }

    /// Whether the engine considers two section keys equal.
    private func isSame(_ key: CellValue, _ other: CellValue) -> Bool {
        !reading.keyOrder.isLess(key, than: other) && !reading.keyOrder.isLess(other, than: key)
    }

    /// The one section of a list without grouping.
    private func peekAtWhole(_ question: Request) throws(ReadingError) -> PagePlan {
        var collector = RecordCollector(question.plan.layout)
        var sections: [PagePlan.Section] = []
        let exists = try reading.isSection(nil, question.plan)
        let isShown =
            switch question.start {
            case .beginning, .before, .offset(0): exists
            case .letter(let letter): try hasRow(atLetter: letter, question)
            case .after, .offset: false
            }
        if isShown { sections.append(try section(.whole, [], question, into: &collector)) }
        var outline = PagePlan(batch: collector.batch(), sections: sections)
        if exists, !isShown {
            outline.previous = PagePlan.Place(section: .whole, row: nil, side: .back)
        }
        return outline
    }

    /// Whether a row has the given letter or a later one.
    private func hasRow(
        atLetter letter: String,
        _ question: Request
    ) throws(ReadingError) -> Bool {
        guard let key = question.letterKey else { return false }
        if try reading.firstText(question.plan, atLetter: letter, key.direction) != nil {
            return true
        }
        guard key.nulls == .last else { return false }
        let range = KeysetRange([.isNull])
        return try reading.count([], of: range, question.plan, .forwards, atMost: 1) > 0
    }

    /// Reads the first rows of a section.
    ///
    /// One additional row shows whether the section continues.
    private func section(
        _ key: SectionKey,
        _ values: [CellValue],
        _ question: Request,
        into collector: inout RecordCollector
    ) throws(ReadingError) -> PagePlan.Section {
        guard question.rows > 0 else {
            return PagePlan.Section(key: key, records: [], hasMore: true)
        }
        let first = collector.count
        var demand = TableQueries.Demand(limit: question.rows + 1)
        try reading.read(
            values,
            fixed: values.count,
            question.plan,
            .forwards,
            &demand,
            into: &collector
        )
        return section(key, first..<collector.count, question, collector)
    }

    /// A section of the first records, possibly with the one after them.
    private func section(
        _ key: SectionKey,
        _ found: Range<Int>,
        _ question: Request,
        _ collector: borrowing RecordCollector
    ) -> PagePlan.Section {
        var section = PagePlan.Section(key: key, records: Array(found.prefix(question.rows)))
        section.hasMore = found.count > question.rows
        section.last = section.records.last.map { collector.place(of: $0, in: question.plan.order) }
        return section
    }
}
