import Listings
import Rendering

/// A query parameter of lists: its name, its values, and its description.
///
/// Parsing, links, the schema of a list, its OpenAPI description and the documentation use this one
/// table. Its order is that of documents and of error texts.
package enum ListParameter: String, CaseIterable, Sendable {
    case limit, after, before, page, offset, around, sort, columns, group, section
    case perSection = "per_section"
    case or, not
    case search = "q"
    case count, sum, avg, min, max, statistics, facets, jump, layout, segment, collapsed, expanded
    case embed
    case since, include
    case onDuplicate = "on_duplicate"
    case on
    case byteOrderMark = "bom"
    case shape, pretty

    /// The name in addresses.
    package var name: String { rawValue }

    /// The maximum number of occurrences in an address; nil for a parameter that occurs once.
    var maximumOccurrences: Int? {
        switch self {
        case .section, .collapsed, .expanded: 100
        case .or, .not: ListParameters.maximumFilters
        default: nil
        }
    }

    /// Whether an address that accepts the parameter needs it.
    var isRequired: Bool { self == .since }

    /// Whether an empty value is valid, because the id of a section may be empty.
    var mayBeEmpty: Bool { self == .section || self == .collapsed }

    /// Whether a column of a list has the name, and so takes the place of the parameter.
    ///
    /// Names of parameters that came later may be those of columns.
    func isColumn(of schema: ListSchema) -> Bool {
        switch self {
        case .offset, .around, .or, .not, .sum, .avg, .min, .max, .statistics, .embed,
            .byteOrderMark, .pretty:
            schema.index(of: name) != nil
        default: false
        }
    }

    /// The deepest row that a page number or an offset may reach.
    static let deepestRow = ListQuery.deepestRow
    /// The maximum number of sort columns, because each takes part in every comparison and range.
    static let maximumSortKeys = 8
    /// The maximum number of columns whose values are counted at once.
    static let maximumFacets = 8
    /// The word that requests suggestions of facets.
    static let suggestion = "?"
}

// MARK: - Sets

extension ListParameter {
    /// The parameters that an address accepts, and whether it accepts conditions on columns.
    package struct Accepted: OptionSet, Sendable {
        /// A bit for each parameter, and the highest one for conditions.
        package let rawValue: UInt64

        package init(rawValue: UInt64) { self.rawValue = rawValue }

        private init(_ parameters: ListParameter...) {
            rawValue = parameters.reduce(0) { $0 | Self.bit(of: $1) }
        }

        /// The size of a page and its start.
        package static let paging = Accepted(.limit, .after, .before, .page, .offset)
        /// The page around a row.
        static let finding = Accepted(.around)
        /// The order and the columns of rows.
        package static let rows = Accepted(.sort, .columns)
        /// The columns without the order.
        package static let columns = Accepted(.columns)
        /// The column that makes sections.
        package static let grouping = Accepted(.group)
        /// The sections to show.
        package static let sections = Accepted(.section, .perSection)
        /// Conditions on columns.
        static let conditions = Accepted(rawValue: 1 << 63)
        static let search = Accepted(.search)
        /// The search, and conditions on columns.
        package static let filters = Accepted(.or, .not).union([.search, .conditions])
        /// The extent of counting, and values computed from rows.
        package static let counts = Accepted(.count, .sum, .avg, .min, .max, .statistics)
        /// The counts of values and the index of letters.
        package static let overview = Accepted(.facets, .jump)
        /// The layout of pages.
        package static let layout = Accepted(.layout)
        /// The list among those of an address.
        package static let segment = Accepted(.segment)
        /// The sections without their rows.
        package static let folding = Accepted(.collapsed)
        /// The expanded rows of an outline.
        package static let outline = Accepted(.expanded)
        /// The rows of other lists inside the rows.
        package static let embedding = Accepted(.embed)
        /// The version that a client holds; columns may have these names, too.
        package static let changes = Accepted(.since, .include)
        /// The treatment of rows that exist.
        package static let duplicates = Accepted(.onDuplicate)
        /// The column that finds rows that exist.
        static let matching = Accepted(.on)
        /// The byte order mark of CSV.
        package static let byteOrderMark = Accepted(.byteOrderMark)
        /// The rows of JSON without a page around them.
        static let shape = Accepted(.shape)
        /// The lines of JSON.
        static let pretty = Accepted(.pretty)

        /// The parameters that a list lacks because its source does not answer them.
        static func missing(in schema: ListSchema) -> Accepted {
            let abilities = schema.abilities
            var missing: Accepted = []
            if abilities.isDisjoint(with: [.sorting, .sortingByID]) {
                missing.formUnion(Accepted(.sort))
            }
            if abilities.isDisjoint(with: [.sorting, .grouping]) {
                missing.formUnion(Accepted(.jump))
            }
            if abilities.isDisjoint(with: [.filtering, .filteringByID]) {
                missing.formUnion([.conditions, Accepted(.or, .not)])
            }
            if !abilities.contains(.joining) { missing.formUnion(Accepted(.or, .not)) }
            if !abilities.contains(.grouping) { missing.formUnion(.grouping) }
            if !abilities.contains(.counting) { missing.formUnion(Accepted(.count, .facets)) }
            if !abilities.contains(.aggregating) {
                missing.formUnion(Accepted(.sum, .avg, .min, .max, .statistics))
            }
            if !abilities.contains(.skipping) { missing.formUnion(Accepted(.page, .offset)) }
            return missing
        }

        private static let order = ListParameter.allCases

        private static func bit(of parameter: ListParameter) -> UInt64 {
            guard let place = order.firstIndex(of: parameter) else { return 0 }
            return 1 << place
        }

        /// Whether the address accepts a parameter.
        func accepts(_ parameter: ListParameter) -> Bool {
            rawValue & Self.bit(of: parameter) != 0
        }

        func accepts(name: String) -> Bool {
            ListParameter(rawValue: name).map(accepts) ?? false
        }

        /// The accepted parameters in their order.
        var parameters: [ListParameter] { Self.order.filter(accepts) }

        /// The names of the parameters for people.
        var known: [String] {
            let names = parameters.map(\.name)
            return contains(.conditions) ? names + ["{column}", "{column}__{operator}"] : names
        }
    }
}

