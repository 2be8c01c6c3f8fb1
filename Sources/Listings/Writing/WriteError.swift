/// Why a batch was not performed; nothing has changed.
public enum WriteError: Error, Hashable, Sendable {
    /// Some changes cannot be performed: each by its position in the batch, in order.
    case refused([Int: RowRefusal])
    /// Something else was asked for under the receipt's key before.
    case reusedKey
    /// Somebody else is writing; asking again later may succeed.
    case busy
    /// There is no room left for it.
    case full
    /// The data may be read but not written to at the moment.
    case readOnly
    /// The data cannot be written to now. The text is for the log.
    case unavailable(reason: String)
}

/// Why a change cannot be performed.
public enum RowRefusal: Error, Hashable, Sendable {
    /// Values cannot be stored; never empty.
    case invalid([FieldFault])
    /// No row has the id.
    case unknownRow(String)
    /// There is a row of that id already.
    case existingRow(String)
    /// A condition does not hold for the row of that id.
    case failedCondition(String)
}
