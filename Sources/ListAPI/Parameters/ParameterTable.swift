import Bytes
import Listings
import Rendering

/// The query parameters.
///
/// A parameter needs nothing but its entry, the property that it sets, and the code that uses it.
extension Parameter {
    /// All parameters, in the order in which they are read.
    static let table = [
        group, sort, columns, perSection, limit, conditions, or, not, search, count, facets, sum,
        avg, min, max, filled, statistics, section, collapsed, expanded, after, before, page,
        offset,
        around, jump, layout, shape, byteOrderMark, pretty, embed, segment, since, include,
        onDuplicate, on,
    ]

    private static let pages: [AddressKind] = [.list, .section, .changes]
    private static let paged: [AddressKind] = pages + [.sections, .children]
    private static let filtered: [AddressKind] = pages + [.sections, .export, .scope]
    private static let counted: [AddressKind] = pages + [.sections]
    private static let tables: [AddressKind] = [.list, .section, .children]

    // MARK: - Order and columns

    private static let group = Parameter(
        .group,
        "group",
        at: pages + [.sections, .export],
        needs: .grouping
    )
    .reads { $0.takeGrouping() }
    .prints { request in
        let query = request.query
        guard query.grouping != request.schema.defaultGrouping || query.mergesSections
        else { return nil }
        return text(of: query.grouping, in: request.schema, named: encoded)
    }
    .described { list in
        let groupable = list.schema.ids(where: \.isGroupable)
        let texts = list.schema.ids { $0.isGroupable && $0.type.isText }
        let names = groupable.isEmpty ? "none" : groupable.joined(separator: ", ")
        let isOwn = list.ownSection != nil
        return Description(
            "Column that cuts the list into sections, :initial by first letter, none for one "
                + "section. Groupable: \(names)."
                + (isOwn ? " The default is the list's own sections." : ""),
            choices: " Groupable: \(names).",
            .word(["none"] + groupable + texts.map { $0 + ":initial" }),
            example: groupable.first ?? "none",
            default: isOwn ? nil : text(of: list.schema.defaultGrouping, in: list.schema)
        )
    }

    private static let sort = Parameter(
        .sort,
        "sort",
        at: pages + [.export],
        needs: [.sorting, .sortingByID]
    )
    .reads { $0.request.query.sort = $0.readSort() }
    .prints { request in
        let sort = request.query.sort
        return sort == request.schema.defaultSort
            ? nil : text(of: sort, in: request.schema, named: encoded)
    }
    .described { list in
        let schema = list.schema
        let sortable = schema.ids(where: \.isSortable)
        let isOwn =
            schema.arrangement == .own && schema.defaultGrouping == nil
            && schema.defaultSort.isEmpty
        let orders = (schema.sortsByHiddenID ? [ListSchema.idName] : []) + sortable
        return Description(
            "Columns, the most important first; - descends, :nullsfirst and :nullslast place "
                + "rows without a value. Sortable: \(orders.joined(separator: ", "))."
                + (isOwn ? " The default is the list's own order." : ""),
            choices: " Sortable: \(orders.joined(separator: ", ")).",
            .order(orders, maximum: ListParameter.maximumSortKeys),
            example: "-\(sortable.first ?? ListSchema.idName)",
            default: isOwn ? nil : text(of: schema.defaultSort, in: schema)
        )
    }

    private static let columns = Parameter(
        .columns,
        "columns",
        at: pages + [.row, .children, .writtenRow, .export]
    )
    .reads { $0.takeFields() }
    .prints { request in
        let query = request.query
        let fields = query.fields ?? query.columns?.map(RowField.column)
        return fields.map { encoded($0.map(request.schema.name)) }
    }
    .described { list in
        let further = list.schema.furtherFields.map(list.schema.name)
        let ids = list.schema.columns.map(\.id) + further
        let names = further.dropFirst().reduce("\(further.first ?? "")" as Text) {
            "\($0) and \($1)"
        }
        return Description(
            "Columns to show, in this order; \(names) for CSV and Excel, too.",
            .words(ids, maximum: ids.count),
            example: ids.prefix(2).joined(separator: ",")
        )
    }

