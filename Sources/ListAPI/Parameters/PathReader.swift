import Listings
import Rendering

package enum ColumnPaths: Hashable {
    case own
    /// Also the columns that a query derives from them.
    case derived
}

struct PathReader {
    private let schema: ListSchema
    private let paths: ColumnPaths
    private let lists: [RelatedList]
    private var parameters: [String: String] = [:]

    init(_ schema: ListSchema, _ paths: ColumnPaths, _ lists: [RelatedList]) {
        (self.schema, self.paths, self.lists) = (schema, paths, lists)
    }

    /// Nil if the name is no path; throws for one that the caller may not use, or one too many.
    mutating func column(
        _ name: String,
        in parameter: String
    ) throws(Problem.Fault) -> DerivedColumn? {
        let relations = lists.map { ($0.lookup.relation, $0.source) }
        guard paths == .derived, let column = DerivedColumn(name, of: schema, relations) else {
            return nil
        }
        parameters[name] = parameter
        let isRestricted = lists.contains { list in
            guard case .related(list.lookup.relation, _) = column.step else { return false }
            return !list.lookup.scope.isEveryRow
        }
        // The order would reveal values of rows that the caller may not see.
        if isRestricted { throw error(of: column, .restricted) }
        guard parameters.count <= DerivedColumn.maximumCount else {
            throw .tooManyPaths(parameter, maximum: DerivedColumn.maximumCount)
        }
        return column
    }

    func error(of column: DerivedColumn, _ reason: Problem.Fault.PathReason) -> Problem.Fault {
        let path = column.column.id
        return .unusablePath(parameters[path] ?? path, path: path, reason)
    }
}
