import HTTP
import Listings
import Rendering

/// The query parameters of a list's addresses, read strictly: what is not understood is refused.
struct ListParameters {
    /// The deepest row that a page number may reach.
    static let deepestRow = 10_000
    /// Sections a page when none are asked for.
    static let defaultSectionLimit = 20

    let list: String
    let schema: ListSchema
    let accepted: Accepted
    /// The segment of the list that the address names; nil for the one shown when none is named.
    private var segment: String?
    private(set) var cursorKeys = CursorKeys()
    private(set) var errors: [ParameterError] = []
    /// How a page is to show the rows, once ``query(section:isIndex:)`` was asked.
    private(set) var layout = PageLayout.table
    /// The name of what is to be said on the page, once.
    private(set) var notice: String?
    /// The values of the parameters that are understood, by name.
    private(set) var values: [String: [String]] = [:]
    /// The parameters that are conditions on columns, in their order.
    private(set) var conditions: [(name: String, value: String)] = []
    /// How far the client would like rows to be counted.
    private(set) var preferredCounting: ListQuery.Counting?
    /// All parameters as they were sent, in their order.
    private(set) var sent: [QueryItems.Item] = []

    /// Takes an address's parameters apart; what is wrong with them is collected in `errors`.
    init(_ request: borrowing HTTPRequest, of endpoint: ListEndpoint, accepted: Accepted) {
        self.init(
            [],
            list: endpoint.definition.name,
            schema: endpoint.schema,
            accepted: accepted
        )
        segment = endpoint.segment
        cursorKeys = endpoint.cursorKeys
        if accepted.contains(.counts) { preferredCounting = Preferences(request).counting }
        read(request)
    }

    /// Takes the parameters of an address apart that takes none.
    init(_ request: borrowing HTTPRequest) {
        self.init([], list: "", schema: ListSchema.withoutColumns, accepted: [])
        read(request)
    }

    private mutating func read(_ request: borrowing HTTPRequest) {
        for part in QueryItems.parts(of: request.query) {
            switch part {
            case .failure(.malformedPercentEncoding(let name)), .failure(.invalidUTF8(let name)):
                refuse(.malformedEncoding(name))
            case .success(let item):
                guard !isTracking(item.name) else { continue }
                // Where a page is led to by an action; no part of the question.
                if item.name == "notice", accepted.contains(.layout) {
                    notice = item.value
                    continue
                }
                sent.append(item)
                take(item)
            }
        }
    }

    /// Takes parameters apart that are written down elsewhere than in an address.
    init(_ items: [QueryItems.Item], list: String, schema: ListSchema, accepted: Accepted) {
        self.list = list
        self.schema = schema
        self.accepted = accepted
        sent = items
        for item in items { take(item) }
    }

    /// The errors that are told at most; behind the last one nothing more is looked at, because a
    /// request of many kilobytes can hold thousands.
    static let maximumErrors = 20
    /// The columns that a sort may name: each takes a part in every comparison and every range.
    static let maximumSortKeys = 8

    /// Whether there are so many errors that no more is looked for.
    private var isFull: Bool { errors.count >= Self.maximumErrors }

    /// Notes an error, unless there are enough of them.
    mutating func refuse(_ error: ParameterError) {
        if !isFull { errors.append(error) }
    }

    /// Parameters that other services append to links, besides `utm_…`.
    private static let trackingNames: Set<String> = [
        "_", "dclid", "fbclid", "gclid", "igshid", "mc_cid", "mc_eid", "msclkid", "ref", "yclid",
    ]

    /// Whether a parameter is one that other services append to links: it is dropped.
    ///
    /// A list that has a column of the name has a condition there.
    private func isTracking(_ name: String) -> Bool {
        name.hasPrefix("utm_")
            || Self.trackingNames.contains(name) && !schema.columns.contains { $0.id == name }
    }

    /// The parameters that may stand more than once.
    static let repeatable: Set<String> = ["section", "collapsed", "expanded"]
    /// The sections that may be asked for.
    static let maximumSections = 100
    /// The sections that may be collapsed.
    static let maximumCollapsed = 100

