package import Listings

/// One reader's way to a table, which tells the version that belongs to what is read.
package protocol TableSession: AnyObject {
    /// Reads the table; another one after the way had to be opened anew.
    var reading: TableReading { get }

    /// Takes note whether others wait for the thread: then nobody else is waited for.
    ///
    /// - Throws: ``ReadingError/outOfTime`` where reading always waits for somebody else.
    func hurry(_ isHurried: Bool) throws(ReadingError)

    /// The state of the list now.
    func version() throws(ReadingError) -> ListVersion

    /// Begins to read one state of the list, until ``endReading()``.
    ///
    /// Nothing is begun where it throws.
    func beginReading() throws(ReadingError) -> ListVersion

    /// Ends the reading of one state.
    func endReading()
}
