import Listings
import Rendering

/// The texts of all errors of values that cannot be stored.
extension FieldValidationError {
    /// Returns the fault in the response.
    func fault(_ rules: RowRules, _ notation: RowDecoder.Notation) -> Problem.Fault {
        let name = column.map { rules.columns[$0].id } ?? ListSchema.idName
        return Problem.Fault(notation.place(of: name), code: code, detail: detail)
    }

    private var code: String {
        switch reason {
        case .missing: "missing-value"
        case .wrongType: "wrong-type"
        case .holdsNUL: "unstorable-text"
        case .tooLong: "text-too-long"
        case .againstRule, .violates: "against-rule"
        case .notGiven: "not-writable"
        }
    }

    /// The error, for people.
    var detail: String {
        switch reason {
        case .missing: "A value is needed here."
        case .wrongType(let type): "This takes \(type.wanted)."
        case .holdsNUL: "The text holds U+0000, which cannot be stored."
        case .tooLong(let maximum): "At most \(maximum) bytes."
        case .againstRule: "The database has a rule that this value does not follow."
        case .violates(let constraint): "The value violates '\(constraint)' of the database."
        case .notGiven: "The database makes this value; leave it out."
        }
    }
}

extension ColumnType {
    /// The form of the type's values, for people.
    fileprivate var wanted: String {
        switch self {
        case .text: "a text"
        case .email: "an e-mail address such as name@example.org"
        case .link: "an address that begins with http:// or https://"
        case .integer: "a whole number such as 42"
        case .real: "a number such as 2.5"
        case .boolean: "true or false"
        case .date: "a day such as 2024-02-29"
        case .timestamp: "a date with a time such as 2024-02-29T12:00:00Z"
        case .json: "a value of JSON, in quotes if it is a text"
        case .bytes: "no value: bytes cannot be written here"
        }
    }
}
