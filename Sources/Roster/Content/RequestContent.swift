import HTTP

/// The content of a request, taken apart by its media type.
enum RequestContent: Sendable {
    /// There is none.
    case empty
    /// A JSON document.
    case json(JSONValue)
    /// The fields of a form, in the order they were sent.
    case form([QueryItems.Item])

    /// Takes the content of a request apart.
    ///
    /// - Throws: Why it cannot be read; nothing is guessed from the bytes.
    init(_ request: borrowing HTTPRequest) throws(ContentError) {
        guard !request.body.isEmpty else {
            self = .empty
            return
        }
        guard let type = request.field(.contentType) else { throw .missingMediaType }
        switch try Self.mediaType(type) {
        case "application/json":
            do {
                self = .json(try JSONValue(parsing: request.body))
            } catch {
                throw .malformedJSON(error)
            }
        case "application/x-www-form-urlencoded":
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
        default: throw .unsupportedMediaType(type)
        }
    }

    /// The media types that are read here, the preferred one first.
    static let mediaTypes = ["application/json", "application/x-www-form-urlencoded"]

    /// The media type in lower case, without its parameters: of these only `charset=utf-8` is
    /// known, and it says nothing new.
    private static func mediaType(_ field: String) throws(ContentError) -> String {
        let parts = field.split(separator: ";", omittingEmptySubsequences: false).map { part in
            String(part.drop { $0 == " " || $0 == "\t" }.lowercased())
        }
        for parameter in parts.dropFirst() {
            let bare = parameter.filter { $0 != "\"" && $0 != " " && $0 != "\t" }
            guard bare.isEmpty || bare == "charset=utf-8" else {
                throw .unsupportedMediaType(field)
            }
        }
        return String(parts[0].prefix { $0 != " " && $0 != "\t" })
    }
}

/// Why the content of a request cannot be read.
enum ContentError: Error, Hashable, Sendable {
    /// There is content, and nothing says what it is.
    case missingMediaType
    /// The content is of a type that is not read here.
    case unsupportedMediaType(String)
    /// The content is not the JSON it is said to be.
    case malformedJSON(JSONSyntaxError)
    /// A field of the form cannot be decoded.
    case malformedForm(field: String)
}
