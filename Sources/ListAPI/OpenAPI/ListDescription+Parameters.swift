import HTTP
import Listings

/// The parameters of a list's addresses.
extension ListDescription {
    /// The parameters of the list, by the names of their components.
    var parameters: JSONPart {
        let described = ListParameter.allCases.compactMap { parameter in
            description(of: parameter).map { (parameter.name, $0) }
        }
        return JSONPart(
            (described + conditions).map { (componentName(ofParameter: $0.0), $0.1) }
        )
    }

    /// Returns references to the parameters that an address of the list accepts.
    func parameters(of accepted: ListParameter.Accepted) -> [JSONPart] {
        let parameters = accepted.parameters
        let described = parameters.filter { description(of: $0) != nil }.map(\.name)
        // A column may have the name of a parameter for changes, which wins at that address.
        let taken = Set(parameters.map(\.name))
        let conditions =
            accepted.contains(.conditions) ? conditions.map(\.0).filter { !taken.contains($0) } : []
        return (described + conditions).map { name in
            ["$ref": "#/components/parameters/\(componentName(ofParameter: name))"]
        }
    }

    private func componentName(ofParameter name: String) -> String {
        "\(key).parameter.\(Self.componentName(name))"
    }

    /// Returns the description of a parameter that the addresses of the list share.
    private func description(of parameter: ListParameter) -> JSONPart? {
        switch parameter {
        case .since, .include, .onDuplicate, .on: nil
        default: inlineDescription(of: parameter)
        }
    }

    /// Returns the description of a parameter; nil where the list does not have it.
    func inlineDescription(of parameter: ListParameter) -> JSONPart? {
        guard let description = parameter.description(in: context) else { return nil }
        let schema = valueSchema(of: parameter, description)
        var described: JSONPart = ["name": .text(parameter.name), "in": "query"]
        if parameter.isRequired { described = described.with(["required": true]) }
        described = described.with(["description": .text(description.summary), "schema": schema])
        let isRepeatable = parameter.maximumOccurrences != nil
        guard description.isList || isRepeatable else { return described }
        return described.with(["style": "form", "explode": .boolean(isRepeatable)])
    }

    private var context: ListParameter.Context {
        ListParameter.Context(
            schema: schema,
            segments: segments,
            canCollapse: endpoint.reader.canCollapse,
            hasOutline: endpoint.reader.hasOutline,
            findsRows: endpoint.reader.findsRows,
            embeddable: embeddable,
            ownSection: endpoint.reader.firstOwnSection
        )
    }

    private func valueSchema(
        of parameter: ListParameter,
        _ description: ListParameter.Description
    ) -> JSONPart {
        if let maximum = parameter.maximumOccurrences {
            let items: JSONPart =
                switch parameter {
                case .or, .not: ["type": "string", "pattern": "^\\(.+\\)$"]
                case _ where parameter.mayBeEmpty: OpenAPISchemas.text
                default: ["type": "string", "minLength": 1]
                }
            return ["type": "array", "items": items, "maxItems": .integer(maximum)]
        }
        var schema: JSONPart
        switch description.values {
        case .number(let minimum, let maximum):
            schema = [
                "type": "integer", "minimum": .integer(minimum), "maximum": .integer(maximum),
            ]
        case .text: schema = ["type": "string", "minLength": 1]
        case .letter: schema = ["type": "string", "minLength": 1, "maxLength": 1]
        case .word(let words): schema = ["enum": JSONPart(texts: words)]
        case .words(let words, let maximum):
            schema = [
                "type": "array",
                // Words with commas cannot be named, because commas separate the words.
                "items": ["enum": JSONPart(texts: words.filter { !$0.contains(",") })],
                "minItems": 1, "maxItems": .integer(maximum), "uniqueItems": true,
            ]
        }
        // Generated clients send the defaults, and these two exclude each other.
        guard let value = description.defaultValue, parameter != .page, parameter != .offset
        else { return schema }
        if case .number = description.values, let number = Int(value) {
            return schema.with(["default": .integer(number)])
        }
        let parts = value.split(separator: ",").map(String.init)
        return schema.with(["default": description.isList ? JSONPart(texts: parts) : .text(value)])
    }

    private var conditions: [(String, JSONPart)] {
        let name = ListSchema.idName
        let ofIDs = schema.operatorsForIDs.map { operation in
            condition(name, Column.label(from: name), .text, operation, isID: true)
        }
        return ofIDs
            + schema.filterable.flatMap { position in
                let column = columns[position]
                let operators = schema.operators(for: column).filter { operation in
                    position != schema.idColumn || !operation.isAllowedForIDs
                }
                return operators.map { condition(column.id, column.label, column.type, $0) }
            }
    }

    private func condition(
        _ id: String,
        _ label: String,
        _ type: ColumnType,
        _ operation: Filter.Operator,
        isID: Bool = false
    ) -> (String, JSONPart) {
        let name = operation == .equal ? id : "\(id)__\(operation.rawValue)"
        let condition: JSONPart = [
            "name": .text(name), "in": "query", "description": "\(label): \(operation.meaning)",
            "schema": type.askedSchema(operation, isID: isID),
        ]
        let isArray = operation.takesList && !type.isText
        return (name, isArray ? condition.with(["style": "form", "explode": false]) : condition)
    }
}

extension ListParameter.Description {
    /// Whether the value is a list, separated by commas.
    fileprivate var isList: Bool {
        if case .words = values { true } else { false }
    }
}

extension Filter.Operator {
    /// The meaning of the condition, for people.
    fileprivate var meaning: String {
        switch self {
        case .equal: "the value."
        case .notEqual: "another value, or none."
        case .less: "stands before the value."
        case .atMost: "stands before the value, or is it."
        case .greater: "stands after the value."
        case .atLeast: "stands after the value, or is it."
        case .among: "one of the values."
        case .notAmong: "none of the values, or no value."
        case .contains: "has the text, whatever the case and the accents."
        case .startsWith: "begins with the text, whatever the case and the accents."
        case .endsWith: "ends with the text, whatever the case and the accents."
        case .isNull: "has no value: true; has one: false."
        case .identical: "exactly the value, in its type, as ids of sections name it."
        }
    }
}
