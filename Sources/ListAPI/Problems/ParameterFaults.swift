import Listings
import Rendering
import TableFiles

extension Problem.Fault {
    private init(
        _ parameter: String,
        _ code: String,
        _ detail: Text,
        _ change: Change? = nil,
        suggestion: String? = nil,
        member: (name: String, value: Int)? = nil
    ) {
        self.init(.parameter(parameter), code: code, detail: detail, suggestion: suggestion)
        self.change = change
        if let member { members = [(member.name, .integer(Int64(member.value)))] }
    }

    private init(removing parameter: String, _ code: String, _ detail: Text) {
        self.init(parameter, code, detail, .remove(parameter))
    }

    /// The address accepts other parameters; the columns are nil where it has no conditions.
    static func unknownParameter(
        _ name: String,
        suggestion: String? = nil,
        columns: [String]? = nil,
        known: @autoclosure () -> [String]
    ) -> Self {
        let detail: Text
        if let columns {
            detail = "No column or parameter '\(name)'. Columns: \(listed(columns))."
        } else {
            let known = known().joined(separator: ", ")
            detail =
                known.isEmpty
                ? "No parameter '\(name)': this address takes none."
                : "No parameter '\(name)'. Known here: \(known)."
        }
        let change = suggestion.map { Change.rename(name, to: $0) } ?? .remove(name)
        return Self(name, "unknown-parameter", detail, change, suggestion: suggestion)
    }

    static func malformedEncoding(_ name: String) -> Self {
        Self(
            removing: name,
            "malformed-encoding",
            "'\(name)' holds a % without two hexadecimal digits, or bytes that are not UTF-8."
        )
    }

    static func repeatedParameter(_ name: String) -> Self {
        Self(name, "repeated-parameter", "'\(name)' may be given once.")
    }

    static func missingParameter(_ name: String) -> Self {
        Self(name, "missing-parameter", "'\(name)' is needed here.")
    }

    static func missingValue(_ name: String) -> Self {
        Self(removing: name, "missing-value", "'\(name)' has no value.")
    }

    static func conflictingParameters(_ first: String, _ second: String) -> Self {
        let detail: Text = "'\(first)' and '\(second)' exclude one another."
        return Self(removing: second, "conflicting-parameters", detail)
    }

    static func tooManyValues(_ name: String, maximum: Int) -> Self {
        Self(name, "too-many-values", "'\(name)' may be given at most \(maximum) times.")
    }

    static func unknownOption(_ name: String, option: String, allowed: [String]) -> Self {
        let detail: Text = "No option '\(option)'; allowed: \(allowed.joined(separator: ", "))."
        return Self(name, "unknown-option", detail)
    }

    static func onlyOfFormat(_ name: String, format: String) -> Self {
        Self(removing: name, "only-of-format", "'\(name)' is for \(format) only.")
    }

    static func related(name: String, _ error: Self) -> Self {
        let parameter = "\(name).\(error.location?.name ?? "")"
        let suggestion = error.suggestion.map { "\(name).\($0)" }
        return Self(
            parameter,
            error.code,
            error.detail,
            .remove(parameter),
            suggestion: suggestion
        )
    }

    static func notANumber(_ name: String, value: String) -> Self {
        let detail: Text = "'\(name)' takes a whole number in digits, not '\(value)'."
        return Self(removing: name, "not-a-number", detail)
    }

    static func numberTooSmall(_ name: String, minimum: Int) -> Self {
        Self(removing: name, "number-too-small", "'\(name)' is at least \(minimum).")
    }

    static func limitTooLarge(maximum: Int) -> Self {
        let detail: Text = "At most \(maximum) rows a page."
        let change = Change.set("limit", to: "\(maximum)")
        return Self("limit", "limit-too-large", detail, change, member: ("maxLimit", maximum))
    }

    static func tooManyRows(limit: Int, perSection: Int, maximum: Int) -> Self {
        Self(
            "per_section",
            "too-many-rows",
            "\(limit) sections of \(perSection) rows are more than the \(maximum) rows of a page.",
            member: ("maxRows", maximum)
        )
    }

    static func pageTooDeep(maximum: Int) -> Self {
        let detail: Text = "With this limit, 'page' is at most \(maximum)."
        let change = Change.set("page", to: "\(maximum)")
        return Self("page", "page-too-deep", detail, change, member: ("maxPage", maximum))
    }

