/// The description of a section.
public struct SectionInfo: Hashable, Sendable {
    /// The name of the section in URLs.
    ///
    /// It is stable as long as its key is.
    public let id: SectionID
    /// The value its rows share.
    public let key: SectionKey
    /// The text above its rows.
    ///
    /// Nil and an empty text render no element, but JSON contains the empty text.
    public var header: String?
    /// The text below its rows.
    public var footer: String?
    /// The short title of the section in a section index; nil excludes it from the index.
    public var indexTitle: String?
    /// Whether its rows are hidden.
    ///
    /// They are still counted.
    public var isCollapsed: Bool

    /// Creates the description of a section.
    public init(
        id: SectionID,
        key: SectionKey,
        header: String?,
        footer: String? = nil,
        indexTitle: String? = nil,
        isCollapsed: Bool = false
    ) {
        self.id = id
        self.key = key
        self.header = header
        self.footer = footer
        self.indexTitle = indexTitle
        self.isCollapsed = isCollapsed
    }

    /// Creates the description of one of the list's own sections.
    public init(
        _ id: SectionID,
        header: String? = nil,
        footer: String? = nil,
        indexTitle: String? = nil,
        isCollapsed: Bool = false
    ) {
        self.init(
            id: id,
            key: .named(id),
            header: header,
            footer: footer,
            indexTitle: indexTitle,
            isCollapsed: isCollapsed
        )
    }
}

/// The name of a section in URLs.
public struct SectionID: Hashable, Sendable {
    /// The name, not percent-encoded.
    public let rawValue: String

    /// Creates an id from a name.
    public init(_ rawValue: String) { self.rawValue = rawValue }
}

extension SectionID: ExpressibleByStringLiteral {
    /// Creates an id from a literal.
    public init(stringLiteral value: String) { self.init(value) }
}

extension SectionID: CustomStringConvertible {
    /// The name of the section.
    public var description: String { rawValue }
}

/// The key of a section: a value that its rows share, the name of one of the list's own sections,
/// or the whole list.
public enum SectionKey: Hashable, Sendable {
    /// The only section of a list without grouping.
    case whole
    /// A section of the list's own.
    case named(SectionID)
    /// The rows whose grouped column has this value; null is a value like any other.
    case value(CellValue)
}

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

/// A shared description of a section, which all its rows refer to.
///
/// Copies for each row would count references for each of its texts.
@usableFromInline
package final class SectionLocation: Sendable {
    @usableFromInline package let info: SectionInfo
    /// The section is shared by pages; nil for any other.
    package let name: SectionName?

    /// A lasting description is one that further pages share.
    @usableFromInline
    package init(_ info: SectionInfo, isLasting: Bool = false) {
        self.info = info
        name = isLasting ? SectionName(info, seed: WindowFormat.seed) : nil
    }
}

/// The part of page digests that describes a section, independent of its position.
package struct SectionName {
    package let number: UInt64
    /// The initial state of the hash of its visible properties besides its rows.
    package let hash: ContentHash

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
