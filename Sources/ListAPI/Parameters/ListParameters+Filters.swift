import Listings
import Rendering

extension ListParameters {
    /// The maximum number of filters of a query, because each costs time for every row.
    static let maximumFilters = 16
    static let maximumOperands = 500

    /// Whether a parameter is to be read as a filter, valid or not.
    func isFilter(_ name: String) -> Bool {
        let column = FilterName(name).column
        return accepted.contains(.conditions)
            && (filterNames.contains(column) || schema.index(of: column) != nil)
    }

    var filterNames: [String] {
        let columns = schema.filterable.map { schema.columns[$0].id }
        let isIDMissing = !schema.operatorsForIDs.isEmpty && !columns.contains(ListSchema.idName)
        return isIDMissing ? [ListSchema.idName] + columns : columns
    }

    func suggestion(for name: String) -> String? {
        let parsed = FilterName(name)
        let columns = accepted.contains(.conditions) ? filterNames : []
        guard let operation = parsed.operation else {
            return Suggestion.nearest(to: name, among: accepted.named.map(\.name) + columns)
        }
        return Suggestion.nearest(to: parsed.column, among: columns).map { "\($0)__\(operation)" }
    }

    mutating func readFilters() -> [Filter] {
        var filters: [Filter] = []
        for (name, value) in conditions {
            guard let filter = readFilter(name, value), !filters.contains(filter) else { continue }
            guard add(filter, named: name, to: &filters) else { return filters }
        }
        for (parameter, joint) in [(ListParameter.or, FilterGroup.Joint.any), (.not, .notAll)] {
            for text in values[parameter] ?? [] {
                guard let filter = FilterGroupText.filter(joint, text, of: parameter, &self),
                    !filters.contains(filter)
                else { continue }
                guard add(filter, named: parameter.name, to: &filters) else { return filters }
            }
        }
        return filters
    }

    private mutating func add(
        _ filter: Filter,
        named name: String,
        to filters: inout [Filter]
    ) -> Bool {
        let leaves = (filters + [filter]).flatMap(\.leaves)
        guard leaves.count <= Self.maximumFilters else {
            refuse(.tooManyFilters(name, maximum: Self.maximumFilters))
            return false
        }
        guard leaves.reduce(0, { $0 + $1.operands.count }) <= Self.maximumOperands else {
            refuse(.tooManyOperands(name, maximum: Self.maximumOperands))
            return false
        }
        filters.append(filter)
        return true
    }

    mutating func readComparison(_ name: String, _ value: String) -> Filter? {
        let name = elements(of: name) ?? name
        let errorCount = errors.count
        derive(FilterName(name).column, in: name)
        guard errors.count == errorCount else { return nil }
        guard isFilter(name) else {
            let column = FilterName(name).column
            return refused(
                .unknownColumn(
                    name,
                    column: column,
                    suggestion: Suggestion.nearest(to: column, among: filterNames),
                    columns: filterNames
                )
            )
        }
        return readFilter(name, value)
    }

    private mutating func readFilter(_ name: String, _ value: String) -> Filter? {
        do throws(Problem.Fault) {
            return try FilterReader(schema: schema, parameter: name).filter(value)
        } catch {
            return refused(error)
        }
    }

    mutating func readSearch(ofAllLists isGlobal: Bool = false) -> TextSearch? {
        guard let text = values[.search]?.first else { return nil }
        guard isGlobal || !schema.searchable.isEmpty else { return refused(.unsearchableList("q")) }
        guard let search = TextSearch(text) else { return refused(.emptySearch("q")) }
        guard search.terms.count <= TextSearch.maximumTerms else {
            return refused(.tooManyWords("q", maximum: TextSearch.maximumTerms))
        }
        return search
    }

    /// Reads the limit of counting; the parameter wins over the client's preference.
    mutating func readCounting() -> ListQuery.Counting {
        guard schema.abilities.contains(.counting) else { return .off }
        guard let word = values[.count]?.first else { return preferredCounting ?? .capped }
        guard let counting = ListQuery.Counting(rawValue: word) else {
            let allowed = ListQuery.Counting.allCases.map(\.rawValue)
            refuse(.unknownOption("count", option: word, allowed: allowed))
            return .capped
        }
        return counting
    }

    var followsPreference: Bool { preferredCounting != nil && values[.count] == nil }

    mutating func letter() -> ListQuery.Start? {
        guard let text = values[.jump]?.first else { return nil }
        guard text.count == 1 else { return refused(.notALetter("jump", value: text)) }
        guard schema.letterKey(of: request.query) != nil else { return refused(.noLetters("jump")) }
        return .letter(TextCollation.initial(of: text))
    }

    mutating func takeFacets() {
        let word = ListParameter.suggestion
        let error = Problem.Fault.unfacetableColumn(_:allowed:)
        request.query.facets = columns(in: .facets, besides: word, where: \.isFacet, error)
        let parts = values[.facets]?.first?.split(separator: ",") ?? []
        request.query.suggestsFacets = parts.contains { $0 == word }
    }

    mutating func columns(
        in parameter: ListParameter,
        maximum: Int = ListParameter.maximumFacets,
        besides word: String? = nil,
        where isUsable: (Column) -> Bool,
        _ error: ((String, [String]) -> Problem.Fault)? = nil
    ) -> [Int] {
        guard let value = values[parameter]?.first else { return [] }
        let name = parameter.name
        var parts = value.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count <= maximum else {
            refuse(.tooManyColumns(name, maximum: maximum))
            return []
        }
        if let word, let location = parts.firstIndex(where: { $0 == word }) {
            parts.remove(at: location)
        }
        var columns: [Int] = []
        for part in parts {
            guard let column = column(named: String(part), in: name, isAllowed: isUsable)
            else { continue }
            if !isUsable(schema.columns[column]) {
                let (id, allowed) = (schema.columns[column].id, schema.ids(where: isUsable))
                refuse(error?(id, allowed) ?? .unusableColumn(name, column: id, allowed: allowed))
            } else if columns.contains(column) {
                refuse(.repeatedColumn(name, column: String(part)))
            } else {
                columns.append(column)
            }
        }
        return columns
    }
}
