package import Listings

/// The SQL of an engine, as far as reading lists requires it.
///
/// Columns and parts of keys are given as positions in their ``TableDescription``.
package protocol Dialect: Sendable {
    /// The default position of nulls in ascending order.
    var nativeNulls: SortKey.Nulls { get }

    var keyOrder: KeyOrder { get }

    func placeholder(_ number: Int) -> String

    func selection(column: Int, of table: TableDescription) -> String

    /// A SELECT expression for the bytes of a column, to be read as ``ColumnType/bytes``.
    func bytes(column: Int, of table: TableDescription) -> String

    /// The condition that a value of a foreign key names a row by its key, and whether both are
    /// compared as they are stored. Nil if their values cannot be equal.
    ///
    /// Numbers are equal by value. A text names the key with its spelling.
    func naming(
        _ key: KeyOperand,
        by value: KeyOperand
    ) -> (condition: String, isPlain: Bool)?

    func comparand(column: Int, of table: TableDescription, as type: ColumnType) -> Operand

    func comparand(initialOf column: Int, of table: TableDescription) -> Operand

    /// The first letter of a column as an indexable expression, with a statement to run before. Nil
    /// for none.
    func index(
        initialOf column: Int,
        of table: TableDescription
    ) -> (expression: String, preparation: String?)

    func initial(of column: Int, of table: TableDescription) -> String

    /// A part of the key as an expression for ordering and comparing. Texts are compared byte by
    /// byte.
    func comparand(keyPart: Int, of table: TableDescription) -> Operand

    /// The comparisons that together are equivalent to a condition for order or equality.
    ///
    /// The operation is less, greater, equal or identical. The operand is a value that the column
    /// can hold, or a time span. Returns none if no row can meet the condition.
    func comparisons(
        _ operation: Filter.Operator,
        _ operand: CellValue,
        column: Int,
        of table: TableDescription,
        as type: ColumnType
    ) -> [Comparison]

    func key(of value: CellValue, comparingBytes: Bool) -> CellValue

    /// A statement that reads at most two different numbers of the formats of a column's texts, null
    /// for texts that are no times (``TimeForm``).
    ///
    /// Nil if the engine compares times itself.
    func timeForms(ofColumn column: Int, of table: TableDescription) -> String?

    func key(ofInitial letter: CellValue) -> CellValue

    func identity(keyPart: Int, of table: TableDescription, placeholder: Int) -> String

    /// Whether `max` is available for a part of the key.
    func hasGreatest(keyPart: Int, of table: TableDescription) -> Bool

    /// A statement that counts the rows of a table and can be interrupted by a deadline.
    func count(of table: TableDescription) -> String

    /// A statement that reads the number of rows in the engine's statistics: null without any.
    func estimate(of table: TableDescription) -> String

    /// Computes the texts of conditions that take long, once for the process.
    func prepareConditions()

    /// Whether the engine estimates how many rows match a condition, so that it needs no
    /// ``AccessPathChoice``.
    var knowsSelectivity: Bool { get }

    /// Whether one index look-up finds the rows after a row value, `(a, b) > ($1, $2)`.
    var comparesRows: Bool { get }

    /// Whether ranges joined by `UNION ALL` are read in sequence, each only if those before it have
    /// too few rows.
    var joinsRanges: Bool { get }

    /// An expression for which no index is used.
    func shielded(_ expression: String) -> String

    /// A column without case and accents: `TextCollation.folded(_:)` of a text, null for other
    /// values.
    func folded(column: Int, of table: TableDescription) -> String

    /// Conditions that together require each term in the folded words of one of the columns. The
    /// patterns of the terms are bound at the placeholders. The folded words are
    /// `TextSearch.words(of:)` of a text.
    func matches(
        _ terms: [TextSearch.Term],
        _ placeholders: [String],
        columns: [Int],
        of table: TableDescription,
        _ accessPath: AccessPathChoice
    ) -> [String]

    /// Whether a column always has the same text for a value, so that expressions of it can be
    /// indexed.
    func hasFixedText(column: Int, of table: TableDescription) -> Bool

    /// A condition implied by a column containing the folded text at a placeholder, which can use an
    /// index of texts. Nil if there is none.
    func hint(
        _ operation: Filter.Operator,
        _ text: String,
        column: Int,
        _ placeholder: String,
        columns: [Int],
        of table: TableDescription
    ) -> String?

    /// A column as an expression for tests of equality, which all indexes support.
    func equated(column: Int, of table: TableDescription, as type: ColumnType) -> Operand

    /// Whether a column can contain a value of its list type, so that a comparison makes sense.
    func accepts(_ operand: CellValue, of filter: Filter, in table: TableDescription) -> Bool

    /// Whether a part of the key can contain a value. Otherwise no row has an id with it.
    func accepts(_ value: CellValue, keyPart: Int, of table: TableDescription) -> Bool

    /// A condition that a text contains, begins with or ends with the value of a placeholder,
    /// letter for letter.
    func letters(_ text: String, _ operation: Filter.Operator, _ placeholder: String) -> String

    /// The index look-up of rows with a word. Nil if the table has no word index or the index
    /// splits the word.
    ///
    /// One placeholder holds the word. Two hold the bounds of a range, excluding the second.
    func search(
        for word: String,
        in table: TableDescription,
        _ placeholders: [String],
        _ accessPath: AccessPathChoice
    ) -> WordSearch?

    /// The values that a step derives from a column: an expression, and their form.
    ///
    /// Nil for a step to another list, and if the engine does not read the column as JSON. The names
    /// come from clients, so that the expression contains them as hexadecimal digits only.
    func derived(
        _ step: DerivedColumn.Step,
        fromColumn column: Int,
        of table: TableDescription
    ) -> (expression: String, column: TableDescription.StoredColumn)?

    func unnested(_ name: String) -> (source: String, element: String)

    /// A condition that a row is among those last gathered, or nil if the engine cannot gather; see
    /// ``EngineConnection/gather(_:in:)``.
    func isGathered(in table: TableDescription) -> String?
}

