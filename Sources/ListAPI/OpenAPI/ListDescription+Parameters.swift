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
            let isOfWrites = Set(parameter.addresses)
                .isSubset(of: [.writtenRow, .writtenRows, .importing])
            guard rules != nil || !isOfWrites else { return nil }
            return parameter.description(in: traits).map { (parameter, $0) }
        }
    }

    var parameters: JSONPart {
        let enumerations = enumerations
        return JSONPart(
            described.map { parameter, description in
                let words = description.words.flatMap { enumerations[$0] }
                    .map(OpenAPISchemas.reference)
                return (
                    prefix(of: parameter) + parameter.id.part,
                    parameter.part(description, words ?? reference("Conditions"))
                )
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

    var valueSchemas: [(String, JSONPart)] {
        let conditions: JSONPart = [
            "type": "object", "properties": JSONPart(conditions), "additionalProperties": false,
            "maxProperties": .integer(ListParameters.maximumFilters),
        ]
        let words = enumerations.sorted { $0.value < $1.value }
            .map { ($0.value, ["enum": JSONPart(texts: $0.key)] as JSONPart) }
        return words + [("\(key).Conditions", conditions)]
    }

    private var enumerations: [[String]: String] {
        var names = [columns.map(\.id): "\(key).Column"]
        for (parameter, description) in described {
            guard let words = description.words, names[words] == nil else { continue }
            names[words] = prefix(of: parameter) + "\(parameter.name).value"
        }
        return names
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
        _ operand: JSONPart
    ) -> (String, JSONPart) {
        (operation == .equal ? id : "\(id)__\(operation.rawValue)", operand)
    }
}

extension ListParameter {
    fileprivate var part: String { self == .conditions ? "conditions" : name }
}

extension Parameter {
    fileprivate func part(_ description: Description, _ named: JSONPart) -> JSONPart {
        // Generated clients send defaults, so that only the text names them.
        let standard = description.defaultValue.map { " Default: \($0)." } ?? ""
        let isRepeated = maximumOccurrences != nil || id == .conditions
        let isList = isRepeated || description.isList
        return [
            "name": .text(id.part), "in": "query",
            "description": .text(
                "\(description.summary)".replacing(description.choices, with: "") + standard
            ),
            "schema": values(description, named),
            "required": id == .since ? true : nil,
            "style": isList ? "form" : nil,
            "explode": isList ? .boolean(isRepeated) : nil,
        ]
    }

    private func values(_ description: Description, _ named: JSONPart) -> JSONPart {
        if id == .conditions { return named }
        if let maximumOccurrences {
            let item: JSONPart = [
                "type": "string", "minLength": mayBeEmpty ? nil : 1,
                "pattern": id == .or || id == .not ? "^\\(.+\\)$" : nil,
            ]
            return OpenAPISchemas.array(of: item).with(["maxItems": .integer(maximumOccurrences)])
        }
        switch description.values {
        case .number(let minimum, let maximum):
            return [
                "type": "integer", "minimum": .integer(minimum), "maximum": .integer(maximum),
            ]
        case .text: return ["type": "string", "minLength": 1]
        case .letter: return ["type": "string", "minLength": 1, "maxLength": 1]
        case .word: return named
        case .words(_, let maximum): return words(named, maximum)
        case .order(let columns, let maximum):
            let names = columns.map(\.escapedForPattern).joined(separator: "|")
            return words(
                ["type": "string", "pattern": "^-?(\(names))(:nulls(first|last))?$"],
                maximum
            )
        }
    }

    private func words(_ word: JSONPart, _ maximum: Int) -> JSONPart {
        OpenAPISchemas.array(of: word)
            .with(["minItems": 1, "maxItems": .integer(maximum), "uniqueItems": true])
    }
}

extension Parameter.Description {
    fileprivate var isList: Bool {
        switch values {
        case .words, .order: true
        case .number, .text, .letter, .word: false
        }
    }

    fileprivate var words: [String]? {
        switch values {
        case .word(let words): words
        // Words with commas cannot be named, because commas separate the words.
        case .words(let words, _): words.filter { !$0.contains(",") }
        case .number, .text, .letter, .order: nil
        }
    }
}

extension String {
    fileprivate var escapedForPattern: String {
        replacing(/[\\^$.|?*+(){}\[\]\/-]/) { "\\\($0.output)" }
    }
}
