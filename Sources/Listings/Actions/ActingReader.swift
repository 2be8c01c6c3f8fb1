/// A reader of a list whose rows something can be done with.
///
/// What a row offers stands on its page (``Page/actions(ofRow:)``) and is checked there by whoever
/// asks for it. A list whose models are registered without ``RowEvents/perform`` offers nothing,
/// one without ``RowEvents/adjustMove`` moves nothing: the addresses do not exist then.
public protocol ActingReader: ListReader {
    /// Whether rows may offer actions.
    var offersActions: Bool { get }

    /// Whether rows can be moved in the list's own order.
    var offersMoves: Bool { get }

    /// Performs an action that a row offers.
    ///
    /// - Parameters:
    ///   - action: The name of the action.
    ///   - id: The id of the row.
    /// - Returns: What came of it; for ``ActionOutcome/removed(message:)`` the list has taken the
    ///   row out.
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

/// Where a row is asked to be moved.
public enum MoveTarget: Hashable, Sendable {
    /// Just before another row, in its section.
    case before(String)
    /// Just behind another row, in its section.
    case after(String)
    /// To a place, counted without the row itself.
    case to(IndexPath)
    /// Past the row above it in its section, wherever both stand by now; the first one stays.
    case up
    /// Past the row below it in its section, wherever both stand by now; the last one stays.
    case down
}

/// Why nothing was done with a row.
public enum ActionError: Error, Sendable {
    /// No row has the id.
    case unknownRow(String)
    /// The row cannot stand there: the ids of the rows of its section in their order, the first
    /// ones where they are many.
    case refusedMove(order: [String])
    /// The action asks for the row to be taken out, and the list cannot be changed.
    case unchangeable
    /// What performs the action threw; the text is for the log.
    case failed(reason: String)
    /// The row cannot be read.
    case source(SourceError)
}
