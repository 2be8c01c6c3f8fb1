/// The known fields that a response may have, one bit each.
package struct FieldNameSet: Sendable {
    /// A set in which any field may be present.
    static let all = FieldNameSet(bits: .max)

    private var bits: UInt64

    /// Creates a set without fields.
    init() { bits = 0 }

    private init(bits: UInt64) { self.bits = bits }

    mutating func insert(_ field: WellKnownFieldName) { bits |= field.bit }

    mutating func formUnion(_ other: FieldNameSet) { bits |= other.bits }

    /// Whether a field may be present, always true for fields that are not known ones.
    package func mayHold(_ name: FieldName) -> Bool {
        switch name.storage {
        case .known(let field): bits & field.bit != 0
        case .other: true
        }
    }
}
