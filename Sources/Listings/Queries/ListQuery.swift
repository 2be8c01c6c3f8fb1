/// A question about a list, checked against its schema: every column it names exists.
public struct ListQuery: Hashable, Sendable {
    /// What is counted by the limit.
    public enum Shape: Hashable, Sendable {
        /// Rows, across sections, at most `limit` of them.
        case flow(limit: Int)
        /// Sections, at most `limit` of them, each with its first `rows` rows (0 for none).
        case peek(limit: Int, rows: Int)

        /// Rows or sections a page.
        package var limit: Int {
            switch self {
            case .flow(let limit), .peek(let limit, _): limit
            }
        }
    }
    /// Where the page begins.
    public enum Start: Hashable, Sendable {
        /// At the beginning of the list.
        case beginning
        /// Behind a position.
        case after(Cursor)
        /// Just before a position: the page ends there.
        case before(Cursor)
        /// After this many rows; for people's page numbers, bounded by whoever makes the query.
        case offset(Int)
        /// At the first row whose index letter is this one or stands behind it: see
        /// ``ListSchema/letterKey(of:)``.
        case letter(String)
    }

    /// How the list is cut into sections; nil leaves it in those it has, most often one.
    public var grouping: Grouping?
    /// The order inside a section; the id always follows, ascending, unless it is named.
    public var sort: [SortKey]
    /// The sections asked for, in any order and never an empty list; nil means all.
    public var sections: [SectionKey]?
    /// Whether a list that has sections of its own is read as one section.
    ///
    /// false by default; of no effect where a grouping is asked for.
    public var mergesSections = false
    /// The conditions that every row meets.
    public var filters: [Filter] = []
    /// What rows meet that there are for who asks; every other row is as if it were not.
    package var scope: [Filter] = []
    /// The words that every row has; nil asks for none.
    public var search: TextSearch?
    /// The columns whose values are to be counted, by their position in the schema.
    public var facets: [Int] = []
    /// How far rows are counted.
    public var counting = Counting.capped
    /// Whether the page is to name the index letters there are.
    public var wantsLetters = false
    /// The columns to show, by their position in the schema and in the order to show them; nil
    /// means all.
    public var columns: [Int]?
    /// What is counted by the limit.
    public var shape: Shape
    /// Where the page begins.
    public var start: Start

    /// The segment of the list that is asked; nil is the one shown when none is asked for.
    public var segment: String?
    /// The sections whose rows are not to be shown; those that are not there mean nothing.
    public var collapsed: [SectionKey] = []
    /// The ids of the rows whose rows below are shown; those that are not on the page mean nothing.
    public var expanded: [String] = []
    /// Whether its rows may take longer than an answer may: those of an export that has begun.
    package var isPatient = false
    /// The id of the row whose rows below are asked for, and nothing else; nil asks for the list.
    public var parent: String?

    /// Creates a question.
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

    /// The whole order inside a section: what was asked for and then the id, so that no two rows
    /// are equal.
    public var order: [SortKey] {
        guard let id = sort.firstIndex(where: { $0.field == .id }) else {
            return sort + [SortKey(.id)]
        }
        return Array(sort[...id])
    }

    /// The values that a place in this question's order is named by; nil where sections are paged.
    public var placeValueCount: Int? {
        guard parent == nil else { return 2 }
        switch shape {
        case .flow: return order.count
        case .peek: return nil
        }
    }

    /// Whether some rows may be left out for what they hold.
    public var isNarrowed: Bool { !filters.isEmpty || search != nil }

    /// Whether all rows are looked at, for what they hold.
    var selectsRows: Bool { isNarrowed || !facets.isEmpty }

    /// The same question about one section alone, read as a flow from its beginning.
    public func restricted(to key: SectionKey, limit: Int) -> ListQuery {
        var query = self
        query.sections = [key]
        query.shape = .flow(limit: limit)
        query.start = .beginning
        return query
    }
}
