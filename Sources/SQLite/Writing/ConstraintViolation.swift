import CSQLite
import Database
import Listings

/// The rule of the database that a change violates, as the message of SQLite names it.
enum ConstraintViolation: Error {
    /// The columns that must be unique together, empty if they are those of another table.
    case notUnique([String], text: String)
    case null([String])
    /// A column of a strict table, and what it would have to hold.
    case wrongStorage([String], text: String)
    case check(String)
    /// The columns of the foreign key, empty if SQLite does not say which it is.
    case foreignKey([String], text: String)
    /// A trigger refuses the change with a message.
    case raised(String)
    /// A trigger or a conflict clause leaves the change out without a message.
    case ignored
    case other(String)

    static var code: Int32 { SQLITE_CONSTRAINT }

    /// Nil for an error of another kind.
    init?(_ error: SQLiteError, of table: String) {
        guard case .engine(_, let code, let message) = error else { return nil }
        func names() -> [String] { Self.names(in: message, of: table) }
        switch code & 0xFF {
        case SQLITE_CONSTRAINT: break
        case SQLITE_TOOBIG, SQLITE_MISMATCH:
            self = .other(message)
            return
        default: return nil
        }
        // https://sqlite.org/rescode.html#constraint and the numbers after it
        switch code >> 8 {
        case 1: self = .check(Self.part(of: message))
        case 3: self = .foreignKey([], text: "FOREIGN KEY")
        case 5: self = .null(names())
        // The key, a unique index and the row number.
        case 6, 8, 10: self = .notUnique(names(), text: Self.part(of: message))
        // Actions of a foreign key are triggers.
        case 7 where message == "FOREIGN KEY constraint failed":
            self = .foreignKey([], text: "FOREIGN KEY")
        case 7: self = .raised(message)
        case 12: self = .wrongStorage(names(), text: message)
        default: self = .other(message)
        }
    }

    var reason: FieldValidationError.Reason {
        switch self {
        case .null: .missing
        case .check(let text): .violates(text)
        case .foreignKey(_, let text): .violates(text)
        case .raised(let message), .wrongStorage(_, let message), .other(let message):
            .refused(message)
        case .notUnique(_, let text): .violates(text)
        case .ignored: .againstRule
        }
    }

    /// Returns what follows `UNIQUE constraint failed: `.
    private static func part(of message: String) -> String {
        let parts = message.split(separator: "constraint failed: ", maxSplits: 1)
        return String(parts.last ?? "")
    }

    /// Returns the columns that a message names: `people.mail, people.name`.
    private static func names(in message: String, of table: String) -> [String] {
        guard let start = message.firstRange(of: "\(table).")?.lowerBound else { return [] }
        return message[start...].split(separator: ", ").compactMap { part in
            part.hasPrefix("\(table).") ? String(part.dropFirst(table.count + 1)) : nil
        }
    }

    /// Returns the columns of a table that an expression names.
    static func names(in text: String, of table: TableDescription) -> [String] {
        let words = Set(
            text.lowercased().split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init)
        )
        return table.columns.map(\.name).filter { name in
            words.contains(name.lowercased()) || text.contains("\"\(name)\"")
        }
    }
}

extension ConstraintViolation {
    private struct Reference {
        let child: String
        let columns: [String]
        let parent: String
        let keys: [String]

        var text: String {
            "\(columns.joined(separator: ", ")) REFERENCES \(parent)(\(keys.joined(separator: ", ")))"
        }
    }

    private static func references(
        _ condition: String,
        _ table: TableDescription,
        _ connection: DatabaseConnection
    ) throws(SQLiteError) -> [Reference] {
        let statement = try connection.prepare(
            """
            SELECT t.name, k.id, k."from", k."table",
                coalesce(k."to", (SELECT name FROM pragma_table_info(k."table") WHERE pk = k.seq + 1))
            FROM pragma_table_list AS t JOIN pragma_foreign_key_list(t.name) AS k
            WHERE t.schema = 'main' AND t.type = 'table' AND \(condition) = ?1 COLLATE NOCASE
            ORDER BY t.name, k.id, k.seq
            """
        )
        try statement.bind(1, table.name)
        var found: [Reference] = []
        var last = ("", -1 as Int64)
        while try statement.step() {
            let (name, number) = (statement.text(0), statement.integer(1))
            var columns: [String] = []
            var keys: [String] = []
            if last == (name, number), let begun = found.popLast() {
                (columns, keys) = (begun.columns, begun.keys)
            }
            last = (name, number)
            found.append(
                Reference(
                    child: name,
                    columns: columns + [statement.text(2)],
                    parent: statement.text(3),
                    keys: keys + [statement.text(4)]
                )
            )
        }
        return found
    }

    private static func exists(
        in table: String,
        _ columns: [String],
        _ values: [CellValue],
        _ connection: DatabaseConnection
    ) throws(SQLiteError) -> Bool {
        let names = columns.compactMap(SQLName.quoted)
        guard let table = SQLName.quoted(table), names.count == values.count else { return false }
        let conditions = names.enumerated().map { "\($1) = ?\($0 + 1)" }
        let statement = try connection.prepare(
            "SELECT 1 FROM \(table) WHERE \(conditions.joined(separator: " AND "))"
        )
        for (index, value) in values.enumerated() { try statement.bind(index + 1, value) }
        return try statement.step()
    }

    /// Returns the foreign key whose row is missing; nil if none is found.
    static func missingParent(
        of table: TableDescription,
        _ values: [Int: CellValue],
        on connection: DatabaseConnection
    ) throws(SQLiteError) -> ConstraintViolation? {
        for reference in try references("t.name", table, connection) {
            let given = reference.columns.compactMap { name in
                table.columns.firstIndex { $0.name.lowercased() == name.lowercased() }
                    .flatMap { values[$0] }
            }
            guard given.count == reference.columns.count, !given.contains(where: \.isNull),
                try !exists(in: reference.parent, reference.keys, given, connection)
            else { continue }
            return .foreignKey(reference.columns, text: reference.text)
        }
        return nil
    }

    /// Returns the column of another table that refers to a row; empty if it is not found.
    static func reference(
        to table: TableDescription,
        _ key: [CellValue],
        on connection: DatabaseConnection
    ) throws(SQLiteError) -> String {
        let names = table.key.map { $0.name.lowercased() }
        for reference in try references("k.\"table\"", table, connection)
        where reference.keys.map({ $0.lowercased() }) == names {
            guard try exists(in: reference.child, reference.columns, key, connection) else {
                continue
            }
            return "\(reference.child).\(reference.columns.joined(separator: ","))"
        }
        return ""
    }
}
