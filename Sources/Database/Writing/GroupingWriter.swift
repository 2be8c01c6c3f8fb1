package import Listings

/// A writer that performs the writes of several requests in one transaction.
package protocol GroupingWriter: ListWriter {
    /// The identity of the database, to which one thread at a time writes.
    var database: ObjectIdentifier { get }

    /// Performs writes in one transaction, which is committed once.
    ///
    /// Within the closure, the calling thread may use every writer of the database. Each write is
    /// undone alone if it fails. No response may be sent before this function returns.
    ///
    /// - Parameter performNext: Performs the next member of the group, which has the given number.
    ///   It returns false if there is none.
    /// - Returns: The numbers of the members to perform again, each alone. They were refused by a
    ///   state that was not committed yet, or their transaction failed.
    func writeTogether(_ performNext: (_ number: Int) -> Bool) -> [Int]
}
