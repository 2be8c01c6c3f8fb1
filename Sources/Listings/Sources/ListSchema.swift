/// What a list has and how it is shown when nothing else is asked for.
public struct ListSchema: Sendable {
    /// Who says how rows stand where a query does not.
    public enum Arrangement: Hashable, Sendable {
        /// Rows stand by their ids, in one section.
        case byID
        /// The list itself has sections and an order.
        case own
    }

    /// The columns in their order.
    public let columns: [Column]
    /// The type of the ids: ``ColumnType/integer`` or ``ColumnType/text``.
    public let idType: ColumnType
    /// The position of the column that shows the ids of the rows; nil where none does.
    public let idColumn: Int?
    /// The sections when none are asked for; nil shows one section.
    public let defaultGrouping: Grouping?
    /// The order when none is asked for.
    public let defaultSort: [SortKey]
    /// Rows a page when none are asked for.
    public let defaultLimit: Int
    /// The most rows a page may have.
    public let maximumLimit: Int
    /// Who says how rows stand where a query does not; by their ids unless ``arranged(_:)`` says
    /// otherwise.
    public private(set) var arrangement = Arrangement.byID
    /// What is done with headers and footers; nothing unless ``on(sections:)`` says otherwise.
    public private(set) var sectionEvents = SectionEvents()
    /// Makes the text above a section of a grouped list.
    public let header: @Sendable (CellValue, Column) -> String?
    /// Makes the text below a section of a grouped list.
    public let footer: @Sendable (CellValue, Column) -> String?

    /// Creates a schema.
    ///
    /// - Parameters:
    ///   - columns: The columns in their order; their ids must differ and must not be words of the
    ///     query language. One called `id` shows the ids of the rows.
    ///   - idType: The type of the ids.
    ///   - defaultGrouping: The sections when none are asked for.
    ///   - defaultSort: The order when none is asked for.
    ///   - defaultLimit: Rows a page when none are asked for, 1...maximumLimit.
    ///   - maximumLimit: The most rows a page may have.
    ///   - header: Makes the text above a section; by default the value, or `No city` for null.
    ///   - footer: Makes the text below a section; by default there is none.
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
        self.idType = idType
        idColumn = columns.firstIndex { $0.id == Self.idName }
        self.defaultGrouping = defaultGrouping
        self.defaultSort = defaultSort
        self.defaultLimit = defaultLimit
        self.maximumLimit = maximumLimit
        self.header = header
        self.footer = footer
    }

    /// The schema of what has no columns.
    package static let withoutColumns = ListSchema()

    private init() {
        columns = []
        idType = .text
        idColumn = nil
        defaultGrouping = nil
        defaultSort = []
        defaultLimit = 1
        maximumLimit = 1
        header = Self.header
        footer = { _, _ in nil }
    }

    /// Addresses call the id of a row so.
    package static let idName = "id"

    /// The words a column cannot be called, because addresses use them; `id` is left to the one that
    /// shows the ids of the rows.
    public static let reservedIDs: Set<String> = [
        "after", "before", "collapsed", "columns", "count", "expanded", "facets", "group", "id",
        "jump", "layout", "limit",
        "none", "notice",
        "page", "per_section", "q", "section", "segment", "shape", "sort", "utm_campaign",
        "utm_content", "utm_medium", "utm_source", "utm_term", "fbclid", "gclid",
    ]

    /// The value as text, or `No city` for null.
    public static let header: @Sendable (CellValue, Column) -> String? = { value, column in
        value.isNull ? "No \(column.label.lowercased())" : value.canonicalText
    }

    /// The same schema, for a list that is arranged in another way.
    public func arranged(_ arrangement: Arrangement) -> ListSchema {
        var schema = self
        schema.arrangement = arrangement
        return schema
    }

    /// The same schema, for a list that does something with its headers and footers.
    public func on(sections events: SectionEvents) -> ListSchema {
        var schema = self
        schema.sectionEvents = events
        return schema
    }

    /// Whether a query asks for the sections that the list itself has.
    public func usesOwnSections(_ query: ListQuery) -> Bool {
        arrangement == .own && query.grouping == nil && !query.mergesSections
    }

    /// Whether a query asks for the order that the list itself has.
    public func usesOwnOrder(_ query: ListQuery) -> Bool {
        arrangement == .own && query.grouping == nil && query.sort.isEmpty
    }

    /// Reads the name of a section.
    ///
    /// - Parameters:
    ///   - id: The name from an address.
    ///   - query: How the list is cut into sections.
    /// - Returns: The key, or nil when no section can have that name.
    public func sectionKey(_ id: String, in query: ListQuery) -> SectionKey? {
        if usesOwnSections(query) { return .named(SectionID(id)) }
        guard let grouping = query.grouping else { return id == "all" ? .whole : nil }
        return keyColumn(of: grouping).value(named: id).map(SectionKey.value)
    }

    /// The name of a section in addresses.
    ///
    /// `all` for the whole list, the id of a section of the list's own, else the name of the value
    /// (``Column/name(of:)``), so that no two sections share one.
    public func id(of key: SectionKey, in grouping: Grouping?) -> SectionID {
        switch key {
        case .whole: return SectionID("all")
        case .named(let id): return id
        case .value(let value):
            let column = grouping.map(keyColumn) ?? Column("value")
            return SectionID(column.name(of: value))
        }
    }

    /// The column whose values the keys of sections are: that of the letters for initials.
    private func keyColumn(of grouping: Grouping) -> Column {
        grouping.part == .initial ? Column("initial") : columns[grouping.column]
    }

    /// What the index letters of a question are taken from: the section's key or the first key of the
    /// order, where that is a text; nil where there are no letters.
    public func letterKey(of query: ListQuery) -> SortKey? {
        guard !usesOwnSections(query), !usesOwnOrder(query) else { return nil }
        let key = query.grouping.map { SortKey(.column($0.column)) } ?? query.sort.first
        guard let key, case .column(let column) = key.field, columns[column].type.isText else {
            return nil
        }
        return key
    }

    /// The columns that conditions may look at.
    public var filterable: [Int] { columns.indices.filter { columns[$0].isFilterable } }

    /// The columns that a search looks at.
    public var searchable: [Int] { columns.indices.filter { columns[$0].isSearchable } }

    /// The position of the column that a condition is about: that of the ids where they are shown, or
    /// nil.
    public func column(of filter: Filter) -> Int? { filter.column ?? idColumn }

    /// What addresses call the id or a column.
    public func name(of field: SortKey.Field) -> String {
        switch field {
        case .id: Self.idName
        case .column(let column): columns[column].id
        }
    }

    /// The position of a column.
    public func index(of id: String) -> Int? { columns.firstIndex { $0.id == id } }

    /// The type of the section keys of a grouping; nil without one.
    public func keyType(of grouping: Grouping?) -> ColumnType? {
        guard let grouping else { return nil }
        return grouping.part == .initial ? .text : columns[grouping.column].type
    }

    /// Describes the section of a key.
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
