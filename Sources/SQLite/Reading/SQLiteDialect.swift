import Database
import Listings

struct SQLiteDialect: Dialect {
    let nativeNulls = SortKey.Nulls.first
    let keyOrder = KeyOrder.storageClasses

    func placeholder(_ number: Int) -> String { "?\(number)" }

    func selection(column: Int, of table: TableDescription) -> String {
        table.quotedColumns[column]
    }

    func bytes(column: Int, of table: TableDescription) -> String {
        table.quotedColumns[column]
    }

    func comparand(column: Int, of table: TableDescription, as type: ColumnType) -> Operand {
        let name = table.quotedColumns[column]
        let stored = table.columns[column]
        if stored.hasElements { return Operand(name, form: .key) }
        guard table.isStored else {
            let isTime = type.isTime && !table.sortedTimes.contains(column)
            guard !stored.isKeyed, !isTime else {
                let key = stored.isKeyed ? "roster_byte_order(\(name))" : timeKey(column, of: table)
                return Operand(key, least: Self.leastText, form: .byteKey)
            }
            let least = stored.engineType.map(Self.least)
            let isText = least == Self.leastText
            return Operand(name + " COLLATE BINARY", least: least, comparesBytes: isText)
        }
        if stored.isKeyed || type.isText {
            let key = orderKey(of: column, of: table)
            return Operand(TextKey.complete(name, key: key), least: Self.leastText, form: .key)
        }
        return Operand(name, least: type == .date ? Self.leastText : Self.leastNumber)
    }

    /// The texts of a foreign column, the only values that a number of a format may not fit.
    func timeForms(ofColumn column: Int, of table: TableDescription) -> String? {
        guard !table.isStored else { return nil }
        let name = table.quotedColumns[column]
        return "SELECT DISTINCT roster_time_form(\(name)) FROM \(table.quotedName)"
            + " WHERE \(name) COLLATE BINARY >= '' AND \(name) COLLATE BINARY < x'' LIMIT 2"
    }

    private func orderKey(of column: Int, of table: TableDescription) -> String {
        let stored = table.columns[column]
        return stored.quotedOrder
            ?? Self.orderKey(of: table.quotedColumns[column], isKeyed: stored.isKeyed)
    }

    /// SQL for the key to store for a value, which is null if the value needs none.
    static func orderKey(of value: String, isKeyed: Bool) -> String {
        isKeyed ? "roster_value_order(\(value))" : "roster_order(\(value))"
    }

    private static let leastText = "''"
    /// Numbers sort before texts, and this one before all others.
    private static let leastNumber = "-9e999"

    /// In a column of declared texts, SQLite would convert a number to a text.
    private static func least(declared type: String) -> String {
        isText(declared: type) ? leastText : leastNumber
    }

    static func isText(declared type: String) -> Bool {
        let type = type.uppercased()
        return ["CHAR", "CLOB", "TEXT"].contains(where: type.contains) && !type.contains("INT")
    }

    func comparand(initialOf column: Int, of table: TableDescription) -> Operand {
        let text = text(column, of: table)
        let isKeyed = table.columns[column].isKeyed
        guard table.isStored else {
            // The bytes of UTF-16 have another order, so that SQL cannot compare the letters.
            return Operand("roster_initial_key(\(text))", form: .initialKey)
        }
        let stored = isKeyed ? nil : table.columns[column].quotedOrder
        let key = stored ?? Self.orderKey(of: text, isKeyed: false)
        return Operand(TextKey.initial(text, key: key), form: .initialKey)
    }

    func initial(of column: Int, of table: TableDescription) -> String {
        "roster_initial(\(text(column, of: table)))"
    }

    func comparand(keyPart: Int, of table: TableDescription) -> Operand {
        Operand(table.quotedKey[keyPart] + (table.isStored ? "" : " COLLATE BINARY"))
    }

    /// The index finds the row, and the bytes are compared in addition.
    func identity(keyPart: Int, of table: TableDescription, placeholder: Int) -> String {
        let name = table.quotedKey[keyPart]
        let plain = "\(name) = ?\(placeholder)"
        return table.isStored ? plain : plain + " AND \(name) COLLATE BINARY = ?\(placeholder)"
    }

