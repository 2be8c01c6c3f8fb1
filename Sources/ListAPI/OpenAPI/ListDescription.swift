import HTTP
import Listings
import Rendering

/// A list in the OpenAPI description: the parameters and responses of its addresses.
struct ListDescription {
    let endpoint: ServedList
    let segments: [Segments.Segment]
    let writing: WritePolicy
    /// Whether the operations that change rows are described.
    let mayWrite: Bool
    /// The prefix of its component names.
    let key: String
    /// The names of the lists that can be embedded.
    var embeddable: [String] = []

    /// Describes a list.
    init(_ endpoint: ServedList, _ options: ServiceOptions, mayWrite: Bool = true) {
        self.endpoint = endpoint
        self.mayWrite = mayWrite
        segments = endpoint.definition.segments?.all ?? []
        writing = options.writing
        key = Self.componentName(endpoint.definition.name)
    }

    var name: String { endpoint.definition.name }
    var title: String { endpoint.definition.title }

    /// The title, the explanation, the source and the license.
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

    /// Returns the target of a request for a part of the list.
    func target(_ place: URLBuilder.Place) -> ListResource {
        ListResource(endpoint, place, nil, embeds: !embeddable.isEmpty, segments: segments)
    }

    /// Returns a name of the characters that component names may have.
    ///
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

    /// Returns a reference to a schema of the list.
    func reference(_ name: String) -> JSONPart { OpenAPISchemas.reference("\(key).\(name)") }

    /// The schemas of the list, by their names.
    var schemas: JSONPart {
        var all: [(String, JSONPart)] = [
            ("Row", rowSchema), ("Page", pageSchema), ("RowPage", rowPageSchema),
        ]
        if let rules {
            all.append(("NewRow", storedSchema(rules, .insert)))
            all.append(("WholeRow", storedSchema(rules, .replace)))
            all.append(("Change", storedSchema(rules, .merge)))
        }
        return JSONPart(all.map { ("\(key).\($0.0)", $0.1) })
    }

    // MARK: - What is answered

    private var rowSchema: JSONPart {
        let cells = columns.map { ($0.id, $0.type.shownSchema) }
        return OpenAPISchemas.object(
            [
                "id": OpenAPISchemas.text, "kind": OpenAPISchemas.text,
                "etag": OpenAPISchemas.text,
                "cells": ["type": "object", "properties": JSONPart(cells)],
                "display": [
                    "type": "object", "additionalProperties": OpenAPISchemas.nullableText,
                ],
                "embedded": ["type": "object"],
                "level": OpenAPISchemas.number, "expanded": OpenAPISchemas.boolean,
                "children": ["type": "object"], "span": OpenAPISchemas.number,
                "actions": OpenAPISchemas.array(of: OpenAPISchemas.reference("Action")),
                "links": OpenAPISchemas.links,
            ],
            optional: [
                "etag", "display", "embedded", "level", "expanded", "children", "span", "actions",
            ]
        )
    }

    private var rowPageSchema: JSONPart {
        OpenAPISchemas.object(
            [
                "list": ["type": "object"],
                "columns": OpenAPISchemas.array(of: OpenAPISchemas.reference("Column")),
                "section": OpenAPISchemas.reference("Section"),
                "row": anyRow,
                "related": OpenAPISchemas.array(of: OpenAPISchemas.reference("RelatedRows")),
                "stale": OpenAPISchemas.boolean, "links": OpenAPISchemas.links,
            ],
            optional: ["section", "related", "stale"]
        )
    }

    private var anyRow: JSONPart {
        ["anyOf": [reference("Row"), OpenAPISchemas.reference("FailedRow")]]
    }

    private var pageSchema: JSONPart {
        let count = OpenAPISchemas.nullable(OpenAPISchemas.reference("Count"))
        let rows: JSONPart = [
            "type": "object",
            "properties": [
                "index": OpenAPISchemas.number, "count": count,
                "continued": OpenAPISchemas.boolean, "more": OpenAPISchemas.boolean,
                "aggregates": OpenAPISchemas.reference("Aggregates"),
                "rows": OpenAPISchemas.array(of: anyRow),
            ],
            "required": ["index", "count", "continued", "more", "rows"],
        ]
        return OpenAPISchemas.object(
            [
                "list": OpenAPISchemas.object([
                    "id": ["enum": [.text(name)]], "title": OpenAPISchemas.text,
                    "version": OpenAPISchemas.text,
                    "sort": OpenAPISchemas.array(of: OpenAPISchemas.text),
                    "mode": ["enum": ["flow", "peek"]],
                ]),
                "columns": OpenAPISchemas.array(of: OpenAPISchemas.reference("Column")),
                "sections": OpenAPISchemas.array(
                    of: ["allOf": [OpenAPISchemas.reference("Section"), rows]]
                ),
                "page": OpenAPISchemas.object([
                    "limit": OpenAPISchemas.number, "rows": OpenAPISchemas.number,
                    "after": OpenAPISchemas.nullableText, "before": OpenAPISchemas.nullableText,
                ]),
                "total": count, "counting": OpenAPISchemas.boolean,
                "aggregates": OpenAPISchemas.reference("Aggregates"),
                "statistics": OpenAPISchemas.nullable(OpenAPISchemas.reference("Statistics")),
                "facets": OpenAPISchemas.array(of: OpenAPISchemas.reference("Facet")),
                "suggestions": [
                    "type": ["array", "null"],
                    "items": OpenAPISchemas.object([
                        "column": OpenAPISchemas.text, "label": OpenAPISchemas.text,
                        "values": count,
                        "href": ["type": "string", "format": "uri-reference"],
                    ]),
                ],
                "index": OpenAPISchemas.array(
                    of: OpenAPISchemas.object([
                        "title": OpenAPISchemas.text, "section": OpenAPISchemas.number,
                        "href": ["type": "string", "format": "uri-reference"],
                    ])
                ),
                "empty": OpenAPISchemas.object([
                    "reason": ["enum": ["noData", "noMatch", "loading", "failed"]],
                    "title": OpenAPISchemas.text, "message": OpenAPISchemas.nullableText,
                ]),
                "stale": OpenAPISchemas.boolean, "links": OpenAPISchemas.links,
            ],
            optional: [
                "counting", "aggregates", "statistics", "facets", "suggestions", "index", "empty",
                "stale",
            ]
        )
    }

    // MARK: - What is written

    /// Returns the schema of a row in a request.
    ///
    /// The id is a part of the address, except for ``RowChange/Verb/insert``.
    private func storedSchema(_ rules: RowRules, _ verb: RowChange.Verb) -> JSONPart {
        var properties: [(String, JSONPart)] = []
        if verb == .insert { properties.append((ListSchema.idName, idSchema(rules))) }
        for position in rules.givenColumns {
            let column = rules.columns[position]
            let isRequired = rules.required.contains(position)
            properties.append((column.id, column.type.storedSchema(isRequired: isRequired)))
        }
        let schema: JSONPart = [
            "type": "object", "properties": JSONPart(properties), "additionalProperties": false,
        ]
        guard verb != .merge, !rules.required.isEmpty else { return schema }
        let required = rules.required.sorted().map { rules.columns[$0].id }
        return schema.with(["required": JSONPart(texts: required)])
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
