import Listings
import Rendering

/// The descriptions of a list's query parameters, for people and programs.
enum ParameterCatalog {
    /// Returns the parameters of a list with their defaults and bounds.
    static func parameters(
        of schema: ListSchema,
        segments: [Segments.Segment] = [],
        canCollapse: Bool = false,
        hasOutline: Bool = false
    ) -> [SchemaDocument.Parameter] {
        let sortable = schema.columns.filter(\.isSortable).map(\.id)
        let groupable = schema.columns.filter(\.isGroupable).map(\.id)
        let first = sortable.first ?? ListSchema.idName
        let orders = (schema.idColumn == nil ? [ListSchema.idName] : []) + sortable
        let common = [
            SchemaDocument.Parameter(
                "limit",
                summary: "Rows a page; with per_section, sections a page.",
                example: "20",
                defaultValue: "\(schema.defaultLimit)",
                maximum: schema.maximumLimit
            ),
            SchemaDocument.Parameter(
                "after",
                summary: "Rows behind a cursor, as page.after and links.next give it.",
                example: "AQAA…"
            ),
            SchemaDocument.Parameter(
                "before",
                summary: "Rows before a cursor, as page.before and links.prev give it.",
                example: "AQAA…"
            ),
            SchemaDocument.Parameter(
                "page",
                summary: "Page number, within the first \(ListParameters.deepestRow) rows.",
                example: "2",
                defaultValue: "1"
            ),
            SchemaDocument.Parameter(
                "sort",
                summary: "Columns, the most important first; - descends, :nullsfirst and "
                    + ":nullslast place rows without a value. Sortable: "
                    + orders.joined(separator: ", ") + ".",
                example: "-\(first)",
                defaultValue: schema.sortText
            ),
            SchemaDocument.Parameter(
                "group",
                summary: "Column that cuts the list into sections, :initial by first letter, none "
                    + "for one section. Groupable: "
                    + (groupable.isEmpty ? "none" : groupable.joined(separator: ", ")) + ".",
                example: groupable.first ?? "none",
                defaultValue: schema.groupingText
            ),
            SchemaDocument.Parameter(
                "section",
                summary: "Only this section; may be repeated.",
                example: "~",
                maximum: ListParameters.maximumSections
            ),
            SchemaDocument.Parameter(
                "per_section",
                summary: "The first rows of each section; limit then counts sections.",
                example: "5",
                maximum: schema.maximumLimit
            ),
            SchemaDocument.Parameter(
                "columns",
                summary: "Columns to show, in this order.",
                example: schema.columns.prefix(2).map(\.id).joined(separator: ",")
            ),
        ]
        return common + narrowing(of: schema) + [layout] + folding(canCollapse)
            + outline(hasOutline) + choice(of: segments)
    }

    private static func folding(_ canCollapse: Bool) -> [SchemaDocument.Parameter] {
        guard canCollapse else { return [] }
        return [
            SchemaDocument.Parameter(
                "collapsed",
                summary: "A section that is named and counted, without its rows; may be repeated.",
                example: "~",
                maximum: ListParameters.maximumCollapsed
            )
        ]
    }

    private static let layout = SchemaDocument.Parameter(
        "layout",
        summary: "How pages show the rows: table or grid. The rows are the same.",
        example: "grid",
        defaultValue: "table"
    )

    private static func outline(_ hasOutline: Bool) -> [SchemaDocument.Parameter] {
        guard hasOutline else { return [] }
        return [
            SchemaDocument.Parameter(
                "expanded",
                summary: "The id of a row whose rows below are shown; may be repeated.",
                example: "docs",
                maximum: ListParameters.maximumExpanded
            )
        ]
    }

    private static func choice(of segments: [Segments.Segment]) -> [SchemaDocument.Parameter] {
        guard let first = segments.first else { return [] }
        let ids = segments.map(\.id).joined(separator: ", ")
        return [
            SchemaDocument.Parameter(
                "segment",
                summary: "Which of the lists under this address: \(ids).",
                example: segments.last?.id ?? first.id,
                defaultValue: first.id
            )
        ]
    }
}

extension ParameterCatalog {
    /// Returns the parameters that filter rows and count them.
    private static func narrowing(of schema: ListSchema) -> [SchemaDocument.Parameter] {
        let facets = schema.columns.filter(\.isFacet).map(\.id)
        var parameters: [SchemaDocument.Parameter] = []
        let first = schema.filterable.first.map { schema.columns[$0].id } ?? ListSchema.idName
        let operators = Filter.Operator.allCases.map(\.rawValue).joined(separator: ", ")
        let ofIDs = Filter.Operator.allowedForIDs.map(\.rawValue).joined(separator: ", ")
        parameters.append(
            SchemaDocument.Parameter(
                "{column}__{operator}",
                summary: "Only rows that meet the condition; all conditions given are met. A "
                    + "column alone compares for equality. Operators: \(operators)"
                    + (schema.idColumn == nil ? "; of id: \(ofIDs)" : "")
                    + ". in and nin take values between commas, in quotation marks where "
                    + "one has a comma.",
                example: "\(first)__ne=…"
            )
        )
        if !schema.searchable.isEmpty {
            parameters.append(
                SchemaDocument.Parameter(
                    "q",
                    summary:
                        "Only rows that have all these words in a text, whatever the case and the "
                        + "accents; the last may be a beginning, those in quotation marks follow one "
                        + "another.",
                    example: "berlin"
                )
            )
        }
        parameters.append(
            SchemaDocument.Parameter(
                "count",
                summary:
                    "How far rows are counted: none, capped (at \(ListQuery.countCap)) or exact.",
                example: "exact",
                defaultValue: "capped"
            )
        )
        if !facets.isEmpty {
            parameters.append(
                SchemaDocument.Parameter(
                    "facets",
                    summary: "Columns whose values are counted: \(facets.joined(separator: ", ")).",
                    example: facets[0]
                )
            )
        }
        if schema.columns.contains(where: { $0.type.isText && ($0.isSortable || $0.isGroupable) }) {
            parameters.append(
                SchemaDocument.Parameter(
                    "jump",
                    summary:
                        "The page that begins at a letter, where the order begins with a text.",
                    example: "M"
                )
            )
        }
        return parameters
    }
}

extension ListSchema {
    fileprivate var sortText: String {
        let keys = defaultSort.isEmpty ? [SortKey(.id)] : defaultSort
        return keys.map { key in
            let sign = key.direction == .descending ? "-" : ""
            switch key.field {
            case .id: return sign + ListSchema.idName
            case .column(let column): return sign + columns[column].id
            }
        }
        .joined(separator: ",")
    }

    fileprivate var groupingText: String {
        guard let defaultGrouping else { return "none" }
        let id = columns[defaultGrouping.column].id
        return defaultGrouping.part == .initial ? id + ":initial" : id
    }
}
