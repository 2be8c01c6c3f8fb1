import Database
import Listings

/// The FTS5 table that finds the rows of an imported list by the words of their texts.
///
/// It contains the folded words of `TextSearch`, so that a search has the same results as in
/// memory. FTS5 only splits them at spaces. Triggers update the table after writes by any program.
enum WordIndex {
    static func name(of table: String) -> String { "roster_\(table)_words" }

    /// Nil if the table's own columns hide the row number.
    static func rowKey(of table: TableDescription) -> String? {
        if table.key.count == 1, table.key[0].type == .integer { return table.quotedKey[0] }
        let taken = Set((table.columns.map(\.name) + table.key.map(\.name)).map { $0.lowercased() })
        return ["rowid", "oid", "_rowid_"].first { !taken.contains($0) }
    }

    /// The quoted name of the table of the occurrences of each indexed word, in reading connections.
    static func locations(of table: TableDescription) -> String {
        // The name of an existing table contains no NUL.
        SQLName.quoted("roster_places_\(table.name)") ?? table.quotedName
    }

    static let foundName = "roster_found"

    /// It is read in small steps, so that a deadline can interrupt the look-up of a very common
    /// word.
    static func openPlaceholders(
        of table: TableDescription,
        on connection: DatabaseConnection
    ) throws(SQLiteError) {
        guard let index = table.wordIndex else { return }
        try connection.execute(
            """
            PRAGMA query_only = 0;
            CREATE VIRTUAL TABLE IF NOT EXISTS temp.\(locations(of: table)) USING fts5vocab(main, \(index), instance);
            PRAGMA query_only = 1;
            """
        )
    }

    /// A condition that an occurrence has the word of one placeholder, or a word within the bounds
    /// of two.
    static func condition(_ placeholders: [String]) -> String {
        placeholders.count == 1
            ? "term = \(placeholders[0])"
            : "term >= \(placeholders[0]) AND term < \(placeholders[1])"
    }

    /// It knows the letters of Unicode 6.1.
    static func isWhole(_ word: String) -> Bool {
        word.unicodeScalars.allSatisfy { scalar in
            scalar.isASCII || scalar.properties.age.map { $0 <= (6, 1) } ?? false
        }
    }

    static func index(of table: TableDescription, schema: ListSchema) -> FullTextIndex? {
        FullTextIndex(
            name: name(of: table.name),
            table: table,
            columns: schema.searchable,
            options: """
                content='', tokenize = "unicode61 remove_diacritics 0 categories 'L* M* N*'"
                """
        ) { texts in texts.map { "roster_words(\($0))" } }
    }
}
