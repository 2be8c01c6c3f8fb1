import Listings
import Rendering

/// The parameters that compute values from rows.
extension ListParameters {
    mutating func takeFacets() {
        let word = ListParameter.suggestion
        let error = Problem.Fault.unfacetableColumn(_:allowed:)
        request.query.facets = columns(in: .facets, besides: word, where: \.isFacet, error)
        let parts = values[.facets]?.first?.split(separator: ",") ?? []
        request.query.suggestsFacets = parts.contains { $0 == word }
    }

    /// Reads the columns that a parameter names, each once.
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
