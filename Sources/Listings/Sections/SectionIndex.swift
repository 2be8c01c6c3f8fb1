/// A title of a section index, and the section it leads to.
public struct SectionIndexEntry: Hashable, Sendable {
    /// The short title.
    public let title: String
    /// The position of the section on the page.
    public let section: Int
}

extension Page {
    /// The index of the page's sections, for jumping from one to the other.
    ///
    /// Made only of sections that have an index title, in their order; of several with one title
    /// the first is taken. Empty where no section has one. O(sections).
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