// MARK: - Descriptions

extension ListParameter {
    /// A list with what decides which parameters it has.
    struct Context {
        let schema: ListSchema
        var segments: [Segments.Segment] = []
        var canCollapse = false
        var hasOutline = false
        /// Whether the page around a row can be found.
        var findsRows = false
        /// The names of the lists that can be embedded.
        var embeddable: [String] = []
        /// A section of the list's own, as an example; nil if it has none.
        var ownSection: SectionID?

        /// An example of a section.
        fileprivate var section: String { ownSection?.rawValue ?? "~" }
    }

    enum Values {
        /// A whole number.
        case number(minimum: Int = 1, maximum: Int)
        /// A text that is not empty.
        case text
        case letter
        case word([String])
        /// Some of the words, separated by commas.
        case words([String], maximum: Int)
    }

    struct Description {
        var summary: String
        var values = Values.text
        var example: String
        var defaultValue: String?

        init(
            _ summary: String,
            _ values: Values = .text,
            example: String,
            defaultValue: String? = nil
        ) {
            self.summary = summary
            self.values = values
            self.example = example
            self.defaultValue = defaultValue
        }
    }

    /// Returns the descriptions of a list's parameters in the schema document.
    static func documented(in list: Context) -> [SchemaDocument.Parameter] {
        let conditions = conditions(on: list.schema)
        var documented: [SchemaDocument.Parameter] = []
        for parameter in allCases where !Accepted.writingOrChanges.accepts(parameter) {
            if parameter == .search, !Accepted.missing(in: list.schema).contains(.conditions) {
                documented.append(document("{column}__{operator}", conditions))
            }
            guard let description = parameter.description(in: list) else { continue }
            documented.append(
                document(parameter.name, description, maximum: parameter.maximumOccurrences)
            )
        }
        return documented
    }

    private static func document(
        _ name: String,
        _ description: Description,
        maximum: Int? = nil
    ) -> SchemaDocument.Parameter {
        var maximum = maximum
        if case .number(_, let largest) = description.values { maximum = largest }
        return SchemaDocument.Parameter(
            name,
            summary: description.summary,
            example: description.example,
            defaultValue: description.defaultValue,
            maximum: maximum
        )
    }

