package import Database
package import Listings

extension ExternalTable {
    /// The rules of the database for writes.
    func writing(of list: ForeignCatalog.List) throws(UnwritableReason) -> TableInfo {
        switch entry.kind {
        case .view: throw .view
        case .virtual: throw .virtualTable
        case .table: if entry.isInternal { throw .internalTable }
        }
        let key = list.table.key.map(\.name)
        guard list.numbered == nil else { throw .numberedRows }
        guard try isUnique(key) else { throw .openKey(columns: key) }
        func rules(_ index: Int) -> TableInfo.Column {
            let column = columns[index]
            let type = list.columns[index].type
            let isID = key.contains(column.name)
            return TableInfo.Column(
                hasDefault: column.defaultSQL != nil || isRowNumber(column),
                defaultSQL: column.defaultSQL,
                isMade: column.isGenerated,
                takesValues: !column.isGenerated && type != .bytes,
                isFilled: !column.isNullable && !isID,
                isUniform: facts[index].isUniform(type)
            )
        }
        let rowID = TableInfo.Column(
            hasDefault: true,
            isMade: false,
            takesValues: true,
            isFilled: false
        )
        return TableInfo(
            columns: columns.indices.map(rules),
            key: key.map { name in
                columns.firstIndex { $0.name == name }.map(rules) ?? rowID
            },
            returnsRevisions: try !hasTriggers()
        )
    }

    private func hasTriggers() throws(UnwritableReason) -> Bool {
        do throws(SQLiteError) {
            let statement = try connection.statement(
                "SELECT count(*) FROM sqlite_schema WHERE type = 'trigger'"
                    + " AND tbl_name = ?1 COLLATE NOCASE"
            )
            defer { statement.reset() }
            try statement.bind(1, entry.name)
            return try statement.step() && statement.integer(0) > 0
        } catch {
            throw .refused(message: "\(error)")
        }
    }

    /// A primary key that is not null, a unique index of such columns, or the row number.
    private func isUnique(_ key: [String]) throws(UnwritableReason) -> Bool {
        let parts = key.compactMap { name in columns.first { $0.name == name } }
        guard parts.count == key.count else { return key == [nameOfRowID] }
        let declared = Set(columns.filter { $0.keyNumber > 0 }.map(\.name))
        // SQLite allows null in a primary key of a table with row numbers, but the list has been
        // refused then, and a writer never leaves a part out.
        if declared == Set(key) { return true }
        do {
            let statement = try connection.statement(
                """
                SELECT group_concat(hex(k.name), ',') FROM pragma_index_list(?1) AS i
                    JOIN pragma_index_info(i.name) AS k
                WHERE i."unique" = 1 AND i.partial = 0 GROUP BY i.name
                    HAVING count(*) = count(k.name)
                """
            )
            defer { statement.reset() }
            try statement.bind(1, entry.name)
            let wanted = Set(key.map { Self.hexadecimal($0) })
            while try statement.step() {
                let names = Set(statement.text(0).split(separator: ",").map(String.init))
                if names.isSubset(of: wanted) { return parts.allSatisfy { !$0.isNullable } }
            }
            return false
        } catch {
            throw .refused(message: "\(error)")
        }
    }

    private static func hexadecimal(_ name: String) -> String {
        ByteValue(Array(name.utf8)).hexadecimal.uppercased()
    }

    /// Compiles the statements that write rows, with the triggers that they run.
    static func check(
        _ table: TableDescription,
        _ info: TableInfo,
        on connection: DatabaseConnection
    ) throws(UnwritableReason) {
        let name = table.quotedName
        var steps: [String] = []
        for (column, facts) in zip(table.quotedColumns, info.columns) where facts.takesValues {
            steps.append("\(column) = \(facts.defaultSQL.map { "(\($0))" } ?? "NULL")")
        }
        do {
            _ = try connection.prepare("DELETE FROM \(name)")
            _ = try connection.prepare("INSERT INTO \(name) DEFAULT VALUES")
            guard !steps.isEmpty else { return }
            _ = try connection.prepare("UPDATE \(name) SET \(steps.joined(separator: ", "))")
        } catch .engine(_, _, let message) {
            throw .refused(message: message)
        } catch {
            throw .refused(message: "\(error)")
        }
    }
}

extension TableDescription {
    /// The number of arguments that a function of SQLite certainly takes.
    private static let maximumArguments = 100

    /// Returns the table with revisions that are digests of all stored values of a row.
    ///
    /// Of bytes, the digest has the length alone, so that a page does not read large values.
    package func withDigests(_ info: TableInfo, _ columns: [Column]) -> TableDescription {
        var parts = zip(zip(quotedColumns, columns), info.columns).filter { !$0.1.isMade }.map {
            let ((name, column), _) = $0
            let qualified = "\(quotedName).\(name)"
            return column.type == .bytes ? "length(\(qualified))" : qualified
        }
        while parts.count > Self.maximumArguments {
            let first = parts.prefix(Self.maximumArguments).joined(separator: ", ")
            parts = ["roster_digest(\(first))"] + parts.dropFirst(Self.maximumArguments)
        }
        var table = self
        table.digest(as: "roster_digest(\(parts.joined(separator: ", ")))")
        return table
    }
}