    // MARK: - Conditions

    private static let conditions = Parameter(.conditions, "{column}__{operator}", at: filtered)
        .offered(\.filters)
        .reads {
            $0.request.query.filters = $0.readFilters()
            $0.request.query.related = $0.related
        }
        // Their order is that of the filters, with those of or and not among them.
        .prints { ConditionText(schema: $0.schema).text(of: $0.query) }
        .described { list in
            let schema = list.schema
            let first = schema.filterable.first.map { schema.columns[$0].id } ?? ListSchema.idName
            let operators = schema.operators.map(\.rawValue).joined(separator: ", ")
            let ofIDs = schema.operatorsForIDs.map(\.rawValue).joined(separator: ", ")
            return Description(
                "Only rows that meet the condition; all conditions given are met. A column alone "
                    + "compares for equality. Operators: \(operators)"
                    + (schema.idColumn == nil && !ofIDs.isEmpty ? "; of id: \(ofIDs)" : "")
                    + ". in and nin take values between commas, in quotation marks where one has a "
                    + "comma.",
                choices: " Operators: \(operators)"
                    + (schema.idColumn == nil && !ofIDs.isEmpty ? "; of id: \(ofIDs)." : "."),
                example: "\(first)__ne=…"
            )
        }

    private static let or = joining(
        .or,
        "Only rows that meet one of the conditions between parentheses; and(…), or(…) and not(…) "
            + "may stand among them. May be repeated."
    )

    private static let not = joining(
        .not,
        "Only rows that do not meet all conditions between parentheses, as those of or. May be "
            + "repeated."
    )

    private static func joining(_ id: ListParameter, _ summary: Text) -> Parameter {
        Parameter(id, "\(id)", at: filtered, needs: .joining)
            .offered(\.filters)
            .repeatable(ListParameters.maximumFilters)
            .yielding()
            .described(summary) { list in
                let columns = list.schema.filterable.prefix(2).map { list.schema.columns[$0].id }
                let names = columns.isEmpty ? [ListSchema.idName] : columns
                let conditions = names.map { FilterGroupText.name($0 + "__isnull") + "=true" }
                return "(\(conditions.joined(separator: ",")))"
            }
    }

    private static let search = Parameter(.search, "q", at: filtered + [.directory])
        .reads { $0.request.query.search = $0.readSearch() }
        .prints { $0.query.search.map { encoded($0.text) } }
        .described { list in
            guard !list.schema.searchable.isEmpty else { return nil }
            return Description(
                "Only rows that have all these words in a text, whatever the case and the "
                    + "accents; the last may be a beginning, those in quotation marks follow one "
                    + "another.",
                example: "berlin"
            )
        }

    // MARK: - Counts and aggregates

    private static let count = Parameter(.count, "count", at: counted, needs: .counting)
        .reads { $0.request.query.counting = $0.readCounting() }
        .prints { request in
            let counting = request.query.counting
            let canCount = request.schema.abilities.contains(.counting)
            return counting == .capped || !canCount ? nil : counting.rawValue
        }
        .described(
            "How far rows are counted: none, capped (at \(ListQuery.countCap)), exact, or estimated "
                + "by the statistics of the database.",
            .word(ListQuery.Counting.allCases.map(\.rawValue)),
            example: "exact",
            default: "capped"
        )

    private static let facets = Parameter(.facets, "facets", at: pages, needs: .counting)
        .reads { $0.takeFacets() }
        .prints { request in
            let names = request.query.facets.map { request.schema.columns[$0].id }
            let word = request.query.suggestsFacets ? ListParameter.suggestion : nil
            let further = request.furtherFacet ?? word
            let all = names + (further.map { [$0] } ?? [])
            return all.isEmpty ? nil : encoded(all)
        }
        .described { list in
            let facets = list.schema.ids(where: \.isFacet)
            guard let first = facets.first else { return nil }
            let names = facets.joined(separator: ", ")
            return Description(
                "Columns whose values are counted: \(names). \(ListParameter.suggestion) suggests "
                    + "columns with few values.",
                choices: ": \(names)",
                .words(facets + [ListParameter.suggestion], maximum: ListParameter.maximumFacets),
                example: first
            )
        }

