import Listings

struct SectionPages {
    let reading: TableQueries

    struct Request {
        let plan: KeysetPlan
        let keys: [CellValue]?
        let limit: Int
        let rows: Int
        let start: ListQuery.Start
        var letterKey: SortKey?
        /// Whether requested sections may be empty because of conditions.
        var isNarrowed = false
        /// The limit for reading sections one by one if no index finds their rows.
        var trial: () throws(ReadingError) -> Duration = { .zero }
    }

    func peek(_ request: Request) throws(ReadingError) -> PagePlan {
        guard request.plan.grouping != nil else { return try peekAtWhole(request) }
        let found = try keys(request)
        var outline = try outline(found.keys, request)
        if found.hasPrevious, let first = found.keys.first {
            outline.previous = PagePlan.Location(section: .value(first), row: nil)
        }
        if found.hasNext, let last = found.keys.last {
            outline.next = PagePlan.Location(section: .value(last), row: nil)
        }
        if found.keys.isEmpty, request.start != .beginning,
            let last = try keys(request, behind: nil, .backwards, limit: 1).first
        {
            // An empty page after the last section links back to it.
            outline.previous = PagePlan.Location(section: .value(last), row: nil, side: .back)
        }
        return outline
    }

    private struct FoundKeys {
        let keys: [CellValue]
        let hasPrevious: Bool
        let hasNext: Bool
    }

    private func keys(_ request: Request) throws(ReadingError) -> FoundKeys {
        switch request.start {
        case .beginning: return try keys(request, behind: nil)
        case .letter(let letter): return try keys(request, atLetter: letter)
        case .offset(let count): return try keys(request, behind: nil, skipping: count)
        case .after(let cursor): return try keys(request, behind: value(of: cursor))
        case .before(let cursor):
            guard let key = value(of: cursor) else { return try keys(request, behind: nil) }
            let limit = request.limit
            var found: [CellValue] = []
            if cursor.side == .back, request.keys?.contains(key) ?? true,
                try reading.isSection(key, request.plan)
            {
                found.append(key)
            }
            let rest = limit + 1 - found.count
            found += try keys(request, behind: key, .backwards, limit: rest)
            guard found.count >= limit, let last = found.first else {
                return try keys(request, behind: nil)
            }
            let following = try keys(request, behind: last, .forwards, limit: 1)
            return FoundKeys(
                keys: found.prefix(limit).reversed(),
                hasPrevious: found.count > limit,
                hasNext: !following.isEmpty
            )
        case .end:
            let limit = request.limit
            let found = try keys(request, behind: nil, .backwards, limit: limit + 1)
            return FoundKeys(
                keys: found.prefix(limit).reversed(),
                hasPrevious: found.count > limit,
                hasNext: false
            )
        }
    }

    private func keys(
        _ request: Request,
        behind key: CellValue?,
        skipping skip: Int = 0
    ) throws(ReadingError) -> FoundKeys {
        let limit = request.limit
        let found = try keys(request, behind: key, .forwards, limit: skip + limit + 1)
            .dropFirst(skip)
        let shown = Array(found.prefix(limit))
        var hasPrevious = skip > 0
        if key != nil, let first = shown.first {
            hasPrevious = try !keys(request, behind: first, .backwards, limit: 1).isEmpty
        }
        return FoundKeys(keys: shown, hasPrevious: hasPrevious, hasNext: found.count > limit)
    }

    private func keys(
        _ request: Request,
        atLetter letter: String
    ) throws(ReadingError) -> FoundKeys {
        var first: CellValue?
        if let keys = request.keys {
            let order = IndexTitles(SortKey(.id))
            first = keys.first { !order.isBefore($0, letter: letter) }
        } else {
            first = try reading.firstText(request.plan, atLetter: letter, .ascending)
        }
        // The section of rows without a value comes after all letters.
        let last = try first == nil ? keys(request, behind: nil, .backwards, limit: 1).first : nil
        guard let start = first ?? last, first != nil || start.isNull else {
            return FoundKeys(keys: [], hasPrevious: false, hasNext: false)
        }
        let previous = try keys(request, behind: start, .backwards, limit: 1)
        return try keys(request, behind: previous.first)
    }

    private func keys(
        _ request: Request,
        behind key: CellValue?,
        _ direction: KeysetPlan.Direction,
        limit: Int
    ) throws(ReadingError) -> [CellValue] {
        if let keys = request.keys {
            var found: [CellValue] = []
            for other in direction == .forwards ? keys : keys.reversed() where found.count < limit {
                guard key.map({ reading.isBehind(other, $0, request.plan, direction) }) ?? true
                else {
                    continue
                }
                if request.isNarrowed, try !reading.isSection(other, request.plan) { continue }
                found.append(other)
            }
            return found
        }
        guard try request.plan.findsSections(on: reading.connection) else {
            return try reading.sectionKeys(behind: key, request.plan, direction, limit: limit)
        }
        return try reading.sectionKeysOneByOne(behind: key, request.plan, direction, limit: limit)
    }

