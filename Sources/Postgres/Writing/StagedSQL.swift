import Bytes
import Database
import Listings

/// The statements that stage changes in a temporary table, and perform them.
struct StagedSQL {
    /// The changes that one statement can perform.
    struct Shape: Hashable {
        /// The origin of the key.
        enum Key: Hashable {
            case staged
            /// The given columns and the defaults of the table.
            case byTable
            /// A UUID of the server.
            case uuid
        }

        /// The kind of the changes.
        let verb: RowChange.Verb
        /// The origin of the keys.
        var key = Key.byTable
        /// The columns with values, besides those of a staged key.
        var columns: [Int] = []

        init(verb: RowChange.Verb) { self.verb = verb }

        /// Whether the changes may change existing rows.
        var updates: Bool {
            switch verb {
            case .insert, .insertIfAbsent: false
            case .replace, .merge, .mergeOrInsert, .delete: true
            }
        }
    }

    /// A column of the list that clients may name.
    struct StagedColumn {
        /// The position in the list.
        let position: Int
        /// The type, by which values are spelled.
        let type: EngineType
        /// The part of the key that the column is, or nil.
        let keyPart: Int?
        /// Whether a write may set a value.
        let takesValues: Bool
    }

    /// The index by which a slice is found.
    static let index = "CREATE INDEX ON pg_temp.roster_staged USING brin (slice)"
    /// Starts copying staged changes.
    static let copy = "COPY pg_temp.roster_staged FROM STDIN"
    /// Whether one `UPDATE` has the effects of single ones, and `COPY` those of `INSERT`.
    ///
    /// Triggers, rules and policies may leave out rows, which the number of changed rows hides.
    static let facts = """
        SELECT copies AND NOT EXISTS (SELECT FROM pg_catalog.pg_trigger t WHERE t.tgrelid = c.oid
            AND NOT t.tgisinternal AND t.tgtype & 1 <> 0 AND t.tgtype & 2 <> 0
            AND t.tgtype & 16 <> 0), copies
        FROM pg_catalog.pg_class c, LATERAL (SELECT NOT (c.relrowsecurity OR c.relhasrules
            OR c.relhassubclass AND c.relkind = 'r')) AS found(copies)
        WHERE c.oid = $1::regclass
        """

    /// The columns of the list that clients may name.
    let columns: [StagedColumn]
    /// The types of the key's parts.
    let keyTypes: [KeyType]
    private let transaction: PostgresTransaction
    private var table: TableDescription { transaction.table }

    init(_ transaction: PostgresTransaction) {
        self.transaction = transaction
        keyTypes = transaction.table.key.map { KeyType($0.engineType) }
        columns = transaction.rules.valueColumns.map { position in
            StagedColumn(
                position: position,
                type: transaction.type(ofColumn: position),
                keyPart: transaction.keyColumns.firstIndex(of: position),
                takesValues: transaction.facts.columns[position].takesValues
            )
        }
    }

    /// The statement that creates the table of staged changes, whose columns have the types of the
    /// list's table.
    var definition: String {
        var selection = ["0::int4 AS slice", "0::int4 AS shape"]
        selection += table.quotedKey.enumerated().map { "\($1) AS k\($0)" }
        selection += columns.filter(\.takesValues).map { column in
            "\(table.quotedColumns[column.position]) AS c\(column.position)"
        }
        return """
            CREATE TEMPORARY TABLE roster_staged ON COMMIT DROP AS \
            SELECT \(selection.joined(separator: ", ")) FROM \(table.quotedName) WITH NO DATA
            """
    }

    /// Returns the statement that starts copying rows to the table.
    ///
    /// It is nil if the changes must be staged.
    func copy(_ shape: Shape) -> String? {
        guard shape.verb == .insert, shape.key != .uuid else { return nil }
        let key = shape.key == .staged ? table.quotedKey : []
        let names = key + shape.columns.map { table.quotedColumns[$0] }
        guard !names.isEmpty else { return nil }
        return "COPY \(table.quotedName) (\(names.joined(separator: ", "))) FROM STDIN"
    }

