import Listings
import Rendering
import TableFiles

/// The texts of all errors of parameters.
extension ParameterError {
    /// Returns the error as a fault in the response.
    ///
    /// - Parameters:
    ///   - known: The parameters of the address.
    ///   - address: Makes the corrected address.
    /// - Returns: The fault, with its texts.
    func fault(known: [String], address: (Correction) -> String) -> Problem.Fault {
        var fault = Problem.Fault(.parameter(parameter), code: code, detail: detail(known: known))
        fault.members = members
        fault.suggestion = suggestion
        fault.correction = correction.map(address)
        return fault
    }

    /// The name of the parameter with the error.
    var parameter: String {
        switch self {
        case .unknownParameter(let name, _, _), .malformedEncoding(let name),
            .repeatedParameter(let name), .missingValue(let name), .notANumber(let name, _),
            .numberTooSmall(let name, _), .unknownColumn(let name, _, _, _),
            .repeatedColumn(let name, _), .tooManyColumns(let name, _),
            .tooManyValues(let name, _), .unknownOption(let name, _, _), .invalidCursor(let name),
            .expiredCursor(let name), .conflictingParameters(_, let name),
            .unknownOperator(let name, _, _, _), .unusableOperator(let name, _, _, _),
            .unfilterableColumn(let name, _), .wrongType(let name, _, _), .malformedList(let name),
            .longList(let name, _), .tooManyFilters(let name, _),
            .tooManyOperands(let name, _), .unsearchableList(let name),
            .emptySearch(let name), .tooManyWords(let name, _), .notALetter(let name, _),
            .noLetters(let name), .missingParameter(let name), .invalidVersion(let name),
            .onlyOfFormat(let name, _), .malformedGroup(let name, _, _),
            .inGroup(let name, _, _), .unusableColumn(let name, _, _),
            .tooManyPaths(let name, _), .unusablePath(let name, _, _):
            name
        case .related(let name, let error): "\(name).\(error.parameter)"
        case .offsetTooLarge: "offset"
        case .unfacetableColumn: "facets"
        case .limitTooLarge: "limit"
        case .tooManyRows: "per_section"
        case .pageTooDeep: "page"
        case .unsortableColumn: "sort"
        case .ungroupableColumn, .noInitials: "group"
        case .unknownSection(_, let name): name
        }
    }

    /// The name of the error for programs.
    var code: String {
        switch self {
        case .related(_, let error): error.code
        case .unknownParameter: "unknown-parameter"
        case .malformedEncoding: "malformed-encoding"
        case .repeatedParameter: "repeated-parameter"
        case .missingParameter: "missing-parameter"
        case .missingValue: "missing-value"
        case .conflictingParameters: "conflicting-parameters"
        case .notANumber: "not-a-number"
        case .numberTooSmall: "number-too-small"
        case .limitTooLarge: "limit-too-large"
        case .tooManyRows: "too-many-rows"
        case .pageTooDeep: "page-too-deep"
        case .offsetTooLarge: "offset-too-large"
        case .malformedGroup: "malformed-group"
        case .inGroup(_, _, let error): error.code
        case .unknownColumn: "unknown-column"
        case .repeatedColumn: "repeated-column"
        case .tooManyColumns: "too-many-columns"
        case .tooManyValues: "too-many-values"
        case .tooManyPaths: "too-many-paths"
        case .unusablePath: "unusable-path"
        case .unsortableColumn: "unsortable-column"
        case .ungroupableColumn: "ungroupable-column"
        case .noInitials: "no-initials"
        case .unknownOption: "unknown-option"
        case .onlyOfFormat: "only-of-format"
        case .unknownOperator: "unknown-operator"
        case .unusableOperator: "unusable-operator"
        case .unfilterableColumn: "unfilterable-column"
        case .wrongType: "wrong-type"
        case .malformedList: "malformed-list"
        case .longList: "long-list"
        case .tooManyFilters: "too-many-filters"
        case .tooManyOperands: "too-many-operands"
        case .unsearchableList: "unsearchable-list"
        case .emptySearch: "empty-search"
        case .tooManyWords: "too-many-words"
        case .unfacetableColumn: "unfacetable-column"
        case .unusableColumn: "unusable-column"
        case .notALetter: "not-a-letter"
        case .noLetters: "no-letters"
        case .unknownSection: "unknown-section"
        case .invalidCursor: "invalid-cursor"
        case .expiredCursor: "cursor-expired"
        case .invalidVersion: "invalid-version"
        }
    }