    /// A number is found by its own digits, but not by ` 07`.
    func accepts(_ value: CellValue, keyPart: Int, of table: TableDescription) -> Bool {
        guard case .text(let text) = value, table.key[keyPart].type == .integer else { return true }
        return !Self.looksNumeric(text)
    }

    /// Whether SQLite may convert an operand to the declared type of a column and find other rows:
    /// a text in a numeric column, a number in a text column.
    private static func isConverted(
        _ operand: CellValue,
        _ operation: Filter.Operator,
        _ type: ColumnType
    ) -> Bool {
        switch operand {
        case .text(let text): looksNumeric(text) && CellValue.natural(text).kind == .text
        case .integer, .decimal, .real:
            // The text of an equal number is a match as well.
            operation.sign != "=" && type.kind != .number && type.kind != .boolean
        default: false
        }
    }

    private static func looksNumeric(_ text: String) -> Bool {
        Double(text.split(whereSeparator: \.isWhitespace).joined()) != nil
    }

    func hasGreatest(keyPart: Int, of table: TableDescription) -> Bool { true }

    /// Adds a limit, because SQLite checks the deadline only while it runs instructions.
    func count(of table: TableDescription) -> String {
        "SELECT count(*) FROM (SELECT 1 FROM \(table.quotedName) LIMIT -1)"
    }

    /// Reads the greatest row id, because SQLite has statistics only after ANALYZE.
    func estimate(of table: TableDescription) -> String {
        "SELECT max(rowid) FROM \(table.quotedName)"
    }

    /// False, because SQLite has statistics only after ANALYZE.
    var knowsSelectivity: Bool { false }

    /// False, because SQLite uses an index for the first value alone.
    var comparesRows: Bool { false }

    /// False, because a query of SQLite has no round trip.
    var joinsRanges: Bool { false }

    func shielded(_ expression: String) -> String { "+" + expression }

    func folded(column: Int, of table: TableDescription) -> String {
        "roster_folded(\(text(column, of: table)))"
    }

    private func text(_ column: Int, of table: TableDescription) -> String {
        let name = table.quotedColumns[column]
        return table.columns[column].isKeyed ? "roster_text(\(name))" : name
    }

    /// Texts have the order of bytes, whatever the order of the key's index.
    func naming(
        _ key: KeyOperand,
        by value: KeyOperand
    ) -> (condition: String, isPlain: Bool)? {
        guard key.type != .boolean, value.type != .boolean else { return nil }
        let (name, own) = (key.expression, value.expression)
        let (isNumber, isText) = (Self.holds(.number, key), Self.holds(.text, key))
        if isNumber, Self.holds(.number, value) { return ("\(name) = \(own)", true) }
        if isText, Self.holds(.text, value) {
            return ("\(name) = \(own) AND \(name) COLLATE BINARY = \(own)", true)
        }
        let text = Self.keyText(value)
        if isText {
            let texts = "(\(Self.keyText(value, isSpelled: true)), \(text))"
            return ("\(name) IN \(texts) AND \(name) COLLATE BINARY IN \(texts)", false)
        }
        guard isNumber, key.type == .integer else {
            return ("\(Self.keyText(key)) = \(text)", false)
        }
        return (
            "\(name) = +CAST(\(text) AS INTEGER) AND CAST(\(name) AS TEXT) = \(text)", false
        )
    }

    /// SQL for the text of a key, where equal numbers have equal texts or their own spelling.
    private static func keyText(_ key: KeyOperand, isSpelled: Bool = false) -> String {
        "roster_key(\(key.expression), \((key.isKeyed ? 2 : 0) + (isSpelled ? 1 : 0)))"
    }

    /// Whether the values of a key are of a kind, or SQLite stores those that look like it as such.
    private static func holds(_ kind: CellValue.Kind, _ key: KeyOperand) -> Bool {
        guard !key.isTyped else { return key.type.kind == kind }
        guard let type = key.engineType?.uppercased(), !type.isEmpty, type != "ANY" else {
            return false
        }
        let isText = isText(declared: type)
        if kind == .text || isText { return kind == .text && isText }
        return type.contains("INT") || !type.contains("BLOB")
    }

