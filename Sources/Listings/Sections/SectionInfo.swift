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
