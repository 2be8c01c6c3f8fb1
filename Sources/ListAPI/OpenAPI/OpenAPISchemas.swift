import Listings
import Rendering

/// The JSON Schemas that all lists share (JSON Schema 2020-12, as OpenAPI 3.1 requires).
enum OpenAPISchemas {
    static func reference(_ name: String) -> JSONPart { ["$ref": "#/components/schemas/\(name)"] }

    /// Returns a reference to a schema, or the schema itself if it is shorter.
    static func use(_ name: String, _ schema: JSONPart) -> JSONPart {
        let reference = reference(name)
        return schema.length < reference.length ? schema : reference
    }

    static func nullable(_ schema: JSONPart) -> JSONPart { ["anyOf": [schema, ["type": "null"]]] }

    static func array(of schema: JSONPart) -> JSONPart { ["type": "array", "items": schema] }

    static let text: JSONPart = ["type": "string"]
    /// A segment of a path: none is empty, and none holds U+0000.
    static let segment: JSONPart = ["type": "string", "pattern": "^[^\\u0000]+$"]
    static let nullableText: JSONPart = ["type": ["string", "null"]]
    static let boolean: JSONPart = ["type": "boolean"]
    static let number: JSONPart = ["type": "integer", "minimum": 0]

    static let all = JSONPart(
        SchemaNotation.definitions(shared) + choices + ColumnType.schemas
    )

    private static let choices: [(String, JSONPart)] = {
        func only(_ name: String, _ schema: JSONPart) -> JSONPart {
            [
                "type": "object", "properties": JSONPart([(name, schema)]),
                "required": [.text(name)], "additionalProperties": false,
            ]
        }
        let id: JSONPart = ["type": "string", "minLength": 1]
        let ids = array(of: id).with(["minItems": 1, "maxItems": .integer(RowChoice.maximumRows)])
        let place = array(of: number).with(["minItems": 2, "maxItems": 2])
        let all: JSONPart = ["type": "boolean", "enum": [true]]
        let step: JSONPart = ["enum": ["up", "down"]]
        return [
            ("RowChoice", ["oneOf": [only("ids", ids), only("all", all)]]),
            (
                "Move",
                [
                    "oneOf": [
                        only("before", id), only("after", id), only("to", place),
                        only("step", step),
                    ]
                ]
            ),
        ]
    }()

    private static func words(_ names: some Sequence<String>) -> String {
        names.map { "'\($0)'" }.joined(separator: " | ")
    }

