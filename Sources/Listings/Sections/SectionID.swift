/// The name of a section in addresses.
public struct SectionID: Hashable, Sendable {
    /// The name, not percent-encoded.
    public let rawValue: String

    /// Takes a name as it is.
    public init(_ rawValue: String) { self.rawValue = rawValue }
}
