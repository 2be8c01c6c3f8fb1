/// A reader of a list whose rows can offer actions or be moved.
///
/// The page lists the actions of a row (``Page/actions(ofRow:)``), and the caller checks them
/// there. Models registered without ``RowEvents/perform`` offer no actions. Models registered
/// without ``RowEvents/adjustMove`` cannot be moved. The URLs do not exist then.
public protocol ActionReader: ListReader {
    /// Whether rows may offer actions.
    var offersActions: Bool { get }

    /// Whether rows can be moved in the list's own order.
    var offersMoves: Bool { get }

    /// Performs an action that a row offers.
    ///
    /// - Parameters:
    ///   - action: The name of the action.
    ///   - id: The id of the row.
    ///   - request: The caller, and the values of the action's input.
    /// - Returns: The outcome. For ``ActionOutcome/removed(message:)`` the list has removed the
    ///   row.
    /// - Throws: ``ActionError``; the list is unchanged then.
    func perform(
        _ action: String,
        row id: String,
        for request: ActionRequest
    ) throws(ActionError) -> ActionOutcome

    /// Moves a row in the list's own order.
    ///
    /// - Parameters:
    ///   - id: The id of the row.
    ///   - target: The target position, which ``RowEvents/adjustMove`` may change or refuse.
    /// - Throws: ``ActionError/refusedMove(order:)`` when the row cannot stand there,
    ///   ``ActionError/unknownRow(_:)``, ``ActionError/source(_:)``; the list is unchanged then.
    func move(row id: String, to target: MoveTarget) throws(ActionError)
}

/// The target of a move.
public enum MoveTarget: Hashable, Sendable {
    /// Directly before another row, in its section.
    case before(String)
    /// Directly after another row, in its section.
    case after(String)
    /// At a position, counted without the row itself.
    case to(IndexPath)
    /// Before the previous row of its section at the time of the move; the first row stays.
    case up
    /// After the next row of its section at the time of the move; the last row stays.
    case down
}

/// A reason why an action or a move failed.
public enum ActionError: Error, Sendable {
    /// No row has the id.
    case unknownRow(String)
    /// The row cannot stand there. The value holds the first ids of its section, in order.
    case refusedMove(order: [String])
    /// The action removes the row, but the list cannot be changed.
    case unchangeable
    /// The values of the input are invalid.
    case invalid([FieldValidationError])
    /// The performing closure threw; the text is for the log.
    case failed(reason: String)
    /// The row cannot be read.
    case source(SourceError)
}
