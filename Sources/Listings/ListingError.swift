/// An error in the definition of a list.
public enum ListingError: Error, Hashable, Sendable {
    /// The named model type has no row controller.
    case unregisteredModel(String)
    /// The named model type already has a row controller.
    case alreadyRegistered(model: String)
    /// Rows of two model types have the same kind.
    case duplicateKind(String, first: String, second: String)
    /// A registry that has been frozen takes no more controllers.
    case registryFrozen(model: String)
    /// The parts of a model are empty, repeat a name or contain `#`.
    case invalidParts([String], model: String)
    /// Two columns of a list have the same id.
    case duplicateColumn(String)
    /// A column's id is a reserved word of the query language or contains `__`.
    case reservedColumn(String)
    /// An action has a reserved name (``RowAction/reservedNames``).
    case reservedAction(String)
    /// Two models have the same id, at these positions of the models given.
    case duplicateID(String, first: Int, second: Int)
    /// A list lacks one of the columns that the models of the named type need.
    case missingColumns([String], of: String)
}
