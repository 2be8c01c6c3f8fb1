package import Listings

/// The lists of a service.
package struct ListDirectory: Sendable {
    package struct Entry: Sendable {
        /// The name of the list in addresses.
        package var name: String
        /// The title for people.
        package var title: String
        /// The content of the list, in a sentence or more.
        package var description: String?
        /// The number of rows, or nil if it is unknown.
        package var count: Count?
        /// Whether the list cannot be read now, so that it has no count.
        package var isUnavailable = false
        package var address: String
        /// The first rows that a search found, or nil if the list was not searched.
        package var matches: [Match]?
        /// Whether more rows than ``matches`` match.
        package var hasMoreMatches = false

        package init(name: String, title: String, count: Count?, address: String) {
            self.name = name
            self.title = title
            self.count = count
            self.address = address
        }
    }

    /// A row that a search found.
    package struct Match: Hashable, Sendable {
        /// The name of the row.
        package let title: String
        /// The address of the row.
        package let address: String

        package init(title: String, address: String) {
            self.title = title
            self.address = address
        }
    }

    /// The title of a service without one, which pages translate.
    package static let defaultTitle = "Lists"

    /// The title of the service.
    package var title: String
    /// The search for rows of all lists, or nil without one.
    package var search: TextSearch?
    /// Whether a page without lists says how the server gets some.
    package var suggestsSources = true
    /// The lists in their order.
    package var entries: [Entry]
    /// The address of the directory itself.
    package var address: String
    /// The directory in other formats.
    package var alternates: [Alternate]
    /// The address of the documentation, for people, or nil if there is none.
    package var documentation: String?

    package init(title: String, entries: [Entry], address: String, alternates: [Alternate] = []) {
        self.title = title
        self.entries = entries
        self.address = address
        self.alternates = alternates
    }
}

/// The address of a document in another format.
package struct Alternate: Sendable {
    package var format: PageFormat
    package var address: String

    package init(_ format: PageFormat, address: String) {
        self.format = format
        self.address = address
    }
}
