/// A shared description of a section, which all its rows refer to.
///
/// Copies for each row would count references for each of its texts.
@usableFromInline
package final class SectionPlace: Sendable {
    /// The description of the section.
    @usableFromInline package let info: SectionInfo
    /// The part of page digests for a section that is shared by pages; nil for any other.
    package let name: SectionName?

    /// Creates the shared description of a section.
    ///
    /// - Parameters:
    ///   - info: The description of the section.
    ///   - isLasting: Whether further pages share this object.
    @usableFromInline
    package init(_ info: SectionInfo, isLasting: Bool = false) {
        self.info = info
        name = isLasting ? SectionName(info, seed: WindowFormat.seed) : nil
    }
}

/// The part of page digests that describes a section, independent of its position.
package struct SectionName {
    /// The number of its id.
    package let number: UInt64
    /// The initial state of the hash of its visible properties besides its rows.
    package let hash: ContentHash

    /// Hashes a description.
    package init(_ info: borrowing SectionInfo, seed: UInt64) {
        number = IDNumber.number(of: info.id.rawValue, seed: seed)
        var hash = ContentHash(seed: seed)
        hash.add(info.header)
        hash.add(info.footer)
        hash.add(info.indexTitle)
        hash.add(info.isCollapsed ? 1 : 0)
        self.hash = hash
    }
}
