import Listings

/// The parameters that compute values from rows.
extension ListParameters {
    /// Reads the columns whose values are to be counted, and whether others are suggested.
    mutating func readFacets(of query: inout ListQuery) {
        guard let value = values[.facets]?.first else { return }
        let parts = value.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count <= ListParameter.maximumFacets else {
            return refuse(.tooManyColumns("facets", maximum: ListParameter.maximumFacets))
        }
        for part in parts {
            if part == ListParameter.suggestion, !query.suggestsFacets {
                query.suggestsFacets = true
                continue
            }
            guard let column = column(named: String(part), in: "facets", isAllowed: \.isFacet)
            else { continue }
            if !schema.columns[column].isFacet {
                let allowed = schema.ids(where: \.isFacet)
                refuse(.unfacetableColumn(schema.columns[column].id, allowed: allowed))
            } else if query.facets.contains(column) {
                refuse(.repeatedColumn("facets", column: String(part)))
            } else {
                query.facets.append(column)
            }
        }
    }

    /// Reads the aggregates, by function and in the order of their columns.
    mutating func readAggregates() -> [Aggregate] {
        var aggregates: [Aggregate] = []
        for function in Aggregate.Function.allCases {
            let name = function.rawValue
            guard let value = ListParameter(rawValue: name).flatMap({ values[$0]?.first }) else {
                continue
            }
            let parts = value.split(separator: ",", omittingEmptySubsequences: false)
            guard parts.count <= ListParameter.maximumFacets else {
                refuse(.tooManyColumns(name, maximum: ListParameter.maximumFacets))
                continue
            }
            for part in parts {
                let isUsable = { Aggregate.isUsable(function, of: $0) }
                guard let column = column(named: String(part), in: name, isAllowed: isUsable)
                else { continue }
                let aggregate = Aggregate(function, column: column)
                if !isUsable(schema.columns[column]) {
                    let allowed = schema.ids(where: isUsable)
                    refuse(.unusableColumn(name, column: String(part), allowed: allowed))
                } else if aggregates.contains(aggregate) {
                    refuse(.repeatedColumn(name, column: String(part)))
                } else {
                    aggregates.append(aggregate)
                }
            }
        }
        return aggregates
    }
}
