public import Listings

/// A numbering that maps each key to its own number.
@usableFromInline
package struct Interner<Key: Hashable> {
    @usableFromInline var numbers: [Key: UInt64] = [:]

    /// Creates an empty numbering.
    @inlinable
    package init() {}

    /// The number of a key.
    @inlinable
    package mutating func number(of key: Key) -> UInt64 {
        let next = UInt64(numbers.count)
        let number = numbers[key, default: next]
        if number == next { numbers[key] = next }
        return number
    }
}

/// A numbering of section ids and section descriptions.
@usableFromInline
package struct SectionNumbering {
    private var ids = Interner<SectionID>()
    private var descriptions = Interner<SectionInfo>()

    /// Creates an empty numbering.
    @usableFromInline
    package init() {}

    /// Begins a section of a digest.
    @usableFromInline
    package mutating func begin(_ info: SectionInfo, in digest: inout ListDigest) {
        let revision = descriptions.number(of: info)
        digest.beginSection(ids.number(of: info.id), revision: revision)
    }
}