    /// The key of a value in a cursor, where a text can be encoded.
    func key(of value: CellValue, comparingBytes: Bool) -> CellValue {
        guard case .text(let text) = value, let encoded = EncodedKey.read(text) else {
            return OrderingKey.key(of: value, comparingBytes: comparingBytes)
        }
        let decoded = CellValue.text(String(decoding: encoded, as: UTF8.self))
        return OrderingKey.key(of: decoded, comparingBytes: comparingBytes)
    }

    func key(ofInitial letter: CellValue) -> CellValue {
        letter.isNull ? letter : .text(TextKey.key(ofInitial: letter.plainText))
    }

    private func timeKey(_ column: Int, of table: TableDescription) -> String {
        "roster_time_key(\(table.quotedColumns[column]))"
    }

    func comparisons(
        _ operation: Filter.Operator,
        _ operand: CellValue,
        column: Int,
        of table: TableDescription,
        as type: ColumnType
    ) -> [Comparison] {
        let stored = table.columns[column]
        if stored.hasElements { return [Self.holding(operand)] }
        let form = comparand(column: column, of: table, as: type).form
        let plain = table.quotedColumns[column] + " COLLATE BINARY"
        // JSON has no times. A text that looks like one is a text.
        if stored.isMember, operand.kind == .time {
            return Self.keyed(operation, .text(operand.plainText), form)
        }
        if let span = TimeSpan(operand), !table.isStored, !stored.isKeyed {
            let key = timeKey(column, of: table)
            return Self.texts(operation, span, of: plain)
                + (operation == .identical
                    ? Self.keyed(operation, operand, .byteKey, of: key)
                    : Self.keyed(operation, span, of: key))
        }
        if operation != .identical, let span = TimeSpan(operand) {
            if form != .value { return Self.keyed(operation, span) }
            // A stored column of dates contains nothing else, and other columns have no times.
            return type == .date ? Self.days(operation, span) : []
        }
        // A column of texts contains no other values.
        if table.isStored, !stored.isKeyed, type.isText, operand.kind == .text {
            return [Comparison(operation.sign, OrderingKey.key(of: operand))]
        }
        if form != .value { return Self.keyed(operation, operand, form) }
        if type.isTime, operand.kind == .text, !table.isStored, operation.sign != "=" {
            return Self.keyed(operation, operand, .byteKey, of: timeKey(column, of: table))
        }
        // Only columns of Booleans contain them. Elsewhere 0 and 1 are numbers.
        if !table.isStored, operand.kind == .boolean, type != .boolean { return [] }
        let isReal = table.isStored ? type == .real : stored.engineType.map(Self.isReal) ?? false
        let neighbour = Self.neighbour(of: operand, amongReals: isReal)
        let order = operand.kind == .number ? RowOrder.compare(neighbour, operand) : 0
        guard let near = operation.comparing(neighbour: order) else { return [] }
        return comparisons(near, withStored: neighbour, column: column, of: table, as: type)
    }

    private func comparisons(
        _ operation: Filter.Operator,
        withStored operand: CellValue,
        column: Int,
        of table: TableDescription,
        as type: ColumnType
    ) -> [Comparison] {
        let isConverted = !table.isStored && Self.isConverted(operand, operation, type)
        let comparison = Comparison(
            operation.sign,
            operand,
            of: isConverted ? "+\(table.quotedColumns[column]) COLLATE BINARY" : nil
        )
        // Texts sort after numbers, and bytes after texts.
        switch (operation, operand.kind) {
        case (.greater, .number), (.atLeast, .number):
            return table.isStored ? [comparison] : [comparison, Comparison("<", .text(""))]
        case (.greater, .text), (.atLeast, .text):
            return table.isStored
                ? [comparison] : [comparison, Comparison("<", .bytes(ByteValue([])))]
        case (.less, .text), (.atMost, .text):
            return table.isStored ? [comparison] : [comparison, Comparison(">=", .text(""))]
        default: return [comparison]
        }
    }

