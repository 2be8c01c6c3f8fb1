package import Listings

/// The access of one reader to a table and its version.
package protocol TableSession: AnyObject {
    /// The reading of the table. It is replaced if the session has to reconnect.
    var reading: TableQueries { get }

    /// Sets whether the reader works in a turn of the event loop, in which it must not wait.
    ///
    /// - Throws: ``ReadingError/outOfTime`` if reading always has to wait.
    func hurry(_ isHurried: Bool) throws(ReadingError)

    /// The current version of the list.
    func version() throws(ReadingError) -> ListVersion

    /// Begins to read a consistent state of the list, until ``endReading()``.
    ///
    /// If it throws, nothing has begun.
    func beginReading() throws(ReadingError) -> ListVersion

    /// Ends the reading of the state.
    func endReading()
}
