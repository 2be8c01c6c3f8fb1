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
