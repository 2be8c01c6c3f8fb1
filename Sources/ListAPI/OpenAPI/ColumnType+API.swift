import Listings
import Rendering

extension ColumnType {
    private static let lowestInteger: JSONPart = .integer(Int.min)
    private static let highestInteger: JSONPart = .integer(Int.max)

    private var shownSchema: JSONPart {
        switch form {
        case .text: OpenAPISchemas.nullableText
        case .integer:
            [
                "description": "Beyond ±2⁵³ a text of digits.",
                "type": ["integer", "string", "null"],
            ]
        case .real:
            [
                "description": "A text where no double has the value: many digits, NaN, Infinity.",
                "type": ["number", "string", "null"],
            ]
        case .boolean: ["type": ["boolean", "null"]]
        case .date: ["type": ["string", "null"], "format": "date"]
        case .timestamp:
            ["description": "ISO 8601, as it is stored.", "type": ["string", "null"]]
        case .json: ["type": ["array", "object", "null"], "items": [:]]
        case .bytes:
            [
                "type": ["object", "null"],
                "properties": [
                    "bytes": ["type": "integer", "minimum": 0],
                    "href": [
                        "description": "The address of the bytes.", "type": "string",
                        "format": "uri-reference",
                    ],
                ],
                "required": ["bytes"],
            ]
        }
    }

    static let schemas: [(String, JSONPart)] = {
        var all = [("Operand.ids", texts("+")), ("Operand.texts", texts("*"))]
        for type in allCases {
            all.append((type.cellName, type.shownSchema))
            all += [false, true].map { (type.writtenName($0), type.storedSchema(isRequired: $0)) }
            all += [Filter.Operator.equal, .among, .contains, .identical]
                .map { (type.operandName($0), type.operandSchema($0)) }
        }
        var names: Set<String> = []
        return all.filter { name, schema in
            OpenAPISchemas.use(name, schema) != schema && names.insert(name).inserted
        }
    }()

    private var cellName: String { "Cell.\(rawValue)" }

    private func writtenName(_ isRequired: Bool) -> String {
        "Value.\(rawValue)" + (isRequired ? ".required" : "")
    }

    private func operandName(_ operation: Filter.Operator) -> String {
        let type = isText ? "text" : rawValue
        return switch operation {
        case .among, .notAmong: takesTexts ? "Operand.texts" : "Operand.\(type).list"
        case .identical: "Operand.\(type).name"
        default: "Operand.\(type)"
        }
    }

    var cellSchema: JSONPart { OpenAPISchemas.use(cellName, shownSchema) }

    func writtenSchema(isRequired: Bool) -> JSONPart {
        OpenAPISchemas.use(writtenName(isRequired), storedSchema(isRequired: isRequired))
    }

    func operand(_ operation: Filter.Operator) -> JSONPart {
        OpenAPISchemas.use(operandName(operation), operandSchema(operation))
    }

    static func operandOfIDs(_ operation: Filter.Operator) -> JSONPart {
        operation.takesList
            ? OpenAPISchemas.reference("Operand.ids") : ["type": "string", "minLength": 1]
    }

    private var takesTexts: Bool { operandPattern == nil || self == .timestamp }

    private func operandSchema(_ operation: Filter.Operator) -> JSONPart {
        switch operation {
        case .isNull: return OpenAPISchemas.boolean
        case .identical: return nameSchema
        case .contains, .startsWith, .endsWith: return ["type": "string", "minLength": 1]
        case .among, .notAmong:
            guard let pattern = operandPattern, !takesTexts else { return Self.texts("*") }
            // A comma ends a value.
            let value = "(\(pattern.replacing("[.,]", with: "[.]")))"
            return ["type": "string", "pattern": .text("^\(value)(,\(value))*$")]
        default:
            guard let pattern = operandPattern else {
                return isText ? OpenAPISchemas.text : ["type": "string", "minLength": 1]
            }
            return ["type": "string", "pattern": .text("^(\(pattern))$")]
        }
    }

    private static func texts(_ repetition: String) -> JSONPart {
        [
            "description": """
            Texts with commas between them; a text that has a comma or begins with a quotation \
            mark stands in quotation marks, and those in it are doubled.
            """,
            "type": "string", "pattern": .text(listOfTexts(repetition)),
        ]
    }

