/// The features that the rows of a registration may have.
///
/// Lists in memory add them up for each piece. They are inlined there, as an `OptionSet` of another
/// module is not.
@usableFromInline
package struct RowFeatures: Hashable, Sendable {
    @usableFromInline var bits: UInt8

    @inlinable
    init(bits: UInt8) { self.bits = bits }

    @inlinable
    package init() { bits = 0 }

    @inlinable package static var actions: RowFeatures { RowFeatures(bits: 1) }
    @inlinable package static var moves: RowFeatures { RowFeatures(bits: 2) }
    @inlinable package static var children: RowFeatures { RowFeatures(bits: 4) }
    /// The ids of the rows name parts of their models.
    @inlinable package static var parts: RowFeatures { RowFeatures(bits: 8) }

    @inlinable
    package func contains(_ feature: RowFeatures) -> Bool { bits & feature.bits == feature.bits }

    @inlinable
    package func union(_ other: RowFeatures) -> RowFeatures { RowFeatures(bits: bits | other.bits) }

    mutating func insert(_ feature: RowFeatures) { bits |= feature.bits }
}

extension Registration {
    package var features: RowFeatures {
        var features = RowFeatures()
        if events.perform != nil { features.insert(.actions) }
        if events.adjustMove != nil { features.insert(.moves) }
        if events.children != nil { features.insert(.children) }
        if !parts.isEmpty { features.insert(.parts) }
        return features
    }
}