    private static let sum = aggregate(.sum, .sum, "Sums")
    private static let avg = aggregate(.avg, .average, "Averages")
    private static let min = aggregate(.min, .minimum, "The least values")
    private static let max = aggregate(.max, .maximum, "The greatest values")
    private static let filled = aggregate(.filled, .filled, "Numbers of rows with values")

    private static func aggregate(
        _ id: ListParameter,
        _ function: Aggregate.Function,
        _ title: Text
    ) -> Parameter {
        Parameter(id, function.rawValue, at: counted, needs: .aggregating)
            .yielding()
            .reads { reader in
                let columns = reader.columns(in: id) { Aggregate.isUsable(function, of: $0) }
                reader.request.query.aggregates += columns.map { .init(function, column: $0) }
            }
            .prints { request in
                let columns = request.query.aggregates.filter { $0.function == function }
                    .map { request.schema.columns[$0.column].id }
                return columns.isEmpty ? nil : encoded(columns)
            }
            .described { list in
                let columns = list.schema.ids { Aggregate.isUsable(function, of: $0) }
                let names = columns.joined(separator: ", ")
                guard let first = columns.first else { return nil }
                return Description(
                    title + " of columns, of the list and of each section: \(names).",
                    choices: ": \(names)",
                    .words(columns, maximum: ListParameter.maximumFacets),
                    example: first
                )
            }
    }

    private static let statistics = Parameter(
        .statistics,
        "statistics",
        at: counted,
        needs: .aggregating
    )
    .yielding()
    .reads { reader in
        let isUsable = ColumnStatistics.isUsable
        let columns = reader.columns(in: .statistics, maximum: 1, where: isUsable)
        reader.request.query.statistics = columns.first
    }
    .prints { request in
        request.query.statistics.map { encoded(request.schema.columns[$0].id) }
    }
    .described { list in
        let columns = list.schema.ids(where: ColumnStatistics.isUsable)
        guard let first = columns.first else { return nil }
        return Description(
            "The column whose values are summarized: extremes, mean, missing and frequent "
                + "values, lengths of texts, and numbers of rows in ranges.",
            .word(columns),
            example: first
        )
    }

    // MARK: - Sections and rows

    private static let section = Parameter(.section, "section", at: [.list, .changes])
        .repeatable(100, mayBeEmpty: true)
        .reads { $0.request.query.sections = $0.readSections() }
        .prints { repeated("section", names(of: $0.query.sections ?? [], in: $0)) }
        .described("Only this section; may be repeated.", example: \.exampleSection)

    private static let collapsed = Parameter(.collapsed, "collapsed", at: [.list, .changes])
        .offered { $0.abilities.contains(.collapsing) }
        .repeatable(100, mayBeEmpty: true)
        .reads { $0.request.query.collapsed = $0.sections(named: .collapsed) ?? [] }
        .prints { repeated("collapsed", names(of: $0.query.collapsed, in: $0)) }
        .described(
            "A section that is named and counted, without its rows; may be repeated.",
            example: \.exampleSection
        )

    private static let expanded = Parameter(.expanded, "expanded", at: pages + [.children])
        .offered { $0.abilities.contains(.children) }
        .repeatable(100)
        .reads { $0.request.query.expanded = $0.readExpanded() }
        .prints { repeated("expanded", $0.query.expanded) }
        .described("The id of a row whose rows below are shown; may be repeated.", example: "docs")

    private static func names(of keys: [SectionKey], in request: ListRequest) -> [String] {
        keys.map { request.schema.id(of: $0, in: request.query.grouping).rawValue }
    }

    private static let segment = Parameter(
        .segment,
        "segment",
        at: paged + [.row, .schema, .cell, .writtenRow]
    )
    .offered(\.hasSegments)
    .prints { $0.query.segment.map(encoded) }
    .described { list in
        let ids = list.segments.map(\.id)
        guard let first = ids.first, let last = ids.last else { return nil }
        return Description(
            "Which of the lists under this address: \(ids.joined(separator: ", ")).",
            .word(ids),
            example: last,
            default: first
        )
    }