    private func detail(known: [String]) -> String {
        switch self {
        case .unknownParameter(let name, _, let columns?):
            "No column or parameter '\(name)'. Columns: \(Self.listed(columns))."
        case .unknownParameter(let name, _, nil):
            known.isEmpty
                ? "No parameter '\(name)': this address takes none."
                : "No parameter '\(name)'. Known here: \(known.joined(separator: ", "))."
        case .related(_, let error): error.detail(known: known)
        case .malformedEncoding(let name):
            "'\(name)' holds a % without two hexadecimal digits, or bytes that are not UTF-8."
        case .repeatedParameter(let name): "'\(name)' may be given once."
        case .missingParameter(let name): "'\(name)' is needed here."
        case .missingValue(let name): "'\(name)' has no value."
        case .conflictingParameters(let first, let second):
            "'\(first)' and '\(second)' exclude one another."
        case .notANumber(let name, let value):
            "'\(name)' takes a whole number in digits, not '\(value)'."
        case .numberTooSmall(let name, let minimum): "'\(name)' is at least \(minimum)."
        case .limitTooLarge(let maximum): "At most \(maximum) rows a page."
        case .tooManyRows(let limit, let perSection, let maximum):
            "\(limit) sections of \(perSection) rows are more than the \(maximum) rows of a page."
        case .pageTooDeep(let page, let deepest, let maximumRows):
            "Page \(page) is after the first \(maximumRows) rows, where pages have numbers; "
                + "follow the next link of page \(deepest)."
        case .offsetTooLarge(let maximum, let maximumRows):
            "'offset' reaches the first \(maximumRows) rows: with this limit it is at most "
                + "\(maximum). Follow the next links to later rows."
        case .malformedGroup(let name, let place, let expected):
            "Character \(place) of '\(name)' must be \(expected)."
        case .inGroup(_, let place, let error):
            "Character \(place): \(error.detail(known: known))"
        case .unknownColumn, .repeatedColumn, .tooManyColumns, .unsortableColumn,
            .ungroupableColumn, .noInitials, .tooManyPaths, .unusablePath,
            .unknownOption:
            columnDetail
        case .tooManyValues(let name, let maximum):
            "'\(name)' may be given at most \(maximum) times."
        case .unknownOperator, .unusableOperator, .unfilterableColumn, .wrongType, .malformedList,
            .longList, .tooManyFilters, .tooManyOperands, .unsearchableList, .emptySearch,
            .tooManyWords,
            .unfacetableColumn, .unusableColumn, .notALetter, .noLetters:
            filterDetail
        case .onlyOfFormat(let name, let format): "'\(name)' is for \(format) only."
        case .unknownSection(let id, _): "No section '\(id)' in this grouping."
        case .invalidCursor(let name):
            "The cursor in '\(name)' is malformed or belongs to another list, order or grouping."
        case .expiredCursor(let name): "The cursor in '\(name)' is no longer accepted."
        case .invalidVersion(let name):
            "The version in '\(name)' is malformed or belongs to another page."
        }
    }

    /// The numbers of columns that an error lists; more would hide its beginning.
    private static let listedColumns = 1...12

    /// Returns the first names of many.
    private static func listed(_ columns: [String]) -> String {
        let names = columns.prefix(listedColumns.upperBound).joined(separator: ", ")
        return names + (columns.count > listedColumns.upperBound ? ", …" : "")
    }

    private var columnDetail: String {
        switch self {
        case .unknownColumn(_, let column, let suggestion, let columns):
            // A suggestion is more useful than the list of all names.
            let isListed = suggestion == nil && Self.listedColumns.contains(columns.count)
            let names = isListed ? "; columns: \(columns.joined(separator: ", "))" : ""
            return "No column '\(column)'\(names)."
        case .repeatedColumn(_, let column): return "Column '\(column)' is named twice."
        case .tooManyColumns(_, 1): return "One column may be named."
        case .tooManyColumns(_, let maximum): return "At most \(maximum) columns may be named."
        case .tooManyPaths(_, let maximum):
            return "At most \(maximum) columns of other rows, of JSON and of periods may be named."
        case .unusablePath(_, let path, let reason):
            switch reason {
            case .memory: return "'\(path)' needs a list of a database; this one is in memory."
            case .noJSON: return "'\(path)' leads into a column that the database has no JSON in."
            case .unreachable:
                return
                    "'\(path)' needs both lists in one database, and keys of comparable types."
            case .restricted:
                return "'\(path)' leads to rows of which you may read only some."
            }
        case .unsortableColumn(let column, let allowed):
            let others = allowed.isEmpty ? "" : " Allowed: \(allowed.joined(separator: ", "))."
            return "The list cannot be sorted by '\(column)'.\(others)"
        case .ungroupableColumn(let column, let allowed):
            let others =
                allowed.isEmpty
                ? "this list has no column that can" : allowed.joined(separator: ", ") + " can"
            return "'\(column)' does not make sections; \(others)."
        case .noInitials(let column): return "'\(column)' is not text and has no initials."
        case .unknownOption(_, let option, let allowed):
            return "No option '\(option)'; allowed: \(allowed.joined(separator: ", "))."
        default: return ""
        }
    }

    private var suggestion: String? {
        switch self {
        case .unknownParameter(_, let suggestion, _), .unknownColumn(_, _, let suggestion, _),
            .unknownOperator(_, _, _, let suggestion):
            suggestion
        case .related(let name, let error): error.suggestion.map { "\(name).\($0)" }
        case .inGroup(_, _, let error): error.suggestion
        default: nil
        }
    }

