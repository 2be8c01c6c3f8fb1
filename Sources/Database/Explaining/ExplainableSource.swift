package import Listings

/// A list whose rows an engine reads, so that it can be asked how: see ``TableExplainer``.
package protocol ExplainableSource: ListSource {
    /// Opens a session for a reader of one's own.
    ///
    /// - Throws: ``ReadingError``.
    func openSession() throws(ReadingError) -> any TableSession
}
