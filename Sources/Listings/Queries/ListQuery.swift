/// A query of a list, checked against its schema, so that all its columns exist.
public struct ListQuery: Hashable, Sendable {
    /// The rows or sections that the limit counts.
    public enum Shape: Hashable, Sendable {
        /// Rows, across sections, at most `limit` of them.
        case flow(limit: Int)
        /// Sections, at most `limit` of them, each with its first `rows` rows (0 for none).
        case peek(limit: Int, rows: Int)

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
        /// At the end of the list, where the page ends.
        case end
        /// After a number of rows, for page numbers; the caller limits it.
        case offset(Int)
        /// At the first row with this or a later index letter: see ``ListSchema/letterKey(of:)``.
        case letter(String)

        package var cursor: Cursor? {
            switch self {
            case .after(let cursor), .before(let cursor): cursor
            case .beginning, .end, .offset, .letter: nil
            }
        }
    }

    package var derived: [DerivedColumn] = []
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
    package var related: [RelatedFilter] = []
    package var embedding: Embedding?
    package var lookups: [Lookup] = []
    package var isReadOnly = false
    /// The words that every row contains; nil for no search.
    public var search: TextSearch?
    /// The columns whose values are counted, by position in the schema.
    public var facets: [Int] = []
    package var suggestsFacets = false
    /// The values that are computed from the rows, of the list and of each section.
    public var aggregates: [Aggregate] = []
    /// The column whose values are summarized, by position in the schema; nil for none.
    public var statistics: Int?
    /// The extent of counting.
    public var counting = Counting.capped
    /// Whether the page lists the index letters.
    public var wantsLetters = false
    /// The shown columns, by position in the schema and in display order; nil means all.
    public var columns: [Int]?
    /// The order of all columns; nil for that of the list.
    package var displayOrder: [Int]?
    /// The shown columns with the id and the section of rows among them; nil where the client named
    /// neither.
    package var fields: [RowField]?
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
    /// Whether reading rows is limited to the time for facets.
    package var isBrief = false
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
    public var isNarrowed: Bool { !filters.isEmpty || search != nil || !related.isEmpty }

    package var selectsRows: Bool {
        isNarrowed || !facets.isEmpty || !aggregates.isEmpty || statistics != nil
    }

    /// A copy of the query for one section, as a flow from its beginning.
    public func restricted(to key: SectionKey, limit: Int) -> ListQuery {
        var query = self
        query.sections = [key]
        query.shape = .flow(limit: limit)
        query.start = .beginning
        return query
    }
}

extension ListQuery {
    /// The extent of counting.
    public enum Counting: String, Hashable, Sendable, CaseIterable {
        /// No counting.
        case off = "none"
        /// Up to ``countCap``.
        case capped
        /// All rows, within the time budget.
        case exact
        /// The number of rows by the statistics of the engine; as ``capped`` without any, and for
        /// rows that meet conditions.
        case estimated
    }

    /// The maximum number of rows for counting that is not exact.
    public static let countCap = 10_000
}

extension ListQuery {
    /// The fingerprint of the query's order, because a cursor is valid for one order only.
    ///
    /// It covers the list, grouping, sort, sections, conditions and shape.
    ///
    /// The hash is FNV-1a, 32 bits (RFC 9923), which distinguishes orders but does not protect
    /// them.
    public func signature(of list: String, schema: ListSchema) -> UInt32 {
        let schema = schema.deriving(derived)
        var hash = Fingerprint()
        hash.add(list)
        if !schema.basis.isEmpty { hash.add(schema.basis) }
        if let segment {
            hash.add("/segment")
            hash.add(segment)
        }
        if let parent {
            hash.add("/below")
            hash.add(parent)
            return hash.value
        }
        if let grouping {
            hash.add(schema.columns[grouping.column].id)
            hash.add(grouping.part.rawValue)
        }
        if schema.usesOwnSections(self) { hash.add("/sections") }
        if schema.usesOwnOrder(self) { hash.add("/place") }
        for key in order {
            hash.add(key.field == .id ? "/id" : schema.name(of: key.field))
            hash.add(key.direction == .ascending ? "<" : ">")
            hash.add(key.nulls == .first ? "[" : "]")
        }
        if let sections {
            for id in sections.map({ schema.id(of: $0, in: grouping).rawValue }).sorted() {
                hash.add(id)
            }
        }
        if !filters.isEmpty {
            let conditions = filters.filter { !$0.isFixed }.map { $0.canonicalText(schema) }
            for condition in conditions.sorted() { hash.add(condition) }
        }
        for condition in related.map(\.canonicalText).sorted() { hash.add(condition) }
        if let search {
            hash.add("/q")
            for term in search.terms { hash.add(term.pattern) }
        }
        switch shape {
        case .flow: hash.add("flow")
        case .peek: hash.add("peek")
        }
        return hash.value
    }
}