    private func value(of cursor: Cursor) -> CellValue? {
        if case .value(let key) = cursor.section { key } else { nil }
    }

    private func outline(
        _ keys: [CellValue],
        _ request: Request
    ) throws(ReadingError) -> PagePlan {
        guard request.rows > 0, try !findsRows(keys, request) else {
            return try outlineOneByOne(keys, request)
        }
        let trial = try request.plan.accessPath.leavesOrder ? .zero : request.trial()
        guard trial > .zero else { return try outlineTogether(keys, request) }
        do {
            return try reading.connection.within(trial) { () throws(ReadingError) in
                try outlineOneByOne(keys, request)
            }
        } catch {
            let hasTime = reading.connection.deadline.map { $0 > .now } ?? true
            guard error.isOutOfTime, hasTime else { throw error }
            return try outlineTogether(keys, request)
        }
    }

    private func findsRows(
        _ keys: [CellValue],
        _ request: Request
    ) throws(ReadingError) -> Bool {
        guard keys.count > 1 else { return true }
        if try request.plan.byLetter(on: reading.connection) != nil { return true }
        guard !reading.connection.dialect.knowsSelectivity, !request.plan.accessPath.leavesOrder
        else {
            return false
        }
        return try request.plan.findsRows(on: reading.connection)
    }

    private func outlineOneByOne(
        _ keys: [CellValue],
        _ request: Request
    ) throws(ReadingError) -> PagePlan {
        var collector = RecordCollector(request.plan.layout)
        var sections: [PagePlan.Section] = []
        for key in keys {
            sections.append(try section(.value(key), [key], request, into: &collector))
        }
        return PagePlan(batch: collector.batch(), sections: sections)
    }

    private func outlineTogether(
        _ keys: [CellValue],
        _ request: Request
    ) throws(ReadingError) -> PagePlan {
        let plan = request.plan
        var collector = RecordCollector(plan.layout)
        var bound = plan.operands + keys.filter { !$0.isNull }.map { plan.bound($0, to: 0) }
        bound.append(.integer(Int64(request.rows + 1)))
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
            let location = found.lastIndex { isSame($0.key, key) }
            let records = location.map { found.remove(at: $0).records } ?? 0..<0
            sections.append(section(.value(key), records, request, collector))
        }
        return PagePlan(batch: collector.batch(), sections: sections)
    }

    private func isSame(_ key: CellValue, _ other: CellValue) -> Bool {
        !reading.keyOrder.isLess(key, than: other) && !reading.keyOrder.isLess(other, than: key)
    }

    private func peekAtWhole(_ request: Request) throws(ReadingError) -> PagePlan {
        var collector = RecordCollector(request.plan.layout)
        var sections: [PagePlan.Section] = []
        let exists = try reading.isSection(nil, request.plan)
        let isShown =
            switch request.start {
            case .beginning, .before, .end, .offset(0): exists
            case .letter(let letter): try hasRow(atLetter: letter, request)
            case .after, .offset: false
            }
        if isShown { sections.append(try section(.whole, [], request, into: &collector)) }
        var outline = PagePlan(batch: collector.batch(), sections: sections)
        if exists, !isShown {
            outline.previous = PagePlan.Location(section: .whole, row: nil, side: .back)
        }
        return outline
    }

    private func hasRow(
        atLetter letter: String,
        _ request: Request
    ) throws(ReadingError) -> Bool {
        guard let key = request.letterKey else { return false }
        if try reading.firstText(request.plan, atLetter: letter, key.direction) != nil {
            return true
        }
        guard key.nulls == .last else { return false }
        let range = KeysetRange([.isNull])
        return try reading.count([], of: range, request.plan, .forwards, atMost: 1) > 0
    }

    /// One additional row shows whether the section continues.
    private func section(
        _ key: SectionKey,
        _ values: [CellValue],
        _ request: Request,
        into collector: inout RecordCollector
    ) throws(ReadingError) -> PagePlan.Section {
        guard request.rows > 0 else {
            return PagePlan.Section(key: key, records: [], hasMore: true)
        }
        let first = collector.count
        var demand = TableQueries.Demand(limit: request.rows + 1)
        try reading.read(
            values,
            fixed: values.count,
            request.plan,
            .forwards,
            &demand,
            into: &collector
        )
        return section(key, first..<collector.count, request, collector)
    }

    private func section(
        _ key: SectionKey,
        _ found: Range<Int>,
        _ request: Request,
        _ collector: borrowing RecordCollector
    ) -> PagePlan.Section {
        var section = PagePlan.Section(key: key, records: Array(found.prefix(request.rows)))
        section.hasMore = found.count > request.rows
        section.last = section.records.last.map {
            collector.location(of: $0, in: request.plan.order)
        }
        return section
    }
}
