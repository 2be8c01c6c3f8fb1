import Listings
import Rendering

/// The JSON Schemas that all lists share (JSON Schema 2020-12, as OpenAPI 3.1 requires).
enum OpenAPISchemas {
    /// Returns a reference to a schema of the document.
    static func reference(_ name: String) -> JSONPart { ["$ref": "#/components/schemas/\(name)"] }

    /// Returns the schema of a value that may also be null.
    static func nullable(_ schema: JSONPart) -> JSONPart { ["anyOf": [schema, ["type": "null"]]] }

    static func array(of schema: JSONPart) -> JSONPart { ["type": "array", "items": schema] }

    /// Returns the schema of an object whose members are all required, except for the optional
    /// ones.
    static func object(_ properties: JSONPart, optional: Set<String> = []) -> JSONPart {
        let required = properties.members.map(\.name).filter { !optional.contains($0) }
        return [
            "type": "object", "properties": properties, "required": JSONPart(texts: required),
        ]
    }

    static let text: JSONPart = ["type": "string"]
    /// A segment of a path: none is empty, and none holds U+0000.
    static let segment: JSONPart = ["type": "string", "pattern": "^[^\\u0000]+$"]
    static let nullableText: JSONPart = ["type": ["string", "null"]]
    static let boolean: JSONPart = ["type": "boolean"]
    static let number: JSONPart = ["type": "integer", "minimum": 0]
    static let links = reference("Links")
    private static let value: JSONPart = ["type": ["string", "number", "boolean", "null"]]
    /// Returns a page, or its rows alone as `shape=array` and `shape=objects` have them.
    static func anyShape(of page: JSONPart) -> JSONPart {
        let row: JSONPart = ["type": "object"]
        return ["anyOf": [page, array(of: row), ["type": "object", "additionalProperties": row]]]
    }

