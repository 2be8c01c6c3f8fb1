import Listings

/// What is wrong with one query parameter.
enum ParameterError: Error, Hashable, Sendable {
    /// The address has a parameter that means nothing here.
    case unknownParameter(String, suggestion: String?)
    /// The name or value is not decodable: a broken `%` or bytes that are not UTF-8.
    case malformedEncoding(String)
    /// A parameter that may stand once stands more often.
    case repeatedParameter(String)
    /// A parameter that is needed is not there.
    case missingParameter(String)
    /// A parameter has no value.
    case missingValue(String)
    /// Two parameters exclude one another.
    case conflictingParameters(String, String)
    /// A number is expected.
    case notANumber(String, value: String)
    /// The number is below the smallest one allowed.
    case numberTooSmall(String, minimum: Int)
    /// More rows a page than the list allows.
    case limitTooLarge(maximum: Int)
    /// Sections times rows of each are more than a page may have.
    case tooManyRows(limit: Int, perSection: Int, maximum: Int)
    /// The page number is too deep to be counted to.
    case pageTooDeep(page: Int, deepest: Int, maximumRows: Int)
    /// No column has the name.
    case unknownColumn(String, column: String, suggestion: String?)
    /// A column is named twice.
    case repeatedColumn(String, column: String)
    /// More columns are named than may be.
    case tooManyColumns(String, maximum: Int)
    /// A parameter stands more often than it may.
    case tooManyValues(String, maximum: Int)
    /// The list cannot be sorted by the column.
    case unsortableColumn(String)
    /// The list cannot be cut into sections by the column.
    case ungroupableColumn(String, allowed: [String])
    /// Only text has initials.
    case noInitials(String)
    /// The word behind the colon is not known.
    case unknownOption(String, option: String, allowed: [String])
    /// Conditions on a column have no operator of the name.
    case unknownOperator(String, operation: String, [String], suggestion: String?)
    /// The operator is not for values of the column's type.
    case unusableOperator(String, operation: String, [String], ColumnType?)
    /// Rows cannot be left out for what they hold in the column.
    case unfilterableColumn(String, column: String)
    /// The value is not of the column's type.
    case wrongType(String, value: String, ColumnType)
    /// A list of values is not written as one.
    case malformedList(String)
    /// The list of values is too long.
    case longList(String, maximum: Int)
    /// There are more conditions than may be.
    case tooManyFilters(String, maximum: Int)
    /// The conditions together have more values than they may.
    case tooManyOperands(String, maximum: Int)
    /// The list has no text that could be searched.
    case unsearchableList(String)
    /// The search has no letter or digit.
    case emptySearch(String)
    /// The search has more words than it may have.
    case tooManyWords(String, maximum: Int)
    /// The values of the column cannot be counted.
    case unfacetableColumn(String, allowed: [String])
    /// One letter is expected.
    case notALetter(String, value: String)
    /// The order does not begin with a text.
    case noLetters(String)
    /// No section has the name.
    case unknownSection(String, in: String = "section")
    /// The cursor was not given out for this list and order.
    case invalidCursor(String)
    /// The cursor is of a kind that is honoured no longer.
    case expiredCursor(String)
    /// The version names nothing that was given out for this question.
    case invalidVersion(String)
}
