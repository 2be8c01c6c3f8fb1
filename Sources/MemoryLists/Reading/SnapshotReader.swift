import Listings
import Locks

final class SnapshotReader: ListReader {
    /// The maximum number of models that an event loop sorts or searches: for a few milliseconds.
    private static let maximumImmediateModels = 4_096

    let schema: ListSchema
    let dataSource: DataSource?
    let state: @Sendable () -> (snapshot: Snapshot, version: ListVersion)
    private let currentVersion: @Sendable () -> ListVersion
    private var timeLimit: Duration
    private let idsDiffer: Bool
    private let known: SortCache
    /// Nil to fill a page.
    var wanted: WantedRow?

    /// `dataSource` is nil for a read-only list.
    ///
    /// All readers of the list share the orders in `known`. If `idsDiffer` is false, the snapshot
    /// says whether ids are unique; otherwise the ids of every page are compared. `version` is
    /// called more often than `state`.
    init(
        schema: ListSchema,
        changing dataSource: DataSource? = nil,
        sharing known: SortCache,
        timeLimit: Duration = .seconds(10),
        idsDiffer: Bool = false,
        version: @escaping @Sendable () -> ListVersion,
        state: @escaping @Sendable () -> (snapshot: Snapshot, version: ListVersion)
    ) {
        self.schema = schema
        self.dataSource = dataSource
        self.known = known
        self.timeLimit = timeLimit
        self.idsDiffer = idsDiffer
        currentVersion = version
        self.state = state
    }

    var abilities: ReaderAbilities {
        let features = state().snapshot.sections.tally.features
        var abilities: ReaderAbilities = [.collapsing, .finding]
        if features.contains(.children) { abilities.insert(.children) }
        if features.contains(.actions) { abilities.insert(.actions) }
        if dataSource?.hasMoves ?? false { abilities.insert(.moves) }
        return abilities
    }

    var firstOwnSection: SectionID? {
        guard schema.arrangement == .own, schema.defaultGrouping == nil else { return nil }
        let sections = state().snapshot.sections
        guard let info = sections.first?.info else { return nil }
        return sections.tally.elements > 1 || info.header != nil ? info.id : nil
    }

    func limit(to times: ReadingTimes) { timeLimit = times.rows ?? timeLimit }

    func version() throws(SourceError) -> ListVersion { currentVersion() }

    func immediateVersion() throws(SourceError) -> ListVersion? { currentVersion() }

    var isImmediate: Bool {
        state().snapshot.sections.tally.models <= Self.maximumImmediateModels
    }

    func read(_ query: ListQuery, into page: inout Page) throws(SourceError) {
        let (snapshot, version) = state()
        page.begin(query, version: version)
        if schema.usesOwnOrder(query) {
            let sections = try snapshot.collapsing(
                query.collapsed,
                in: snapshot.sections(query.sections)
            )
            let rows = SnapshotRows(
                sections,
                epoch: version.epoch,
                isMerged: query.mergesSections,
                includesCollapsed: query.selectsRows
            )
            guard query.selectsRows else { return try cut(&page, rows) }
            try fill(&page, query, rows, of: sections)
        } else {
            let rows = try sortedRows(query, snapshot, version)
            guard query.selects(of: rows) else { return try cut(&page, rows) }
            try fill(&page, query, rows, of: snapshot.sections)
        }
    }

    func readRow(
        _ id: String,
        grouping: Grouping?,
        into page: inout Page
    ) throws(SourceError) -> Bool {
        let (snapshot, version) = state()
        page.begin(ListQuery(grouping: grouping, shape: .flow(limit: 1)), version: version)
        guard let location = try snapshot.location(ofRow: id) else { return false }
        // A row that is requested by its id is shown even if its section is collapsed.
        var info = try section(ofRow: location.path.row, in: location.node, grouping)
        info.isCollapsed = false
        page.beginSection(info)
        guard try location.storage.append(rowWithID: id, of: location.position, to: &page) else {
            return false
        }
        try page.end()
        return true
    }

    func section(
        ofRow row: Int,
        in node: SectionNode,
        _ grouping: Grouping?
    ) throws(SourceError) -> SectionInfo {
        guard let grouping else {
            return schema.arrangement == .own
                ? node.info : schema.section(.whole, grouping: nil)
        }
        var reader = SortKeyReader(schema: schema, grouping: grouping, keys: [])
        return schema.section(try reader.key(ofRow: row, in: node), grouping: grouping)
    }

