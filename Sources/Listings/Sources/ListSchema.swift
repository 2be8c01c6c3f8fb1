/// The columns of a list, and the defaults of its queries.
public struct ListSchema: Sendable {
    /// The default arrangement of rows.
    public enum Arrangement: Hashable, Sendable {
        /// Rows are ordered by their ids, in one section.
        case byID
        /// The list itself has sections and an order.
        case own
    }

    /// The columns in their order, and after them those that a query derives.
    public private(set) var columns: [Column]
    package private(set) var derived: [DerivedColumn] = []
    /// The type of the ids: ``ColumnType/integer`` or ``ColumnType/text``.
    public let idType: ColumnType
    /// The position of the column that shows the row ids; nil if there is none.
    public private(set) var idColumn: Int?
    /// The default grouping; nil shows one section.
    public private(set) var defaultGrouping: Grouping?
    /// The default order.
    public private(set) var defaultSort: [SortKey]
    /// The default number of rows per page.
    public let defaultLimit: Int
    /// The maximum number of rows per page.
    public let maximumLimit: Int
    /// The default arrangement of rows; by their ids unless set by ``arranged(_:)``.
    public private(set) var arrangement = Arrangement.byID
    /// The queries that the source answers; all unless set by ``limited(to:operators:)``.
    public private(set) var abilities = ListAbilities.all.union(.reversing)
    /// Whether a source has declared its abilities, which are otherwise assumed.
    package private(set) var declaresAbilities = false
    /// The comparisons of conditions, each once; all unless set by ``limited(to:operators:)``.
    public private(set) var operators = Filter.Operator.allCases
    /// The columns that a search covers.
    public private(set) var searchable: [Int]
    /// The layout of pages, unless a client chooses another.
    package var defaultLayout = PageLayout.table
    /// The columns that pages show, unless a client chooses others; nil for all.
    package var defaultColumns: [Int]?
    /// The events of headers and footers; empty unless set by ``on(sections:)``.
    public private(set) var sectionEvents = SectionEvents()
    /// The positions of the columns that label rows.
    package private(set) var labels: [Int] = []
    /// The columns in the order of pages; other formats have them in their own order.
    package private(set) var displayOrder: [Int] = []
    /// The positions of the columns that together are the id; empty if no columns are.
    package var keyColumns: [Int] = [] { didSet { arrange() } }
    /// Whether the order of the columns was chosen, so that labels do not come first.
    package var isOrdered = false { didSet { arrange() } }
    /// The conclusions from the data of the source, or an empty text.
    ///
    /// Services with different conclusions have different cursors and entity tags.
    package var basis = ""
    /// The columns of the source that the list does not show, by ``choosing(_:as:sort:)``.
    package private(set) var hidden: [Column] = []
    /// Returns the text above a section of a grouped list.
    public let header: @Sendable (CellValue, Column) -> String?
    /// Returns the text below a section of a grouped list.
    public let footer: @Sendable (CellValue, Column) -> String?

    /// Creates a schema.
    ///
    /// - Parameters:
    ///   - columns: The columns in their order. Their ids must be unique and no words of the query
    ///     language. A column called `id` shows the row ids.
    ///   - idType: The type of the ids.
    ///   - defaultGrouping: The default grouping.
    ///   - defaultSort: The default order.
    ///   - defaultLimit: The default number of rows per page, 1...maximumLimit.
    ///   - maximumLimit: The maximum number of rows per page.
    ///   - header: Returns the text above a section; by default the value, or `No city` for null.
    ///   - footer: Returns the text below a section; by default nil.
    /// - Throws: ``ListingError/duplicateColumn(_:)`` or ``ListingError/reservedColumn(_:)``.
    public init(
        columns: [Column],
        idType: ColumnType = .text,
        defaultGrouping: Grouping? = nil,
        defaultSort: [SortKey] = [],
        defaultLimit: Int = 50,
        maximumLimit: Int = 500,
        header: @escaping @Sendable (CellValue, Column) -> String? = ListSchema.header,
        footer: @escaping @Sendable (CellValue, Column) -> String? = { _, _ in nil }
    ) throws(ListingError) {
        var seen: Set<String> = []
        for column in columns {
            guard seen.insert(column.id).inserted else { throw .duplicateColumn(column.id) }
            let isReserved = Self.reservedIDs.contains(column.id) && column.id != Self.idName
            guard !isReserved, !column.id.contains("__") else { throw .reservedColumn(column.id) }
        }
        precondition(
            defaultLimit >= 1 && defaultLimit <= maximumLimit,
            "default limit \(defaultLimit) is not in 1...\(maximumLimit)"
        )
        self.columns = columns
        searchable = columns.indices.filter { columns[$0].isSearchable }
        self.idType = idType
        idColumn = columns.firstIndex { $0.id == Self.idName }
        self.defaultGrouping = defaultGrouping
        self.defaultSort = defaultSort
        self.defaultLimit = defaultLimit
        self.maximumLimit = maximumLimit
        self.header = header
        self.footer = footer
        keyColumns = idColumn.map { [$0] } ?? []
        arrange()
    }