package struct KeyOperand: Sendable {
    package internal(set) var expression: String
    package let type: ColumnType
    package let engineType: String?
    package var isKeyed = false
    /// Whether all values are of the type.
    package var isTyped = true
}

package struct Comparison: Hashable, Sendable {
    package let sign: String
    package let value: CellValue
    package let expression: String?

    package init(_ sign: String, _ value: CellValue, of expression: String? = nil) {
        self.sign = sign
        self.value = value
        self.expression = expression
    }
}

package struct WordSearch: Sendable {
    package let source: String?
    package let condition: String?

    package init(source: String? = nil, condition: String? = nil) {
        self.source = source
        self.condition = condition
    }
}

extension Dialect {
    package func prepareConditions() {}

    package func key(of value: CellValue, comparingBytes: Bool) -> CellValue { value }

    package func timeForms(ofColumn column: Int, of table: TableDescription) -> String? { nil }

    package func key(ofInitial letter: CellValue) -> CellValue { letter }

    package func search(
        for word: String,
        in table: TableDescription,
        _ placeholders: [String],
        _ accessPath: AccessPathChoice
    ) -> WordSearch? { nil }

    package func isGathered(in table: TableDescription) -> String? { nil }

    package func hasFixedText(column: Int, of table: TableDescription) -> Bool { false }

    package func hint(
        _ operation: Filter.Operator,
        _ text: String,
        column: Int,
        _ placeholder: String,
        columns: [Int],
        of table: TableDescription
    ) -> String? { nil }

    package func index(
        initialOf column: Int,
        of table: TableDescription
    ) -> (expression: String, preparation: String?) {
        (comparand(initialOf: column, of: table).expression, nil)
    }

    package func equated(
        column: Int,
        of table: TableDescription,
        as type: ColumnType
    ) -> Operand {
        comparand(column: column, of: table, as: type)
    }

    package func accepts(
        _ operand: CellValue,
        of filter: Filter,
        in table: TableDescription
    ) -> Bool { true }
}

extension Filter.Operator {
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
