import Database
import Listings

/// The FTS5 table that finds the rows of an imported list by the words of their texts.
///
/// It contains the folded words of `TextSearch`, so that a search has the same results as in
/// memory. FTS5 only splits them at spaces. Triggers update the table after writes by any program.
enum WordIndex {
    /// The name of the word index of a table.
    ///
    /// It ends with the number of ``TextRules``.
    static func name(of table: String) -> String {
        "\(formerName(of: table))\(TextRules.number)"
    }

    /// The name of the word index before it had a number.
    static func formerName(of table: String) -> String { "roster_\(table)_words" }

    /// The name of the row number of a table, or nil if the table's own columns hide it.
    static func rowKey(of table: TableDescription) -> String? {
        if table.key.count == 1, table.key[0].type == .integer { return table.quotedKey[0] }
        let taken = Set((table.columns.map(\.name) + table.key.map(\.name)).map { $0.lowercased() })
        return ["rowid", "oid", "_rowid_"].first { !taken.contains($0) }
    }

    /// The table of the occurrences of each indexed word, in reading connections.
    static let placesName = "roster_places"
    /// The alias of the rows found by a word.
    static let foundName = "roster_found"

    /// Creates the table of the occurrences of each indexed word.
    ///
    /// It is read in small steps, so that a deadline can interrupt the look-up of a very common
    /// word.
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

    /// A condition that an occurrence has the word of one placeholder, or a word within the bounds
    /// of two.
    static func condition(_ places: [String]) -> String {
        places.count == 1
            ? "term = \(places[0])" : "term >= \(places[0]) AND term < \(places[1])"
    }

    /// Whether FTS5 treats a word as one.
    ///
    /// It knows the letters of Unicode 6.1.
    static func isWhole(_ word: String) -> Bool {
        word.unicodeScalars.allSatisfy { scalar in
            scalar.isASCII || scalar.properties.age.map { $0 <= (6, 1) } ?? false
        }
    }

    /// Creates the word index of a table, replacing an existing one.
    ///
    /// - Complexity: O(bytes of text), because every row is read once.
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
        // A change of other columns must not remove words that are not indexed yet.
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
        // The name of an existing table contains no NUL.
        SQLName.quoted("\(name(of: table.name))_\(event)") ?? event
    }
}
