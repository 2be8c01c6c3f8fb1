import HTTP
import JSON
import Listings
import Rendering

/// The texts of all errors in the content of requests.
extension ContentError {
    var kind: ProblemKind {
        switch self {
        case .missingMediaType, .unsupportedMediaType, .unsupportedCoding: .unsupportedMediaType
        case .malformedJSON, .malformedForm: .malformedContent
        }
    }

    /// The readable types or codings, as a field of the response (RFC 9110 §15.5.16); nil for other
    /// errors.
    var readable: (name: FieldName, value: String)? {
        switch self {
        case .missingMediaType(let allowed), .unsupportedMediaType(_, let allowed):
            (.accept, allowed.joined(separator: ", "))
        case .unsupportedCoding: (.acceptEncoding, "identity")
        case .malformedJSON, .malformedForm: nil
        }
    }

    /// The error, for people.
    var detail: String {
        switch self {
        case .missingMediaType(let allowed):
            "The request has content and no Content-Type; read here: "
                + allowed.joined(separator: ", ") + "."
        case .unsupportedMediaType(let type, let allowed):
            "Content of type '\(type)' is not read here; read here: "
                + allowed.joined(separator: ", ") + "."
        case .unsupportedCoding(let coding):
            "Content coded as '\(coding)' is not read here; send it without a Content-Encoding."
        case .malformedJSON(let error):
            "The content stops being JSON at byte \(error.offset): \(error.reason.text)."
        case .malformedForm(let field):
            "The field '\(field)' holds a % without two hexadecimal digits, or bytes that are not "
                + "UTF-8."
        }
    }
}

extension JSONSyntaxError.Reason {
    fileprivate var text: String {
        switch self {
        case .unexpectedEnd: "it ends too early"
        case .unexpectedByte, .missingSurrogate, .invalidNumber:
            "something else is expected there"
        case .repeatedName(let name): "the name '\(name)' stands twice in one object"
        case .tooDeep(let limit): "it is nested over \(limit) deep"
        case .controlCharacter, .invalidEscape, .loneSurrogate, .invalidUTF8,
            .stringTooLong:
            "a text holds a control character, a broken escape or bytes that are not UTF-8"
        }
    }
}

extension ContentValidationError {
    /// The fault in the response.
    var fault: Problem.Fault {
        var fault = Problem.Fault(place, code: code, detail: detail)
        if case .tooMany(let maximum) = kind {
            fault.members = [("maxRows", .integer(Int64(maximum)))]
        }
        if case .unknown(let allowed) = kind {
            fault.suggestion = Suggestion.nearest(to: name, among: allowed)
        }
        return fault
    }

    private var name: String {
        switch place {
        case .parameter(let name), .field(let name): name
        case .pointer(let pointer): String(pointer.dropFirst())
        case nil: ""
        }
    }

    private var code: String {
        switch kind {
        case .unknown: "unknown-member"
        case .malformed: "malformed-value"
        case .repeated: "repeated-value"
        case .ambiguous: "conflicting-members"
        case .missing: "missing-member"
        case .missingContent: "missing-content"
        case .unknownColumn: "unknown-column"
        case .otherID: "other-id"
        case .tooMany: "too-many-rows"
        case .tooManyMembers: "too-many-members"
        }
    }

    private var detail: String {
        switch kind {
        case .unknown(let allowed):
            allowed.isEmpty
                ? "Nothing is expected in the content of this request."
                : "Known here: \(allowed.joined(separator: ", "))."
        case .malformed(let wanted): "This takes \(wanted.text)."
        case .repeated: "This may be given once."
        case .ambiguous(let choices): "Exactly one of \(choices.joined(separator: ", ")) is taken."
        case .missing(let choices): "One of \(choices.joined(separator: ", ")) is needed."
        case .missingContent(let columns):
            "No value is given. A row takes a JSON object, {} for one without values, with: "
                + columns.joined(separator: ", ") + "."
        case .unknownColumn: "No column has this name."
        case .otherID(let id): "The address names row '\(id)'; an id cannot be changed."
        case .tooMany(let maximum): "At most \(maximum) rows at once."
        case .tooManyMembers(let maximum): "At most \(maximum) members or fields."
        }
    }
}

