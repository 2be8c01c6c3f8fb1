import HTTP
import Listings
import Rendering

/// The parameters of a list's addresses.
extension ListDescription {
    /// The parameters of the list, by the names of their components.
    var parameters: JSONPart {
        let described = catalog.map { ($0.name, parameter($0)) } + conditions
        return JSONPart(
            described.map { (componentName(ofParameter: $0.0), $0.1) }
        )
    }

    /// Returns references to the parameters that an address of the list accepts.
    func parameters(of accepted: ListParameters.Accepted) -> [JSONPart] {
        let names = accepted.names.filter { name in catalog.contains { $0.name == name } }
        // A column may have the name of a parameter for changes, which wins at that address.
        let taken = Set(accepted.names)
        let conditions =
            accepted.contains(.filters) ? conditions.map(\.0).filter { !taken.contains($0) } : []
        return (names + conditions).map { name in
            ["$ref": "#/components/parameters/\(componentName(ofParameter: name))"]
        }
    }

    private func componentName(ofParameter name: String) -> String {
        "\(key).parameter.\(Self.componentName(name))"
    }

    /// The parameters with fixed names; conditions have names of columns.
    private var catalog: [SchemaDocument.Parameter] {
        ParameterCatalog.parameters(
            of: schema,
            segments: segments,
            canCollapse: endpoint.reader.canCollapse,
            hasOutline: endpoint.reader.hasOutline
        )
        .filter { !$0.name.hasPrefix("{") }
    }

    private func parameter(_ parameter: SchemaDocument.Parameter) -> JSONPart {
        let schema = valueSchema(parameter)
        let described: JSONPart = [
            "name": .text(parameter.name), "in": "query", "description": .text(parameter.summary),
            "schema": schema,
        ]
        let isList = schema.members.contains { $0.name == "type" && $0.value == "array" }
        let mayRepeat = ListParameters.repeatable.contains(parameter.name)
        return isList
            ? described.with(["style": "form", "explode": .boolean(mayRepeat)]) : described
    }

    private var conditions: [(String, JSONPart)] {
        let name = ListSchema.idName
        let ofIDs = Filter.Operator.allowedForIDs.map { operation in
            condition(name, Column.label(from: name), .text, operation, isID: true)
        }
        return ofIDs
            + schema.filterable.flatMap { position in
                let column = columns[position]
                let operators = Filter.Operator.allowed(for: column.type).filter { operation in
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

    // MARK: - Values

    private func valueSchema(_ parameter: SchemaDocument.Parameter) -> JSONPart {
        var schema: JSONPart
        switch parameter.name {
        case "limit", "per_section":
            schema = ["type": "integer", "minimum": 1]
            if let maximum = parameter.maximum {
                schema = schema.with(["maximum": .integer(maximum)])
            }
        case "page":
            schema = [
                "type": "integer", "minimum": 1, "maximum": .integer(ListParameters.deepestRow),
            ]
        case "sort": schema = list(sortKeys, maximum: ListParameters.maximumSortKeys)
        case "columns": schema = list(columns.map(\.id), maximum: columns.count)
        case "facets":
            let facets = columns.filter(\.isFacet).map(\.id)
            schema = list(facets, maximum: ListParameters.maximumFacets)
        case "group": schema = ["enum": JSONPart(texts: groupings)]
        case "count": schema = ["enum": JSONPart(texts: words(ListQuery.Counting.self))]
        case "layout": schema = ["enum": JSONPart(texts: words(PageLayout.self))]
        case "segment": schema = ["enum": JSONPart(texts: segments.map(\.id))]
        case "jump": schema = ["type": "string", "minLength": 1, "maxLength": 1]
        case "section":
            schema = ["type": "array", "items": OpenAPISchemas.text]
            if let maximum = parameter.maximum {
                schema = schema.with(["maxItems": .integer(maximum)])
            }
        case "collapsed", "expanded":
            schema = ["type": "array", "items": ["type": "string"]]
            if let maximum = parameter.maximum {
                schema = schema.with(["maxItems": .integer(maximum)])
            }
        default: schema = ["type": "string", "minLength": 1]
        }
        guard let value = parameter.defaultValue else { return schema }
        let isNumber = schema.members.contains { $0.name == "type" && $0.value == "integer" }
        let isList = schema.members.contains { $0.name == "type" && $0.value == "array" }
        if isNumber, let number = Int(value) { return schema.with(["default": .integer(number)]) }
        let parts = value.split(separator: ",").map(String.init)
        return schema.with(["default": isList ? JSONPart(texts: parts) : .text(value)])
    }

    private func list(_ words: [String], maximum: Int) -> JSONPart {
        [
            "type": "array",
            // Words with commas cannot be named, because commas separate the words.
            "items": ["enum": JSONPart(texts: words.filter { !$0.contains(",") })],
            "minItems": 1, "maxItems": .integer(maximum), "uniqueItems": true,
        ]
    }

    private var sortKeys: [String] {
        let sortable = columns.filter(\.isSortable).map(\.id)
        let names = (schema.idColumn == nil ? [ListSchema.idName] : []) + sortable
        return names.flatMap { name in
            ["", ":nullsfirst", ":nullslast"].flatMap { [name + $0, "-" + name + $0] }
        }
    }

    private var groupings: [String] {
        let groupable = columns.filter(\.isGroupable)
        return ["none"] + groupable.map(\.id)
            + groupable.filter(\.type.isText).map { $0.id + ":initial" }
    }

    private func words<Word: CaseIterable & RawRepresentable>(_: Word.Type) -> [String]
    where Word.RawValue == String {
        Word.allCases.map(\.rawValue)
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
        case .greater: "stands behind the value."
        case .atLeast: "stands behind the value, or is it."
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
