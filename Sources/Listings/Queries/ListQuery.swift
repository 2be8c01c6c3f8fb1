/// A query of a list, checked against its schema, so that all its columns exist.
public struct ListQuery: Hashable, Sendable {
    /// The rows or sections that the limit counts.
    public enum Shape: Hashable, Sendable {
        /// Rows, across sections, at most `limit` of them.
        case flow(limit: Int)
        /// Sections, at most `limit` of them, each with its first `rows` rows (0 for none).
        case peek(limit: Int, rows: Int)

        /// The number of rows or sections on a page.
        package var limit: Int {
            switch self {
            case .flow(let limit), .peek(let limit, _): limit
            }
        }
    }
    /// The start of the page.
    public enum Start: Hashable, Sendable {
        /// At the beginning of the list.
        case beginning
        /// After a position.
        case after(Cursor)
        /// Directly before a position, where the page ends.
        case before(Cursor)
        /// After a number of rows, for page numbers; the caller limits it.
        case offset(Int)
        /// At the first row with this or a later index letter: see ``ListSchema/letterKey(of:)``.
        case letter(String)
    }

    /// The grouping into sections; nil uses the sections of the list, usually one.
    public var grouping: Grouping?
    /// The order inside a section.
    ///
    /// The ascending id follows, unless the order names the id.
    public var sort: [SortKey]
    /// The queried sections in any order, never empty; nil means all.
    public var sections: [SectionKey]?
    /// Whether the list's own sections are merged into one.
    ///
    /// The default is false. A grouping overrides it.
    public var mergesSections = false
    /// The conditions that every row meets.
    public var filters: [Filter] = []
    /// The conditions of the client's scope.
    ///
    /// Rows that fail them do not exist for the client.
    package var scope: [Filter] = []
    /// The words that every row contains; nil for no search.
    public var search: TextSearch?
    /// The columns whose values are counted, by position in the schema.
    public var facets: [Int] = []
    /// The extent of counting.
    public var counting = Counting.capped
    /// Whether the page lists the index letters.
    public var wantsLetters = false
    /// The shown columns, by position in the schema and in display order; nil means all.
    public var columns: [Int]?
    /// The rows or sections that the limit counts.
    public var shape: Shape
    /// The start of the page.
    public var start: Start

    /// The queried segment of the list; nil means the default one.
    public var segment: String?
    /// The collapsed sections; unknown ones are ignored.
    public var collapsed: [SectionKey] = []
    /// The ids of the expanded rows; rows that are not on the page are ignored.
    public var expanded: [String] = []
    /// Whether reading rows may exceed the usual budget, as in a running export.
    package var isPatient = false
    /// The id of the row whose children are queried; nil queries the list.
    public var parent: String?

    /// Creates a query.
    public init(
        grouping: Grouping? = nil,
        sort: [SortKey] = [],
        sections: [SectionKey]? = nil,
        columns: [Int]? = nil,
        shape: Shape,
        start: Start = .beginning
    ) {
        self.grouping = grouping
        self.sort = sort
        self.sections = sections
        self.columns = columns
        self.shape = shape
        self.start = start
    }

    /// The complete order inside a section.
    ///
    /// It ends with the id, so that no two rows are equal.
    public var order: [SortKey] {
        guard let id = sort.firstIndex(where: { $0.field == .id }) else {
            return sort + [SortKey(.id)]
        }
        return Array(sort[...id])
    }

    /// The number of values of a position in this query's order; nil if sections are paged.
    public var placeValueCount: Int? {
        guard parent == nil else { return 2 }
        switch shape {
        case .flow: return order.count
        case .peek: return nil
        }
    }

    /// Whether conditions or a search may exclude rows.
    public var isNarrowed: Bool { !filters.isEmpty || search != nil }

    /// Whether the contents of all rows are examined.
    package var selectsRows: Bool { isNarrowed || !facets.isEmpty }

    /// A copy of the query for one section, as a flow from its beginning.
    public func restricted(to key: SectionKey, limit: Int) -> ListQuery {
        var query = self
        query.sections = [key]
        query.shape = .flow(limit: limit)
        query.start = .beginning
        return query
    }
}
