import Database
import Listings

/// A contentless FTS5 table of texts of a list, and the triggers that update it after writes by any
/// program.
struct FullTextIndex {
    /// The name of the FTS5 table.
    let name: String
    private let table: TableDescription
    private let key: String
    private let columns: [Int]
    private let options: String
    private let indexed: ([String]) -> [String]

    /// Describes an index.
    ///
    /// The result is nil if there are no columns, or if the table's columns hide the row numbers.
    ///
    /// - Parameters:
    ///   - name: The name of the FTS5 table.
    ///   - table: A table that Roster made.
    ///   - columns: The positions of the columns to index.
    ///   - options: The options of the FTS5 table.
    ///   - indexed: Receives SQL for the texts of the columns. Returns SQL for the texts to index,
    ///     always the same number.
    init?(
        name: String,
        table: TableDescription,
        columns: [Int],
        options: String,
        indexed: @escaping ([String]) -> [String]
    ) {
        guard !columns.isEmpty, let key = WordIndex.rowKey(of: table) else { return nil }
        self.name = name
        self.table = table
        self.key = key
        self.columns = columns
        self.options = options
        self.indexed = indexed
    }

    /// Creates the table and its triggers, and indexes all rows.
    ///
    /// - Complexity: O(bytes of text), because every row is read once.
    func create(on connection: DatabaseConnection) throws(SQLiteError) {
        guard let quoted = SQLName.quoted(name) else { return }
        let places = texts("").indices.map { "c\($0)" }.joined(separator: ", ")
        let removal = """
            INSERT INTO \(quoted) (\(quoted), rowid, \(places)) \
            VALUES ('delete', old.\(key), \(texts("old.").joined(separator: ", ")));
            """
        let addition = """
            INSERT INTO \(quoted) (rowid, \(places)) \
            VALUES (new.\(key), \(texts("new.").joined(separator: ", ")));
            """
        try connection.execute(
            """
            CREATE VIRTUAL TABLE \(quoted) USING fts5(\(places), \(options));
            INSERT INTO \(quoted) (rowid, \(places)) \
              SELECT \(key), \(texts("").joined(separator: ", ")) FROM \(table.quotedName);
            CREATE TRIGGER \(trigger("added")) AFTER INSERT ON \(table.quotedName)
              BEGIN \(addition) END;
            CREATE TRIGGER \(trigger("removed")) AFTER DELETE ON \(table.quotedName)
              BEGIN \(removal) END;
            CREATE TRIGGER \(trigger("changed")) AFTER UPDATE ON \(table.quotedName)
              WHEN (\(parts("old."))) IS NOT (\(parts("new.")))
              BEGIN \(removal) \(addition) END;
            """
        )
    }

    /// SQL for the indexed texts of a row.
    private func texts(_ prefix: String) -> [String] {
        indexed(
            columns.map { position in
                let column = prefix + table.quotedColumns[position]
                return table.columns[position].isKeyed ? "roster_text(\(column))" : column
            }
        )
    }

    /// The row number and the columns.
    ///
    /// A change of other columns must not remove texts that are not indexed yet.
    private func parts(_ prefix: String) -> String {
        ([key] + columns.map { table.quotedColumns[$0] }).map { prefix + $0 }
            .joined(separator: ", ")
    }

    private func trigger(_ event: String) -> String {
        // The name of an existing table contains no NUL.
        SQLName.quoted("\(name)_\(event)") ?? event
    }
}
