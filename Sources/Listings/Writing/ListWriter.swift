/// A source whose rows can be written.
public protocol WritableSource: ListSource {
    /// What the rows must be like; nil when this list cannot be written to.
    var rules: RowRules? { get }

    /// Makes a writer, for one thread at a time.
    ///
    /// - Returns: The writer; nil where ``rules`` is.
    /// - Throws: ``SourceError`` when the data cannot be opened.
    func makeWriter() throws(SourceError) -> (any ListWriter)?
}

/// Changes the rows of a list; used by one thread at a time.
///
/// What a writer has acknowledged is durable, as far as the data behind it can be: it survives the
/// end of the process and of the machine. Every reader sees it from then on, under another version.
public protocol ListWriter: AnyObject {
    /// What the rows must be like.
    var rules: RowRules { get }

    /// Performs changes one after the other in one transaction.
    ///
    /// Other writers wait; a reader sees either none or all of it. Nothing is written where nothing
    /// changes.
    ///
    /// - Parameters:
    ///   - batch: The changes, which follow the ``rules``.
    ///   - page: Filled with the row that the only change of a batch leaves, as it is now; without
    ///     rows for every other batch.
    ///   - answer: Makes of the page and of what became of each change what the caller will answer;
    ///     kept with the changes where the batch has a receipt.
    /// - Returns: The answer, made now or kept from the first time.
    /// - Throws: ``WriteError``; nothing has changed then, but for ``WriteError/uncertain(reason:)``.
    func write(
        _ batch: WriteBatch,
        into page: inout Page,
        answer: (borrowing Page, [Result<ChangedRow, RowRefusal>]) -> [UInt8]
    ) throws(WriteError) -> WriteAnswer
}

/// Changes that are performed together.
public struct WriteBatch: Sendable {
    /// What a change that is refused means for the others.
    public enum Manner: Hashable, Sendable {
        /// All are performed, or none.
        case allOrNothing
        /// Each is performed or refused for itself.
        case each
    }

    /// The changes in their order.
    public let changes: [RowChange]
    /// What a change that is refused means for the others.
    public let manner: Manner
    /// Tells that the same is asked again; nil performs it again.
    public let receipt: WriteReceipt?
    /// The columns that the row of a single change is shown with, by their positions in the schema;
    /// nil means all.
    public let columns: [Int]?

    /// Describes a batch.
    public init(
        _ changes: [RowChange],
        manner: Manner = .allOrNothing,
        receipt: WriteReceipt? = nil,
        columns: [Int]? = nil
    ) {
        self.changes = changes
        self.manner = manner
        self.receipt = receipt
        self.columns = columns
    }
}

/// Names a batch, so that it is performed once however often it is asked for.
public struct WriteReceipt: Hashable, Sendable {
    /// The name that the client has given it.
    public let key: String
    /// Tells what is asked under the name.
    public let fingerprint: String

    /// The time that answers are kept at least, unless there are more than ``maximumCount`` or
    /// ``maximumBytes``.
    public static let lifetime: Duration = .seconds(86_400)
    /// The most answers kept for a database; the oldest make room.
    public static let maximumCount = 10_000
    /// The most bytes of answers kept for a database of SQLite; the oldest make room.
    public static let maximumBytes = 64 << 20

    /// Names a batch.
    public init(key: String, fingerprint: String) {
        self.key = key
        self.fingerprint = fingerprint
    }
}

/// What a writer answers.
public enum WriteAnswer: Hashable, Sendable {
    /// The batch was performed now.
    case performed([UInt8])
    /// It was performed before, and this was answered then.
    case repeated([UInt8])
}
