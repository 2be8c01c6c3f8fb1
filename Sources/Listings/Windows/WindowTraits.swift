/// The traits of a window besides its sections and rows.
public struct WindowTraits: OptionSet, Hashable, Sendable {
    /// The traits as bits.
    public let rawValue: UInt8
    /// Rows precede the window.
    public static let hasPrevious = WindowTraits(rawValue: 1)
    /// Rows follow the window.
    public static let hasNext = WindowTraits(rawValue: 2)
    /// Some of its rows offer actions.
    public static let hasActions = WindowTraits(rawValue: 4)
    /// Its rows are the last ones of a source that cannot be refreshed now.
    public static let isStale = WindowTraits(rawValue: 8)

    /// Creates traits from bits.
    ///
    /// Unknown bits are preserved.
    public init(rawValue: UInt8) { self.rawValue = rawValue }
}
