import Listings

/// An error in one query parameter.
enum ParameterError: Error, Hashable, Sendable {
    /// The address does not accept the parameter.
    case unknownParameter(String, suggestion: String?, columns: [String]? = nil)
    /// The name or value cannot be decoded: a broken `%` or bytes that are not UTF-8.
    case malformedEncoding(String)
    /// A parameter occurs more often than once.
    case repeatedParameter(String)
    /// A required parameter is missing.
    case missingParameter(String)
    case missingValue(String)
    /// Two parameters exclude one another.
    case conflictingParameters(String, String)
    /// A number is expected.
    case notANumber(String, value: String)
    /// The number is below the smallest one allowed.
    case numberTooSmall(String, minimum: Int)
    /// The limit exceeds the list's maximum number of rows a page.
    case limitTooLarge(maximum: Int)
    /// The sections times their rows exceed the maximum of a page.
    case tooManyRows(limit: Int, perSection: Int, maximum: Int)
    /// The page number exceeds the deepest page.
    case pageTooDeep(page: Int, deepest: Int, maximumRows: Int)
    /// The offset ends after the last row that offsets reach.
    case offsetTooLarge(maximum: Int, maximumRows: Int)
    /// Joined conditions are malformed at a character.
    case malformedGroup(String, at: Int, expected: String)
    /// An error in a condition that begins at a character of a parameter.
    indirect case inGroup(String, at: Int, ParameterError)
    /// No column has the name; the columns are those that the parameter allows.
    case unknownColumn(String, column: String, suggestion: String?, columns: [String])
    /// A condition on the rows that a foreign key names has an error.
    indirect case related(name: String, ParameterError)
    /// A column is named twice.
    case repeatedColumn(String, column: String)
    /// More columns are named than allowed.
    case tooManyColumns(String, maximum: Int)
    /// A parameter occurs more often than allowed.
    case tooManyValues(String, maximum: Int)
    /// More paths to further columns are named than allowed.
    case tooManyPaths(String, maximum: Int)
    /// The path leads to no column that the list can be read by.
    case unusablePath(String, path: String, PathReason)
    /// The list cannot be sorted by the column.
    case unsortableColumn(String, allowed: [String])
    /// The column cannot group the list.
    case ungroupableColumn(String, allowed: [String])
    /// The column has no initials, because it is not text.
    case noInitials(String)
    case unknownOption(String, option: String, allowed: [String])
    /// The parameter is for another format.
    case onlyOfFormat(String, format: String)
    case unknownOperator(String, operation: String, [String], suggestion: String?)
    /// The operator does not apply to the column's type.
    case unusableOperator(String, operation: String, [String], ColumnType?)
    /// The column cannot be filtered.
    case unfilterableColumn(String, column: String)
    /// The value is not of the column's type.
    case wrongType(String, value: String, ColumnType)
    /// The list of values is malformed.
    case malformedList(String)
    /// The list of values is too long.
    case longList(String, maximum: Int)
    /// There are more filters than allowed.
    case tooManyFilters(String, maximum: Int)
    /// The filters together have more values than allowed.
    case tooManyOperands(String, maximum: Int)
    /// The list has no text that could be searched.
    case unsearchableList(String)
    /// The search has no letter or digit.
    case emptySearch(String)
    /// The search has more words than allowed.
    case tooManyWords(String, maximum: Int)
    /// The values of the column cannot be counted.
    case unfacetableColumn(String, allowed: [String])
    /// The column has no such aggregate.
    case unusableColumn(String, column: String, allowed: [String])
    /// One letter is expected.
    case notALetter(String, value: String)
    /// The order does not begin with a text.
    case noLetters(String)
    /// No section has the name.
    case unknownSection(String, in: String = "section")
    /// The cursor is malformed, or was issued for another list or order.
    case invalidCursor(String)
    /// The cursor has a format that is no longer accepted.
    case expiredCursor(String)
    /// The version is malformed, or was issued for another query.
    case invalidVersion(String)
}

extension ParameterError {
    /// The reason why a path cannot be used.
    enum PathReason: Hashable, Sendable {
        /// The rows are in memory.
        case memory
        /// The database does not read the column as JSON.
        case noJSON
        /// Another database has the rows of the other list, or its keys are of another type.
        case unreachable
        /// The caller may see some rows of the other list only.
        case restricted
    }
}