    private static func listOfTexts(_ repetition: String) -> String {
        let value = #"("([^"]|"")"# + repetition + #""|[^",][^,]*)"#
        return "^\(value)(,\(value))*$"
    }

    private var nameSchema: JSONPart {
        let value =
            switch form {
            case .text: "[^~].*"
            case .integer: "0|-?[1-9][0-9]{0,17}"
            case .real: "0|-?[1-9][0-9]{0,14}([.][0-9]*[1-9])?"
            case .boolean: "true|false"
            case .date: "(?!0000)[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])"
            case .timestamp, .json, .bytes: "~"
            }
        return [
            "description": "The id of a section of the column.", "type": "string",
            "pattern": .text("^(~\(isText ? "" : "(t:.*)?")|\(value))$"),
        ]
    }

    private var operandPattern: String? {
        switch form {
        case .text, .json, .bytes: nil
        // A year, a month, a day or a minute names all of it.
        case .timestamp, .date: Self.period
        case .integer, .real:
            "[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?([0-9]{1,2}|[12][0-9]{2}))?|NaN|-?Infinity"
        case .boolean: "true|false"
        }
    }

    private static let hour = "([01][0-9]|2[0-3])"
    private static let sixtieth = "[0-5][0-9]"

    private static let day =
        "([0-9]{4}-((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)"
        + "|02-(0[1-9]|1[0-9]|2[0-8]))|[0-9]{2}(0[48]|[2468][048]|[13579][26])-02-29)"

    private static let period =
        "(?!0000)([0-9]{4}(-(0[1-9]|1[0-2]))?|\(day)"
        + "([Tt ]\(hour):\(sixtieth)(:\(sixtieth)([.,][0-9]{1,9})?)?"
        + "([Zz]|[+-]\(hour)(:?\(sixtieth))?)?)?)"

    func storedSchema(isRequired: Bool) -> JSONPart {
        let schema: JSONPart
        switch form {
        case .text: schema = textSchema(isRequired: isRequired)
        case .integer:
            schema = [
                "description": "Beyond ±2⁵³ also a text of digits, as in responses.",
                "type": "integer", "format": "int64", "minimum": Self.lowestInteger,
                "maximum": Self.highestInteger,
            ]
        case .real:
            schema = [
                "description": "Where no double has the value also a text, as in responses.",
                "type": "number",
            ]
        case .boolean: schema = OpenAPISchemas.boolean
        case .date: schema = ["type": "string", "format": "date"]
        case .timestamp: schema = ["type": "string", "format": "date-time"]
        case .json:
            schema = [
                "type": ["array", "boolean", "number", "object", "string"], "items": [:],
            ]
        case .bytes: schema = ["type": "null"]
        }
        return isRequired ? schema : OpenAPISchemas.nullable(schema)
    }

    private func textSchema(isRequired: Bool) -> JSONPart {
        switch self {
        case .email: ["type": "string", "pattern": .text(Self.address), "maxLength": 254]
        case .link: ["type": "string", "pattern": .text(Self.webAddress)]
        default:
            ["type": "string", "pattern": .text(isRequired ? Self.notBlank : "^[^\\u0000]*$")]
        }
    }

    /// A pattern of texts with at least one character that is no blank, and without U+0000.
    static let notBlank: String = {
        let blanks =
            "\\t-\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000"
        return "^[^\\u0000]*[^\\u0000\(blanks)][^\\u0000]*$"
    }()

    private static let address: String = {
        let atom = #"[!#-'*+\-/-9=?A-Z^-~]"#
        let local = "\(atom)(\(#"[!#-'*+\-./-9=?A-Z^-~]"#)*\(atom))?"
        let label = "[0-9A-Za-z]([0-9A-Za-z-]*[0-9A-Za-z])?"
        return "^\(local)@\(label)([.]\(label))+$"
    }()

    private static let webAddress: String = {
        let refused = #"\u0000- \u007f"<>\\^`{|}"#
        return "^[Hh][Tt][Tt][Pp][Ss]?://[^/?#:\(refused)][^\(refused)]*$"
    }()

    var writtenForm: Text {
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

    var plural: String {
        switch form {
        case .text: "texts"
        case .integer, .real: "numbers"
        case .boolean: "yes and no"
        case .date: "dates"
        case .timestamp: "times"
        case .json: "JSON values"
        case .bytes: "bytes"
        }
    }

    var operandForm: Text {
        switch form {
        case .text: "a text"
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
