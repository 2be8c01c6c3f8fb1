import Database
import JSON
import Listings

struct PostgresDialect: Dialect {
    let nativeNulls = SortKey.Nulls.last
    let keyOrder = KeyOrder.typed

    func placeholder(_ number: Int) -> String { "$\(number)" }

    func selection(column: Int, of table: TableDescription) -> String {
        type(column, table).selection(table.quotedColumns[column])
    }

    func bytes(column: Int, of table: TableDescription) -> String {
        type(column, table) == .bytea ? "encode(\(table.quotedColumns[column]), 'hex')" : "NULL"
    }

    func comparand(column: Int, of table: TableDescription, as type: ColumnType) -> Operand {
        self.type(column, table).comparand(table.quotedColumns[column])
    }

    func comparisons(
        _ operation: Filter.Operator,
        _ operand: CellValue,
        column: Int,
        of table: TableDescription,
        as type: ColumnType
    ) -> [Comparison] {
        let type = self.type(column, table)
        if type == .elements { return [Comparison("@>", .json("[\(operand.document)]"))] }
        guard type == .member else { return type.comparisons(operation, operand) }
        // JSON has no times. A text that looks like one is a text.
        let value = CellValue.json(operand.document)
        let comparison = Comparison(operation.sign, value)
        guard operation.sign != "=" else { return [comparison] }
        // `jsonb` orders values of all kinds, but only those of one kind are meant.
        let kind =
            switch operand.kind {
            case .number: "number"
            case .boolean: "boolean"
            default: "string"
            }
        let kinds = "to_jsonb(jsonb_typeof(\(table.quotedColumns[column])))"
        return [comparison, Comparison("=", .json(JSONText.quoted(kind)), of: kinds)]
    }

    func key(of value: CellValue, comparingBytes: Bool) -> CellValue {
        value.isNull ? value : .json(value.document)
    }

    func naming(
        _ key: KeyOperand,
        by value: KeyOperand
    ) -> (condition: String, isPlain: Bool)? {
        let (type, other) = (EngineType(key.engineType), EngineType(value.engineType))
        let (name, own) = (key.expression, value.expression)
        let (isNumber, isOtherNumber) = (type.isNumber, other.isNumber)
        if type == other || isNumber && isOtherNumber || type.isString && other.isString {
            return ("\(name) = \(own)", true)
        }
        let text = "\(own)::text"
        switch type {
        case .int2, .int4, .int8:
            guard other.isString || other == .other else { return nil }
            // A cast would fail for a text that is no such number.
            let number = "CASE WHEN \(text) ~ '^(0|-?[1-9][0-9]{0,18})$' THEN \(text)::numeric END"
            let range = "\(Int64.min) AND \(Int64.max)"
            return (
                "\(name) = CASE WHEN \(number) BETWEEN \(range) THEN \(text)::bigint END", false
            )
        case .text, .varchar, .bytewise:
            guard isOtherNumber else { return other.isTime ? nil : ("\(name) = \(text)", false) }
            let value = #"regexp_replace(\#(text), '(\.[0-9]*[1-9])0+$|\.0*$', '\1')"#
            return ("\(name) IN (\(text), \(value))", false)
        case .uuid, .other: return other.isString ? ("\(name)::text = \(own)", false) : nil
        default: return nil
        }
    }

    func derived(
        _ step: DerivedColumn.Step,
        fromColumn column: Int,
        of table: TableDescription
    ) -> (expression: String, column: TableDescription.StoredColumn)? {
        typealias Stored = TableDescription.StoredColumn
        let name = table.quotedColumns[column]
        let type = type(column, table)
        switch step {
        case .member(let path):
            guard let document = type.document(name) else { return nil }
            return (
                "NULLIF(\(Self.value(at: path, of: document)), 'null'::jsonb)",
                Stored("member", engineType: Stored.memberType)
            )
        case .elements(let path):
            guard let document = type.document(name) else { return nil }
            return (
                Self.value(at: path, of: document),
                Stored("elements", engineType: Stored.elementsType)
            )
        case .period(let period):
            let time = type == .timestamptz ? "(\(name) AT TIME ZONE 'UTC')" : name
            return (
                """
                (CASE WHEN \(time) >= '0001-01-01' AND \(time) < '10000-01-01' \
                THEN left(to_char(\(time)::timestamp, 'YYYY-MM-DD'), \(period.length)) END COLLATE "C")
                """,
                Stored("period", engineType: EngineType.bytewise.rawValue)
            )
        case .related: return nil
        }
    }

