/// The request of a client for an action on a row.
public final class ActionRequest: Sendable {
    /// The name of the caller; nil for a caller without a token.
    public let caller: String?
    /// The name of the list.
    public let list: String
    /// The values that the client sent, by the names of ``RowAction/input``.
    public let values: [String: CellValue]
    /// The position of the row in the list's own order; nil before the row is found.
    public let indexPath: IndexPath?

    /// Whether the row is the last of its section in that order.
    public let isLast: Bool

    /// Creates a request.
    public init(
        caller: String? = nil,
        list: String = "",
        values: [String: CellValue] = [:],
        indexPath: IndexPath? = nil,
        isLast: Bool = false
    ) {
        self.caller = caller
        self.list = list
        self.values = values
        self.indexPath = indexPath
        self.isLast = isLast
    }

    package func at(_ path: IndexPath, isLast: Bool) -> ActionRequest {
        ActionRequest(
            caller: caller,
            list: list,
            values: values,
            indexPath: path,
            isLast: isLast
        )
    }
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
    /// The performing closure refused.
    case refused(Refusal)
    /// The row cannot be read.
    case source(SourceError)
}
