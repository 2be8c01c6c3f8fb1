/// A list as a service offers it: its name, its title and where its rows come from.
public struct ListDefinition: Sendable {
    /// The name in addresses: `users` is served at `/users`.
    public let name: String
    /// The title people read.
    public let title: String
    /// Where the rows come from.
    public let source: any ListSource

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
    }
}