    static func offsetTooLarge(maximum: Int) -> Self {
        let detail: Text = "With this limit, 'offset' is at most \(maximum)."
        let change = Change.set("offset", to: "\(maximum)")
        return Self("offset", "offset-too-large", detail, change, member: ("maxOffset", maximum))
    }

    static func unknownSection(_ id: String, in name: String = "section") -> Self {
        Self(removing: name, "unknown-section", "No section '\(id)' in this grouping.")
    }

    static func invalidCursor(_ name: String) -> Self {
        Self(
            removing: name,
            "invalid-cursor",
            "The cursor in '\(name)' is malformed or belongs to another list, order or grouping."
        )
    }

    static func expiredCursor(_ name: String) -> Self {
        let detail: Text = "The cursor in '\(name)' is no longer accepted."
        return Self(removing: name, "cursor-expired", detail)
    }

    static func invalidVersion(_ name: String) -> Self {
        let detail: Text = "The version in '\(name)' is malformed or belongs to another page."
        return Self(name, "invalid-version", detail)
    }

    static func notALetter(_ name: String, value: String) -> Self {
        Self(removing: name, "not-a-letter", "'\(name)' takes one letter, not '\(value)'.")
    }

    static func noLetters(_ name: String) -> Self {
        let detail: Text = "'\(name)' needs an order that begins with a text: sort or group by one."
        return Self(removing: name, "no-letters", detail)
    }

    /// The numbers of columns that an error lists; more would hide its beginning.
    private static let listedColumns = 1...12

    private static func listed(_ columns: [String]) -> String {
        let names = columns.prefix(listedColumns.upperBound).joined(separator: ", ")
        return names + (columns.count > listedColumns.upperBound ? ", …" : "")
    }

    static func unknownColumn(
        _ name: String,
        column: String,
        suggestion: String?,
        columns: [String]
    ) -> Self {
        // A suggestion is more useful than the list of all names.
        let isListed = suggestion == nil && listedColumns.contains(columns.count)
        let names: Text = isListed ? "; columns: \(columns.joined(separator: ", "))" : ""
        return Self(
            name,
            "unknown-column",
            "No column '\(column)'" + names + ".",
            suggestion.map { .replace(column, with: $0, in: name) },
            suggestion: suggestion
        )
    }

    static func repeatedColumn(_ name: String, column: String) -> Self {
        Self(name, "repeated-column", "Column '\(column)' is named twice.")
    }

    static func tooManyColumns(_ name: String, maximum: Int) -> Self {
        let detail: Text =
            maximum == 1
            ? "One column may be named." : "At most \(maximum) columns may be named."
        return Self(name, "too-many-columns", detail)
    }

    static func tooManyPaths(_ name: String, maximum: Int) -> Self {
        Self(
            name,
            "too-many-paths",
            "At most \(maximum) columns of other rows, of JSON and of periods may be named."
        )
    }

    static func unusablePath(_ name: String, path: String, _ reason: PathReason) -> Self {
        let detail: Text =
            switch reason {
            case .memory: "'\(path)' needs a list of a database; this one is in memory."
            case .noJSON: "'\(path)' leads into a column that the database has no JSON in."
            case .unreachable:
                "'\(path)' needs both lists in one database, and keys of comparable types."
            case .restricted: "'\(path)' leads to rows of which you may read only some."
            }
        return Self(name, "unusable-path", detail)
    }

    enum PathReason {
        case memory
        /// The database does not read the column as JSON.
        case noJSON
        /// Another database has the rows of the other list, or its keys are of another type.
        case unreachable
        case restricted
    }

    static func unsortableColumn(_ column: String, allowed: [String]) -> Self {
        let others: Text =
            allowed.isEmpty ? "" : " Allowed: \(allowed.joined(separator: ", "))."
        let detail: Text = "The list cannot be sorted by '\(column)'." + others
        return Self("sort", "unsortable-column", detail)
    }

    static func ungroupableColumn(_ column: String, allowed: [String]) -> Self {
        let others: Text =
            allowed.isEmpty
            ? "this list has no column that can" : "\(allowed.joined(separator: ", ")) can"
        let detail = "'\(column)' does not make sections; " + others + "."
        return Self(removing: "group", "ungroupable-column", detail)
    }

