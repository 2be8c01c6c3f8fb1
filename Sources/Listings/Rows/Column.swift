/// One column of a list: what its cells are and what may be asked of it.
public struct Column: Hashable, Sendable {
    /// The name in addresses and JSON, unique within the list.
    public let id: String
    /// The name people read.
    public let label: String
    /// The type of the values.
    public let type: ColumnType
    /// How readily the column gives way on narrow screens: 1 never, 3 first.
    ///
    /// Default 2.
    public let priority: Int
    /// Whether the list may be sorted by it; true by default.
    public let isSortable: Bool
    /// Whether the list may be cut into sections by it; false by default.
    public let isGroupable: Bool
    /// Whether rows may be left out for what they hold in it; true by default.
    public let isFilterable: Bool
    /// Whether values of other types than the column's may stand in it; false by default.
    public let isMixed: Bool

    /// Whether a search for words looks at it.
    public var isSearchable: Bool { isFilterable && (type.isText || type == .json) }
    /// Whether its values may be counted, each for itself.
    public var isFacet: Bool { isFilterable && isGroupable }

    /// Creates a column.
    ///
    /// - Parameters:
    ///   - id: The name in addresses and JSON.
    ///   - label: The name people read; nil makes it from the id: `firstName` becomes `First name`.
    ///   - type: The type of the values.
    ///   - priority: 1...3.
    ///   - isSortable: Whether the list may be sorted by it.
    ///   - isGroupable: Whether the list may be cut into sections by it.
    ///   - isFilterable: Whether rows may be left out for what they hold in it.
    ///   - isMixed: Whether values of other types than the column's may stand in it.
    public init(
        _ id: String,
        label: String? = nil,
        type: ColumnType = .text,
        priority: Int = 2,
        isSortable: Bool = true,
        isGroupable: Bool = false,
        isFilterable: Bool = true,
        isMixed: Bool = false
    ) {
        precondition((1...3).contains(priority), "priority \(priority) is not in 1...3")
        self.id = id
        self.label = label ?? Self.label(from: id)
        self.type = type
        self.priority = priority
        self.isSortable = isSortable
        self.isGroupable = isGroupable
        self.isFilterable = isFilterable
        self.isMixed = isMixed
    }

    /// Makes `First name` of `firstName`, `first_name`, `first-name` and `FIRST NAME`, and `ID` of `id`.
    public static func label(from id: String) -> String {
        guard id.lowercased() != "id" else { return "ID" }
        var words: [String] = []
        var word = ""
        var previousIsLower = false
        for character in id {
            let isSeparator = character == "_" || character == "-" || character == " "
            if isSeparator || (character.isUppercase && previousIsLower) {
                if !word.isEmpty { words.append(word) }
                word = ""
            }
            if !isSeparator { word.append(character) }
            previousIsLower = character.isLowercase || character.isNumber
        }
        if !word.isEmpty { words.append(word) }
        let text = words.map { $0.lowercased() }.joined(separator: " ")
        guard let first = text.first else { return id }
        return first.uppercased() + text.dropFirst()
    }
}
