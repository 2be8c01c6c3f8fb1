import Database
import Listings

extension ExternalTable {
    typealias KeyPart = TableDescription.KeyPart

    /// The columns that identify the rows of the table.
    func key(_ facts: [ValueProfile]) throws(Reason) -> [KeyPart] {
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

    /// The row id under a name that no column uses.
    private func rowID() throws(Reason) -> KeyPart {
        guard let name = nameOfRowID else { throw .noKey }
        // Some virtual tables have none, although the table list says so.
        _ = try exists("\"\(name)\" IS NULL")
        return KeyPart(name, .integer)
    }

    /// The name by which a query can read the row id.
    ///
    /// Nil if there is none, or columns use all names.
    var nameOfRowID: String? {
        let taken = Set(columns.map { $0.name.lowercased() })
        guard entry.hasRowID else { return nil }
        return ["rowid", "_rowid_", "oid"].first { !taken.contains($0) }
    }

    /// The first column of a view, if it is named like an id and is unique.
    ///
    /// The check of uniqueness is limited by instructions. If they do not suffice, the column is
    /// accepted, and a page with equal ids fails when it is read.
    private func viewKey(_ facts: [ValueProfile]) throws(Reason) -> KeyPart {
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

    /// Returns the Boolean result of a query, or nil if the instructions do not suffice.
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
