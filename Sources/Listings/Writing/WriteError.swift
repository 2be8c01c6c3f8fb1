/// An error of a batch.
///
/// Nothing has changed, except for ``uncertain(reason:)``.
public enum WriteError: Error, Hashable, Sendable {
    /// Some changes were refused, given by their positions in the batch.
    case refused([Int: RowRefusal])
    /// The key of the receipt was used for another batch before.
    case reusedKey
    /// Another writer is active. A later retry may succeed.
    case busy
    /// The list cannot store the response for the batch's receipt.
    case keepsNoAnswers
    /// The storage is full.
    case full
    /// The data is currently read-only.
    case readOnly
    /// The data cannot be written now. The text is for the log.
    case unavailable(reason: String)
    /// The connection to the database was lost during the commit. Only after this error may the
    /// changes have been performed. The text is for the log.
    case uncertain(reason: String)
}

/// The reason why a change was refused.
public enum RowRefusal: Error, Hashable, Sendable {
    /// Values cannot be stored. The array is never empty.
    case invalid([FieldValidationError])
    /// No row has the id.
    case unknownRow(String)
    /// A row with that id exists already.
    case existingRow(String)
    /// Another row has the same values in these columns, which must be unique. The columns are in
    /// order, or empty if they are not in the list. An unknown constraint has an empty name.
    case takenValues([Int], constraint: String = "")
    /// A policy of the database forbids the row.
    case againstPolicy
    /// Other rows refer to the row with that id. An unknown constraint has an empty name.
    case referredTo(String, constraint: String = "")
    /// A condition does not hold for the row with that id.
    case failedCondition(String)
}
