import HTTP
import Listings

extension ListDescription {
    private typealias Described = (parameter: Parameter, description: Parameter.Description)

    private var described: [Described] {
        var traits = ListTraits(endpoint, segments, embeds: !embeddable.isEmpty)
        traits.embeddable = embeddable
        traits.ownSection = endpoint.reader.firstOwnSection
        return ListParameter.documented.compactMap { id in
            let parameter = Parameter.of(id)
            return parameter.description(in: traits).map { (parameter, $0) }
        }
    }

    /// The parameters of the list, by the names of their components; lists share some of them.
    var parameters: JSONPart {
        JSONPart(
            described.map { parameter, description in
                let prefix = prefix(of: parameter)
                return (prefix + parameter.id.part, parameter.part(description, prefix))
            }
        )
    }

    func parameters(of accepted: ParameterSet) -> [JSONPart] {
        described.map(\.parameter).filter { accepted.contains($0.id) }.map { parameter in
            ["$ref": "#/components/parameters/\(prefix(of: parameter))\(parameter.id.part)"]
        }
    }

    /// Parameters of the same description belong to all lists.
    private func prefix(of parameter: Parameter) -> String {
        parameter.isConstant ? "" : "\(key)."
    }

    /// The words that are values of parameters, and the conditions, by the names of their schemas.
    var valueSchemas: [(String, JSONPart)] {
        let conditions: JSONPart = [
            "type": "object", "properties": JSONPart(conditions), "additionalProperties": false,
        ]
        let words = described.compactMap { parameter, description in
            parameter.words(description).map { (prefix(of: parameter) + $0.0, $0.1) }
        }
        return words + [("\(key).Conditions", conditions)]
    }

    private var conditions: [(String, JSONPart)] {
        let ofIDs = schema.operatorsForIDs.map { operation in
            condition(ListSchema.idName, operation, ColumnType.operandOfIDs(operation))
        }
        return ofIDs
            + schema.filterable.flatMap { position in
                let column = columns[position]
                let operators = schema.operators(for: column).filter { operation in
                    position != schema.idColumn || !operation.isAllowedForIDs
                }
                return operators.map { condition(column.id, $0, column.type.operand($0)) }
            }
    }

    private func condition(
        _ id: String,
        _ operation: Filter.Operator,
        _ operand: String
    ) -> (String, JSONPart) {
        let name = operation == .equal ? id : "\(id)__\(operation.rawValue)"
        return (name, OpenAPISchemas.reference(operand))
    }
}

extension ListParameter {
    fileprivate var part: String { self == .conditions ? "conditions" : name }
}

extension Parameter {
    fileprivate func part(_ description: Description, _ prefix: String) -> JSONPart {
        // Generated clients send defaults, so that only the text names them.
        let standard = description.defaultValue.map { " Default: \($0)." } ?? ""
        var part: JSONPart = [
            "name": .text(id.part), "in": "query",
            "description": .text(description.summary + standard),
            "schema": values(description, prefix),
        ]
        if id == .since { part = part.with(["required": true]) }
        let isRepeated = maximumOccurrences != nil || id == .conditions
        guard isRepeated || description.isList else { return part }
        return part.with(["style": "form", "explode": .boolean(isRepeated)])
    }

    private func values(_ description: Description, _ prefix: String) -> JSONPart {
        if id == .conditions { return OpenAPISchemas.reference("\(prefix)Conditions") }
        if let maximumOccurrences {
            var item = OpenAPISchemas.text
            if !mayBeEmpty { item = item.with(["minLength": 1]) }
            if id == .or || id == .not { item = item.with(["pattern": "^\\(.+\\)$"]) }
            return OpenAPISchemas.array(of: item).with(["maxItems": .integer(maximumOccurrences)])
        }
        switch description.values {
        case .number(let minimum, let maximum):
            return [
                "type": "integer", "minimum": .integer(minimum), "maximum": .integer(maximum),
            ]
        case .text: return ["type": "string", "minLength": 1]
        case .letter: return ["type": "string", "minLength": 1, "maxLength": 1]
        case .word: return OpenAPISchemas.reference("\(prefix)\(name).value")
        case .words(_, let maximum):
            return OpenAPISchemas.array(of: OpenAPISchemas.reference("\(prefix)\(name).value"))
                .with(["minItems": 1, "maxItems": .integer(maximum), "uniqueItems": true])
        }
    }

    /// Returns the schema of the words that are its values; nil for other values.
    fileprivate func words(_ description: Description) -> (String, JSONPart)? {
        switch description.values {
        case .word(let words): ("\(name).value", ["enum": JSONPart(texts: words)])
        // Words with commas cannot be named, because commas separate the words.
        case .words(let words, _):
            ("\(name).value", ["enum": JSONPart(texts: words.filter { !$0.contains(",") })])
        case .number, .text, .letter: nil
        }
    }
}

extension Parameter.Description {
    /// Whether the value is a list, separated by commas.
    fileprivate var isList: Bool {
        if case .words = values { true } else { false }
    }
}
