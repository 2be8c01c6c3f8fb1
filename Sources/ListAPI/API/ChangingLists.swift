package import Listings

/// Lists whose definitions may change, such as those of a database.
package protocol ChangingLists: Sendable {
    /// The current definitions.
    var definitions: [ListDefinition] { get }

    /// Describes the lists again if their schema has changed.
    ///
    /// - Parameters:
    ///   - taken: The names of all other lists, which these may not have.
    ///   - isForced: Whether the lists are described again in any case.
    /// - Returns: The changes.
    /// - Throws: ``Failure`` when the lists cannot be described; the former definitions stay.
    mutating func refresh(besides taken: Set<String>, isForced: Bool) throws(Failure) -> ListChanges
}

/// The changes of the definitions of lists.
package struct ListChanges: Sendable {
    /// The names of lists that are new or changed.
    package var others: Set<String>
    /// The names of lists that are gone.
    package var gone: Set<String>
    /// The messages for the operator.
    package var messages: [String]

    /// Creates the description of changes; none by default.
    package init(
        others: Set<String> = [],
        gone: Set<String> = [],
        messages: [String] = []
    ) {
        self.others = others
        self.gone = gone
        self.messages = messages
    }
}
