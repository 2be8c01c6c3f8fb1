extension TextCollation {
    /// Whether a text weighs nothing, or begins with U+0000 or U+0001: it stands before all others.
    package static func beginsLowest(_ utf8: borrowing Span<UInt8>) -> Bool {
        var place = Place(index: 0)
        return nextWeight(utf8, &place) <= 1
    }
}
