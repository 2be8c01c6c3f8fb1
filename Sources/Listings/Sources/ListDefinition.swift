/// A list that a service serves: its name, its title and its source.
public struct ListDefinition: Sendable {
    /// The name in URLs: `users` is served at `/users`.
    public let name: String
    /// The displayed title.
    public let title: String
    /// The source of the rows.
    ///
    /// For a list with segments, it is the source of the first.
    public let source: any ListSource
    /// The lists that share the URL, of which one is shown at a time; nil for a single list.
    public let segments: Segments?
    /// The foreign keys that the source declares.
    package var relations: [ListRelation] = []

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