extension ContentValidationError.Wanted {
    fileprivate var text: String {
        switch self {
        case .object: "an object"
        case .key: "1 to 255 visible ASCII characters, quoted or not"
        case .rows: "an array of rows, each an object"
        case .text: "a text that is not empty"
        case .texts: "an array of texts that are not empty"
        case .trueOnly: "true"
        case .place: "a section and a row: [0, 3] in JSON, 0,3 in a form"
        case .direction: "up or down"
        }
    }
}

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
        case .againstRule, .violates, .refused: "against-rule"
        case .notGiven: "not-writable"
        }
    }

    /// The error, for people.
    var detail: String {
        switch reason {
        case .missing: "A value is needed here."
        case .wrongType(let type): "This takes \(type.writtenForm)."
        case .holdsNUL: "The text holds U+0000, which cannot be stored."
        case .tooLong(let maximum): "At most \(maximum) bytes."
        case .againstRule: "The database has a rule that this value does not follow."
        case .violates(let constraint): "The value violates '\(constraint)' of the database."
        case .notGiven: "The database makes this value; leave it out."
        case .refused(let text): text
        }
    }
}

/// The texts of all refusals of rows by a list.
extension RowRefusal {
    /// Returns the problem of a refused row.
    ///
    /// - Parameters:
    ///   - rules: The rules of the list's rows.
    ///   - notation: The notation of the row.
    ///   - list: The name of the list.
    /// - Returns: The kind of the problem, and its faults.
    func told(
        _ rules: RowRules,
        _ notation: RowDecoder.Notation,
        list: String
    ) -> (kind: ProblemKind, faults: [Problem.Fault]) {
        func fault(_ code: String, _ detail: String) -> [Problem.Fault] {
            [Problem.Fault(notation.place(of: ListSchema.idName), code: code, detail: detail)]
        }
        switch self {
        case .invalid(let faults):
            return (.invalidRow, faults.map { $0.fault(rules, notation) })
        case .unknownRow(let id):
            return (.notFound, fault("unknown-row", "No row '\(id)' in \(list)."))
        case .existingRow(let id):
            return (.conflict, fault("existing-row", "The id '\(id)' is taken."))
        case .takenValues(let columns, let constraint):
            let violation = Self.violation(of: constraint)
            let faults = columns.map { column in
                Problem.Fault(
                    notation.place(of: rules.columns[column].id),
                    code: "taken-value",
                    detail: "Another row has this value, which may be there once.\(violation)"
                )
            }
            let unnamed = "Another row has values that may be there once.\(violation)"
            return (.conflict, faults.isEmpty ? fault("taken-value", unnamed) : faults)
        case .againstPolicy:
            let detail = "A row-level security policy of the database does not allow this row."
            return (.forbidden, fault("against-policy", detail))
        case .referredTo(let id, let constraint):
            let detail = "Other rows refer to row '\(id)'.\(Self.violation(of: constraint))"
            return (.conflict, fault("referred-to", detail))
        case .failedCondition(let id):
            return (.preconditionFailed, fault("failed-condition", "Row '\(id)' has changed."))
        }
    }

    /// Returns the sentence that names a violated constraint, after a space; empty without a name.
    static func violation(of constraint: String) -> String {
        constraint.isEmpty ? "" : " This violates '\(constraint)'."
    }
}

/// The texts about a remote service that fails, for all clients; the log has more for operators.
extension RefreshFailure {
    /// The name of the failure for programs.
    var code: String {
        switch self {
        case .unreachable: "unreachable"
        case .refused: "refused"
        case .misunderstood: "misunderstood"
        }
    }

    /// The error, for people.
    var detail: String {
        switch self {
        case .unreachable: "The service that has the rows does not respond."
        case .refused(let status): "The service that has the rows responds with status \(status)."
        case .misunderstood: "The response of the service that has the rows is not a list."
        }
    }
}
