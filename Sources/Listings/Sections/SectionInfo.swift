/// What is known of a section besides its rows.
public struct SectionInfo: Hashable, Sendable {
    /// Names the section in addresses; stable while its key is.
    public let id: SectionID
    /// The value its rows share.
    public let key: SectionKey
    /// The text above its rows: nil draws nothing, an empty text draws no element either but is
    /// kept in JSON.
    public let header: String?
    /// The text below its rows.
    public let footer: String?

    /// Creates the description of a section.
    public init(id: SectionID, key: SectionKey, header: String?, footer: String? = nil) {
        self.id = id
        self.key = key
        self.header = header
        self.footer = footer
    }
}
