import Listings

/// The texts about parameters that filter rows and count them.
extension ParameterError {
    var filterDetail: String {
        switch self {
        case .unknownOperator(_, let operation, let allowed, _):
            "No operator '\(operation)'; allowed here: \(allowed.joined(separator: ", "))."
        case .unusableOperator(_, let operation, let allowed, let type):
            "'\(operation)' is not for \(Self.values(of: type)); "
                + "allowed here: \(allowed.joined(separator: ", "))."
        case .unfilterableColumn(_, let column): "Rows cannot be filtered by '\(column)'."
        case .wrongType(let name, let value, let type):
            "'\(name)' takes \(Self.description(of: type)), not '\(value)'."
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
        case .notALetter(let name, let value): "'\(name)' takes one letter, not '\(value)'."
        case .noLetters(let name):
            "'\(name)' needs an order that begins with a text: sort or group by one."
        default: ""
        }
    }

    private static func values(of type: ColumnType?) -> String {
        switch type {
        case nil: "ids"
        case .text, .email, .link: "texts"
        case .integer, .real: "numbers"
        case .boolean: "yes and no"
        case .date: "dates"
        case .timestamp: "times"
        case .json: "JSON values"
        case .bytes: "bytes"
        }
    }

    private static func description(of type: ColumnType) -> String {
        switch type {
        case .text, .email, .link: "a text"
        case .integer: "a whole number in digits"
        case .real: "a number"
        case .boolean: "true or false"
        case .date: "a date as YYYY-MM-DD, or a month or year of them"
        case .timestamp:
            "a time as YYYY-MM-DDTHH:MM:SS with or without Z or an offset, or a day, month or year"
        case .json: "a value of JSON, in quotes if it is a text"
        case .bytes: "bytes as pairs of hexadecimal digits"
        }
    }
}