    /// Whether a parameter takes the id of a section, which may be empty.
    private static func namesSection(_ name: String) -> Bool {
        name == "section" || name == "collapsed"
    }

    /// The rows of an outline that may be expanded: each is asked for what is below it.
    static let maximumExpanded = 100

    private mutating func take(_ item: QueryItems.Item) {
        guard !isFull else { return }
        // What an address asks with means that there, also where a column has its name.
        let isParameter = accepted.names.contains(item.name)
        let isCondition = !isParameter && isFilter(item.name)
        guard isCondition || isParameter else {
            refuse(.unknownParameter(item.name, suggestion: suggestion(for: item.name)))
            return
        }
        guard let value = item.value,
            !value.isEmpty || isCondition || Self.namesSection(item.name)
        else {
            refuse(.missingValue(item.name))
            return
        }
        if isCondition {
            conditions.append((item.name, value))
            return
        }
        if !Self.repeatable.contains(item.name), values[item.name] != nil {
            refuse(.repeatedParameter(item.name))
            return
        }
        values[item.name, default: []].append(value)
    }

    /// The question the parameters ask.
    ///
    /// - Parameters:
    ///   - section: The section named by the path, if it names one.
    ///   - isIndex: Whether sections are shown without their rows.
    ///   - parent: The row whose rows below are asked for, and nothing else.
    /// - Returns: nil when there are `errors`.
    mutating func query(
        section: SectionID? = nil,
        isIndex: Bool = false,
        parent: String? = nil
    ) -> ListQuery? {
        let errorCount = errors.count
        let grouping = readGrouping()
        let isGroupingUnderstood = errors.count == errorCount
        var query = ListQuery(
            grouping: grouping,
            sort: readSort(),
            columns: readColumns(),
            shape: readShape(isIndex: isIndex)
        )
        query.mergesSections = readsOneSection
        query.filters = readFilters()
        query.search = readSearch()
        query.counting = readCounting()
        query.facets = readFacets()
        // In a grouping that is not understood no section can be right or wrong.
        if isGroupingUnderstood,
            let ids = section.map({ [$0.rawValue] }) ?? bounded("section", Self.maximumSections)
        {
            query.sections = readSections(ids, of: "section", query)
        }
        if isGroupingUnderstood, let ids = bounded("collapsed", Self.maximumCollapsed) {
            query.collapsed = readSections(ids, of: "collapsed", query)
        }
        query.segment = segment
        query.parent = parent
        query.expanded = readExpanded()
        query.start = readStart(query)
        layout = readLayout()
        return errors.isEmpty ? query : nil
    }

    private mutating func readLayout() -> PageLayout {
        guard let value = values["layout"]?.first else { return .table }
        guard let layout = PageLayout(rawValue: value) else {
            let allowed = PageLayout.allCases.map(\.rawValue)
            errors.append(.unknownOption("layout", option: value, allowed: allowed))
            return .table
        }
        return layout
    }

    private mutating func readExpanded() -> [String] {
        var seen: Set<String> = []
        return bounded("expanded", Self.maximumExpanded)?.filter { seen.insert($0).inserted } ?? []
    }

    /// The values of a parameter that may stand so often; nil without any.
    private mutating func bounded(_ name: String, _ maximum: Int) -> [String]? {
        guard let values = values[name], values.count > maximum else { return values[name] }
        refuse(.tooManyValues(name, maximum: maximum))
        return nil
    }

    // MARK: - Sections

    /// How the parameters cut the list into sections.
    private mutating func readGrouping() -> Grouping? {
        guard let value = values["group"]?.first else { return schema.defaultGrouping }
        if value == "none" { return nil }
        let parts = value.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard let column = column(named: String(parts[0]), in: "group", isAllowed: \.isGroupable)
        else { return nil }
        guard schema.columns[column].isGroupable else {
            let allowed = schema.columns.filter(\.isGroupable).map(\.id)
            refuse(.ungroupableColumn(schema.columns[column].id, allowed: allowed))
            return nil
        }
        guard parts.count == 2 else { return Grouping(column: column) }
        guard parts[1] == "initial" else {
            refuse(
                .unknownOption("group", option: String(parts[1]), allowed: ["initial"])
            )
            return nil
        }
        guard schema.columns[column].type.isText else {
            refuse(.noInitials(schema.columns[column].id))
            return nil
        }
        return Grouping(column: column, part: .initial)
    }

