/// The name of a section in URLs.
public struct SectionID: Hashable, Sendable {
    /// The name, not percent-encoded.
    public let rawValue: String

    /// Creates an id from a name.
    public init(_ rawValue: String) { self.rawValue = rawValue }
}

extension SectionID: ExpressibleByStringLiteral {
    /// Creates an id from a literal.
    public init(stringLiteral value: String) { self.init(value) }
}

extension SectionID: CustomStringConvertible {
    /// The name of the section.
    public var description: String { rawValue }
}