    private static let embed = Parameter(.embed, "embed", at: [.list, .section, .row])
        .offered(\.embeds)
        .yielding()
        .prints { $0.query.embedding.map { encoded($0.text) } }
        .described { list in
            guard let first = list.embeddable.first else { return nil }
            return Description(
                "Rows of other lists inside the rows of JSON, on two levels: a name, columns in "
                    + "parentheses, a name after a dot. Names: "
                    + "\(list.embeddable.joined(separator: ", ")).",
                example: first
            )
        }

    // MARK: - Sizes and starts of pages

    /// The limit is read with it, because both have one maximum.
    private static let perSection = Parameter(.perSection, "per_section", at: [.list, .changes])
        .prints { if case .peek(_, let rows) = $0.query.shape { "\(rows)" } else { nil } }
        .described { list in
            Description(
                "The first rows of each section; limit then counts sections.",
                .number(maximum: list.schema.maximumLimit),
                example: "5"
            )
        }

    private static let limit = Parameter(.limit, "limit", at: paged)
        .reads { $0.request.query.shape = $0.readShape() }
        .prints { request in
            let limit = request.query.shape.limit
            if case .peek(_, let rows) = request.query.shape {
                let standard = ListParameters.sectionLimit(request.schema, rows: rows)
                return limit == standard ? nil : "\(limit)"
            }
            return request.namesLimit || limit != request.schema.defaultLimit ? "\(limit)" : nil
        }
        .described { list in
            Description(
                "Rows a page; with per_section, sections a page.",
                .number(maximum: list.schema.maximumLimit),
                example: "20",
                default: "\(list.schema.defaultLimit)"
            )
        }

    private static let after = Parameter(.after, "after", at: paged)
        .reads { $0.takeStart(.after) { $0.cursor(.after).map(ListQuery.Start.after) } }
        .prints {
            if case .after(let cursor) = $0.query.start { $0.text(of: cursor) } else { nil }
        }
        .described("Rows after a cursor, as page.after and links.next have it.", example: "AQAA…")

    /// The value of `before` for the last page, which no cursor has.
    static let end = "end"
    private static let before = Parameter(.before, "before", at: paged, needs: .reversing)
        .reads {
            $0.takeStart(.before) {
                guard $0.values[.before]?.first != end else { return .end }
                return $0.cursor(.before).map(ListQuery.Start.before)
            }
        }
        .prints {
            switch $0.query.start {
            case .before(let cursor): $0.text(of: cursor)
            case .end: end
            case .beginning, .after, .offset, .letter: nil
            }
        }
        .described(
            "Rows before a cursor, as page.before and links.prev have it; the last ones before end.",
            example: "AQAA…"
        )

    private static let page = Parameter(.page, "page", at: paged, needs: .skipping)
        .reads { $0.takeStart(.page) { $0.page() } }
        .prints { $0.page.map { "\($0)" } }
        .described(
            "Page number.",
            .number(maximum: ListParameter.deepestRow),
            example: "2",
            default: "1"
        )

    private static let offset = Parameter(.offset, "offset", at: paged, needs: .skipping)
        .yielding()
        .reads { $0.takeStart(.offset) { $0.offset() } }
        .prints { request in
            guard case .offset(let offset) = request.query.start else { return nil }
            return request.page == nil ? "\(offset)" : nil
        }
        .described(
            "Rows to skip; with per_section, sections.",
            .number(minimum: 0, maximum: ListParameter.deepestRow),
            example: "100",
            default: "0"
        )

    private static let around = Parameter(.around, "around", at: [.list])
        .offered { $0.abilities.contains(.finding) }
        .yielding()
        .reads { reader in
            reader.takeStart(.around) {
                $0.request.around = $0.values[.around]?.first
                return nil
            }
        }
        .prints { $0.around.map(encoded) }
        .described(
            "The page that has the row with this id in its middle, by a redirect.",
            example: "42"
        )

    private static let jump = Parameter(.jump, "jump", at: pages, needs: [.sorting, .grouping])
        .reads { $0.takeStart(.jump) { $0.letter() } }
        .prints { if case .letter(let text) = $0.query.start { encoded(text) } else { nil } }
        .described { list in
            let letters = list.schema.ids { $0.type.isText && ($0.isSortable || $0.isGroupable) }
            guard !letters.isEmpty else { return nil }
            return Description(
                "The page that begins at a letter, where the order begins with a text.",
                .letter,
                example: "M"
            )
        }

