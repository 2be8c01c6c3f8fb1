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
        // Blobs stand last in an order and nulls first: the key's own index finds them at once.
        if try exists("\(name) IS NULL") ?? false { throw .ambiguousKey(column: column.name) }
        if try exists("\(name) >= x''") ?? false { throw .unsuitableKey(column: column.name) }
        return KeyPart(column.name, type)
    }

    /// The row id under a name that no column has taken.
    private func rowID() throws(Reason) -> KeyPart {
        let taken = Set(columns.map { $0.name.lowercased() })
        guard entry.hasRowID,
            let name = ["rowid", "_rowid_", "oid"].first(where: { !taken.contains($0) })
        else { throw .noKey }
        // Some virtual tables have none although they look like it.
        _ = try exists("\"\(name)\" IS NULL")
        return KeyPart(name, .integer)
    }

    /// The first column of a view, when it is called like an id and is unique.
    private func viewKey(_ facts: [ValueFacts]) throws(Reason) -> KeyPart {
        guard let column = columns.first, column.name.lowercased().hasSuffix("id"),
            let name = SQLName.quoted(column.name)
        else { throw .viewWithoutID }
        guard let type = facts[0].keyType(declared: column.type) else {
            throw .unsuitableKey(column: column.name)
        }
        guard let isAmbiguous = try exists("\(name) IS NULL OR typeof(\(name)) = 'blob'"),
            let isRepeated = try isRepeated(name)
        else { throw .uncheckedKey(column: column.name) }
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

    /// Asks for a yes or no; nil when there is none in time.
    private func answer(_ sql: String) throws(Reason) -> Bool? {
        do {
            return try connection.within(Self.lookBudget) { () throws(SQLiteError) in
                let statement = try connection.prepare(sql)
                return try statement.step() && statement.integer(0) != 0
            }
        } catch .outOfTime {
            return nil
        } catch {
            throw Reason(error)
        }
    }
}
