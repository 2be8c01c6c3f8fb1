import JSON

/// A column of a list: the type of its cells and the operations that it allows.
public struct Column: Hashable, Sendable {
    /// The name in URLs and JSON, unique within the list.
    public let id: String
    /// The displayed name.
    public private(set) var label: String
    /// The type of the values.
    public let type: ColumnType
    /// The priority on narrow screens, which show ten columns at once: 1 comes first, 3 last.
    ///
    /// The default is 2.
    public private(set) var priority: Int
    /// Whether the list can be sorted by the column; true by default.
    public private(set) var isSortable: Bool
    /// Whether the list can be grouped into sections by the column; false by default.
    public private(set) var isGroupable: Bool
    /// Whether rows can be filtered by the column; true by default.
    public private(set) var isFilterable: Bool
    /// Whether cells can have values of other types than the column's; false by default.
    public private(set) var isMixed: Bool
    /// That of the source, or the id where the source has no other.
    package private(set) var fileName: String
    /// That of the values in files; nil for the usual one.
    package private(set) var spelling: ColumnSpelling?
    /// The presentation of the values on pages; nil shows them by their type.
    public private(set) var format: ColumnFormat?
    /// The explanation and the room of the column.
    public private(set) var notes = ColumnNotes()
    /// The only texts that the column takes; empty if it takes others.
    public private(set) var choices: [String] = []

    /// Whether text searches include the column.
    public var isSearchable: Bool { isFilterable && (type.isText || type == .json) }
    /// Whether the rows of each value can be counted, also of prices and other fractions.
    public var isFacet: Bool { isFilterable && (isGroupable || type == .real) }

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
        fileName = id
        self.label = label ?? Self.label(from: id)
        self.type = type
        self.priority = priority
        self.isSortable = isSortable
        self.isGroupable = isGroupable
        self.isFilterable = isFilterable
        self.isMixed = isMixed
    }

    /// Returns the same column with a presentation of its values.
    ///
    /// - Parameter format: The format, which must suit the type of the column; nil shows the
    ///   values by their type.
    /// - Returns: The column.
    public func formatted(as format: ColumnFormat?) -> Column {
        precondition(
            format?.suits(self) ?? true,
            "format \(format?.text ?? "") of a \(type) column '\(id)'"
        )
        var column = self
        column.format = format
        return column
    }

    /// Returns the same column with an explanation.
    ///
    /// - Parameters:
    ///   - label: The displayed name; nil leaves it as it is.
    ///   - notes: The explanation and the room.
    /// - Returns: The column.
    public func described(as label: String? = nil, _ notes: ColumnNotes) -> Column {
        var column = self
        column.label = label ?? self.label
        column.notes = notes
        return column
    }

    /// Returns the same column with the only texts that it takes, which forms offer.
    public func choosing(among choices: [String]) -> Column {
        var column = self
        column.choices = choices
        return column
    }

    package func prioritized(_ priority: Int, isGroupable: Bool) -> Column {
        var column = self
        column.priority = priority
        column.isGroupable = isGroupable
        return column
    }

    /// The source answers some queries only.
    func limited(to abilities: ListAbilities) -> Column {
        var column = self
        column.isSortable = isSortable && abilities.contains(.sorting)
        column.isGroupable = isGroupable && abilities.contains(.grouping)
        column.isFilterable = isFilterable && abilities.contains(.filtering)
        return column
    }

    package func ofOneType() -> Column {
        var column = self
        column.isMixed = false
        return column
    }

    package func spelled(as spelling: ColumnSpelling?) -> Column {
        var column = self
        column.spelling = spelling
        return column
    }

    package func named(inFiles name: String) -> Column {
        var column = self
        column.fileName = name
        return column
    }

    /// Returns the heading for a name: `First name` for `firstName` and `first_name`, `ID` for `id`.
    ///
    /// Camel case begins with two lower letters, so that `iPhone` and `pH` are none. Words with
    /// capitals between underscores stay as they are: `GDP_per_Capita` is `GDP per Capita`. A name
    /// with other characters, such as blanks or dashes, is a heading itself.
    public static func label(from id: String) -> String {
        guard id.lowercased() != "id" else { return "ID" }
        guard id.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" }) else { return id }
        let parts = id.split(separator: "_")
        guard let first = parts.first, let letter = first.first else { return id }
        let text = parts.map { isCamelCase($0) ? spelledOut($0) : String($0) }
            .joined(separator: " ")
        return isCamelCase(first) ? letter.uppercased() + text.dropFirst() : text
    }

    private static func isCamelCase(_ part: Substring) -> Bool {
        let next = part.dropFirst().first
        return part.first?.isLowercase ?? false && !(next?.isUppercase ?? false)
    }

    private static func spelledOut(_ part: Substring) -> String {
        words(of: part).map { $0.dropFirst().contains(where: \.isUppercase) ? $0 : $0.lowercased() }
            .joined(separator: " ")
    }

    /// The parts of letters and digits, which also end before the capitals of camel case.
    package static func words(of name: some StringProtocol) -> [String] {
        var words = [""]
        var previousIsLower = false
        for character in name {
            let isPart = character.isLetter || character.isNumber
            if !isPart || character.isUppercase && previousIsLower { words.append("") }
            if isPart { words[words.count - 1].append(character) }
            previousIsLower = character.isLowercase || character.isNumber
        }
        return words.filter { !$0.isEmpty }
    }
}

