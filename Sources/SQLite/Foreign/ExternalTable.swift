import Database
import Listings

package struct ExternalTable {
    typealias Reason = ForeignCatalog.Reason

    struct DeclaredColumn {
        let name: String
        let type: String
        let isNullable: Bool
        /// The position from 1; 0 outside the key.
        let keyNumber: Int
        let defaultSQL: String?
        let isGenerated: Bool

        var isCalledID: Bool { name.lowercased().hasSuffix("id") }
    }

    let entry: TableEntry
    let connection: DatabaseConnection
    let quotedName: String
    let columns: [DeclaredColumn]

    let steps: Int

    /// Enough instructions to group half a million rows by a column.
    package static let stepsOfInspection = 10_000_000

    let namedKey: [String]?

    /// The values of a sample of the rows, by column.
    private(set) var facts: [ValueProfile] = []

    init(
        _ entry: TableEntry,
        _ connection: DatabaseConnection,
        key namedKey: [String]?,
        steps: Int
    ) throws(Reason) {
        guard let quotedName = SQLName.quoted(entry.name) else { throw .noKey }
        self.namedKey = namedKey
        self.entry = entry
        self.connection = connection
        self.steps = steps
        self.quotedName = quotedName
        columns = try Self.columns(of: entry, connection)
        facts = try sample()
    }

    private static let defaultWords: Set<String> = [
        "null", "true", "false", "current_date", "current_time", "current_timestamp",
    ]

    /// A bare name is a text in DEFAULT, and would be a column elsewhere.
    private static func defaultSQL(_ text: String) -> String {
        let isBracketed = text.hasPrefix("[") && text.hasSuffix("]")
        let name = isBracketed ? String(text.dropFirst().dropLast()) : text
        let isName =
            !(text.first?.isNumber ?? true)
            && text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "$" }
        guard isBracketed || isName && !defaultWords.contains(text.lowercased()) else {
            return text
        }
        return "'" + name.replacing("'", with: "''") + "'"
    }

    private static func columns(
        of entry: TableEntry,
        _ connection: DatabaseConnection
    ) throws(Reason) -> [DeclaredColumn] {
        do {
            // Hidden columns of virtual tables are parameters.
            let statement = try connection.statement(
                "SELECT name, type, \"notnull\", pk, dflt_value, hidden > 1"
                    + " FROM pragma_table_xinfo(?1) WHERE hidden <> 1"
            )
            defer { statement.reset() }
            try statement.bind(1, entry.name)
            var columns: [DeclaredColumn] = []
            while try statement.step() {
                columns.append(
                    DeclaredColumn(
                        name: statement.text(0),
                        type: statement.text(1),
                        isNullable: entry.kind != .table || statement.integer(2) == 0,
                        keyNumber: Int(statement.integer(3)),
                        defaultSQL: statement.held(4).storage == .null
                            ? nil : Self.defaultSQL(statement.text(4)),
                        isGenerated: statement.integer(5) != 0
                    )
                )
            }
            return columns
        } catch {
            throw Reason(error)
        }
    }

    /// Whether the column is the row number: SQLite gives one to a row without it.
    func isRowNumber(_ column: DeclaredColumn) -> Bool {
        column.keyNumber > 0 && column.type.uppercased() == "INTEGER" && entry.hasRowID
            && !columns.contains { $0.keyNumber > 1 }
    }

    func list(named list: String) throws(Reason) -> ForeignCatalog.List {
        let (key, numbered) = try identity(facts)
        let isTable = entry.kind == .table && numbered == nil
        let table = TableDescription(
            name: entry.name,
            key: key,
            columns: columns.map { column in
                TableDescription.StoredColumn(
                    column.name,
                    isNullable: column.isNullable && !key.contains { $0.name == column.name },
                    engineType: isTable ? column.type : nil
                )
            },
            numberedBy: numbered == nil ? nil : .asRead,
            origin: isTable ? .foreignTable : .foreignView
        )
        guard let table else { throw .noKey }
        let ids = PublicColumnName.ids(for: columns.map(\.name), key: table.idColumn)
        let choices = try self.choices()
        return ForeignCatalog.List(
            name: list,
            table: table,
            columns: columns.indices.map { index in
                let column = columns[index]
                let isID = index == table.idColumn
                // An INTEGER PRIMARY KEY contains integers in every table.
                let isMixed = facts[index].isMixed(
                    declared: column.type,
                    inStrictTable: entry.isStrict
                )
                return Column(
                    ids[index],
                    label: Column.label(from: column.name),
                    type: isID ? table.idType : facts[index].type(declared: column.type),
                    isMixed: !isID && !isRowNumber(column) && isMixed
                )
                .named(inFiles: column.name)
                .choosing(among: choices[column.name.lowercased()] ?? [])
            },
            numbered: numbered
        )
    }
}

