import HTTP
import Listings
import Rendering

struct ListDescription {
    let endpoint: ServedList
    let segments: [Segments.Segment]
    let writing: WritePolicy
    let mayWrite: Bool
    let key: String
    var embeddable: [String] = []

    init(_ endpoint: ServedList, _ options: ServiceOptions, mayWrite: Bool = true) {
        self.endpoint = endpoint
        self.mayWrite = mayWrite
        segments = endpoint.definition.segments?.all ?? []
        writing = options.writing
        key = Self.componentName(endpoint.definition.name)
    }

    var name: String { endpoint.definition.name }
    var title: String { endpoint.definition.title }

    var summary: String {
        let about = endpoint.definition.about
        let source = about.source.map { "Source: \($0)" }
        let license = about.license.map { "License: \($0)" }
        return [title, about.description, source, license].compactMap(\.self)
            .joined(separator: "\n\n")
    }
    var schema: ListSchema { endpoint.schema }
    var columns: [Column] { schema.columns }
    var rules: RowRules? { mayWrite ? endpoint.writer?.rules : nil }

    func target(_ place: ListPlace) -> ListResource {
        ListResource(endpoint, place, nil, embeds: !embeddable.isEmpty, segments: segments)
    }

    /// Different names stay different.
    static func componentName(_ name: String) -> String {
        var text = ""
        for byte in name.utf8 {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "_"), UInt8(ascii: "-"):
                text.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                text += "." + (digits.utf8.count < 2 ? "0" : "") + digits
            }
        }
        return text
    }

    func reference(_ name: String) -> JSONPart { OpenAPISchemas.reference("\(key).\(name)") }

    var schemas: JSONPart {
        let cells = columns.map { ($0.id, $0.type.cellSchema) }
        let shown: JSONPart = ["type": "object", "properties": JSONPart(cells)]
        var own = [("Cells", shown)]
        if let rules {
            own.append(("NewRow", storedSchema(rules, .insert)))
            own.append(("WholeRow", storedSchema(rules, .replace)))
            own.append(("Change", storedSchema(rules, .merge)))
        }
        let read = SchemaNotation.definitions(Self.read, prefix: "\(key).")
        return JSONPart(read + own.map { ("\(key).\($0.0)", $0.1) } + valueSchemas)
    }

    private static let read = """
        Row = Row & { cells: ~Cells }
        AnyRow = ~Row | FailedRow
        RowPage = RowPage & { row: ~AnyRow }
        Section = SectionPage & { rows: ~AnyRow[] }
        Page = Page & { sections: ~Section[] }
        Rows = ~Page | RowValues
        """

    // MARK: - What is written

    /// The id is a part of the address, except for ``RowChange/Verb/insert``.
    private func storedSchema(_ rules: RowRules, _ verb: RowChange.Verb) -> JSONPart {
        var properties: [(String, JSONPart)] = []
        if verb == .insert { properties.append((ListSchema.idName, idSchema(rules))) }
        for position in rules.givenColumns {
            let column = rules.columns[position]
            let isRequired = rules.required.contains(position)
            properties.append((column.id, column.type.writtenSchema(isRequired: isRequired)))
        }
        let required = verb == .merge ? [] : rules.required.sorted().map { rules.columns[$0].id }
        return [
            "type": "object",
            "properties": JSONPart(properties),
            "additionalProperties": false,
            "required": required.isEmpty ? nil : JSONPart(texts: required),
        ]
    }

    private func idSchema(_ rules: RowRules) -> JSONPart {
        switch rules.idType {
        case .integer: ["type": "integer", "format": "int64"]
        default:
            [
                "description": "At most \(RowRules.maximumIDBytes) bytes.", "type": "string",
                "pattern": "^[^\\u0000]+$",
            ]
        }
    }
}
