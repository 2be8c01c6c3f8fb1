package import Listings

/// The lists of a service.
package struct ListDirectory: Sendable {
    /// A list of the directory.
    package struct Entry: Sendable {
        /// The name of the list in addresses.
        package var name: String
        /// The title for people.
        package var title: String
        /// The number of rows, or nil if counting took too long.
        package var count: Count?
        /// The address of the list.
        package var address: String

        /// Creates an entry.
        package init(name: String, title: String, count: Count?, address: String) {
            self.name = name
            self.title = title
            self.count = count
            self.address = address
        }
    }

    /// The title of the service.
    package var title: String
    /// The lists in their order.
    package var entries: [Entry]
    /// The address of the directory itself.
    package var address: String
    /// The directory in other formats.
    package var alternates: [Alternate]
    /// The address of the documentation, for people, or nil if there is none.
    package var documentation: String?

    /// Creates a directory.
    package init(title: String, entries: [Entry], address: String, alternates: [Alternate] = []) {
        self.title = title
        self.entries = entries
        self.address = address
        self.alternates = alternates
    }
}

/// The address of a document in another format.
package struct Alternate: Sendable {
    /// The format.
    package var format: PageFormat
    /// The address.
    package var address: String

    /// Creates an alternate.
    package init(_ format: PageFormat, address: String) {
        self.format = format
        self.address = address
    }
}
