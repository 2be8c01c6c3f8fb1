package import HTTP
import ListDiff
package import Listings
package import Rendering

/// The query parameters of a list's address, read strictly: any invalid one is an error.
package struct ListParameters {
    /// The default maximum number of sections a page.
    static let defaultSectionLimit = 20

    let list: String
    /// The schema of the list, with the columns that the parameters derive.
    private(set) var schema: ListSchema
    /// The paths that conditions and orders may name.
    private var paths: PathReader
    let accepted: ListParameter.Accepted
    /// The parameters of the address, where these are a condition on rows of another list.
    private let outer: ListParameter.Accepted?
    /// The lists that conditions may refer to by a foreign key.
    private var relatedLists: [RelatedList] = []
    /// The conditions on their rows.
    private var related: [RelatedFilter] = []
    /// The segment in the address; nil for the default segment.
    private var segment: String?
    private(set) var cursorKeys = CursorKeys()
    /// The errors of the parameters, in their order.
    package private(set) var errors: [Problem.Fault] = []
    /// The layout of the page, set by ``query(section:isIndex:)``.
    private(set) var layout = PageLayout.table
    package private(set) var hasByteOrderMark = false
    /// The shape of JSON besides that of pages; nil for pages.
    private(set) var shape: JSONShape?
    private(set) var isPretty = false
    /// The name of the notice to show on the page once.
    private(set) var notice: String?
    /// The values of the known parameters, by name.
    package private(set) var values: [ListParameter: [String]] = [:]
    /// The parameters that are filters, in their order.
    private(set) var conditions: [(name: String, value: String)] = []
    /// The limit of counting that the client prefers.
    private(set) var preferredCounting: ListQuery.Counting?
    /// The number of rows before the cursor, as the link to the page knew it.
    private(set) var rowsBefore: Int?
    private(set) var sent: [QueryItems.Item] = []

    /// Parses the parameters of an address; `errors` collects their errors.
    init(
        _ request: borrowing HTTPRequest,
        of endpoint: ServedList,
        accepted: ListParameter.Accepted,
        relatedTo lists: [RelatedList] = [],
        paths: ColumnPaths = .own
    ) {
        self.init(
            [],
            list: endpoint.definition.name,
            schema: endpoint.schema,
            accepted: accepted,
            relatedTo: lists,
            paths: paths
        )
        segment = endpoint.segment
        cursorKeys = endpoint.cursorKeys
        if accepted.accepts(.count) { preferredCounting = Preferences(request).counting }
        read(request)
    }

    /// Parses the parameters of an address that belongs to no list.
    init(_ request: borrowing HTTPRequest, accepted: ListParameter.Accepted = []) {
        self.init([], list: "", schema: ListSchema.withoutColumns, accepted: accepted)
        read(request)
    }

    private mutating func read(_ request: borrowing HTTPRequest) {
        for part in QueryItems.parts(of: request.query) {
            switch part {
            case .failure(.malformedPercentEncoding(let name)), .failure(.invalidUTF8(let name)):
                refuse(.malformedEncoding(name))
            case .success(let item):
                guard !isTracking(item.name) else { continue }
                // An action redirects to a page with its notice, which is no part of the query.
                if item.name == "notice", accepted.contains(.layout) {
                    notice = item.value
                    continue
                }
                sent.append(item)
                take(item)
            }
        }
    }

    /// Parses parameters from another source than an address.
    package init(
        _ items: [QueryItems.Item],
        list: String,
        schema: ListSchema,
        accepted: ListParameter.Accepted,
        within outer: ListParameter.Accepted? = nil,
        relatedTo lists: [RelatedList] = [],
        paths: ColumnPaths = .own
    ) {
        self.list = list
        self.outer = outer
        self.schema = schema
        self.paths = PathReader(schema, paths, lists)
        relatedLists = lists
        self.accepted = accepted
        sent = items
        for item in items { take(item) }
    }

    /// The maximum number of reported errors.
    ///
    /// Parsing stops after the last one, because a request can hold thousands.
    static let maximumErrors = 20

    private var isFull: Bool { errors.count >= Self.maximumErrors }

    /// Adds an error, unless the maximum is reached.
    mutating func refuse(_ error: Problem.Fault) {
        if !isFull { errors.append(error) }
    }

    func has(_ parameter: ListParameter) -> Bool { values[parameter] != nil }

    /// Replaces an error by one that says more.
    mutating func replaceError(at index: Int, by error: (Problem.Fault) -> Problem.Fault) {
        errors[index] = error(errors[index])
    }

    /// Parameters that other services append to links, besides `utm_…`.
    private static let trackingNames: Set<String> = [
        "_", "dclid", "fbclid", "gclid", "igshid", "mc_cid", "mc_eid", "msclkid", "ref", "yclid",
    ]

    /// Whether other services append the parameter to links, so that it is dropped.
    ///
    /// A name without `utm_` counts as a filter where the list has a column of the name.
    private func isTracking(_ name: String) -> Bool {
        name.hasPrefix("utm_")
            || Self.trackingNames.contains(name) && !schema.columns.contains { $0.id == name }
    }

    private mutating func take(_ item: QueryItems.Item) {
        guard !isFull else { return }
        // A parameter of the address wins over a column of the same name, unless it is newer.
        let known = ListParameter(rawValue: item.name)
        guard let parameter = known, accepted.accepts(parameter), !parameter.isColumn(of: schema)
        else {
            takeCondition(item)
            return
        }
        guard let value = item.value, !value.isEmpty || parameter.mayBeEmpty else {
            refuse(.missingValue(item.name))
            return
        }
        if parameter.maximumOccurrences == nil, values[parameter] != nil {
            refuse(.repeatedParameter(item.name))
            return
        }
        values[parameter, default: []].append(value)
    }

    /// Reads a condition on the rows that a foreign key names: `customer.name__contains=Ada`.
    ///
    /// - Returns: Whether the name begins with that of a key.
    private mutating func takeRelated(_ item: QueryItems.Item) -> Bool {
        let list = relatedLists.first { item.name.hasPrefix($0.lookup.relation.name + ".") }
        guard accepted.contains(.conditions), let list else { return false }
        let name = list.lookup.relation.name
        let rest = String(item.name.dropFirst(name.count + 1))
        let (filters, errors) = list.conditions(rest, item.value, outer: accepted)
        for error in errors { refuse(.related(name: name, error)) }
        guard errors.isEmpty else { return true }
        guard let filter = filters.first else {
            // A search is no condition on a column.
            refuse(.unknownParameter(item.name, known: accepted.known))
            return true
        }
        guard related.count < Self.maximumRelated else {
            refuse(.tooManyFilters(item.name, maximum: Self.maximumRelated))
            return true
        }
        let sent = RelatedFilter(
            list.lookup,
            filter,
            name: item.name,
            value: item.value ?? ""
        )
        if !related.contains(sent) { related.append(sent) }
        return true
    }

    /// The maximum number of conditions on rows of other lists.
    ///
    /// Each of them is a query.
    private static let maximumRelated = 5

    private mutating func takeCondition(_ item: QueryItems.Item) {
        guard !takeRelated(item) else { return }
        var item = item
        if let name = elements(of: item.name) { item = .init(name: name, value: item.value) }
        let errorCount = errors.count
        if accepted.contains(.filters) { derive(FilterName(item.name).column, in: item.name) }
        guard errors.count == errorCount else { return }
        guard isFilter(item.name) else {
            let nearest = suggestion(for: item.name)
            let isParameter =
                !accepted.contains(.conditions) || ListParameter(rawValue: item.name) != nil
                || accepted.parameters.contains { $0.name == nearest }
            refuse(
                .unknownParameter(
                    item.name,
                    suggestion: nearest,
                    columns: isParameter ? nil : filterNames,
                    known: (outer ?? accepted).known
                )
            )
            return
        }
        guard let value = item.value else {
            refuse(.missingValue(item.name))
            return
        }
        conditions.append((item.name, value))
    }

    /// Returns the query of the parameters.
    ///
    /// - Parameters:
    ///   - section: The section that the path names, if any.
    ///   - isIndex: Whether the page shows sections without their rows.
    ///   - parent: The row whose children are the only rows of the query.
    /// - Returns: The query; nil when there are `errors`.
    package mutating func query(
        section: SectionID? = nil,
        isIndex: Bool = false,
        parent: String? = nil
    ) -> ListQuery? {
        let errorCount = errors.count
        let grouping = readGrouping()
        let isGroupingUnderstood = errors.count == errorCount
        let sort = readSort()
        let fields = readFields()
        var query = ListQuery(
            grouping: grouping,
            sort: sort,
            columns: fields?.compactMap(\.column),
            shape: readShape(isIndex: isIndex)
        )
        query.fields = fields
        query.mergesSections = readsOneSection
        query.filters = readFilters()
        query.related = related
        query.search = readSearch()
        query.counting = readCounting()
        readFacets(of: &query)
        query.aggregates = readAggregates()
        query.statistics = readStatistics()
        query.derived = schema.derived
        // Sections are not checked in an invalid grouping.
        if isGroupingUnderstood,
            let ids = section.map({ [$0.rawValue] }) ?? bounded(.section)
        {
            query.sections = readSections(ids, of: .section, query)
        }
        if isGroupingUnderstood, let ids = bounded(.collapsed) {
            query.collapsed = readSections(ids, of: .collapsed, query)
        }
        query.segment = segment
        query.parent = parent
        query.expanded = readExpanded()
        query.start = readStart(query)
        layout = readOption(.layout) ?? .table
        shape = readOption(.shape)
        hasByteOrderMark = readSwitch(.byteOrderMark)
        isPretty = readSwitch(.pretty)
        return errors.isEmpty ? query : nil
    }

    /// Reads a parameter whose only value is 1.
    private mutating func readSwitch(_ parameter: ListParameter) -> Bool {
        guard let value = values[parameter]?.first else { return false }
        if value != "1" { refuse(.unknownOption(parameter.name, option: value, allowed: ["1"])) }
        return true
    }

    /// Reads a parameter whose value is one of some words.
    private mutating func readOption<Option: RawRepresentable & CaseIterable>(
        _ parameter: ListParameter
    ) -> Option? where Option.RawValue == String {
        guard let value = values[parameter]?.first else { return nil }
        let option = Option(rawValue: value)
        if option == nil {
            let allowed = Option.allCases.map(\.rawValue)
            refuse(.unknownOption(parameter.name, option: value, allowed: allowed))
        }
        return option
    }

    private mutating func readExpanded() -> [String] {
        var seen: Set<String> = []
        return bounded(.expanded)?.filter { seen.insert($0).inserted } ?? []
    }

    /// Returns the values of a parameter; nil without any, or after a refusal of too many.
    private mutating func bounded(_ parameter: ListParameter) -> [String]? {
        let maximum = parameter.maximumOccurrences ?? 1
        guard let values = values[parameter], values.count > maximum else {
            return values[parameter]
        }
        refuse(.tooManyValues(parameter.name, maximum: maximum))
        return nil
    }

    // MARK: - Sections

    private mutating func readGrouping() -> Grouping? {
        guard let value = values[.group]?.first else { return schema.defaultGrouping }
        if value == "none" { return nil }
        let parts = value.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        if parts.count == 2, derive(value, in: "group"), let column = schema.index(of: value) {
            return Grouping(column: column)
        }
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

    /// Whether the parameters join the sections of a list with sections of its own.
    private var readsOneSection: Bool {
        schema.arrangement == .own && values[.group]?.first == "none"
    }

    private mutating func readSections(
        _ ids: [String],
        of parameter: ListParameter,
        _ query: ListQuery
    ) -> [SectionKey] {
        var keys: [SectionKey] = []
        for id in ids {
            guard let key = schema.sectionKey(id, in: query) else {
                refuse(.unknownSection(id, in: parameter.name))
                continue
            }
            if !keys.contains(key) { keys.append(key) }
        }
        return keys
    }

    // MARK: - Columns

    private mutating func readSort() -> [SortKey] {
        guard let value = values[.sort]?.first else { return schema.defaultSort }
        var keys: [SortKey] = []
        let parts = value.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count <= ListParameter.maximumSortKeys else {
            refuse(.tooManyColumns("sort", maximum: ListParameter.maximumSortKeys))
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
        var parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        if parts.count > 1, DerivedColumn.Period(rawValue: parts[1]) != nil {
            parts[0] += ":" + parts.remove(at: 1)
        }
        let name = parts[0]
        var field = SortKey.Field.id
        if name != ListSchema.idName || !schema.sortsByHiddenID {
            guard let column = column(named: name, in: "sort", isAllowed: \.isSortable) else {
                return nil
            }
            guard schema.columns[column].isSortable else {
                refuse(.unsortableColumn(name, allowed: schema.ids(where: \.isSortable)))
                return nil
            }
            field = .column(column)
        }
        var nulls = SortKey.Nulls.last
        switch parts.count > 1 ? parts[1...].joined(separator: ":") : "nullslast" {
        case "nullslast": nulls = .last
        case "nullsfirst": nulls = .first
        case let option:
            let allowed = ["nullsfirst", "nullslast"]
            refuse(.unknownOption("sort", option: option, allowed: allowed))
        }
        return SortKey(field, isDescending ? .descending : .ascending, nulls: nulls)
    }

    private mutating func readFields() -> [RowField]? {
        guard let value = values[.columns]?.first else { return nil }
        var fields: [RowField] = []
        let parts = value.split(separator: ",", omittingEmptySubsequences: false)
        let maximum = schema.columns.count + schema.furtherFields.count
        guard parts.count <= maximum else {
            refuse(.tooManyColumns("columns", maximum: maximum))
            return nil
        }
        for part in parts where !isFull {
            let further = schema.furtherFields.first { schema.name(of: $0) == part }
            guard
                let field = further
                    ?? column(named: String(part), in: "columns", isAllowed: { _ in true })
                    .map(RowField.column)
            else { continue }
            if fields.contains(field) {
                refuse(.repeatedColumn("columns", column: String(part)))
            }
            fields.append(field)
        }
        return fields
    }

    /// Returns the name of `tags__has` as a path, `tags[]`; nil for another name.
    func elements(of name: String) -> String? {
        let parsed = FilterName(name)
        return parsed.operation == "has" ? parsed.column + "[]" : nil
    }

    /// Adds the column of a path to the schema, or refuses a path that the caller may not use.
    ///
    /// - Returns: Whether the name is that of a derived column.
    @discardableResult
    mutating func derive(_ name: String, in parameter: String) -> Bool {
        if let known = schema.index(of: name) { return !schema.ownColumns.contains(known) }
        do throws(Problem.Fault) {
            guard let column = try paths.column(name, in: parameter) else { return false }
            schema = schema.deriving(schema.derived + [column])
        } catch {
            refuse(error)
        }
        return true
    }

    /// Refuses the columns that a list cannot derive.
    package mutating func checkDerivedColumns(of endpoint: ServedList) {
        guard errors.isEmpty, let last = schema.derived.last,
            let refused = endpoint.reader.refusal(of: schema.derived)
        else { return }
        refuse(paths.error(of: refused.column ?? last, refused.reason))
    }

    /// Returns the position of a column by its name; refuses an unknown name.
    mutating func column(
        named name: String,
        in parameter: String,
        isAllowed: (Column) -> Bool
    ) -> Int? {
        let errorCount = errors.count
        let derives = parameter == "sort" || parameter == "facets"
        if derives { derive(name, in: parameter) }
        guard errors.count == errorCount else { return nil }
        if let column = schema.index(of: name), derives || schema.ownColumns.contains(column) {
            return column
        }
        let names = schema.columns.filter(isAllowed).map(\.id)
        refuse(
            .unknownColumn(
                parameter,
                column: name,
                suggestion: Suggestion.nearest(to: name, among: names),
                columns: names
            )
        )
        return nil
    }
}

extension RelatedList {
    /// Reads a condition on the rows of the list.
    fileprivate func conditions(
        _ name: String,
        _ value: String?,
        outer: ListParameter.Accepted
    ) -> (filters: [Filter], errors: [Problem.Fault]) {
        var parameters = ListParameters(
            [QueryItems.Item(name: name, value: value)],
            list: lookup.relation.target,
            schema: schema,
            accepted: .filters,
            within: outer
        )
        let filters = parameters.readFilters()
        return (filters, parameters.errors)
    }
}

extension ListQuery.Shape {
    /// Whether the limit counts rows, rather than sections.
    var pagesRows: Bool {
        switch self {
        case .flow: true
        case .peek: false
        }
    }
}

/// The parameters of paging: the size of a page and its start.
extension ListParameters {
    /// Reads the shape of the page: rows, or sections with a maximum number of rows each.
    mutating func readShape(isIndex: Bool) -> ListQuery.Shape {
        let perSection = isIndex ? 0 : number(.perSection, minimum: 1)
        let limit = number(.limit, minimum: 1)
        if let limit, limit > schema.maximumLimit {
            refuse(.limitTooLarge(maximum: schema.maximumLimit))
        }
        guard let perSection else { return .flow(limit: limit ?? schema.defaultLimit) }
        let sections = limit ?? Self.sectionLimit(schema, rows: perSection)
        let rows = sections.multipliedReportingOverflow(by: perSection)
        if rows.overflow || rows.partialValue > schema.maximumLimit {
            refuse(
                .tooManyRows(
                    limit: sections,
                    perSection: perSection,
                    maximum: schema.maximumLimit
                )
            )
        }
        return .peek(limit: sections, rows: perSection)
    }

    /// Returns the default number of sections a page, lowered so that their rows fit the page.
    static func sectionLimit(_ schema: ListSchema, rows: Int) -> Int {
        min(defaultSectionLimit, max(1, schema.maximumLimit / max(1, rows)))
    }

    /// Reads the start of the page.
    mutating func readStart(_ query: ListQuery) -> ListQuery.Start {
        let starts: [ListParameter] = [.after, .before, .page, .offset, .around, .jump]
        let given = starts.filter { values[$0] != nil }
        if given.count > 1 {
            refuse(.conflictingParameters(given[0].name, given[1].name))
            return .beginning
        }
        switch given.first {
        case .after: return cursor(.after, query).map(ListQuery.Start.after) ?? .beginning
        case .before: return cursor(.before, query).map(ListQuery.Start.before) ?? .beginning
        case .page: return page(query)
        case .offset: return offset(query)
        case .jump: return letter(query)
        default: return .beginning
        }
    }

    private mutating func page(_ query: ListQuery) -> ListQuery.Start {
        guard let page = number(.page, minimum: 1) else { return .beginning }
        let limit = query.shape.limit
        // A refused limit does not bound the page number.
        guard limit <= schema.maximumLimit else { return .beginning }
        let end = page.multipliedReportingOverflow(by: limit)
        guard !end.overflow, end.partialValue <= ListParameter.deepestRow else {
            refuse(
                .pageTooDeep(
                    page: page,
                    deepest: max(1, ListParameter.deepestRow / max(1, limit)),
                    maximumRows: ListParameter.deepestRow
                )
            )
            return .beginning
        }
        return page == 1 ? .beginning : .offset((page - 1) * limit)
    }

    private mutating func offset(_ query: ListQuery) -> ListQuery.Start {
        guard let offset = number(.offset, minimum: 0) else { return .beginning }
        let limit = query.shape.limit
        // A refused limit does not bound the offset.
        guard limit <= schema.maximumLimit else { return .beginning }
        let end = offset.addingReportingOverflow(limit)
        guard !end.overflow, end.partialValue <= ListParameter.deepestRow else {
            refuse(
                .offsetTooLarge(
                    maximum: ListParameter.deepestRow - limit,
                    maximumRows: ListParameter.deepestRow
                )
            )
            return .beginning
        }
        return offset == 0 ? .beginning : .offset(offset)
    }

    /// The sign between a cursor and the number of rows before it, which no cursor has.
    static let rowsMark = UInt8(ascii: "~")

    private mutating func cursor(_ parameter: ListParameter, _ query: ListQuery) -> Cursor? {
        guard errors.isEmpty, let value = values[parameter]?.first else { return nil }
        let parts = value.split(separator: "~", maxSplits: 1, omittingEmptySubsequences: false)
        let text = String(parts[0])
        if parts.count == 2 {
            rowsBefore = Int(parts[1])
            guard let rowsBefore, rowsBefore >= 0, "\(rowsBefore)" == parts[1] else {
                refuse(.invalidCursor(parameter.name))
                return nil
            }
        }
        do {
            let cursor = try Cursor(
                text,
                signature: query.signature(of: list, schema: schema),
                valueCount: query.placeValueCount,
                keys: cursorKeys
            )
            let hasSections =
                query.parent == nil && (query.grouping != nil || schema.usesOwnSections(query))
            if cursor.isReference || (cursor.section == .whole) != hasSections { return cursor }
            refuse(.invalidCursor(parameter.name))
            return nil
        } catch {
            switch error {
            case .invalid: refuse(.invalidCursor(parameter.name))
            case .expired: refuse(.expiredCursor(parameter.name))
            }
            return nil
        }
    }

    private mutating func number(_ parameter: ListParameter, minimum: Int) -> Int? {
        guard let text = values[parameter]?.first else { return nil }
        guard text.utf8.allSatisfy({ $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }) else {
            refuse(.notANumber(parameter.name, value: text))
            return nil
        }
        // Digits that overflow an integer exceed every limit.
        let number = Int(text) ?? .max
        if number < minimum { refuse(.numberTooSmall(parameter.name, minimum: minimum)) }
        return number
    }
}

/// The parameters of requests for changes.
extension ListParameters {
    /// Reads the version that the client has, and refuses it if it is malformed.
    ///
    /// - Parameter eventID: The id of the last event that the client received, which wins over
    ///   `since`; nil without one.
    /// - Returns: The text and its token, which is nil for the format of another server version;
    ///   nil after a refusal.
    mutating func readVersion(eventID: String?) -> (text: String, token: PageDigest?)? {
        guard let text = eventID ?? values[.since]?.first else {
            refuse(.missingParameter("since"))
            return nil
        }
        do throws(PageDigest.Refusal) {
            return (text, try PageDigest(text))
        } catch {
            if error == .unknownFormat { return (text, nil) }
            refuse(.invalidVersion("since"))
            return nil
        }
    }

    /// Reads whether the client also requests rows and sections as HTML.
    mutating func readIncluded() -> Bool {
        guard let value = values[.include]?.first else { return false }
        if value != "html" {
            refuse(.unknownOption("include", option: value, allowed: ["html"]))
        }
        return true
    }
}

/// The client's preferences for the response (RFC 7240); §2 says to ignore unknown ones.
struct Preferences: Hashable, Sendable {
    /// Whether a response without content is sufficient: `return=minimal`.
    private(set) var wantsMinimal = false
    /// Whether the client prefers the content: `return=representation`.
    private(set) var wantsRepresentation = false
    /// Whether to do as much as possible despite errors: `handling=lenient`.
    private(set) var isLenient = false
    /// The extent of counting: `count=exact` and the other words of the parameter.
    private(set) var counting: ListQuery.Counting?

    /// The number of seconds that the client is willing to wait: `wait=30`.
    private(set) var wait: Int?

    private static let field = FieldName("Prefer")

    /// Reads the Prefer field; the first of repeated preferences applies.
    init(_ request: borrowing HTTPRequest) {
        guard let field = request.field(Self.field) else { return }
        var seen: Set<String> = []
        for part in field.lowercased().utf8.split(separator: UInt8(ascii: ",")) {
            let end = part.firstIndex(of: UInt8(ascii: ";")) ?? part.endIndex
            let preference = part[..<end].filter {
                $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") && $0 != UInt8(ascii: "\"")
            }
            guard let equals = preference.firstIndex(of: UInt8(ascii: "=")) else { continue }
            let name = String(decoding: preference[..<equals], as: UTF8.self)
            let value = String(decoding: preference[(equals + 1)...], as: UTF8.self)
            guard !name.isEmpty, !value.isEmpty, seen.insert(name).inserted else { continue }
            switch (name, value) {
            case ("return", "minimal"): wantsMinimal = true
            case ("return", "representation"): wantsRepresentation = true
            case ("handling", "lenient"): isLenient = true
            case ("count", _): counting = ListQuery.Counting(rawValue: value)
            case ("wait", _):
                if value.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) { wait = Int(value) }
            default: break
            }
        }
    }
}