    private mutating func arrange() {
        labels = findLabels()
        displayOrder = findDisplayOrder()
    }

    func naming(_ names: [Int: String], labelledBy labels: [Int]?) -> ListSchema {
        var schema = self
        for (position, name) in names {
            let column = columns[position]
            schema.columns[position] = column.described(as: name, column.notes)
        }
        schema.labels = labels ?? findLabels(besides: Set(names.keys))
        schema.displayOrder = schema.findDisplayOrder()
        return schema
    }

    package static let withoutColumns = ListSchema()

    private init() {
        columns = []
        searchable = []
        idType = .text
        idColumn = nil
        defaultGrouping = nil
        defaultSort = []
        defaultLimit = 1
        maximumLimit = 1
        header = Self.header
        footer = { _, _ in nil }
    }

    package static let idName = "id"

    /// The names that a column cannot have, because URLs use them.
    ///
    /// `id` is reserved for the column that shows the row ids.
    public static let reservedIDs: Set<String> = [
        "after", "before", "collapsed", "columns", "count", "expanded", "facets", "group", "id",
        "jump", "layout", "limit",
        "none", "notice",
        "page", "per_section", "q", "section", "segment", "shape", "sort", "utm_campaign",
        "utm_content", "utm_medium", "utm_source", "utm_term", "fbclid", "gclid",
    ]

    /// Returns the value as text, or `No city` for null.
    public static let header: @Sendable (CellValue, Column) -> String? = { value, column in
        value.isNull ? "No \(column.label.lowercased())" : value.canonicalText
    }

    /// Returns the same schema with another arrangement.
    public func arranged(_ arrangement: Arrangement) -> ListSchema {
        var schema = self
        schema.arrangement = arrangement
        return schema
    }

    /// Without the column of the default sections, or one of the default order, the list has none.
    ///
    /// The positions are in their new order. The columns are these, with another presentation. The
    /// default order uses the new positions; nil leaves the columns of the old one.
    package func choosing(
        _ positions: [Int],
        as columns: [Column],
        sort: [SortKey]? = nil
    ) -> ListSchema {
        func location(of key: SortKey) -> SortKey? {
            guard case .column(let column) = key.field else { return key }
            return positions.firstIndex(of: column)
                .map { SortKey(.column($0), key.direction, nulls: key.nulls) }
        }
        var schema = self
        schema.columns = columns
        schema.hidden += self.columns.indices.filter { !positions.contains($0) }
            .map { self.columns[$0] }
        schema.idColumn = columns.firstIndex { $0.id == Self.idName }
        schema.defaultGrouping = defaultGrouping.flatMap { grouping in
            positions.firstIndex(of: grouping.column)
                .map { Grouping(column: $0, part: grouping.part) }
        }
        let own = defaultSort.map(location)
        schema.defaultSort = sort ?? (own.contains(nil) ? [] : own.compactMap(\.self))
        schema.searchable = positions.indices.filter { searchable.contains(positions[$0]) }
        let keys = keyColumns.compactMap(positions.firstIndex)
        schema.keyColumns = keys.count == keyColumns.count ? keys : []
        return schema
    }

    /// Returns the same schema for a source that reads one page after the other.
    package func readForward() -> ListSchema {
        var schema = limited(to: [])
        schema.abilities.remove(.reversing)
        return schema
    }

    mutating func limit(to abilities: ListAbilities, _ operators: [Filter.Operator]) {
        self.abilities.formIntersection(abilities.union(.reversing))
        declaresAbilities = true
        self.operators = self.operators.filter(operators.contains)
        if !abilities.contains(.searching) { searchable = [] }
        columns = columns.map { $0.limited(to: abilities) }
    }

