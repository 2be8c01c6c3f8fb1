import Bytes
import HTTP
import JSON
import Rendering

enum RequestContent: Sendable {
    case empty
    /// A JSON document; NDJSON lines form an array.
    case json(JSONValue)
    case form([QueryItems.Item])

    /// The accepted types are from ``MediaTypes``, and none is guessed from the bytes.
    init(
        _ request: borrowing HTTPRequest,
        _ types: [String] = MediaTypes.jsonOrForm
    ) throws(Problem) {
        guard !request.body.isEmpty else {
            self = .empty
            return
        }
        switch try Self.mediaType(of: request, types) {
        case MediaTypes.json, MediaTypes.mergePatch:
            do {
                self = .json(try JSONValue(parsing: request.body))
            } catch {
                throw .malformedJSON(error)
            }
        case MediaTypes.lines:
            do {
                self = .json(try JSONValue(parsingLines: request.body))
            } catch {
                throw .malformedJSON(error)
            }
        default:
            guard let text = String(validating: request.body, as: UTF8.self) else {
                throw .malformedForm(field: "")
            }
            do {
                self = .form(Array(try QueryItems(rawQuery: text)))
            } catch {
                switch error {
                case .malformedPercentEncoding(let name), .invalidUTF8(let name):
                    throw .malformedForm(field: name)
                }
            }
        }
    }

    enum MediaTypes {
        static let json = "application/json"
        static let mergePatch = "application/merge-patch+json"
        static let lines = "application/x-ndjson"
        static let form = "application/x-www-form-urlencoded"
        static let jsonOrForm = [json, form]
    }

    static func mediaType(
        of request: borrowing HTTPRequest,
        _ types: [String]
    ) throws(Problem) -> String {
        if let coding = request.field(.contentEncoding) {
            guard ["", "identity"].contains(coding.lowercased()) else {
                throw .unsupportedCoding(coding)
            }
        }
        guard let type = request.field(.contentType) else {
            throw .unsupportedMediaType(nil, allowed: types)
        }
        if types.contains(type) { return type }
        let mediaType = try mediaType(type, types)
        guard types.contains(mediaType) else {
            throw .unsupportedMediaType(type, allowed: types)
        }
        return mediaType
    }

    /// Only the parameter `charset=utf-8` is accepted, which is the default.
    private static func mediaType(
        _ field: String,
        _ types: [String]
    ) throws(Problem) -> String {
        let parts = field.split(separator: ";", omittingEmptySubsequences: false).map { part in
            String(part.drop { $0 == " " || $0 == "\t" }.lowercased())
        }
        for parameter in parts.dropFirst() {
            let bare = parameter.filter { $0 != "\"" && $0 != " " && $0 != "\t" }
            guard bare.isEmpty || bare == "charset=utf-8" else {
                throw .unsupportedMediaType(field, allowed: types)
            }
        }
        return String(parts[0].prefix { $0 != " " && $0 != "\t" })
    }
}

extension JSONValue {
    /// The value as JSON without white space; nil if it is nested too deeply for a cell.
    var compactText: String? {
        switch self {
        case .array(_, let text), .object(_, let text): return JSONText.compact(text)
        case .number(let text): return text
        case .null: return "null"
        case .boolean(let value): return value ? "true" : "false"
        case .text(let text):
            var buffer = ByteBuffer(minimumCapacity: text.utf8.count + 2)
            JSONWriter.write(to: &buffer) { $0.string(text) }
            return buffer.text()
        }
    }
}
