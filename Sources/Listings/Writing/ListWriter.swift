/// A writer of the rows of a list.
///
/// One thread uses it at a time.
///
/// An acknowledged write is durable, as far as the storage allows: it survives the end of the
/// process and of the machine. All readers then see it, with a new version.
public protocol ListWriter: AnyObject {
    /// The rules for the rows.
    var rules: RowRules { get }

    /// Performs changes one after the other in one transaction.
    ///
    /// Other writers wait. A reader sees either none or all of the changes. If no row changes,
    /// nothing is written.
    ///
    /// - Parameters:
    ///   - batch: The changes, which follow the ``rules``.
    ///   - page: Filled with the current row after the only change of a batch. It has no rows for
    ///     any other batch.
    ///   - response: Returns the response for the page and the results of the changes. The response
    ///     is stored with the changes if the batch has a receipt.
    /// - Returns: The response, either new or stored by an earlier call.
    /// - Throws: ``WriteError``; nothing has changed, except for ``WriteError/uncertain(reason:)``.
    func write(
        _ batch: WriteBatch,
        into page: inout Page,
        response: (borrowing Page, [Result<ChangedRow, RowRefusal>]) -> [UInt8]
    ) throws(WriteError) -> WriteResponse

    /// The operations that the writer offers beyond batches.
    ///
    /// The default is none.
    var abilities: WriterAbilities { get }
}

extension ListWriter {
    /// None.
    public var abilities: WriterAbilities { WriterAbilities() }
}

/// Changes that are performed together.
public struct WriteBatch: Sendable {
    /// The effect of a refused change on the others.
    public enum Manner: Hashable, Sendable {
        /// All are performed, or none.
        case allOrNothing
        /// Each is performed or refused on its own.
        case each
    }

    /// The changes in their order.
    public let changes: [RowChange]
    /// The effect of a refused change on the others.
    public let manner: Manner
    /// Identifies a repeated batch; nil if repetitions are performed again.
    public let receipt: WriteReceipt?
    /// The columns of the row on the page after a single change; nil for all.
    ///
    /// Numbers are positions in the schema.
    public let columns: [Int]?
    /// Whether the page needs the row after a single change.
    public let readsRow: Bool

    /// Creates a batch.
    public init(
        _ changes: [RowChange],
        manner: Manner = .allOrNothing,
        receipt: WriteReceipt? = nil,
        columns: [Int]? = nil,
        readsRow: Bool = true
    ) {
        self.changes = changes
        self.manner = manner
        self.receipt = receipt
        self.columns = columns
        self.readsRow = readsRow
    }
}

/// The name of a batch, so that repeated requests perform it only once.
public struct WriteReceipt: Hashable, Sendable {
    /// The name, chosen by the client.
    public let key: String
    /// The fingerprint of the request with that name.
    public let fingerprint: String

    /// The minimum time that responses are stored, within ``maximumCount`` and ``maximumBytes``.
    public static let lifetime: Duration = .seconds(86_400)
    /// The maximum number of responses stored for a database.
    ///
    /// The oldest are removed first.
    public static let maximumCount = 10_000
    /// The maximum bytes of responses stored for a SQLite database.
    ///
    /// The oldest are removed first.
    public static let maximumBytes = 64 << 20

    /// Creates a receipt.
    public init(key: String, fingerprint: String) {
        self.key = key
        self.fingerprint = fingerprint
    }
}

/// The response of a writer.
public enum WriteResponse: Hashable, Sendable {
    /// The batch was performed now.
    case performed([UInt8])
    /// The batch was performed before, with this response.
    case repeated([UInt8])
}

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
    /// The list has another form than its schema says, as ``SourceError/redefined``.
    case redefined
    /// The file of the list cannot be saved until a person has changed something. The reason is
    /// for the client, without paths.
    case unsaved(file: String, reason: String)
    /// The data cannot be written now. The text is for the log.
    case unavailable(reason: String)
    /// The code that writes has an error. The text is for the log.
    case failed(reason: String)
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
    /// The code of a program refuses the change.
    case byProgram(Refusal)
    /// Other rows refer to the row with that id. An unknown constraint has an empty name.
    case referredTo(String, constraint: String = "")
    /// A condition does not hold for the row with that id.
    case failedCondition(String)
    /// Another program has changed the row with that id in the file since it was read. The columns
    /// are those that differ, at least one.
    case changedInFile(String, [ValueConflict])
}

/// A value that another program has changed.
public struct ValueConflict: Hashable, Sendable {
    /// The position of the column.
    public let column: Int
    /// The value that the edit began from.
    public let before: CellValue
    /// The current value; nil if the row is gone.
    public let now: CellValue?

    /// Creates a conflict.
    public init(column: Int, before: CellValue, now: CellValue?) {
        (self.column, self.before, self.now) = (column, before, now)
    }
}