    /// Returns whether two staged changes of a slice concern one row.
    func repeatsKeys(inSlice slice: Int) -> String {
        let keys = keyTypes.indices.map { "k\($0)" }
        return """
            SELECT EXISTS (SELECT FROM pg_temp.roster_staged \
            WHERE slice = \(slice) AND k0 IS NOT NULL \
            GROUP BY \(keys.joined(separator: ", ")) HAVING count(*) > 1)
            """
    }

    /// Counts the existing rows that staged changes concern.
    func existingRows(_ condition: String) -> String {
        """
        SELECT count(*) FROM pg_temp.roster_staged AS staged \
        JOIN \(table.quotedName) AS target ON \(identity) WHERE \(condition)
        """
    }

    /// The condition that a staged change concerns a row.
    private var identity: String {
        let parts = zip(keyTypes, table.quotedKey).enumerated().map { part, key in
            key.0.equality("target.\(key.1)", "staged.k\(part)")
        }
        return parts.joined(separator: " AND ")
    }

    /// Returns the statement that changes existing rows whose values differ.
    ///
    /// It is nil if the changes leave existing rows unchanged.
    func update(_ shape: Shape, _ condition: String) -> String? {
        guard shape.updates else { return nil }
        var steps: [String] = []
        var differences: [String] = []
        for column in columns {
            let position = column.position
            let name = table.quotedColumns[position]
            if shape.columns.contains(position) {
                let (old, new) = (
                    column.type.comparand("target.\(name)").expression,
                    column.type.comparand("staged.c\(position)").expression
                )
                steps.append("\(name) = staged.c\(position)")
                differences.append("\(old) IS DISTINCT FROM \(new)")
            } else if shape.verb == .replace, column.keyPart == nil, column.takesValues {
                let hasDefault = transaction.facts.columns[position].hasDefault
                steps.append("\(name) = DEFAULT")
                differences.append(hasDefault ? "TRUE" : "target.\(name) IS NOT NULL")
            }
        }
        guard !steps.isEmpty else { return nil }
        return """
            UPDATE \(table.quotedName) AS target SET \(steps.joined(separator: ", ")) \
            FROM pg_temp.roster_staged AS staged WHERE \(condition) AND \(identity) \
            AND (\(differences.joined(separator: " OR ")))
            """
    }

    /// Returns the statement that creates rows.
    ///
    /// It is nil if the rows have only defaults.
    func insert(_ shape: Shape, _ condition: String) -> String? {
        var names: [String] = []
        var values: [String] = []
        switch shape.key {
        case .staged:
            names = table.quotedKey
            values = keyTypes.indices.map { "staged.k\($0)" }
        case .uuid:
            names = [table.quotedKey[0]]
            values = ["gen_random_uuid()"]
        case .byTable: break
        }
        for position in shape.columns {
            names.append(table.quotedColumns[position])
            values.append("staged.c\(position)")
        }
        guard !names.isEmpty else { return nil }
        let absence =
            shape.verb == .insert
            ? "" : " AND NOT EXISTS (SELECT FROM \(table.quotedName) AS target WHERE \(identity))"
        return """
            INSERT INTO \(table.quotedName) (\(names.joined(separator: ", "))) \
            OVERRIDING SYSTEM VALUE SELECT \(values.joined(separator: ", ")) \
            FROM pg_temp.roster_staged AS staged WHERE \(condition)\(absence)
            """
    }
}

extension ByteBuffer {
    /// Appends a value in the text format of `COPY`, and a tabulator.
    mutating func append(copying value: CellValue, as type: EngineType) {
        switch value {
        case .null: append(#"\N"#)
        case .integer(let integer): append(decimal: integer)
        default:
            let text = value.written(to: type) ?? ""
            append(copying: text.utf8.span)
        }
        append(UInt8(ascii: "\t"))
    }

    /// Appends a text in the text format of `COPY`.
    mutating func append(copying text: borrowing Span<UInt8>) {
        var start = 0
        for index in text.indices {
            switch text[index] {
            case UInt8(ascii: "\\"), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                // A backslash makes the next byte stand for itself.
                append(text.extracting(start..<index))
                append(UInt8(ascii: "\\"))
                start = index
            default: break
            }
        }
        append(text.extracting(start...))
    }
}
