import Listings
import Rendering

/// A list as one event loop serves it: its definition, a reader and a page of its own.
final class ListEndpoint {
    let definition: ListDefinition
    let reader: any ListReader
    /// Names how the list is shown when nothing is asked for: addresses leave that out, so entity
    /// tags must not.
    let fingerprint: String
    /// Filled anew by every request.
    var page: Page
    /// A number that names the list as it is defined, in every process that defines it so.
    let mark: UInt32
    /// The generation of lists in which it was defined.
    var number = 0
    /// Whether another definition has taken its place.
    var isRetired = false {
        didSet { for segment in others.values { segment.isRetired = isRetired } }
    }
    let rowLayouts = RowLayoutCache()
    /// Finds what changed on pages.
    var differ = ListDiffer()
    /// The id of the segment that it is; nil for the one shown when none is asked for, and for a
    /// list without segments.
    let segment: String?
    /// What who asks at the moment may do with it.
    var view = ListView()
    /// Where what is counted of its requests stands in ``ServiceMeasures/lists``; nil for a segment,
    /// which is counted with its list.
    var measures: Int?
    /// The endpoints of the list's further segments, by their ids.
    private let others: [String: ListEndpoint]
    /// Writes its rows; nil where nobody may or can.
    let writer: (any ListWriter)?
    /// What signs its cursors.
    let cursorKeys: CursorKeys
    private let refusesFailedRows: Bool
    /// The groupings offered to people.
    let groupings: [Grouping]

    /// Opens the list for one loop.
    convenience init(
        _ definition: ListDefinition,
        _ options: ServiceOptions = ServiceOptions()
    ) throws(SourceError) {
        var others: [String: ListEndpoint] = [:]
        for segment in definition.segments?.all.dropFirst() ?? [] {
            let list = ListDefinition(
                definition.name,
                title: definition.title,
                source: segment.source
            )
            others[segment.id] = try ListEndpoint(list, segment: segment.id, [:], options)
        }
        try self.init(definition, segment: nil, others, options)
    }

    private init(
        _ definition: ListDefinition,
        segment: String?,
        _ others: [String: ListEndpoint],
        _ options: ServiceOptions
    ) throws(SourceError) {
        self.definition = definition
        self.segment = segment
        self.others = others
        refusesFailedRows = options.isStrict
        cursorKeys = options.cursorKeys
        let reader = try definition.source.makeReader()
        self.reader = reader
        actingReader = reader as? any ActingReader
        refreshableReader = reader as? any RefreshableReader
        cellReader = reader as? any CellReader
        turnReader = reader as? any TurnReader
        turnReader?.limit(to: options.readingTimes)
        let source = options.writing.isAllowed ? definition.source as? any WritableSource : nil
        writer = try source?.makeWriter()
        let schema = definition.source.schema
        fingerprint =
            "\(definition.title)\(schema.columns)\(String(describing: schema.defaultGrouping))"
            + "\(schema.defaultSort)\(schema.defaultLimit)"
        groupings = Self.groupings(of: schema)
        mark = Mark.of([definition.name, segment ?? "", fingerprint])
        page = Page(list: definition.name, schema: schema)
        let log = FailureLog()
        page.onFailure = { log.add($0) }
    }

    var schema: ListSchema { definition.source.schema }

    /// The reader, as far as something can be done with rows besides reading them.
    let actingReader: (any ActingReader)?

    /// The reader, as far as it can leave what takes long.
    private let turnReader: (any TurnReader)?

    /// Has the list, and each of its segments, be read in turns.
    func share(_ turn: ReadingTurn) {
        turnReader?.turn = turn
        for segment in others.values { segment.share(turn) }
    }

    /// Reads in a turn of its own.
    ///
    /// - Parameter body: Reads.
    /// - Returns: What it returns; nil where it takes longer, or waits for somebody.
    /// - Throws: What it throws.
    func inTurn<Value>(_ body: () throws(SourceError) -> Value) throws(SourceError) -> Value? {
        turnReader?.turn?.begin()
        defer { turnReader?.turn?.suspend() }
        do throws(SourceError) {
            return try body()
        } catch {
            if isLeft { return nil }
            throw error
        }
    }

    /// Whether the request was left because of the list.
    var isLeft: Bool { turnReader?.turn?.isOver ?? false }

    /// What was found out about the list and each of its segments besides rows.
    var findings: [String: any Sendable] {
        get {
            var findings = others.compactMapValues { $0.turnReader?.findings }
            findings[""] = turnReader?.findings
            return findings
        }
        set {
            if let own = newValue[""] { turnReader?.findings = own }
            for (id, segment) in others { segment.findings[""] = newValue[id] }
        }
    }

