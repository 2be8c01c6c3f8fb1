import Database
import Listings

/// How SQLite spells what lists are read by.
struct SQLiteDialect: Dialect {
    let nativeNulls = SortKey.Nulls.first

    func place(_ number: Int) -> String { "?\(number)" }

    func selection(column: Int, of table: TableDescription) -> String {
        table.quotedColumns[column]
    }

    func comparand(column: Int, of table: TableDescription, as type: ColumnType) -> Comparand {
        let name = table.quotedColumns[column]
        guard table.isStored else {
            let declared = table.columns[column].engineType
            return Comparand(name + " COLLATE BINARY", least: declared.map(Self.least))
        }
        guard type.isText || type == .date else { return Comparand(name, least: Self.leastNumber) }
        return Comparand(
            type.isText ? "\(name) COLLATE \(TextRules.collation)" : name,
            least: Self.leastText
        )
    }

    private static let leastText = "''"
    /// Numbers stand before texts, and this one before all of them; there are no others that are none.
    private static let leastNumber = "-9e999"

    /// What no value of a column stands before: where it is declared to hold texts, a number that it
    /// is compared with would be taken for one.
    private static func least(declared type: String) -> String {
        let type = type.uppercased()
        let isText = ["CHAR", "CLOB", "TEXT"].contains { type.contains($0) }
        return isText && !type.contains("INT") ? leastText : leastNumber
    }

    func comparand(initialOf column: Int, of table: TableDescription) -> Comparand {
        Comparand("\(initial(of: column, of: table)) COLLATE \(TextRules.collation)")
    }

    func initial(of column: Int, of table: TableDescription) -> String {
        "roster_initial(\(table.quotedColumns[column]))"
    }

    func comparand(keyPart: Int, of table: TableDescription) -> Comparand {
        Comparand(table.quotedKey[keyPart] + (table.isStored ? "" : " COLLATE BINARY"))
    }

    /// A foreign key may be unique in an order of its own, in which a larger or smaller letter is
    /// the same: the index finds the row, the bytes decide.
    func identity(keyPart: Int, of table: TableDescription, place: Int) -> String {
        let name = table.quotedKey[keyPart]
        let plain = "\(name) = ?\(place)"
        return table.isStored ? plain : plain + " AND \(name) COLLATE BINARY = ?\(place)"
    }

    /// A row has one id: a number is found by its own digits alone, and not by ` 07`.
    func accepts(_ value: CellValue, keyPart: Int, of table: TableDescription) -> Bool {
        guard case .text(let text) = value, table.key[keyPart].type == .integer else { return true }
        return Double(text.split(whereSeparator: \.isWhitespace).joined()) == nil
    }

    func hasGreatest(keyPart: Int, of table: TableDescription) -> Bool { true }

    /// The engine looks at the clock only while it runs its program, which counting a table without
    /// a limit is not.
    func count(of table: TableDescription) -> String {
        "SELECT count(*) FROM (SELECT 1 FROM \(table.quotedName) LIMIT -1)"
    }

    /// SQLite has statistics only where somebody asked for them.
    var knowsSelectivity: Bool { false }

    /// It looks up the first value alone.
    var comparesRows: Bool { false }

    /// A range is asked without a way to a server.
    var joinsRanges: Bool { false }

    func shielded(_ expression: String) -> String { "+" + expression }

    func folded(column: Int, of table: TableDescription) -> String {
        "roster_folded(\(table.quotedColumns[column]))"
    }

    func matches(
        _ terms: [TextSearch.Term],
        _ places: [String],
        columns: [Int],
        of table: TableDescription,
        _ leadership: Leadership
    ) -> [String] {
        places.map { place in
            let found = columns.map { column in
                letters("roster_words(\(table.quotedColumns[column]))", .contains, place)
            }
            return "(\(found.joined(separator: " OR ")))"
        }
    }

    func letters(_ text: String, _ operation: Filter.Operator, _ place: String) -> String {
        switch operation {
        case .startsWith: "substr(\(text), 1, length(\(place))) = \(place)"
        case .endsWith:
            "substr(\(text), length(\(text)) - length(\(place)) + 1) = \(place)"
        default: "instr(\(text), \(place)) > 0"
        }
    }

    /// FTS5 itself is not asked by MATCH: all rows that have one of the words with a common beginning,
    /// or each of two common words, it gathers in one step, which no time can end.
    func search(
        for word: String,
        in table: TableDescription,
        _ places: [String],
        _ leadership: Leadership
    ) -> WordSearch? {
        guard table.wordIndex != nil, let key = WordIndex.rowKey(of: table),
            WordIndex.isWhole(word)
        else { return nil }
        let row = "\(table.quotedName).\(key)"
        let condition = WordIndex.condition(places)
        // No column of a list is called so.
        let found = "doc AS \"roster:row\" FROM temp.\(WordIndex.placesName) WHERE \(condition)"
        if leadership == .free { return WordSearch(condition: "\(row) IN (SELECT \(found))") }
        // The word comes first, and its rows are not gathered before they are looked at.
        return WordSearch(
            source: """
                (SELECT DISTINCT \(found)) AS \(WordIndex.foundName) CROSS JOIN \
                \(table.quotedName) ON \(row) = "roster:row"
                """
        )
    }

    func isGathered(in table: TableDescription) -> String? {
        guard table.wordIndex != nil, let key = WordIndex.rowKey(of: table) else { return nil }
        return "roster_gathered(\(table.quotedName).\(key))"
    }
}
