/// Where a field lies in the bytes of its section.
struct FieldLine: Sendable, Hashable {
    /// The field, when it is one of the known ones.
    var known: KnownField?
    /// Where the name lies.
    var name: Range<Int>
    /// Where the value lies, without the blanks around it.
    var value: Range<Int>
}
