/// What rows may be besides shown, and named by the ids of their models.
struct RowFeatures: OptionSet, Hashable, Sendable {
    let rawValue: UInt8
    /// Something performs their actions.
    static let actions = RowFeatures(rawValue: 1)
    /// Something says where they may be moved.
    static let moves = RowFeatures(rawValue: 2)
    /// Something gives the rows below them.
    static let children = RowFeatures(rawValue: 4)
    /// Their ids name parts of their models.
    static let parts = RowFeatures(rawValue: 8)
}

extension Registration {
    /// What the rows may offer.
    var features: RowFeatures {
        var features: RowFeatures = []
        if events.perform != nil { features.insert(.actions) }
        if events.adjustMove != nil { features.insert(.moves) }
        if events.children != nil { features.insert(.children) }
        if !parts.isEmpty { features.insert(.parts) }
        return features
    }
}
