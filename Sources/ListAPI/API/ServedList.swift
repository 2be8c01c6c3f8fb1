import Database
import ListDiff
package import Listings
import Rendering

package final class ServedList {
    let definition: ListDefinition
    package let schema: ListSchema
    let reader: ScopedReader
    /// The defaults of the list's view; entity tags include them, because addresses omit them.
    let fingerprint: String
    /// The page buffer, which every request refills.
    var page: Page
    /// A number that identifies the definition of the list, the same in every process.
    let mark: UInt32
    let pool: ListPool?
    weak var owner: OpenLists? {
        didSet { for list in others.values { list.owner = owner } }
    }
    var isRelated = false
    var isRetired: Bool { pool?.isRetired ?? false }
    let rowLayouts = RowLayoutCache()
    var suggested = SuggestedFacets()
    var differ = ListDiffer()
    /// The id of its segment; nil for the default segment and for a list without segments.
    let segment: String?
    var view = ListView()
    private let others: [String: ServedList]
    let writer: (any ListWriter)?
    let cursorKeys: CursorKeys
    private let refusesFailedRows: Bool
    /// Whether rows change without a new version.
    private let isVolatile: Bool
    let groupings: [Grouping]
    let imageHosts: ImageHosts

    convenience init(
        _ definition: ListDefinition,
        _ options: ServiceOptions,
        of pool: ListPool?
    ) throws(SourceError) {
        var others: [String: ServedList] = [:]
        for segment in definition.segments?.all.dropFirst() ?? [] {
            let list = ListDefinition(
                definition.name,
                title: definition.title,
                source: segment.source
            )
            others[segment.id] = try ServedList(list, segment: segment.id, [:], options, pool)
        }
        try self.init(definition, segment: nil, others, options, pool)
    }

    /// Whether a version names no state of the rows, so that pages have no entity tags.
    func isUnnamed(_ version: ListVersion) -> Bool {
        !version.isLasting && isVolatile
    }

    private init(
        _ definition: ListDefinition,
        segment: String?,
        _ others: [String: ServedList],
        _ options: ServiceOptions,
        _ pool: ListPool?
    ) throws(SourceError) {
        self.definition = definition
        self.pool = pool
        self.segment = segment
        self.others = others
        (refusesFailedRows, cursorKeys) = (options.isStrict, options.cursorKeys)
        requiresCondition = options.writing.requiresCondition
        reader = ScopedReader(try definition.source.makeReader(), options.readingTimes)
        isVolatile = (definition.source as? TableSource)?.isVolatile ?? false
        let mayWrite = options.writing.isAllowed || definition.source.decidesWrites
        writer = mayWrite ? try definition.source.makeWriter() : nil
        let schema = definition.source.schema.presented(
            labels: options.relations.labels[definition.name],
            keys: options.relations.keys(of: definition)
        )
        self.schema = schema
        fingerprint =
            "\(definition.title)\(schema.columns)\(String(describing: schema.defaultGrouping))"
            + "\(schema.defaultSort)\(schema.defaultLimit)\(schema.basis)"
            + (schema.defaultColumns.map { "\($0)" } ?? "") + "\(schema.displayOrder)"
        groupings = schema.groupings
        imageHosts =
            schema.columns.contains { $0.format == .image || $0.format == .avatar }
            ? options.imageHosts : .empty
        mark = FNV1a.of([definition.name, segment ?? "", fingerprint])
        page = Page(list: definition.name, schema: schema)
        let log = FailureLog()
        page.onFailure = { log.add($0) }
    }

    private let requiresCondition: Bool

    /// A caller who sees only some rows writes them one by one.
    var writesMany: Bool {
        guard let operations = writer?.rules.operations, operations.contains(.bulk) else {
            return false
        }
        return view.mayWrite && view.scope.isEveryRow && !requiresCondition
    }

    var isImportable: Bool { writesMany && writer?.abilities.stream != nil }

    func begin() {
        reader.begin()
        for segment in others.values { segment.begin() }
    }

    var isImmediate: Bool {
        !isRelated && reader.isImmediate && others.values.allSatisfy(\.isImmediate)
    }

    var origin: ListOrigin? {
        guard let owner else { return nil }
        return ListOrigin(
            service: owner.service,
            store: owner.store,
            list: definition.name,
            segment: segment,
            isBlocking: reader.isBlocking
        )
    }

    func endpoint(ofSegmentOrNil id: String?) -> ServedList? {
        id.map { endpoint(ofSegment: $0) } ?? self
    }

    func endpoint(ofSegment id: String) -> ServedList? {
        id == definition.segments?.first.id ? self : others[id]
    }

    package func fitsSheets(_ query: ScopedQuery) throws(SourceError) -> Bool {
        guard schema.isGrouped(query.query), query.parent == nil else { return false }
        var sections = query
        sections.shape = .peek(limit: XLSXRowRenderer.maximumSections + 1, rows: 0)
        sections.start = .beginning
        sections.counting = .off
        try read(sections)
        return page.sections.count <= XLSXRowRenderer.maximumSections
    }

    func read(_ query: ScopedQuery) throws(SourceError) { try read(query, into: &page) }

    func read(_ query: ScopedQuery, into page: inout Page) throws(SourceError) {
        page.hasSafeActionsOnly = query.isReadOnly
        var own = query.related.isEmpty ? query : try resolved(query)
        try completeStart(of: &own, using: &page)
        try reader.read(own, into: &page)
        try checkRows(of: page)
        // Links have the conditions as they were sent.
        if !query.related.isEmpty { page.query = query.query }
        try label(&page, query.lookups)
    }

    func start(around id: String, of query: ScopedQuery) throws(SourceError) -> ListQuery.Start {
        try reader.start(around: id, of: try resolved(query), using: &page)
    }

    /// The page after the last row leads back to the position of that row, here the only one.
    ///
    /// Throws ``SourceError/expiredCursor`` if the row is gone or has moved.
    private func completeStart(
        of query: inout ScopedQuery,
        using page: inout Page
    ) throws(SourceError) {
        guard let cursor = query.start.cursor, cursor.isReference else { return }
        guard let id = cursor.row?.values.last else { throw .invalidCursor }
        var row = query
        row.filters = [Filter(id: .equal, [id.plainText])]
        (row.search, row.sections, row.counting) = (nil, nil, .off)
        (row.facets, row.aggregates, row.statistics, row.wantsLetters) = ([], [], nil, false)
        (row.shape, row.start) = (.flow(limit: 1), .offset(1))
        try reader.read(row, into: &page)
        guard let whole = page.previous.flatMap(cursor.completed) else { throw .expiredCursor }
        query.start = query.start == .after(cursor) ? .after(whole) : .before(whole)
    }

    func readRow(_ id: String) throws(SourceError) -> Bool {
        page.hasSafeActionsOnly = !view.mayWrite
        guard try reader.readRow(id, in: view.scope, into: &page) else { return false }
        try checkRows(of: page)
        return true
    }

    /// The bytes are nil for an empty cell; the page has a row that exists for the caller.
    func readRow(
        _ id: String,
        bytesOf column: Int,
        _ bytes: inout [UInt8]?
    ) throws(SourceError) -> Bool {
        page.hasSafeActionsOnly = !view.mayWrite
        guard try reader.readRow(id, bytesOf: column, &bytes, in: view.scope, into: &page) else {
            return false
        }
        try checkRows(of: page)
        return true
    }

    private func checkRows(of page: borrowing Page) throws(SourceError) {
        guard refusesFailedRows, let failure = page.failures.min(by: { $0.key < $1.key }) else {
            return
        }
        throw .failedRow(page.id(ofRow: failure.key), code: failure.value)
    }

    var actions: [RowAction] { page.rowCount > 0 ? page.actions(ofRow: 0) : [] }

    /// Performs an action on a row that the caller has read before, which is on the page.
    func perform(
        _ action: String,
        row id: String,
        for request: ActionRequest
    ) throws(ActionError) -> ActionOutcome {
        guard let recorder = ChangeRecorder.current else {
            return try reader.perform(action, row: id, for: request)
        }
        let name = definition.name
        let old = page.rowCount > 0 ? page.json(ofRow: 0) : nil
        do {
            let intended = RecordedChange(of: name, row: id, "action \(action)", from: old)
            return try recorder.record(intended) {
                let outcome = try reader.perform(action, row: id, for: request)
                if case .refused = outcome { return (outcome, nil) }
                reader.begin()
                let new = (try? readRow(id)) == true ? page.json(ofRow: 0) : nil
                let change = RecordedChange(
                    of: name,
                    row: id,
                    intended.change,
                    from: old,
                    to: new
                )
                return (outcome, change)
            }
        } catch {
            throw error as? ActionError ?? .failed(reason: "\(error)")
        }
    }

    /// Returns an action of a row; nil when the row is missing or does not offer the action.
    func action(_ name: String, ofRow id: String) throws(SourceError) -> RowAction? {
        try readRow(id) ? actions.first { $0.name == name } : nil
    }

    /// Nil when counting takes too long.
    func total() throws(SourceError) -> Count? {
        try reader.read(ScopedQuery(ListQuery(shape: .flow(limit: 1)), in: view.scope), into: &page)
        return page.total
    }
}

extension ListSchema {
    /// The first column of the default sort is grouped by its initials, if it is text.
    fileprivate var groupings: [Grouping] {
        let sorted = defaultSort.compactMap { key -> Int? in
            guard case .column(let column) = key.field else { return nil }
            return column
        }
        var groupings = columns.indices
            .filter { columns[$0].isGroupable && !sorted.contains($0) }
            .map { Grouping(column: $0) }
        if let first = sorted.first, columns[first].isGroupable, columns[first].type.isText {
            groupings.append(Grouping(column: first, part: .initial))
        }
        return groupings
    }
}
