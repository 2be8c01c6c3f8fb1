import Listings

extension TableQueries {
    struct RowFlowRequest {
        let plan: KeysetPlan
        let keys: [CellValue]?
        let limit: Int
        let start: ListQuery.Start
        var letterKey: SortKey?
    }

    /// An empty page after the last row links back to it.
    func flow(_ request: RowFlowRequest) throws(ReadingError) -> PagePlan {
        var outline = try page(request)
        if outline.sections.isEmpty, request.start != .beginning {
            outline.previous = try end(request)
        }
        return outline
    }

    private func end(_ request: RowFlowRequest) throws(ReadingError) -> PagePlan.Location? {
        var collector = RecordCollector(request.plan.layout)
        var demand = Demand(limit: 1)
        try walk(request, nil, .backwards, &demand, into: &collector)
        guard collector.count > 0 else { return nil }
        var location = collector.location(of: 0, in: request.plan.order)
        location.side = .back
        return location
    }

    private func page(_ request: RowFlowRequest) throws(ReadingError) -> PagePlan {
        switch request.start {
        case .beginning:
            return try page(request, from: nil)
        case .after(let cursor): return try page(request, behind: cursor)
        case .letter(let letter): return try page(request, atLetter: letter)
        case .offset(let count):
            return try page(request, from: nil, skipping: count)
        case .before(let cursor):
            if let page = try page(request, endingBefore: cursor) { return page }
            // A page that begins before the list is replaced by the first page.
            return try page(request, from: nil)
        case .end:
            if let page = try page(request, endingBefore: nil) { return page }
            return try page(request, from: nil)
        }
    }

    private func page(
        _ request: RowFlowRequest,
        from position: [CellValue]?,
        skipping skip: Int = 0
    ) throws(ReadingError) -> PagePlan {
        var collector = RecordCollector(request.plan.layout)
        var demand = Demand(limit: request.limit + 1, skip: skip)
        try walk(request, position, .forwards, &demand, into: &collector)
        return try page(request, of: collector, isFirst: position == nil && skip == 0)
    }

    private func page(
        _ request: RowFlowRequest,
        behind cursor: Cursor
    ) throws(ReadingError) -> PagePlan {
        var collector = RecordCollector(request.plan.layout)
        let first = try read(request, from: cursor, .forwards, into: &collector)
        return try page(request, of: collector, first: first, isFirst: false)
    }

    /// The row at the position is read as well, because it is the neighbour of the page.
    ///
    /// Returns the number of rows at the position: one, or none if the row is gone.
    private func read(
        _ request: RowFlowRequest,
        from cursor: Cursor,
        _ direction: KeysetPlan.Direction,
        into collector: inout RecordCollector
    ) throws(ReadingError) -> Int {
        let position = try position(cursor, request.plan)
        var demand = Demand(limit: request.limit + 2, includesPosition: cursor.row != nil)
        try walk(request, position, direction, &demand, into: &collector)
        guard collector.count > 0, let row = cursor.row,
            collector.value(record: 0, cell: RecordBatch.idCell) == row.values.last
        else { return 0 }
        let location = collector.location(of: 0, in: request.plan.order)
        if location.section == cursor.section, location.row == row { return 1 }
        // The row was moved, or has a different value that the engine considers equal.
        collector = RecordCollector(request.plan.layout)
        demand = Demand(limit: request.limit + 1)
        try walk(request, position, direction, &demand, into: &collector)
        return 0
    }

    private func page(
        _ request: RowFlowRequest,
        atLetter letter: String
    ) throws(ReadingError) -> PagePlan {
        guard let key = request.letterKey else { return try page(request, from: nil) }
        var collector = RecordCollector(request.plan.layout)
        var demand = Demand(limit: request.limit + 1)
        let plan = request.plan
        if let keys = request.keys {
            let order = IndexTitles(key)
            let rest = keys.filter { !order.isBefore($0, letter: letter) }
            try walk(rest, plan, nil, .forwards, &demand, into: &collector)
        } else if let first = try firstText(plan, atLetter: letter, key.direction) {
            try read([first], fixed: 1, plan, .forwards, &demand, into: &collector)
            try read([first], fixed: 0, plan, .forwards, &demand, into: &collector)
        } else if key.nulls == .last {
            try read([.null], fixed: 1, plan, .forwards, &demand, into: &collector)
        }
        return try page(request, of: collector, isFirst: false)
    }

