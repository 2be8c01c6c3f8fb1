/// The operations that a writer offers beyond batches; nil for those that it lacks.
public struct WriterAbilities {
    package typealias Stream = (
        _ list: String,
        _ body: (ChangePerformer) throws(WriteError) -> Bool
    ) throws(WriteError) -> Void

    package typealias Load = (
        _ list: String,
        _ isCancelled: @escaping () -> Bool,
        _ body: (any RowLoad) throws(WriteError) -> Bool
    ) throws(WriteError) -> Bool

    /// Performs changes, one at a time, in one transaction without a time limit.
    ///
    /// The body receives the function that performs a change. It returns whether to commit.
    /// Readers see no change before the commit. Other writers of this process can fail with
    /// ``WriteError/busy``. After an error the list is unchanged, except after
    /// ``WriteError/uncertain(reason:)``.
    package var stream: Stream?
    /// Receives many changes before it performs them, several thousand at once.
    ///
    /// The body returns whether to commit. The result is false if this database receives no loads;
    /// nothing has changed then. Errors are those of ``stream``.
    package var load: Load?
    package var grouping: WriteGrouping?

    /// Creates a value without any.
    public init() {}
}

/// Performs a change.
///
/// A refused change has written nothing.
package typealias ChangePerformer = (RowChange) throws(WriteError) -> Result<ChangedRow, RowRefusal>

/// Performs the writes of several requests in one transaction, which is committed once.
package struct WriteGrouping {
    /// The identity of the database, to which one thread at a time writes.
    package let database: ObjectIdentifier
    /// Performs the members of a group: its argument performs the member with a number, and returns
    /// false if there is none.
    ///
    /// Meanwhile the calling thread may use every writer of the database. Each write is undone
    /// alone if it fails. No response may be sent before the function returns. The result has the
    /// numbers of the members to perform again, each alone: they were refused by a state that was
    /// not committed yet, or their transaction failed.
    package let perform: ((_ number: Int) -> Bool) -> [Int]

    package init(database: ObjectIdentifier, perform: @escaping ((Int) -> Bool) -> [Int]) {
        self.database = database
        self.perform = perform
    }
}

/// The changes of a load: first all are staged, and then they are performed in the same order.
package protocol RowLoad: AnyObject {
    /// Sends a change to the database, which does not perform it yet.
    ///
    /// - Returns: The refusal of a change that can never be performed.
    /// - Throws: ``WriteError``.
    func stage(_ change: RowChange) throws(WriteError) -> RowRefusal?

    /// Sends the change of a row of texts to the database, without converting the texts.
    ///
    /// - Parameters:
    ///   - verb: The kind of the change.
    ///   - fields: The fields of the row.
    ///   - texts: The bytes of all fields.
    ///   - range: Returns the range of a field in `texts`, or nil for null.
    /// - Returns: False if the texts must be converted. Then nothing was sent.
    /// - Throws: ``WriteError``.
    func stage(
        _ verb: RowChange.Verb,
        _ fields: TextFields,
        _ texts: borrowing Span<UInt8>,
        _ range: (Int) -> Range<Int>?
    ) throws(WriteError) -> Bool

    func endStaging() throws(WriteError)

    /// Performs the next staged changes at once, or none of them.
    ///
    /// - Returns: The part of the changes, or nil after the last one.
    /// - Throws: ``WriteError``.
    func performNext() throws(WriteError) -> LoadedPart?

    func perform(_ change: RowChange) throws(WriteError) -> Result<ChangedRow, RowRefusal>
}

/// The fields of rows of texts: the number of the field of the id and of each column.
package final class TextFields: Sendable {
    package let id: Int?
    package let columns: [Int: Int]

    package init(id: Int?, columns: [Int: Int]) {
        self.id = id
        self.columns = columns
    }
}

package struct LoadedPart: Sendable {
    package struct Counts: Hashable, Sendable {
        package var created = 0
        package var changed = 0
        /// The number of rows that had the values already, or were not to be changed.
        package var unchanged = 0

        package init() {}
    }

    package let count: Int
    /// The effects; nil if none was performed, because at least one may be refused.
    package let counts: Counts?

    package init(count: Int, counts: Counts?) {
        self.count = count
        self.counts = counts
    }
}
