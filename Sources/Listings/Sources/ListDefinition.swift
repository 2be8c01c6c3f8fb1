/// A list that a service serves: its name, its title and its source.
public struct ListDefinition: Sendable {
    /// The name in URLs: `users` is served at `/users`.
    public let name: String
    /// The displayed title.
    public private(set) var title: String
    /// The explanation of the list.
    public package(set) var about = ListAbout()
    /// The source of the rows.
    ///
    /// For a list with segments, it is the source of the first.
    public let source: any ListSource
    /// The lists that share the URL, of which one is shown at a time; nil for a single list.
    public let segments: Segments?
    package var relations: [ListRelation] = []
    /// Whether the rows are the changes of the other lists.
    package var isHistory = false

    /// Returns the same list with an explanation.
    ///
    /// - Parameters:
    ///   - title: The displayed title; nil leaves it as it is.
    ///   - about: The explanation.
    /// - Returns: The list.
    public func described(as title: String? = nil, _ about: ListAbout) -> ListDefinition {
        var list = self
        list.title = title ?? self.title
        list.about = about
        return list
    }

    /// Creates a list.
    ///
    /// - Parameters:
    ///   - name: The name in URLs.
    ///   - title: The displayed title; nil derives it from the name.
    ///   - source: The source of the rows.
    public init(_ name: String, title: String? = nil, source: any ListSource) {
        self.name = name
        self.title = title ?? Column.label(from: name)
        self.source = source
        segments = nil
    }

    /// Creates a list with segments: `?segment=` selects one.
    ///
    /// - Parameters:
    ///   - name: The name in URLs.
    ///   - title: The displayed title; nil derives it from the name.
    ///   - segments: The lists. The first is the default.
    public init(_ name: String, title: String? = nil, segments: Segments) {
        self.name = name
        self.title = title ?? Column.label(from: name)
        source = segments.first.source
        self.segments = segments
    }
}

/// The explanation of a list, its source and its license.
public struct ListAbout: Hashable, Sendable {
    /// The content of the list, in a sentence or more.
    public var description: String?
    /// The source of the rows: a name, or an address that begins with `http` or `https`.
    public var source: String?
    /// The license of the rows: a name, or an address that begins with `http` or `https`.
    public var license: String?

    /// Whether edits would be in the memory of the process alone, and end with it.
    package var isInMemory = false
    /// The reason why no setting makes the list writable; nil if one does, or nothing is known.
    package var readOnlyReason: ReadOnlyReason?
    /// The name of the file of the database that has the edits.
    package var database: String?

    package var isEmpty: Bool { description == nil && source == nil && license == nil }

    /// Creates an explanation.
    public init(description: String? = nil, source: String? = nil, license: String? = nil) {
        self.description = description
        self.source = source
        self.license = license
    }
}

package enum ReadOnlyReason: Hashable, Sendable {
    case view
    case virtualTable
    case noKey
    case noRight
    case history
    /// The log has the message of the database.
    case refusedByDatabase
}