    private var members: [(name: String, value: CellValue)] {
        switch self {
        case .limitTooLarge(let maximum): [("maxLimit", .integer(Int64(maximum)))]
        case .offsetTooLarge(let maximum, _): [("maxOffset", .integer(Int64(maximum)))]
        case .malformedGroup(_, let place, _), .inGroup(_, let place, _):
            [("position", .integer(Int64(place)))]
        case .tooManyRows(_, _, let maximum): [("maxRows", .integer(Int64(maximum)))]
        case .pageTooDeep(_, let deepest, _): [("maxPage", .integer(Int64(deepest)))]
        default: []
        }
    }

    private var correction: Correction? {
        switch self {
        case .unknownParameter(let name, let suggestion?, _),
            .unknownOperator(let name, _, _, let suggestion?):
            .rename(name, to: suggestion)
        case .related: .remove(parameter)
        case .unknownParameter(let name, nil, _), .missingValue(let name),
            .unknownOperator(let name, _, _, nil), .unusableOperator(let name, _, _, _),
            .unfilterableColumn(let name, _), .malformedList(let name),
            .longList(let name, _), .unsearchableList(let name), .emptySearch(let name),
            .notALetter(let name, _), .noLetters(let name),
            .malformedEncoding(let name), .notANumber(let name, _), .numberTooSmall(let name, _),
            .invalidCursor(let name), .expiredCursor(let name), .conflictingParameters(_, let name),
            .onlyOfFormat(let name, _):
            .remove(name)
        case .wrongType(let name, let value, let type):
            Self.withPoint(value, type).map { .set(name, to: $0) } ?? .remove(name)
        case .limitTooLarge(let maximum): .set("limit", to: "\(maximum)")
        case .offsetTooLarge(let maximum, _): .set("offset", to: "\(maximum)")
        case .pageTooDeep(_, let deepest, _): .set("page", to: "\(deepest)")
        case .unknownColumn(let name, let column, let suggestion?, _):
            .replace(column, with: suggestion, in: name)
        case .unknownSection(_, let name): .remove(name)
        case .ungroupableColumn, .noInitials: .remove("group")
        case .repeatedParameter, .tooManyRows, .unknownColumn, .repeatedColumn, .tooManyColumns,
            .tooManyValues, .unsortableColumn, .tooManyFilters, .tooManyOperands, .tooManyWords,
            .unfacetableColumn,
            .unknownOption, .missingParameter, .invalidVersion, .malformedGroup, .inGroup,
            .unusableColumn, .tooManyPaths, .unusablePath:
            nil
        }
    }
}

/// A correction of an address.
enum Correction: Hashable, Sendable {
    /// The parameter is renamed.
    case rename(String, to: String)
    /// The parameter gets another value.
    case set(String, to: String)
    /// A word of the parameter's value is replaced.
    case replace(String, with: String, in: String)
    /// The parameter is removed.
    case remove(String)
}

/// The texts about parameters that filter rows and count them.
extension ParameterError {
    /// Returns a number with a decimal comma in the spelling with a point; nil for other values.
    fileprivate static func withPoint(_ value: String, _ type: ColumnType) -> String? {
        guard type == .real, value.contains(",") else { return nil }
        return DecimalComma.number(value)
    }

    var filterDetail: String {
        switch self {
        case .unknownOperator(_, let operation, let allowed, _):
            "No operator '\(operation)'; allowed here: \(allowed.joined(separator: ", "))."
        case .unusableOperator(_, let operation, let allowed, let type):
            "'\(operation)' is not for \(type?.plural ?? "ids"); "
                + "allowed here: \(allowed.joined(separator: ", "))."
        case .unfilterableColumn(_, let column): "Rows cannot be filtered by '\(column)'."
        case .wrongType(let name, let value, let type):
            "'\(name)' takes \(type.operandForm)"
                + (Self.withPoint(value, type).map { " with a decimal point, such as \($0)" } ?? "")
                + ", not '\(value)'."
        case .malformedList(let name):
            "'\(name)' takes values between commas; a value that is empty, has a comma or begins with "
                + "a quotation mark stands between quotation marks, which are doubled inside."
        case .longList(let name, let maximum): "'\(name)' takes at most \(maximum) values."
        case .tooManyFilters(_, let maximum): "At most \(maximum) conditions may be given."
        case .tooManyOperands(_, let maximum):
            "The conditions together may have at most \(maximum) values."
        case .unsearchableList: "This list has no text to search."
        case .emptySearch(let name): "'\(name)' has no letter or digit to search for."
        case .tooManyWords(let name, let maximum): "'\(name)' takes at most \(maximum) words."
        case .unfacetableColumn(let column, let allowed):
            "The values of '\(column)' are not counted; "
                + (allowed.isEmpty
                    ? "this list has no column whose values are."
                    : "\(allowed.joined(separator: ", ")) can be.")
        case .unusableColumn(let name, let column, let allowed):
            "'\(name)' is not for '\(column)'; "
                + (allowed.isEmpty
                    ? "this list has no column for it."
                    : "columns for it: \(Self.listed(allowed)).")
        case .notALetter(let name, let value): "'\(name)' takes one letter, not '\(value)'."
        case .noLetters(let name):
            "'\(name)' needs an order that begins with a text: sort or group by one."
        default: ""
        }
    }
}