    /// The reader, as far as its rows are somebody else's who can be asked for them again.
    let refreshableReader: (any RefreshableReader)?

    /// The reader, as far as it can read the bytes of cells.
    let cellReader: (any CellReader)?

    /// The endpoint of a segment; nil when the list has none of that id.
    func endpoint(ofSegment id: String) -> ListEndpoint? {
        id == definition.segments?.first.id ? self : others[id]
    }

    /// Fills its page with the answer to a question.
    func read(_ query: ListQuery) throws(SourceError) { try read(query, into: &page) }

    /// Fills its page, which is lent for as long, with the answer to a question.
    func read(_ query: ListQuery, into page: inout Page) throws(SourceError) {
        guard query.scope.isEmpty else { return try readScoped(query, into: &page) }
        try reader.readChildren(query, grouping: page.schema.defaultGrouping, into: &page)
        try checkRows(of: page)
    }

    /// Fills the page from the rows that there are for who asks.
    private func readScoped(_ query: ListQuery, into page: inout Page) throws(SourceError) {
        // A section without such a row is none.
        for key in query.sections ?? [] where key != .whole {
            var probe = ListQuery(grouping: query.grouping, shape: .flow(limit: 1))
            probe.sections = [key]
            probe.filters = query.scope
            probe.counting = .off
            try reader.read(probe, into: &page)
            guard page.rowCount > 0 else {
                throw .unknownSection(schema.id(of: key, in: query.grouping).rawValue)
            }
        }
        var scoped = query
        scoped.filters += query.scope
        try reader.read(scoped, into: &page)
        // What is shown around the rows tells nothing of the others.
        page.query = query
        try checkRows(of: page)
    }

    /// Whether there is a row with an id for who asks; the page has it then.
    func readRow(_ id: String) throws(SourceError) -> Bool {
        let grouping = schema.defaultGrouping
        guard try reader.findRow(id, grouping: grouping, into: &page) else { return false }
        return try showsRow()
    }

    /// Reads a row with the bytes of its cell in a column, which are nil where the cell holds none.
    ///
    /// - Returns: Whether there is such a row for the caller; the page has it then.
    func readRow(
        _ id: String,
        bytesOf column: Int,
        _ bytes: inout [UInt8]?
    ) throws(SourceError) -> Bool {
        let isFound = try cellReader?.readRow(
            id,
            bytesOf: column,
            grouping: schema.defaultGrouping,
            into: &page,
            &bytes
        )
        // A row below another one is found from the top.
        guard isFound ?? false else { return try readRow(id) }
        return try showsRow()
    }

    /// Whether the row that the page has is one for the caller.
    private func showsRow() throws(SourceError) -> Bool {
        guard
            view.conditions.isEmpty
                || view.conditions.areMet(in: schema, by: { shownValue($0) })
        else { return false }
        try checkRows(of: page)
        return true
    }

    /// The id of the row that the page has, or its value under a column.
    func shownValue(_ field: SortKey.Field) -> CellValue {
        switch field {
        case .id: .text(page.id(ofRow: 0))
        case .column(let column): page.value(row: 0, column: column)
        }
    }

    private func checkRows(of page: borrowing Page) throws(SourceError) {
        guard refusesFailedRows, let failure = page.failures.min(by: { $0.key < $1.key }) else {
            return
        }
        throw .failedRow(page.id(ofRow: failure.key), code: failure.value)
    }

    /// What can be done with the first row of the page.
    var actions: [RowAction] { page.rowCount > 0 ? page.actions(ofRow: 0) : [] }

    /// An action of a row; nil when there is no such row, or it does not offer the action.
    func action(_ name: String, ofRow id: String) throws(SourceError) -> RowAction? {
        try readRow(id) ? actions.first { $0.name == name } : nil
    }

    /// Those of a schema: the values of each column that makes sections, but the
    /// initials of the first column that rows are sorted by.
    private static func groupings(of schema: ListSchema) -> [Grouping] {
        let sorted = schema.defaultSort.compactMap { key -> Int? in
            guard case .column(let column) = key.field else { return nil }
            return column
        }
        var groupings = schema.columns.indices
            .filter { schema.columns[$0].isGroupable && !sorted.contains($0) }
            .map { Grouping(column: $0) }
        if let first = sorted.first, schema.columns[first].isGroupable,
            schema.columns[first].type.isText
        {
            groupings.append(Grouping(column: first, part: .initial))
        }
        return groupings
    }

    /// The rows of the list; nil when counting takes too long.
    func total() throws(SourceError) -> Count? {
        var query = ListQuery(shape: .flow(limit: 1))
        query.filters = view.conditions
        try reader.read(query, into: &page)
        return page.total
    }
}