    /// SQLite compares integers with doubles exactly, but a column of doubles converts integers.
    ///
    /// From 2⁵³ on, an integer is nearer than a double.
    private static func neighbour(of operand: CellValue, amongReals isReal: Bool) -> CellValue {
        switch operand {
        case .integer(let integer): return isReal ? .real(Double(integer)) : operand
        case .decimal(let decimal):
            let real = decimal.nearestDouble
            guard !isReal, real.magnitude >= 0x1p53, let floor = Int64(floorOf: operand) else {
                return .real(real)
            }
            return .integer(floor)
        default: return operand
        }
    }

    private static func isReal(declared type: String) -> Bool {
        let type = type.uppercased()
        return ["REAL", "FLOA", "DOUB"].contains(where: type.contains)
            && !["INT", "CHAR", "CLOB", "TEXT", "BLOB"].contains(where: type.contains)
    }

    /// Comparisons of keys with a value, excluding values of other kinds.
    private static func keyed(
        _ operation: Filter.Operator,
        _ operand: CellValue,
        _ form: Operand.Form,
        of key: String? = nil
    ) -> [Comparison] {
        let own = OrderingKey.key(of: operand, comparingBytes: form == .byteKey)
        let comparison = Comparison(operation.sign, own, of: key)
        switch operation {
        case .less, .atMost:
            return [comparison, Comparison(">=", OrderingKey.least(of: operand.kind), of: key)]
        case .greater, .atLeast:
            let next = CellValue.Kind(rawValue: operand.kind.rawValue + 1)
            return [comparison]
                + (next.map { [Comparison("<", OrderingKey.least(of: $0), of: key)] } ?? [])
        default: return [comparison]
        }
    }

    private static func keyed(
        _ operation: Filter.Operator,
        _ span: TimeSpan,
        of key: String? = nil
    ) -> [Comparison] {
        var comparisons: [Comparison] = []
        for bound in span.bounds(operation) {
            let first = OrderingKey.key(of: bound.instant)
            let last = OrderingKey.key(of: bound.instant, behind: true)
            let sign = bound.operation.sign
            switch bound.operation {
            case .less, .atLeast: comparisons.append(Comparison(sign, first, of: key))
            case .atMost, .greater: comparisons.append(Comparison(sign, last, of: key))
            default:
                comparisons.append(Comparison(">=", first, of: key))
                comparisons.append(Comparison("<=", last, of: key))
            }
        }
        switch operation {
        case .less, .atMost:
            comparisons.append(Comparison(">=", OrderingKey.least(of: .time), of: key))
        case .greater, .atLeast:
            comparisons.append(Comparison("<", OrderingKey.least(of: .text), of: key))
        default: break
        }
        return comparisons
    }

    /// An offset is less than a day.
    ///
    /// A text therefore begins with the day of its instant, the day before or the day after.
    private static func texts(
        _ operation: Filter.Operator,
        _ span: TimeSpan,
        of column: String
    ) -> [Comparison] {
        // Texts that are not times sort before or after digits.
        var (first, last) = ("0", ":")
        for bound in span.bounds(operation) {
            let day = bound.instant.day
            switch bound.operation {
            case .less, .atMost: last = text(ofDay: day + 2)
            case .greater, .atLeast: first = text(ofDay: day - 1)
            default: (first, last) = (text(ofDay: day - 1), text(ofDay: day + 2))
            }
        }
        return [
            Comparison(">=", .text(first), of: column), Comparison("<", .text(last), of: column),
        ]
    }

    private static func days(_ operation: Filter.Operator, _ span: TimeSpan) -> [Comparison] {
        var comparisons: [Comparison] = []
        for bound in span.bounds(operation) {
            let isExact = bound.instant.isMidnight
            let day = text(ofDay: bound.instant.day + (isExact ? 0 : 1))
            guard let operation = bound.operation.comparing(neighbour: isExact ? 0 : 1) else {
                return []
            }
            comparisons.append(Comparison(operation.sign, .text(day)))
        }
        return comparisons
    }

    private static func text(ofDay day: Int64) -> String {
        CalendarDate(dayNumber: day)?.description ?? (day < 0 ? "0" : ":")
    }

