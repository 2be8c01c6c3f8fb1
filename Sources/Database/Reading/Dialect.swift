package import Listings

/// How an engine spells what lists are read by.
///
/// Columns and parts of keys are positions in their ``TableDescription``.
package protocol Dialect: Sendable {
    /// Where nulls stand by themselves when values grow.
    var nativeNulls: SortKey.Nulls { get }

    /// The order of the values of a table that Roster did not make.
    var keyOrder: KeyOrder { get }

    /// The bound value of a number, from 1.
    func place(_ number: Int) -> String

    /// A column as it is selected.
    func selection(column: Int, of table: TableDescription) -> String

    /// The bytes of a column as a statement selects them, to be read as ``ColumnType/bytes``.
    func bytes(column: Int, of table: TableDescription) -> String

    /// A column as it is ordered and compared.
    func comparand(column: Int, of table: TableDescription, as type: ColumnType) -> Comparand

    /// The first letter of a column as it is ordered and compared.
    func comparand(initialOf column: Int, of table: TableDescription) -> Comparand

    /// The first letter of a column as an index is made of it, and the statement that is run before;
    /// nil for none.
    func index(
        initialOf column: Int,
        of table: TableDescription
    ) -> (expression: String, preparation: String?)

    /// The first letter of a column as it is selected.
    func initial(of column: Int, of table: TableDescription) -> String

    /// A part of the key as it is ordered and compared: texts byte by byte.
    func comparand(keyPart: Int, of table: TableDescription) -> Comparand

    /// The comparisons that together hold for values that meet a condition for order or equality.
    ///
    /// - Parameters:
    ///   - operation: Less, greater, equal or identical.
    ///   - operand: A value that the column can hold, or a period of time.
    ///   - column: The column.
    ///   - table: The table.
    ///   - type: The type of the column.
    /// - Returns: The comparisons; none where no row can meet them.
    func comparisons(
        _ operation: Filter.Operator,
        _ operand: CellValue,
        column: Int,
        of table: TableDescription,
        as type: ColumnType
    ) -> [Comparison]

    /// The key that stands for a value where columns of all types are compared.
    func key(of value: CellValue) -> CellValue

    /// The condition that a part of the key has the bound value of a number.
    func identity(keyPart: Int, of table: TableDescription, place: Int) -> String

    /// Whether `max` is to be had of a part of the key.
    func hasGreatest(keyPart: Int, of table: TableDescription) -> Bool

    /// Counts the rows of a table so that the time given to it can end it.
    func count(of table: TableDescription) -> String

    /// Whether the engine itself knows about how many rows a condition chooses, so that it needs no
    /// ``Leadership``.
    var knowsSelectivity: Bool { get }

    /// Whether one look-up in an index finds what stands behind a row of values, `(a, b) > ($1, $2)`.
    var comparesRows: Bool { get }

    /// Whether ranges that are joined by `UNION ALL` are read one after the other, and each only where
    /// more is wanted than those before it have.
    var joinsRanges: Bool { get }

    /// An expression that no index is looked up for.
    func shielded(_ expression: String) -> String

    /// A column without case and accents: `TextCollation.folded(_:)` of a text, null for the rest.
    func folded(column: Int, of table: TableDescription) -> String

    /// Conditions that together hold where each of the terms, whose patterns are bound at the places,
    /// is in the folded words of one of the columns: `TextSearch.words(of:)` of a text.
    func matches(
        _ terms: [TextSearch.Term],
        _ places: [String],
        columns: [Int],
        of table: TableDescription,
        _ leadership: Leadership
    ) -> [String]

    /// Whether a column always has the same text for a value, so that an index can be made of what is
    /// made of it.
    func hasFixedText(column: Int, of table: TableDescription) -> Bool

    /// A condition that holds wherever the folded text bound at a place is in a column, and that an
    /// index of the words of columns may be looked up for; nil where there is none.
    func hint(
        _ operation: Filter.Operator,
        column: Int,
        _ place: String,
        columns: [Int],
        of table: TableDescription
    ) -> String?

    /// A column as it is compared with values that it may be equal to, so that every index helps.
    func equated(column: Int, of table: TableDescription, as type: ColumnType) -> Comparand

    /// Whether a value of a column's type in lists can be compared with what the engine keeps in it;
    /// no row holds one that cannot.
    func accepts(_ operand: CellValue, of filter: Filter, in table: TableDescription) -> Bool

    /// Whether a value can be compared with what the engine keeps in a part of the key; no row has an
    /// id with one that cannot.
    func accepts(_ value: CellValue, keyPart: Int, of table: TableDescription) -> Bool

    /// The condition that a text has the bound value at a place somewhere, at its beginning or at its
    /// end; letter for letter.
    func letters(_ text: String, _ operation: Filter.Operator, _ place: String) -> String

    /// How rows are found that have a word; nil where the table has no index of words, or where the
    /// index parts the word.
    ///
    /// The word is bound at the one place there is, or it stands from the first of two places on and
    /// before the second.
    func search(
        for word: String,
        in table: TableDescription,
        _ places: [String],
        _ leadership: Leadership
    ) -> WordSearch?

    /// The condition that a row is among those last gathered; nil where none can be: see
    /// ``EngineConnection/gather(_:in:)``.
    func isGathered(in table: TableDescription) -> String?
}

