/// The value that the rows of a section share, the name of a section that a list itself has, or the
/// one section of a list that is not grouped.
public enum SectionKey: Hashable, Sendable {
    /// The only section of a list without grouping.
    case whole
    /// A section of the list's own.
    case named(SectionID)
    /// The rows whose grouped column has this value; null is a value like any other.
    case value(CellValue)
}

extension SectionKey {
    /// The name of the section in addresses.
    ///
    /// `all` for the whole list, the id of a section of the list's own, else the value's plain text; null is `~`, and a text that begins
    /// with `~` gets another one in front, so that no two keys share a name.
    public var id: SectionID {
        switch self {
        case .whole: SectionID("all")
        case .named(let id): id
        case .value(.null): SectionID("~")
        case .value(let value):
            value.plainText.utf8.first == UInt8(ascii: "~")
                ? SectionID("~" + value.plainText) : SectionID(value.plainText)
        }
    }

    /// Reads a name back.
    ///
    /// - Parameters:
    ///   - id: The name from an address.
    ///   - type: The type of the grouped column's values; nil when the list is not grouped.
    /// - Returns: The key, or nil when no section can have that name.
    public static func key(for id: String, type: ColumnType?) -> SectionKey? {
        guard let type else { return id == "all" ? .whole : nil }
        if id == "~" { return .value(.null) }
        guard id.utf8.first == UInt8(ascii: "~") else {
            return CellValue.parse(id, as: type).map(SectionKey.value)
        }
        guard id.utf8.dropFirst().first == UInt8(ascii: "~") else { return nil }
        return CellValue.parse(String(id.dropFirst()), as: type).map(SectionKey.value)
    }
}