    static func noInitials(_ column: String) -> Self {
        let detail: Text = "'\(column)' is not text and has no initials."
        return Self(removing: "group", "no-initials", detail)
    }

    static func unfacetableColumn(_ column: String, allowed: [String]) -> Self {
        let others: Text =
            allowed.isEmpty
            ? "this list has no column whose values are."
            : "\(allowed.joined(separator: ", ")) can be."
        let detail = "The values of '\(column)' are not counted; " + others
        return Self("facets", "unfacetable-column", detail)
    }

    static func unusableColumn(_ name: String, column: String, allowed: [String]) -> Self {
        let others: Text =
            allowed.isEmpty
            ? "this list has no column for it." : "columns for it: \(listed(allowed))."
        return Self(name, "unusable-column", "'\(name)' is not for '\(column)'; " + others)
    }

    static func malformedGroup(_ name: String, at location: Int, expected: String) -> Self {
        let detail: Text = "Character \(location) of '\(name)' must be \(expected)."
        return Self(name, "malformed-group", detail, member: ("position", location))
    }

    static func inGroup(_ name: String, at location: Int, _ error: Self) -> Self {
        Self(
            name,
            error.code,
            "Character \(location): \(error.detail)",
            suggestion: error.suggestion,
            member: ("position", location)
        )
    }

    static func unknownOperator(
        _ name: String,
        operation: String,
        _ allowed: [String],
        suggestion: String?
    ) -> Self {
        Self(
            name,
            "unknown-operator",
            "No operator '\(operation)'; allowed here: \(allowed.joined(separator: ", ")).",
            suggestion.map { .rename(name, to: $0) } ?? .remove(name),
            suggestion: suggestion
        )
    }

    static func unusableOperator(
        _ name: String,
        operation: String,
        _ allowed: [String],
        _ type: ColumnType?
    ) -> Self {
        let detail: Text =
            "'\(operation)' is not for \(type?.plural ?? "ids"); "
            + "allowed here: \(allowed.joined(separator: ", "))."
        return Self(removing: name, "unusable-operator", detail)
    }

    static func unfilterableColumn(_ name: String, column: String) -> Self {
        let detail: Text = "Rows cannot be filtered by '\(column)'."
        return Self(removing: name, "unfilterable-column", detail)
    }

    static func wrongType(_ name: String, value: String, _ type: ColumnType) -> Self {
        // A number with a decimal comma is meant with a point.
        let isReal = type == .real && value.contains(",")
        let number = isReal ? DecimalComma.number(value) : nil
        let hint: Text = number.map { " with a decimal point, such as \($0)" } ?? ""
        let detail: Text =
            "'\(name)' takes \(type.operandForm)" + hint + ", not '\(value)'."
        let change = number.map { Change.set(name, to: $0) } ?? .remove(name)
        return Self(name, "wrong-type", detail, change)
    }

    static func malformedList(_ name: String) -> Self {
        Self(
            removing: name,
            "malformed-list",
            "'\(name)' takes values between commas; a value that is empty, has a comma or begins with "
                + "a quotation mark stands between quotation marks, which are doubled inside."
        )
    }

    static func longList(_ name: String, maximum: Int) -> Self {
        Self(removing: name, "long-list", "'\(name)' takes at most \(maximum) values.")
    }

    static func tooManyFilters(_ name: String, maximum: Int) -> Self {
        Self(name, "too-many-filters", "At most \(maximum) conditions may be given.")
    }

    static func tooManyOperands(_ name: String, maximum: Int) -> Self {
        let detail: Text = "The conditions together may have at most \(maximum) values."
        return Self(name, "too-many-operands", detail)
    }

    static func unsearchableList(_ name: String) -> Self {
        Self(removing: name, "unsearchable-list", "This list has no text to search.")
    }

    static func emptySearch(_ name: String) -> Self {
        let detail: Text = "'\(name)' has no letter or digit to search for."
        return Self(removing: name, "empty-search", detail)
    }

    static func tooManyWords(_ name: String, maximum: Int) -> Self {
        Self(name, "too-many-words", "'\(name)' takes at most \(maximum) words.")
    }
}