/// One comparison of a column with a bound value.
package struct Comparison: Hashable, Sendable {
    /// `=`, `<`, `<=`, `>` or `>=`.
    package let sign: String
    /// The value as it is bound.
    package let value: CellValue
    /// The expression that is compared, where it is not the column as it is ordered.
    package let expression: String?

    /// Creates a comparison.
    package init(_ sign: String, _ value: CellValue, of expression: String? = nil) {
        self.sign = sign
        self.value = value
        self.expression = expression
    }
}

/// How an index of words is asked.
package struct WordSearch: Sendable {
    /// What rows are read from; nil for the table itself.
    package let source: String?
    /// What is asked of them; nil for nothing.
    package let condition: String?

    /// Creates a way to ask.
    package init(source: String? = nil, condition: String? = nil) {
        self.source = source
        self.condition = condition
    }
}

extension Dialect {
    /// The value itself: no column has values of all types.
    package func key(of value: CellValue) -> CellValue { value }

    /// Nil: there is no index of words.
    package func search(
        for word: String,
        in table: TableDescription,
        _ places: [String],
        _ leadership: Leadership
    ) -> WordSearch? { nil }

    /// Nil: there is no index of words.
    package func isGathered(in table: TableDescription) -> String? { nil }

    /// No: no index has what is made of texts.
    package func hasFixedText(column: Int, of table: TableDescription) -> Bool { false }

    /// Nil: there is no index of words.
    package func hint(
        _ operation: Filter.Operator,
        column: Int,
        _ place: String,
        columns: [Int],
        of table: TableDescription
    ) -> String? { nil }

    /// As it is compared.
    package func index(
        initialOf column: Int,
        of table: TableDescription
    ) -> (expression: String, preparation: String?) {
        (comparand(initialOf: column, of: table).expression, nil)
    }

    /// As it is ordered.
    package func equated(
        column: Int,
        of table: TableDescription,
        as type: ColumnType
    ) -> Comparand {
        comparand(column: column, of: table, as: type)
    }

    /// Every value.
    package func accepts(
        _ operand: CellValue,
        of filter: Filter,
        in table: TableDescription
    ) -> Bool { true }
}

extension Filter.Operator {
    /// The sign of a comparison for order; `=` for every other operator.
    package var sign: String {
        switch self {
        case .less: "<"
        case .atMost: "<="
        case .greater: ">"
        case .atLeast: ">="
        default: "="
        }
    }
}