    private func fill(
        _ page: inout Page,
        _ query: ListQuery,
        _ rows: some RowSequence,
        of sections: BalancedTree<SectionNode>
    ) throws(SourceError) {
        let key = SortCache.SelectionKey(
            order: orderKey(query, page.version),
            mergesSections: query.mergesSections,
            filters: query.filters,
            search: query.search,
            facets: query.facets,
            aggregates: query.aggregates,
            statistics: query.statistics,
            collapsed: query.collapsed
        )
        let known = known.selection(key)
        let selection = try take(known) { (time) throws(SourceError) in
            try FilterResult(rows, of: sections, query, schema, within: time)
        }
        try cut(&page, query, rows, selection)
    }

    private func cut(
        _ page: inout Page,
        _ query: ListQuery,
        _ rows: some RowSequence,
        _ selection: FilterResult
    ) throws(SourceError) {
        page.facets = selection.facets
        (page.aggregates, page.statistics) = (selection.aggregates, selection.statistics)
        // Without conditions, sections without rows stay.
        guard query.isNarrowed || selection.hasCollapsed || !query.aggregates.isEmpty else {
            return try cut(&page, rows)
        }
        try cut(&page, FilteredRows(selection, of: rows))
    }

    private func take<Value>(
        _ value: SingleFlight<Value>,
        _ make: (Deadline) throws(SourceError) -> Value
    ) throws(SourceError) -> Value {
        if let made = value.made { return made }
        // The wait for another thread that computes the value counts against the same limit.
        let time = Deadline(timeLimit)
        return try value.get { () throws(SourceError) in try make(time) }
    }

    private func cut(
        _ page: inout Page,
        _ rows: consuming some RowSequence
    ) throws(SourceError) {
        guard wanted == nil else {
            try wanted?.find(in: rows, using: &page)
            return
        }
        try PageBuilder(rows, idsDiffer: idsDiffer).fill(&page)
    }

    private func orderKey(_ query: ListQuery, _ version: ListVersion) -> SortCache.SortKeyHash {
        SortCache.SortKeyHash(
            version: version,
            grouping: query.grouping,
            sort: query.order,
            sections: query.sections,
            usesOwnSections: schema.usesOwnSections(query)
        )
    }

    private func sortedRows(
        _ query: ListQuery,
        _ snapshot: Snapshot,
        _ version: ListVersion
    ) throws(SourceError) -> SortedRows {
        let key = orderKey(query, version)
        let order = known.order(key)
        return try take(order) { (time) throws(SourceError) in
            let made = try SortedRowsBuilder(
                snapshot,
                query,
                schema: schema,
                usesOwnSections: key.usesOwnSections,
                epoch: version.epoch,
                within: time
            )
            return SortedRows(made)
        }
    }
}

extension ListQuery {
    fileprivate func selects(of rows: SortedRows) -> Bool {
        selectsRows || !collapsed.isEmpty || rows.hasCollapsed
    }
}

extension Snapshot {
    /// In list order; all sections for nil.
    fileprivate func sections(
        _ keys: [SectionKey]?
    ) throws(SourceError) -> BalancedTree<SectionNode> {
        guard let keys else { return sections }
        var positions: Set<Int> = []
        for key in keys {
            if key == .whole { return sections }
            // A key of another kind names none of the list's own sections.
            guard case .named(let id) = key else { throw .unknownSection("") }
            guard let position = sectionIndex(of: id) else {
                throw .unknownSection(id.rawValue)
            }
            positions.insert(position)
        }
        let nodes = positions.sorted().compactMap { position in
            sections.first { before, _ in before.elements >= position }?.element
        }
        return BalancedTree(nodes)
    }
}

extension Snapshot {
    fileprivate func collapsing(
        _ keys: [SectionKey],
        in sections: BalancedTree<SectionNode>
    ) -> BalancedTree<SectionNode> {
        var sections = sections
        for key in keys {
            guard case .named(let id) = key, let label = sectionLabels[id],
                let (before, node) = sections.first(where: { $1.label >= label }),
                node.label == label
            else { continue }
            var collapsed = node
            collapsed.info.isCollapsed = true
            let (left, right) = sections.split { location, _ in location.elements >= before.elements
            }
            sections = left.joined(collapsed, right.droppingFirst())
        }
        return sections
    }
}

