package import Listings

/// A writer that receives many changes before it performs them, several thousand at once.
package protocol LoadingWriter: StreamingWriter {
    /// Performs changes in one transaction without a time limit.
    ///
    /// Readers see no change before the commit.
    ///
    /// - Parameters:
    ///   - list: The name of the list.
    ///   - isCancelled: Whether the changes are no longer wanted.
    ///   - body: Receives the load. Returns whether to commit its changes.
    /// - Returns: False if this database receives no loads. Nothing has changed then.
    /// - Throws: ``WriteError``. The list is then unchanged, except after
    ///   ``WriteError/uncertain(reason:)``.
    func load(
        to list: String,
        isCancelled: @escaping () -> Bool,
        _ body: (any RowLoad) throws(WriteError) -> Bool
    ) throws(WriteError) -> Bool
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

    /// Performs a change of a part that cannot be performed at once.
    func perform(_ change: RowChange) throws(WriteError) -> Result<ChangedRow, RowRefusal>
}

/// The fields of rows of texts: the number of the field of the id and of each column.
package final class TextFields: Sendable {
    /// The field of the id, or nil if there is none.
    package let id: Int?
    /// The field of each column of the list that has one.
    package let columns: [Int: Int]

    package init(id: Int?, columns: [Int: Int]) {
        self.id = id
        self.columns = columns
    }
}

/// A part of the changes of a load.
package struct LoadedPart: Sendable {
    /// The number of rows by the effects of changes.
    package struct Counts: Hashable, Sendable {
        /// The number of created rows.
        package var created = 0
        /// The number of changed rows.
        package var changed = 0
        /// The number of rows that had the values already, or were not to be changed.
        package var unchanged = 0

        package init() {}
    }

    /// The number of changes.
    package let count: Int
    /// The effects; nil if none was performed, because at least one may be refused.
    package let counts: Counts?

    /// Describes a part.
    package init(count: Int, counts: Counts?) {
        self.count = count
        self.counts = counts
    }
}