    func unnested(_ name: String) -> (source: String, element: String) {
        (
            """
             CROSS JOIN LATERAL (SELECT DISTINCT each AS element FROM jsonb_array_elements(\
            CASE jsonb_typeof(\(name)) WHEN 'array' THEN \(name) ELSE '[]' END) AS each \
            WHERE jsonb_typeof(each) NOT IN ('object', 'array', 'null')) AS elements
            """,
            "element"
        )
    }

    private static func value(at path: [String], of document: String) -> String {
        guard !path.isEmpty else { return document }
        let names = path.map { name in
            let digits = name.unicodeScalars.map { scalar in
                let digits = String(scalar.value, radix: 16)
                return "\\+" + String(repeating: "0", count: 6 - digits.count) + digits
            }
            return "U&'\(digits.joined())'"
        }
        return "\(document) #> ARRAY[\(names.joined(separator: ", "))]"
    }

    func comparand(initialOf column: Int, of table: TableDescription) -> Operand {
        Operand(initial(of: column, of: table) + " COLLATE \"C\"", cast: "::text")
    }

    func index(
        initialOf column: Int,
        of table: TableDescription
    ) -> (expression: String, preparation: String?) {
        let text = type(column, table).selection(table.quotedColumns[column])
        let function = FirstLetterSQL.function
        return ("\(function.name)((\(text))::text) COLLATE \"C\"", function.statement)
    }

    func initial(of column: Int, of table: TableDescription) -> String {
        FirstLetterSQL.expression(type(column, table).selection(table.quotedColumns[column]))
    }

    func comparand(keyPart: Int, of table: TableDescription) -> Operand {
        KeyType(table.key[keyPart].engineType).comparand(table.quotedKey[keyPart])
    }

    func identity(keyPart: Int, of table: TableDescription, placeholder: Int) -> String {
        KeyType(table.key[keyPart].engineType)
            .identity(table.quotedKey[keyPart], placeholder: self.placeholder(placeholder))
    }

    func hasGreatest(keyPart: Int, of table: TableDescription) -> Bool {
        KeyType(table.key[keyPart].engineType).hasGreatest
    }

    func count(of table: TableDescription) -> String {
        "SELECT count(*) FROM \(table.quotedName)"
    }

    /// Reads the number of the last VACUUM or ANALYZE.
    func estimate(of table: TableDescription) -> String {
        let pieces = table.quotedName.unicodeScalars
            .split(separator: "'", omittingEmptySubsequences: false).map(String.init)
        return """
            SELECT CASE WHEN reltuples > 0 THEN reltuples::bigint END FROM pg_catalog.pg_class \
            WHERE oid = pg_catalog.to_regclass('\(pieces.joined(separator: "''"))')
            """
    }

    func prepareConditions() {
        _ = (CaseFoldingSQL.function, CaseFoldingSQL.folded(""))
    }

    var knowsSelectivity: Bool { true }

    var comparesRows: Bool { true }

    /// Parts with a limit are never read in parallel, except for foreign tables if a session allows
    /// it.
    var joinsRanges: Bool { true }

    func shielded(_ expression: String) -> String { "(ARRAY[\(expression)])[1]" }

    func folded(column: Int, of table: TableDescription) -> String {
        CaseFoldingSQL.folded(shownText(column, table))
    }

    func matches(
        _ terms: [TextSearch.Term],
        _ placeholders: [String],
        columns: [Int],
        of table: TableDescription,
        _ accessPath: AccessPathChoice
    ) -> [String] {
        guard accessPath.asksTexts, let words = indexedWords(columns, table) else {
            return matches(placeholders, columns: columns, of: table)
        }
        // At most three terms use the index. The rows found are checked for the others.
        let found = zip(terms, placeholders).filter { findsWords(of: [$0.0], columns, table) }
            .prefix(3)
        guard !found.isEmpty else { return matches(placeholders, columns: columns, of: table) }
        // Consecutive words may come from two texts.
        let rest = zip(terms, placeholders).filter { term, placeholder in
            term.words.count > 1 || !found.contains { $0.1 == placeholder }
        }.map(\.1)
        return found.map { "\(words) LIKE ('%' || \($0.1)::text || '%')" }
            + (rest.isEmpty ? [] : matches(rest, columns: columns, of: table))
    }

