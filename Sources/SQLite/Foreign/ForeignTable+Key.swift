import Database
import Listings

extension ForeignTable {
    typealias KeyPart = TableDescription.KeyPart

    /// What tells the rows of the table apart.
    func key(_ facts: [ValueFacts]) throws(Reason) -> [KeyPart] {
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
            // A primary key that is none: old tables may hold null or blobs there.
            guard entry.hasRowID else { throw error }
            return [try rowID()]
        }
    }

    private func keyPart(_ index: Int, _ facts: ValueFacts) throws(Reason) -> KeyPart {
        let column = columns[index]
        guard let name = SQLName.quoted(column.name) else { throw .noKey }
        guard let type = facts.keyType(declared: column.type) else {
            throw .unsuitableKey(column: column.name)
        }
        // Nulls stand first in an order, then numbers, texts and blobs: the key's own index finds at
        // once what is of another kind.
        let strange = type == .integer ? "\(name) >= ''" : "\(name) < '' OR \(name) >= x''"
        if try exists("\(name) IS NULL") ?? false { throw .ambiguousKey(column: column.name) }
        if try exists(strange) ?? false { throw .unsuitableKey(column: column.name) }
        return KeyPart(column.name, type)
    }

    /// The row id under a name that no column has taken.
    private func rowID() throws(Reason) -> KeyPart {
        guard let name = nameOfRowID else { throw .noKey }
        // Some virtual tables have none although they look like it.
        _ = try exists("\"\(name)\" IS NULL")
        return KeyPart(name, .integer)
    }

    /// The name by which a query finds the row id; nil where there is none, or columns have all names.
    var nameOfRowID: String? {
        let taken = Set(columns.map { $0.name.lowercased() })
        guard entry.hasRowID else { return nil }
        return ["rowid", "_rowid_", "oid"].first { !taken.contains($0) }
    }

    /// The first column of a view, when it is called like an id and is unique.
    ///
    /// Whether it is unique is looked for in a number of steps. Where they do not suffice the column is
    /// taken, and pages with equal ids are refused as they are met.
    private func viewKey(_ facts: [ValueFacts]) throws(Reason) -> KeyPart {
        guard let column = columns.first, column.isCalledID,
            let name = SQLName.quoted(column.name)
        else { throw .viewWithoutID }
        guard let type = facts[0].keyType(declared: column.type) else {
            throw .unsuitableKey(column: column.name)
        }
        let isAmbiguous = try exists("\(name) IS NULL OR typeof(\(name)) = 'blob'") ?? false
        let isRepeated = try isRepeated(name) ?? false
        guard !isAmbiguous, !isRepeated else { throw .ambiguousKey(column: column.name) }
        return KeyPart(column.name, type)
    }

    private func isRepeated(_ name: String) throws(Reason) -> Bool? {
        try answer(
            """
            SELECT EXISTS (SELECT 1 FROM \(quotedName) GROUP BY \(name) COLLATE BINARY
            HAVING count(*) > 1)
            """
        )
    }

    private func exists(_ condition: String) throws(Reason) -> Bool? {
        try answer("SELECT EXISTS (SELECT 1 FROM \(quotedName) WHERE \(condition))")
    }

    /// Asks for a yes or no; nil when the steps of a look do not suffice.
    private func answer(_ sql: String) throws(Reason) -> Bool? {
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
