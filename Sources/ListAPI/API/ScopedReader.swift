import Database
import Listings
import Rendering

/// A reader of a list that reads rows only within the scope of a caller.
///
/// Nothing else in this target has the reader of a list, so that no path can forget the scope.
final class ScopedReader {
    private let reader: any ListReader

    init(_ reader: any ListReader, _ times: ReadingTimes) {
        self.reader = reader
        reader.limit(to: times)
    }

    func version() throws(SourceError) -> ListVersion { try reader.version() }

    /// Returns the version; nil where that could wait and the thread may not.
    func version(mayWait: Bool) throws(SourceError) -> ListVersion? {
        try mayWait ? reader.version() : reader.immediateVersion()
    }

    var isImmediate: Bool { reader.isImmediate }

    var isStale: Bool { reader.isStale }
    var abilities: ReaderAbilities { reader.abilities }
    var canBeFollowed: Bool { reader.canBeFollowed }
    var firstOwnSection: SectionID? { reader.firstOwnSection }
    /// Whether reading waits for other programs, so that only workers do it.
    var isBlocking: Bool { reader.waitsForPrograms }
    /// The state of the last refresh; nil if no remote service has the rows.
    var refreshState: RefreshState? { reader.refreshState }

    /// Returns the reason why a query cannot derive columns; nil if it can.
    ///
    /// The column is nil where the source derives none.
    func refusal(
        of columns: [DerivedColumn]
    ) -> (column: DerivedColumn?, reason: Problem.Fault.PathReason)? {
        do throws(TableSource.DerivationError) {
            return try TableSource.canDerive(columns, by: reader) ? nil : (nil, .memory)
        } catch {
            switch error {
            case .noJSON(let column): return (column, .noJSON)
            case .unreachable(let column): return (column, .unreachable)
            }
        }
    }

    /// Begins a request, which sees the current state of the list.
    func begin() { reader.begin() }

    func finishCounting(of query: ListQuery) { reader.finishCounting(of: query) }

    /// Performs an action on a row that the caller has read before.
    func perform(
        _ action: String,
        row id: String,
        for request: ActionRequest
    ) throws(ActionError) -> ActionOutcome {
        try reader.perform(action, row: id, for: request)
    }

    /// Moves a row that the caller has read before.
    func move(row id: String, to target: MoveTarget) throws(ActionError) {
        try reader.move(row: id, to: target)
    }

    func refresh() { reader.refresh() }
}

extension ScopedReader {
    /// The query of the page has no conditions of the scope, which the parts around rows would show.
    ///
    /// - Throws: ``SourceError``, also for a section without rows in the scope.
    func read(_ query: ScopedQuery, into page: inout Page) throws(SourceError) {
        let grouping = page.schema.defaultGrouping
        guard !query.scope.isEveryRow else {
            return try reader.readChildren(query.query, grouping: grouping, into: &page)
        }
        try requireSections(of: query, using: &page)
        try reader.readChildren(query.complete, grouping: grouping, into: &page)
        page.query = query.query
    }

    /// Refuses sections without rows in the scope, which do not exist for the caller.
    private func requireSections(
        of query: ScopedQuery,
        using page: inout Page
    ) throws(SourceError) {
        guard !query.scope.isEveryRow else { return }
        for key in query.sections ?? [] where key != .whole {
            var probe = ListQuery(grouping: query.grouping, shape: .flow(limit: 1))
            (probe.derived, probe.sections, probe.counting) = (query.derived, [key], .off)
            probe.filters = query.scope.conditions
            try reader.read(probe, into: &page)
            guard page.rowCount > 0 else {
                throw .unknownSection(page.schema.id(of: key, in: query.grouping).rawValue)
            }
        }
    }

    /// Reads a row; false if it is not in the scope.
    func readRow(
        _ id: String,
        in scope: RowScope,
        into page: inout Page
    ) throws(SourceError) -> Bool {
        let grouping = page.schema.defaultGrouping
        return try reader.findRow(id, grouping: grouping, into: &page) && page.showsRow(of: scope)
    }

    /// Reads a row with the bytes of its cell in a column; the bytes are nil for an empty cell.
    ///
    /// - Returns: Whether the row is in the scope.
    func readRow(
        _ id: String,
        bytesOf column: Int,
        _ bytes: inout [UInt8]?,
        in scope: RowScope,
        into page: inout Page
    ) throws(SourceError) -> Bool {
        let isFound = try reader.readRow(
            id,
            bytesOf: column,
            grouping: page.schema.defaultGrouping,
            into: &page,
            &bytes
        )
        // The children of rows are found from the root.
        guard isFound else { return try readRow(id, in: scope, into: &page) }
        return page.showsRow(of: scope)
    }

    /// Throws ``SourceError/unknownRow(_:)`` if no row of the query has the id.
    func start(
        around id: String,
        of query: ScopedQuery,
        using page: inout Page
    ) throws(SourceError) -> ListQuery.Start {
        try requireSections(of: query, using: &page)
        return try reader.start(around: id, of: query.complete, using: &page)
    }
}

extension Page {
    /// Returns the id of the only row, or its value in a column.
    func shownValue(_ field: SortKey.Field) -> CellValue {
        switch field {
        case .id: .text(id(ofRow: 0))
        case .column(let column): value(row: 0, column: column)
        }
    }

    /// Whether the only row is in a scope.
    fileprivate func showsRow(of scope: RowScope) -> Bool {
        scope.isEveryRow || scope.contains(in: schema) { shownValue($0) }
    }
}
