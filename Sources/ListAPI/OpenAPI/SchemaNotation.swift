/// A parser of JSON Schemas in a notation like that of TypeScript.
///
/// ```text
/// definition = name "=" schema
/// schema     = [description] choice *("|" choice)
/// choice     = part *("&" part)
/// part       = (object / word / name / "(" schema ")") *"[]"
/// object     = "{" [member *("," member)] "}"
/// member     = ("*" / name ["?"]) ":" schema
/// ```
///
/// A description stands between quotation marks, a word between apostrophes. A name is one of
/// ``simple`` or a reference; `~` in it stands for the prefix of a list.
struct SchemaNotation {
    private var rest: Substring
    private let prefix: String

    static func definitions(_ text: String, prefix: String = "") -> [(String, JSONPart)] {
        var parser = SchemaNotation(rest: text[...], prefix: prefix)
        var all: [(String, JSONPart)] = []
        repeat {
            let name = prefix + parser.name()
            parser.expect("=")
            all.append((name, parser.schema()))
        } while !parser.rest.isEmpty
        return all
    }

    private static let simple: [String: JSONPart] = [
        "text": OpenAPISchemas.text, "number": OpenAPISchemas.number,
        "boolean": OpenAPISchemas.boolean, "integer": ["type": "integer"],
        "object": ["type": "object"], "null": ["type": "null"],
        "address": ["type": "string", "format": "uri-reference"],
        "value": ["type": ["string", "number", "boolean"]],
    ]

    private mutating func take(_ sign: Character) -> Bool {
        guard rest.first == sign else { return false }
        rest = rest.dropFirst().drop(while: \.isWhitespace)
        return true
    }

    private mutating func expect(_ sign: Character) {
        precondition(take(sign), "\(sign) is missing before \(rest.prefix(40))")
    }

    private mutating func name() -> String {
        let name = rest.prefix { $0.isLetter || $0.isNumber || "._~".contains($0) }
        precondition(!name.isEmpty, "a name is missing before \(rest.prefix(40))")
        rest = rest[name.endIndex...].drop(while: \.isWhitespace)
        return String(name).replacing("~", with: prefix)
    }

    private mutating func quoted(_ sign: Character) -> String? {
        guard rest.first == sign else { return nil }
        let text = rest.dropFirst().prefix { $0 != sign }
        rest = rest[text.endIndex...]
        expect(sign)
        return String(text)
    }

    private mutating func schema() -> JSONPart {
        let description = quoted("\"")
        var words: [String] = []
        var choices: [JSONPart] = []
        repeat {
            if let word = quoted("'") { words.append(word) } else { choices.append(choice()) }
        } while take("|")
        if !words.isEmpty { choices.insert(["enum": JSONPart(texts: words)], at: 0) }
        let schema: JSONPart = choices.count == 1 ? choices[0] : ["anyOf": .array(choices)]
        return description.map { JSONPart([("description", .text($0))]).with(schema) } ?? schema
    }

    private mutating func choice() -> JSONPart {
        var parts = [part()]
        while take("&") { parts.append(part()) }
        return parts.count == 1 ? parts[0] : ["allOf": .array(parts)]
    }

    private mutating func part() -> JSONPart {
        var schema: JSONPart
        if take("{") {
            schema = object()
        } else if take("(") {
            schema = self.schema()
            expect(")")
        } else {
            let name = name()
            schema = Self.simple[name] ?? OpenAPISchemas.reference(name)
        }
        while take("[") {
            expect("]")
            schema = OpenAPISchemas.array(of: schema)
        }
        return schema
    }

    private mutating func object() -> JSONPart {
        var others: JSONPart?
        var members: [(String, JSONPart)] = []
        var required: [String] = []
        while !take("}") {
            if take("*") {
                expect(":")
                others = self.schema()
            } else {
                let name = name()
                if !take("?") { required.append(name) }
                expect(":")
                members.append((name, self.schema()))
            }
            _ = take(",")
        }
        return [
            "type": "object",
            "additionalProperties": others,
            "properties": members.isEmpty ? nil : JSONPart(members),
            "required": required.isEmpty ? nil : JSONPart(texts: required),
        ]
    }
}