extension Column {
    /// Parses a text of a file, form or section name as a value of the column.
    ///
    /// - Returns: A value of the column's type. In a mixed column, the type follows from the text.
    ///   Nil if the column cannot hold the value.
    public func value(of text: String) -> CellValue? {
        if type == .json, !isMixed { return JSONText.compactValue(text).map(CellValue.json) }
        if !type.isText, let value = CellValue.parse(text, as: type) { return value }
        guard isMixed else { return type.isText ? .text(text) : nil }
        return CellValue.natural(text)
    }

    /// A number that could be a year is none.
    package func keys(for text: String) -> [CellValue] {
        let keys = candidates(for: text)
        return keys.first?.kind == .number ? keys.filter { $0.kind != .time } : keys
    }

    /// Returns the values that a text can name in a condition for equality.
    ///
    /// In a mixed column these are, for example, a number and the text of its digits.
    ///
    /// - Returns: The values, the likeliest first; empty if the column cannot hold any.
    public func candidates(for text: String) -> [CellValue] {
        guard let first = operand(for: text) else { return [] }
        var candidates = [first]
        guard isMixed else { return candidates }
        let natural = CellValue.natural(text)
        let isJSON = ["{", "["].contains(text.prefix(1))
        let others = [
            first.kind == .time && natural.kind == .time ? nil : natural,
            period(text),
            isJSON ? CellValue.parse(text, as: .json) : nil,
            .text(text),
        ]
        for case .some(let other) in others where !candidates.contains(other) {
            candidates.append(other)
        }
        return candidates
    }

    /// Returns the value that a text names in a condition for order.
    ///
    /// `2024-03` names a period in a time column and in a mixed column. `2024` names one in a time
    /// column only.
    public func operand(for text: String) -> CellValue? {
        if type.isTime, let period = period(text) { return period }
        // Integers are compared with any number.
        if type == .integer, let number = CellValue.parse(text, as: .real) { return number }
        let value = value(of: text)
        guard isMixed, value?.kind != .number, let period = period(text) else { return value }
        return period
    }

    /// The year, month or minute.
    ///
    /// Nil for dates and other texts.
    private func period(_ text: String) -> CellValue? {
        guard CalendarDate(text) == nil else { return nil }
        return Timestamp(period: text).map(CellValue.timestamp)
    }

    /// Returns the name of a value in URLs, which ``value(named:)`` parses.
    ///
    /// Null is `~`. A value is its canonical text if that parses as the value. Otherwise it is `~`,
    /// a letter for its kind, `:` and the text. A text that begins with `~` gets a second `~` in
    /// front.
    public func name(of value: CellValue) -> String {
        guard !value.isNull else { return "~" }
        let text = value.canonicalText
        let isPlain = !text.isEmpty && text.utf8.first != UInt8(ascii: "~")
        if isPlain, self.value(of: text) == value { return text }
        if case .text = value, !text.isEmpty, self.value(of: text) == value { return "~" + text }
        return "~\(value.kind.letter):\(text)"
    }

    /// Parses the name of a value; returns nil if no value has it.
    public func value(named name: String) -> CellValue? {
        guard name.utf8.first == UInt8(ascii: "~") else {
            return name.isEmpty ? nil : value(of: name)
        }
        if name == "~" { return .null }
        let rest = name.dropFirst()
        if rest.utf8.first == UInt8(ascii: "~") { return .text(String(rest)) }
        guard let colon = rest.firstIndex(of: ":"),
            let kind = CellValue.Kind.allCases.first(where: { $0.letter == rest[..<colon] })
        else { return nil }
        let text = String(rest[rest.index(after: colon)...])
        switch kind {
        case .null: return nil
        case .boolean: return CellValue.parse(text, as: .boolean)
        case .number: return CellValue.parse(text, as: .real)
        case .time: return CellValue.parse(text, as: .timestamp)
        case .text: return .text(text)
        case .json: return .json(text)
        case .bytes: return CellValue.parse(text, as: .bytes)
        }
    }
}

extension CellValue.Kind {
    fileprivate var letter: String {
        switch self {
        case .null: "0"
        case .boolean: "b"
        case .number: "n"
        case .time: "d"
        case .text: "t"
        case .json: "j"
        case .bytes: "x"
        }
    }
}