    /// Returns the description for a list; nil where the list does not have the parameter.
    func description(in list: Context) -> Description? {
        let schema = list.schema
        guard !isColumn(of: schema), !Accepted.missing(in: schema).accepts(self) else { return nil }
        switch self {
        case .limit:
            return Description(
                "Rows a page; with per_section, sections a page.",
                .number(maximum: schema.maximumLimit),
                example: "20",
                defaultValue: "\(schema.defaultLimit)"
            )
        case .after:
            return Description(
                "Rows after a cursor, as page.after and links.next have it.",
                example: "AQAA…"
            )
        case .before:
            return Description(
                "Rows before a cursor, as page.before and links.prev have it.",
                example: "AQAA…"
            )
        case .page:
            return Description(
                "Page number, within the first \(Self.deepestRow) rows.",
                .number(maximum: Self.deepestRow),
                example: "2",
                defaultValue: "1"
            )
        case .offset:
            return Description(
                "Rows to skip, within the first \(Self.deepestRow) rows; with per_section, sections.",
                .number(minimum: 0, maximum: Self.deepestRow),
                example: "100",
                defaultValue: "0"
            )
        case .around:
            guard list.findsRows else { return nil }
            return Description(
                "The page that has the row with this id in its middle, by a redirect.",
                example: "42"
            )
        case .sort:
            let sortable = schema.ids(where: \.isSortable)
            let orders = (schema.sortsByHiddenID ? [ListSchema.idName] : []) + sortable
            let words = orders.flatMap { name in
                ["", ":nullsfirst", ":nullslast"].flatMap { [name + $0, "-" + name + $0] }
            }
            return Description(
                "Columns, the most important first; - descends, :nullsfirst and "
                    + ":nullslast place rows without a value. Sortable: "
                    + orders.joined(separator: ", ") + "."
                    + (schema.sortText == nil ? " The default is the list's own order." : ""),
                .words(words, maximum: Self.maximumSortKeys),
                example: "-\(sortable.first ?? ListSchema.idName)",
                defaultValue: schema.sortText
            )
        case .columns:
            let ids = schema.columns.map(\.id) + schema.furtherFields.map(schema.name)
            return Description(
                "Columns to show, in this order; "
                    + schema.furtherFields.map(schema.name).joined(separator: " and ")
                    + " for CSV and Excel, too.",
                .words(ids, maximum: ids.count),
                example: ids.prefix(2).joined(separator: ",")
            )
        case .group:
            let groupable = schema.ids(where: \.isGroupable)
            let initials = schema.ids { $0.isGroupable && $0.type.isText }.map { $0 + ":initial" }
            return Description(
                "Column that cuts the list into sections, :initial by first letter, none "
                    + "for one section. Groupable: "
                    + (groupable.isEmpty ? "none" : groupable.joined(separator: ", ")) + "."
                    + (list.ownSection == nil ? "" : " The default is the list's own sections."),
                .word(["none"] + groupable + initials),
                example: groupable.first ?? "none",
                defaultValue: list.ownSection == nil ? schema.groupingText : nil
            )
        case .section:
            return Description("Only this section; may be repeated.", example: list.section)
        case .perSection:
            return Description(
                "The first rows of each section; limit then counts sections.",
                .number(maximum: schema.maximumLimit),
                example: "5"
            )
        case .or:
            return Description(
                "Only rows that meet one of the conditions between parentheses; and(…), or(…) "
                    + "and not(…) may stand among them. May be repeated.",
                example: Self.example(of: schema)
            )
        case .not:
            return Description(
                "Only rows that do not meet all conditions between parentheses, as those of or. "
                    + "May be repeated.",
                example: Self.example(of: schema)
            )
        case .search:
            guard !schema.searchable.isEmpty else { return nil }
            return Description(
                "Only rows that have all these words in a text, whatever the case and the "
                    + "accents; the last may be a beginning, those in quotation marks follow one "
                    + "another.",
                example: "berlin"
            )
        case .count:
            return Description(
                "How far rows are counted: none, capped (at \(ListQuery.countCap)), exact, or "
                    + "estimated by the statistics of the database.",
                .word(ListQuery.Counting.allCases.map(\.rawValue)),
                example: "exact",
                defaultValue: "capped"
            )
        case .sum: return aggregate(.sum, "Sums", schema)
        case .avg: return aggregate(.average, "Averages", schema)
        case .min: return aggregate(.minimum, "The least values", schema)
        case .max: return aggregate(.maximum, "The greatest values", schema)
        case .statistics:
            let columns = schema.ids(where: ColumnStatistics.isUsable)
            guard let first = columns.first else { return nil }
            return Description(
                "The column whose values are summarized: extremes, mean, missing and frequent "
                    + "values, lengths of texts, and numbers of rows in ranges.",
                .word(columns),
                example: first
            )
        case .facets:
            let facets = schema.ids(where: \.isFacet)
            guard let first = facets.first else { return nil }
            return Description(
                "Columns whose values are counted: \(facets.joined(separator: ", ")). "
                    + "\(Self.suggestion) suggests columns with few values.",
                .words(facets + [Self.suggestion], maximum: Self.maximumFacets),
                example: first
            )
        case .jump:
            let letters = schema.ids { $0.type.isText && ($0.isSortable || $0.isGroupable) }
            guard !letters.isEmpty else { return nil }
            return Description(
                "The page that begins at a letter, where the order begins with a text.",
                .letter,
                example: "M"
            )
        case .layout:
            return Description(
                "How pages show the rows: table or grid. The rows are the same.",
                .word(PageLayout.allCases.map(\.rawValue)),
                example: "grid",
                defaultValue: "table"
            )
        case .segment:
            let ids = list.segments.map(\.id)
            guard let first = ids.first, let last = ids.last else { return nil }
            return Description(
                "Which of the lists under this address: \(ids.joined(separator: ", ")).",
                .word(ids),
                example: last,
                defaultValue: first
            )
        case .collapsed:
            guard list.canCollapse else { return nil }
            return Description(
                "A section that is named and counted, without its rows; may be repeated.",
                example: list.section
            )
        case .expanded:
            guard list.hasOutline else { return nil }
            return Description(
                "The id of a row whose rows below are shown; may be repeated.",
                example: "docs"
            )
        case .embed:
            guard let first = list.embeddable.first else { return nil }
            return Description(
                "Rows of other lists inside the rows of JSON, on two levels: a name, columns in "
                    + "parentheses, a name after a dot. Names: "
                    + "\(list.embeddable.joined(separator: ", ")).",
                example: first
            )
        case .since:
            return Description(
                "The version that the client holds, as links.changes of a page has it.",
                example: "AQAA…"
            )
        case .include:
            return Description(
                "Rows and sections as people see them, too.",
                .word(["html"]),
                example: "html"
            )
        case .onDuplicate:
            return Description(
                "What is done with a row whose id is there already.",
                .word(ListParameters.duplicateVerbs.map(\.name)),
                example: "replace"
            )
        case .on:
            return Description(
                "The columns whose values find a row that is there already, for rows without id.",
                .words(
                    schema.ids { $0.isFilterable && $0.type != .json },
                    maximum: Self.maximumSortKeys
                ),
                example: schema.columns.first?.id ?? ListSchema.idName
            )
        case .byteOrderMark:
            return Description(
                "1 begins CSV with a byte order mark, by which Excel detects UTF-8.",
                .word(["1"]),
                example: "1"
            )
        case .shape:
            return Description(
                "The rows of JSON alone: array for one array, objects for one object with the ids "
                    + "as names. The fields Link and X-Total-Count have the rest.",
                .word(JSONShape.allCases.map(\.rawValue)),
                example: "array"
            )
        case .pretty:
            return Description(
                "1 writes JSON in lines, with indentation.",
                .word(["1"]),
                example: "1"
            )
        }
    }

