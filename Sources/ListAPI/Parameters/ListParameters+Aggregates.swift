import Listings
import Rendering

/// The parameters that compute values from rows.
extension ListParameters {
    /// Reads the columns whose values are to be counted, and whether others are suggested.
    mutating func readFacets(of query: inout ListQuery) {
        let word = ListParameter.suggestion
        let error = Problem.Fault.unfacetableColumn(_:allowed:)
        query.facets = columns(in: .facets, besides: word, where: \.isFacet, error)
        let parts = values[.facets]?.first?.split(separator: ",") ?? []
        query.suggestsFacets = parts.contains { $0 == word }
    }

    /// Reads the aggregates, by function and in the order of their columns.
    mutating func readAggregates() -> [Aggregate] {
        Aggregate.Function.allCases.flatMap { function in
            ListParameter(rawValue: function.rawValue).map { parameter in
                columns(in: parameter, where: { Aggregate.isUsable(function, of: $0) })
                    .map { Aggregate(function, column: $0) }
            } ?? []
        }
    }

    /// Reads the column whose values are to be summarized.
    mutating func readStatistics() -> Int? {
        columns(in: .statistics, maximum: 1, where: ColumnStatistics.isUsable).first
    }

    /// Reads the columns that a parameter names, each once.
    private mutating func columns(
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
        if let word, let place = parts.firstIndex(where: { $0 == word }) { parts.remove(at: place) }
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
