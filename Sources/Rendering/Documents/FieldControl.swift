import Bytes
package import Listings

/// The control with which a person enters a value: in forms, cells, conditions and bulk edits.
package struct FieldControl: Sendable {
    package struct Option: Hashable, Sendable {
        package let value: String
        package let label: String

        package init(_ value: String, _ label: String? = nil) {
            (self.value, self.label) = (value, label ?? value)
        }
    }

    /// A list whose rows a script finds by what is typed.
    package struct Search: Sendable {
        package let address: String
        /// The ids of the columns that label the rows.
        package let labels: [String]
        /// The id of the column with the value; nil for the ids of the rows.
        package let key: String?

        package init(_ address: String, labels: [String], key: String?) {
            (self.address, self.labels, self.key) = (address, labels, key)
        }
    }

    enum Kind {
        case area
        case choice
        case input(StaticString)
    }

    private let type: ColumnType
    /// The values that are offered, with their labels.
    package var options: [Option]
    /// Whether the field takes no other values.
    package var isClosed: Bool
    package var search: Search?

    package init(_ column: Column) {
        self.init(column.type)
        options = column.choices.map { Option($0) }
        isClosed = !options.isEmpty
    }

    package init(_ type: ColumnType) { (self.type, options, isClosed) = (type, [], false) }

    /// Whether the value names a row of another list, or is one of some.
    var isPicker: Bool { search != nil || !options.isEmpty }

    /// Returns the control for a value, which no browser changes.
    func kind(of text: String) -> Kind {
        if text.utf8.contains(UInt8(ascii: "\n")) { return .area }
        if isClosed { return .choice }
        if isPicker { return .input("<input autocomplete=\"off\"") }
        // Browsers trim spaces around addresses, and change the spelling of host names.
        let isPlain = text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
        return switch type {
        case .boolean where ["", "true", "false"].contains(text): .choice
        case .email where isPlain: .input("<input type=\"email\"")
        case .link where isPlain: .input("<input type=\"url\"")
        case .date where text.isEmpty || CalendarDate(text) != nil: .input("<input type=\"date\"")
        case .timestamp where Self.isLocal(text): .input("<input type=\"datetime-local\"")
        case .integer, .real: .input("<input inputmode=\"decimal\"")
        case .json: .area
        default: .input("<input")
        }
    }

    /// Whether a time has no zone, and the spelling of browsers: `2024-02-29T10:30`.
    private static func isLocal(_ text: String) -> Bool {
        let parts = text.split(separator: "T", omittingEmptySubsequences: false)
        guard parts.count == 2, CalendarDate(String(parts[0])) != nil else { return false }
        return parts[1].utf8.count == 5 && Timestamp(text) != nil
    }
}

extension HTMLWriter {
    /// Appends the options of a choice: of closed ones, or yes and no.
    ///
    /// A choice without value stays possible unless the field needs one.
    mutating func options(of control: FieldControl, value: String, isRequired: Bool) {
        var options =
            control.isClosed
            ? control.options
            : [.init("true", texts("yes")), .init("false", texts("no"))]
        if !options.contains(where: { $0.value == value }), !value.isEmpty {
            options.append(.init(value))
        }
        if !isRequired || value.isEmpty { options.insert(.init("", texts("none")), at: 0) }
        for option in options {
            self.option(option.value, option.label, isSelected: option.value == value)
        }
    }

    /// Appends the attributes by which an input offers values, or by which a script lets it.
    mutating func pickerAttributes(
        of control: FieldControl,
        _ name: StaticString = "list",
        id: String
    ) {
        guard control.isPicker else { return }
        // An id has no blanks.
        attribute(name, PercentEncoding.encode(id, for: .queryComponent))
        guard let search = control.search else { return }
        attribute("data-search", search.address)
        attribute("data-labels", search.labels.joined(separator: ","))
        if let key = search.key { attribute("data-key", key) }
    }

    mutating func datalist(of control: FieldControl, id: String) {
        guard control.isPicker else { return }
        markup("<datalist")
        attribute("id", PercentEncoding.encode(id, for: .queryComponent))
        markup(">")
        for option in control.options {
            self.option(option.value, option.label, isSelected: false)
        }
        markup("</datalist>")
    }
}
