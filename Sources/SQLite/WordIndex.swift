import Database
import Listings

/// The table that finds the rows of an imported list by the words of their texts (FTS5).
///
/// It holds the words as `TextSearch` has them, folded, so that a search answers the same as in
/// memory; FTS5 only parts them at their spaces. Triggers keep it: who writes to the list's table
/// need not know of it.
enum WordIndex {
    /// The name of the table that finds the rows of another one.
    ///
    /// The number is that of ``TextRules``.
    static func name(of table: String) -> String {
        "\(formerName(of: table))\(TextRules.number)"
    }

    /// The name that the table had before it had a number.
    static func formerName(of table: String) -> String { "roster_\(table)_words" }

    /// What names a row of a table to the engine; nil where the table's own columns hide it.
    static func rowKey(of table: TableDescription) -> String? {
        if table.key.count == 1, table.key[0].type == .integer { return table.quotedKey[0] }
        let taken = Set((table.columns.map(\.name) + table.key.map(\.name)).map { $0.lowercased() })
        return ["rowid", "oid", "_rowid_"].first { !taken.contains($0) }
    }

    /// The table that tells where each word of the index stands; of a connection that reads.
    static let placesName = "roster_places"
    /// What a statement calls the rows that a word leads it to.
    static let foundName = "roster_found"

    /// Makes the table that tells where each word of the index stands.
    ///
    /// It is read word by word, so that a look at a very common one can end at any time.
    static func openPlaces(
        of table: TableDescription,
        on connection: DatabaseConnection
    ) throws(SQLiteError) {
        guard let index = table.wordIndex else { return }
        try connection.execute(
            """
            PRAGMA query_only = 0;
            CREATE VIRTUAL TABLE temp.\(placesName) USING fts5vocab(main, \(index), instance);
            PRAGMA query_only = 1;
            """
        )
        try connection.registerGathering()
    }

    /// The condition that a place in the index has the word bound at one place, or a word between two.
    static func condition(_ places: [String]) -> String {
        places.count == 1
            ? "term = \(places[0])" : "term >= \(places[0]) AND term < \(places[1])"
    }

    /// Whether the index has a word of ours as one word: it knows the letters of Unicode 6.1.
    static func isWhole(_ word: String) -> Bool {
        word.unicodeScalars.allSatisfy { scalar in
            scalar.isASCII || scalar.properties.age.map { $0 <= (6, 1) } ?? false
        }
    }

    /// Makes the index of a table's texts, in place of the one there was.
    ///
    /// - Complexity: O(bytes of text): every row is read once.
    static func create(
        for table: TableDescription,
        schema: ListSchema,
        on connection: DatabaseConnection
    ) throws(SQLiteError) {
        guard let name = SQLName.quoted(name(of: table.name)) else { return }
        try connection.execute("DROP TABLE IF EXISTS \(name)")
        if let former = SQLName.quoted(formerName(of: table.name)) {
            try connection.execute("DROP TABLE IF EXISTS \(former)")
        }
        let columns = schema.searchable.map { table.quotedColumns[$0] }
        guard !columns.isEmpty, let key = rowKey(of: table) else { return }
        let places = columns.indices.map { "c\($0)" }.joined(separator: ", ")
        func words(_ prefix: String) -> String {
            zip(schema.searchable, columns).map { position, column in
                table.columns[position].isKeyed
                    ? "roster_words(roster_text(\(prefix)\(column)))"
                    : "roster_words(\(prefix)\(column))"
            }.joined(separator: ", ")
        }
        // A change of anything else must not take away words that are not there yet.
        func parts(_ prefix: String) -> String {
            ([key] + columns).map { prefix + $0 }.joined(separator: ", ")
        }
        let removal = """
            INSERT INTO \(name) (\(name), rowid, \(places)) \
            VALUES ('delete', old.\(key), \(words("old.")));
            """
        let addition = """
            INSERT INTO \(name) (rowid, \(places)) VALUES (new.\(key), \(words("new.")));
            """
        try connection.execute(
            """
            CREATE VIRTUAL TABLE \(name) USING fts5(\(places), content='',
              tokenize = "unicode61 remove_diacritics 0 categories 'L* M* N*'");
            INSERT INTO \(name) (rowid, \(places)) SELECT \(key), \(words("")) FROM \(table.quotedName);
            CREATE TRIGGER \(trigger("added", table)) AFTER INSERT ON \(table.quotedName)
              BEGIN \(addition) END;
            CREATE TRIGGER \(trigger("removed", table)) AFTER DELETE ON \(table.quotedName)
              BEGIN \(removal) END;
            CREATE TRIGGER \(trigger("changed", table)) AFTER UPDATE ON \(table.quotedName)
              WHEN (\(parts("old."))) IS NOT (\(parts("new.")))
              BEGIN \(removal) \(addition) END;
            """
        )
    }

    private static func trigger(_ event: String, _ table: TableDescription) -> String {
        // The name of a table there is holds no NUL.
        SQLName.quoted("\(name(of: table.name))_\(event)") ?? event
    }
}
