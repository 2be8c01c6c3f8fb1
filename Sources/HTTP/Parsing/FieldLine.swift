/// The position of a field in the bytes of its section.
struct FieldLine: Sendable, Hashable {
    /// The field, if it is a known one.
    var known: WellKnownFieldName?
    /// The range of the name.
    var name: Range<Int>
    /// The range of the value, without the blanks around it.
    var value: Range<Int>
}
