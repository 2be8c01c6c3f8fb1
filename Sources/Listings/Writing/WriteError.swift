/// Why a batch was not performed; nothing has changed, but for ``uncertain(reason:)``.
public enum WriteError: Error, Hashable, Sendable {
    /// Some changes cannot be performed: each by its position in the batch, in order.
    case refused([Int: RowRefusal])
    /// Something else was asked for under the receipt's key before.
    case reusedKey
    /// Somebody else is writing; asking again later may succeed.
    case busy
    /// No answers are kept that the batch's receipt could name.
    case keepsNoAnswers
    /// There is no room left for it.
    case full
    /// The data may be read but not written to at the moment.
    case readOnly
    /// The data cannot be written to now. The text is for the log.
    case unavailable(reason: String)
    /// The database was lost while it saved: the only error after which the changes may have been
    /// performed. The text is for the log.
    case uncertain(reason: String)
}

/// Why a change cannot be performed.
public enum RowRefusal: Error, Hashable, Sendable {
    /// Values cannot be stored; never empty.
    case invalid([FieldFault])
    /// No row has the id.
    case unknownRow(String)
    /// There is a row of that id already.
    case existingRow(String)
    /// Another row has the values under these columns, which may be there once; in order, empty where
    /// the columns are not the list's. The name of the constraint is empty where none is known.
    case takenValues([Int], constraint: String = "")
    /// A policy of the database does not let such a row be written.
    case againstPolicy
    /// Other rows refer to the row of that id; the name of the constraint is empty where none is
    /// known.
    case referredTo(String, constraint: String = "")
    /// A condition does not hold for the row of that id.
    case failedCondition(String)
}
