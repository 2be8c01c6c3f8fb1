/// A list as a service offers it: its name, its title and where its rows come from.
public struct ListDefinition: Sendable {
    /// The name in addresses: `users` is served at `/users`.
    public let name: String
    /// The title people read.
    public let title: String
    /// Where the rows come from; of a list in segments, those of the first.
    public let source: any ListSource
    /// The lists that stand under the address, of which one is shown at a time; nil where it is one.
    public let segments: Segments?

    /// Creates a list.
    ///
    /// - Parameters:
    ///   - name: The name in addresses.
    ///   - title: The title people read; nil makes it from the name.
    ///   - source: Where the rows come from.
    public init(_ name: String, title: String? = nil, source: any ListSource) {
        self.name = name
        self.title = title ?? Column.label(from: name)
        self.source = source
        segments = nil
    }

    /// Creates a list in segments: `?segment=` chooses one.
    ///
    /// - Parameters:
    ///   - name: The name in addresses.
    ///   - title: The title people read; nil makes it from the name.
    ///   - segments: The lists, the one that is shown first when none is asked for.
    public init(_ name: String, title: String? = nil, segments: Segments) {
        self.name = name
        self.title = title ?? Column.label(from: name)
        source = segments.first.source
        self.segments = segments
    }
}