    private static let shared = """
        Links = "Addresses by what they lead to; null where there is nothing."
            { *: address | null }
        Count = { value: number, relation: "eq: exactly this number; gte: at least; estimate: about."
            'eq' | 'gte' | 'estimate' }
        Column = { id: text, label: text, description?: text,
            width?: \(words(ColumnNotes.Width.allCases.map(\.rawValue))),
            type: \(words(ColumnType.allCases.map(\.rawValue))),
            format?: "The presentation on pages: \(ColumnFormat.forms)." text,
            priority: integer, sortable: boolean, groupable?: boolean, facet?: boolean,
            align?: 'end', operators?: text[] }
        ListOfPage = { id: text, title: text, version: text, sort: text[], mode: 'flow' | 'peek' }
        Paging = { limit: number, rows: number, after: text | null, before: text | null }
        Aggregates = "Values by function and column; null without a value." { *: object }
        Statistics = { column: text, present: number, missing: number, distinct: number,
            min: value | null, max: value | null, avg: value | null, shortest: value | null,
            longest: value | null,
            frequent: { value: value | null, label: text, count: number }[],
            histogram: { start: value | null, end: value | null, count: number }[] }
        Row = { id: text, kind: text, etag?: text, display?: { *: text | null }, embedded?: object,
            level?: number, expanded?: boolean, children?: object, span?: number,
            actions?: Action[], links: Links }
        RowPage = { list: object, columns: Column[], section?: Section, related?: RelatedRows[],
            stale?: boolean, links: Links }
        Page = { list: ListOfPage, columns: Column[], page: Paging, total: Count | null,
            counting?: boolean, aggregates?: Aggregates, statistics?: Statistics | null,
            facets?: Facet[], suggestions?: Suggestion[] | null, index?: IndexEntry[],
            empty?: EmptyPage, stale?: boolean, links: Links }
        SectionPage = Section & { index: number, count: Count | null, continued: boolean,
            more: boolean, aggregates?: Aggregates }
        Section = { id: text, header: { title: text } | null, footer: { text: text } | null,
            indexTitle?: text, collapsed?: boolean, links?: Links }
        FailedRow = "Replaces a row that could not be rendered."
            { id: text, error: { code: text, detail: text } }
        RowValues = "The rows of `shape=array`, or of `shape=objects` by their ids."
            object[] | object
        Action = { name: text, title: text, method: 'GET' | 'POST', href: address,
            destructive: boolean, confirm: text | null,
            input?: { name: text, label: text, type: text, required: boolean }[] }
        Facet = { column: text, complete: boolean, values: { value: value | null, label: text,
            count: integer | null, relation?: 'gte', selected: boolean, href: address }[] }
        Suggestion = { column: text, label: text, values: Count | null, href: address }
        IndexEntry = { title: text, section: number, href: address }
        EmptyPage = { reason: 'noData' | 'noMatch' | 'loading' | 'failed', title: text,
            message: text | null }
        RelatedRows = { list: text, through?: text, column: text, title: text, total: Count | null,
            rows?: { id: text, label: text, href: address }[], unavailable?: boolean, links: Links }
        Directory = { title: text, links: Links, lists: { id: text, title: text, description?: text,
            total: Count | null,
            matches?: { title: text, snippet?: text, links: Links }[], links: Links }[],
            failures?: { source: text, reason: text }[] }
        ListDefinition = { name: text, columns: { name: text, type?: text }[] }
        CreatedList = { name: text, title: text, rows: integer, notes: text[], links: Links,
            columns: { name: text, label: text, type: text }[] }
        ListSchema = {
            list: { id: text, title: text, description?: text, source?: text, license?: text },
            id: { type: 'integer' | 'text' }, columns: Column[], show?: text[],
            references?: { name: text, column: text, list: text, key: text, labels: text[],
                links: Links }[],
            parameters: { name: text, summary: text, example: text, default?: text,
                maximum?: integer }[],
            writes?: { required: text[], requiresIfMatch: boolean, links: Links }, links: Links }
        Fault = { parameter?: text, pointer?: text, header?: text, code: text, detail: text,
            suggestion?: text }
        Problem = { type: address, title: text, status: integer, detail?: text, instance?: text,
            errors?: Fault[], order?: text[], row?: object, links?: Links }
        BulkResult = { list: text, written: number, refused: number, links: Links,
            results: { status: integer, id?: text, etag?: text, links?: Links, errors?: Fault[],
                effect?: 'created' | 'changed' | 'unchanged' | 'deleted' }[] }
        ActionResult = { list: text, action: text, row?: text, outcome?: text, message?: text,
            location?: text, done?: number, refused?: number, links: Links,
            results?: { row: text, outcome: text, message?: text, location?: text }[] }
        Changes = { list: text, from: text, to: text, stages: object[], rows?: object,
            sections?: object, total?: Count | null, page?: object, links: Links }
        Import = { list: text, rows: ImportedRows, bytes: { read: number, total: number },
            state: \(words(ProgressDocument.State.allCases.map(\.rawValue))),
            rowsPerSecond?: number, secondsLeft?: number, detail?: text,
            columns?: { name: text, label?: text, type?: text }[],
            faults: { line: number, column: number, field?: text, code: text, detail: text,
                suggestion?: text }[], links: Links }
        ImportedRows = { read: number, inserted: number, replaced: number, unchanged: number,
            refused: number }
        Refresh = { list: text, state: 'idle' | 'loading' | 'loaded' | 'failed', version: text,
            stale: boolean, error?: { code: text, detail: text }, links: Links }
        """
}
