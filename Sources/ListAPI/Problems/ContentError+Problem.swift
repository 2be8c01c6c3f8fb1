import HTTP
import JSON
import Listings
import Rendering

/// The texts of all errors in the content of requests.
extension ContentError {
    /// The kind of problem of the error.
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
        case .controlCharacter, .invalidEscape, .loneSurrogate, .invalidUTF8, .nulCharacter,
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
