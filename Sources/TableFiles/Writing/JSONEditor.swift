internal import JSON
package import Listings

/// The form of the rows of a JSON document.
package struct JSONForm: Hashable, Sendable {
    package enum Layout: Hashable, Sendable {
        /// An object for each line.
        case lines
        /// The objects of an array.
        case array
        /// The arrays of an array.
        case arrays
        /// Rows that are made of several parts.
        case other
    }

    package let layout: Layout
    package var nested: NestedColumns

    package init(_ layout: Layout, _ nested: NestedColumns = NestedColumns()) {
        (self.layout, self.nested) = (layout, nested)
    }
}

/// Edits rows of JSON documents, whose white space stays.
package struct JSONEditor: RecordEditor {
    private typealias Member = (name: String, start: Int, value: Range<Int>)

    private let form: JSONForm
    private let names: [String]
    /// A row for new ones to resemble, when the document has none.
    private let template: [UInt8]

    package init(_ form: JSONForm, names: [String], template: [UInt8] = []) {
        (self.form, self.names, self.template) = (form, names, template)
    }

    package func obstacle(to value: CellValue, in _: Int?) -> String? { nil }

    package func found(for value: CellValue, in _: Int) -> CellValue {
        let text = value.plainText
        switch value {
        case .null, .boolean: return value
        case .integer, .decimal, .real: return FieldValue.value(text.utf8Span.span, .number)
        case .text, .date, .timestamp, .bytes:
            return FieldValue.value(text.utf8Span.span, .string)
        case .json:
            return ["{", "["].contains(text.prefix(1)) ? value : CellValue.natural(text)
        }
    }

    package func deletion(
        of row: Int,
        in rows: RowPositions,
        isLeading: Bool
    ) -> Range<Int> {
        let (text, starts) = (rows.text, rows.starts)
        let end = value(at: starts[row], in: text).upperBound
        if form.layout == .lines { return starts[row]..<lineEnd(after: end, in: text) }
        guard isLeading else { return value(at: starts[row - 1], in: text).upperBound..<end }
        return starts[row]..<(row + 1 < starts.count ? starts[row + 1] : end)
    }

    private func lineEnd(after end: Int, in text: [UInt8]) -> Int {
        text[end...].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? text.count
    }

    package func insertion(
        of added: [RowEdit],
        after row: Int?,
        in rows: RowPositions
    ) -> TextPatch {
        let (text, starts) = (rows.text, rows.starts)
        let last = starts.last.map { value(at: $0, in: text) }
        let model = last.map { Array(text[$0]) } ?? template
        let all = added.map { self.row(like: model, $0) }
        let end = row.map { value(at: starts[$0], in: text).upperBound }
        if form.layout == .lines {
            let next = end.map { lineEnd(after: $0, in: text) }
            return LineEnd.add(all, to: text, at: next ?? starts.first ?? text.count)
        }
        let (position, gap) = gap(in: rows, last)
        let bytes = Array(all.joined(separator: gap))
        if let end { return TextPatch(end..<end, gap + bytes) }
        return TextPatch(position..<position, rows.areDeleted ? bytes : bytes + gap)
    }

    /// The position of the first row, and what stands between two.
    private func gap(in rows: RowPositions, _ last: Range<Int>?) -> (Int, [UInt8]) {
        let (text, starts, comma) = (rows.text, rows.starts, [UInt8(ascii: ",")])
        guard let last else {
            // An array without rows has the white space around them that it had.
            let start = (rows.list ?? text.firstIndex(of: UInt8(ascii: "[")) ?? 0) + 1
            let space = text[start...].prefix { $0 <= 0x20 }
            let end = space.lastIndex(of: UInt8(ascii: "\n")) ?? start
            let lead = text[start..<end]
            return lead.contains(UInt8(ascii: "\n")) ? (end, comma + lead) : (start, comma)
        }
        guard starts.count == 1 else {
            let end = value(at: starts[starts.count - 2], in: text).upperBound
            return (starts[0], Array(text[end..<last.lowerBound]))
        }
        let before = text[..<last.lowerBound].lastIndex { $0 > 0x20 } ?? 0
        return (starts[0], comma + text[(before + 1)..<last.lowerBound])
    }

    private func row(like model: [UInt8], _ edit: RowEdit) -> [UInt8] {
        let isArray = form.layout == .arrays
        let model = model.isEmpty ? Array((isArray ? "[]" : "{}").utf8) : model
        let all = Dictionary(
            uniqueKeysWithValues: names.indices.map { ($0, edit.values[$0] ?? .null) }
        )
        return TextPatch.apply(patches(ofRowAt: 0, in: model, RowEdit(.insert, all)), to: model)
    }

    package func patches(
        ofRowAt start: Int,
        in text: [UInt8],
        _ edit: RowEdit
    ) -> [TextPatch] {
        var patches: [TextPatch] = []
        if form.layout == .arrays {
            editArray(at: start, in: text, edit.values, &patches)
        } else {
            let values = edit.values.sorted { $0.key < $1.key }.map { (names[$0.key], $0.value) }
            editObject(at: start, in: text, values, below: "", &patches)
        }
        return patches.sorted { $0.range.lowerBound < $1.range.lowerBound }
    }

    // MARK: - Objects

    private func editObject(
        at start: Int,
        in text: [UInt8],
        _ values: [(name: String, value: CellValue)],
        below path: String,
        _ patches: inout [TextPatch]
    ) {
        let members = members(at: start, in: text)
        var further: [(name: String, json: String)] = []
        for (group, values) in grouped(values, below: path, in: members) {
            let member = members.first { $0.name == group }
            if values.count == 1, values[0].name == group {
                let value = values[0].value
                if let member {
                    patches.append(TextPatch(member.value, Array(Self.json(value).utf8)))
                } else if !value.isNull {
                    further.append((group, Self.json(value)))
                }
                continue
            }
            let inner = values.map { (String($0.name.dropFirst(group.count + 1)), $0.value) }
            if let member, text[member.value.lowerBound] == UInt8(ascii: "{") {
                let path = path + group + "."
                editObject(at: member.value.lowerBound, in: text, inner, below: path, &patches)
            } else if inner.contains(where: { !$0.1.isNull }) {
                let json = Array(object(inner, below: path + group + "."))
                if let member {
                    patches.append(TextPatch(member.value, json))
                } else {
                    further.append((group, String(decoding: json, as: UTF8.self)))
                }
            }
        }
        append(further, to: members, at: start, in: text, &patches)
    }

    /// The values of each member, whose object has several of them.
    private func grouped(
        _ values: [(name: String, value: CellValue)],
        below path: String,
        in members: [Member]
    ) -> [(String, [(name: String, value: CellValue)])] {
        var groups: [(String, [(name: String, value: CellValue)])] = []
        for value in values {
            var group = value.name
            if !members.contains(where: { $0.name == group }) {
                // A name may contain dots, so that the longest outer one is not always right.
                var outer = value.name[...]
                while let dot = outer.lastIndex(of: ".") {
                    outer = outer[..<dot]
                    if form.nested.contains(path + outer) { group = String(outer) }
                }
            }
            if let index = groups.firstIndex(where: { $0.0 == group }) {
                groups[index].1.append(value)
            } else {
                groups.append((group, [value]))
            }
        }
        return groups
    }

    private func object(
        _ values: [(String, CellValue)],
        below path: String
    ) -> [UInt8] {
        let model = Array("{}".utf8)
        var patches: [TextPatch] = []
        editObject(at: 0, in: model, values.map { ($0.0, $0.1) }, below: path, &patches)
        return TextPatch.apply(patches, to: model)
    }

    private func append(
        _ further: [(name: String, json: String)],
        to members: [Member],
        at start: Int,
        in text: [UInt8],
        _ patches: inout [TextPatch]
    ) {
        guard !further.isEmpty else { return }
        var (comma, colon) = (Array(", ".utf8), Array(": ".utf8))
        if let last = members.last {
            let lead =
                members.count > 1
                ? members[members.count - 2].value.upperBound..<last.start
                : start + 1..<last.start
            comma = (members.count > 1 ? [] : [UInt8(ascii: ",")]) + text[lead]
            let name = value(at: last.start, in: text)
            colon = Array(text[name.upperBound..<last.value.lowerBound])
        }
        var bytes: [UInt8] = []
        for (name, json) in further {
            if !members.isEmpty || !bytes.isEmpty { bytes += comma }
            bytes += Array(JSONText.quoted(name).utf8) + colon + Array(json.utf8)
        }
        let position = members.last?.value.upperBound ?? start + 1
        patches.append(TextPatch(position..<position, bytes))
    }

    private func editArray(
        at start: Int,
        in text: [UInt8],
        _ values: [Int: CellValue],
        _ patches: inout [TextPatch]
    ) {
        let elements = elements(at: start, in: text)
        var (count, further) = (elements.count, [] as [UInt8])
        var comma = Array(", ".utf8)
        if elements.count > 1 {
            comma = Array(text[elements[0].upperBound..<elements[1].lowerBound])
        }
        for (column, value) in values.sorted(by: { $0.key < $1.key }) {
            let json = Array(Self.json(value).utf8)
            if column < elements.count {
                patches.append(TextPatch(elements[column], json))
            } else if !value.isNull {
                while count <= column {
                    if count > 0 { further += comma }
                    further += count == column ? json : Array("null".utf8)
                    count += 1
                }
            }
        }
        let position = elements.last?.upperBound ?? start + 1
        if !further.isEmpty { patches.append(TextPatch(position..<position, further)) }
    }

    private static func json(_ value: CellValue) -> String {
        switch value {
        case .null: "null"
        case .integer, .decimal, .real, .boolean, .json: value.plainText
        case .text, .date, .timestamp, .bytes: JSONText.quoted(value.plainText)
        }
    }

    package func row(at start: Int, in text: [UInt8]) -> [UInt8] {
        Array(text[value(at: start, in: text)])
    }

    // MARK: - Parts of the text, which a reader has checked

    private func tokenizer(at start: Int, in text: [UInt8]) -> JSONTokenizer {
        JSONTokenizer(
            text,
            at: start,
            maximumDepth: FileLimits.maximumDepth + 1,
            replacesInvalid: true
        )
    }

    private func value(at start: Int, in text: [UInt8]) -> Range<Int> {
        var tokenizer = tokenizer(at: start, in: text)
        // The text is the one that was read.
        return (try? tokenizer.value()) ?? start..<start
    }

    private func members(at start: Int, in text: [UInt8]) -> [Member] {
        var tokenizer = tokenizer(at: start, in: text)
        var members: [Member] = []
        // As above.
        try? tokenizer.members { (name, tokenizer) throws(JSONSyntaxError) in
            let start = tokenizer.tokenStart
            members.append((name, start, try tokenizer.value()))
        }
        return members
    }

    private func elements(at start: Int, in text: [UInt8]) -> [Range<Int>] {
        var tokenizer = tokenizer(at: start, in: text)
        var elements: [Range<Int>] = []
        // As above.
        try? tokenizer.elements { (tokenizer) throws(JSONSyntaxError) in
            elements.append(try tokenizer.value())
        }
        return elements
    }
}
