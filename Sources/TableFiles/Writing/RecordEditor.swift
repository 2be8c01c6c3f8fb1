package import Listings

/// A change of a row of a file.
package struct RowEdit: Hashable, Sendable {
    package enum Kind: Hashable, Sendable { case change, insert, delete }

    package var kind: Kind
    /// By the positions of the columns in the file.
    package var values: [Int: CellValue]

    package init(_ kind: Kind, _ values: [Int: CellValue] = [:]) {
        (self.kind, self.values) = (kind, values)
    }
}

/// The replacement of a part of a text in UTF-8.
package struct TextPatch: Hashable, Sendable {
    let range: Range<Int>
    let bytes: [UInt8]

    init(_ range: Range<Int>, _ bytes: [UInt8] = []) { (self.range, self.bytes) = (range, bytes) }

    /// The patches are in the order of the text and do not overlap.
    package static func apply(_ patches: [TextPatch], to text: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(text.count + patches.reduce(0) { $0 + $1.bytes.count })
        var end = 0
        for patch in patches {
            result += text[end..<patch.range.lowerBound]
            result += patch.bytes
            end = patch.range.upperBound
        }
        return result + text[end...]
    }
}

/// Spells rows in the style of a file, so that other bytes stay.
package protocol RecordEditor: Sendable {
    /// The reason why the file cannot hold a value in a column, or an id; nil if it can.
    func obstacle(to value: CellValue, in column: Int?) -> String?

    /// The value that a reader finds where another value was written.
    func found(for value: CellValue, in column: Int) -> CellValue

    func patches(ofRowAt start: Int, in text: [UInt8], _ edit: RowEdit) -> [TextPatch]

    /// The bytes of a deleted row; a leading one has no remaining row before it.
    func deletion(of row: Int, in rows: RowPositions, isLeading: Bool) -> Range<Int>

    /// The rows stand after the one that is given, or before all others.
    func insertion(of added: [RowEdit], after row: Int?, in rows: RowPositions) -> TextPatch
}

/// The positions of the rows of a text.
package struct RowPositions: Sendable {
    let text: [UInt8]
    let starts: [Int]
    /// That of the bracket before the rows of a JSON document.
    let list: Int?
    /// Whether no row remains.
    fileprivate(set) var areDeleted = false

    package init(_ text: [UInt8], starts: [Int], list: Int? = nil) {
        (self.text, self.starts, self.list) = (text, starts, list)
    }
}

extension RecordEditor {
    /// The changed rows are in the order of the text.
    package func patches(
        of rows: RowPositions,
        changed: [(row: Int, edit: RowEdit)],
        added: [(after: Int?, edit: RowEdit)]
    ) -> [TextPatch] {
        var rows = rows
        rows.areDeleted = changed.count { $0.edit.kind == .delete } == rows.starts.count
        // Rows have even numbers, and those that are added after them odd ones.
        var steps: [(order: Int, patches: [TextPatch])] = []
        var leading = 0
        for (row, edit) in changed {
            guard edit.kind == .delete else {
                steps.append((2 * row, patches(ofRowAt: rows.starts[row], in: rows.text, edit)))
                continue
            }
            if leading == row { leading += 1 }
            let range = deletion(of: row, in: rows, isLeading: leading > row)
            steps.append((2 * row, [TextPatch(range)]))
        }
        for (row, group) in Dictionary(grouping: added, by: \.after) {
            let patch = insertion(of: group.map(\.edit), after: row, in: rows)
            steps.append((row.map { 2 * $0 + 1 } ?? -1, [patch]))
        }
        return steps.sorted { $0.order < $1.order }.flatMap(\.patches)
    }
}

/// The line ends of a text.
enum LineEnd {
    /// The position after the line that has the index.
    static func next(after index: Int, in text: [UInt8]) -> Int {
        guard index < text.count else { return text.count }
        let isPair = text[index] == UInt8(ascii: "\r") && text[(index + 1)...].first == 0x0A
        return isPair ? index + 2 : index + 1
    }

    /// Those of the first line.
    static func style(of text: [UInt8]) -> [UInt8] {
        guard let end = text.firstIndex(where: { $0 == 0x0A || $0 == 0x0D }) else { return [0x0A] }
        return Array(text[end..<next(after: end, in: text)])
    }

    /// Adds lines at a position after a line end, or at the end of the text.
    static func add(_ lines: [[UInt8]], to text: [UInt8], at position: Int) -> TextPatch {
        let style = style(of: text)
        let isAfterEnd = position == 0 || [0x0A, 0x0D].contains(text[position - 1])
        let bytes = Array(lines.joined(separator: style))
        return TextPatch(position..<position, isAfterEnd ? bytes + style : style + bytes)
    }
}
