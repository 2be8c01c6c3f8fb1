extension ListingError: CustomStringConvertible {
    /// The error, for the programmer who defines the list.
    public var description: String {
        switch self {
        case .unregisteredModel(let model):
            "the model \(model) has no row controller; register one first"
        case .alreadyRegistered(let model):
            "the model \(model) already has a row controller; use its registration for further "
                + "lists, or pass replacing: true"
        case .duplicateKind(let kind, let first, let second):
            "rows of \(first) and of \(second) have the same kind '\(kind)'; pass another kind to "
                + "one of the controllers"
        case .registryFrozen(let model):
            "the service has started and takes no controller of \(model) any more"
        case .invalidParts(let names, let model):
            "the parts of \(model) need distinct names without '#', not "
                + "[\(names.joined(separator: ", "))]"
        case .duplicateColumn(let id): "two columns have the id '\(id)'"
        case .reservedColumn(let id):
            "a column cannot have the id '\(id)', because query parameters have such names"
        case .reservedAction(let name):
            "an action cannot have the name '\(name)'; reserved are "
                + RowAction.reservedNames.sorted().joined(separator: ", ")
        case .duplicateID(let id, let first, let second):
            "the models at positions \(first) and \(second) have the same id '\(id)'"
        case .missingColumns(let ids, let list):
            "the list '\(list)' lacks the columns \(ids.joined(separator: ", "))"
        }
    }
}
