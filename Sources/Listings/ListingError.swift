/// What can be wrong with a list that is being set up.
public enum ListingError: Error, Hashable, Sendable {
    /// Models of the named type have no row controller.
    case unregisteredModel(String)
    /// Models of the named type have a row controller already.
    case alreadyRegistered(model: String)
    /// Rows of two model types have one kind.
    case duplicateKind(String, first: String, second: String)
    /// A registry that has been frozen takes no more controllers.
    case registryFrozen(model: String)
    /// The rows of a model are none, have one name or hold `#` in it.
    case invalidParts([String], model: String)
    /// Two columns of a list have one id.
    case duplicateColumn(String)
    /// A column's id is a word of the query language or holds `__`.
    case reservedColumn(String)
    /// An action has a name that addresses use for something else (``RowAction/reservedNames``).
    case reservedAction(String)
    /// Two models have one id, at these positions of the models given.
    case duplicateID(String, first: Int, second: Int)
    /// A list of a type whose models need these columns lacks one of them.
    case missingColumns([String], of: String)
}