    func derived(
        _ step: DerivedColumn.Step,
        fromColumn column: Int,
        of table: TableDescription
    ) -> (expression: String, column: TableDescription.StoredColumn)? {
        typealias Stored = TableDescription.StoredColumn
        let name = table.quotedColumns[column]
        return switch step {
        case .member(let path):
            (
                "roster_member(\(name), '\(Self.names(path))')",
                Stored("member", engineType: Stored.memberType, isKeyed: true)
            )
        case .elements(let path):
            (
                "roster_elements(\(name), '\(Self.names(path))')",
                Stored("elements", engineType: Stored.elementsType)
            )
        case .period(let period):
            ("roster_period(\(name), \(period.length))", Stored("period"))
        case .related: nil
        }
    }

    func unnested(_ name: String) -> (source: String, element: String) {
        (", json_each(\(name)) AS elements", "elements.value")
    }

    private static func names(_ path: [String]) -> String {
        path.map { name in
            name.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        }.joined(separator: ".")
    }

    private static func holding(_ operand: CellValue) -> Comparison {
        // JSON has no times. A text that looks like one is a text.
        let value = operand.kind == .time ? .text(operand.plainText) : operand
        var pattern = ""
        for scalar in ElementList.line(of: value).unicodeScalars {
            switch scalar {
            case "*", "?", "[": pattern += "[\(scalar)]"
            default: pattern.unicodeScalars.append(scalar)
            }
        }
        return Comparison("GLOB", .text("*\(pattern)*"))
    }

    func matches(
        _ terms: [TextSearch.Term],
        _ placeholders: [String],
        columns: [Int],
        of table: TableDescription,
        _ accessPath: AccessPathChoice
    ) -> [String] {
        placeholders.map { placeholder in
            let found = columns.map { column in
                letters("roster_words(\(text(column, of: table)))", .contains, placeholder)
            }
            return "(\(found.joined(separator: " OR ")))"
        }
    }

    func letters(_ text: String, _ operation: Filter.Operator, _ placeholder: String) -> String {
        // The function that makes the text returns null if it sees that the part is missing.
        let text = text.dropLast() + ", \(placeholder))"
        return switch operation {
        case .startsWith: "substr(\(text), 1, length(\(placeholder))) = \(placeholder)"
        case .endsWith:
            "substr(\(text), length(\(text)) - length(\(placeholder)) + 1) = \(placeholder)"
        default: "instr(\(text), \(placeholder)) > 0"
        }
    }

    /// MATCH is not used, because FTS5 gathers all rows of a prefix or of two common words in one
    /// step.
    func search(
        for word: String,
        in table: TableDescription,
        _ placeholders: [String],
        _ accessPath: AccessPathChoice
    ) -> WordSearch? {
        guard table.wordIndex != nil, let key = WordIndex.rowKey(of: table),
            WordIndex.isWhole(word)
        else { return nil }
        let row = "\(table.quotedName).\(key)"
        let condition = WordIndex.condition(placeholders)
        // No column of a list has this name.
        let locations = "temp.\(WordIndex.locations(of: table))"
        let found = "doc AS \"roster:row\" FROM \(locations) WHERE \(condition)"
        if accessPath == .free { return WordSearch(condition: "\(row) IN (SELECT \(found))") }
        // The word comes first, and its rows are not gathered before they are read.
        return WordSearch(
            source: """
                (SELECT DISTINCT \(found)) AS \(WordIndex.foundName) CROSS JOIN \
                \(table.quotedName) ON \(row) = "roster:row"
                """
        )
    }

    /// MATCH finds at most as many rows as have the rarest trigram.
    func hint(
        _ operation: Filter.Operator,
        _ text: String,
        column: Int,
        _ placeholder: String,
        columns: [Int],
        of table: TableDescription
    ) -> String? {
        guard let index = table.trigramIndex, let key = WordIndex.rowKey(of: table),
            columns.contains(column), TrigramIndex.isHelpful(for: text)
        else { return nil }
        return "\(table.quotedName).\(key) IN (SELECT rowid FROM \(index)"
            + " WHERE \(index) MATCH roster_trigrams(\(placeholder)))"
    }

    func isGathered(in table: TableDescription) -> String? {
        guard table.wordIndex != nil, let key = WordIndex.rowKey(of: table) else { return nil }
        return "roster_gathered(\(table.quotedName).\(key))"
    }
}
