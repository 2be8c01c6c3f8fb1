/// What is known of a section, in one place for all its rows: a copy for each of them would count
/// references for each of its texts.
@usableFromInline
package final class SectionPlace: Sendable {
    /// What is known of it.
    @usableFromInline package let info: SectionInfo
    /// What names of pages say of a section that lasts from page to page; nil for every other.
    let name: SectionName?
    /// Whether it is the same object for all pages of an order.
    @usableFromInline package let isLasting: Bool

    /// Creates what is told of a section.
    ///
    /// - Parameters:
    ///   - info: What is known of it.
    ///   - isLasting: Whether further pages are told by this object.
    @usableFromInline
    init(_ info: SectionInfo, isLasting: Bool = false) {
        self.info = info
        self.isLasting = isLasting
        name = isLasting ? SectionName(info, seed: WindowToken.seed) : nil
    }
}

/// What names of pages say of a section wherever it stands.
struct SectionName {
    /// The number of its id.
    let number: UInt64
    /// The beginning of the hash of what is shown of it besides its rows.
    let hash: ContentHash

    init(_ info: borrowing SectionInfo, seed: UInt64) {
        number = IDNumber.number(of: info.id.rawValue, seed: seed)
        var hash = ContentHash(seed: seed)
        hash.add(info.header)
        hash.add(info.footer)
        hash.add(info.indexTitle)
        hash.add(info.isCollapsed ? 1 : 0)
        self.hash = hash
    }
}
