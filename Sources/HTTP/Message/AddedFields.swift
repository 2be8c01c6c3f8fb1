/// The known fields that may stand in an answer, one bit each.
package struct AddedFields: Sendable {
    /// Any field may be there.
    static let all = AddedFields(bits: .max)

    private var bits: UInt64

    /// None is there.
    init() { bits = 0 }

    private init(bits: UInt64) { self.bits = bits }

    mutating func insert(_ field: KnownField) { bits |= field.bit }

    mutating func formUnion(_ other: AddedFields) { bits |= other.bits }

    /// Whether a field may be there; of one that is not known it may always.
    package func mayHold(_ name: FieldName) -> Bool {
        switch name.storage {
        case .known(let field): bits & field.bit != 0
        case .other: true
        }
    }
}
