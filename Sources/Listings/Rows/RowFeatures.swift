/// The features that the rows of a registration may have.
package struct RowFeatures: OptionSet, Hashable, Sendable {
    /// The features as bits.
    package let rawValue: UInt8

    /// The registration performs actions.
    package static let actions = RowFeatures(rawValue: 1)
    /// The registration adjusts moves.
    package static let moves = RowFeatures(rawValue: 2)
    /// The registration has child rows.
    package static let children = RowFeatures(rawValue: 4)
    /// The ids of the rows name parts of their models.
    package static let parts = RowFeatures(rawValue: 8)

    /// Creates features from bits.
    package init(rawValue: UInt8) { self.rawValue = rawValue }
}

extension Registration {
    /// The features of the rows.
    package var features: RowFeatures {
        var features: RowFeatures = []
        if events.perform != nil { features.insert(.actions) }
        if events.adjustMove != nil { features.insert(.moves) }
        if events.children != nil { features.insert(.children) }
        if !parts.isEmpty { features.insert(.parts) }
        return features
    }
}
