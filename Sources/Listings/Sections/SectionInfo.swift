/// What is known of a section besides its rows.
public struct SectionInfo: Hashable, Sendable {
    /// Names the section in addresses; stable while its key is.
    public let id: SectionID
    /// The value its rows share.
    public let key: SectionKey
    /// The text above its rows: nil draws nothing, an empty text draws no element either but is
    /// kept in JSON.
    public var header: String?
    /// The text below its rows.
    public var footer: String?
    /// The short title under which an index of sections finds it; nil keeps it out of the index.
    public var indexTitle: String?
    /// Whether its rows are hidden; they are counted nevertheless.
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

    /// Creates the description of a section of a list's own.
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