    /// Whether the parameters read a list that has sections of its own as one.
    private var readsOneSection: Bool {
        schema.arrangement == .own && values["group"]?.first == "none"
    }

    private mutating func readSections(
        _ ids: [String],
        of parameter: String,
        _ query: ListQuery
    ) -> [SectionKey] {
        var keys: [SectionKey] = []
        for id in ids {
            guard let key = schema.sectionKey(id, in: query) else {
                refuse(.unknownSection(id, in: parameter))
                continue
            }
            if !keys.contains(key) { keys.append(key) }
        }
        return keys
    }

    /// Refuses a cursor that turned out to name no position.
    mutating func refuseCursor() {
        refuse(.invalidCursor(values["before"] == nil ? "after" : "before"))
    }

    /// Refuses a section that turned out to have no row.
    mutating func refuseSection(_ id: String) { refuse(.unknownSection(id)) }

    /// Refuses a cursor that turned out to be of another life of the list.
    mutating func refuseCursor(of query: ListQuery) {
        switch query.start {
        case .after: refuse(.expiredCursor("after"))
        case .before: refuse(.expiredCursor("before"))
        case .beginning, .offset, .letter: break
        }
    }

    // MARK: - Columns

    private mutating func readSort() -> [SortKey] {
        guard let value = values["sort"]?.first else { return schema.defaultSort }
        var keys: [SortKey] = []
        let parts = value.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count <= Self.maximumSortKeys else {
            refuse(.tooManyColumns("sort", maximum: Self.maximumSortKeys))
            return []
        }
        for part in parts {
            guard let key = readSortKey(part) else { continue }
            if keys.contains(where: { $0.field == key.field }) {
                refuse(.repeatedColumn("sort", column: schema.name(of: key.field)))
            }
            keys.append(key)
        }
        return keys
    }

    private mutating func readSortKey(_ text: Substring) -> SortKey? {
        var text = text
        let isDescending = text.first == "-"
        if isDescending { text.removeFirst() }
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0])
        var field = SortKey.Field.id
        if name != ListSchema.idName || schema.idColumn != nil {
            guard let column = column(named: name, in: "sort", isAllowed: \.isSortable) else {
                return nil
            }
            guard schema.columns[column].isSortable else {
                refuse(.unsortableColumn(name))
                return nil
            }
            field = .column(column)
        }
        var nulls = SortKey.Nulls.last
        switch parts.count == 2 ? String(parts[1]) : "nullslast" {
        case "nullslast": nulls = .last
        case "nullsfirst": nulls = .first
        case let option:
            let allowed = ["nullsfirst", "nullslast"]
            refuse(.unknownOption("sort", option: option, allowed: allowed))
        }
        return SortKey(field, isDescending ? .descending : .ascending, nulls: nulls)
    }

    private mutating func readColumns() -> [Int]? {
        guard let value = values["columns"]?.first else { return nil }
        var columns: [Int] = []
        let parts = value.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count <= schema.columns.count else {
            refuse(.tooManyColumns("columns", maximum: schema.columns.count))
            return nil
        }
        for part in parts where !isFull {
            guard let column = column(named: String(part), in: "columns", isAllowed: { _ in true })
            else { continue }
            if columns.contains(column) {
                refuse(.repeatedColumn("columns", column: String(part)))
            }
            columns.append(column)
        }
        return columns
    }

    /// The position of a column of a name; refuses a name that no column has.
    mutating func column(
        named name: String,
        in parameter: String,
        isAllowed: (Column) -> Bool
    ) -> Int? {
        if let column = schema.index(of: name) { return column }
        let names = schema.columns.filter(isAllowed).map(\.id)
        refuse(
            .unknownColumn(
                parameter,
                column: name,
                suggestion: Suggestion.nearest(to: name, among: names)
            )
        )
        return nil
    }
}

extension ListQuery.Shape {
    /// Whether rows are counted, rather than sections.
    var pagesRows: Bool {
        switch self {
        case .flow: true
        case .peek: false
        }
    }
}