    /// Returns whether all rows with these words have them in texts that an index can contain.
    func findsWords(
        of terms: [TextSearch.Term],
        _ columns: [Int],
        _ table: TableDescription
    ) -> Bool {
        columns.filter { !hasFixedText(column: $0, of: table) }.allSatisfy { column in
            terms.allSatisfy(type(column, table).lacksWord)
        }
    }

    func indexedWords(_ columns: [Int], _ table: TableDescription) -> String? {
        indexedTexts(columns, table).map { "(\(CaseFoldingSQL.words(joined: $0)))" }
    }

    func indexedTexts(_ columns: [Int], _ table: TableDescription) -> String? {
        let texts = columns.filter { hasFixedText(column: $0, of: table) }
            .map { shownText($0, table) }
        return texts.isEmpty ? nil : CaseFoldingSQL.joined(texts)
    }

    func hasFixedText(column: Int, of table: TableDescription) -> Bool {
        switch type(column, table) {
        case .text, .varchar, .bytewise, .uuid, .json, .jsonb: true
        case .other: table.columns[column].isIndexable
        default: false
        }
    }

    func hint(
        _ operation: Filter.Operator,
        _ text: String,
        column: Int,
        _ placeholder: String,
        columns: [Int],
        of table: TableDescription
    ) -> String? {
        guard columns.contains(column), hasFixedText(column: column, of: table),
            let words = indexedWords(columns, table)
        else { return nil }
        let part = CaseFoldingSQL.trimmedWords("\(placeholder)::text COLLATE \"C\"")
        let (left, right) =
            switch operation {
            case .startsWith: ("% ", "%")
            case .endsWith: ("%", " %")
            default: ("%", "%")
            }
        return "\(words) LIKE ('\(left)' || \(part) || '\(right)')"
    }

    private func matches(
        _ placeholders: [String],
        columns: [Int],
        of table: TableDescription
    ) -> [String] {
        let shown = columns.map { shownText($0, table) }
        let texts = shown.map { "(\($0))" }.joined(separator: ", ")
        let found = placeholders.map { "bool_or(\(letters("words", .contains, $0)))" }
        // A cheap comparison of letters rules out most rows before their words are computed.
        let foreign = shown.map { "octet_length(\($0)) <> length(\($0))" }
        let likely = placeholders.map { placeholder in
            let word = "split_part(btrim(\(placeholder)::text), ' ', 1)"
            let seen = shown.map { letters("lower(\($0))", .contains, word) }
            return "(\(seen.joined(separator: " OR ")))"
        }
        // Without OFFSET, the server would compute the words for every pattern.
        return [
            "(\(foreign.joined(separator: " OR ")) OR \(likely.joined(separator: " AND ")))",
            """
            (SELECT \(found.joined(separator: " AND ")) FROM \
            (SELECT \(CaseFoldingSQL.words(CaseFoldingSQL.folded("shown"))) AS words \
            FROM (VALUES \(texts)) AS texts(shown) OFFSET 0) AS texts)
            """,
        ]
    }

    func equated(column: Int, of table: TableDescription, as type: ColumnType) -> Operand {
        self.type(column, table).equated(table.quotedColumns[column])
    }

    func accepts(_ operand: CellValue, of filter: Filter, in table: TableDescription) -> Bool {
        guard case .text(let text) = operand, let column = filter.column else { return true }
        let type = filter.operation.matchesLetters ? .text : type(column, table)
        return type.accepts(text)
    }

    func accepts(_ value: CellValue, keyPart: Int, of table: TableDescription) -> Bool {
        let part = table.key[keyPart]
        guard case .text(let text) = value else { return part.type == .integer }
        return part.type == .text && KeyType(part.engineType).accepts(text)
    }

    func letters(_ text: String, _ operation: Filter.Operator, _ placeholder: String) -> String {
        let part = "\(placeholder)::text COLLATE \"C\""
        return switch operation {
        case .startsWith: "starts_with(\(text), \(part))"
        case .endsWith: "right(\(text), length(\(part))) = \(part)"
        default: "strpos(\(text), \(part)) > 0"
        }
    }

    private func shownText(_ column: Int, _ table: TableDescription) -> String {
        type(column, table).shownText(table.quotedColumns[column])
    }

    private func type(_ column: Int, _ table: TableDescription) -> EngineType {
        EngineType(table.columns[column].engineType)
    }
}