    /// Returns the same schema with events of its sections.
    public func on(sections events: SectionEvents) -> ListSchema {
        var schema = self
        schema.sectionEvents = events
        return schema
    }

    package func deriving(_ derived: [DerivedColumn]) -> ListSchema {
        guard derived != self.derived else { return self }
        var schema = self
        schema.columns.replaceSubrange(ownColumns.upperBound..., with: derived.map(\.column))
        schema.derived = derived
        return schema
    }

    package func hasElements(_ column: Int) -> Bool {
        guard !ownColumns.contains(column),
            case .elements = derived[column - ownColumns.count].step
        else { return false }
        return true
    }

    /// Without derived columns.
    package var ownColumns: Range<Int> { 0..<columns.count - derived.count }

    /// Whether a query uses the sections that the list itself has.
    public func usesOwnSections(_ query: ListQuery) -> Bool {
        arrangement == .own && query.grouping == nil && !query.mergesSections
    }

    /// Whether a query uses the order that the list itself has.
    public func usesOwnOrder(_ query: ListQuery) -> Bool {
        arrangement == .own && query.grouping == nil && query.sort.isEmpty
    }

    /// Parses the name of a section.
    ///
    /// - Parameters:
    ///   - id: The name from a URL.
    ///   - query: The query, which determines the sections.
    /// - Returns: The key, or nil if no section can have that name.
    public func sectionKey(_ id: String, in query: ListQuery) -> SectionKey? {
        if usesOwnSections(query) { return .named(SectionID(id)) }
        guard let grouping = query.grouping else { return id == "all" ? .whole : nil }
        return keyColumn(of: grouping).value(named: id).map(SectionKey.value)
    }

    /// Returns the name of a section in URLs.
    ///
    /// It is `all` for the whole list, and the id of one of the list's own sections. Otherwise it
    /// is the name of the value (``Column/name(of:)``), so that names are unique.
    public func id(of key: SectionKey, in grouping: Grouping?) -> SectionID {
        switch key {
        case .whole: return SectionID("all")
        case .named(let id): return id
        case .value(let value):
            let column = grouping.map(keyColumn) ?? Column("value")
            return SectionID(column.name(of: value))
        }
    }

    /// A column of letters if grouped by initials.
    private func keyColumn(of grouping: Grouping) -> Column {
        grouping.part == .initial ? Column("initial") : columns[grouping.column]
    }

    /// Returns the key that provides the index letters: the section key, or the first sort key.
    ///
    /// It is nil if that is not a text.
    public func letterKey(of query: ListQuery) -> SortKey? {
        guard !usesOwnSections(query), !usesOwnOrder(query) else { return nil }
        let key = query.grouping.map { SortKey(.column($0.column)) } ?? query.sort.first
        guard let key, case .column(let column) = key.field, ownColumns.contains(column),
            columns[column].type.isText
        else {
            return nil
        }
        return key
    }

    /// The columns that filters may use.
    public var filterable: [Int] { ownColumns.filter { columns[$0].isFilterable } }

    /// Returns the position of the column that a filter uses.
    ///
    /// For a filter on ids it is the id column, or nil if there is none.
    public func column(of filter: Filter) -> Int? {
        filter.group == nil ? filter.column ?? idColumn : nil
    }

    /// Returns the name of the id or a column in URLs.
    public func name(of field: SortKey.Field) -> String {
        switch field {
        case .id: Self.idName
        case .column(let column): columns[column].id
        }
    }

    /// Returns the position of a column.
    public func index(of id: String) -> Int? { columns.firstIndex { $0.id == id } }

    /// Returns the type of the section keys of a grouping; nil without one.
    public func keyType(of grouping: Grouping?) -> ColumnType? {
        guard let grouping else { return nil }
        return grouping.part == .initial ? .text : columns[grouping.column].type
    }

    /// Returns the description of the section that has a key.
    public func section(_ key: SectionKey, grouping: Grouping?) -> SectionInfo {
        guard case .value(let value) = key, let grouping else {
            return SectionInfo(id: id(of: key, in: grouping), key: key, header: nil)
        }
        let column = columns[grouping.column]
        return SectionInfo(
            id: id(of: key, in: grouping),
            key: key,
            header: header(value, column),
            footer: footer(value, column),
            indexTitle: grouping.part == .initial ? header(value, column) : nil
        )
    }
}
