import HTTP
import JSON
import Listings
import Rendering

extension Problem {
    static func unsupportedMediaType(_ type: String?, allowed types: [String]) -> Problem {
        let types = types.joined(separator: ", ")
        let reason: Text =
            type.map { "Content of type '\($0)' is not read here" }
            ?? "The request has content and no Content-Type"
        return Problem(
            .unsupportedMediaType,
            reason + "; read here: \(types).",
            fields: [("Accept", types)]
        )
    }

    static func unsupportedCoding(_ coding: String) -> Problem {
        Problem(
            .unsupportedMediaType,
            "Content coded as '\(coding)' is not read here; send it without a Content-Encoding.",
            fields: [("Accept-Encoding", "identity")]
        )
    }

    static func malformedJSON(_ error: JSONSyntaxError) -> Problem {
        let reason = error.reason.text
        let detail: Text = "The content stops being JSON at byte \(error.offset): \(reason)."
        return Problem(.malformedContent, detail)
    }

    static func malformedForm(field: String) -> Problem {
        Problem(
            .malformedContent,
            "The field '\(field)' holds a % without two hexadecimal digits, or bytes that are not "
                + "UTF-8."
        )
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

extension Problem.Fault {
    static func unknownMember(_ name: String, at location: Location, allowed: [String]) -> Self {
        Self(
            location,
            code: "unknown-member",
            detail: allowed.isEmpty
                ? "Nothing is expected in the content of this request."
                : "Known here: \(allowed.joined(separator: ", ")).",
            suggestion: Suggestion.nearest(to: name, among: allowed)
        )
    }

    static func malformed(_ location: Location, _ wanted: Text) -> Self {
        Self(location, code: "malformed-value", detail: "This takes \(wanted).")
    }

    static func repeated(_ location: Location) -> Self {
        Self(location, code: "repeated-value", detail: "This may be given once.")
    }

    static func conflicting(_ location: Location, choices: [String]) -> Self {
        let detail: Text = "Exactly one of \(choices.joined(separator: ", ")) is taken."
        return Self(location, code: "conflicting-members", detail: detail)
    }

    static func missing(_ location: Location?, choices: [String]) -> Self {
        let detail: Text = "One of \(choices.joined(separator: ", ")) is needed."
        return Self(location, code: "missing-member", detail: detail)
    }

    static func missingContent(_ rules: RowRules) -> Self {
        let columns = ["id"] + rules.columns.map(\.id)
        return Self(
            nil,
            code: "missing-content",
            detail: "No value is given. A row takes a JSON object, {} for one without values, "
                + "with: \(columns.joined(separator: ", "))."
        )
    }

    static func unknownColumn(_ location: Location, suggestion: String? = nil) -> Self {
        let detail: Text = "No column has this name."
        return Self(location, code: "unknown-column", detail: detail, suggestion: suggestion)
    }

    static func readOnlyColumn(_ location: Location) -> Self {
        let detail: Text = "Clients cannot set this column; leave it out."
        return Self(location, code: "not-writable", detail: detail)
    }

    static func otherID(_ location: Location, than id: String) -> Self {
        let detail: Text = "The address names row '\(id)'; an id cannot be changed."
        return Self(location, code: "other-id", detail: detail)
    }

    static func tooManyRows(_ location: Location?, maximum: Int) -> Self {
        var fault = Self(
            location,
            code: "too-many-rows",
            detail: "At most \(maximum) rows at once."
        )
        fault.members = [("maxRows", .integer(Int64(maximum)))]
        return fault
    }

    static func tooManyMembers(_ location: Location?, maximum: Int) -> Self {
        Self(location, code: "too-many-members", detail: "At most \(maximum) members or fields.")
    }
}

extension FieldValidationError {
    func fault(_ rules: RowRules, _ notation: RowDecoder.Notation) -> Problem.Fault {
        let (code, detail): (String, Text) =
            switch reason {
            case .missing: ("missing-value", "A value is needed here.")
            case .wrongType(let type): ("wrong-type", "This takes \(type.writtenForm).")
            case .holdsNUL:
                ("unstorable-text", "The text holds U+0000, which cannot be stored.")
            case .tooLong(let maximum): ("text-too-long", "At most \(maximum) bytes.")
            case .againstRule:
                ("against-rule", "The database has a rule that this value does not follow.")
            case .violates(let constraint):
                ("against-rule", "The value violates '\(constraint)' of the database.")
            case .notGiven: ("not-writable", "The database makes this value; leave it out.")
            case .readAs(let type):
                (
                    "other-type",
                    "A reader of the file would take this for \(type.writtenForm). The operator of "
                        + "the server sets the type of a column by --types."
                )
            case .refused(let text): ("against-rule", Text(text))
            }
        let name = column.map { rules.columns[$0].id } ?? ListSchema.idName
        return Problem.Fault(notation.location(of: name), code: code, detail: detail)
    }
}

extension RowRefusal {
    func problem(
        _ rules: RowRules,
        _ notation: RowDecoder.Notation,
        _ list: String
    ) -> Problem {
        func problem(
            _ kind: ProblemKind,
            _ code: String,
            fault: Text,
            _ detail: Text? = nil
        ) -> Problem {
            let location = notation.location(of: ListSchema.idName)
            let fault = Problem.Fault(location, code: code, detail: fault)
            return Problem(kind, detail ?? fault.detail, faults: [fault])
        }
        switch self {
        case .invalid(let errors):
            return Problem(.invalidRow, "", faults: errors.map { $0.fault(rules, notation) })
        case .unknownRow(let id):
            return problem(.notFound, "unknown-row", fault: "No row '\(id)' in \(list).")
        case .existingRow(let id):
            return problem(.conflict, "existing-row", fault: "The id '\(id)' is taken.")
        case .takenValues(let columns, let constraint):
            let violation = Self.violation(of: constraint)
            var taken = problem(
                .conflict,
                "taken-value",
                fault: "Another row has values that may be there once.\(violation)",
                "Another row has what may be there once; nothing was written."
            )
            guard !columns.isEmpty else { return taken }
            let detail: Text = "Another row has this value, which may be there once.\(violation)"
            taken.faults = columns.map { column in
                let location = notation.location(of: rules.columns[column].id)
                return Problem.Fault(location, code: "taken-value", detail: detail)
            }
            return taken
        case .againstPolicy:
            return problem(
                .forbidden,
                "against-policy",
                fault: "A row-level security policy of the database does not allow this row.",
                "A row-level security policy of the database does not allow this row; nothing was "
                    + "written."
            )
        case .byProgram(let refusal): return Problem(refusal)
        case .referredTo(let id, let constraint):
            let violation = Self.violation(of: constraint)
            return problem(
                .conflict,
                "referred-to",
                fault: "Other rows refer to row '\(id)'.\(violation)",
                "Other rows refer to row '\(id)'; nothing was written.\(violation)"
            )
        case .failedCondition(let id):
            return problem(
                .preconditionFailed,
                "failed-condition",
                fault: "Row '\(id)' has changed.",
                "Row '\(id)' is not in the state that the request means."
            )
        case .changedInFile(let id, let conflicts):
            return Problem(
                .conflict,
                "Another program has changed row '\(id)' in the file; nothing was written.",
                faults: conflicts.map { conflict in
                    let column = rules.columns[conflict.column]
                    let before = conflict.before.plainText
                    let detail: Text =
                        conflict.now.map { now in
                            "The file has '\(now.plainText)' now. The edit began from '\(before)'."
                        } ?? "The row is gone. The edit began from '\(before)'."
                    let location = notation.location(of: column.id)
                    return Problem.Fault(location, code: "changed-in-file", detail: detail)
                }
            )
        }
    }

    private static func violation(of constraint: String) -> Text {
        constraint.isEmpty ? "" : " This violates '\(constraint)'."
    }
}

extension Problem {
    init(_ refusal: Refusal) {
        let kind: ProblemKind =
            switch refusal.kind {
            case .invalid: .malformedContent
            case .forbidden: .forbidden
            case .notFound: .notFound
            case .conflict: .conflict
            }
        self.init(kind, Text(refusal.reason))
    }
}