    private func page(
        _ request: RowFlowRequest,
        of collector: consuming RecordCollector,
        first: Int = 0,
        isFirst: Bool
    ) throws(ReadingError) -> PagePlan {
        let order = request.plan.order
        let hasNext = collector.count - first > request.limit
        try collector.checkNeighbours(
            of: first..<min(collector.count, first + request.limit),
            table
        )
        let records = Array(first..<min(collector.count, first + request.limit))
        var sections = collector.sections(of: records, order: order)
        var previous: PagePlan.Location?
        if !records.isEmpty, !isFirst {
            let location = collector.location(of: first, in: order)
            let neighbour =
                try first > 0
                ? collector.section(of: first - 1) : neighbour(of: location, request, .backwards)
            if let neighbour {
                previous = location
                sections[0].isContinued = neighbour == sections[0].key
            }
        }
        var next: PagePlan.Location?
        if hasNext, let last = records.last {
            next = collector.location(of: last, in: order)
            sections[sections.count - 1].hasMore = collector.isSameSection(last, last + 1)
        }
        return PagePlan(
            batch: collector.batch(),
            sections: sections,
            previous: previous,
            next: next
        )
    }

    /// Nil if there are too few rows for a complete page.
    ///
    /// Without a cursor, the page ends with the last row.
    private func page(
        _ request: RowFlowRequest,
        endingBefore cursor: Cursor?
    ) throws(ReadingError) -> PagePlan? {
        let order = request.plan.order
        var collector = RecordCollector(request.plan.layout)
        var last = 0
        if let cursor {
            switch cursor.side {
            case .front: last = try read(request, from: cursor, .backwards, into: &collector)
            case .back: try read(request, backFrom: cursor, into: &collector)
            }
        } else {
            var demand = Demand(limit: request.limit + 1)
            try walk(request, nil, .backwards, &demand, into: &collector)
        }
        let first = last + request.limit - 1
        guard collector.count > first else { return nil }

        let hasPrevious = collector.count > first + 1
        let records = Array((last...first).reversed())
        var sections = collector.sections(of: records, order: order)
        if hasPrevious {
            sections[0].isContinued = collector.isSameSection(first, first + 1)
        }
        let previous = hasPrevious ? collector.location(of: first, in: order) : nil
        var next: PagePlan.Location?
        let location = collector.location(of: last, in: order)
        let neighbour =
            try last > 0
            ? collector.section(of: last - 1) : neighbour(of: location, request, .forwards)
        if let neighbour {
            next = location
            sections[sections.count - 1].hasMore = neighbour == sections[sections.count - 1].key
        }
        return PagePlan(
            batch: collector.batch(),
            sections: sections,
            previous: previous,
            next: next
        )
    }

    /// Reads a page of rows that ends with the row at a position, and one more row.
    private func read(
        _ request: RowFlowRequest,
        backFrom cursor: Cursor,
        into collector: inout RecordCollector
    ) throws(ReadingError) {
        let position = try position(cursor, request.plan)
        var demand = Demand(limit: request.limit + 1)
        if request.keys?.contains(where: { $0 == position.first }) ?? true {
            let (plan, fixed) = (request.plan, position.count)
            try read(position, fixed: fixed, plan, .backwards, &demand, into: &collector)
        }
        try walk(request, position, .backwards, &demand, into: &collector)
    }

    private func neighbour(
        of location: PagePlan.Location,
        _ request: RowFlowRequest,
        _ direction: KeysetPlan.Direction
    ) throws(ReadingError) -> SectionKey? {
        var collector = RecordCollector(request.plan.layout)
        var demand = Demand(limit: 1)
        let position = request.plan.position(location.section, location.row?.values)
        try walk(request, position, direction, &demand, into: &collector)
        return collector.count == 0 ? nil : collector.section(of: 0)
    }

    private func walk(
        _ request: RowFlowRequest,
        _ position: [CellValue]?,
        _ direction: KeysetPlan.Direction,
        _ demand: inout Demand,
        into collector: inout RecordCollector
    ) throws(ReadingError) {
        let plan = request.plan
        if let keys = request.keys {
            try walk(keys, plan, position, direction, &demand, into: &collector)
        } else {
            try read(position ?? [], fixed: 0, plan, direction, &demand, into: &collector)
        }
    }

    private func walk(
        _ keys: [CellValue],
        _ plan: KeysetPlan,
        _ position: [CellValue]?,
        _ direction: KeysetPlan.Direction,
        _ demand: inout Demand,
        into collector: inout RecordCollector
    ) throws(ReadingError) {
        for key in direction == .forwards ? keys : keys.reversed() {
            guard demand.limit > 0 else { return }
            guard let position, let start = position.first else {
                try read([key], fixed: 1, plan, direction, &demand, into: &collector)
                continue
            }
            if key == start {
                // No rows of the section follow the end place of the section itself.
                guard position.count > 1 else { continue }
                try read(position, fixed: 1, plan, direction, &demand, into: &collector)
            } else if isBehind(key, start, plan, direction) {
                try read([key], fixed: 1, plan, direction, &demand, into: &collector)
            }
        }
    }

