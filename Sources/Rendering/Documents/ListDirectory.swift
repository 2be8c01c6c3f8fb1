package import Listings

package struct ListDirectory: Sendable {
    package struct Entry: Sendable {
        package var name: String
        package var title: String
        package var description: String?
        package var count: Count?
        package var isUnavailable = false
        package var address: String
        /// The first rows that a search found, or nil if the list was not searched.
        package var matches: [Match]?
        package var hasMoreMatches = false

        package init(name: String, title: String, count: Count?, address: String) {
            self.name = name
            self.title = title
            self.count = count
            self.address = address
        }
    }

    package struct Match: Hashable, Sendable {
        package let title: String
        package let address: String
        /// The part of another cell that has words of the search.
        package let snippet: Snippet?

        package init(title: String, address: String, snippet: Snippet?) {
            self.title = title
            self.address = address
            self.snippet = snippet
        }
    }

    package struct Failure: Hashable, Sendable {
        package let source: String
        package let reason: String

        package init(source: String, reason: String) {
            self.source = source
            self.reason = reason
        }
    }

    package enum Creation: Sendable {
        case ofColumns
        case ofTypedColumns
    }

    /// The title of a service without one, which pages translate.
    package static let defaultTitle = "Lists"

    package var title: String
    package var search: TextSearch?
    /// Whether a page without lists says how the server gets some.
    package var suggestsSources = true
    package var entries: [Entry]
    /// The sources that cannot be read.
    package var failures: [Failure] = []
    package var address: String
    package var alternates: [Alternate]
    package var documentation: String?
    /// The choices of a client that may make lists; nil for others.
    package var creation: Creation?

    package init(title: String, entries: [Entry], address: String, alternates: [Alternate] = []) {
        self.title = title
        self.entries = entries
        self.address = address
        self.alternates = alternates
    }
}

package struct Alternate: Sendable {
    package var format: PageFormat
    package var address: String

    package init(_ format: PageFormat, address: String) {
        self.format = format
        self.address = address
    }
}