    // MARK: - Forms of the response

    private static let layout = Parameter(.layout, "layout", at: pages + [.children])
        .reads { $0.request.layout = $0.readOption(.layout) ?? $0.schema.defaultLayout }
        .prints { $0.layout == $0.schema.defaultLayout ? nil : $0.layout.rawValue }
        .described(
            "How pages show the rows: table, grid, or board with the sections as columns. "
                + "The rows are the same.",
            .word(PageLayout.allCases.map(\.rawValue)),
            example: "grid",
            default: "table"
        )

    private static let shape = Parameter(.shape, "shape", at: tables)
        .reads { $0.request.shape = $0.readOption(.shape) }
        .prints { $0.shape?.rawValue }
        .described(
            "The rows of JSON alone: array for one array, objects for one object with the ids as "
                + "names. The fields Link and X-Total-Count have the rest.",
            .word(JSONShape.allCases.map(\.rawValue)),
            example: "array"
        )

    private static let byteOrderMark = Parameter(.byteOrderMark, "bom", at: tables + [.export])
        .switching(
            \.hasByteOrderMark,
            "1 begins CSV with a byte order mark, by which Excel detects UTF-8."
        )

    private static let pretty = Parameter(
        .pretty,
        "pretty",
        at: tables + [.sections, .row, .schema]
    )
    .switching(\.isPretty, "1 writes JSON in lines, with indentation.")

    // MARK: - Changes and writes

    private static let since = Parameter(.since, "since", at: [.changes])
        .described(
            "The version that the client holds, as links.changes of a page has it.",
            example: "AQAA…"
        )

    private static let include = Parameter(.include, "include", at: [.changes])
        .described(
            "Rows and sections as people see them, too.",
            .word(["html"]),
            example: "html"
        )

    private static let onDuplicate = Parameter(
        .onDuplicate,
        "on_duplicate",
        at: [.writtenRows, .importing]
    )
    .described(
        "What is done with a row whose id is there already.",
        .word(ListParameters.duplicateVerbs.map(\.name)),
        example: "replace"
    )

    private static let on = Parameter(.on, "on", at: [.writtenRows])
        .described { list in
            Description(
                "The columns whose values find a row that is there already, for rows without id.",
                .words(
                    list.schema.ids { $0.isFilterable && $0.type != .json },
                    maximum: ListParameter.maximumSortKeys
                ),
                example: list.schema.columns.first?.id ?? ListSchema.idName
            )
        }

    // MARK: - Texts

    private static func text(
        of grouping: Grouping?,
        in schema: ListSchema,
        named spelled: (String) -> String = { $0 }
    ) -> String {
        guard let grouping else { return "none" }
        let column = spelled(schema.columns[grouping.column].id)
        return grouping.part == .initial ? column + ":initial" : column
    }

    private static func text(
        of sort: [SortKey],
        in schema: ListSchema,
        named spelled: (String) -> String = { $0 }
    ) -> String {
        // A query without sort keys is sorted by id.
        let keys = sort.isEmpty ? [SortKey(.id)] : sort
        return keys.map { key in
            (key.direction == .descending ? "-" : "") + spelled(schema.name(of: key.field))
                + (key.nulls == .first ? ":nullsfirst" : "")
        }
        .joined(separator: ",")
    }

    private static func encoded(_ text: String) -> String {
        PercentEncoding.encode(text, for: .queryComponent)
    }

    private static func encoded(_ names: [String]) -> String {
        names.map(encoded).joined(separator: ",")
    }

    /// Returns the values of a repeated parameter, as they follow its first name.
    private static func repeated(_ name: String, _ values: [String]) -> String? {
        values.isEmpty ? nil : values.map(encoded).joined(separator: "&\(name)=")
    }
}

extension ListSchema {
    func ids(where isIncluded: (Column) -> Bool) -> [String] {
        columns.filter(isIncluded).map(\.id)
    }
}
