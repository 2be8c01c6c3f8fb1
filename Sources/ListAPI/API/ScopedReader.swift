import Database
package import Listings
import Rendering

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
    var isBlocking: Bool { reader.waitsForPrograms }
    var refreshState: RefreshState? { reader.refreshState }

    /// The column of the reason is nil where the source derives none.
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

    func readRow(
        _ id: String,
        in scope: RowScope,
        into page: inout Page
    ) throws(SourceError) -> Bool {
        let grouping = page.schema.defaultGrouping
        return try reader.findRow(id, grouping: grouping, into: &page) && page.showsRow(of: scope)
    }

    /// The bytes are nil for an empty cell; the result is false for a row outside of the scope.
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
    func shownValue(_ field: SortKey.Field) -> CellValue {
        switch field {
        case .id: .text(id(ofRow: 0))
        case .column(let column): value(row: 0, column: column)
        }
    }

    fileprivate func showsRow(of scope: RowScope) -> Bool {
        scope.isEveryRow || scope.contains(in: schema) { shownValue($0) }
    }
}

@dynamicMemberLookup
package struct ScopedQuery: Hashable, Sendable {
    /// The query as the caller sent it.
    package var query: ListQuery
    package let scope: RowScope

    package init(_ query: ListQuery, in scope: RowScope) {
        self.query = query
        self.scope = scope
    }

    package var complete: ListQuery {
        guard !scope.isEveryRow else { return query }
        var complete = query
        complete.filters += scope.conditions
        return complete
    }

    package subscript<Value>(dynamicMember path: WritableKeyPath<ListQuery, Value>) -> Value {
        get { query[keyPath: path] }
        set { query[keyPath: path] = newValue }
    }

    package subscript<Value>(dynamicMember path: KeyPath<ListQuery, Value>) -> Value {
        query[keyPath: path]
    }
}
