package import HTTP
import ListDiff
package import Listings
package import Rendering

/// The query parameters of a list's address, read strictly: any invalid one is an error.
package struct ListParameters {
    static let defaultSectionLimit = 20

    private var paths: PathReader
    let accepted: ParameterSet
    /// The parameters of the address, where these are a condition on rows of another list.
    private let outer: ParameterSet?
    private var relatedLists: [RelatedList] = []
    private(set) var related: [RelatedFilter] = []
    package private(set) var errors: [Problem.Fault] = []
    package internal(set) var request: ListRequest
    private(set) var notice: String?
    package private(set) var values: [ListParameter: [String]] = [:]
    private(set) var conditions: [(name: String, value: String)] = []
    private(set) var preferredCounting: ListQuery.Counting?
    private(set) var sent: [QueryItems.Item] = []
    private var isGroupingUnderstood = true

    /// The schema of the list, with the columns that the parameters derive.
    var schema: ListSchema { request.list.schema }

    init(
        _ request: borrowing HTTPRequest,
        at target: ListResource,
        accepted: ParameterSet? = nil,
        paths: ColumnPaths = .derived
    ) {
        let endpoint = target.endpoint
        self.init(
            [],
            list: endpoint.definition.name,
            schema: endpoint.schema,
            accepted: accepted ?? target.accepted,
            relatedTo: target.relatedLists,
            paths: paths,
            cursorKeys: endpoint.cursorKeys
        )
        self.request.place = target.place
        self.request.query.segment = endpoint.segment
        if case .children(let id) = target.place { self.request.query.parent = id }
        if self.accepted.contains(.count) { preferredCounting = Preferences(request).counting }
        read(request)
    }

    init(_ request: borrowing HTTPRequest, accepted: ParameterSet = []) {
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

    package init(
        _ items: [QueryItems.Item],
        list: String,
        schema: ListSchema,
        accepted: ParameterSet,
        within outer: ParameterSet? = nil,
        relatedTo lists: [RelatedList] = [],
        paths: ColumnPaths = .own,
        cursorKeys: CursorKeys = CursorKeys()
    ) {
        self.outer = outer
        request = ListRequest(RequestedList(list, schema, cursorKeys))
        self.paths = PathReader(schema, paths, lists)
        relatedLists = lists
        self.accepted = accepted
        sent = items
        for item in items { take(item) }
    }

    /// Parsing stops after the last one, because a request can hold thousands.
    static let maximumErrors = 20

    private var isFull: Bool { errors.count >= Self.maximumErrors }

    mutating func refuse(_ error: Problem.Fault) {
        if !isFull { errors.append(error) }
    }

    /// Adds an error of a value, which is nil.
    mutating func refused<Value>(_ error: Problem.Fault) -> Value? {
        refuse(error)
        return nil
    }

    func has(_ parameter: ListParameter) -> Bool { values[parameter] != nil }

    mutating func replaceError(at index: Int, by error: (Problem.Fault) -> Problem.Fault) {
        errors[index] = error(errors[index])
    }

    private static let trackingNames: Set<String> = [
        "_", "dclid", "fbclid", "gclid", "igshid", "mc_cid", "mc_eid", "msclkid", "ref", "yclid",
    ]

    /// A name without `utm_` counts as a filter where the list has a column of the name.
    private func isTracking(_ name: String) -> Bool {
        name.hasPrefix("utm_")
            || Self.trackingNames.contains(name) && !schema.columns.contains { $0.id == name }
    }

    private mutating func take(_ item: QueryItems.Item) {
        guard !isFull else { return }
        // A parameter of the address wins over a column of the same name, unless it is newer.
        guard let id = ListParameter(named: item.name), accepted.contains(id),
            case let parameter = Parameter.of(id), !parameter.isColumn(of: schema)
        else {
            takeCondition(item)
            return
        }
        guard let value = item.value, !value.isEmpty || parameter.mayBeEmpty else {
            refuse(.missingValue(item.name))
            return
        }
        if parameter.maximumOccurrences == nil, has(id) {
            refuse(.repeatedParameter(item.name))
            return
        }
        values[id, default: []].append(value)
    }

    /// Returns whether the name begins with a foreign key, as in `customer.name__contains=Ada`.
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

    /// The maximum number of conditions on other lists, each of which is a query.
    private static let maximumRelated = 5

    private mutating func takeCondition(_ item: QueryItems.Item) {
        guard !takeRelated(item) else { return }
        var item = item
        if let name = elements(of: item.name) { item = .init(name: name, value: item.value) }
        let errorCount = errors.count
        if accepted.contains(.or) { derive(FilterName(item.name).column, in: item.name) }
        guard errors.count == errorCount else { return }
        guard isFilter(item.name) else {
            let nearest = suggestion(for: item.name)
            let isParameter =
                !accepted.contains(.conditions) || ListParameter(named: item.name) != nil
                || accepted.named.contains { $0.name == nearest }
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

    package mutating func readRequest() {
        for read in Parameter.readers { read(&self) }
    }

    mutating func readForms(of format: PageFormat, embedding reader: EmbeddingReader) {
        if request.hasByteOrderMark, format != .csv {
            refuse(.onlyOfFormat("bom", format: PageFormat.csv.title))
        }
        if let text = values[.embed]?.first {
            do { request.query.embedding = try reader.read(text) } catch { refuse(error) }
        }
        if format != .json {
            for parameter in [ListParameter.embed, .shape, .pretty] where has(parameter) {
                refuse(.onlyOfFormat(parameter.name, format: PageFormat.json.title))
            }
        }
        if request.query.embedding != nil, has(.shape) {
            refuse(.conflictingParameters("embed", "shape"))
        }
        if has(.around), has(.perSection) {
            refuse(.conflictingParameters("around", "per_section"))
        }
    }

    mutating func readSwitch(_ parameter: ListParameter) -> Bool {
        guard let value = values[parameter]?.first else { return false }
        if value != "1" { refuse(.unknownOption(parameter.name, option: value, allowed: ["1"])) }
        return true
    }

    mutating func readOption<Option: RawRepresentable & CaseIterable>(
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

    mutating func readExpanded() -> [String] {
        var seen: Set<String> = []
        return bounded(.expanded)?.filter { seen.insert($0).inserted } ?? []
    }

    /// Returns the values of a parameter; nil without any, or after a refusal of too many.
    private mutating func bounded(_ parameter: ListParameter) -> [String]? {
        let maximum = Parameter.of(parameter).maximumOccurrences ?? 1
        guard let values = values[parameter], values.count > maximum else {
            return values[parameter]
        }
        return refused(.tooManyValues(parameter.name, maximum: maximum))
    }

    // MARK: - Sections

    /// Reads the grouping; sections of one that is refused are not read.
    mutating func takeGrouping() {
        let errorCount = errors.count
        request.query.grouping = readGrouping()
        // `group=none` joins the sections of a list with sections of its own.
        request.query.mergesSections =
            schema.arrangement == .own && values[.group]?.first == "none"
        isGroupingUnderstood = errors.count == errorCount
    }

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
            return refused(.ungroupableColumn(schema.columns[column].id, allowed: allowed))
        }
        guard parts.count == 2 else { return Grouping(column: column) }
        guard parts[1] == "initial" else {
            return refused(
                .unknownOption("group", option: String(parts[1]), allowed: ["initial"])
            )
        }
        guard schema.columns[column].type.isText else {
            return refused(.noInitials(schema.columns[column].id))
        }
        return Grouping(column: column, part: .initial)
    }

    mutating func readSections() -> [SectionKey]? {
        guard case .section(let id) = request.place else { return sections(named: .section) }
        return isGroupingUnderstood ? keys(of: [id.rawValue], named: .section) : nil
    }

    mutating func sections(named parameter: ListParameter) -> [SectionKey]? {
        guard isGroupingUnderstood else { return nil }
        return bounded(parameter).map { keys(of: $0, named: parameter) }
    }

    private mutating func keys(
        of ids: [String],
        named parameter: ListParameter
    ) -> [SectionKey] {
        var keys: [SectionKey] = []
        for id in ids {
            guard let key = schema.sectionKey(id, in: request.query) else {
                refuse(.unknownSection(id, in: parameter.name))
                continue
            }
            if !keys.contains(key) { keys.append(key) }
        }
        return keys
    }

    // MARK: - Columns

    mutating func readSort() -> [SortKey] {
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
                return refused(.unsortableColumn(name, allowed: schema.ids(where: \.isSortable)))
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

    mutating func takeFields() {
        request.query.fields = readFields()
        request.query.columns = request.query.fields?.compactMap(\.column)
    }

    private mutating func readFields() -> [RowField]? {
        guard let value = values[.columns]?.first else { return nil }
        var fields: [RowField] = []
        let parts = value.split(separator: ",", omittingEmptySubsequences: false)
        let maximum = schema.columns.count + schema.furtherFields.count
        guard parts.count <= maximum else {
            return refused(.tooManyColumns("columns", maximum: maximum))
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

    /// Returns whether the name is that of a derived column.
    @discardableResult
    mutating func derive(_ name: String, in parameter: String) -> Bool {
        if let known = schema.index(of: name) { return !schema.ownColumns.contains(known) }
        do throws(Problem.Fault) {
            guard let column = try paths.column(name, in: parameter) else { return false }
            request.list = request.list.deriving(column)
            request.query.derived = schema.derived
        } catch {
            refuse(error)
        }
        return true
    }

    package mutating func checkDerivedColumns(of endpoint: ServedList) {
        guard errors.isEmpty, let last = schema.derived.last,
            let refused = endpoint.reader.refusal(of: schema.derived)
        else { return }
        refuse(paths.error(of: refused.column ?? last, refused.reason))
    }

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
        return refused(
            .unknownColumn(
                parameter,
                column: name,
                suggestion: Suggestion.nearest(to: name, among: names),
                columns: names
            )
        )
    }
}

extension RelatedList {
    fileprivate func conditions(
        _ name: String,
        _ value: String?,
        outer: ParameterSet
    ) -> (filters: [Filter], errors: [Problem.Fault]) {
        var parameters = ListParameters(
            [QueryItems.Item(name: name, value: value)],
            list: lookup.relation.target,
            schema: schema,
            accepted: .accepted(at: .scope),
            within: outer
        )
        let filters = parameters.readFilters()
        return (filters, parameters.errors)
    }
}

extension ListParameters {
    mutating func readShape() -> ListQuery.Shape {
        let perSection = request.place == .sections ? 0 : number(.perSection, minimum: 1)
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

    mutating func takeStart(
        _ parameter: ListParameter,
        _ read: (inout ListParameters) -> ListQuery.Start?
    ) {
        guard has(parameter) else { return }
        let given = ListParameter.starts.filter(has)
        guard given.count == 1 else {
            guard parameter == given[0] else { return }
            return refuse(.conflictingParameters(given[0].name, given[1].name))
        }
        request.query.start = read(&self) ?? .beginning
    }

    mutating func page() -> ListQuery.Start? {
        let (deepest, limit) = (ListParameter.deepestRow, request.query.shape.limit)
        guard let page = number(.page, minimum: 1), isLimitUnderstood else { return nil }
        let end = page.multipliedReportingOverflow(by: limit)
        guard !end.overflow, end.partialValue <= deepest else {
            let last = max(1, deepest / max(1, limit))
            return refused(.pageTooDeep(maximum: last))
        }
        return page == 1 ? .beginning : .offset((page - 1) * limit)
    }

    mutating func offset() -> ListQuery.Start? {
        let (deepest, limit) = (ListParameter.deepestRow, request.query.shape.limit)
        guard let offset = number(.offset, minimum: 0), isLimitUnderstood else { return nil }
        let end = offset.addingReportingOverflow(limit)
        guard !end.overflow, end.partialValue <= deepest else {
            return refused(.offsetTooLarge(maximum: deepest - limit))
        }
        return offset == 0 ? .beginning : .offset(offset)
    }

    /// Whether the limit bounds the start, which one that is refused does not.
    private var isLimitUnderstood: Bool { request.query.shape.limit <= schema.maximumLimit }

    /// The sign between a cursor and the number of rows before it, which no cursor has.
    static let rowsMark = UInt8(ascii: "~")

    mutating func cursor(_ parameter: ListParameter) -> Cursor? {
        guard errors.isEmpty, let value = values[parameter]?.first else { return nil }
        let parts = value.split(separator: "~", maxSplits: 1, omittingEmptySubsequences: false)
        let text = String(parts[0])
        if parts.count == 2 {
            request.rowsBefore = Int(parts[1])
            guard let rows = request.rowsBefore, rows >= 0, "\(rows)" == parts[1] else {
                return refused(.invalidCursor(parameter.name))
            }
        }
        let query = request.query
        do {
            let cursor = try Cursor(
                text,
                signature: query.signature(of: request.list.name, schema: schema),
                valueCount: query.placeValueCount,
                keys: request.list.cursorKeys
            )
            let hasSections =
                query.parent == nil && (query.grouping != nil || schema.usesOwnSections(query))
            if cursor.isReference || (cursor.section == .whole) != hasSections { return cursor }
            return refused(.invalidCursor(parameter.name))
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
            return refused(.notANumber(parameter.name, value: text))
        }
        // Digits that overflow an integer exceed every limit.
        let number = Int(text) ?? .max
        if number < minimum { refuse(.numberTooSmall(parameter.name, minimum: minimum)) }
        return number
    }

    /// The last event wins over `since`; the token is nil for the format of another version.
    mutating func readVersion(eventID: String?) -> (text: String, token: PageDigest?)? {
        guard let text = eventID ?? values[.since]?.first else {
            return refused(.missingParameter("since"))
        }
        do throws(PageDigest.Refusal) {
            return (text, try PageDigest(text))
        } catch {
            if error == .unknownFormat { return (text, nil) }
            return refused(.invalidVersion("since"))
        }
    }

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
    private(set) var wantsMinimal = false
    private(set) var wantsRepresentation = false
    private(set) var isLenient = false
    private(set) var counting: ListQuery.Counting?

    /// The number of seconds that the client is willing to wait: `wait=30`.
    private(set) var wait: Int?

    /// Reads the Prefer field; the first of repeated preferences applies.
    init(_ request: borrowing HTTPRequest) {
        guard let field = request.field(.prefer) else { return }
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