    /// Returns the description of an aggregate; nil where no column has it.
    private func aggregate(
        _ function: Aggregate.Function,
        _ name: String,
        _ schema: ListSchema
    ) -> Description? {
        let columns = schema.ids { Aggregate.isUsable(function, of: $0) }
        guard let first = columns.first else { return nil }
        return Description(
            "\(name) of columns, of the list and of each section: "
                + columns.joined(separator: ", ") + ".",
            .words(columns, maximum: Self.maximumFacets),
            example: first
        )
    }

    /// Returns an example of joined conditions.
    private static func example(of schema: ListSchema) -> String {
        let columns = schema.filterable.prefix(2).map { schema.columns[$0].id }
        let names = columns.isEmpty ? [ListSchema.idName] : columns
        let conditions = names.map { FilterGroupText.name($0 + "__isnull") + "=true" }
        return "(\(conditions.joined(separator: ",")))"
    }

    /// Returns the description of the parameters that are named after columns.
    private static func conditions(on schema: ListSchema) -> Description {
        let first = schema.filterable.first.map { schema.columns[$0].id } ?? ListSchema.idName
        let operators = schema.operators.map(\.rawValue).joined(separator: ", ")
        let ofIDs = schema.operatorsForIDs.map(\.rawValue).joined(separator: ", ")
        return Description(
            "Only rows that meet the condition; all conditions given are met. A "
                + "column alone compares for equality. Operators: \(operators)"
                + (schema.idColumn == nil && !ofIDs.isEmpty ? "; of id: \(ofIDs)" : "")
                + ". in and nin take values between commas, in quotation marks where "
                + "one has a comma.",
            example: "\(first)__ne=…"
        )
    }
}

extension ListParameter.Accepted {
    /// The parameters of requests that write or follow a page, which schemas do not list.
    fileprivate static let writingOrChanges: Self = [.changes, .duplicates, .matching]
}

extension ListSchema {
    /// Returns the ids of the columns that meet a condition.
    func ids(where isIncluded: (Column) -> Bool) -> [String] {
        columns.filter(isIncluded).map(\.id)
    }

    /// The default of `sort`; nil for the list's own order.
    fileprivate var sortText: String? {
        if arrangement == .own, defaultGrouping == nil, defaultSort.isEmpty { return nil }
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
