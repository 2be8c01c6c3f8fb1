/// A reader of a list whose rows something can be done with.
///
/// What a row offers is said by the events its model type was registered with
/// (``RowEvents/actions``, ``RowEvents/perform``, ``RowEvents/adjustMove``); a list of models
/// without them offers nothing, and its addresses of actions do not exist.
public protocol ActingReader: ListReader {
    /// Whether rows may offer actions.
    var offersActions: Bool { get }

    /// Whether rows can be moved in the list's own order.
    var offersMoves: Bool { get }

    /// Whether a row offers an action now; nothing is done.
    ///
    /// - Throws: ``ActionError/source(_:)`` when the row cannot be read.
    func offer(of action: String, row id: String) throws(ActionError) -> ActionOffer

    /// Performs an action of one row.
    ///
    /// Of ``ActionOutcome/removed`` the list has made itself true when this returns.
    ///
    /// - Parameters:
    ///   - action: The name of the action.
    ///   - id: The id of the row.
    /// - Returns: What came of it.
    /// - Throws: ``ActionError``; the list is unchanged then.
    func perform(_ action: String, row id: String) throws(ActionError) -> ActionOutcome

    /// Moves a row in the list's own order.
    ///
    /// - Parameters:
    ///   - id: The id of the row.
    ///   - target: Where to; ``RowEvents/adjustMove`` may change or refuse it.
    /// - Throws: ``ActionError/refusedMove(order:)`` when it cannot stand there,
    ///   ``ActionError/unknownRow(_:)``, ``ActionError/source(_:)``; the list is unchanged then.
    func move(row id: String, to target: MoveTarget) throws(ActionError)
}

/// Whether a row offers an action.
public enum ActionOffer: Hashable, Sendable {
    /// It does.
    case offered
    /// There is no such row.
    case unknownRow
    /// The row does not offer the action.
    case unknownAction
}

/// Where a row is asked to be moved.
public enum MoveTarget: Hashable, Sendable {
    /// Just before another row, in its section.
    case before(String)
    /// Just behind another row, in its section.
    case after(String)
    /// To a place, counted when the row has been taken out.
    case to(section: Int, row: Int)
}

/// Why nothing was done with a row.
public enum ActionError: Error, Sendable {
    /// No row has the id.
    case unknownRow(String)
    /// The row offers no action of this name.
    case unknownAction(String)
    /// The row cannot stand there: the ids of the rows of its section in their order, as many as a
    /// page may have.
    case refusedMove(order: [String])
    /// The action asks for the row to be removed, and the list cannot be changed.
    case unchangeable
    /// What performs the action threw; the text is for the log.
    case failed(reason: String)
    /// The row cannot be read.
    case source(SourceError)
}
