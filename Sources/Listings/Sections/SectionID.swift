/// The name of a section in addresses.
public struct SectionID: Hashable, Sendable {
    /// The name, not percent-encoded.
    public let rawValue: String

    /// Takes a name as it is.
    public init(_ rawValue: String) { self.rawValue = rawValue }
}

extension SectionID: ExpressibleByStringLiteral {
    /// Takes a literal as it is.
    public init(stringLiteral value: String) { self.init(value) }
}

extension SectionID: CustomStringConvertible {
    /// The name itself.
    public var description: String { rawValue }
}