    func isBehind(
        _ key: CellValue,
        _ other: CellValue,
        _ plan: KeysetPlan,
        _ direction: KeysetPlan.Direction
    ) -> Bool {
        var (key, other) = direction == .forwards ? (key, other) : (other, key)
        // The engine compares keys of letters.
        if plan.grouping?.part == .initial {
            (key, other) = (plan.bound(key, to: 0), plan.bound(other, to: 0))
        }
        return keyOrder.isLess(other, than: key)
    }

    var keyOrder: KeyOrder { table.isStored ? .lists : connection.dialect.keyOrder }

    func position(
        _ cursor: Cursor,
        _ plan: KeysetPlan
    ) throws(ReadingError) -> [CellValue] {
        guard let position = plan.position(cursor.section, cursor.row?.values) else {
            throw .strangePosition
        }
        return position
    }
}

/// If nulls sort last but the engine sorts them first, no index has the order.
///
/// Without nulls, an index has it.
struct NullStatistics {
    private enum Fact: UInt8 {
        case unknown
        case untold
        case noNulls
        case someNulls
    }

    private var facts: [Fact] = []
    private var version: ListVersion?

    init() {}

    mutating func begin(_ version: ListVersion, columnCount: Int) {
        guard version != self.version else { return }
        self.version = version
        if facts.isEmpty { facts = Array(repeating: .unknown, count: columnCount) }
        for column in facts.indices where facts[column] != .untold { facts[column] = .unknown }
    }

    /// If `find` throws, the next call tries again.
    mutating func learn(
        _ column: Int,
        find: () throws(ReadingError) -> Bool?
    ) throws(ReadingError) {
        guard facts[column] == .unknown else { return }
        facts[column] =
            switch try find() {
            case true?: .someNulls
            case false?: .noNulls
            case nil: .untold
            }
    }

    func isFilled(_ column: Int) -> Bool { !facts.isEmpty && facts[column] == .noNulls }
}

/// A subset of the first steps of a query's order, with the column of each.
struct FilledSteps: Hashable {
    private var bits: UInt64 = 0

    /// The set is empty if the query starts at a row with a null, which existed before.
    init(_ query: ListQuery, _ facts: NullStatistics) {
        guard !query.start.namesNull else { return }
        query.forEachColumn { step, column in
            if step < UInt64.bitWidth, facts.isFilled(column) { bits |= 1 << UInt64(step) }
        }
    }

    /// Marks the columns of these steps as containing no nulls.
    func applied(to table: TableDescription, _ query: ListQuery) -> TableDescription {
        guard bits != 0 else { return table }
        var table = table
        query.forEachColumn { step, column in
            if step < UInt64.bitWidth, bits & (1 << UInt64(step)) != 0 { table.fill(column) }
        }
        return table
    }
}

extension TableQueries {
    /// Only tables that Roster made are examined, because their versions reveal every change.
    func learnNulls(of query: ListQuery, _ version: ListVersion) throws(ReadingError) {
        guard table.isStored, !connection.dialect.knowsSelectivity else { return }
        nullFacts.begin(version, columnCount: table.columns.count)
        try query.forEachColumn { (_, column) throws(ReadingError) in
            guard table.columns[column].isNullable, !table.columns[column].isDerived else { return }
            try nullFacts.learn(column) { () throws(ReadingError) in try findNulls(column) }
        }
    }

    private func findNulls(_ column: Int) throws(ReadingError) -> Bool? {
        let value = TableSQL(table, schema: schema, dialect: connection.dialect)
            .comparand(forColumn: column).expression
        let rows = "SELECT 1 FROM \(table.quotedName) WHERE \(value) IS NULL LIMIT 1"
        guard try connection.explain(rows).finds else { return nil }
        return try statement("SELECT count(*) FROM (\(rows))").count([]) > 0
    }
}

extension ListQuery {
    /// A column grouped by initials is omitted, because its initial can be null when its value is
    /// not.
    func forEachColumn<E: Error>(
        _ body: (_ step: Int, _ column: Int) throws(E) -> Void
    ) throws(E) {
        if let grouping, grouping.part == .value { try body(0, grouping.column) }
        for (number, key) in sort.enumerated() {
            guard case .column(let column) = key.field,
                grouping?.part != .initial || grouping?.column != column
            else { continue }
            try body(number + 1, column)
        }
    }
}

extension ListQuery.Start {
    fileprivate var namesNull: Bool {
        guard let cursor else { return false }
        return cursor.section == .value(.null) || cursor.row?.values.contains(.null) ?? false
    }
}
