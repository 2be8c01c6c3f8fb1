/// What is wrong with one query parameter.
enum ParameterError: Error, Hashable, Sendable {
    /// The address has a parameter that means nothing here.
    case unknownParameter(String, suggestion: String?)
    /// The name or value is not decodable: a broken `%` or bytes that are not UTF-8.
    case malformedEncoding(String)
    /// A parameter that may stand once stands more often.
    case repeatedParameter(String)
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
    /// No section has the name.
    case unknownSection(String, in: String = "section")
    /// The cursor was not given out for this list and order.
    case invalidCursor(String)
    /// The cursor is of a kind that is honoured no longer.
    case expiredCursor(String)
}