extension ForeignCatalog.Reason {
    init(_ error: SQLiteError) {
        if case .engine(_, let code, let message) = error {
            self = .unreadable(message: "\(message) (\(code))")
        } else {
            self = .unreadable(message: "\(error)")
        }
    }
}

extension ExternalTable {
    typealias KeyPart = TableDescription.KeyPart

    private func identity(
        _ facts: [ValueProfile]
    ) throws(Reason) -> (key: [KeyPart], numbered: Reason?) {
        if let namedKey { return (try key(namedKey, facts), nil) }
        do {
            return (try key(facts), nil)
        } catch .unreadable(let message) {
            throw .unreadable(message: message)
        } catch {
            return ([KeyPart(RowNumbers.name, .integer)], error)
        }
    }

    private func key(_ names: [String], _ facts: [ValueProfile]) throws(Reason) -> [KeyPart] {
        var parts: [KeyPart] = []
        for name in names {
            let exact = columns.firstIndex { $0.name == name }
            let index = exact ?? columns.firstIndex { $0.name.lowercased() == name.lowercased() }
            guard let index else {
                throw .unknownKey(column: name, columns: columns.map(\.name))
            }
            parts.append(try keyPart(index, facts[index]))
        }
        let quoted = parts.compactMap { SQLName.quoted($0.name) }
        guard try !(isRepeated(quoted) ?? false) else {
            throw .ambiguousKey(column: names.joined(separator: ","))
        }
        return parts
    }

    private func key(_ facts: [ValueProfile]) throws(Reason) -> [KeyPart] {
        switch entry.kind {
        case .view: return [try viewKey(facts)]
        case .virtual: return [try rowID()]
        case .table: break
        }
        let declared = columns.indices.filter { columns[$0].keyNumber > 0 }
            .sorted { columns[$0].keyNumber < columns[$1].keyNumber }
        guard !declared.isEmpty else { return [try rowID()] }
        do {
            return try declared.map { (index) throws(Reason) in try keyPart(index, facts[index]) }
        } catch {
            // The primary key is not usable: old tables may contain null or blobs there.
            guard entry.hasRowID else { throw error }
            return [try rowID()]
        }
    }

    private func keyPart(_ index: Int, _ facts: ValueProfile) throws(Reason) -> KeyPart {
        let column = columns[index]
        guard let name = SQLName.quoted(column.name) else { throw .noKey }
        guard let type = facts.keyType(declared: column.type) else {
            throw .unsuitableKey(column: column.name)
        }
        // SQLite sorts nulls first, then numbers, texts and blobs. The key's own index therefore
        // finds values of other kinds at once.
        let strange = type == .integer ? "\(name) >= ''" : "\(name) < '' OR \(name) >= x''"
        if try exists("\(name) IS NULL") ?? false { throw .ambiguousKey(column: column.name) }
        if try exists(strange) ?? false { throw .unsuitableKey(column: column.name) }
        return KeyPart(column.name, type)
    }

    private func rowID() throws(Reason) -> KeyPart {
        guard let name = nameOfRowID else { throw .noKey }
        do {
            // Some virtual tables have none, although the table list says so.
            _ = try exists("\"\(name)\" IS NULL")
        } catch {
            throw .noKey
        }
        return KeyPart(name, .integer)
    }

    /// Nil if there is none, or columns use all names.
    var nameOfRowID: String? {
        let taken = Set(columns.map { $0.name.lowercased() })
        guard entry.hasRowID else { return nil }
        return ["rowid", "_rowid_", "oid"].first { !taken.contains($0) }
    }

