package import Listings

package struct TableDescription: Sendable {
    package struct KeyPart: Hashable, Sendable {
        package let name: String
        /// ``ColumnType/integer`` or ``ColumnType/text``.
        package let type: ColumnType
        /// Nil unless values have to be read by it.
        package let engineType: String?

        package init(_ name: String, _ type: ColumnType, engineType: String? = nil) {
            self.name = name
            self.type = type
            self.engineType = engineType
        }
    }
    package struct StoredColumn: Hashable, Sendable {
        package let name: String
        package internal(set) var isNullable: Bool
        /// Nil unless values have to be read or compared by it.
        package let engineType: String?
        package let isIndexable: Bool
        /// Whether the column holds values of all types, which are compared by their keys.
        package let isKeyed: Bool
        /// The column with the sort keys; nil if the column needs none.
        package fileprivate(set) var quotedOrder: String?
        package fileprivate(set) var isDerived = false
        /// The join with the other list that has the values of a derived column, or nil if the rows
        /// of no other list can come first.
        fileprivate(set) var join: Join?

        package static let memberType = "roster:member"
        package var isMember: Bool { engineType == Self.memberType }

        package static let elementsType = "roster:elements"
        package var hasElements: Bool { engineType == Self.elementsType }

        package init(
            _ name: String,
            isNullable: Bool = true,
            engineType: String? = nil,
            isIndexable: Bool = true,
            isKeyed: Bool = false
        ) {
            self.name = name
            self.isNullable = isNullable
            self.engineType = engineType
            self.isIndexable = isIndexable
            self.isKeyed = isKeyed
        }
    }
    /// A join with another list whose rows come first, each with the rows that refer to it.
    struct Join: Hashable, Sendable {
        let source: String
        let condition: String
        /// The same condition, by which the key of the other list finds its row.
        let keyCondition: String

        static let key = "\"roster:key\""
        static let value = "\"roster:value\""
        static let order = "\"roster:order\""
    }
    package enum Origin: Hashable, Sendable {
        /// Roster made the table. The row of `roster_lists` with this name holds the version.
        case stored(list: String)
        /// A foreign table, whose text is ordered byte by byte.
        case foreignTable
        /// A foreign view, or a foreign table whose rows are numbered when they are read.
        case foreignView
    }

    /// They are never null.
    package let key: [KeyPart]
    /// The columns of times whose texts are known to sort by time in the state that is read.
    package internal(set) var sortedTimes: Set<Int> = []
    package private(set) var columns: [StoredColumn]
    package let origin: Origin

    /// Whether the rows can change without a new version of the database.
    package var isVolatile = false

    package let name: String
    package let quotedName: String
    /// The text after FROM: the quoted name, or a query that numbers the rows.
    package private(set) var source: String
    private(set) var joinCondition: String?
    package private(set) var quotedKey: [String]
    package private(set) var quotedColumns: [String]
    package private(set) var quotedRevision: String?
    /// Whether the revision is an expression over the values of the row.
    private var isDigest = false
    package private(set) var wordIndex: String?
    package private(set) var trigramIndex: String?

    /// `space` is the schema that has to be named, nil if the table is found without it.
    ///
    /// `order` is nil if columns identify the rows.
    package init?(
        name: String,
        in space: String? = nil,
        key: [KeyPart],
        columns: [StoredColumn],
        revision: String? = nil,
        numberedBy order: RowNumbers? = nil,
        origin: Origin
    ) {
        guard !key.isEmpty, let quoted = SQLName.quoted(name),
            let prefix = space.map({ SQLName.quoted($0).map { $0 + "." } }) ?? ""
        else { return nil }
        let quotedName = prefix + quoted
        self.quotedName = quotedName
        source = order?.source(of: quotedName) ?? quotedName
        self.name = name
        self.key = key
        self.columns = columns
        self.origin = origin
        quotedKey = key.compactMap { SQLName.quoted($0.name) }
        quotedColumns = columns.compactMap { SQLName.quoted($0.name) }
        quotedRevision = revision.flatMap(SQLName.quoted)
        guard quotedKey.count == key.count, quotedColumns.count == columns.count else { return nil }
        guard (revision == nil) == (quotedRevision == nil) else { return nil }
    }

    /// Its key is `id`, and it has `roster_revision` and every other column of the list.
    package init?(
        list: String,
        table: String,
        idType: ColumnType,
        columns: [Column],
        keyed: Set<Int> = [],
        wordIndex: String? = nil,
        trigramIndex: String? = nil
    ) {
        self.init(
            name: table,
            key: [KeyPart(ListSchema.idName, idType)],
            columns: columns.enumerated().map { position, column in
                let isKeyed = keyed.contains(position)
                var stored = StoredColumn(
                    column.id,
                    isNullable: column.id != ListSchema.idName,
                    isKeyed: isKeyed
                )
                stored.quotedOrder = Self.orderName(of: column, isKeyed: isKeyed)
                    .flatMap(SQLName.quoted)
                return stored
            },
            revision: "roster_revision",
            origin: .stored(list: list)
        )
        self.wordIndex = wordIndex.flatMap(SQLName.quoted)
        self.trigramIndex = trigramIndex.flatMap(SQLName.quoted)
    }

    package static func orderName(of column: Column, isKeyed: Bool) -> String? {
        isKeyed || column.type.isText ? "roster_order_\(column.id)" : nil
    }

    package func choosing(_ positions: [Int]) -> TableDescription {
        var table = self
        table.columns = positions.map { columns[$0] }
        table.quotedColumns = positions.map { quotedColumns[$0] }
        // The indexes of words have the texts of all columns.
        if positions.count < columns.count { (table.wordIndex, table.trigramIndex) = (nil, nil) }
        return table
    }

    mutating func derive(
        _ column: StoredColumn,
        as expression: String,
        order: String? = nil,
        join: Join? = nil
    ) {
        var column = column
        column.isDerived = true
        column.quotedOrder = order
        column.join = join
        columns.append(column)
        quotedColumns.append(expression)
    }

    /// Only the rows that refer to a row of that list.
    func joined(by position: Int) -> TableDescription? {
        guard let join = columns[position].join else { return nil }
        var table = self
        table.source = "\(join.source) CROSS JOIN \(source)"
        // A column of the engine is not found in a join without the name of its table.
        table.quotedKey = quotedKey.map { "\(quotedName).\($0)" }
        if !isDigest { table.quotedRevision = quotedRevision.map { "\(quotedName).\($0)" } }
        table.joinCondition = join.condition
        table.columns[position].join = nil
        table.quotedColumns[position] = Join.value
        if table.columns[position].quotedOrder != nil {
            table.columns[position].quotedOrder = Join.order
        }
        return table
    }

    /// Every column in the expression names its table.
    package mutating func digest(as expression: String) {
        (quotedRevision, isDigest) = (expression, true)
    }

    mutating func fill(_ position: Int) { columns[position].isNullable = false }

    /// The column is the whole key and is named `id` in any case.
    package var idColumn: Int? {
        guard key.count == 1, key[0].name.lowercased() == ListSchema.idName else { return nil }
        return columns.firstIndex { $0.name == key[0].name }
    }

    package var keyColumns: [Int] {
        let positions = key.compactMap { part in columns.firstIndex { $0.name == part.name } }
        return positions.count == key.count ? positions : []
    }

    package var isStored: Bool {
        if case .stored = origin { true } else { false }
    }

    package var idType: ColumnType { key.count == 1 ? key[0].type : .text }
}
