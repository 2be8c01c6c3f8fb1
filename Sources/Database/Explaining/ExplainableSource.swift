package import Listings

/// A list whose rows an engine reads, so that its plans can be explained; see ``TableExplainer``.
package protocol ExplainableSource: ListSource {
    /// Opens a session for a caller that reads on its own.
    ///
    /// - Throws: ``ReadingError``.
    func openSession() throws(ReadingError) -> any TableSession
}
