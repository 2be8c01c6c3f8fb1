extension TextCollation {
    /// Whether a text has no weight, or begins with U+0000 or U+0001, and thus precedes all others.
    package static func beginsLowest(_ utf8: borrowing Span<UInt8>) -> Bool {
        var place = Place(index: 0)
        return nextWeight(utf8, &place) <= 1
    }
}
