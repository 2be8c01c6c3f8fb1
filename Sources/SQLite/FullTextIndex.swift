import Database
import Listings

/// A contentless FTS5 table of texts of a list, and the triggers that update it after writes by any
/// program.
struct FullTextIndex {
    let name: String
    private let table: TableDescription
    private let key: String
    private let columns: [Int]
    private let options: String
    private let indexed: ([String]) -> [String]

    /// Nil if there are no columns, or if the table's columns hide the row numbers.
    ///
    /// `indexed` receives SQL for the texts of the columns. It returns SQL for the texts to index,
    /// always the same number.
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

    func create(on connection: DatabaseConnection) throws(SQLiteError) {
        guard let quoted = SQLName.quoted(name) else { return }
        let placeholders = texts("").indices.map { "c\($0)" }.joined(separator: ", ")
        let removal = """
            INSERT INTO \(quoted) (\(quoted), rowid, \(placeholders)) \
            VALUES ('delete', old.\(key), \(texts("old.").joined(separator: ", ")));
            """
        let addition = """
            INSERT INTO \(quoted) (rowid, \(placeholders)) \
            VALUES (new.\(key), \(texts("new.").joined(separator: ", ")));
            """
        try connection.execute(
            """
            CREATE VIRTUAL TABLE \(quoted) USING fts5(\(placeholders), \(options));
            INSERT INTO \(quoted) (rowid, \(placeholders)) \
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

    private func texts(_ prefix: String) -> [String] {
        indexed(
            columns.map { position in
                let column = prefix + table.quotedColumns[position]
                return table.columns[position].isKeyed ? "roster_text(\(column))" : column
            }
        )
    }

    private func parts(_ prefix: String) -> String {
        ([key] + columns.map { table.quotedColumns[$0] }).map { prefix + $0 }
            .joined(separator: ", ")
    }

    private func trigger(_ event: String) -> String {
        // The name of an existing table contains no NUL.
        SQLName.quoted("\(name)_\(event)") ?? event
    }
}