struct ModelPosition {
    let path: IndexPath
    let node: SectionNode
    let storage: any RunStorage
    let position: Int
    let id: String
    /// A nested row has the place of the row that contains it.
    var isBelow = false
}

extension Snapshot {
    /// The row may be one of several of a model.
    ///
    /// Nil if no model has it.
    func location(ofRow id: String) throws(SourceError) -> ModelPosition? {
        if let location = try location(ofModel: id, row: id), location.storage.rowsPerModel == 1 {
            return location
        }
        guard sections.tally.width > 1, let mark = id.lastIndex(of: "#") else {
            return try location(ofModel: id, row: id)
        }
        return try location(ofModel: String(id[..<mark]), row: id)
    }

    private func location(
        ofModel id: String,
        row: String
    ) throws(SourceError) -> ModelPosition? {
        do throws(DataSourceError) {
            guard let path = try indexPath(of: id) else { return nil }
            let node = try node(at: path.section)
            guard let (piece, offset) = node.rows.locate(path.row) else { return nil }
            return ModelPosition(
                path: path,
                node: node,
                storage: piece.storage,
                position: piece.range.lowerBound + offset,
                id: row
            )
        } catch {
            throw error.sourceError
        }
    }
}

extension DataSourceError {
    var sourceError: SourceError {
        guard case .unreadable(let error) = self else {
            return .corrupted(reason: "\(self)")
        }
        return error
    }
}

/// Rows of a data source can be removed and moved. Rows of a list that never changes can only offer
/// actions.
extension SnapshotReader {
    func perform(
        _ action: String,
        row id: String,
        for request: ActionRequest
    ) throws(ActionError) -> ActionOutcome {
        let snapshot = state().snapshot
        let location = try snapshot.actingLocation(ofRow: id)
        let section: SectionInfo
        do {
            section = try self.section(
                ofRow: location.path.row,
                in: location.node,
                schema.defaultGrouping
            )
        } catch {
            throw .source(error)
        }
        let outcome = try location.storage.perform(
            action,
            rowWithID: location.id,
            of: location.position,
            section,
            for: request.at(
                location.path,
                isLast: location.path.row == location.node.rows.count - 1
            )
        )
        if case .removed = outcome { try remove(snapshot.modelID(at: location.path), location) }
        return outcome
    }

    /// Removes a model, unless the action has already removed it.
    ///
    /// For a child row, its topmost row is reconfigured instead, because children are not in the
    /// snapshot.
    private func remove(_ model: String, _ location: ModelPosition) throws(ActionError) {
        guard let dataSource else { throw .unchangeable }
        do {
            try dataSource.update { snapshot in
                guard try snapshot.indexPath(of: model) != nil else { return }
                if location.isBelow {
                    try snapshot.reconfigure([model])
                } else {
                    try snapshot.remove([model])
                }
            }
        } catch {
            throw .failed(reason: "\(error)")
        }
    }

    func move(row id: String, to target: MoveTarget) throws(ActionError) {
        guard let dataSource else { throw .unchangeable }
        do {
            try dataSource.update { try $0.move(row: id, to: target) }
        } catch let error as ActionError {
            throw error
        } catch {
            throw .failed(reason: "\(error)")
        }
    }
}

extension Snapshot {
    /// The maximum number of rows sent to the client when a move is refused.
    private static var toldRows: Int { 500 }

    fileprivate func actingLocation(ofRow id: String) throws(ActionError) -> ModelPosition {
        do {
            if let location = try location(ofRow: id) { return location }
            return try locationBelow(id)
        } catch let error as SourceError {
            throw .source(error)
        } catch let error as ActionError {
            throw error
        } catch {
            throw .failed(reason: "\(error)")
        }
    }

