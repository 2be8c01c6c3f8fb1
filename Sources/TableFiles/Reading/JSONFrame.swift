internal import JSON

/// The way in which an object has the values of a table.
package enum JSONShape: Hashable, Sendable {
    /// Each member is a column, an object of values by the labels of rows.
    case columns
    /// Each member is a row, although it may be a column as well.
    case undecided
}

/// A table in one object, as pandas writes it: `split`, `columns` or `table`.
///
/// The labels of rows are a column unless they count the rows from 0.
struct JSONFrame {
    private typealias Part = JSONParts.Part

    private(set) var rows: [[(String, String)]] = []

    /// Nil if the object is no such table, or nothing decides.
    init?(
        _ members: [JSONParts.Member],
        _ shape: JSONShape?,
        in parts: JSONParts
    ) throws(JSONSyntaxError) {
        func array(_ name: String) -> Part? {
            members.first { $0.name == name && parts.isArray($0.value) }?.value
        }
        if let data = array("data"), let columns = array("columns") {
            let (index, rows) = (array("index"), try parts.elements(of: data))
            guard members.count == (index == nil ? 2 : 3), rows.allSatisfy(parts.isArray) else {
                return nil
            }
            try addSplit(columns, index, rows, parts)
            return
        }
        guard shape == .columns else { return nil }
        var columns: [[JSONParts.Member]] = []
        for member in members { columns.append(try parts.members(of: member.value)) }
        let labels = columns[0].map(\.name)
        let name = Self.count(labels) ? nil : Self.indexName(besides: members.map(\.name))
        for (row, label) in labels.enumerated() {
            let values = zip(members, columns).map { ($0.name, parts.text($1[row].value)) }
            rows.append((name.map { [($0, JSONText.quoted(label))] } ?? []) + values)
        }
    }

    private mutating func addSplit(
        _ columns: Part,
        _ index: Part?,
        _ data: [Part],
        _ parts: JSONParts
    ) throws(JSONSyntaxError) {
        let names = try parts.elements(of: columns).map { part throws(JSONSyntaxError) in
            try parts.name(part)
        }
        let labels = try index.map { index throws(JSONSyntaxError) in
            try parts.elements(of: index).map(parts.text)
        }
        let hasLabels = labels.map { !Self.count($0) } ?? false
        // A label of several levels is an array, which is no id.
        let areArrays = labels?.first?.hasPrefix("[") ?? false
        let label = hasLabels ? Self.indexName(besides: names, isID: !areArrays) : nil
        for (row, element) in data.enumerated() {
            let values = try parts.elements(of: element)
            var members: [(String, String)] = []
            if let label, let labels, row < labels.count { members.append((label, labels[row])) }
            for (column, value) in values.enumerated() {
                let name = column < names.count ? names[column] : "column_\(column + 1)"
                members.append((name, parts.text(value)))
            }
            rows.append(members)
        }
    }

    /// The rows of a table with a schema, without the column `index` that counts them.
    ///
    /// Nil if they have no such column.
    static func rows(
        of data: [JSONParts.Part],
        in parts: JSONParts
    ) throws(JSONSyntaxError) -> [[(String, String)]]? {
        guard !data.isEmpty else { return nil }
        var rows: [[(String, String)]] = []
        for (row, element) in data.enumerated() {
            guard parts.isObject(element) else { return nil }
            let members = try parts.members(of: element)
            guard let index = members.first, index.name == "index",
                parts.text(index.value) == "\(row)"
            else { return nil }
            rows.append(members.dropFirst().map { ($0.name, parts.text($0.value)) })
        }
        return rows
    }

    /// Nil if the members are rows.
    static func shape(
        of members: [JSONParts.Member],
        in parts: JSONParts
    ) throws(JSONSyntaxError) -> JSONShape? {
        guard !members.isEmpty, members.allSatisfy({ parts.isObject($0.value) }) else {
            return nil
        }
        var labels: [String] = []
        var kinds: [Set<UInt8>] = []
        var areColumns = true
        for (position, member) in members.enumerated() {
            let values = try parts.members(of: member.value)
            if position == 0 {
                labels = values.map(\.name)
                kinds = values.map { _ in [] }
            }
            guard values.map(\.name) == labels else { return nil }
            let found = values.map { parts.kind($0.value) }
            for (row, kind) in found.enumerated() { if let kind { kinds[row].insert(kind) } }
            areColumns = areColumns && Set(found.compactMap(\.self)).count <= 1
        }
        let areRows = kinds.allSatisfy { $0.count <= 1 }
        switch (count(members.map(\.name)), count(labels)) {
        case (true, false): return nil
        case (false, true): return .columns
        case (true, true), (false, false): break
        }
        return areRows == areColumns ? .undecided : areRows ? nil : .columns
    }

    /// Whether the labels of rows are 0, 1, 2 and so on.
    static func count(_ labels: [String]) -> Bool {
        !labels.isEmpty && labels.enumerated().allSatisfy { $0.element == "\($0.offset)" }
    }

    /// The first name for labels that no column has.
    static func indexName(besides names: [String], isID: Bool = true) -> String {
        let all = isID ? ["id", "key", "index"] : ["index", "key"]
        return all.first { !names.contains($0) } ?? "index_"
    }
}

extension JSONParts {
    /// The kind of a value by its first byte; nil for a missing one.
    fileprivate func kind(_ part: Part) -> UInt8? {
        guard !isMissing(part) else { return nil }
        let first = first(part)
        switch first {
        case UInt8(ascii: "f"): return UInt8(ascii: "t")
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return UInt8(ascii: "0")
        default: return first
        }
    }

    /// The name of a column, which may be a number or an array.
    fileprivate func name(_ part: Part) throws(JSONSyntaxError) -> String {
        guard isText(part) else { return text(part) }
        var tokenizer = Self.tokenizer(of: bytes, at: part.lowerBound)
        return try tokenizer.string()
    }
}