extension ListQuery {
    /// Whether all equal queries have the same signature.
    ///
    /// Equal texts and numbers can have several spellings (`é` in two ways, 0 and -0). Signatures
    /// depend on the spelling.
    var hasOneSpelling: Bool {
        !isNarrowed && sections == nil && segment == nil && parent == nil
    }
}

extension Filter {
    fileprivate func canonicalText(_ schema: ListSchema) -> String {
        if let group {
            let members = group.members.map { member in
                let text = member.canonicalText(schema)
                return "\(text.utf8.count):\(text)"
            }
            return "\(group.joint.rawValue)(\(members.sorted().joined()))"
        }
        return "\(schema.name(of: field))\(canonicalComparison)"
    }

    /// The operator and the operands, each in the one spelling that equal values share.
    fileprivate var canonicalComparison: String {
        let operands = operands.map { operand in
            var text = operand.canonicalText
            if case .timestamp(let time) = operand {
                text = "\(time.precision.rawValue) \(time.canonicalText)"
            }
            return "\(operand.kind.rawValue)\(text.utf8.count):\(text)"
        }
        return "__\(operation.rawValue)=\(operands.sorted().joined())"
    }
}

extension RelatedFilter {
    fileprivate var canonicalText: String {
        "\(lookup.relation.column).\(filter.field)\(filter.canonicalComparison)"
    }
}

/// An FNV-1a hash of texts.
///
/// Each text ends with a byte that UTF-8 never contains.
struct Fingerprint {
    private(set) var value: UInt32 = 0x811C_9DC5

    mutating func add(_ text: String) {
        for byte in text.utf8 { add(byte) }
        add(0xFF)
    }

    mutating func add(_ byte: UInt8) {
        value = (value ^ UInt32(byte)) &* 0x0100_0193
    }
}

/// The grouping of a list into sections.
public struct Grouping: Hashable, Sendable {
    /// The part of the column's value that is the key of a section.
    public enum Part: String, Hashable, Sendable {
        /// The whole value.
        case value
        /// The first letter of a text (see ``TextCollation/initial(of:)``); null stays null.
        case initial
    }

    /// The position of the column in the schema.
    public let column: Int
    /// The part of its value that is the key.
    public let part: Part

    /// Groups by a column.
    public init(column: Int, part: Part = .value) {
        self.column = column
        self.part = part
    }

    /// The key of a value's section.
    public func key(for value: CellValue) -> CellValue {
        guard part == .initial, !value.isNull else { return value }
        return .text(TextCollation.initial(of: value.plainText))
    }
}

/// One key of an order.
public struct SortKey: Hashable, Sendable {
    /// The compared field.
    public enum Field: Hashable, Sendable {
        /// The row's id.
        case id
        /// The column at a position of the schema.
        case column(Int)
    }
    /// The direction of the values.
    public enum Direction: Hashable, Sendable {
        /// Smallest first.
        case ascending
        /// Largest first.
        case descending
    }
    /// The position of rows without a value, whatever the direction.
    public enum Nulls: Hashable, Sendable {
        /// Before all values.
        case first
        /// After all values; the default.
        case last
    }

    /// The compared field.
    public let field: Field
    /// The direction of the values.
    public let direction: Direction
    /// The position of rows without a value.
    public let nulls: Nulls

    /// Creates a key of an order.
    public init(_ field: Field, _ direction: Direction = .ascending, nulls: Nulls = .last) {
        self.field = field
        self.direction = direction
        self.nulls = nulls
    }
}

extension ListQuery.Counting {
    /// Counting ends at ``ListQuery/countCap``.
    package var isCapped: Bool { self == .capped || self == .estimated }
}
