/// A title of a section index, and the section it leads to.
public struct SectionIndexEntry: Hashable, Sendable {
    /// The short title.
    public let title: String
    /// The position of the section on the page.
    public let section: Int
}

extension Page {
    /// The index of the page's sections, as links to each of them.
    ///
    /// It lists the sections that have an index title, in their order. If several have the same
    /// title, it lists the first. O(sections).
    public var sectionIndex: [SectionIndexEntry] {
        var seen: Set<String> = []
        return sections.enumerated().compactMap { position, section in
            guard let title = section.info.indexTitle, !title.isEmpty,
                seen.insert(title).inserted
            else { return nil }
            return SectionIndexEntry(title: title, section: position)
        }
    }
}
