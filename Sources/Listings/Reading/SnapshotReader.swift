/// Reads the snapshots of a list; keeps the orders asked for last.
final class SnapshotReader: ListReader {
    /// What an order depends on.
    private struct OrderKey: Hashable {
        let version: ListVersion
        let grouping: Grouping?
        let sort: [SortKey]
        let sections: [SectionKey]?
        let usesOwnSections: Bool
    }

    private static var keptOrders: Int { 8 }

    private let name: String
    private let schema: ListSchema
    private let state: @Sendable () -> (snapshot: Snapshot, version: ListVersion)
    private var orders: [(key: OrderKey, rows: SortedRows)] = []

    /// Creates a reader.
    ///
    /// - Parameters:
    ///   - name: The name of the list.
    ///   - schema: What the list has.
    ///   - state: The snapshot now, and the version that names it.
    init(
        _ name: String,
        schema: ListSchema,
        state: @escaping @Sendable () -> (snapshot: Snapshot, version: ListVersion)
    ) {
        self.name = name
        self.schema = schema
        self.state = state
    }

    func version() throws(SourceError) -> ListVersion { state().version }

    func read(_ query: ListQuery, into page: inout Page) throws(SourceError) {
        let (snapshot, version) = state()
        page.begin(query, version: version)
        if schema.usesOwnOrder(query) {
            let rows = SnapshotRows(
                try snapshot.sections(query.sections),
                epoch: version.epoch,
                isMerged: query.mergesSections
            )
            try fill(&page, query, rows)
        } else {
            try fill(&page, query, try sortedRows(query, snapshot, version))
        }
    }

    func readRow(
        _ id: String,
        grouping: Grouping?,
        into page: inout Page
    ) throws(SourceError) -> Bool {
        let (snapshot, version) = state()
        page.begin(ListQuery(grouping: grouping, shape: .flow(limit: 1)), version: version)
        let path: IndexPath?
        let node: SectionNode?
        do throws(DataSourceError) {
            path = try snapshot.indexPath(of: id)
            node = try path.map { (path) throws(DataSourceError) in
                try snapshot.node(at: path.section)
            }
        } catch {
            throw error.sourceError
        }
        guard let path, let node else { return false }
        page.beginSection(try section(ofRow: path.row, in: node, grouping))
        try node.append(path.row..<path.row + 1, to: &page)
        return true
    }

    private func section(
        ofRow row: Int,
        in node: SectionNode,
        _ grouping: Grouping?
    ) throws(SourceError) -> SectionInfo {
        guard let grouping else {
            return schema.arrangement == .own
                ? node.info : schema.section(.whole, grouping: nil)
        }
        var reader = PlaceReader(schema: schema, grouping: grouping, keys: [])
        return schema.section(try reader.key(ofRow: row, in: node), grouping: grouping)
    }

    private func fill(
        _ page: inout Page,
        _ query: ListQuery,
        _ rows: some RowSequence
    ) throws(SourceError) {
        try PageFiller(rows: rows, query: query, list: name, schema: schema).fill(&page)
    }

    private func sortedRows(
        _ query: ListQuery,
        _ snapshot: Snapshot,
        _ version: ListVersion
    ) throws(SourceError) -> SortedRows {
        let key = OrderKey(
            version: version,
            grouping: query.grouping,
            sort: query.order,
            sections: query.sections,
            usesOwnSections: schema.usesOwnSections(query)
        )
        orders.removeAll { $0.key.version != version }
        if let known = orders.firstIndex(where: { $0.key == key }) {
            let order = orders.remove(at: known)
            orders.append(order)
            return order.rows
        }
        let rows = try SortedRows(
            snapshot,
            query,
            schema: schema,
            usesOwnSections: key.usesOwnSections,
            epoch: version.epoch
        )
        if orders.count == Self.keptOrders { orders.removeFirst() }
        orders.append((key, rows))
        return rows
    }
}

extension Snapshot {
    /// The sections that keys name, in their order; all for nil.
    fileprivate func sections(
        _ keys: [SectionKey]?
    ) throws(SourceError) -> BalancedTree<SectionNode> {
        guard let keys else { return sections }
        var positions: Set<Int> = []
        for key in keys {
            if key == .whole { return sections }
            guard let position = sectionIndex(of: key.id) else {
                throw .unknownSection(key.id.rawValue)
            }
            positions.insert(position)
        }
        let nodes = positions.sorted().compactMap { position in
            sections.first { before, _ in before.elements >= position }?.element
        }
        return BalancedTree(nodes)
    }
}

extension DataSourceError {
    /// What a reader of a list says about it.
    fileprivate var sourceError: SourceError {
        guard case .unreadable(let error) = self else {
            return .corrupted(reason: "\(self)")
        }
        return error
    }
}
