/// The features that the rows of a registration may have.
struct RowFeatures: OptionSet, Hashable, Sendable {
    let rawValue: UInt8
    /// The registration performs actions.
    static let actions = RowFeatures(rawValue: 1)
    /// The registration adjusts moves.
    static let moves = RowFeatures(rawValue: 2)
    /// The registration has child rows.
    static let children = RowFeatures(rawValue: 4)
    /// The ids of the rows name parts of their models.
    static let parts = RowFeatures(rawValue: 8)
}

extension Registration {
    /// The features of the rows.
    var features: RowFeatures {
        var features: RowFeatures = []
        if events.perform != nil { features.insert(.actions) }
        if events.adjustMove != nil { features.insert(.moves) }
        if events.children != nil { features.insert(.children) }
        if !parts.isEmpty { features.insert(.parts) }
        return features
    }
}