    /// The check of uniqueness is limited by instructions.
    ///
    /// If they do not suffice, the column is accepted until a page has equal ids.
    private func viewKey(_ facts: [ValueProfile]) throws(Reason) -> KeyPart {
        guard let column = columns.first, column.isCalledID,
            let name = SQLName.quoted(column.name)
        else { throw .viewWithoutID }
        guard let type = facts[0].keyType(declared: column.type) else {
            throw .unsuitableKey(column: column.name)
        }
        let isAmbiguous = try exists("\(name) IS NULL OR typeof(\(name)) = 'blob'") ?? false
        let isRepeated = try isRepeated([name]) ?? false
        guard !isAmbiguous, !isRepeated else { throw .ambiguousKey(column: column.name) }
        return KeyPart(column.name, type)
    }

    private func choices() throws(Reason) -> [String: [String]] {
        do {
            let statement = try connection.statement(
                "SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?1"
            )
            defer { statement.reset() }
            try statement.bind(1, entry.name)
            return try statement.step() ? ChoiceList.all(in: statement.text(0)) : [:]
        } catch {
            throw Reason(error)
        }
    }

    private func isRepeated(_ names: [String]) throws(Reason) -> Bool? {
        let steps = names.map { "\($0) COLLATE BINARY" }.joined(separator: ", ")
        return try firstBoolean(
            """
            SELECT EXISTS (SELECT 1 FROM \(quotedName) GROUP BY \(steps) HAVING count(*) > 1)
            """
        )
    }

    private func exists(_ condition: String) throws(Reason) -> Bool? {
        try firstBoolean("SELECT EXISTS (SELECT 1 FROM \(quotedName) WHERE \(condition))")
    }

    private func firstBoolean(_ sql: String) throws(Reason) -> Bool? {
        do {
            return try connection.within(steps: steps) { () throws(SQLiteError) in
                let statement = try connection.prepare(sql)
                return try statement.step() && statement.integer(0) != 0
            }
        } catch {
            throw Reason(error)
        }
    }
}

/// The sample has a limited size and depends on the table's contents alone. If a view exceeds the
/// instructions, the sample consists of the rows read until then.
extension ExternalTable {
    private static let firstRows = 1_024
    /// The number of positions from which further rows are read, and the rows of each.
    private static let (samples, rowsOfSample) = (64, 16)

    private func sample() throws(Reason) -> [ValueProfile] {
        var facts = columns.map { _ in ValueProfile() }
        let names = columns.compactMap { SQLName.quoted($0.name) }
        guard !names.isEmpty, names.count == columns.count else { throw .noKey }
        let select = "SELECT \(names.joined(separator: ", ")) FROM \(quotedName)"
        do {
            let first = try connection.prepare("\(select) LIMIT \(Self.firstRows)")
            var count = 0
            let isWhole: Void? = try connection.within(steps: steps) { () throws(SQLiteError) in
                count = try add(first, to: &facts)
            }
            guard isWhole != nil, count == Self.firstRows, let position else { return facts }
            _ = try connection.within(steps: steps) { () throws(SQLiteError) in
                guard let spread = try spread(along: position) else { return }
                let further = try connection.prepare(
                    "\(select) WHERE \(position) >= ?1 ORDER BY \(position) LIMIT \(Self.rowsOfSample)"
                )
                for sample in 1..<Self.samples {
                    try spread.bind(sample, of: Self.samples, to: further)
                    _ = try add(further, to: &facts)
                    further.reset()
                }
            }
        } catch {
            throw Reason(error)
        }
        return facts
    }

    private func add(
        _ statement: Statement,
        to facts: inout [ValueProfile]
    ) throws(SQLiteError) -> Int {
        var count = 0
        while try statement.step() {
            for index in facts.indices { facts[index].add(statement, index) }
            count += 1
        }
        return count
    }

    /// The column by which rows are found: the row id, the first key column or the id of a view.
    private var position: String? {
        switch entry.kind {
        case .view: return columns.first.flatMap { $0.isCalledID ? SQLName.quoted($0.name) : nil }
        case .table, .virtual:
            if let rowID = nameOfRowID { return rowID }
            return columns.first { $0.keyNumber == 1 }.flatMap { SQLName.quoted($0.name) }
        }
    }

    /// Nil if the ends of the column have no values between them.
    private func spread(along position: String) throws(SQLiteError) -> ValueSpread? {
        let ends = try connection.prepare(
            """
            SELECT (SELECT min(\(position)) FROM \(quotedName)),
                (SELECT max(\(position)) FROM \(quotedName))
            """
        )
        defer { ends.reset() }
        guard try ends.step() else { return nil }
        return ValueSpread(from: ends.held(0), to: ends.held(1))
    }
}
