import ListAPI
import Listings

extension ListServiceError: CustomStringConvertible {
    /// The error, for the programmer or operator who starts the service.
    public var description: String {
        switch self {
        case .noLists: "the service has no list; add one before serve()"
        case .repeatedList(let name): "two lists are named '\(name)'"
        case .invalidListName(let name): "the name '\(name)' of a list is not allowed"
        case .invalidOrder(let list, let parameter, let detail):
            "list '\(list)': \(parameter): \(detail)"
        case .reservedAction(let name, let list):
            "list '\(list)': \(ListingError.reservedAction(name))"
        case .unfilledColumn(let id, let list, let filled):
            "list '\(list)': no registered controller fills the column '\(id)'"
                + Self.remedy(for: id, filled)
        case .missingColumn(let column, let list, let model):
            "list '\(list)': the schema lacks the column '\(column.id)' that the controller of "
                + "\(model) fills; add Column(\"\(column.id)\", type: .\(column.type))"
        case .differingColumn(let column, let list, let model, let type):
            "list '\(list)': the column '\(column.id)' is \(type) in the schema, and the controller "
                + "of \(model) fills it with \(column.type); give both the same type"
        case .cannotServe(let reason): reason
        }
    }

    private static func remedy(for id: String, _ filled: [String]) -> String {
        let hint = Suggestion.hint(for: id, among: filled)
        return hint.isEmpty ? "; they fill \(filled.joined(separator: ", "))" : hint
    }
}
