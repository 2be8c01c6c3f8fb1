package import Listings

/// A table or view as a list reads it: its names in SQL, and what the columns of the list are there.
package struct TableDescription: Sendable {
    /// One column of the key.
    package struct KeyPart: Hashable, Sendable {
        /// The name of the column, or of the row id.
        package let name: String
        /// ``ColumnType/integer`` or ``ColumnType/text``.
        package let type: ColumnType
        /// What the engine calls the type, where its values have to be read by it.
        package let engineType: String?

        /// Creates a part of a key.
        package init(_ name: String, _ type: ColumnType, engineType: String? = nil) {
            self.name = name
            self.type = type
            self.engineType = engineType
        }
    }
    /// One column of the list.
    package struct StoredColumn: Hashable, Sendable {
        /// The name in SQL.
        package let name: String
        /// Whether a row may be without a value.
        package fileprivate(set) var isNullable: Bool
        /// What the engine calls the type, where its values have to be read or compared by it.
        package let engineType: String?
        /// Whether an index can be made of what it is compared by.
        package let isIndexable: Bool
        /// Whether values of all types stand in it, which are compared by their keys.
        package let isKeyed: Bool
        /// The spelling that all timestamps of the column share; nil where they are spelled in
        /// several ways.
        package let timeForm: TimeForm?

        /// Creates a column.
        package init(
            _ name: String,
            isNullable: Bool = true,
            engineType: String? = nil,
            isIndexable: Bool = true,
            isKeyed: Bool = false,
            timeForm: TimeForm? = nil
        ) {
            self.name = name
            self.isNullable = isNullable
            self.engineType = engineType
            self.isIndexable = isIndexable
            self.isKeyed = isKeyed
            self.timeForm = timeForm
        }
    }
    /// Who made the table.
    package enum Origin: Hashable, Sendable {
        /// Roster: the table `roster_lists` has a line of that name, which keeps the version.
        case stored(list: String)
        /// Somebody else, in a table: it is only read, and its text is ordered byte by byte.
        case foreignTable
        /// Somebody else, in a view.
        case foreignView
    }

    /// The columns that together tell rows apart; at least one, none of them ever null.
    package let key: [KeyPart]
    /// The columns of the list in the order of its schema.
    package private(set) var columns: [StoredColumn]
    /// Who made the table.
    package let origin: Origin

    /// The name.
    package let name: String
    /// The name between quotes.
    package let quotedName: String
    /// The names of the key between quotes.
    package let quotedKey: [String]
    /// The names of the columns between quotes.
    package private(set) var quotedColumns: [String]
    /// The name of the column that keeps revisions, between quotes; nil when none is kept.
    package let quotedRevision: String?
    /// The name of the table that finds rows by the words of their texts, between quotes; nil for
    /// none.
    package private(set) var wordIndex: String?

    /// Creates a description; the result is nil when the key is empty or a name holds NUL.
    package init?(
        name: String,
        key: [KeyPart],
        columns: [StoredColumn],
        revision: String? = nil,
        origin: Origin
    ) {
        guard !key.isEmpty, let quotedName = SQLName.quoted(name) else { return nil }
        self.name = name
        self.quotedName = quotedName
        self.key = key
        self.columns = columns
        self.origin = origin
        quotedKey = key.compactMap { SQLName.quoted($0.name) }
        quotedColumns = columns.compactMap { SQLName.quoted($0.name) }
        quotedRevision = revision.flatMap(SQLName.quoted)
        guard quotedKey.count == key.count, quotedColumns.count == columns.count else { return nil }
        guard (revision == nil) == (quotedRevision == nil) else { return nil }
    }

    /// Describes a table that was made by an import.
    ///
    /// Its key is `id`, which a column of that name shows; it has a column for every other one of the
    /// list, and `roster_revision`. The result is nil when a name holds NUL.
    ///
    /// - Parameters:
    ///   - list: The name of the list.
    ///   - table: The name of the table.
    ///   - idType: The type of the ids.
    ///   - columns: The columns of the list.
    ///   - keyed: The positions of the columns with values of all types.
    ///   - wordIndex: The name of the table that finds rows by their words; nil for none.
    package init?(
        list: String,
        table: String,
        idType: ColumnType,
        columns: [Column],
        keyed: Set<Int> = [],
        wordIndex: String? = nil
    ) {
        self.init(
            name: table,
            key: [KeyPart(ListSchema.idName, idType)],
            columns: columns.enumerated().map { position, column in
                StoredColumn(
                    column.id,
                    isNullable: column.id != ListSchema.idName,
                    isKeyed: keyed.contains(position)
                )
            },
            revision: "roster_revision",
            origin: .stored(list: list)
        )
        self.wordIndex = wordIndex.flatMap(SQLName.quoted)
    }

    /// The same table with some of the columns, in another order.
    package func choosing(_ positions: [Int]) -> TableDescription {
        var table = self
        table.columns = positions.map { columns[$0] }
        table.quotedColumns = positions.map { quotedColumns[$0] }
        return table
    }

    /// Takes note that a column has a value in every row.
    mutating func fill(_ position: Int) { columns[position].isNullable = false }

    /// The position of the column that is the whole key and is called `id` in any case, so that it
    /// shows the ids of the rows; nil without one.
    package var idColumn: Int? {
        guard key.count == 1, key[0].name.lowercased() == ListSchema.idName else { return nil }
        return columns.firstIndex { $0.name == key[0].name }
    }

    /// Whether Roster made the table.
    package var isStored: Bool {
        if case .stored = origin { true } else { false }
    }

    /// The type of the ids of the list: a key of several columns is a text.
    package var idType: ColumnType { key.count == 1 ? key[0].type : .text }
}