    /// All shared schemas, by their names.
    static let all: JSONPart = [
        "Links": [
            "description": "Addresses by what they lead to; null where there is nothing.",
            "type": "object",
            "additionalProperties": ["type": ["string", "null"], "format": "uri-reference"],
        ],
        "Count": object([
            "value": number,
            "relation": [
                "description": "eq: exactly this number; gte: at least; estimate: about.",
                "enum": ["eq", "gte", "estimate"],
            ],
        ]),
        "Column": object(
            [
                "id": text, "label": text, "description": text,
                "width": ["enum": JSONPart(texts: ColumnNotes.Width.allCases.map(\.rawValue))],
                "type": ["enum": JSONPart(texts: ColumnType.allCases.map(\.rawValue))],
                "format": [
                    "description": .text("The presentation on pages: \(ColumnFormat.forms)."),
                    "type": "string",
                ],
                "priority": ["type": "integer", "minimum": 1, "maximum": 3],
                "sortable": boolean, "groupable": boolean, "facet": boolean,
                "align": ["enum": ["end"]],
                "operators": array(of: text),
            ],
            optional: [
                "description", "width", "format", "groupable", "facet", "align", "operators",
            ]
        ),
        "Aggregates": [
            "description": "Values by function and column; null without a value.",
            "type": "object",
            "additionalProperties": ["type": "object"],
        ],
        "Statistics": object([
            "column": text, "present": number, "missing": number, "distinct": number,
            "min": value, "max": value, "avg": value, "shortest": value, "longest": value,
            "frequent": array(of: object(["value": value, "label": text, "count": number])),
            "histogram": array(of: object(["start": value, "end": value, "count": number])),
        ]),
        "Section": object(
            [
                "id": text, "header": nullable(object(["title": text])),
                "footer": nullable(object(["text": text])), "indexTitle": text,
                "collapsed": boolean, "links": links,
            ],
            optional: ["indexTitle", "collapsed", "links"]
        ),
        "FailedRow": [
            "description": "Replaces a row that could not be rendered.",
            "type": "object",
            "properties": [
                "id": text, "error": object(["code": text, "detail": text]),
            ],
            "required": ["id", "error"],
        ],
        "Action": object(
            [
                "name": text, "title": text, "method": ["enum": ["GET", "POST"]],
                "href": ["type": "string", "format": "uri-reference"], "destructive": boolean,
                "confirm": nullableText,
                "input": array(
                    of: object([
                        "name": text, "label": text, "type": text, "required": boolean,
                    ])
                ),
            ],
            optional: ["input"]
        ),
        "Facet": object([
            "column": text, "complete": boolean,
            "values": array(
                of: object(
                    [
                        "value": value,
                        "label": text, "count": ["type": ["integer", "null"]],
                        "relation": ["enum": ["gte"]], "selected": boolean,
                        "href": ["type": "string", "format": "uri-reference"],
                    ],
                    optional: ["relation"]
                )
            ),
        ]),
        "RelatedRows": object(
            [
                "list": text, "through": text, "column": text, "title": text,
                "total": nullable(reference("Count")),
                "rows": array(
                    of: object([
                        "id": text, "label": text,
                        "href": ["type": "string", "format": "uri-reference"],
                    ])
                ),
                "unavailable": boolean, "links": links,
            ],
            optional: ["through", "rows", "unavailable"]
        ),
        "Directory": object([
            "title": text,
            "lists": array(
                of: object(
                    [
                        "id": text, "title": text, "description": text,
                        "total": nullable(reference("Count")),
                        "matches": array(of: object(["title": text, "links": links])),
                        "links": links,
                    ],
                    optional: ["description", "matches"]
                )
            ),
            "links": links,
        ]),
        "ListSchema": object(
            [
                "list": object(
                    [
                        "id": text, "title": text, "description": text, "source": text,
                        "license": text,
                    ],
                    optional: ["description", "source", "license"]
                ),
                "id": object(["type": ["enum": ["integer", "text"]]]),
                "columns": array(of: reference("Column")),
                "show": array(of: text),
                "references": array(
                    of: object([
                        "name": text, "column": text, "list": text, "key": text,
                        "labels": array(of: text),
                        "links": links,
                    ])
                ),
                "parameters": array(
                    of: object(
                        [
                            "name": text, "summary": text, "example": text, "default": text,
                            "maximum": ["type": "integer"],
                        ],
                        optional: ["default", "maximum"]
                    )
                ),
                "writes": object([
                    "required": array(of: text), "requiresIfMatch": boolean, "links": links,
                ]),
                "links": links,
            ],
            optional: ["show", "references", "writes"]
        ),
        "Fault": object(
            [
                "parameter": text, "pointer": ["type": "string", "format": "json-pointer"],
                "header": text, "code": text, "detail": text, "suggestion": text,
            ],
            optional: ["parameter", "pointer", "header", "suggestion"]
        ),
        "Problem": object(
            [
                "type": ["type": "string", "format": "uri-reference"], "title": text,
                "status": ["type": "integer", "minimum": 400, "maximum": 599], "detail": text,
                "instance": text, "errors": array(of: reference("Fault")),
                "order": array(of: text), "row": ["type": "object"], "links": links,
            ],
            optional: ["detail", "instance", "errors", "order", "row", "links"]
        ),
        "BulkResult": object([
            "list": text, "written": number, "refused": number,
            "results": array(
                of: object(
                    [
                        "status": ["type": "integer"], "id": text,
                        "effect": ["enum": ["created", "changed", "unchanged", "deleted"]],
                        "etag": text, "links": links, "errors": array(of: reference("Fault")),
                    ],
                    optional: ["id", "effect", "etag", "links", "errors"]
                )
            ),
            "links": links,
        ]),
        "ActionResult": object(
            [
                "list": text, "action": text, "row": text, "outcome": text,
                "message": text, "location": text, "done": number, "refused": number,
                "results": array(
                    of: object(
                        ["row": text, "outcome": text, "message": text, "location": text],
                        optional: ["message", "location"]
                    )
                ),
                "links": links,
            ],
            optional: ["row", "outcome", "message", "location", "done", "refused", "results"]
        ),
        "Changes": [
            "type": "object",
            "properties": [
                "list": text, "from": text, "to": text, "stages": array(of: ["type": "object"]),
                "rows": ["type": "object"], "sections": ["type": "object"],
                "total": nullable(reference("Count")), "page": ["type": "object"], "links": links,
            ],
            "required": ["list", "from", "to", "stages", "links"],
        ],
        "Import": object(
            [
                "list": text,
                "state": ["enum": JSONPart(texts: ProgressDocument.State.allCases.map(\.rawValue))],
                "rows": object([
                    "read": number, "inserted": number, "replaced": number, "unchanged": number,
                    "refused": number,
                ]),
                "bytes": object(["read": number, "total": number]), "rowsPerSecond": number,
                "secondsLeft": number, "detail": text,
                "columns": array(
                    of: object(
                        ["name": text, "label": text, "type": text],
                        optional: ["label", "type"]
                    )
                ),
                "faults": array(
                    of: object(
                        [
                            "line": number, "column": number, "field": text, "code": text,
                            "detail": text, "suggestion": text,
                        ],
                        optional: ["field", "suggestion"]
                    )
                ),
                "links": links,
            ],
            optional: ["rowsPerSecond", "secondsLeft", "detail", "columns"]
        ),
        "Refresh": object(
            [
                "list": text, "state": ["enum": ["idle", "loading", "loaded", "failed"]],
                "version": text, "stale": boolean,
                "error": object(["code": text, "detail": text]), "links": links,
            ],
            optional: ["error"]
        ),
    ]
}
