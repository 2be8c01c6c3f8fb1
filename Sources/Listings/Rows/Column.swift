/// A column of a list: the type of its cells and the operations that it allows.
public struct Column: Hashable, Sendable {
    /// The name in URLs and JSON, unique within the list.
    public let id: String
    /// The displayed name.
    public let label: String
    /// The type of the values.
    public let type: ColumnType
    /// The priority on narrow screens: 1 is never hidden, 3 is hidden first.
    ///
    /// The default is 2.
    public let priority: Int
    /// Whether the list can be sorted by the column; true by default.
    public let isSortable: Bool
    /// Whether the list can be grouped into sections by the column; false by default.
    public let isGroupable: Bool
    /// Whether rows can be filtered by the column; true by default.
    public let isFilterable: Bool
    /// Whether cells can have values of other types than the column's; false by default.
    public let isMixed: Bool

    /// Whether text searches include the column.
    public var isSearchable: Bool { isFilterable && (type.isText || type == .json) }
    /// Whether the rows of each value can be counted.
    public var isFacet: Bool { isFilterable && isGroupable }

    /// Creates a column.
    ///
    /// - Parameters:
    ///   - id: The name in URLs and JSON.
    ///   - label: The displayed name. Nil derives it from the id: `firstName` becomes `First name`.
    ///   - type: The type of the values.
    ///   - priority: The priority on narrow screens, 1...3.
    ///   - isSortable: Whether the list can be sorted by the column.
    ///   - isGroupable: Whether the list can be grouped into sections by the column.
    ///   - isFilterable: Whether rows can be filtered by the column.
    ///   - isMixed: Whether cells can have values of other types than the column's.
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

    /// Returns `First name` for `firstName`, `first_name`, `first-name` and `FIRST NAME`, `ID` for
    /// `id`.
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