    private func locationBelow(_ id: String) throws -> ModelPosition {
        guard sections.tally.features.contains(.children), let ids = RowPath(id)?.ids,
            var location = try location(ofRow: ids[0])
        else { throw ActionError.unknownRow(id) }
        for next in ids.dropFirst() {
            let run = try location.storage.children(
                ofRow: location.id,
                of: location.position,
                location.node.info
            )
            guard let storage = run?.storage, let position = try storage.position(ofRow: next)
            else { throw ActionError.unknownRow(id) }
            location = ModelPosition(
                path: location.path,
                node: location.node,
                storage: storage,
                position: position,
                id: next,
                isBelow: true
            )
        }
        return location
    }

    fileprivate func modelID(at path: IndexPath) throws(ActionError) -> String {
        do {
            return try id(at: path)
        } catch {
            throw .failed(reason: "\(error)")
        }
    }

    fileprivate mutating func move(row id: String, to target: MoveTarget) throws {
        let location = try actingLocation(ofRow: id)
        // The registration's `children` closure alone decides the order of child rows.
        guard !location.isBelow else { throw ActionError.refusedMove(order: []) }
        let wanted = try path(of: target, for: location.path, among: location.node.rows.count)
        // A step at an end changes nothing, so `adjustMove` is not called.
        if wanted == location.path, [.up, .down].contains(target) { return }
        let adjusted = try wanted.flatMap { wanted in
            try location.storage.adjustMove(
                to: wanted,
                rowWithID: id,
                of: location.position,
                location.node.info
            )
        }
        do {
            guard let adjusted else { throw DataSourceError.outOfBounds(location.path) }
            try move(from: location.path, to: adjusted)
        } catch DataSourceError.outOfBounds {
            let count = min(Self.toldRows, location.node.rows.count)
            throw ActionError.refusedMove(order: try ids(at: 0..<count, of: location.node))
        }
    }

    private func path(
        of target: MoveTarget,
        for source: IndexPath,
        among count: Int
    ) throws -> IndexPath? {
        switch target {
        case .to(let path): return path
        case .up: return IndexPath(section: source.section, row: max(source.row - 1, 0))
        case .down: return IndexPath(section: source.section, row: min(source.row + 1, count - 1))
        case .before(let other):
            return try location(ofRow: other).map { source.shifting($0.path) }
        case .after(let other):
            guard let location = try location(ofRow: other) else { return nil }
            guard location.path != source else { return source }
            let path = source.shifting(location.path)
            return IndexPath(section: path.section, row: path.row + 1)
        }
    }
}

/// A place in a list's own order, as cursors encode it: the list's epoch, the section's label and
/// optionally the row's.
///
/// Labels stay with their rows and sections, and are never reused. A place therefore stays valid
/// when rows are inserted, deleted or moved. The place of a deleted row lies between its former
/// neighbors.
struct CursorPosition {
    let section: OrderLabel
    let row: OrderLabel?

    init(section: OrderLabel, row: OrderLabel?) {
        self.section = section
        self.row = row
    }

    /// Throws ``SourceError/expiredCursor`` if the value is no place, or one of another epoch of
    /// the list.
    init(_ value: CellValue, epoch: UInt64) throws(SourceError) {
        guard case .text(let text) = value else { throw .expiredCursor }
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 || parts.count == 3, UInt64(parts[0], radix: 16) == epoch,
            let section = OrderLabel(parts[1])
        else { throw .expiredCursor }
        self.section = section
        row = parts.count == 3 ? OrderLabel(parts[2]) : nil
        if parts.count == 3, row == nil { throw .expiredCursor }
    }

    func value(epoch: UInt64) -> CellValue {
        let rowText = row.map { "/" + $0.text } ?? ""
        return .text(String(epoch, radix: 16) + "/" + section.text + rowText)
    }
}

/// A time limit of reading, which ends early when the client leaves.
///
/// It reads the clock once per ``stride`` rows, because that costs more than a row.
struct Deadline {
    static let stride = 4_096

    private let end: ContinuousClock.Instant
    private let cancellation = RequestCancellation.current
    private var rows = 0

    init(_ duration: Duration) { end = .now + duration }

    /// Throws ``SourceError/outOfTime``, also for the first row.
    mutating func count() throws(SourceError) {
        if rows.isMultiple(of: Self.stride) { try check() }
        rows &+= 1
    }

    func check() throws(SourceError) {
        let isWanted = !(cancellation?.isCancelled ?? false)
        guard isWanted, ContinuousClock.now < end else { throw .outOfTime }
    }
}
