import Database
package import Listings

/// The history as a list, newest change first.
///
/// It is read like every list: with conditions, in all formats, and followed.
package enum HistoryList {
    package static let name = "history"
    package static let restore = "restore"

    package enum Field: String, CaseIterable {
        case id
        case time
        case caller
        case list
        case row
        case change
        case old
        case new
        case outcome

        fileprivate var type: ColumnType {
            switch self {
            case .id: .integer
            case .time: .timestamp
            case .old, .new: .json
            case .caller, .list, .row, .change, .outcome: .text
            }
        }
    }

    /// - Parameters:
    ///   - store: The history.
    ///   - isWritable: Whether old values can be restored.
    /// - Returns: The list.
    /// - Throws: ``ListingError`` never, because the columns are fixed.
    package static func definition(
        of store: HistoryStore,
        isWritable: Bool
    ) throws(ListingError) -> ListDefinition {
        let fields = Field.allCases
        let columns = fields.enumerated().map { position, field in
            Column(field.rawValue, type: field.type)
                .prioritized(position < 2 ? 1 : 2, isGroupable: field == .list || field == .caller)
        }
        let schema = try ListSchema(
            columns: columns,
            idType: .integer,
            defaultSort: [SortKey(.id, .descending)]
        )
        let table = TableDescription(
            name: HistoryStore.viewName,
            key: [TableDescription.KeyPart(Field.id.rawValue, .integer)],
            columns: fields.map {
                TableDescription.StoredColumn(
                    $0.rawValue,
                    isNullable: $0.isNullable,
                    isKeyed: $0.type == .json
                )
            },
            origin: .foreignView
        )
        guard let table else { preconditionFailure("the names of the history are unusable") }
        var events = RowEvents<Record>()
        let restoring = [RowAction(restore)]
        let old = Field.allCases.firstIndex(of: .old) ?? 0
        // The service performs it, because it writes to the list of the row.
        events.perform = { _, _ in .refused(reason: "Restoring needs a service.") }
        events.actions = { isWritable && !$0.model.value(old).isNull ? restoring : [] }
        var registry = ControllerRegistry()
        let source = TableSource(
            location: store.location,
            table: table,
            schema: schema,
            registration: try registry.register(
                RecordController(list: name, columns: columns),
                on: events
            )
        )
        var list = ListDefinition(name, source: source)
        list.isHistory = true
        list.about.readOnlyReason = .history
        return list
    }
}

extension HistoryList.Field {
    fileprivate var isNullable: Bool {
        switch self {
        case .caller, .old, .new: true
        case .id, .time, .list, .row, .change, .outcome: false
        }
    }
}
