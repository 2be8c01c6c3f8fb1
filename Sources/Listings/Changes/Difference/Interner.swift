/// A numbering that maps each key to its own number.
@usableFromInline
struct Interner<Key: Hashable> {
    @usableFromInline var numbers: [Key: UInt64] = [:]

    @inlinable
    init() {}

    /// The number of a key.
    @inlinable
    mutating func number(of key: Key) -> UInt64 {
        let next = UInt64(numbers.count)
        let number = numbers[key, default: next]
        if number == next { numbers[key] = next }
        return number
    }
}

/// A numbering of section ids and section descriptions.
@usableFromInline
struct SectionNumbering {
    private var ids = Interner<SectionID>()
    private var descriptions = Interner<SectionInfo>()

    @usableFromInline
    init() {}

    /// Begins a section of a digest.
    @usableFromInline
    mutating func begin(_ info: SectionInfo, in digest: inout ListDigest) {
        let revision = descriptions.number(of: info)
        digest.beginSection(ids.number(of: info.id), revision: revision)
    }
}
